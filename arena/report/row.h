/* row.h - the cells of a contestant on a target, over its seeds. */
#ifndef HISS_ARENA_REPORT_ROW_H
#define HISS_ARENA_REPORT_ROW_H

#include "arena/run/plan.h"

/* Mean and standard error over seeds; NaN: not known. */
typedef struct arena_figure {
    double mean, se;
} arena_figure;

typedef struct arena_row {
    const arena_entry *entry; /* borrowed, like the texts */
    const char *contestant;
    const char *spec;    /* a sampler's, a command or a file */
    const char *sampler; /* as it was run */
    const char *command, *fault, *verdict, *broken;
    arena_race race;
    bool is_foreign;
    int runs; /* that gave draws */
    arena_figure evals, seconds, ess, energy, discs, marginals, modes, log_z;
    int missed, wrong, over; /* how many runs */
    int judged, trusted, called_wrong;
    int opinion;  /* hiss_opinion of all that were judged, -1: of several */
    int is_exact; /* says of itself; -1: not known */
    int keeps;    /* hiss_verify_verdict; -1: not asked */
    bool is_best; /* of its target and race */
    bool is_tied; /* not surely worse than the best */
} arena_row;

typedef struct arena_table {
    arena_row *rows; /* owned */
    int count;
} arena_table;

/* Rows by target, race and falling ESS, without draws last. */
void arena_table_make(arena_table *table, const arena_plan *plan,
                      const arena_store *store);
void arena_table_clear(arena_table *table);

/* Whether what it drew is wrong: by the truth, in some run. */
bool arena_row_is_wrong(const arena_row *row);
/* Whether it has fewer than ARENA_FEW effective draws, wrong or not. */
#define ARENA_FEW 50.0
bool arena_row_is_poor(const arena_row *row);
/* Whether its draws came from elimination and not from a chain. */
bool arena_row_eliminates(const arena_row *row);

/* A contestant from outside that had no draws anywhere, or, where nobody had
 * any, the first of all; NULL: there is none such. */
const arena_row *arena_table_absent(const arena_table *table);
/* Whether there is any row of a race. */
bool arena_table_has(const arena_table *table, arena_race race);
/* The best row of a target and race that is a chain, or NULL. */
const arena_row *arena_table_best_chain(const arena_table *table,
                                        const arena_entry *e, arena_race race);
/* The best row of a target and race, or NULL. */
const arena_row *arena_table_best(const arena_table *table,
                                  const arena_entry *e, arena_race race);

#endif
