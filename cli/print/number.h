/* number.h - numbers of the command line, read strictly. */
#ifndef HISS_CLI_PRINT_NUMBER_H
#define HISS_CLI_PRINT_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

typedef enum cli_number {
    CLI_NUMBER_OK,
    CLI_NUMBER_BAD, /* not such a number at all */
    CLI_NUMBER_OUT, /* out of range */
} cli_number;

/* Digits with an optional sign, or a whole number such as 1e6. */
cli_number cli_number_whole(const char *text, int64_t least, int64_t most,
                            int64_t *out);

/* 60, 60s, 2m, 1.5h: seconds, above 0 and at most `most`. */
cli_number cli_number_seconds(const char *text, double most, double *out);

/* A finite decimal number that takes up all of text[0 .. length). */
bool cli_number_real(const char *text, int length, double *out);

#endif
