/* basin.c - how much of the law lies around a state? */
#include "run/atlas/basin.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/tile.h"
#include "run/atlas/pilot_chains.h"
#include "run/policy/policy.h"

/* Turns the counts of all lanes into their distribution. */
static hiss_status learn(hs_basin *b, const hs_pilot_chains *c,
                         const hs_domain *d, hiss_error *err)
{
    double *sum = hs_alloc_array((size_t)c->values, sizeof *sum);

    if (!sum)
        return hs_fail_memory(err);
    hs_pilot_chains_sum(c, NULL, 0, sum);
    hs_library_learn(b->law, d, 0, sum, 1.0);
    b->least = b->law->typical[0] -
               hs_policy(HS_MODE_DISTANCE) * b->law->spread[0] - 1.0;
    hs_free(sum);
    return HISS_OK;
}

static hiss_status walk(hs_basin *b, const hs_model *m, const int16_t *state,
                        const hs_basin_request *request,
                        hs_pilot_account *account, hiss_error *err)
{
    hs_pilot_walk run = {.sampler = request->sampler,
                         .first_chain = request->first_chain,
                         .discard = request->discard,
                         .steps = (request->steps + 1) / 2};
    size_t dim = (size_t)m->domain.dim;
    hs_pilot_chains chains;
    hiss_status rc;

    HS_TRY(hs_pilot_chains_init(&chains, m, HS_LANES, err));
    for (int l = 0; l < HS_LANES; l++)
        memcpy(chains.state + (size_t)l * dim, state, dim * sizeof *state);
    rc = hs_pilot_chains_count(&chains, m, &run, account, err);
    if (rc == HISS_OK)
        rc = learn(b, &chains, &m->domain, err);
    hs_pilot_chains_clear(&chains);
    return rc;
}

/* Sums of e^exponent and of its square, relative to the largest. */
struct sums {
    double max, first, second, count;
};

static void add(struct sums *s, double exponent)
{
    s->count += 1.0;
    if (exponent == -HUGE_VAL)
        return;
    if (s->first == 0.0 || exponent > s->max) {
        double fall = s->first == 0.0 ? 0.0 : exp(s->max - exponent);

        s->first *= fall;
        s->second *= fall * fall;
        s->max = exponent;
    }
    s->first += exp(exponent - s->max);
    s->second += exp(2.0 * (exponent - s->max));
}

/* Returns true if the state of a lane, with that ln q, is in the basin. */
static bool is_in(const hs_basin *b, const hs_domain *d, const hs_index_row *x,
                  int lane, double log_q)
{
    double log_r = 0.0;

    for (int i = 0; b->other && i < d->dim; i++)
        log_r += b->other[d->value[i] + x[i][lane]];
    return log_q >= b->least && (!b->other || log_q + b->margin >= log_r);
}

static hiss_status weigh(hs_basin *b, const hs_model *m, hs_tile *t, int draws,
                         hs_pilot_account *account, hiss_error *err)
{
    struct sums s = {0};
    double log_q[HS_LANES];
    int of[HS_LANES] = {0};
    hs_pilot_mark before = hs_pilot_account_mark(account);

    for (int n = 0; n < draws; n += HS_LANES) {
        hiss_status rc;

        t->rng.clock = (uint64_t)n;
        hs_library_draw_states(b->law, &m->domain, &t->rng, of, &t->at);
        rc = hs_tile_evaluate(t, m, &t->at, HS_U);
        if (rc != HISS_OK)
            return hs_fail_model(err, rc, m, &t->fault,
                                 "in a search for modes");
        hs_library_log(b->law, &m->domain, (const hs_index_row *)t->at.x, of,
                       log_q);
        for (int l = 0; l < HS_LANES; l++)
            add(&s,
                is_in(b, &m->domain, (const hs_index_row *)t->at.x, l, log_q[l])
                    ? t->at.u[l] - log_q[l]
                    : -HUGE_VAL);
        hs_pilot_account_enter(account, before, t->energy_evals * HS_LANES,
                               t->gradient_evals * HS_LANES);
        HS_TRY(hs_pilot_account_report(account, err));
    }
    if (s.first > 0.0) {
        b->log_z = s.max + log(s.first / s.count);
        b->error =
            sqrt(fmax(s.second / (s.first * s.first) - 1.0 / s.count, 0.0));
    }
    return HISS_OK;
}

hiss_status hs_basin_init(hs_basin *b, const hs_model *m, const int16_t *state,
                          const hs_basin_request *request,
                          hs_pilot_account *account, hiss_error *err)
{
    hs_tile tile;
    hiss_status rc;

    *b = (hs_basin){.log_z = -HUGE_VAL,
                    .error = 1.0,
                    .other = request->other,
                    .margin = request->margin};
    HS_TRY(hs_library_create(&b->law, &m->domain, 1, err));
    rc = walk(b, m, state, request, account, err);
    if (rc == HISS_OK && request->draws > 0) {
        rc = hs_tile_init(&tile, m, account->seed, err);
        tile.lanes = HS_LANES;
        for (int l = 0; rc == HISS_OK && l < HS_LANES; l++)
            tile.rng.chain[l] = request->first_chain + HS_LANES + (uint32_t)l;
        if (rc == HISS_OK)
            rc = weigh(b, m, &tile, request->draws, account, err);
        hs_tile_clear(&tile);
    }
    if (rc != HISS_OK)
        hs_basin_clear(b);
    return rc;
}

void hs_basin_clear(hs_basin *b)
{
    hs_library_destroy(b->law);
    *b = (hs_basin){0};
}

double hs_basin_log(const hs_basin *b, const hs_domain *d, const int16_t *state)
{
    double sum = 0.0, other = 0.0;

    for (int i = 0; i < d->dim; i++) {
        sum += (double)b->law->log_share[d->value[i] + state[i]];
        other += b->other ? b->other[d->value[i] + state[i]] : 0.0;
    }
    return sum >= b->least && (!b->other || sum + b->margin >= other)
               ? sum
               : -HUGE_VAL;
}
