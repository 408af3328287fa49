/* count.h - exact answers for tables with zeros, by counting.
 *
 * Zeros become clauses (model/sat/code.h).  The search chooses a variable,
 * tries both values, propagates, splits the rest into parts that share no
 * variable, and counts each. A cache finds parts that were counted before. The
 * result is a graph of parts (nodes.h), which gives log Z, marginals, a most
 * probable state, the number of solutions as an integer, and independent draws.
 *
 * Sang, Bacchus, Beame, Kautz & Pitassi 2004; Thurley 2006 (sharpSAT); Korhonen
 * & Jarvisalo 2021 (the order by a tree decomposition). */
#ifndef HS_EXACT_COUNT_COUNT_H
#define HS_EXACT_COUNT_COUNT_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "base/poll.h"
#include "base/random/rng.h"
#include "model/factors.h"

typedef struct hs_count hs_count;

typedef struct hs_count_limits {
    double bytes;        /* bytes of memory; 0 means a quarter of the
                            machine's */
    double work;         /* literals assigned and visited; 0 means no limit */
    double give_up;      /* give up early if the whole seems to take this many
                            times the limits; 0: never */
    double *seconds;     /* set when it gives up: estimated time of the whole;
                            borrowed, may be NULL */
    const double *depth; /* borrowed, [dim], 0 to 1: coordinates of small depth
                            are chosen first; NULL for no preference */
    double width;        /* log2 of the largest table of the elimination order
                            with these depths */
    double *done;        /* counted share; borrowed, may be NULL */
    const hs_poll *poll; /* borrowed, or NULL */
} hs_count_limits;

/* is_shown: the coordinates to project on, [dim], or NULL for all.  A state of
 * the shown coordinates counts if some state of the others completes it; then
 * tables of several values may have only zeros as different entries.
 * HISS_ELIMIT past the limit of work or for too large tables, HISS_ENOMEM past
 * the limit of memory, HISS_EINFEASIBLE if every state has probability 0,
 * HISS_ESTOP. */
hiss_status hs_count_create(hs_count **out, const hs_factors *f,
                            const bool *is_shown, const hs_count_limits *limits,
                            hiss_error *err);
void hs_count_destroy(hs_count *c);

double hs_count_log_z(const hs_count *c);
double hs_count_bytes(const hs_count *c);
int64_t hs_count_nodes(const hs_count *c);
/* Number of literals assigned and visited. */
double hs_count_work(const hs_count *c);
/* Most choices of a draw. */
double hs_count_choices(const hs_count *c);

/* Whether all possible states are equally probable. */
bool hs_count_is_uniform(const hs_count *c);

/* The number of solutions of a uniform model in decimal digits; free it by
 * hs_free. */
hiss_status hs_count_digits(char **out, const hs_count *c, hiss_error *err);

typedef struct hs_count_answers {
    int *first;       /* owned, [dim + 1]: start of each coordinate's
                         marginals */
    double *marginal; /* owned, [first[dim]] */
    int16_t *best;    /* owned, [dim]: a most probable state */
    double max_u, mean_u;
} hs_count_answers;

hiss_status hs_count_answer(hs_count_answers *out, const hs_count *c,
                            const hs_poll *poll, hiss_error *err);
void hs_count_answers_clear(hs_count_answers *a);

/* Scratch for draws; one for each thread. */
typedef struct hs_count_walk {
    int32_t *stack; /* owned */
} hs_count_walk;

hiss_status hs_count_walk_init(hs_count_walk *w, const hs_count *c,
                               hiss_error *err);
void hs_count_walk_clear(hs_count_walk *w);

/* Draws independently into lane `lane` of x, by the random words of its
 * address; hidden coordinates get values that complete the state. */
void hs_count_draw(const hs_count *c, hs_count_walk *w, const hs_rng *rng,
                   int lane, int16_t (*x)[HS_LANES]);

#endif
