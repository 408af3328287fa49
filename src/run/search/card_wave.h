/* card_wave.h - batches of a search whose steps a GPU makes, side by side.
 *
 * All begin together and are what they are one by one on the processor
 * (anneal.h): their numbers decide what they draw.  Climbs and what is bred are
 * made here, when a batch needs them. */
#ifndef HS_RUN_SEARCH_CARD_WAVE_H
#define HS_RUN_SEARCH_CARD_WAVE_H

#include <stdbool.h>

#include <hiss/status.h>

#include "base/pool.h"
#include "device/device.h"
#include "run/search/anneal.h"

#define HS_CARD_WAVE 512 /* batches at most */

/* The GPU and the caller's functions. */
typedef struct hs_card_wave {
    const hs_device_table *device; /* borrowed, as are the others */
    int card;
    hs_pool *pool;
    void *context;
    /* A batch has made its last step; what was found is in it. */
    hiss_status (*done)(void *context, int batch, hiss_error *err);
    /* Between two steps, now and then: whether to go on. */
    bool (*go_on)(void *context);
    /* Whether a batch need still go on. */
    bool (*is_wanted)(void *context, int batch);
} hs_card_wave;

/* HISS_EUNSUP: no GPU can cool this kernel on this model, and why. */
hiss_status hs_card_wave_check(const hs_model *m, const hs_sampler *kernel,
                               hiss_error *err);

/* `count` batches that were begun, to their ends.  is_cut[n]: batch n was not
 * done when go_on said no; what it had found is in it. */
hiss_status hs_card_wave_run(const hs_card_wave *w, hs_anneal *const *batch,
                             int count, bool *is_cut, hiss_error *err);

#endif
