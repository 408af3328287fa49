/* small.c - models that are small enough to be known state by state. */
#include "arena/targets/families.h"

static int small(instance *at)
{
    if (hiss_model_create(&at->model, at->of->words, NULL) != HISS_OK)
        return 0;
    return hiss_model_kind(at->model, 0) == HISS_CATEGORICAL
               ? family_labels(at)
               : family_marginals(at);
}

const target targets_small[] = {
    {"torus3", small, "ising(side=3,beta=0.4)", .peers = peers_tables,
     .has_tables = 2},
    {"bernoulli4", small, "bernoulli4", .peers = peers_tables},
    {"cross5", small, "cross(side=5)", .peers = peers_tables, .has_tables = 2},
    {0},
};
