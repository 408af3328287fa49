/* counter.h - the counting search, and declarations shared by its files. */
#ifndef HS_EXACT_COUNT_COUNTER_H
#define HS_EXACT_COUNT_COUNTER_H

#include "exact/count/count.h"
#include "exact/count/nodes.h"
#include "exact/count/weights.h"
#include "model/sat/code.h"
#include "model/sat/solver.h"

/* A stack of integers; zero-initialized. */
typedef struct hs_stack {
    int *at; /* owned */
    int64_t count, room;
} hs_stack;

/* A connected set of variables, in counter->pool. */
typedef struct hs_count_part {
    int64_t begin, end;
    hs_key key;
} hs_count_part;

/* An occurrence of a variable in a clause of three or more literals. */
typedef struct hs_occurrences {
    int64_t *at;      /* owned, [variables + 1] */
    int *clause;      /* owned */
    int64_t *pair_at; /* owned, [2 * variables + 1]: by literal */
    int *pair;        /* owned: the other literal of each binary clause */
} hs_occurrences;

typedef struct hs_count_search {
    const hs_factors *f;  /* borrowed */
    const bool *is_shown; /* borrowed, or NULL */
    hs_code code;         /* owned */
    hs_weights weights;   /* owned */
    hs_sat sat;           /* owned */
    hs_nodes nodes;       /* owned */
    hs_occurrences uses;  /* owned */
    double *bonus;        /* owned, [variables]: bonus by an order of
                             elimination */
    hs_stack pool;        /* variables of parts */
    hs_stack list;        /* lists of unfinished branches */
    hs_count_part *part;  /* owned: parts to be counted */
    int64_t parts, part_room;
    uint64_t now;                      /* stamp of the latest split */
    uint64_t *seen;                    /* owned, [variables] */
    uint64_t *clause_seen, *soft_seen; /* owned */
    uint64_t serial;                   /* number of the latest part */
    uint64_t *owner; /* owned, [variables]: number of the variable's part */
    double *score;   /* owned, [variables]: number of uses */
    hs_key *random;  /* owned, [variables + clauses] */
    int depth;
    double work, work_limit, bytes_limit, give_up;
    double done; /* finished share of the search, by halves and numbers of
                    parts */
    double *tell, *tell_seconds; /* borrowed, or NULL: outputs for the caller */
    int64_t asked;
    const hs_poll *poll; /* borrowed, or NULL */
    hiss_status rc;
    hiss_error *err; /* borrowed */
} hs_count_search;

bool hs_stack_push(hs_stack *s, int value);

/* --- parts.c -------------------------------------------------------------- */

/* Splits the unassigned variables from begin to end of the pool.  Adds parts to
 * counter->part, and unconstrained variables to counter->list.  False if memory
 * ran out. */
bool hs_parts_find(hs_count_search *c, int64_t begin, int64_t end);

/* ln of the weight of a soft table, NaN while it is open.  With `serial`,
 * variables of that part count as unassigned. */
double hs_parts_soft(const hs_count_search *c, int soft, uint64_t serial,
                     int64_t *at);

/* --- search.c ------------------------------------------------------------- */

/* Counts everything; the last node is the root, with one branch. */
hiss_status hs_search(hs_count_search *c);

#endif
