/* functions.c - models that hiss can only call, for functions.py.
 *
 * States are indices, one after the other. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    MOST = 64
};

/* A mixture of product laws; log_p[(first[i] + v) * components + k]. */
struct mixture {
    int components, dim;
    const int32_t *states, *first, *is_label;
    const double *log_weight, *log_p;
};

static double mean_log(const struct mixture *m, const double *share, int i,
                       int v)
{
    const double *row = m->log_p + (ptrdiff_t)(m->first[i] + v) * m->components;
    double sum = 0.0;

    for (int k = 0; k < m->components; k++)
        sum += share[k] * row[k];
    return sum;
}

static double mixture_at(const struct mixture *m, const int16_t *x,
                         double *share)
{
    double most = -HUGE_VAL, sum = 0.0;

    memcpy(share, m->log_weight, sizeof *share * (size_t)m->components);
    for (int i = 0; i < m->dim; i++)
        for (int k = 0; k < m->components; k++)
            share[k] +=
                m->log_p[(ptrdiff_t)(m->first[i] + x[i]) * m->components + k];
    for (int k = 0; k < m->components; k++)
        most = fmax(most, share[k]);
    for (int k = 0; k < m->components; k++)
        sum += share[k] = exp(share[k] - most);
    for (int k = 0; k < m->components; k++)
        share[k] /= sum;
    return most + log(sum);
}

int mixture_u(const void *context, const int16_t *x, int n, double *u,
              float *gradient)
{
    const struct mixture *m = context;

    for (int l = 0; l < n; l++, x += m->dim) {
        double share[MOST];

        u[l] = mixture_at(m, x, share);
        for (int i = 0; gradient && i < m->dim; i++) {
            int low = x[i] > 0 ? x[i] - 1 : x[i];
            int high = x[i] < m->states[i] - 1 ? x[i] + 1 : x[i];

            for (int v = 0; m->is_label[i] && v < m->states[i]; v++)
                *gradient++ = (float)mean_log(m, share, i, v);
            if (!m->is_label[i])
                *gradient++ = (float)((mean_log(m, share, i, high) -
                                       mean_log(m, share, i, low)) /
                                      (high - low));
        }
    }
    return 0;
}

/* U = coupling (xi.s)^2 / 2 dim + field.s of spins s = 2 x - 1. */
struct magnet {
    int dim;
    double coupling;
    const double *xi, *field;
};

int magnet_u(const void *context, const int16_t *x, int n, double *u,
             float *gradient)
{
    const struct magnet *m = context;

    for (int l = 0; l < n; l++, x += m->dim) {
        double along = 0.0;

        u[l] = 0.0;
        for (int i = 0; i < m->dim; i++) {
            u[l] += m->field[i] * (2 * x[i] - 1);
            along += m->xi[i] * (2 * x[i] - 1);
        }
        u[l] += m->coupling * along * along / (2 * m->dim);
        for (int i = 0; gradient && i < m->dim; i++)
            *gradient++ = (float)(2.0 * (m->field[i] + m->coupling * along *
                                                           m->xi[i] / m->dim));
    }
    return 0;
}

/* U = field.x + table[ones of x]; the table may be -infinity. */
struct bands {
    int dim;
    const double *field, *table;
};

int bands_u(const void *context, const int16_t *x, int n, double *u,
            float *gradient)
{
    const struct bands *m = context;

    for (int l = 0; l < n; l++, x += m->dim) {
        int ones = 0;

        u[l] = 0.0;
        for (int i = 0; i < m->dim; i++) {
            u[l] += x[i] ? m->field[i] : 0.0;
            ones += x[i];
            if (gradient)
                *gradient++ = (float)m->field[i];
        }
        u[l] += m->table[ones];
    }
    return 0;
}
