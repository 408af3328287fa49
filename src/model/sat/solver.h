/* solver.h - clauses: propagation, learning, one solution.
 *
 * Literals are 2 * variable, or 2 * variable + 1 for the negation.  Two
 * literals of a clause are watched.  A conflict yields a learned clause (first
 * unique implication point).  Learned clauses follow from the others and never
 * change the set of solutions.
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
    int clause;  /* its start in the arena */
    int blocker; /* one of its literals: if true, the clause need not be read */
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
    int *level_at; /* owned, [variables + 1]: starts of the levels */
    int assigned, propagated, levels;
    int *arena; /* owned: size, quality, literals, and so on */
    int used, room;
    int learned_at; /* start of learned clauses in the arena */
    int learned, learned_most;
    hs_sat_watches *watches; /* owned, [2 * variables] */
    double *activity;        /* owned, [variables]: in recent conflicts */
    double step;
    bool *is_seen; /* owned, [variables] */
    int *clause;   /* owned, [variables + 1]: the clause being learned */
    int clause_size;
    int64_t conflicts;
    bool is_impossible; /* the clauses are contradictory */
    hiss_status rc;     /* HISS_ENOMEM after memory ran out */
    /* used by hs_sat_solve alone */
    bool *phase; /* owned, [variables]: value to try first */
    int *heap;   /* owned, [variables]: by activity */
    int *place;  /* owned, [variables]: position in the heap, or -1 */
    int heaped;
    bool is_solving;
} hs_sat;

hiss_status hs_sat_init(hs_sat *s, int variables, hiss_error *err);
void hs_sat_clear(hs_sat *s);

/* Adds a clause, at level 0 and before the first learned one.  Literals may
 * repeat. */
hiss_status hs_sat_add(hs_sat *s, const int *literal, int size,
                       hiss_error *err);

/* Begins a level with an unassigned literal. */
void hs_sat_decide(hs_sat *s, int literal);

/* Assigns an unassigned literal at the current level. */
void hs_sat_assign(hs_sat *s, int literal, int reason);

/* Returns a violated clause, or HS_SAT_NONE. */
int hs_sat_propagate(hs_sat *s);

/* Learns from a violated clause.  Returns the literal that becomes true when
 * the current level is undone, and the clause in *reason; HS_SAT_NONE at level
 * 0. */
int hs_sat_learn(hs_sat *s, int conflict, int *reason);

/* Drops half of the learned clauses if there are many; not between a conflict
 * and its undo. */
void hs_sat_reduce(hs_sat *s);

/* Undoes all levels above this one. */
void hs_sat_undo(hs_sat *s, int level);

typedef enum hs_sat_answer {
    HS_SAT_YES, /* every variable has a value */
    HS_SAT_NO,
    HS_SAT_UNKNOWN, /* out of conflicts or memory, or stopped by the poll */
} hs_sat_answer;

/* Starts from the present levels, which stay as assumptions.  The phases are
 * the values to try first. */
hs_sat_answer hs_sat_solve(hs_sat *s, int64_t conflicts, const hs_poll *poll);

#endif
