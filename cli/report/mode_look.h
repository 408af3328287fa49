/* mode_look.h - searches for the modes of a result within a work limit.
 *
 * Draws climb to their optima, few first, then those between them, so that the
 * search can end at any time; a note says what was omitted. */
#ifndef HISS_CLI_REPORT_MODE_LOOK_H
#define HISS_CLI_REPORT_MODE_LOOK_H

#include <hiss/hiss.h>

#include <stdbool.h>

#include "cli/args/option.h"

typedef enum cli_mode_depth {
    CLI_MODES_NO,
    CLI_MODES_QUICK, /* a second, or half of the run's time if that is longer */
    CLI_MODES_FULL,  /* every draw, however long it takes */
} cli_mode_depth;

/* A row of an option table; `place` is the offset of a const char *. */
#define CLI_MODES_OPTION(place)                                                \
  {                                                                            \
    "modes", 0, CLI_TEXT, (place), NULL, 0, 0,                                 \
        "HOW  no, quick or full: look for the modes of the draws not at all, " \
        "for a second, or half of the time of the run if that is longer, or "  \
        "at every draw"                                                        \
  }

/* Reads the word of the option, NULL for the default; prints a message and
 * returns CLI_BAD_CALL for other words. */
int cli_mode_depth_read(const cli_command *command, const char *word,
                        cli_mode_depth usual, cli_mode_depth *out);

typedef struct cli_mode_look {
    const hiss_result *result; /* borrowed, like the next */
    const hiss_model *model;
    const hiss_exact *exact; /* or NULL */
    cli_mode_depth depth;
    double seconds; /* time limit; 0 for none */
    double work;    /* priced seconds of a full search; 0 for no limit */
    bool is_quiet;
    /* results; owned, cli_mode_look_clear */
    hiss_modes *modes; /* or NULL if there are none to show */
    char *note;        /* "from 400 of 3200 draws, time ended", or NULL */
} cli_mode_look;

hiss_status cli_mode_look_make(cli_mode_look *look, hiss_error *err);
void cli_mode_look_clear(cli_mode_look *look);

#endif
