/* card_wave.h - batches of a search side by side, with steps by a GPU.
 *
 * All begin together and give the same results as one by one on the processor
 * (anneal.h): their numbers determine the draws.  Climbing and breeding happen
 * here, when a batch needs them. */
#ifndef HS_RUN_SEARCH_CARD_WAVE_H
#define HS_RUN_SEARCH_CARD_WAVE_H

#include <stdbool.h>

#include <hiss/status.h>

#include "base/pool.h"
#include "device/device.h"
#include "run/search/anneal.h"

#define HS_CARD_WAVE 512 /* most batches */

/* The GPU and the caller's functions. */
typedef struct hs_card_wave {
    const hs_device_table *device; /* borrowed, like the others */
    int card;
    hs_pool *pool;
    void *context;
    /* Called when a batch has made its last step; it has the result. */
    hiss_status (*done)(void *context, int batch, hiss_error *err);
    /* Called now and then between two steps: whether to go on. */
    bool (*go_on)(void *context);
    /* Whether a batch is still needed. */
    bool (*is_wanted)(void *context, int batch);
} hs_card_wave;

/* HISS_EUNSUP, with the reason, if no GPU can cool this kernel on this
 * model. */
hiss_status hs_card_wave_check(const hs_model *m, const hs_sampler *kernel,
                               hiss_error *err);

/* Runs `count` begun batches to their ends.  is_cut[n]: batch n was not done
 * when go_on returned false; it has the results so far. */
hiss_status hs_card_wave_run(const hs_card_wave *w, hs_anneal *const *batch,
                             int count, bool *is_cut, hiss_error *err);

#endif
