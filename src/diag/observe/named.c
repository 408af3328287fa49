/* named.c - the named observables of spins and labels. */
#include "diag/observe/named.h"

#include <math.h>
#include <string.h>

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

/* Of two values, any other than the lower is the higher. */
void hs_named_indices(const hs_domain *d, const double *x, int16_t *out)
{
    for (int i = 0; i < d->dim; i++) {
        double first = (double)d->values[d->value[i]];

        out[i] = d->states[i] == 2 ? x[i] != first : (int16_t)(x[i] - first);
    }
}

double hs_named_m(int dim, int states, const int16_t *x, int *room)
{
    int most = 0, up = 0;

    if (states == 2) {
        for (int i = 0; i < dim; i++)
            up += x[i];
        return (2.0 * up - dim) / dim;
    }
    memset(room, 0, (size_t)states * sizeof *room);
    for (int i = 0; i < dim; i++)
        if (x[i] >= 0 && x[i] < states)
            room[x[i]]++;
    for (int v = 0; v < states; v++)
        most = room[v] > most ? room[v] : most;
    return scaled(states, (double)most / dim);
}

double hs_named_q(int dim, int states, const int16_t *x, const int16_t *y)
{
    int equal = 0;

    for (int i = 0; i < dim; i++)
        equal += x[i] == y[i];
    return scaled(states, (double)equal / dim);
}

double hs_named_link(const hs_bonds *b, const int16_t *x, const int16_t *y,
                     int *room)
{
    int64_t alike = 0, all = b->start[b->dim];

    for (int i = 0; i < b->dim; i++)
        room[i] = x[i] == y[i];
    for (int i = 0; i < b->dim; i++)
        for (int64_t e = b->start[i]; e < b->start[i + 1]; e++)
            alike += room[i] == room[b->column[e]];
    return (double)(2 * alike - all) / (double)all;
}

double hs_named_cluster(const hs_bonds *b, const int16_t *x, int *room)
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
