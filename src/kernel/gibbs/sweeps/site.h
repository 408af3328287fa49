/* site.h - updates of one coordinate at a time, shared by Gibbs and
 * Metropolis.
 *
 * A step visits sites in an order.  The random words of a visit are addressed
 * by its position in the step. */
#ifndef HS_KERNEL_GIBBS_SWEEPS_SITE_H
#define HS_KERNEL_GIBBS_SWEEPS_SITE_H

#include "kernel/kernel.h"

typedef struct hs_site {
    hs_point spare;        /* owned: for models without exact differences */
    hs_float_row *change;  /* owned, [states_max]: differences of U */
    hs_float_row *logits;  /* owned, [states_max] */
    hs_float_row *scratch; /* owned, [states_max] */
    uint32_t (*words)[HS_LANES]; /* owned, [4]: words of this block of
                                    positions */
    uint32_t (*more)[HS_LANES];  /* owned, [4] */
    uint32_t (*tie)[HS_LANES];   /* owned, [4]: words of one position */
} hs_site;

hiss_status hs_site_init(hs_site *s, const hs_model *m, hiss_error *err);
void hs_site_clear(hs_site *s);

/* Writes logits of every value of site i under the tilt, relative to the
 * present value, to s->logits, and differences of U to s->change. */
hiss_status hs_site_logits(hs_site *s, const hs_model *m, const hs_tilt *t,
                           hs_tile *x, int i);

/* Counts the updates of a step: 1/dim of an evaluation each if the model has
 * cheap ones.  Otherwise hs_site_logits counts the states at which U is
 * evaluated. */
void hs_site_count(hs_tile *x, const hs_model *m, int64_t visits);

/* Counts a step of this many updates that was made elsewhere, and marks as
 * valid what such a step leaves valid. */
void hs_site_presume(hs_tile *x, const hs_model *m, int64_t visits);

/* Sets site i to the indices `to` and updates the point. */
void hs_site_move(hs_site *s, const hs_model *m, hs_tile *x, int i,
                  const int16_t *to);

/* Makes the random words of a position, for one purpose. */
void hs_site_words(hs_tile *x, hs_purpose purpose, int64_t position,
                   uint32_t (*block)[HS_LANES], const uint32_t **words);

/* Makes further words of a position, four to s->tie, for a site of many
 * values. */
void hs_site_ties(hs_site *s, const hs_tile *x, const hs_model *m, int i,
                  int64_t position);

/* The site of a position in random order, the same for all chains.  Each update
 * of a given site keeps the distribution, and so does every sequence of sites
 * that does not depend on the states. */
int hs_site_random(const hs_tile *x, const hs_model *m, int64_t position);

/* After single-site updates U, and the model's cache, are sums of increments.
 * These functions compute them afresh, so that rounding does not accumulate:
 * after every step if that is cheap (local models without a cache), otherwise
 * after REFRESH sweeps' worth of visits, counted over all steps (REFRESH steps,
 * if they are shorter than a sweep).  hs_site_mend: after visit `position` of a
 * step of this many visits, within the step.  hs_site_refresh: at the end of a
 * step; also if it was due within the step, so that U is fresh after a long
 * step. */
hiss_status hs_site_mend(const hs_model *m, hs_tile *x, uint64_t steps,
                         int64_t visits, int64_t position);
hiss_status hs_site_refresh(const hs_model *m, hs_tile *x, uint64_t steps,
                            int64_t visits);

#endif
