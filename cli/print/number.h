/* number.h - parses numbers of the command line strictly. */
#ifndef HISS_CLI_PRINT_NUMBER_H
#define HISS_CLI_PRINT_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

typedef enum cli_number {
    CLI_NUMBER_OK,
    CLI_NUMBER_BAD, /* not a number of this kind */
    CLI_NUMBER_OUT, /* out of range */
} cli_number;

/* Reads digits with an optional sign, or a whole number such as 1e6. */
cli_number cli_number_whole(const char *text, int64_t least, int64_t most,
                            int64_t *out);

/* Reads 60, 60s, 2m, 1.5h as seconds, above 0 and at most `most`. */
cli_number cli_number_seconds(const char *text, double most, double *out);

/* Reads a finite decimal number that is all of text[0 ..  length). */
bool cli_number_real(const char *text, int length, double *out);

#endif
