/* kernel.h - the interface of a transition.
 *
 * A kernel moves a tile one step under (model, tilt) and keeps the tilted
 * distribution if it is exact. It is made from a sampler, once per tile.
 * Between steps it remembers only `steps` and the columns of `lane`. The
 * columns belong to the level of that lane: they travel when levels are
 * exchanged, and a checkpoint stores them.
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

/* Weights p/q of independent proposals, summed, divided by e^log_scale, and
 * their source. */
typedef struct hs_proposal_weights {
    double log_scale, count, sum, squares;
    hiss_network_weights about; /* without figures that follow from the sums */
} hs_proposal_weights;

/* Properties of a tree. */
typedef struct hs_traits {
    bool exact;       /* keeps the tilted distribution */
    bool reversible;  /* satisfies detailed balance in every step */
    bool homogeneous; /* every step has the same transition probabilities */
    bool shares;      /* lanes share random choices, so they are not
                         independent */
    bool gradient;    /* uses gradients */
    bool mixes;       /* exchanges states between replicas, not only levels */
    int64_t period;   /* steps until the transition probabilities repeat */
} hs_traits;

/* Every lane column starts with these two: proposals and acceptances. */
enum {
    HS_PROPOSED,
    HS_ACCEPTED,
    HS_OWN_COLUMNS
};

/* One part of the work of a step, for its price (run/price/price.h): a row of
 * the price table, by the kernel's name and `variant`. */
typedef struct hs_work {
    const char *variant; /* NULL: "plain" */
    double times;        /* multiple of the row */
    double amount;       /* in the kernel's own units; 0 if it has none */
    bool is_by_lane;     /* cost is proportional to the lanes in use */
} hs_work;
#define HS_WORK_PARTS 4

typedef struct hs_kernel_type {
    const char *name;
    const char *summary;
    bool is_baseline;  /* exists for comparisons */
    bool is_outermost; /* cannot be nested */
    bool has_one_law;  /* all replicas have the distribution of the target;
                          levels only say which one is drawn from */
    bool moves_tours;  /* works on a tour domain too */
    size_t size;       /* size of the state struct, options first */
    const hs_option *options;
    int columns; /* columns of k->lane, including HS_OWN_COLUMNS; 0 means
                    HS_OWN_COLUMNS */

    /* required */
    hiss_status (*step)(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                        hs_tile *x);
    hs_traits (*traits)(const hs_kernel *k);

    /* optional */
    /* Allocates scratch memory and sets initial columns; children are set up
     * already.  `clear` frees it, also after a failure. */
    hiss_status (*setup)(hs_kernel *k, const hs_model *m, hiss_error *err);
    void (*clear)(hs_kernel *k);
    /* Rejects contradictory options; children exist already. */
    hiss_status (*check)(const hs_kernel *k, hiss_error *err);
    /* Number of columns, if it depends on options. */
    int (*column_count)(const hs_kernel *k);
    /* Ends tuning: freezes adapted values. */
    void (*freeze)(hs_kernel *k);
    /* Starts tuning; `steps` is its length, for schedules. */
    void (*begin)(hs_kernel *k, int64_t steps);
    /* Outermost kernels: replicas per chain; levels of a fresh group;
     * exchanges, which read only numbers per lane unless traits.mixes. */
    int (*replicas)(const hs_kernel *k);
    void (*place)(hs_kernel *k, hs_group *g);
    void (*couple)(hs_kernel *k, hs_group *g);
    /* Takes the library of modes, borrowed; after setup. */
    void (*attach)(hs_kernel *k, const hs_library *library);
    /* The name of the path for tilts of a form, for a kernel with several;
     * returns NULL if steps under such a tilt are impossible.  If the function
     * is NULL there is one path, for all forms but factors. */
    const char *(*path)(const hs_kernel *k, hs_tilt_form form);
    /* The form of tilt that children get; NULL if it is the kernel's own. */
    hs_tilt_form (*tilts)(const hs_kernel *k);
    /* Outermost kernels: whether children get a phi (tilt.h); known before they
     * are set up.  NULL means no. */
    bool (*has_phi)(const hs_kernel *k);
    /* For outermost kernels: the part of a level's ln density in addition to
     * beta U, at a state; NULL if there is none. */
    double (*bias)(const hs_kernel *k, const hs_domain *d, int level,
                   const int16_t *state);
    /* Whether the lanes of a tile share words of random bits, so that they must
     * be chains under one distribution; NULL means no.  Such a kernel has
     * `walk`, which makes many steps in one call, faster than calls of step and
     * with the same draws and marginals.  States, U and counts may then be out
     * of date.  `flush` brings them up to date: before any other code reads the
     * tile, and after at most HS_TALLY_STEPS steps if there is tile->count. */
    bool (*packs)(const hs_kernel *k);
    hiss_status (*walk)(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                        hs_tile *x, int64_t steps);
    /* Whether walk pays for this tile, alone and under its own flat tilt; NULL
     * means whatever packs says. */
    bool (*walks)(const hs_kernel *k, const hs_tile *x);
    /* Writes pending states and counts to the tile; NULL if there are none.
     * Also for kernels that delay only counts, after steps with tile->total. */
    hiss_status (*flush)(hs_kernel *k, const hs_model *m, hs_tile *x);
    /* For prices: the parts of a step's own work, without children, and their
     * number; NULL means one part, once.  And the mean number of steps of a
     * child in a step; NULL means one of each. */
    int (*work)(const hs_kernel *k, const hs_model *m, hs_work *part);
    double (*visits)(const hs_kernel *k, int child);
    /* For a GPU (device/device.h), both or neither.  plan: describes a step
     * under tilts of a form, without its children; false if no GPU can make it
     * on this model.  made: records steps that a GPU has made of this tile
     * (clock, costs, proposals), except acceptances and data of levels.
     * ladder: for a coupling kernel, the exchanges that the GPU makes after the
     * steps. */
    bool (*plan)(const hs_kernel *k, const hs_model *m, hs_tilt_form form,
                 hs_device_sampler *out);
    void (*ladder)(const hs_kernel *k, hs_device_ladder *out);
    void (*made)(hs_kernel *k, const hs_model *m, hs_tile *x, hs_tilt_form form,
                 int64_t steps);
    /* Writes one line per tuned value of a lane, "alpha=0.31". */
    int (*describe)(const hs_kernel *k, int lane, char *text, size_t size);
    /* Adds the weights of the proposals made so far; NULL if there are none. */
    void (*weigh)(const hs_kernel *k, hs_proposal_weights *sum);
    /* Name for reported acceptances; NULL means the type's name. */
    const char *counter;
} hs_kernel_type;

struct hs_kernel {
    const hs_kernel_type *type;
    hs_sampler *sampler; /* kept, because its options' texts and lists are
                            used */
    void *state;         /* owned, type->size bytes */
    hs_kernel **child;   /* owned array of owned kernels */
    int children;
    double (*lane)[HS_LANES]; /* owned, [columns] */
    int columns;
    bool is_set_up;
    bool is_under_phi; /* the outermost kernel has a phi */
    uint64_t steps;    /* made so far */
    /* evaluations by setup, for all lanes together; the first step counts
     * them */
    double setup_energies, setup_gradients;
};

/* Up to 16 chains with all their replicas, advanced by one thread.  Lane number
 * c * replicas + r of the group, counted through its tiles, is replica r of its
 * c-th chain.  A team of processes may share a group: each has all numbers per
 * lane (levels, U, columns), but only the states of its own tiles. */
struct hs_group {
    const hs_model *model; /* borrowed */
    int chains;
    int replicas;
    int laws; /* laws of levels: as many as replicas, or 1 shared by all */
    int tiles;
    hs_tile *tile;            /* owned, [tiles] */
    hs_kernel **kernel;       /* owned, [tiles]: one tree per tile */
    int first_tile, end_tile; /* tiles that this process advances */
    hs_ranks *team;           /* borrowed: the processes of the team, or NULL */
    struct hs_lane_exchange
        *exchange; /* owned, for a team: run/chain/lane_exchange.h */
};

/* Returns the number of the distribution of a lane; 0 is the target. */
static inline int hs_group_law(const hs_group *g, const hs_tile *t, int lane)
{
    return g->laws > 1 ? t->level[lane] : 0;
}

extern const hs_kernel_type *const hs_kernel_types[]; /* NULL-terminated */

/* For tests: further types that a spec may name, NULL-terminated and borrowed;
 * initially NULL.  Set it while no other thread builds kernels. */
extern const hs_kernel_type *const *hs_kernel_extra;

/* Creates the tree of a sampler, with its options and without a model. */
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

/* Makes this many steps of a kernel that walks. */
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

/* Writes what walk has left pending. */
static inline hiss_status hs_kernel_flush(hs_kernel *k, const hs_model *m,
                                          hs_tile *x)
{
    HS_ASSERT(k->is_set_up);
    return k->type->flush ? k->type->flush(k, m, x) : HISS_OK;
}

/* Records steps of a tile that were made elsewhere, under tilts of this form;
 * the type must have `made`. */
static inline void hs_kernel_made(hs_kernel *k, const hs_model *m, hs_tile *x,
                                  hs_tilt_form form, int64_t steps)
{
    HS_ASSERT(k->is_set_up && k->type->made);
    k->type->made(k, m, x, form, steps);
    k->steps += (uint64_t)steps;
}

/* Plans the tree for a GPU, for a kernel that is set up: writes its nodes to
 * node[HS_DEVICE_NODES], without a coupling kernel.  0 if no GPU can make its
 * steps on this model. */
int hs_kernel_plan(const hs_kernel *k, const hs_model *m,
                   hs_device_sampler *node);

/* Returns node `number` of the tree, parents first; NULL past the last. */
hs_kernel *hs_kernel_node(hs_kernel *k, int number);

hs_traits hs_kernel_traits(const hs_kernel *k);

/* Steps until two cycles begin together: the least common multiple of their
 * periods, or HS_KERNEL_PERIOD_MAX if that is smaller. */
#define HS_KERNEL_PERIOD_MAX (INT64_C(1) << 40)
int64_t hs_kernel_join_periods(int64_t a, int64_t b);

/* The name of the path of a kernel with several that is set up, under tilts of
 * this form; else NULL. */
const char *hs_kernel_path(const hs_kernel *k, hs_tilt_form form);

int hs_kernel_replica_count(const hs_kernel *k);
void hs_kernel_begin(hs_kernel *k, int64_t steps);
void hs_kernel_freeze(hs_kernel *k);

/* Gives the library to all kernels of the tree; borrowed. */
void hs_kernel_attach(hs_kernel *k, const hs_library *library);

/* Exchanges the columns of two lanes, in two trees of one shape. */
void hs_kernel_exchange(hs_kernel *a, int lane_a, hs_kernel *b, int lane_b);

/* Counts a decision in the lanes in use. */
void hs_kernel_count(hs_kernel *k, const hs_tile *x, const int32_t *accept);

/* Clears counts, so that rates are those of the kept part of a run. */
void hs_kernel_clear_counts(hs_kernel *k);

#endif
