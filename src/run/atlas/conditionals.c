/* conditionals.c - laws of modes from conditionals, not from counts. */
#include "run/atlas/conditionals.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"
#include "run/policy/policy.h"
#include "run/trees/chow_liu.h"

#define GOLDEN    0.6180339887498949 /* mathematics: the golden ratio */
#define SMOOTHEST 1e-3               /* precision: less roughness is rounding */
#define MAX_WORTH 1e6                /* precision: of conditionals */

/* Sums over states of each mode; those of conditionals are in the library's
 * shares until they are learned. */
struct sums {
    hs_library *b;
    const int *of; /* borrowed, [lanes]: modes of the chains */
    const hs_model *m;
    const hs_library *known; /* borrowed: what states are redrawn from, or
                                NULL */
    hs_point y;              /* owned: such a draw, or a test */
    bool is_exact;           /* differences are */
    bool is_tested;          /* and so is the gradient, by a test */
    double *states;          /* owned, [modes] */
    double *square;      /* owned, [modes]: of conditionals, over all i, v */
    double *rough;       /* owned, [modes]: r, when all is seen */
    hs_float_row *value; /* owned, [states_max] */
    hs_pair_sums pairs;  /* owned */
};

/* e^value / sum, all lanes. */
static void normalise(hs_float_row *value, int states)
{
    hs_float_row max, sum = {0};

    memcpy(max, value[0], sizeof max);
    for (int v = 1; v < states; v++)
        for (int l = 0; l < HS_LANES; l++)
            max[l] = value[v][l] > max[l] ? value[v][l] : max[l];
    for (int v = 0; v < states; v++) {
        for (int l = 0; l < HS_LANES; l++)
            value[v][l] -= max[l];
        hs_lanes()->exp(value[v], value[v]);
        for (int l = 0; l < HS_LANES; l++)
            sum[l] += value[v][l];
    }
    for (int v = 0; v < states; v++)
        for (int l = 0; l < HS_LANES; l++)
            value[v][l] /= sum[l];
}

/* Conditionals of coordinate i in all lanes, for sums of pairs. */
static void note_pairs(struct sums *s, const hs_tile *t, int i)
{
    const hs_domain *d = &s->m->domain;

    for (int l = 0; l < t->lanes; l++) {
        float *own = s->pairs.conditional + (size_t)l * (size_t)d->value_count +
                     d->value[i];

        for (int v = 0; v < d->states[i]; v++)
            own[v] = s->value[v][l];
    }
}

/* Adds the conditionals of all coordinates at the states of a tile. */
static hiss_status add_tile(struct sums *s, hs_tile *t, const int *of)
{
    const hs_domain *d = &s->m->domain;
    size_t values = (size_t)s->b->values;

    if (s->m->ops->differences) {
        HS_TRY(hs_tile_evaluate(t, s->m, &t->at, HS_U));
        hs_tile_count_sites(t, s->m, d->dim);
    } else {
        HS_TRY(hs_tile_evaluate(t, s->m, &t->at, HS_GRAD));
    }
    for (int i = 0; i < d->dim; i++) {
        if (s->is_exact)
            HS_TRY(hs_model_differences(s->m, &t->at, i, s->value, NULL));
        else
            hs_model_linear(s->m, &t->at, i, s->value);
        normalise(s->value, d->states[i]);
        if (s->pairs.modes > 0)
            note_pairs(s, t, i);
        for (int l = 0; l < t->lanes; l++) {
            double *sum = s->b->share + (size_t)of[l] * values + d->value[i];

            for (int v = 0; v < d->states[i]; v++) {
                double p = (double)s->value[v][l];

                sum[v] += p;
                s->square[of[l]] += p * p;
            }
        }
    }
    for (int l = 0; l < t->lanes; l++) {
        s->states[of[l]] += 1.0;
        if (s->pairs.modes > 0)
            hs_pair_sums_add(&s->pairs, of[l], (const hs_index_row *)t->at.x,
                             l);
    }
    return HISS_OK;
}

/* Proposes a draw of its mode's distribution in place of every state and
 * accepts it with min(1, p(y) q(x) / p(x) q(y)), which keeps the law.  Slow
 * chains see more of a mode. */
static hiss_status redraw(struct sums *s, hs_tile *t, const int *of)
{
    const hs_domain *d = &s->m->domain;
    double here[HS_LANES], there[HS_LANES], ratio[HS_LANES];
    int32_t accept[HS_LANES];

    hs_tile_tick(t);
    hs_library_draw_states(s->known, d, &t->rng, of, &s->y);
    HS_TRY(hs_tile_evaluate(t, s->m, &t->at, HS_U));
    HS_TRY(hs_tile_evaluate(t, s->m, &s->y, HS_U));
    hs_library_log(s->known, d, (const hs_index_row *)t->at.x, of, here);
    hs_library_log(s->known, d, (const hs_index_row *)s->y.x, of, there);
    for (int l = 0; l < HS_LANES; l++)
        ratio[l] = s->y.u[l] == -HUGE_VAL
                       ? -HUGE_VAL
                       : s->y.u[l] - there[l] - (t->at.u[l] - here[l]);
    hs_tile_decide(t, ratio, accept);
    hs_tile_move(t, s->m, &s->y, accept);
    return HISS_OK;
}

/* After every step of a group. */
static hiss_status add_group(void *context, hs_group *g, int first,
                             int64_t step, hiss_error *err)
{
    struct sums *s = context;
    hs_tile *t = &g->tile[0];
    int own[HS_LANES] = {0};
    hiss_status rc = HISS_OK;

    (void)step;
    memcpy(own, s->of + first, (size_t)g->chains * sizeof *own);
    if (s->known)
        rc = redraw(s, t, own);
    if (rc == HISS_OK)
        rc = add_tile(s, t, own);
    return rc == HISS_OK ? rc : hs_group_fail(g, t, rc, "in", "", err);
}

/* Makes this many steps of every chain and adds a state after each. */
static hiss_status walk(struct sums *s, hs_pilot_chains *c,
                        const hs_pilot_request *request, int steps,
                        hs_pilot_account *account, hiss_error *err)
{
    return hs_pilot_chains_walk(
        c, s->m,
        &(hs_pilot_walk){.sampler = request->base,
                         .first_chain = request->first_chain,
                         .steps = steps,
                         .visit = add_group,
                         .context = s},
        account, err);
}

/* r of a mode, as far as its states say. */
static double roughness(const struct sums *s, int mode)
{
    const double *sum = s->b->share + (size_t)mode * (size_t)s->b->values;
    double n = s->states[mode], squares = 0.0, between, within;

    for (int v = 0; v < s->b->values; v++)
        squares += sum[v] / n * (sum[v] / n);
    between = (s->square[mode] / n - squares) * n / (n > 1.0 ? n - 1.0 : 1.0);
    within = s->b->dim - squares;
    if (!(between > 0.0))
        return 0.0;
    return between < within ? between / within : 1.0;
}

/* Steps that the mode with the fewest states lacks; 0: they are enough. */
static double lacking(const struct sums *s, const hs_pilot_chains *c,
                      const int *of)
{
    double most = 0.0;

    for (int k = 0; k < s->b->modes; k++) {
        double lanes = 0.0,
               need = fmax(hs_policy(HS_CONDITIONALS_PER_SITE) * s->b->dim,
                           hs_policy(HS_SAMPLES) * hs_policy(HS_MIN_STEPS));

        for (int l = 0; l < c->lanes; l++)
            lanes += of[l] == k;
        need *= s->states[k] > 0.0 ? roughness(s, k) : 0.0;
        need = fmax(need, HS_LANES);
        if (lanes > 0.0)
            most = fmax(most, (need - s->states[k]) / lanes);
    }
    return ceil(most);
}

/* Returns true if the means of the conditionals agree with the counts, within
 * chance. */
static bool fits(const struct sums *s, int mode, const double *counted,
                 double draws)
{
    const double *sum = s->b->share + (size_t)mode * (size_t)s->b->values;
    double apart = 0.0, chance = 0.0, deviations = hs_policy(HS_MODE_DISTANCE);

    for (int v = 0; v < s->b->values; v++) {
        double p = sum[v] / s->states[mode], off = counted[v] / draws - p;

        apart += off * off;
        chance += p * (1.0 - p) / draws;
    }
    return !(apart > deviations * deviations * chance);
}

/* The mean of n conditionals with r is worth n / r draws. */
static void learn(struct sums *s, const hs_pilot_chains *c, const int *of,
                  double *sum)
{
    hs_library *b = s->b;

    for (int k = 0; k < b->modes; k++) {
        double draws = hs_pilot_chains_sum(c, of, k, sum), n = s->states[k],
               worth;

        s->rough[k] = n > 0.0 ? roughness(s, k) : 1.0;
        if (n > 0.0 &&
            (s->is_exact || s->is_tested || fits(s, k, sum, draws))) {
            worth = n / fmax(s->rough[k], n / MAX_WORTH);
            for (int v = 0; v < b->values; v++)
                sum[v] = b->share[(size_t)k * (size_t)b->values + (size_t)v] /
                         n * worth;
        } else {
            s->states[k] = 0.0; /* nor are pairs */
        }
        hs_library_learn(b, &s->m->domain, k, sum, 1.0);
    }
}

/* Learns trees of the remaining dependence; a state is worth 1 / r draws. */
static hiss_status learn_trees(struct sums *s, hiss_error *err)
{
    hs_tree_evidence seen = {&s->pairs, s->states, s->rough};

    if (s->pairs.modes == 0)
        return HISS_OK;
    for (int k = 0; k < s->b->modes; k++)
        s->rough[k] = 1.0 / fmax(s->rough[k], SMOOTHEST);
    return hs_chow_liu_learn(s->b, &s->m->domain, &seen, err);
}

/* With more than two levels, a gradient is accurate only for the neighboring
 * levels. */
static bool has_levels(const hs_domain *d)
{
    for (int i = 0; i < d->dim; i++)
        if (d->kind[i] == HISS_ORDINAL && d->states[i] > 2)
            return true;
    return false;
}

/* Returns true if the gradient predicts nearly all differences of U.  They are
 * evaluated at a few coordinates, spread over the list, of sixteen states. */
static hiss_status test_gradient(struct sums *s, const hs_pilot_chains *c,
                                 const hs_pilot_request *request,
                                 hs_pilot_account *account, hiss_error *err)
{
    const hs_domain *d = &s->m->domain;
    int tests = d->dim < HS_LANES ? d->dim : HS_LANES, wrong = 0;
    double close = hs_policy(HS_AGREEMENT);
    hs_group *g;
    hs_tile *t;
    hiss_status rc;

    if (has_levels(d))
        return HISS_OK;
    HS_TRY(hs_group_create(&g, s->m, request->base, account->seed,
                           request->first_chain, HS_GROUP_CHAINS, err));
    t = &g->tile[0];
    for (int l = 0; l < g->chains; l++)
        hs_group_set(g, l, 0,
                     c->state + (size_t)(l % c->lanes) * (size_t)c->dim);
    rc = hs_tile_evaluate(t, s->m, &t->at, HS_U | HS_GRAD);
    for (int n = 0; rc == HISS_OK && n < tests; n++) {
        int i = (int)(d->dim * fmod(GOLDEN * n, 1.0));

        hs_model_linear(s->m, &t->at, i, s->value);
        memcpy(s->y.x, t->at.x, (size_t)d->dim * sizeof *s->y.x);
        for (int l = 0; l < HS_LANES; l++)
            s->y.x[i][l] = (int16_t)((t->at.x[i][l] + 1) % d->states[i]);
        s->y.have = 0;
        rc = hs_tile_evaluate(t, s->m, &s->y, HS_U);
        for (int l = 0; l < HS_LANES; l++) {
            double step = (double)s->value[s->y.x[i][l]][l] -
                          (double)s->value[t->at.x[i][l]][l];

            wrong += !(fabs(s->y.u[l] - t->at.u[l] - step) < close);
        }
    }
    if (rc != HISS_OK)
        rc = hs_group_fail(g, t, rc, "in", "", err);
    account->energy_evals += t->energy_evals * HS_GROUP_CHAINS;
    account->gradient_evals += t->gradient_evals * HS_GROUP_CHAINS;
    hs_group_destroy(g);
    s->is_tested = wrong < hs_policy(HS_NEGLIGIBLE) * tests * HS_LANES;
    return rc;
}

static hiss_status collect(struct sums *s, hs_pilot_chains *c, const int *of,
                           const hs_pilot_request *request,
                           hs_pilot_account *account, hiss_error *err)
{
    hs_pilot_request more = *request;
    double before = hs_pilot_account_spent(account), spent, cost, left;
    double most = request->budget / (c->lanes * (1.0 + c->cost)), steps;
    double first = fmax(1.0, fmin(lacking(s, c, of), floor(most)));

    if (s->known) /* all that there is */
        return walk(
            s, c, request,
            (int)fmax(1.0, request->budget / (c->lanes * (2.0 + c->cost))),
            account, err);
    HS_TRY(walk(s, c, request, (int)first, account, err));
    spent = hs_pilot_account_spent(account) - before;
    cost = fmax(spent / first, 1.0);
    left = (request->budget - spent) / cost;
    steps = fmin(lacking(s, c, of), left);
    if (!(steps >= 1.0))
        return HISS_OK;
    more.first_chain += (uint32_t)c->lanes;
    return walk(s, c, &more, (int)steps, account, err);
}

hiss_status hs_conditionals_learn(hs_library *b, const hs_library *known,
                                  hs_pilot_chains *c, const int *of,
                                  const hs_model *m,
                                  const hs_pilot_request *request,
                                  hs_pilot_account *account, hiss_error *err)
{
    struct sums s = {.b = b,
                     .of = of,
                     .m = m,
                     .known = known,
                     .is_exact = m->ops->differences || m->exact_rows,
                     .is_tested = known != NULL};
    double *sum = hs_alloc_array((size_t)b->values, sizeof *sum);
    hiss_status rc = hs_point_init(&s.y, m, err);

    memset(b->share, 0, (size_t)b->modes * (size_t)b->values * sizeof *sum);
    s.states = hs_alloc_array((size_t)b->modes, sizeof *s.states);
    s.square = hs_alloc_array((size_t)b->modes, sizeof *s.square);
    s.value = hs_alloc_array((size_t)m->domain.states_max, sizeof *s.value);
    s.rough = hs_alloc_array((size_t)b->modes, sizeof *s.rough);
    if (rc == HISS_OK &&
        (!sum || !s.states || !s.square || !s.rough || !s.value))
        rc = hs_fail_memory(err);
    if (rc == HISS_OK && !s.is_exact && !s.is_tested)
        rc = test_gradient(&s, c, request, account, err);
    if (rc == HISS_OK)
        rc = hs_pair_sums_init(&s.pairs, m, b->modes, err);
    if (rc == HISS_OK)
        rc = collect(&s, c, of, request, account, err);
    if (rc == HISS_OK) {
        learn(&s, c, of, sum);
        rc = learn_trees(&s, err);
    }
    hs_pair_sums_clear(&s.pairs);
    hs_point_clear(&s.y);
    hs_free(s.rough);
    hs_free(sum);
    hs_free(s.states);
    hs_free(s.square);
    hs_free(s.value);
    return rc;
}
