/* gauge.c - scales of the variables of a train. */
#include "exact/network/gauge.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/exponential.h"
#include "base/logarithm.h"

#define LOST                                                                   \
  (-200.0) /* ln B if rounding has left nothing: at most this far below the
              largest */
#define SMALL  1e-300
#define STEEP  20.0 /* most |ln g|, so that entries keep their digits */
#define REPEAT 40   /* rounds of conjugate gradients */

/* Computes ln |B| at the probe states. */
static hiss_status measure(const hs_train_gauge *g, const hs_train *t,
                           double *log_b, hiss_error *err)
{
    size_t most = 1;
    double *row, *next;

    for (int p = 0; p < t->count; p++)
        most = (size_t)t->site[p].tensor->right > most
                   ? (size_t)t->site[p].tensor->right
                   : most;
    row = hs_alloc_array(2 * most, sizeof *row);
    if (!row)
        return hs_fail_memory(err);
    next = row + most;
    for (int k = 0; k < HS_LANES; k++) {
        log_b[k] = 0.0;
        row[0] = 1.0;
        for (int p = 0; p < t->count; p++) {
            const hs_tensor *a = t->site[p].tensor;
            int v = t->site[p].variable, s = v < 0 ? 0 : g->probe[v][k];
            double top = SMALL;

            memset(next, 0, (size_t)a->right * sizeof *next);
            for (int x = 0; x < a->left; x++)
                for (int y = 0; y < a->right; y++)
                    next[y] +=
                        row[x] *
                        a->a[((size_t)x * (size_t)a->states + (size_t)s) *
                                 (size_t)a->right +
                             (size_t)y];
            for (int y = 0; y < a->right; y++)
                top = fmax(top, fabs(next[y]));
            for (int y = 0; y < a->right; y++)
                row[y] = next[y] / top;
            log_b[k] += hs_logarithm(top);
        }
        log_b[k] += hs_logarithm(fmax(fabs(row[0]), SMALL));
    }
    hs_free(row);
    return HISS_OK;
}

/* Subtracts the mean. */
static void center(double *x)
{
    double mean = 0.0;

    for (int k = 0; k < HS_LANES; k++)
        mean += x[k] / HS_LANES;
    for (int k = 0; k < HS_LANES; k++)
        x[k] -= mean;
}

/* y = (H K H + 1) x, where x has mean 0. */
static void multiply(const double (*kernel)[HS_LANES], const double *x,
                     double *y)
{
    for (int k = 0; k < HS_LANES; k++) {
        y[k] = 0.0;
        for (int j = 0; j < HS_LANES; j++)
            y[k] += kernel[k][j] * x[j];
    }
    center(y);
    for (int k = 0; k < HS_LANES; k++)
        y[k] += x[k];
}

static double dot(const double *x, const double *y)
{
    double sum = 0.0;

    for (int k = 0; k < HS_LANES; k++)
        sum += x[k] * y[k];
    return sum;
}

/* Solves (H K H + 1) a = b by conjugate gradients. */
static void solve(const double (*kernel)[HS_LANES], const double *b, double *a)
{
    double r[HS_LANES], p[HS_LANES], q[HS_LANES], rr;

    memset(a, 0, HS_LANES * sizeof *a);
    memcpy(r, b, sizeof r);
    memcpy(p, b, sizeof p);
    rr = dot(r, r);
    for (int n = 0; n < REPEAT && rr > 1e-20; n++) {
        double step, last = rr;

        multiply(kernel, p, q);
        step = rr / dot(p, q);
        for (int k = 0; k < HS_LANES; k++) {
            a[k] += step * p[k];
            r[k] -= step * q[k];
        }
        rr = dot(r, r);
        for (int k = 0; k < HS_LANES; k++)
            p[k] = r[k] + rr / last * p[k];
    }
}

/* Finds a table that is applied where v is eliminated; -1 if there is none. */
static int64_t own_table(const hs_layers *l, int v)
{
    int64_t first = l->own_at[l->rank[v]];

    return first < l->own_at[l->rank[v] + 1] ? l->own[first] : -1;
}

static void divide(const hs_layers *l, double *weight, int v, int value,
                   double by)
{
    const hs_factors *f = l->f;
    int64_t k = own_table(l, v), stride = 1;

    for (int64_t s = f->scope_at[k + 1] - 1; f->scope[s] != v; s--)
        stride *= f->states[f->scope[s]];
    for (int64_t e = f->table_at[k]; e < f->table_at[k + 1]; e++)
        if ((e - f->table_at[k]) / stride % f->states[v] == value)
            weight[e] /= by;
}

/* Scales a site whose tensor is new. */
static void scale(const hs_train_gauge *g, const hs_layers *l, double *weight,
                  const hs_train_site *site, const double *a)
{
    hs_tensor *t = site->tensor;

    for (int s = 0; s < t->states; s++) {
        double log_g = 0.0, by;

        for (int k = 0; k < HS_LANES; k++)
            log_g -= g->probe[site->variable][k] == s ? a[k] : 0.0;
        by = hs_exponential(fmax(-STEEP, fmin(STEEP, log_g)));
        for (int x = 0; x < t->left; x++)
            for (int y = 0; y < t->right; y++)
                t->a[((size_t)x * (size_t)t->states + (size_t)s) *
                         (size_t)t->right +
                     (size_t)y] *= by;
        divide(l, weight, site->variable, s, by);
    }
}

hiss_status hs_train_gauge_apply(hs_train_gauge *g, const hs_layers *l,
                                 double *weight, hs_train *t, hiss_error *err)
{
    double kernel[HS_LANES][HS_LANES] = {{0}}, b[HS_LANES], a[HS_LANES];
    double top = -HUGE_VAL;

    if (!g->probe)
        return HISS_OK;
    HS_TRY(measure(g, t, b, err));
    for (int k = 0; k < HS_LANES; k++)
        top = fmax(top, b[k]);
    for (int k = 0; k < HS_LANES; k++)
        b[k] = fmax(b[k], top + LOST);
    center(b);
    for (int p = 0; p < t->count; p++) {
        int v = t->site[p].variable;

        if (v < 0 || g->has_entered[v] || own_table(l, v) < 0)
            continue;
        for (int k = 0; k < HS_LANES; k++)
            for (int j = 0; j < HS_LANES; j++)
                kernel[k][j] += g->probe[v][k] == g->probe[v][j];
    }
    solve((const double(*)[HS_LANES])kernel, b, a);
    for (int p = 0; p < t->count; p++) {
        int v = t->site[p].variable;

        if (v < 0 || g->has_entered[v])
            continue;
        if (own_table(l, v) >= 0)
            scale(g, l, weight, &t->site[p], a);
        g->has_entered[v] = true;
    }
    return HISS_OK;
}
