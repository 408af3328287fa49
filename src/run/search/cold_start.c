/* cold_start.c - finds the temperature whose network gives the best draws. */
#include "run/search/cold_start.h"

#include <math.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "model/factors.h"
#include "run/search/optimize.h"

#define SHARE    0.35 /* fraction of a budget */
#define SPEED    1e7  /* updates of sites per second, about */
#define BOND     8    /* enough for starting states */
#define DOUBLED  5    /* most doublings of beta */
#define FIRST    16.0 /* times hot: networks of hotter models draw no better */
#define ATTEMPTS 4.0  /* number of networks built, about */

void hs_cold_start_clear(hs_cold_start *c)
{
    hs_network_release(c->network);
    *c = (hs_cold_start){0};
}

/* The best of sixteen draws, by the model's own U. */
static hiss_status best_draw(double *best, const hs_cold_start *c, int dim,
                             hiss_error *err)
{
    hs_network_address address = {.seed = 0};
    hs_index_row *x = hs_alloc_array((size_t)dim, sizeof *x);
    double log_q[HS_LANES], u[HS_LANES];
    hs_network_scratch *s = NULL;
    hiss_status rc = x ? HISS_OK : hs_fail_memory(err);

    *best = -HUGE_VAL;
    if (rc == HISS_OK)
        rc = hs_network_scratch_create(&s, c->network, err);
    for (int l = 0; l < HS_LANES; l++)
        address.chain[l] = HS_PILOT_CHAIN + (uint32_t)l;
    if (rc == HISS_OK) {
        hs_network_draw(c->network, s, &address, x, log_q);
        hs_network_energy(c->network, (const hs_index_row *)x, u);
    }
    for (int l = 0; rc == HISS_OK && l < HS_LANES; l++)
        *best = fmax(*best, u[l] / c->beta);
    hs_network_scratch_destroy(s);
    hs_free(x);
    return rc;
}

static hiss_status make(hs_cold_start *c, const hs_model *m, double beta,
                        const hs_poll *poll, double *best, hiss_error *err)
{
    const hs_network_request request = {
        .bond = BOND, .beta = beta, .poll = poll};

    *c = (hs_cold_start){.beta = beta};
    HS_TRY(hs_network_hold(&c->network, m, &request, err));
    c->sweeps = hs_network_about(c->network)->sweeps;
    c->draw = hs_network_about(c->network)->draw_sweeps * HS_LANES;
    return best_draw(best, c, m->domain.dim, err);
}

static bool is_affordable(const hs_model *m, double most)
{
    hs_network_price price;
    hs_factors f;
    double sweep;

    if (!m->ops->factors || m->is_dense || m->domain.is_tour || !(most > 0.0) ||
        hs_network_weigh(&price, m, BOND, NULL) != HISS_OK ||
        m->ops->factors(m, &f, NULL) != HISS_OK)
        return false;
    sweep = fmax(1.0, hs_factors_sweep(&f));
    hs_factors_clear(&f);
    return ATTEMPTS * price.set_up / sweep <= most;
}

/* Most sweeps of single sites.  With a budget of evaluations a seed gives the
 * same result. */
static double most_sweeps(const hs_search *set, int dim)
{
    if (set->restarts > 0 || set->hot > 0.0 || set->cold > 0.0)
        return 0.0;
    return set->evals > 0.0 ? SHARE * set->evals
                            : SHARE * set->time_limit * SPEED / dim;
}

/* Whether time is over. */
static int is_late(void *until)
{
    return hs_now() > *(const double *)until;
}

hiss_status hs_cold_start_init(hs_cold_start *c, const hs_model *m, double hot,
                               const hs_search *search, double started,
                               hiss_error *err)
{
    double best = -HUGE_VAL, spent = 0.0;
    double until = search->time_limit > 0.0
                       ? started + SHARE * search->time_limit
                       : HUGE_VAL;
    const hs_poll poll = {is_late, &until};

    *c = (hs_cold_start){0};
    if (!is_affordable(m, most_sweeps(search, m->domain.dim)))
        return HISS_OK;
    for (int n = 0; n < DOUBLED; n++) {
        hs_cold_start next;
        double found;
        hiss_status rc =
            make(&next, m, FIRST * hot * ldexp(1.0, n), &poll, &found, err);

        spent += next.sweeps;
        if (rc != HISS_OK || !(found > best)) {
            hs_cold_start_clear(&next);
            c->sweeps = spent;
            return rc == HISS_ENOMEM || rc == HISS_EUNSUP || rc == HISS_ESTOP
                       ? HISS_OK
                       : rc;
        }
        hs_cold_start_clear(c);
        *c = next;
        best = found;
    }
    c->sweeps = spent;
    return HISS_OK;
}
