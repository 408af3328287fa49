/* folder.h - the output folder: made, known as ours, locked, written to.
 *
 * A folder is ours when it has a state.json; an empty or a missing one becomes
 * ours.  Files appear under their names only when they are whole. */
#ifndef HISS_PAPER_SUPPORT_FOLDER_H
#define HISS_PAPER_SUPPORT_FOLDER_H

#include <stdbool.h>

#include "cli/print/fail.h"

#define PAPER_STATE   "state.json"
#define PAPER_RESULTS "results.json"
#define PAPER_REPORT  "report.html"
#define PAPER_DATA    "data"    /* figures as numbers and gnuplot scripts */
#define PAPER_FIGURES "figures" /* the same as SVG */

typedef struct paper_folder {
    char *path; /* owned */
    int lock;   /* descriptor that holds the lock */
} paper_folder;

/* CLI_DONE, or prints the message and returns its code: CLI_BAD_CALL for a
 * folder in use, not a folder, or with other things in it (unless is_forced),
 * CLI_FAULT when it cannot be made or written to. */
int paper_folder_open(paper_folder *folder, const char *path, bool is_forced);
void paper_folder_close(paper_folder *folder);

/* path/name; free() it. */
char *paper_folder_file(const paper_folder *folder, const char *format, ...)
    CLI_PRINTF(2, 3);

/* Writes a whole file: temporary, fsync, rename. */
int paper_folder_write(const paper_folder *folder, const char *name,
                       const char *text);

#endif
