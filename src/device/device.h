/* device.h - the interface of a plug-in that runs tiles on GPUs.
 *
 * The library has no CUDA code. A separate shared library has it, with one
 * entry, hs_device_entry, that returns this table. It is loaded by dlopen when
 * a device is requested (open.c).
 *
 * A *device group* holds the lanes of many tiles in the memory of a GPU: their
 * states in the order of a tile, x[tile][coordinate][lane].  The runner's tiles
 * mirror it: the runner writes changes, requests steps, and reads results.
 * Draws are those of the processor, bit for bit. */
#ifndef HS_DEVICE_DEVICE_H
#define HS_DEVICE_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include <hiss/status.h>

#include "base/lane.h"
#include "device/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Increase it with every change of a struct that both sides use. */
#define HS_DEVICE_ABI   4
#define HS_DEVICE_ENTRY "hs_device_entry"

#define HS_DEVICE_NAME 256

typedef struct hs_device_card {
    char name[HS_DEVICE_NAME];
    double bytes, free; /* of its memory */
    int processors;
} hs_device_card;

/* Numbers per lane that are transferred as a whole. */
enum {
    HS_DEVICE_ENERGIES = 1, /* written: U of the states; otherwise the GPU
                              computes it */
    HS_DEVICE_LEVELS = 2,   /* beta, weight, and data of levels */
    HS_DEVICE_CHANGED = 4,  /* read only, then cleared: changes and counts */
    HS_DEVICE_NAMES = 8,    /* write only: chain and replica */
    HS_DEVICE_BEST = 16,    /* best and hit */
    HS_DEVICE_TUNED = 32    /* read only: columns, in a pilot */
};

/* Which states: the present ones of the lanes, or the best ones. */
typedef enum hs_device_states {
    HS_DEVICE_PRESENT,
    HS_DEVICE_BEST_ONES
} hs_device_states;

/* States pass through x, in rows of [tiles][dim], as many at a time as fit. */
#define HS_DEVICE_ROOM (1 << 21)

/* The arrays belong to the group and allow fast copies. */
typedef struct hs_device_lanes {
    int16_t (*x)[HS_LANES]; /* [tiles][dim], here [rows] */
    int64_t rows;
    double (*u)[HS_LANES]; /* [tiles], as the others are */
    float (*beta)[HS_LANES];
    /* For marginals: 1 or 0.  For a search: 1 or 0, whether better states are
     * kept; -1 if the lane is not in use. */
    float (*weight)[HS_LANES];
    /* [nodes][tiles]: visits that changed x, or accepted proposals */
    double (*changed)[HS_LANES];
    double (*column)[HS_LANES]; /* [tiles][columns], or NULL */
    uint64_t *made;             /* [nodes]: steps of each so far; only on this
                                   side */
    float (*sum)[HS_LANES];     /* [tiles][sums], or NULL; only on the GPU */
    double *total;              /* [tiles][totals]: totals of the sums */
    uint32_t (*chain)[HS_LANES], (*replica)[HS_LANES];
    /* NULL without exchanges of levels.  A row of `ladder` has the levels of a
     * chain in order, where x has its replicas. */
    int (*level)[HS_LANES];
    int (*heading)[HS_LANES]; /* see kernel/tile.h */
    double (*trips)[HS_LANES];
    double (*counted)[HS_LANES]; /* steps of the lane in the marginals */
    double (*ladder)[HS_LANES];  /* [tiles][HS_LADDER_ROWS] */
    /* NULL without best states: U of the best; whether the goal was hit. */
    double (*best)[HS_LANES];
    int (*hit)[HS_LANES];
} hs_device_lanes;

/* A request for steps. */
typedef struct hs_device_steps {
    uint64_t clock; /* the first is at clock + 1 */
    uint64_t made;  /* before it */
    int64_t count;
    int is_summed; /* add marginals, */
    int is_noted;  /* and data of levels */
} hs_device_steps;

/* Marginals of a few tiles, as in run/chain/marginals.h. */
typedef struct hs_device_sums {
    int tile, tiles;
    float (*recent)[HS_LANES]; /* [tiles][sums], or NULL if they are 0 */
    double *total;             /* [tiles][totals], or NULL if not moved */
} hs_device_sums;

/* Draws of all chains, as packed by the GPU: value i of chain c is in word [i /
 * (32 / bits)][c], from bit i % (32 / bits) * bits on. */
typedef struct hs_device_draws {
    const double *u;       /* [chains], as are the next ones */
    const double *changed; /* [nodes][chains]: since the last read, at level
                              0 */
    const uint32_t *word;
    int bits;
} hs_device_draws;

#define HS_DEVICE_SLOTS 2 /* most draws in transfer */

typedef struct hs_device_group hs_device_group;

typedef struct hs_device_table {
    uint32_t abi;
    size_t plan_size; /* size of hs_device_plan: both sides must be of one
                         build */
    /* Number of GPUs; none is not a fault. */
    hiss_status (*count)(int *cards, hiss_error *err);
    hiss_status (*card)(int number, hs_device_card *out, hiss_error *err);
    hiss_status (*create)(hs_device_group **out, hs_device_lanes *lanes,
                          int number, const hs_device_plan *plan,
                          hiss_error *err);
    void (*destroy)(hs_device_group *g);
    /* Bits of HS_DEVICE_... above. */
    hiss_status (*write)(hs_device_group *g, unsigned what, hiss_error *err);
    hiss_status (*read)(hs_device_group *g, unsigned what, hiss_error *err);
    /* Rows of states from the first on, which are those of x here. */
    hiss_status (*write_states)(hs_device_group *g, hs_device_states which,
                                int64_t first, int64_t rows, hiss_error *err);
    hiss_status (*read_states)(hs_device_group *g, hs_device_states which,
                               int64_t first, int64_t rows, hiss_error *err);
    hiss_status (*write_sums)(hs_device_group *g, const hs_device_sums *s,
                              hiss_error *err);
    hiss_status (*read_sums)(hs_device_group *g, const hs_device_sums *s,
                             hiss_error *err);
    /* Adds the sums to the totals and clears them. */
    hiss_status (*fold)(hs_device_group *g, hiss_error *err);
    /* Returns before the steps are done. */
    hiss_status (*step)(hs_device_group *g, const hs_device_steps *steps,
                        hiss_error *err);
    /* Copies the states at level 0 after the requested steps to a free slot,
     * while the next steps are made. */
    hiss_status (*keep)(hs_device_group *g, int slot, hiss_error *err);
    /* Returns the contents of a slot when they have arrived; the next call of
     * keep frees the slot. */
    hiss_status (*kept)(hs_device_group *g, int slot, hs_device_draws *out,
                        hiss_error *err);
    /* Marks lanes whose U has reached the goal, and keeps better states of
     * tiles that have best states, or where weights say so. */
    hiss_status (*keep_best)(hs_device_group *g, double goal, hiss_error *err);
    /* Predictions of networks for the cases of f, on GPU `number`: states is
     * [count][dim] of bits, out [count][cases]. */
    hiss_status (*predict)(int number, const hs_network_form *f,
                           const int8_t *states, int64_t count, float *out,
                           hiss_error *err);
} hs_device_table;

typedef const hs_device_table *hs_device_entry_function(void);

#ifdef __cplusplus
}
#endif
#endif
