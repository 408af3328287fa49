/* curvature.c - finds the directions in which U bends upwards most. */
#include "kernel/baselines/curvature.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/random/rng.h"
#include "base/random/streams.h"
#include "lanes/lanes.h"

#define ITERATIONS 12
#define PAIRS      2 /* batches of sixteen, per iteration */
#define BLOCK      64

struct finder {
    const hs_model *m;
    hs_rng rng;
    hs_point x, other;    /* owned */
    double *e, *image;    /* owned, [rows] */
    hs_float_row *buffer; /* owned: rows of a local gradient */
};

static void clear(struct finder *f)
{
    hs_point_clear(&f->x);
    hs_point_clear(&f->other);
    hs_free(f->e);
    hs_free(f->image);
    hs_free(f->buffer);
}

static hiss_status init(struct finder *f, const hs_model *m, hiss_error *err)
{
    size_t rows = (size_t)m->domain.rows;
    size_t block = (size_t)BLOCK * (size_t)m->domain.states_max;

    *f = (struct finder){.m = m};
    for (int l = 0; l < HS_LANES; l++)
        f->rng.chain[l] = hs_stream(HS_STREAM_WARMUP, (uint32_t)l);
    HS_TRY(hs_point_init(&f->x, m, err));
    HS_TRY(hs_point_init(&f->other, m, err));
    f->e = hs_alloc_array(rows, sizeof *f->e);
    f->image = hs_alloc_array(rows, sizeof *f->image);
    f->buffer = hs_alloc_array(block, sizeof *f->buffer);
    return f->e && f->image && f->buffer ? HISS_OK : hs_fail_memory(err);
}

static bool is_label(const hs_domain *d, int i)
{
    return d->kind[i] == HISS_CATEGORICAL;
}

/* Range of a numeric coordinate. */
static double range_of(const hs_domain *d, int i)
{
    const float *v = d->values + d->value[i];

    return is_label(d, i) ? 1.0 : (double)v[d->states[i] - 1] - (double)v[0];
}

/* Makes a column orthogonal to the earlier ones, of length 1, and with labels
 * that sum to 0; false if nothing remains. */
static bool tidy(const hs_curvature *c, const hs_domain *d, double *e)
{
    double length = 0.0;

    for (int i = 0; i < d->dim; i++) {
        double mean = 0.0;

        for (int r = d->row[i]; is_label(d, i) && r < d->row[i + 1]; r++)
            mean += e[r] / d->states[i];
        for (int r = d->row[i]; r < d->row[i + 1]; r++)
            e[r] = d->states[i] > 1 ? e[r] - mean : 0.0;
    }
    for (int k = 0; k < c->rank; k++) {
        double dot = 0.0, norm = 0.0;

        for (int r = 0; r < c->rows; r++) {
            double b = (double)c->b[r * c->most + k];

            dot += b * e[r];
            norm += b * b;
        }
        for (int r = 0; norm > 0.0 && r < c->rows; r++)
            e[r] -= dot / norm * (double)c->b[r * c->most + k];
    }
    for (int r = 0; r < c->rows; r++)
        length += e[r] * e[r];
    length = sqrt(length);
    for (int r = 0; length > 0.0 && r < c->rows; r++)
        e[r] /= length;
    return length > 1e-12 && length < HUGE_VAL;
}

/* The largest c for which c e is the mean difference of two states. */
static double scale_of(const hs_domain *d, const double *e)
{
    double most = 0.0;

    for (int i = 0; i < d->dim; i++)
        for (int r = d->row[i]; r < d->row[i + 1]; r++)
            most = fmax(most, fabs(e[r]) *
                                  (is_label(d, i) ? 0.5 * d->states[i] : 1.0));
    return 1.0 / most;
}

/* The index at u of a distribution tilted towards e, or away from it: ends of a
 * range with probabilities (1 +- c e) / 2, labels with 1/n +- c e / 2. */
static int lean(const hs_domain *d, const double *e, int i, double u, double c)
{
    int n = d->states[i];

    if (!is_label(d, i))
        return u < 0.5 * (1.0 + c * e[d->row[i]]) ? n - 1 : 0;
    for (int v = 0; v < n - 1; v++) {
        u -= 1.0 / n + 0.5 * c * e[d->row[i] + v];
        if (u < 0.0)
            return v;
    }
    return n - 1;
}

static void draw_pair(struct finder *f, double c)
{
    const hs_domain *d = &f->m->domain;
    uint32_t words[4][HS_LANES];

    f->rng.clock++;
    for (int i = 0; i < d->dim; i++) {
        if (i % 4 == 0)
            hs_lanes()->philox(&f->rng, HS_DRAW_PROBE, (uint32_t)i / 4, 1,
                               words);
        for (int l = 0; l < HS_LANES; l++) {
            double u = hs_uniform(words[i % 4][l]);

            f->x.x[i][l] = (int16_t)lean(d, f->e, i, u, c);
            f->other.x[i][l] = (int16_t)lean(d, f->e, i, u, -c);
        }
    }
    f->x.have = f->other.have = 0;
}

/* Adds the gradient at p, in units of ranges, averaged over the lanes in which
 * it is finite. */
static void add_gradient(struct finder *f, const hs_point *p, double factor)
{
    const hs_domain *d = &f->m->domain;

    for (int first = 0; first < d->dim; first += BLOCK) {
        int last = d->dim - first < BLOCK ? d->dim : first + BLOCK;
        const hs_float_row *rows =
            hs_model_rows(f->m, p, first, last, f->buffer, NULL);

        for (int i = first; i < last; i++)
            for (int r = d->row[i]; r < d->row[i + 1]; r++)
                for (int l = 0; l < HS_LANES; l++) {
                    double g = (double)rows[r - d->row[first]][l];

                    f->image[r] += isfinite(g) && p->u[l] > -HUGE_VAL
                                       ? factor * range_of(d, i) * g / HS_LANES
                                       : 0.0;
                }
    }
}

/* Counts U and a gradient in all lanes, like hs_tile_evaluate. */
static void count(hs_curvature *c, const hs_model *m)
{
    c->energies += HS_LANES * (1.0 + (double)m->gradient_states);
    c->gradients += m->gradient_states > 0 ? 0.0 : HS_LANES;
}

/* Computes image = H e in those units. */
static hiss_status apply(struct finder *f, hs_curvature *c, hiss_error *err)
{
    double scale = scale_of(&f->m->domain, f->e);

    memset(f->image, 0, (size_t)c->rows * sizeof *f->image);
    for (int n = 0; n < PAIRS; n++) {
        hs_point *end[] = {&f->x, &f->other};

        draw_pair(f, scale);
        for (int k = 0; k < 2; k++) {
            hiss_status rc = hs_model_evaluate(f->m, end[k], HS_U | HS_GRAD);

            if (rc != HISS_OK)
                return hs_fail_model(err, rc, f->m, &end[k]->fault,
                                     "at a random state");
            add_gradient(f, end[k], (k == 0 ? 1.0 : -1.0) / PAIRS / scale);
            count(c, f->m);
        }
    }
    return HISS_OK;
}

/* Adds one more column if there is one (*found).  A shift by the largest image
 * makes the most positive eigenvalue the largest. */
static hiss_status add_column(struct finder *f, hs_curvature *c, bool *found,
                              hiss_error *err)
{
    const hs_domain *d = &f->m->domain;
    double value = 0.0, shift = 0.0;

    f->rng.clock++;
    for (int r = 0; r < c->rows; r++)
        f->e[r] =
            hs_uniform(hs_rng_word(0, hs_stream(HS_STREAM_WARMUP, 0), 0,
                                   f->rng.clock, HS_DRAW_PROBE, (uint32_t)r)) -
            0.3;
    *found = tidy(c, d, f->e);
    for (int n = 0; *found && n < ITERATIONS; n++) {
        double length = 0.0;

        HS_TRY(apply(f, c, err));
        value = 0.0;
        for (int r = 0; r < c->rows; r++) {
            value += f->e[r] * f->image[r];
            length += f->image[r] * f->image[r];
        }
        shift = fmax(shift, sqrt(length));
        for (int r = 0; n + 1 < ITERATIONS && r < c->rows; r++)
            f->e[r] = f->image[r] + shift * f->e[r];
        *found = n + 1 == ITERATIONS || tidy(c, d, f->e);
    }
    *found = *found && value > 1e-6 * shift && value < HUGE_VAL;
    for (int i = 0; *found && i < d->dim; i++)
        for (int r = d->row[i]; d->states[i] > 1 && r < d->row[i + 1]; r++)
            c->b[r * c->most + c->rank] =
                (float)(sqrt(value) * f->e[r] / range_of(d, i));
    c->rank += *found;
    return HISS_OK;
}

hiss_status hs_curvature_init(hs_curvature *c, const hs_model *m, int rank,
                              hiss_error *err)
{
    struct finder f;
    bool found = true;
    hiss_status rc;

    *c = (hs_curvature){.rows = m->domain.rows, .most = rank};
    c->b = hs_alloc_array((size_t)c->rows * (size_t)(rank + 1), sizeof *c->b);
    if (!c->b)
        return hs_fail_memory(err);
    rc = init(&f, m, err);
    while (rc == HISS_OK && found && c->rank < rank)
        rc = add_column(&f, c, &found, err);
    clear(&f);
    return rc;
}

void hs_curvature_clear(hs_curvature *c)
{
    hs_free(c->b);
    *c = (hs_curvature){0};
}
