/* catalogue.h - the targets of `hiss arena`, and what they are there for. */
#ifndef HISS_ARENA_RUN_CATALOGUE_H
#define HISS_ARENA_RUN_CATALOGUE_H

#include <stdbool.h>

typedef struct arena_entry {
    const char *name; /* name of a target (targets.h) */
    const char *group;
    const char *title; /* half a line */
    const char *about; /* what it is, and what is hard about it */
    const char *truth; /* how the answers are known */
    const char *model; /* a word for other commands; NULL: arrays only */
    double evals;      /* evaluations of a run of the whole table */
    bool is_quick;     /* also with --quick */
} arena_entry;

extern const arena_entry arena_catalogue[]; /* ends with a row without a name */

const arena_entry *arena_entry_find(const char *name);
bool arena_is_group(const char *name);

#endif
