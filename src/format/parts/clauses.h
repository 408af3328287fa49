/* clauses.h - clauses of literals to factors: what cnf and wcnf share. */
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
    bool is_fixed;       /* the file announced dim */
    int64_t count, room; /* clauses */
    double *weight;      /* owned, [room]; +infinity: must be satisfied */
    int64_t *start;      /* owned, [room + 1] */
    int *literal;        /* owned: +-(variable + 1) */
    bool *is_parity; /* owned, [room]: an odd number of literals must hold */
    int64_t literal_room;
    int64_t always;  /* clauses that hold whatever the state is */
    int64_t never;   /* empty ones */
    double soft;     /* sum of the finite weights */
    int64_t entries; /* of the tables */
} hs_clauses;

void hs_clauses_clear(hs_clauses *c);

/* The literals of one clause, up to its 0. */
hiss_status hs_clauses_read(hs_clauses *c, hs_reader *in, double weight,
                            hiss_error *err);

/* The same: an odd number of them must hold. */
hiss_status hs_clauses_read_parity(hs_clauses *c, hs_reader *in,
                                   hiss_error *err);

/* A factor exp(weight) for a clause that is satisfied, 1 for one that is not;
 * 0 for a hard one that is not, or, with a hard weight, exp(-hard).  The
 * objective is the weight that is satisfied. */
hiss_status hs_clauses_finish(hs_clauses *c, hs_problem *out, double hard,
                              hiss_error *err);

#endif
