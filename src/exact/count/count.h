/* count.h - ground truth for tables with zeros, by counting.
 *
 * Zeros become clauses (model/sat/code.h).  The search chooses a variable,
 * tries both values, propagates, splits what is left into parts that share no
 * variable, and counts each; a part that was counted before is found again.
 * The result is a graph of parts (nodes.h) from which everything follows:
 * log Z, marginals, a most probable state, the number of solutions as an
 * integer, and independent draws.
 *
 * Sang, Bacchus, Beame, Kautz & Pitassi 2004; Thurley 2006 (sharpSAT);
 * Korhonen & Jarvisalo 2021 (the order by a tree decomposition). */
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
    double bytes;        /* of memory; 0: a quarter of the machine's */
    double work;         /* literals assigned and visited; 0: no limit */
    double give_up;      /* give up early if all of it seems to take so many
                            times the limits; 0: never */
    double *seconds;     /* how long all of it may take, when it is given up;
                            borrowed, may be NULL */
    const double *depth; /* borrowed, [dim], 0 to 1: coordinates of small depth
                            are chosen first; NULL: no matter */
    double width;        /* binary digits of the largest table of an order of
                            elimination that has these depths */
    double *done;        /* share that is counted; borrowed, may be NULL */
    const hs_poll *poll; /* borrowed; NULL: never asked */
} hs_count_limits;

/* is_shown: coordinates to project on, [dim]; NULL: all.  Then the states of
 * the shown coordinates count that some state of the others completes, and
 * tables of several values may have zeros only.
 * HISS_ELIMIT past the limit of work or where tables are too large,
 * HISS_ENOMEM past the limit of memory, HISS_EINFEASIBLE when every state has
 * probability 0, HISS_ESTOP. */
hiss_status hs_count_create(hs_count **out, const hs_factors *f,
                            const bool *is_shown, const hs_count_limits *limits,
                            hiss_error *err);
void hs_count_destroy(hs_count *c);

double hs_count_log_z(const hs_count *c);
double hs_count_bytes(const hs_count *c);
int64_t hs_count_nodes(const hs_count *c);
/* Literals assigned and visited. */
double hs_count_work(const hs_count *c);
/* Choices of a draw, at most. */
double hs_count_choices(const hs_count *c);

/* Whether all possible states are equally probable. */
bool hs_count_is_uniform(const hs_count *c);

/* The number of solutions of a uniform model in decimal digits; free it by
 * hs_free. */
hiss_status hs_count_digits(char **out, const hs_count *c, hiss_error *err);

typedef struct hs_count_answers {
    int *first;       /* owned, [dim + 1]: of the marginals of a coordinate */
    double *marginal; /* owned, [first[dim]] */
    int16_t *best;    /* owned, [dim]: a most probable state */
    double max_u, mean_u;
} hs_count_answers;

hiss_status hs_count_answer(hs_count_answers *out, const hs_count *c,
                            const hs_poll *poll, hiss_error *err);
void hs_count_answers_clear(hs_count_answers *a);

/* Room for draws; one for each thread. */
typedef struct hs_count_walk {
    int32_t *stack; /* owned */
} hs_count_walk;

hiss_status hs_count_walk_init(hs_count_walk *w, const hs_count *c,
                               hiss_error *err);
void hs_count_walk_clear(hs_count_walk *w);

/* An independent draw in lane `lane` of x, by the random words of its address;
 * hidden coordinates get values that complete it. */
void hs_count_draw(const hs_count *c, hs_count_walk *w, const hs_rng *rng,
                   int lane, int16_t (*x)[HS_LANES]);

#endif
