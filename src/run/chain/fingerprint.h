/* fingerprint.h - identifies a run, so that a checkpoint of another run is
 * refused. */
#ifndef HS_RUN_CHAIN_FINGERPRINT_H
#define HS_RUN_CHAIN_FINGERPRINT_H

#include <stdint.h>

#include <hiss/run.h>
#include <hiss/status.h>

#include "kernel/sampler.h"
#include "model/model.h"

typedef struct hs_fingerprint {
    uint64_t settings; /* sampler, counts, seed, budgets, coordinates, origin */
    uint64_t energies; /* U of sixteen random states, which identifies the
                          model */
} hs_fingerprint;

/* FNV-1a, continued from h. */
uint64_t hs_fingerprint_mix(uint64_t h, const void *from, size_t size);

/* origin describes the source of the model, such as the SHA-256 of its files.
 * It is needed because energies tell little if most states are impossible. */
hiss_status hs_fingerprint_take(hs_fingerprint *out, const hs_model *m,
                                const char *origin, const hs_sampler *sampler,
                                const hiss_settings *set, hiss_error *err);

#endif
