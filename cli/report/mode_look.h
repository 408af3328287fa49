/* mode_look.h - searches for the modes of a result within a work limit.
 *
 * Draws are ascended to their optima, few first, then those between them, so
 * that it can be ended at any time; the report says in words what was left
 * out. */
#ifndef HISS_CLI_REPORT_MODE_LOOK_H
#define HISS_CLI_REPORT_MODE_LOOK_H

#include <hiss/hiss.h>

#include <stdbool.h>

#include "cli/args/option.h"

typedef enum cli_mode_depth {
    CLI_MODES_NO,
    CLI_MODES_QUICK, /* a second, or half of the time of the run if longer */
    CLI_MODES_FULL,  /* every draw, however long it takes */
} cli_mode_depth;

/* The row of a table; `place` is that of a const char *. */
#define CLI_MODES_OPTION(place)                                                \
  {                                                                            \
    "modes", 0, CLI_TEXT, (place), NULL, 0, 0,                                 \
        "HOW  no, quick or full: look for the modes of the draws not at all, " \
        "for a second, or half of the time of the run if that is longer, or "  \
        "at every draw"                                                        \
  }

/* The word of the option, NULL: usual; a message and CLI_BAD_CALL if it is
 * none of them. */
int cli_mode_depth_read(const cli_command *command, const char *word,
                        cli_mode_depth usual, cli_mode_depth *out);

typedef struct cli_mode_look {
    const hiss_result *result; /* borrowed, as are the next */
    const hiss_model *model;
    const hiss_exact *exact; /* or NULL */
    cli_mode_depth depth;
    double seconds; /* a hard stop; 0: none */
    double work;    /* priced seconds of a full look; 0: no limit */
    bool is_quiet;
    /* results; owned, cli_mode_look_clear */
    hiss_modes *modes; /* or NULL: there are none to show */
    char *note;        /* "from 400 of 3200 draws, time ended", or NULL */
} cli_mode_look;

hiss_status cli_mode_look_make(cli_mode_look *look, hiss_error *err);
void cli_mode_look_clear(cli_mode_look *look);

#endif
