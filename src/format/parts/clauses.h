/* clauses.h - converts clauses of literals to factors, for cnf and wcnf. */
#ifndef HS_FORMAT_PARTS_CLAUSES_H
#define HS_FORMAT_PARTS_CLAUSES_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "base/read/reader.h"
#include "format/problem/problem.h"

/* A clause is a table of 2^literals entries. */
#define HS_CLAUSE_MAX 20

typedef struct hs_clauses {
    int dim;             /* variables; grows with the literals if !is_fixed */
    bool is_fixed;       /* dim comes from the file */
    int64_t count, room; /* clauses */
    double *weight;      /* owned, [room]; +infinity for hard clauses */
    int64_t *start;      /* owned, [room + 1] */
    int *literal;        /* owned: +-(variable + 1) */
    bool *is_parity; /* owned, [room]: whether an odd number of literals must
                        hold */
    int64_t literal_room;
    int64_t always;  /* clauses that hold in every state */
    int64_t never;   /* empty ones */
    double soft;     /* sum of the finite weights */
    int64_t entries; /* entries of the tables */
} hs_clauses;

void hs_clauses_clear(hs_clauses *c);

/* Reads the literals of one clause, up to its 0. */
hiss_status hs_clauses_read(hs_clauses *c, hs_reader *in, double weight,
                            hiss_error *err);

/* Reads an XOR: an odd number of its literals must hold. */
hiss_status hs_clauses_read_parity(hs_clauses *c, hs_reader *in,
                                   hiss_error *err);

/* Makes factors: exp(weight) for a satisfied clause, else 1; for a violated
 * hard clause 0 or, with a hard weight, exp(-hard).  The objective is the
 * satisfied weight. */
hiss_status hs_clauses_finish(hs_clauses *c, hs_problem *out, double hard,
                              hiss_error *err);

#endif
