/* kernel.h - the contract of a transition.
 *
 * A kernel moves a tile one step under (model, tilt) and leaves the tilted
 * law invariant if it is exact.  It is made from a sampler, once per tile; all
 * that it remembers between steps is `steps` and the columns of `lane`, which
 * belong to the level of that lane: they travel when levels are exchanged,
 * and they are what a checkpoint keeps.
 *
 * A kernel that couples replicas (parallel tempering, replicas) is outermost:
 * it says how many replicas a chain has and exchanges their levels after each
 * step.  Draws are the states at level 0. */
#ifndef HS_KERNEL_KERNEL_H
#define HS_KERNEL_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/result.h>
#include <hiss/status.h>

#include "base/assert.h"
#include "base/spec/option.h"
#include "device/plan.h"
#include "kernel/tile.h"
#include "kernel/tilt.h"
#include "model/model.h"

typedef struct hs_kernel hs_kernel;
typedef struct hs_group hs_group;
typedef struct hs_sampler hs_sampler; /* sampler.h */
typedef struct hs_library hs_library; /* library.h */
typedef struct hs_ranks hs_ranks;     /* run/comm/ranks.h */

/* Weights p/q of independent proposals, summed up, divided by e^log_scale, and
 * what they came from. */
typedef struct hs_proposal_weights {
    double log_scale, count, sum, squares;
    hiss_network_weights about; /* without figures that follow from the sums */
} hs_proposal_weights;

/* What a tree is, as opposed to what its name promises. */
typedef struct hs_traits {
    bool exact;       /* keeps the tilted law */
    bool reversible;  /* satisfies detailed balance, step by step */
    bool homogeneous; /* every step has the same law */
    bool shares;      /* lanes share random choices: not independent */
    bool gradient;    /* uses gradients */
    bool mixes;       /* exchanges states between replicas, not levels alone */
    int64_t period;   /* steps until the law of a step repeats */
} hs_traits;

/* Every lane column starts with these two: proposals and acceptances. */
enum {
    HS_PROPOSED,
    HS_ACCEPTED,
    HS_OWN_COLUMNS
};

/* One part of the work of a step, for its price (run/price/price.h).  A part is
 * one row of the table, by the kernel's name and `variant`. */
typedef struct hs_work {
    const char *variant; /* NULL: "plain" */
    double times;        /* as often as the row says */
    double amount;       /* in units of the kernel's own; 0 if it has none */
    bool is_by_lane;     /* each lane in use costs its share */
} hs_work;
#define HS_WORK_PARTS 4

typedef struct hs_kernel_type {
    const char *name;
    const char *summary;
    bool is_baseline;  /* there to be compared with */
    bool is_outermost; /* may not be nested */
    bool has_one_law;  /* replicas all have the law of the target, and levels
                          say no more than which one is drawn from */
    bool moves_tours;  /* works on a tour domain, too */
    size_t size;       /* of the state struct, options first */
    const hs_option *options;
    int columns; /* of k->lane, HS_OWN_COLUMNS included; 0: HS_OWN_COLUMNS */

    /* required */
    hiss_status (*step)(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                        hs_tile *x);
    hs_traits (*traits)(const hs_kernel *k);

    /* optional */
    /* Scratch memory and initial columns; children are set up already.  What
     * it allocated is freed by clear, also after it failed. */
    hiss_status (*setup)(hs_kernel *k, const hs_model *m, hiss_error *err);
    void (*clear)(hs_kernel *k);
    /* Rejects options that contradict each other; children exist already. */
    hiss_status (*check)(const hs_kernel *k, hiss_error *err);
    /* Columns, where their number depends on options. */
    int (*column_count)(const hs_kernel *k);
    /* Tuning ends: freeze what was adapted. */
    void (*freeze)(hs_kernel *k);
    /* Tuning starts: how many steps it will have (for schedules). */
    void (*begin)(hs_kernel *k, int64_t steps);
    /* Outermost: replicas per chain; levels of a fresh group; exchanges, which
     * read numbers per lane alone unless traits.mixes. */
    int (*replicas)(const hs_kernel *k);
    void (*place)(hs_kernel *k, hs_group *g);
    void (*couple)(hs_kernel *k, hs_group *g);
    /* Takes the modes that were found beforehand, borrowed; after setup. */
    void (*attach)(hs_kernel *k, const hs_library *library);
    /* The name of the path that steps under tilts of a form take, of a kernel
     * with several; NULL: steps under such a tilt cannot be made.  NULL, the
     * function: one path, for all forms but factors. */
    const char *(*path)(const hs_kernel *k, hs_tilt_form form);
    /* The form of tilt that children see; NULL: that which it sees itself. */
    hs_tilt_form (*tilts)(const hs_kernel *k);
    /* Outermost: whether children see a phi (tilt.h) of its own; known before
     * they are set up.  NULL: no. */
    bool (*has_phi)(const hs_kernel *k);
    /* Outermost: what a level's ln density has beside beta U, at a state;
     * NULL: nothing. */
    double (*bias)(const hs_kernel *k, const hs_domain *d, int level,
                   const int16_t *state);
    /* Whether the lanes of a tile share words of random bits, so that they must
     * be chains under one law; NULL: no.  Then there is walk: so many steps in
     * one call, faster than as many calls of step and with the same draws and
     * marginals.  States, U and counts may then be out of date.  The member
     * `flush` brings them up to date: before any code but this kernel reads
     * the tile, and after HS_TALLY_STEPS steps at most if there is
     * tile->count. */
    bool (*packs)(const hs_kernel *k);
    hiss_status (*walk)(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                        hs_tile *x, int64_t steps);
    /* Whether walk pays for this tile, alone and under its own flat tilt; NULL:
     * if packs says so. */
    bool (*walks)(const hs_kernel *k, const hs_tile *x);
    /* NULL: nothing is left behind.  Also of kernels that leave counts alone,
     * after steps with tile->total. */
    hiss_status (*flush)(hs_kernel *k, const hs_model *m, hs_tile *x);
    /* For prices.  The parts of the own work of a step, without children, and
     * their number; NULL: one part, once.  And how many steps of a child there
     * are in a step, on average; NULL: one of each. */
    int (*work)(const hs_kernel *k, const hs_model *m, hs_work *part);
    double (*visits)(const hs_kernel *k, int child);
    /* For a GPU (device/device.h), both or neither.  plan: what a step is
     * under tilts of a form, but for its children; false: no GPU can make it
     * on this model.  made: notes steps that a GPU has made of this tile
     * (clock, costs, proposals), but for what was accepted, and what belongs to
     * levels.  ladder: of one that couples, which exchanges the GPU makes
     * behind them. */
    bool (*plan)(const hs_kernel *k, const hs_model *m, hs_tilt_form form,
                 hs_device_sampler *out);
    void (*ladder)(const hs_kernel *k, hs_device_ladder *out);
    void (*made)(hs_kernel *k, const hs_model *m, hs_tile *x, hs_tilt_form form,
                 int64_t steps);
    /* Writes one line per tuned value of a lane, "alpha=0.31". */
    int (*describe)(const hs_kernel *k, int lane, char *text, size_t size);
    /* Adds the weights of the proposals made so far; NULL: they have none. */
    void (*weigh)(const hs_kernel *k, hs_proposal_weights *sum);
    /* Name under which acceptances are reported; NULL: the type's name. */
    const char *counter;
} hs_kernel_type;

struct hs_kernel {
    const hs_kernel_type *type;
    hs_sampler *sampler; /* kept: its options' texts and lists are used */
    void *state;         /* owned, type->size bytes */
    hs_kernel **child;   /* owned array of owned kernels */
    int children;
    double (*lane)[HS_LANES]; /* owned, [columns] */
    int columns;
    bool is_set_up;
    bool is_under_phi; /* the outermost kernel has one */
    uint64_t steps;    /* made so far */
    /* that setup took, of all lanes together; the first step counts them */
    double setup_energies, setup_gradients;
};

/* Up to 16 chains with all their replicas: what one thread advances.  Lane
 * number c * replicas + r of the group, counted through its tiles, is replica
 * r of its c-th chain.
 *
 * A team of processes may share a group: each has all of its numbers per lane
 * (levels, U, columns), but only the states of its own tiles. */
struct hs_group {
    const hs_model *model; /* borrowed */
    int chains;
    int replicas;
    int laws; /* of levels: as many as replicas, or 1 that all of them have */
    int tiles;
    hs_tile *tile;            /* owned, [tiles] */
    hs_kernel **kernel;       /* owned, [tiles]: one tree per tile */
    int first_tile, end_tile; /* those that this process advances */
    hs_ranks *team;           /* borrowed: who else does, or NULL */
    struct hs_lane_exchange
        *exchange; /* owned, with a team: run/chain/lane_exchange.h */
};

/* Which law a lane has: 0 is the target. */
static inline int hs_group_law(const hs_group *g, const hs_tile *t, int lane)
{
    return g->laws > 1 ? t->level[lane] : 0;
}

extern const hs_kernel_type *const hs_kernel_types[]; /* NULL-terminated */

/* For tests: more types that a spec may name, NULL-terminated and borrowed;
 * NULL, as it is at first: none.  Set while no other thread builds kernels. */
extern const hs_kernel_type *const *hs_kernel_extra;

/* The tree of a sampler, with its options and without a model. */
hiss_status hs_kernel_create(hs_kernel **out, const hs_sampler *sampler,
                             hiss_error *err);
/* Gives every kernel of the tree its memory for tiles of this model. */
hiss_status hs_kernel_setup(hs_kernel *k, const hs_model *m, hiss_error *err);
void hs_kernel_destroy(hs_kernel *k);

static inline hiss_status hs_kernel_step(hs_kernel *k, const hs_model *m,
                                         const hs_tilt *t, hs_tile *x)
{
    hiss_status rc;

    HS_ASSERT(k->is_set_up && x->lanes >= 1 && x->lanes <= HS_LANES);
    rc = k->type->step(k, m, t, x);
    k->steps++;
    return rc;
}

static inline bool hs_kernel_packs(const hs_kernel *k)
{
    return k->type->packs && k->type->packs(k);
}

static inline bool hs_kernel_walks(const hs_kernel *k, const hs_tile *x)
{
    return k->type->walks ? k->type->walks(k, x) : hs_kernel_packs(k);
}

/* So many steps of a kernel that walks. */
static inline hiss_status hs_kernel_walk(hs_kernel *k, const hs_model *m,
                                         const hs_tilt *t, hs_tile *x,
                                         int64_t steps)
{
    hiss_status rc;

    HS_ASSERT(k->is_set_up && k->type->walk);
    rc = k->type->walk(k, m, t, x, steps);
    k->steps += (uint64_t)steps;
    return rc;
}

/* Makes good what walk has left. */
static inline hiss_status hs_kernel_flush(hs_kernel *k, const hs_model *m,
                                          hs_tile *x)
{
    HS_ASSERT(k->is_set_up);
    return k->type->flush ? k->type->flush(k, m, x) : HISS_OK;
}

/* Notes steps of a tile that were made elsewhere, under tilts of this form; the
 * type has `made`. */
static inline void hs_kernel_made(hs_kernel *k, const hs_model *m, hs_tile *x,
                                  hs_tilt_form form, int64_t steps)
{
    HS_ASSERT(k->is_set_up && k->type->made);
    k->type->made(k, m, x, form, steps);
    k->steps += (uint64_t)steps;
}

/* The tree for a GPU, of a kernel that is set up: as many nodes as it has to
 * node[HS_DEVICE_NODES]; what couples replicas is none of them.  0: no GPU can
 * make its steps on this model. */
int hs_kernel_plan(const hs_kernel *k, const hs_model *m,
                   hs_device_sampler *node);

/* Node `number` of the tree, parents first; NULL past the last. */
hs_kernel *hs_kernel_node(hs_kernel *k, int number);

hs_traits hs_kernel_traits(const hs_kernel *k);

/* Steps until two cycles begin together: the least common multiple of their
 * periods, or HS_KERNEL_PERIOD_MAX where that is less. */
#define HS_KERNEL_PERIOD_MAX (INT64_C(1) << 40)
int64_t hs_kernel_join_periods(int64_t a, int64_t b);

/* The name of the path of one that has several and was set up, under tilts of
 * this form; else NULL. */
const char *hs_kernel_path(const hs_kernel *k, hs_tilt_form form);

int hs_kernel_replica_count(const hs_kernel *k);
void hs_kernel_begin(hs_kernel *k, int64_t steps);
void hs_kernel_freeze(hs_kernel *k);

/* Gives what was found beforehand to all kernels of the tree; borrowed. */
void hs_kernel_attach(hs_kernel *k, const hs_library *library);

/* Exchanges the columns of two lanes, in two trees of one shape. */
void hs_kernel_exchange(hs_kernel *a, int lane_a, hs_kernel *b, int lane_b);

/* Counts a decision in the lanes in use. */
void hs_kernel_count(hs_kernel *k, const hs_tile *x, const int32_t *accept);

/* Forgets counts, so that rates are those of the kept part of a run. */
void hs_kernel_clear_counts(hs_kernel *k);

#endif
