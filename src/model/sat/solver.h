/* solver.h - clauses: propagation, learning, one solution.
 *
 * Literals are 2 * variable, or 2 * variable + 1 for the negation.  Clauses
 * are watched by two literals; a conflict yields a learned clause (first
 * unique implication point).  Learned clauses follow from the others, so that
 * they never change the set of solutions.
 *
 * hs_sat_solve finds one solution.  A caller that searches on its own (the
 * counter) uses decide, propagate, learn and undo. */
#ifndef HS_MODEL_SAT_SOLVER_H
#define HS_MODEL_SAT_SOLVER_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "base/poll.h"

#define HS_SAT_NONE (-1)

typedef struct hs_sat_watch {
    int clause;  /* where it starts in the arena */
    int blocker; /* a literal of it: if true, the clause need not be read */
} hs_sat_watch;

typedef struct hs_sat_watches {
    hs_sat_watch *at; /* owned, [room] */
    int count, room;
} hs_sat_watches;

typedef struct hs_sat {
    int variables;
    int8_t *value; /* owned, [2 * variables]: 1 true, -1 false */
    int *level;    /* owned, [variables] */
    int *reason;   /* owned, [variables]: a clause, or HS_SAT_NONE */
    int *trail;    /* owned, [variables] */
    int *level_at; /* owned, [variables + 1]: where levels start */
    int assigned, propagated, levels;
    int *arena; /* owned: size, quality, literals, and so on */
    int used, room;
    int learned_at; /* where learned clauses start in the arena */
    int learned, learned_most;
    hs_sat_watches *watches; /* owned, [2 * variables] */
    double *activity;        /* owned, [variables]: of recent conflicts */
    double step;
    bool *is_seen; /* owned, [variables] */
    int *clause;   /* owned, [variables + 1]: being learned */
    int clause_size;
    int64_t conflicts;
    bool is_impossible; /* the clauses contradict each other */
    hiss_status rc;     /* HISS_ENOMEM once memory ran out */
    /* of hs_sat_solve alone */
    bool *phase; /* owned, [variables]: the value to try first */
    int *heap;   /* owned, [variables]: by activity */
    int *place;  /* owned, [variables]: in the heap, or -1 */
    int heaped;
    bool is_solving;
} hs_sat;

hiss_status hs_sat_init(hs_sat *s, int variables, hiss_error *err);
void hs_sat_clear(hs_sat *s);

/* At level 0, before the first learned clause.  Literals may repeat. */
hiss_status hs_sat_add(hs_sat *s, const int *literal, int size,
                       hiss_error *err);

/* Begins a level with a literal that has no value yet. */
void hs_sat_decide(hs_sat *s, int literal);

/* Gives a literal without value its value, at the current level. */
void hs_sat_assign(hs_sat *s, int literal, int reason);

/* A clause that is violated, or HS_SAT_NONE. */
int hs_sat_propagate(hs_sat *s);

/* Adds what follows from a violated clause; returns the literal that it makes
 * true once the current level is undone, with *reason the clause, or
 * HS_SAT_NONE if there is none at level 0. */
int hs_sat_learn(hs_sat *s, int conflict, int *reason);

/* Drops half of the learned clauses once there are many; not between a
 * conflict and its undo. */
void hs_sat_reduce(hs_sat *s);

/* Takes back all levels above this one. */
void hs_sat_undo(hs_sat *s, int level);

typedef enum hs_sat_answer {
    HS_SAT_YES, /* every variable has a value */
    HS_SAT_NO,
    HS_SAT_UNKNOWN, /* conflicts ran out, memory did, or the poll said so */
} hs_sat_answer;

/* From the levels that are there: they are kept, and their literals are
 * assumptions.  The phases say which values are tried first. */
hs_sat_answer hs_sat_solve(hs_sat *s, int64_t conflicts, const hs_poll *poll);

#endif
