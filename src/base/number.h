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

/* Reads the whole word as strtod does in the C locale, bit for bit.  False for
 * NaN, overflow and what is not a number; "inf" is infinity. */
bool hs_number_real(const char *word, double *out);

/* Reads the number at the start of text as strtod does in the C locale.  *end
 * is text itself if there is none. */
double hs_number_prefix(const char *text, const char **end);

/* Fast version of hs_number_real for text without a final NUL: plain decimals
 * that one division or multiplication rounds correctly.  False means
 * "unknown". */
bool hs_number_quick(const char *word, const char *end, double *out);

/* Reads [+-]digits; false if the word differs or does not fit. */
bool hs_number_whole(const char *word, const char *end, int64_t *out);

/* Reads digits up to 2^64 - 1. */
bool hs_number_seed(const char *word, uint64_t *out);

/* Prints 15 to 17 digits, as few as read back to the same number. */
void hs_number_print(char out[HS_NUMBER_MAX], double value);

/* printf functions with the decimal point of the C locale.  Format all real
 * numbers with them: a program that loads the library may have called
 * setlocale. */
int hs_snprintf(char *out, size_t size, const char *format, ...)
    HS_PRINTF(3, 4);
int hs_vsnprintf(char *out, size_t size, const char *format, va_list args)
    HS_PRINTF(3, 0);
int hs_fprintf(FILE *to, const char *format, ...) HS_PRINTF(2, 3);

#endif
