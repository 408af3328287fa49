/* option.h - the table of options of a command.
 *
 * One row serves parsing, default, range, help and manual.  A command is a
 * table of options, a struct for their values, and a function.  Its struct
 * begins with a cli_common, whose options every command accepts.  Accepted
 * forms are --name VALUE, --name=VALUE, -o VALUE, -oVALUE, and --, after which
 * nothing is an option. */
#ifndef HISS_CLI_ARGS_OPTION_H
#define HISS_CLI_ARGS_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/print/fail.h"

#define CLI_WORDS_MAX 16
#define CLI_HUGE      ((int64_t)9007199254740992) /* 2^53 */

typedef enum cli_type {
    CLI_FLAG,    /* bool, no value */
    CLI_INT,     /* int */
    CLI_LONG,    /* int64_t */
    CLI_COUNT,   /* double, a whole number */
    CLI_SECONDS, /* double; 60, 60s, 2m, 1h */
    CLI_TEXT,    /* const char *, borrowed from argv or the table */
} cli_type;

typedef struct cli_option {
    const char *name; /* NULL ends a table */
    char letter;      /* 0 if there is none */
    cli_type type;
    size_t at;            /* offset in the struct of the command */
    const char *standard; /* default as text; NULL for zero */
    int64_t least, most;  /* range of whole numbers */
    const char *help;     /* "VALUE effect", flags without VALUE */
} cli_option;

typedef struct cli_common {
    const char *words[CLI_WORDS_MAX]; /* borrowed: words that are not options */
    int word_count;
    uint64_t given; /* bit r: row r of the command's own table was given */
    int argc;
    char *const *argv; /* borrowed: the whole command line */
    bool json, force, quiet, help;
    const char *format; /* format of the model's file; NULL to detect it */
    const char *evidence, *fix;     /* conditions of the model; or NULL */
    const char *beta, *temperature; /* of the model; or NULL */
    int threads;
    int64_t seed;
    /* for words from a checkpoint instead of the user; or NULL */
    const struct hiss_trust *model_trust, *evidence_trust;
    const char *folder; /* base of relative names; NULL for the working
                           folder */
} cli_common;

extern const cli_option cli_common_options[];

typedef struct cli_command {
    const char *name;
    const char *words; /* "MODEL", for the usage */
    int least_words, most_words;
    const char *summary;      /* half a line */
    const char *about;        /* paragraphs, one per line */
    const char *examples;     /* lines */
    const char *const *names; /* possible words, up to NULL; or NULL */
    const cli_option *options;
    size_t size; /* size of the struct */
    int (*run)(const void *arguments);
    /* The command that these arguments are for; NULL, returned or the function:
     * this one. */
    const struct cli_command *(*meant)(int argc, char *const *argv);
} cli_command;

/* Fills `arguments` (zeroed, command->size bytes) with defaults and argv.  On
 * failure prints the message and returns the exit code, else 0. */
int cli_option_parse(const cli_command *command, int argc, char *const *argv,
                     cli_common *arguments);

bool cli_option_is_given(const cli_command *command,
                         const cli_common *arguments, const char *name);

/* Prints a message, then the usage in one line; returns CLI_BAD_CALL. */
int cli_usage_fail(const cli_command *command, const char *format, ...)
    CLI_PRINTF(2, 3);

#endif
