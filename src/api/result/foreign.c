/* foreign.c - draws of another program as a result.
 *
 * Its values of U are compared with the model's.  Programs omit constants, and
 * samplers of optimization give an energy E with U = c - beta E.  A straight
 * line through all pairs detects both. */
#include <math.h>

#include "api/object/manifest.h"
#include "api/object/objects.h"
#include "api/object/sized.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "base/read/json.h"

#define BYTES_MOST 4e9 /* bytes of draws in memory; more go to a file */
/* relative to the range: models sum in single precision */
#define NEAR       1e-3
#define CHAINS_MAX 1000000
#define DRAWS_MAX  ((int64_t)1 << 40)

/* The index of a value, or -1.  Two-valued numbers may be given as those of the
 * other kind. */
static int index_of(const hs_domain *d, int i, double value, bool is_other)
{
    const float *values = d->values + d->value[i];

    if (is_other && d->states[i] == 2)
        return value == 1.0                                      ? 1
               : value == (d->kind[i] == HISS_SPIN ? 0.0 : -1.0) ? 0
                                                                 : -1;
    for (int v = 0; v < d->states[i]; v++)
        if ((double)values[v] == value)
            return v;
    return -1;
}

/* Position of the first invalid value; -1 if there is none. */
static int64_t first_odd(const hs_domain *d, const hiss_foreign_draws *f,
                         bool is_other)
{
    int64_t total = f->chains * f->samples * d->dim;

    for (int64_t k = 0; k < total; k++)
        if (index_of(d, (int)(k % d->dim), f->draws[k], is_other) < 0)
            return k;
    return -1;
}

static hiss_status fail_value(const hs_domain *d, const hiss_foreign_draws *f,
                              int64_t at, hiss_error *err)
{
    int64_t draw = at / d->dim;
    int i = (int)(at % d->dim);
    const float *values = d->values + d->value[i];

    return hs_fail(err, HISS_EARG,
                   "%s: chain %lld, draw %lld: x.%d is %.9g, which is none of "
                   "its %d values, %g to %g",
                   f->name, (long long)(draw / f->samples),
                   (long long)(draw % f->samples), i + 1, f->draws[at],
                   d->states[i], (double)values[0],
                   (double)values[d->states[i] - 1]);
}

/* Converts sixteen draws at a time, with U by the model. */
static hiss_status fill(hiss_result *r, const hs_model *m,
                        const hiss_foreign_draws *f, bool is_other,
                        hiss_error *err)
{
    int64_t total = f->chains * f->samples;
    int dim = m->domain.dim;
    hs_point p;
    hiss_status rc;

    HS_TRY(hs_point_init(&p, m, err));
    for (int64_t first = 0; first < total; first += HS_LANES) {
        for (int l = 0; l < HS_LANES; l++) {
            int64_t n = first + l < total ? first + l : first;

            for (int i = 0; i < dim; i++)
                p.x[i][l] = (int16_t)index_of(&m->domain, i,
                                              f->draws[n * dim + i], is_other);
        }
        p.have = 0;
        rc = hs_model_evaluate(m, &p, HS_U);
        if (rc != HISS_OK) {
            rc = hs_fail_model(err, rc, m, &p.fault, "");
            hs_point_clear(&p);
            return rc;
        }
        for (int l = 0; l < HS_LANES && first + l < total; l++)
            hs_store_put(&r->run.store, (int)((first + l) / f->samples),
                         (first + l) % f->samples, p.x, l, p.u[l], NAN);
    }
    hs_point_clear(&p);
    return HISS_OK;
}

/* lp = a + b U, and the distance of the farthest pair. */
struct line {
    double a, b, apart, range; /* range of U */
    int64_t at;                /* the farthest pair */
    int64_t finite;
};

static struct line fit(const double *u, const double *lp, int64_t n)
{
    struct line f = {.b = 1.0};
    double mu = 0.0, ml = 0.0, uu = 0.0, ul = 0.0, low = INFINITY,
           high = -INFINITY;

    for (int64_t k = 0; k < n; k++)
        if (isfinite(u[k]) && isfinite(lp[k])) {
            f.finite++;
            mu += (u[k] - mu) / (double)f.finite;
            ml += (lp[k] - ml) / (double)f.finite;
            low = fmin(low, u[k]);
            high = fmax(high, u[k]);
        }
    for (int64_t k = 0; k < n; k++)
        if (isfinite(u[k]) && isfinite(lp[k])) {
            uu += (u[k] - mu) * (u[k] - mu);
            ul += (u[k] - mu) * (lp[k] - ml);
        }
    f.range = f.finite > 0 ? high - low : 0.0;
    f.b = uu > 0.0 ? ul / uu : 1.0;
    f.a = ml - f.b * mu;
    for (int64_t k = 0; k < n; k++)
        if (isfinite(u[k]) && isfinite(lp[k]) &&
            fabs(lp[k] - f.a - f.b * u[k]) > f.apart) {
            f.apart = fabs(lp[k] - f.a - f.b * u[k]);
            f.at = k;
        }
    return f;
}

static void compare_energies(hiss_result *r, const hiss_foreign_draws *f,
                             bool *failed)
{
    struct line line = fit(r->run.store.lp, f->lp, f->chains * f->samples);
    double near = NEAR * (1.0 + fabs(line.b) * (line.range + fabs(line.a)));
    double unit = NEAR * 10.0;
    bool is_fit = line.apart <= near;
    char text[256];

    if (line.finite == 0)
        return;
    if (is_fit && fabs(line.b - 1.0) <= unit)
        hs_snprintf(
            text, sizeof text,
            "what its program says of log p agrees with the model's, but "
            "for a constant of %.6g",
            line.a);
    else if (is_fit && line.b < 0.0)
        hs_snprintf(text, sizeof text,
                    "its energies E agree with the model's log p = c - %.6g E",
                    -1.0 / line.b);
    else if (is_fit)
        hs_snprintf(text, sizeof text,
                    "what its program says of log p is %.6g times the model's: "
                    "another temperature, beta %.6g",
                    line.b, line.b);
    else
        hs_snprintf(
            text, sizeof text,
            "what its program says of log p is not the model's: %.6g in "
            "chain %lld, draw %lld, where it is %.6g; is it another "
            "model, or another order of the coordinates?",
            f->lp[line.at], (long long)(line.at / f->samples),
            (long long)(line.at % f->samples), r->run.store.lp[line.at]);
    hs_json_put_text(r->manifest,
                     is_fit && (line.b < 0.0 || fabs(line.b - 1.0) <= unit)
                         ? "lp_agrees"
                         : "lp_differs",
                     text, failed);
}

static hiss_status build(hiss_result *r, const hs_model *m,
                         const hiss_foreign_draws *f, hiss_error *err)
{
    hiss_run_info *info = &r->run.info;
    bool failed = false, is_other = false;
    int64_t odd = first_odd(&m->domain, f, false);

    if (odd >= 0) {
        is_other = first_odd(&m->domain, f, true) < 0;
        if (!is_other)
            return fail_value(&m->domain, f, odd, err);
    }
    *info = (hiss_run_info){.chains = f->chains,
                            .dim = m->domain.dim,
                            .replicas = 1,
                            .samples = f->samples,
                            .thin = 1,
                            .seed = 1,
                            .threads = 1,
                            .ranks = 1,
                            .is_exact = 1};
    r->is_foreign = true;
    r->manifest = json_object();
    if (!r->manifest)
        return hs_fail_memory(err);
    HS_TRY(hs_domain_copy(&r->domain, &m->domain, err));
    HS_TRY(hs_store_init(&r->run.store, &r->domain, f->chains, f->samples,
                         BYTES_MOST, err));
    info->element = r->run.store.element;
    HS_TRY(fill(r, m, f, is_other, err));
    hs_json_put_text(r->manifest, "model", m->name, &failed);
    hs_json_put_text(r->manifest, "drawn_by", f->name, &failed);
    if (f->lp)
        compare_energies(r, f, &failed);
    return failed ? hs_fail_memory(err) : HISS_OK;
}

hiss_status hiss_result_adopt(hiss_result **out, const hiss_model *model,
                              const hiss_foreign_draws *draws, hiss_error *err)
{
    hiss_foreign_draws f = {.size = sizeof f};
    hiss_result *r;
    hiss_status rc;

    if (out)
        *out = NULL;
    if (!out || !model || !draws)
        return hs_fail(err, HISS_EARG,
                       "hiss_result_adopt: an argument is NULL");
    HS_TRY(hs_sized_read(&f, sizeof f, draws, "hiss_foreign_draws", err));
    f.name = f.name && *f.name ? f.name : "the draws";
    if (!f.draws)
        return hs_fail(err, HISS_EARG, "hiss_foreign_draws: draws is NULL");
    if (f.chains < 1 || f.chains > CHAINS_MAX)
        return hs_fail(err, HISS_EARG, "chains must be in [1,%d], not %d",
                       CHAINS_MAX, f.chains);
    if (f.samples < 1 || f.samples > DRAWS_MAX)
        return hs_fail(err, HISS_EARG, "there are %lld draws of a chain",
                       (long long)f.samples);
    r = hs_alloc_array(1, sizeof *r);
    if (!r)
        return hs_fail_memory(err);
    rc = build(r, model->model, &f, err);
    if (rc != HISS_OK) {
        hiss_result_destroy(r);
        return rc;
    }
    *out = r;
    return HISS_OK;
}
