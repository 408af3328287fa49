/* targets.c - tables of targets, and what their families share. */
#include "arena/targets/targets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/targets/families.h"

const target *const target_tables[] = {
    targets_known,
    targets_glass,
    targets_selection,
    targets_mixture,
    targets_black_box,
    targets_markov,
    targets_rbm,
    targets_potts,
    targets_constraint,
    targets_lattice,
    targets_discs,
    targets_small,
    NULL,
};

const target *const target_tables_new[] = {
    targets_lattice,
    targets_discs,
    targets_small,
    NULL,
};

const peer peers_tables[] = {
    {"pt", "pt(base=gibbs,levels=auto)"},
    {"parts", "pt(base=gibbs,levels=auto,houdayer=1)"},
    {"blocks", "blocks(table=16384)"},
    {0},
};

const peer peers_mixture[] = {
    {"pt", "pt(base=gibbs,levels=auto)"},
    {"jumps", "sequence(gibbs,bridge)"},
    {"hidden_j", "sequence(hidden,bridge)"},
    {0},
};

const peer peers_black_box[] = {
    {"pt", "pt(base=dmala,levels=auto)"},
    {"jumps", "sequence(dmala,bridge)"},
    {0},
};

int instance_make(instance *at, const target *t, int number)
{
    memset(at, 0, sizeof *at);
    at->of = t;
    at->number = number;
    at->log_z = (double)NAN;
    if (!t->make(at) || !at->model)
        return 0;
    if (t->is_disjoint)
        at->modes = at->classes;
    return 1;
}

static const target *find(const target *const *table, const char *name)
{
    for (; *table; table++)
        for (const target *t = *table; t->name; t++)
            if (strcmp(t->name, name) == 0)
                return t;
    return NULL;
}

const target *target_find(const char *name)
{
    const target *t = find(target_tables, name);

    return t ? t : find(target_tables_new, name);
}

void instance_clear(instance *at)
{
    hiss_exact_destroy(at->exact);
    free(at->uai);
    hiss_model_destroy(at->model);
    if (at->clear)
        at->clear(at->own);
    memset(at, 0, sizeof *at);
}

/* FNV-1a of the name, and the number beside it. */
uint64_t family_seed(const instance *at)
{
    uint64_t hash = UINT64_C(14695981039346656037);

    for (const char *c = at->of->name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    return hash + (uint64_t)at->number * UINT64_C(0x9e3779b97f4a7c15);
}

/* 31 bits of a congruential sequence. */
double family_uniform(uint64_t *seed)
{
    *seed =
        *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ((uint32_t)(*seed >> 33) + 0.5) / 2147483648.0;
}

double family_normal(uint64_t *seed)
{
    double r = sqrt(-2.0 * log(family_uniform(seed)));

    return r * cos(2.0 * 3.14159265358979323846 * family_uniform(seed));
}

int family_below(uint64_t *seed, int count)
{
    return (int)(family_uniform(seed) * count);
}

void family_indicators(instance *at)
{
    for (int k = 0; k < at->classes; k++)
        at->variance[k] = at->mean[k] * (1.0 - at->mean[k]);
}

static void marginal_exact(const instance *at, int i, double *out)
{
    memcpy(out, hiss_exact_marginal(at->exact, i),
           sizeof *out * (size_t)hiss_model_states(at->model, i));
}

/* The instance keeps the answers. */
static hiss_exact *solve(instance *at)
{
    hiss_error err = {0};

    if (hiss_exact_create(&at->exact, at->model, 1, &err) != HISS_OK) {
        fprintf(stderr, "%s: %s\n", at->of->name, err.message);
        return NULL;
    }
    at->log_z = hiss_exact_log_z(at->exact);
    at->marginal = marginal_exact;
    return at->exact;
}

static void marginal_uniform(const instance *at, int i, double *out)
{
    int states = hiss_model_states(at->model, i);

    for (int v = 0; v < states; v++)
        out[v] = 1.0 / states;
}

void family_symmetric(instance *at)
{
    at->marginal = marginal_uniform;
}

static void classify_marginals(const instance *at, const double *x, double *out)
{
    for (int i = 0; i < at->classes; i++)
        out[i] = x[i] > 0.0;
}

int family_marginals(instance *at)
{
    hiss_exact *e = solve(at);

    at->classify = classify_marginals;
    at->classes = hiss_model_dim(at->model);
    if (at->classes > TARGET_CLASSES)
        at->classes = TARGET_CLASSES;
    for (int i = 0; e && i < at->classes; i++)
        at->mean[i] = hiss_exact_marginal(e, i)[1];
    family_indicators(at);
    return e != NULL;
}

static void classify_labels(const instance *at, const double *x, double *out)
{
    int labels = hiss_model_states(at->model, 0) - 1;

    for (int k = 0; k < at->classes; k++)
        out[k] = (int)x[k / labels] == k % labels + 1;
}

int family_labels(instance *at)
{
    hiss_exact *e = solve(at);
    int labels = hiss_model_states(at->model, 0) - 1;

    at->classify = classify_labels;
    at->classes = hiss_model_dim(at->model) * labels;
    if (at->classes > TARGET_CLASSES)
        at->classes = TARGET_CLASSES;
    for (int k = 0; e && k < at->classes; k++)
        at->mean[k] = hiss_exact_marginal(e, k / labels)[k % labels + 1];
    family_indicators(at);
    return e != NULL;
}
