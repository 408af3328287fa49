/* device.h - the contract of a plug-in that runs tiles on cards.
 *
 * The library knows no CUDA: what does is a shared library of its own with one
 * entry, hs_device_entry, that gives this table.  It is found by dlopen when a
 * device is asked for (open.c).
 *
 * A *device group* holds the lanes of many tiles in the memory of a card: their
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
#define HS_DEVICE_ABI   2
#define HS_DEVICE_ENTRY "hs_device_entry"

#define HS_DEVICE_NAME 256

typedef struct hs_device_card {
    char name[HS_DEVICE_NAME];
    double bytes, free; /* of its memory */
    int processors;
} hs_device_card;

/* What is transferred; the arrays are the group's, fit for fast copies. */
enum {
    HS_DEVICE_STATES = 1,
    HS_DEVICE_ENERGIES =
        2,                 /* written: U of the states; else it is made there */
    HS_DEVICE_LEVELS = 4,  /* write only: beta, weight and columns */
    HS_DEVICE_CHANGED = 8, /* read only: and begun anew */
    HS_DEVICE_SUMS = 16,   /* marginals */
    HS_DEVICE_NAMES = 32   /* write only: chain, replica, steps made */
};

typedef struct hs_device_lanes {
    int16_t (*x)[HS_LANES]; /* [tiles][dim] */
    double (*u)[HS_LANES];  /* [tiles], as the others are */
    float (*beta)[HS_LANES];
    float (*weight)[HS_LANES]; /* of marginals: 1 or 0 */
    /* [nodes][tiles]: visits that changed x, or proposals that were taken */
    double (*changed)[HS_LANES];
    double (*column)[HS_LANES]; /* [tiles][columns], or NULL */
    uint64_t *made;             /* [nodes]: steps of each so far; here alone */
    float (*sum)[HS_LANES];     /* [tiles][sums], or NULL */
    uint32_t (*chain)[HS_LANES], (*replica)[HS_LANES];
} hs_device_lanes;

typedef struct hs_device_group hs_device_group;

typedef struct hs_device_table {
    uint32_t abi;
    size_t plan_size; /* of hs_device_plan: both must be of one build */
    /* How many cards there are; not a fault if none is. */
    hiss_status (*count)(int *cards, hiss_error *err);
    hiss_status (*card)(int number, hs_device_card *out, hiss_error *err);
    hiss_status (*create)(hs_device_group **out, hs_device_lanes *lanes,
                          int number, const hs_device_plan *plan,
                          hiss_error *err);
    void (*destroy)(hs_device_group *g);
    /* Bits of HS_DEVICE_... above. */
    hiss_status (*write)(hs_device_group *g, unsigned what, hiss_error *err);
    hiss_status (*read)(hs_device_group *g, unsigned what, hiss_error *err);
    /* `steps` steps, the first at clock + 1; summed: marginals are added.
     * Returns before they are made. */
    hiss_status (*step)(hs_device_group *g, uint64_t clock, int64_t steps,
                        int is_summed, hiss_error *err);
} hs_device_table;

typedef const hs_device_table *hs_device_entry_function(void);

#ifdef __cplusplus
}
#endif
#endif
