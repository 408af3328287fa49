/* store.h - kept draws in memory: values as [chain][draw][coordinate].
 *
 * Values are int8 if all are small whole numbers, int16 if whole, else float.
 * An open-ended run keeps at most `capacity` draws per chain.  When it is full,
 * every second draw is dropped and the thinning doubles, by the step count
 * alone, so that it is reproducible.  At the end it may be half full.  So it
 * has room for several times the final number (HS_STORE_SPARE), from which the
 * smallest spacing that fits is taken at the end. */
#ifndef HS_RUN_CHAIN_STORE_H
#define HS_RUN_CHAIN_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/result.h>
#include <hiss/status.h>

#include "base/state/domain.h"
#include "run/chain/blob.h"

typedef struct hs_store {
    const hs_domain *domain; /* borrowed while running */
    int dim;
    int chains;
    int64_t capacity;
    hiss_element element;
    /* owned, from base/read/bulk.h with its size */
    void *draws;
    double *lp;    /* [chain][draw] */
    float *accept; /* [chain][draw]: acceptance since the last one */
    size_t mapped, lp_mapped, accept_mapped;
    /* of a view (hs_store_turn), else NULL: [coordinate][chain][draw] */
    const void *turned;
    int64_t turned_draws;
} hs_store;

/* A store of more than `most` bytes is an unnamed file. */
hiss_status hs_store_init(hs_store *s, const hs_domain *d, int chains,
                          int64_t capacity, double most, hiss_error *err);
void hs_store_clear(hs_store *s);

/* Number of draws that fit into about `bytes`, between 16 and `most`. */
int64_t hs_store_capacity(const hs_domain *d, int chains, double bytes,
                          int64_t most);

/* Draws that a run of unknown length has room for, of which `most` remain: up
 * to HS_STORE_SPARE times as many, if that is little memory. */
#define HS_STORE_SPARE 8
int64_t hs_store_room(const hs_domain *d, int chains, int64_t most);

/* Stores lane `lane` of the states x as draw `draw` of a chain. */
void hs_store_put(hs_store *s, int chain, int64_t draw, const int16_t (*x)[16],
                  int lane, double u, float accept);

/* The same from a packed state: value i is in word[i / (32 / bits) * apart],
 * from bit i % (32 / bits) * bits on. */
void hs_store_put_packed(hs_store *s, int chain, int64_t draw,
                         const uint32_t *word, int64_t apart, int bits,
                         double u, float accept);

/* The same without the state, which another process has: all bytes 0. */
void hs_store_put_numbers(hs_store *s, int chain, int64_t draw, double u,
                          float accept);

/* Keeps every n-th of the first `count` draws of a chain as its first ones:
 * with 2, draws 1, 3, 5, ... */
void hs_store_thin(hs_store *s, int chain, int64_t count, int64_t every);

/* Returns the bytes of a draw, hs_store_row_bytes of them. */
void *hs_store_row(const hs_store *s, int chain, int64_t draw);
size_t hs_store_row_bytes(const hs_store *s);

/* Writes the values of coordinate i as doubles, [chain][draw] for the first n
 * draws. */
void hs_store_column(const hs_store *s, int64_t n, int i, double *out);

/* Makes a view of s whose columns of the first n draws are fast to read, unless
 * that takes more than `most` bytes.  End it by hs_store_unturn before s
 * ends. */
hiss_status hs_store_turn(hs_store *view, const hs_store *s, int64_t n,
                          double most, hiss_error *err);
void hs_store_unturn(hs_store *view);

/* Writes the values of one draw; the same as indices, `values` is room. */
void hs_store_draw(const hs_store *s, int chain, int64_t draw, double *out);
void hs_store_state(const hs_store *s, const hs_domain *d, int chain,
                    int64_t draw, double *values, int16_t *state);

/* Serialize draws from ..  to-1 of a chain, and load them. */
size_t hs_store_bytes(const hs_store *s, int64_t from, int64_t to);
void hs_store_save(const hs_store *s, int chain, int64_t from, int64_t to,
                   hs_blob *out);
void hs_store_load(hs_store *s, int chain, int64_t from, int64_t to,
                   hs_blob *in);

/* Packs each chain to its first n draws; capacity becomes n. */
void hs_store_shrink(hs_store *s, int64_t n);
/* Frees the unused part of blocks that were made for `old` draws of a chain;
 * draws may move. */
void hs_store_give_back(hs_store *s, int64_t old);

#endif
