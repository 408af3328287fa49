/* auto.c - a sampler that is chosen for the model.
 *
 * If the tables of elimination leave most evaluations for draws, it draws
 * independently.  Otherwise a pilot resolves it before a run.  The pilot
 * searches for modes (run/scouts/survey.h); if chains from all of them agree by
 * local moves, local moves are enough.  If they disagree, the pilot tries every
 * arm that applies to the model: clusters, blocks, jumps between modes,
 * exchanges of pieces, tempering.  The run uses the one with the most effective
 * draws per evaluation (run/pilot/choice.h).  Built as it is, without a pilot,
 * it is its base. */
#include "kernel/kernel.h"

struct automatic {
    hs_spec *base;
    double pilot;
    bool independent;
};

static hiss_status auto_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                             hs_tile *x)
{
    return hs_kernel_step(k->child[0], m, t, x);
}

static hs_traits auto_traits(const hs_kernel *k)
{
    hs_traits own = hs_kernel_traits(k->child[0]);

    own.reversible = false; /* known only after it is resolved */
    own.homogeneous = false;
    return own;
}

static const hs_option auto_options[] = {
    {"base", HS_CHILD, offsetof(struct automatic, base), "gibbs", NULL,
     "local moves; gibbs becomes hidden where there are hidden units, dmala "
     "where single sites are expensive to update, and blocks where "
     "constraints stop it at every temperature"},
    {"pilot", HS_REAL, offsetof(struct automatic, pilot), "200000",
     "[1000,1e12]",
     "evaluations that may be spent on choosing, and at most a fifth of "
     "--evals"},
    {"independent", HS_BOOL, offsetof(struct automatic, independent), "yes",
     NULL, "draw all coordinates at once where elimination can (independent)"},
    {0},
};

const hs_kernel_type hs_kernel_auto = {
    .name = "auto",
    .summary =
        "a pilot chooses: local moves, clusters, blocks, jumps, tempering",
    .is_outermost = true,
    .moves_tours = true,
    .size = sizeof(struct automatic),
    .options = auto_options,
    .step = auto_step,
    .traits = auto_traits,
};
