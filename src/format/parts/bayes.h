/* bayes.h - builds a Bayes net from a BIF, XMLBIF or Hugin NET file.
 *
 * Variables and states have names.  Every variable has one table: the
 * probabilities of its states given those of its parents.  Rows whose sum
 * differs from 1 by rounding are scaled, with a remark; other rows are
 * refused. */
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
    int size;   /* size of the scope */
    int *scope; /* owned, [size]: parents, then the child; the last fastest */
    int heads;  /* number of variables at the end that are not parents; 1 except
                   for joint tables */
    int64_t entries;
    double *entry; /* owned, [entries]; NaN if missing */
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
    int64_t entries; /* entries of all tables */
    int scope[64];   /* scope of the present table, in the file's order */
    int size;
} hs_bayes;

void hs_bayes_clear(hs_bayes *b);

/* Adds a variable; where is for messages. */
hiss_status hs_bayes_variable(hs_bayes *b, const char *name,
                              const hs_place *where, int *variable,
                              hiss_error *err);
hiss_status hs_bayes_state(hs_bayes *b, int variable, const char *name,
                           const hs_place *where, hiss_error *err);

/* Returns the number of an existing variable, or of one of its states. */
hiss_status hs_bayes_find(const hs_bayes *b, const char *name,
                          const hs_place *where, int *variable,
                          hiss_error *err);
hiss_status hs_bayes_find_state(const hs_bayes *b, int variable,
                                const char *name, const hs_place *where,
                                int *state, hiss_error *err);

/* Adds a variable to b->scope, which the caller empties (size = 0). */
hiss_status hs_bayes_scope(hs_bayes *b, int variable, const hs_place *where,
                           hiss_error *err);
/* Adds a table over b->scope, parents first; the last `heads` variables are not
 * parents. */
hiss_status hs_bayes_table_add(hs_bayes *b, int heads, const hs_place *where,
                               hs_bayes_table **out, hiss_error *err);

/* Makes a problem of everything; readers call it at the end. */
hiss_status hs_bayes_finish(hs_bayes *b, hs_problem *out, hiss_error *err);

#endif
