/* device.h - the contract of a plug-in that runs tiles on GPUs.
 *
 * The library knows no CUDA: what does is a shared library of its own with one
 * entry, hs_device_entry, that gives this table.  It is found by dlopen when a
 * device is asked for (open.c).
 *
 * A *device group* holds the lanes of many tiles in the memory of a GPU: their
 * states in the order of a tile, x[tile][coordinate][lane].  The runner's tiles
 * are its mirror: it writes to them what has changed here, asks for steps, and
 * reads what it needs.  Draws are those of the processor, bit for bit. */
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

/* Changes with every struct that crosses the border. */
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
    HS_DEVICE_ENERGIES =
        1,                 /* written: U of the states; else it is made there */
    HS_DEVICE_LEVELS = 2,  /* beta, weight, and what belongs to levels */
    HS_DEVICE_CHANGED = 4, /* read only, and begun anew: changed and counted */
    HS_DEVICE_NAMES = 8,   /* write only: chain and replica */
    HS_DEVICE_BEST = 16,   /* best and hit */
    HS_DEVICE_TUNED = 32   /* read only: columns, of a pilot */
};

/* Which states: where the lanes stand, or the best ones. */
typedef enum hs_device_states {
    HS_DEVICE_PRESENT,
    HS_DEVICE_BEST_ONES
} hs_device_states;

/* States pass through x, as many rows of [tiles][dim] at a time as it has. */
#define HS_DEVICE_ROOM (1 << 21)

/* The arrays are the group's, fit for fast copies. */
typedef struct hs_device_lanes {
    int16_t (*x)[HS_LANES]; /* [tiles][dim], here [rows] */
    int64_t rows;
    double (*u)[HS_LANES]; /* [tiles], as the others are */
    float (*beta)[HS_LANES];
    /* Of marginals: 1 or 0.  Of a search: 1 or 0, whether better states are
     * kept; -1: the lane is not in use */
    float (*weight)[HS_LANES];
    /* [nodes][tiles]: visits that changed x, or proposals that were taken */
    double (*changed)[HS_LANES];
    double (*column)[HS_LANES]; /* [tiles][columns], or NULL */
    uint64_t *made;             /* [nodes]: steps of each so far; here alone */
    float (*sum)[HS_LANES];     /* [tiles][sums], or NULL; not here */
    double *total;              /* [tiles][totals] that sums were added to */
    uint32_t (*chain)[HS_LANES], (*replica)[HS_LANES];
    /* With levels to exchange, else NULL.  A row of `ladder` has the levels of
     * a chain in their order where x has its replicas. */
    int (*level)[HS_LANES];
    int (*heading)[HS_LANES]; /* as in kernel/tile.h */
    double (*trips)[HS_LANES];
    double (*counted)[HS_LANES]; /* steps that marginals have of the lane */
    double (*ladder)[HS_LANES];  /* [tiles][HS_LADDER_ROWS] */
    /* With best states, else NULL: U of the best; whether the goal was hit. */
    double (*best)[HS_LANES];
    int (*hit)[HS_LANES];
} hs_device_lanes;

/* Steps that are asked for. */
typedef struct hs_device_steps {
    uint64_t clock; /* the first is at clock + 1 */
    uint64_t made;  /* before it */
    int64_t count;
    int is_summed; /* marginals are added, */
    int is_noted;  /* and what belongs to levels */
} hs_device_steps;

/* Marginals of a few tiles: as run/chain/marginals.h has them. */
typedef struct hs_device_sums {
    int tile, tiles;
    float (*recent)[HS_LANES]; /* [tiles][sums], or NULL: they are 0 */
    double *total;             /* [tiles][totals], or NULL: not moved */
} hs_device_sums;

/* Draws of all chains, as the GPU packs them: value i of chain c is in word
 * [i / (32 / bits)][c], from bit i % (32 / bits) * bits on. */
typedef struct hs_device_draws {
    const double *u;       /* [chains], as are the next ones */
    const double *changed; /* [nodes][chains]: since it was read, at level 0 */
    const uint32_t *word;
    int bits;
} hs_device_draws;

#define HS_DEVICE_SLOTS 2 /* draws on their way */

typedef struct hs_device_group hs_device_group;

typedef struct hs_device_table {
    uint32_t abi;
    size_t plan_size; /* of hs_device_plan: both must be of one build */
    /* How many GPUs there are; not a fault if none is. */
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
    /* Adds the sums to the totals, and begins them anew. */
    hiss_status (*fold)(hs_device_group *g, hiss_error *err);
    /* Returns before they are made. */
    hiss_status (*step)(hs_device_group *g, const hs_device_steps *steps,
                        hiss_error *err);
    /* The states at level 0 as they are after what was asked for, to a slot
     * that is free: while the next steps are made. */
    hiss_status (*keep)(hs_device_group *g, int slot, hiss_error *err);
    /* What was kept there, when it has come; the slot is free with the next
     * call of keep. */
    hiss_status (*kept)(hs_device_group *g, int slot, hs_device_draws *out,
                        hiss_error *err);
    /* Notes lanes whose U has reached the goal, and keeps states that are
     * better than before of tiles that have one, or where weights say so. */
    hiss_status (*keep_best)(hs_device_group *g, double goal, hiss_error *err);
    /* What networks say of the cases of f, on GPU `number`: states is
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
