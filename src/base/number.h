/* number.h - numbers from text and back, the same in every locale. */
#ifndef HS_BASE_NUMBER_H
#define HS_BASE_NUMBER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

#define HS_NUMBER_MAX 32 /* bytes that hold any printed number */

/* The whole word as strtod of the C locale reads it, bit by bit.  False for
 * what is no number, for NaN and for overflow; "inf" is infinity. */
bool hs_number_real(const char *word, double *out);

/* The number that text begins with, as strtod of the C locale takes it, and
 * where it ends: text itself when there is none. */
double hs_number_prefix(const char *text, const char **end);

/* The common case of hs_number_real, fast and without a NUL at end: plain
 * decimals whose value one division or multiplication rounds correctly.  False
 * says nothing about the word. */
bool hs_number_quick(const char *word, const char *end, double *out);

/* [+-]digits; false when it is not, or does not fit. */
bool hs_number_whole(const char *word, const char *end, int64_t *out);

/* digits up to 2^64 - 1. */
bool hs_number_seed(const char *word, uint64_t *out);

/* The shortest of 15 to 17 digits that reads back to the same number. */
void hs_number_print(char out[HS_NUMBER_MAX], double value);

/* printf and its kin with the point of the C locale.  All that formats a real
 * number goes through them: a program that loads the library may have called
 * setlocale. */
int hs_snprintf(char *out, size_t size, const char *format, ...)
    HS_PRINTF(3, 4);
int hs_vsnprintf(char *out, size_t size, const char *format, va_list args)
    HS_PRINTF(3, 0);
int hs_fprintf(FILE *to, const char *format, ...) HS_PRINTF(2, 3);

#endif
