/* pilot_chains.c - pilot chains at the target that explore where they start. */
#include "run/atlas/pilot_chains.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "run/policy/policy.h"
#include "run/walk/advance.h"

hiss_status hs_pilot_chains_init(hs_pilot_chains *c, const hs_model *m,
                                 int lanes, hiss_error *err)
{
    size_t n = (size_t)lanes;

    *c = (hs_pilot_chains){
        .lanes = lanes, .dim = m->domain.dim, .values = m->domain.value_count};
    c->state = hs_alloc_array(n * (size_t)c->dim, sizeof *c->state);
    for (int half = 0; half < 2; half++)
        c->count[half] =
            hs_alloc_array(n * (size_t)c->values, sizeof *c->count[half]);
    if (c->state && c->count[0] && c->count[1])
        return HISS_OK;
    hs_pilot_chains_clear(c);
    return hs_fail_memory(err);
}

void hs_pilot_chains_clear(hs_pilot_chains *c)
{
    hs_free(c->state);
    hs_free(c->count[0]);
    hs_free(c->count[1]);
    hs_free(c->tuned);
    *c = (hs_pilot_chains){0};
}

void hs_pilot_chains_take(hs_pilot_chains *c, int to, const hs_tile *t,
                          int lane)
{
    hs_point_read(&t->at, c->dim, lane, c->state + (size_t)to * (size_t)c->dim);
}

static void note(hs_pilot_chains *c, const hs_domain *d, const hs_tile *t,
                 int first, float *count)
{
    for (int l = 0; l < t->lanes; l++) {
        float *own = count + (size_t)(first + l) * (size_t)c->values;

        for (int i = 0; i < d->dim; i++)
            own[d->value[i] + t->at.x[i][l]] += 1.0f;
    }
}

/* The last leaf of a tree. */
static const hs_kernel *last_of(const hs_kernel *k)
{
    while (k->children > 0)
        k = k->child[k->children - 1];
    return k;
}

/* Columns of a tree that are tuned, copied to or from a list; NULL counts. */
static int copy_tuning(hs_kernel *tree, double (*list)[HS_LANES], bool is_back)
{
    int count = 0;
    hs_kernel *k;

    for (int n = 0; (k = hs_kernel_node(tree, n)); n++)
        for (int c = HS_OWN_COLUMNS; c < k->columns; c++, count++)
            if (list)
                memcpy(is_back ? k->lane[c] : list[count],
                       is_back ? list[count] : k->lane[c], sizeof *list);
    return count;
}

static hiss_status keep_tuning(hs_pilot_chains *c, const hs_group *g,
                               hiss_error *err)
{
    hs_free(c->tuned);
    c->tunings = copy_tuning(g->kernel[0], NULL, false);
    c->tuned = hs_alloc_array((size_t)c->tunings, sizeof *c->tuned);
    if (!c->tuned)
        return hs_fail_memory(err);
    copy_tuning(g->kernel[0], c->tuned, false);
    return HISS_OK;
}

/* A group of chains and the steps it makes. */
struct part {
    hs_pilot_chains *c;
    const hs_pilot_walk *run;
    int first; /* lane of the group's first chain */
};

static hiss_status visit(void *context, hs_group *g, int64_t step,
                         hiss_error *err)
{
    const struct part *p = context;

    return p->run->visit(p->run->context, g, p->first, step, err);
}

static hiss_status walk_group(struct part *p, hs_group *g,
                              hs_pilot_account *account, hiss_error *err)
{
    hs_pilot_chains *c = p->c;
    const hs_kernel *last = last_of(g->kernel[0]);
    int16_t *end = p->run->end ? p->run->end : c->state;

    for (int l = 0; l < g->chains; l++)
        hs_group_set(g, l, 0,
                     c->state + (size_t)(p->first + l) * (size_t)c->dim);
    hs_kernel_attach(g->kernel[0], p->run->library);
    if (p->run->discard == 0 && c->tuned &&
        copy_tuning(g->kernel[0], NULL, true) == c->tunings)
        copy_tuning(g->kernel[0], c->tuned, true);
    HS_TRY(hs_advance_run(
        &(hs_advance){g, p->run->discard, p->run->steps, visit, p}, account,
        err));
    for (int l = 0; l < g->chains; l++) {
        hs_point_read(&g->tile[0].at, c->dim, l,
                      end + (size_t)(p->first + l) * (size_t)c->dim);
        c->proposed += last->lane[HS_PROPOSED][l];
        c->taken += last->lane[HS_ACCEPTED][l];
    }
    return p->run->discard > 0 ? keep_tuning(c, g, err) : HISS_OK;
}

hiss_status hs_pilot_chains_walk(hs_pilot_chains *c, const hs_model *m,
                                 const hs_pilot_walk *run,
                                 hs_pilot_account *account, hiss_error *err)
{
    struct part p = {c, run, 0};
    hiss_status rc = HISS_OK;

    c->proposed = c->taken = 0.0;
    for (; rc == HISS_OK && p.first < c->lanes; p.first += HS_GROUP_CHAINS) {
        int left = c->lanes - p.first;
        hs_group *g = NULL;

        rc = hs_group_create(&g, m, run->sampler, account->seed,
                             run->first_chain + (uint32_t)p.first,
                             left < HS_GROUP_CHAINS ? left : HS_GROUP_CHAINS,
                             err);
        if (rc == HISS_OK)
            rc = walk_group(&p, g, account, err);
        hs_group_destroy(g);
    }
    return rc;
}

static hiss_status count(void *context, hs_group *g, int first, int64_t step,
                         hiss_error *err)
{
    hs_pilot_chains *c = context;

    (void)err;
    note(c, &g->model->domain, &g->tile[0], first, c->count[step >= c->steps]);
    return HISS_OK;
}

hiss_status hs_pilot_chains_count(hs_pilot_chains *c, const hs_model *m,
                                  const hs_pilot_walk *run,
                                  hs_pilot_account *account, hiss_error *err)
{
    hs_pilot_walk all = *run;
    size_t bytes = (size_t)c->lanes * (size_t)c->values * sizeof(float);
    double before = hs_pilot_account_spent(account);

    memset(c->count[0], 0, bytes);
    memset(c->count[1], 0, bytes);
    c->steps = run->steps;
    all.steps = 2 * run->steps;
    all.visit = count;
    all.context = c;
    HS_TRY(hs_pilot_chains_walk(c, m, &all, account, err));
    c->cost = (hs_pilot_account_spent(account) - before) /
              (c->lanes * (double)(run->discard + all.steps));
    return HISS_OK;
}

/* Counts of value v in both halves. */
static float count_of(const hs_pilot_chains *c, int lane, int v)
{
    size_t at = (size_t)lane * (size_t)c->values + (size_t)v;

    return c->count[0][at] + c->count[1][at];
}

double hs_pilot_chains_sum(const hs_pilot_chains *c, const int *of, int mode,
                           double *sum)
{
    double steps = 0.0;

    memset(sum, 0, (size_t)c->values * sizeof *sum);
    for (int l = 0; l < c->lanes; l++) {
        if (of && of[l] != mode)
            continue;
        steps += 2.0 * c->steps;
        for (int v = 0; v < c->values; v++)
            sum[v] += (double)count_of(c, l, v);
    }
    return steps;
}

/* Variance between chains of the share of value v, and of the value itself;
 * false if it was hardly ever seen. */
static bool spread(const hs_pilot_chains *c, int v, double *between,
                   double *variance)
{
    double mean = 0.0, steps = 2.0 * c->steps, lanes = c->lanes;

    *between = 0.0;
    for (int l = 0; l < c->lanes; l++)
        mean += (double)count_of(c, l, v) / (steps * lanes);
    *variance = mean * (1.0 - mean);
    if (!(*variance * lanes * steps > hs_policy(HS_MIN_CHAINS)))
        return false;
    for (int l = 0; l < c->lanes; l++) {
        double off = (double)count_of(c, l, v) / steps - mean;

        *between += off * off / (lanes - 1.0);
    }
    return true;
}

double hs_pilot_chains_discord(const hs_pilot_chains *c)
{
    double worst = 0.0, between, variance;

    for (int v = 0; v < c->values; v++)
        if (spread(c, v, &between, &variance) && between > worst * variance)
            worst = between / variance;
    return worst;
}

hiss_status hs_pilot_chains_energies(const hs_pilot_chains *c,
                                     const hs_model *m, double *u,
                                     hs_pilot_account *account, hiss_error *err)
{
    hs_point p;
    hiss_status rc;

    HS_TRY(hs_point_init(&p, m, err));
    rc = HISS_OK;
    for (int first = 0; rc == HISS_OK && first < c->lanes; first += HS_LANES) {
        p.lanes = c->lanes - first < HS_LANES ? c->lanes - first : HS_LANES;
        for (int l = 0; l < HS_LANES; l++)
            hs_point_write(&p, c->dim, l,
                           c->state +
                               (size_t)(l < p.lanes ? first + l : first) *
                                   (size_t)c->dim);
        rc = hs_model_evaluate(m, &p, HS_U);
        account->energy_evals += p.lanes;
        for (int l = 0; rc == HISS_OK && l < p.lanes; l++)
            if (isnan(p.u[l]) || p.u[l] == HUGE_VAL)
                rc = HISS_ENUMERIC;
        if (rc != HISS_OK)
            hs_fail_model(err, rc, m, &p.fault, "in a pilot chain");
        memcpy(u + first, p.u, (size_t)p.lanes * sizeof *u);
    }
    hs_point_clear(&p);
    return rc;
}
