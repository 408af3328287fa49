/* report.h - the ways to show what the arena found. */
#ifndef HISS_ARENA_REPORT_REPORT_H
#define HISS_ARENA_REPORT_REPORT_H

#include <stdio.h>

#include "arena/report/row.h"
#include "cli/print/json.h"

typedef struct arena_report {
    const arena_plan *plan;   /* borrowed */
    const arena_store *store; /* borrowed */
    arena_table table;        /* owned by whoever made it */
    const char *command;      /* that was given, for the page */
} arena_report;

/* A target of the catalogue; to be released. */
json_t *arena_entry_json(const arena_entry *e);
/* {version, command, targets[], rows[]}; to be released. */
json_t *arena_report_json(const arena_report *r);
/* One line per row. */
void arena_report_csv(const arena_report *r, FILE *to);
/* Who is best where, on stdout. */
void arena_report_text(const arena_report *r);

/* The page. */
void arena_report_page(const arena_report *r, FILE *to);

/* What became of a row, in a word or two: "right", "wrong", ... */
const char *arena_row_state(const arena_row *row);
/* What `hiss diagnose` said of its runs: "trusted", "2 of 3 trusted", ... or
 * "-"; free() it. */
char *arena_row_opinion(const arena_row *row);

#endif
