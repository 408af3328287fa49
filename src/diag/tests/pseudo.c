/* pseudo.c - maximum pseudo-likelihood in one dimension. */
#include "diag/tests/pseudo.h"

#include <math.h>
#include <stdbool.h>

#include "base/alloc.h"
#include "base/error.h"
#include "diag/chains/mcse.h"

#define STEPS_MAX 200   /* Newton's method takes about eight */
#define CLOSE     1e-10 /* relative */
#define DRAWS_MIN 4     /* of a chain, for an autocorrelation */

/* Sums over all draws. */
struct sums {
    double score, information;
};

/* Adds a site: the values v have weights exp(beta change[v]), its own value has
 * weight 1. */
static void add_site(const float *change, int others, double beta,
                     struct sums *s)
{
    double top = 0.0, weight, mean = 0.0, square = 0.0;

    for (int v = 0; v < others; v++)
        if (!isinf(change[v]))
            top = fmax(top, beta * (double)change[v]);
    weight = exp(-top);
    for (int v = 0; v < others; v++) {
        double d = (double)change[v], w;

        if (isinf(change[v]))
            continue;
        w = exp(beta * d - top);
        weight += w;
        mean += w * d;
        square += w * d * d;
    }
    mean /= weight;
    s->score -= mean;
    s->information += fmax(square / weight - mean * mean, 0.0);
}

/* Writes the score of every draw if score is not NULL. */
static struct sums sum_up(const hs_conditionals *c, double beta, double *score)
{
    struct sums all = {0};
    const float *change = c->change;

    for (int64_t n = 0; n < c->chains * c->draws; n++) {
        struct sums own = {0};

        for (int i = 0; i < c->sites; i++) {
            add_site(change, c->others[i], beta, &own);
            change += c->others[i];
        }
        if (score)
            score[n] = own.score;
        all.score += own.score;
        all.information += own.information;
    }
    return all;
}

/* Newton's method between bounds, for a score that decreases. */
static double solve(const hs_conditionals *c)
{
    struct sums s = sum_up(c, 0.0, NULL);
    double near = 0.0, far, beta;

    if (s.score == 0.0 || s.information == 0.0)
        return 0.0;
    beta = far = s.score / s.information;
    /* until the score changes its sign */
    for (int n = 0; n < STEPS_MAX; n++) {
        struct sums there = sum_up(c, far, NULL);

        if (there.score * s.score <= 0.0)
            break;
        near = far;
        beta = far = 2.0 * far;
    }
    for (int n = 0; n < STEPS_MAX && fabs(far - near) > CLOSE * fabs(far);
         n++) {
        struct sums here = sum_up(c, beta, NULL);
        double next = beta + here.score / here.information;

        if (here.score * s.score > 0.0)
            near = beta;
        else
            far = beta;
        if (!(next > fmin(near, far) && next < fmax(near, far)))
            next = 0.5 * (near + far);
        if (fabs(next - beta) <= CLOSE * fabs(next))
            return next;
        beta = next;
    }
    return beta;
}

/* The standard error of the sum of scores.  Of independent draws its square is
 * also the information, which is the better estimate if few sites change. */
static hiss_status spread(const hs_conditionals *c, const double *score,
                          double *out, hiss_error *err)
{
    double total = (double)c->chains * (double)c->draws, mean = 0.0;
    double square = 0.0, mcse = NAN;

    for (int64_t n = 0; n < c->chains * c->draws; n++)
        mean += score[n] / total;
    for (int64_t n = 0; n < c->chains * c->draws; n++)
        square += (score[n] - mean) * (score[n] - mean);
    *out = total > 1.0 ? sqrt(square * total / (total - 1.0)) : 0.0;
    if (c->draws < DRAWS_MIN)
        return HISS_OK;
    HS_TRY(hs_mcse_mean(score, c->chains, c->draws, &mcse, err));
    if (mcse > 0.0)
        *out = mcse * total;
    return HISS_OK;
}

static hiss_status fit(hs_pseudo *out, const hs_conditionals *c, double *score,
                       hiss_error *err)
{
    struct sums at;
    double error;

    at = sum_up(c, 1.0, score);
    HS_TRY(spread(c, score, &error, err));
    out->sigmas = fabs(at.score) / fmax(error, sqrt(at.information));
    if (isinf(out->beta))
        return HISS_OK;
    out->beta = solve(c);
    at = sum_up(c, out->beta, score);
    HS_TRY(spread(c, score, &error, err));
    out->error = (error > 0.0 ? error : sqrt(at.information)) / at.information;
    return HISS_OK;
}

hiss_status hs_pseudo_fit(hs_pseudo *out, const hs_conditionals *c,
                          hiss_error *err)
{
    bool can_rise = false, can_fall = false;
    double *score;
    hiss_status rc;

    *out = (hs_pseudo){.beta = NAN, .error = NAN, .sigmas = 0.0};
    for (int64_t k = 0; k < c->chains * c->draws * c->width; k++) {
        can_rise = can_rise || c->change[k] > 0.0f;
        can_fall = can_fall || (c->change[k] < 0.0f && !isinf(c->change[k]));
    }
    if (!can_rise && !can_fall)
        return HISS_OK;
    if (!can_rise)
        out->beta = HUGE_VAL;
    if (!can_fall)
        out->beta = -HUGE_VAL;
    score = hs_alloc_array((size_t)(c->chains * c->draws), sizeof *score);
    rc = score ? fit(out, c, score, err) : hs_fail_memory(err);
    hs_free(score);
    return rc;
}
