/* named.c - the named observables of spins and labels. */
#include "diag/observe/named.h"

#include <math.h>
#include <string.h>

/* -1 for the lower of two values, 1 for the higher. */
static double spin(const hs_domain *d, int i, double value)
{
    return value == (double)d->values[d->value[i]] ? -1.0 : 1.0;
}

int hs_named_states(const hs_domain *d)
{
    int states = d->dim > 0 && !d->is_tour ? d->states[0] : 0;

    for (int i = 0; i < d->dim; i++) {
        bool is_label = hs_kind_is_label(d->kind[i]);

        if (d->states[i] != states || states < 2 ||
            (d->kind[i] == HISS_ORDINAL) || (states > 2 && !is_label))
            return 0;
    }
    return states;
}

/* Maps a share of agreement to 0 for chance and 1 for all. */
static double scaled(int states, double share)
{
    return (states * share - 1.0) / (states - 1.0);
}

double hs_named_m(const hs_domain *d, int states, const double *x)
{
    double sum = 0.0, most = 0.0;

    if (states == 2 && d->is_pair) { /* the same two values everywhere */
        double high = (double)d->values[d->value[0] + 1];
        int up = 0;

        for (int i = 0; i < d->dim; i++)
            up += x[i] == high;
        return (2.0 * up - d->dim) / d->dim;
    }
    if (states == 2) {
        for (int i = 0; i < d->dim; i++)
            sum += spin(d, i, x[i]);
        return sum / d->dim;
    }
    for (int v = 0; v < states; v++) {
        double count = 0.0;

        for (int i = 0; i < d->dim; i++)
            count += x[i] == (double)d->values[d->value[i] + v];
        most = fmax(most, count);
    }
    return scaled(states, most / d->dim);
}

double hs_named_q(const hs_domain *d, int states, const double *x,
                  const double *y)
{
    double equal = 0.0;

    for (int i = 0; i < d->dim; i++)
        equal += x[i] == y[i];
    return scaled(states, equal / d->dim);
}

double hs_named_link(const hs_domain *d, const hs_bonds *b, const double *x,
                     const double *y)
{
    int64_t alike = 0, all = b->start[b->dim];

    (void)d;
    for (int i = 0; i < b->dim; i++) {
        bool own = x[i] == y[i];

        for (int64_t e = b->start[i]; e < b->start[i + 1]; e++) {
            int j = b->column[e];

            alike += own == (x[j] == y[j]);
        }
    }
    return (double)(2 * alike - all) / (double)all;
}

double hs_named_cluster(const hs_bonds *b, const double *x, int *room)
{
    int *seen = room, *stack = room + b->dim, most = 0;

    memset(seen, 0, (size_t)b->dim * sizeof *seen);
    for (int first = 0; first < b->dim; first++) {
        int depth = 0, size = 0;

        if (seen[first])
            continue;
        seen[first] = 1;
        stack[depth++] = first;
        while (depth > 0) {
            int i = stack[--depth];

            size++;
            for (int64_t e = b->start[i]; e < b->start[i + 1]; e++) {
                int j = b->column[e];

                if (seen[j] || x[j] != x[first])
                    continue;
                seen[j] = 1;
                stack[depth++] = j;
            }
        }
        most = size > most ? size : most;
    }
    return (double)most / b->dim;
}

static double mean_of(const double *v, int64_t count, int power)
{
    double sum = 0.0;

    for (int64_t n = 0; n < count; n++)
        sum += power == 1 ? fabs(v[n]) : pow(v[n], power);
    return sum / (double)count;
}

void hs_named_c(const double *lp, int64_t count, int sites, double *out)
{
    double mean = 0.0;

    for (int64_t n = 0; n < count; n++)
        mean += lp[n] / (double)count;
    for (int64_t n = 0; n < count; n++)
        out[n] = (lp[n] - mean) * (lp[n] - mean) / sites;
}

/* |m|^2 - 2 <|m|> |m| + <|m|>^2: the change of chi by the draw. */
void hs_named_chi(const double *m, int64_t count, int sites, double *out)
{
    double mean = mean_of(m, count, 1);

    for (int64_t n = 0; n < count; n++)
        out[n] = sites * (fabs(m[n]) - mean) * (fabs(m[n]) - mean);
}

void hs_named_binder(const double *m, int64_t count, double *out)
{
    double square = mean_of(m, count, 2), fourth = mean_of(m, count, 4);

    for (int64_t n = 0; n < count; n++) {
        double s = m[n] * m[n];

        out[n] = 1.0 - s * s / (3.0 * square * square) +
                 2.0 * fourth * (s - square) / (3.0 * square * square * square);
    }
}
