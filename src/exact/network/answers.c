/* answers.c - sums weighted draws.
 *
 * A draw x has the weight w = p(x) / q(x).  Z is the mean weight.  The mean of
 * f is sum w f / sum w, and its squared error is about sum w^2 (f - mean)^2 /
 * (sum w)^2. */
#include "exact/network/answers.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/exponential.h"
#include "base/logarithm.h"
#include "exact/network/network.h"

#define BUILD 1e11 /* multiplications of the network: about a minute, */
#define WORK  2e10 /* most multiplications of all draws: about 10 s */
/* effective draws: with fewer, the estimate of their error is unreliable */
#define LEAST 30.0
#define ROUND 1e-13 /* relative rounding error of log Z */

enum {
    DRAWS_LEAST = 512,
    DRAWS_MOST = 16384
};

/* Sums over weights w and their squares. */
struct sums {
    const hs_network *n;
    hs_network_scratch *scratch; /* owned */
    hs_index_row *x;             /* owned, [dim] */
    double *value, *square;      /* owned, [value_count]: where x_i = v */
    double w, w2, u, w2u, w2u2;  /* weighted sums of 1, U - guide_u and its
                                    square */
    double guide, guide_u;       /* subtracted from ln w and U */
    double draws;
};

void hs_network_answers_clear(hs_network_answers *a)
{
    hs_free(a->marginal);
    hs_free(a->error);
    hs_free(a->best);
    *a = (hs_network_answers){0};
}

static void sums_clear(struct sums *s)
{
    hs_network_scratch_destroy(s->scratch);
    hs_network_release(s->n);
    hs_free(s->x);
    hs_free(s->value);
    hs_free(s->square);
}

static hiss_status sums_init(struct sums *s, const hs_model *m,
                             const hs_poll *poll, hiss_error *err)
{
    const hs_network_request request = {.most = BUILD, .poll = poll};
    size_t values = (size_t)m->domain.value_count;

    HS_TRY(hs_network_hold(&s->n, m, &request, err));
    HS_TRY(hs_network_scratch_create(&s->scratch, s->n, err));
    s->x = hs_alloc_array((size_t)m->domain.dim, sizeof *s->x);
    s->value = hs_alloc_array(values, sizeof *s->value);
    s->square = hs_alloc_array(values, sizeof *s->square);
    return s->x && s->value && s->square ? HISS_OK : hs_fail_memory(err);
}

/* Adds a draw with its weight. */
static void add_draw(struct sums *s, const hs_domain *d, int lane, double u,
                     double w)
{
    double w2 = w * w, du = u - s->guide_u;

    s->w += w;
    s->w2 += w2;
    s->u += w * du;
    s->w2u += w2 * du;
    s->w2u2 += w2 * du * du;
    for (int i = 0; i < d->dim; i++) {
        s->value[d->value[i] + s->x[i][lane]] += w;
        s->square[d->value[i] + s->x[i][lane]] += w2;
    }
}

static void note_best(hs_network_answers *a, const struct sums *s,
                      const hs_domain *d, int lane, double u)
{
    if (s->draws > 0.0 && u <= a->max_u)
        return;
    a->max_u = u;
    for (int i = 0; i < d->dim; i++)
        a->best[i] = s->x[i][lane];
}

static void add_batch(hs_network_answers *a, struct sums *s, const hs_domain *d,
                      int64_t number)
{
    hs_network_address address = {.seed = 0};
    double log_q[HS_LANES], u[HS_LANES];

    for (int l = 0; l < HS_LANES; l++) {
        address.chain[l] = (uint32_t)l;
        address.clock[l] = (uint64_t)number;
    }
    hs_network_draw(s->n, s->scratch, &address, s->x, log_q);
    hs_network_energy(s->n, (const hs_index_row *)s->x, u);
    if (number == 0) {
        s->guide = s->guide_u = -HUGE_VAL;
        for (int l = 0; l < HS_LANES; l++) {
            s->guide = fmax(s->guide, u[l] - log_q[l]);
            s->guide_u = fmax(s->guide_u, u[l]);
        }
    }
    for (int l = 0; l < HS_LANES; l++) {
        note_best(a, s, d, l, u[l]);
        if (u[l] > -HUGE_VAL && s->guide > -HUGE_VAL)
            add_draw(s, d, l, u[l], hs_exponential(u[l] - log_q[l] - s->guide));
        s->draws += 1.0;
    }
}

static hiss_status finish(hs_network_answers *a, const struct sums *s,
                          const hs_domain *d, hiss_error *err)
{
    double spread = s->draws * s->w2 / (s->w * s->w) - 1.0, mean;

    a->draws = s->draws;
    a->effective = s->w * s->w / s->w2;
    a->bond = hs_network_about(s->n)->bond;
    if (hs_network_about(s->n)->missing > HS_NETWORK_MISSING)
        return hs_fail(err, HISS_ELIMIT,
                       "a tensor network with bonds up to %d misses states "
                       "that annealing finds, by a factor of e^%.3g: there are "
                       "no nearly exact answers for this model",
                       a->bond, hs_network_about(s->n)->missing);
    if (!(a->effective >= LEAST))
        return hs_fail(err, HISS_ELIMIT,
                       "only %.3g of %.0f weighted draws from a tensor network "
                       "with bonds up to %d count: there are no nearly exact "
                       "answers for this model",
                       s->w2 > 0.0 ? a->effective : 0.0, a->draws, a->bond);
    a->log_z = s->guide + hs_logarithm(s->w / s->draws);
    a->log_z_se =
        sqrt(fmax(spread, 0.0) / (s->draws - 1.0)) + ROUND * fabs(a->log_z);
    mean = s->u / s->w;
    a->mean_u = s->guide_u + mean;
    a->mean_u_se =
        sqrt(fmax(s->w2u2 - 2.0 * mean * s->w2u + mean * mean * s->w2, 0.0)) /
        s->w;
    for (int v = 0; v < d->value_count; v++) {
        double p = s->value[v] / s->w, in = s->square[v];

        a->marginal[v] = p;
        a->error[v] =
            sqrt(fmax((1.0 - p) * (1.0 - p) * in + p * p * (s->w2 - in), 0.0)) /
            s->w;
    }
    return HISS_OK;
}

/* Number of draws that WORK allows. */
static int64_t count_draws(const hs_network *n)
{
    double each = fmax(1.0, hs_network_about(n)->draw_work);

    if (WORK / each < DRAWS_LEAST)
        return DRAWS_LEAST;
    return WORK / each < DRAWS_MOST ? (int64_t)(WORK / each) : DRAWS_MOST;
}

static hiss_status add_all(hs_network_answers *a, struct sums *s,
                           const hs_model *m, const hs_poll *poll,
                           hiss_error *err)
{
    int64_t draws = count_draws(s->n);

    a->marginal =
        hs_alloc_array((size_t)m->domain.value_count, sizeof *a->marginal);
    a->error = hs_alloc_array((size_t)m->domain.value_count, sizeof *a->error);
    a->best = hs_alloc_array((size_t)m->domain.dim, sizeof *a->best);
    if (!a->marginal || !a->error || !a->best)
        return hs_fail_memory(err);
    for (int64_t n = 0; n * HS_LANES < draws; n++) {
        if (hs_poll_stops(poll))
            return hs_fail(err, HISS_ESTOP, "stopped on request");
        add_batch(a, s, &m->domain, n);
    }
    return finish(a, s, &m->domain, err);
}

hiss_status hs_network_answer(hs_network_answers *a, const hs_model *m,
                              const hs_poll *poll, hiss_error *err)
{
    struct sums s = {0};
    hiss_status rc;

    *a = (hs_network_answers){0};
    rc = sums_init(&s, m, poll, err);
    if (rc == HISS_OK)
        rc = add_all(a, &s, m, poll, err);
    sums_clear(&s);
    if (rc != HISS_OK)
        hs_network_answers_clear(a);
    return rc;
}
