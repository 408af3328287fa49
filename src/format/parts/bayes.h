/* bayes.h - a Bayes net while it is read: BIF, XMLBIF and Hugin's NET.
 *
 * Variables and states have names.  Every variable has one table: the
 * probabilities of its states given those of its parents.  Rows that miss a
 * sum of 1 by rounding are scaled, with a remark; others are refused. */
#ifndef HS_FORMAT_PARTS_BAYES_H
#define HS_FORMAT_PARTS_BAYES_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "base/grammar/words.h"
#include "base/read/reader.h"
#include "format/problem/problem.h"

/* Largest difference of a row's sum from 1. */
#define HS_BAYES_TOLERANCE 0.02

typedef struct hs_bayes_table {
    int size;   /* of the scope */
    int *scope; /* owned, [size]: parents, then the child; the last fastest */
    int heads;  /* how many of the last are no parents; 1 but for joint ones */
    int64_t entries;
    double *entry; /* owned, [entries]; NaN where none was given */
    hs_place place;
} hs_bayes_table;

typedef struct hs_bayes {
    hs_reader *in; /* borrowed: for messages */
    hs_words names;
    hs_words *states; /* owned, [room] */
    bool *has_table;  /* owned, [room] */
    int room;
    hs_bayes_table *table; /* owned */
    int64_t tables, tables_room;
    int64_t entries; /* of all tables */
    int scope[64];   /* of the table that is read, in the file's order */
    int size;
} hs_bayes;

void hs_bayes_clear(hs_bayes *b);

/* A new variable; where is for messages. */
hiss_status hs_bayes_variable(hs_bayes *b, const char *name,
                              const hs_place *where, int *variable,
                              hiss_error *err);
hiss_status hs_bayes_state(hs_bayes *b, int variable, const char *name,
                           const hs_place *where, hiss_error *err);

/* The number of a variable, or of a state of one, that must be there. */
hiss_status hs_bayes_find(const hs_bayes *b, const char *name,
                          const hs_place *where, int *variable,
                          hiss_error *err);
hiss_status hs_bayes_find_state(const hs_bayes *b, int variable,
                                const char *name, const hs_place *where,
                                int *state, hiss_error *err);

/* Adds a variable to b->scope, which the caller empties (size = 0). */
hiss_status hs_bayes_scope(hs_bayes *b, int variable, const hs_place *where,
                           hiss_error *err);
/* A table over b->scope, parents first, of which the last `heads` are none. */
hiss_status hs_bayes_table_add(hs_bayes *b, int heads, const hs_place *where,
                               hs_bayes_table **out, hiss_error *err);

/* Makes a problem of all; the readers call it at the end. */
hiss_status hs_bayes_finish(hs_bayes *b, hs_problem *out, hiss_error *err);

#endif
