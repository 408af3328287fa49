/* plan.h - which cells are to be run, and how. */
#ifndef HISS_ARENA_RUN_PLAN_H
#define HISS_ARENA_RUN_PLAN_H

#include <stdbool.h>

#include "arena/run/catalogue.h"
#include "arena/run/store.h"
#include "cli/files/folder.h"

typedef struct arena_plan {
    const cli_folder *folder; /* borrowed: of the results */
    const arena_field *field; /* borrowed */
    const char *only;         /* names with commas between; NULL: all */
    bool is_quick;
    int seeds;
    int jobs;        /* runs at a time */
    double seconds;  /* seconds of a run by seconds; 0: as usual */
    double evals;    /* times those of the catalogue; 0: as usual */
    arena_race race; /* ARENA_RACES: both */
    bool is_quiet;
} arena_plan;

/* All names of `only` are known; the exit code, with a message. */
int arena_plan_check(const arena_plan *plan);
bool arena_plan_has_target(const arena_plan *plan, const arena_entry *e);
bool arena_plan_has(const arena_plan *plan, const arena_contestant *c,
                    const arena_entry *e);
arena_budget arena_plan_budget(const arena_plan *plan, const arena_entry *e,
                               int seed, arena_race race);

/* Runs what is not there yet; the exit code. */
int arena_plan_run(const arena_plan *plan, arena_store *store);

#endif
