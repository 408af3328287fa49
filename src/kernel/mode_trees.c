/* mode_trees.c - distributions of modes along trees. */
#include "kernel/mode_trees.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/logarithm.h"

void hs_mode_trees_destroy(hs_mode_trees *t)
{
    if (!t)
        return;
    hs_free(t->parent);
    hs_free(t->order);
    hs_free(t->table);
    hs_free(t->share);
    hs_free(t->start);
    hs_free(t->log_share);
    hs_free(t->typical);
    hs_free(t->spread);
    hs_free(t);
}

/* Sorts the coordinates of one mode, parents first.  Ancestors wait on `path`
 * until one of them is placed or has no parent. */
static void sort(const int32_t *parent, int dim, int32_t *path, bool *is_placed,
                 int32_t *order)
{
    int placed = 0;

    memset(is_placed, 0, (size_t)dim * sizeof *is_placed);
    for (int i = 0; i < dim; i++) {
        int waiting = 0;

        for (int32_t at = i; at >= 0 && !is_placed[at]; at = parent[at]) {
            HS_ASSERT(waiting < dim);
            path[waiting++] = at;
        }
        while (waiting > 0) {
            order[placed++] = path[--waiting];
            is_placed[path[waiting]] = true;
        }
    }
}

static hiss_status lay_out(hs_mode_trees *t, const hs_domain *d,
                           hiss_error *err)
{
    size_t dim = (size_t)t->dim;
    int32_t *path = hs_alloc_array(dim, sizeof *path);
    bool *is_placed = hs_alloc_array(dim, sizeof *is_placed);

    for (int k = 0; path && is_placed && k < t->modes; k++) {
        size_t first = (size_t)k * dim;

        sort(t->parent + first, t->dim, path, is_placed, t->order + first);
        for (int i = 0; i < t->dim; i++) {
            int32_t parent = t->parent[first + (size_t)i];

            t->table[first + (size_t)i] = t->cells;
            t->cells +=
                (int64_t)d->states[i] * (parent < 0 ? 1 : d->states[parent]);
        }
    }
    hs_free(path);
    hs_free(is_placed);
    return path && is_placed ? HISS_OK : hs_fail_memory(err);
}

static hiss_status allocate(hs_mode_trees *t, const hs_domain *d,
                            const int32_t *parent, hiss_error *err)
{
    size_t modes = (size_t)t->modes, sites = modes * (size_t)t->dim, cells;

    t->parent = hs_alloc_array(sites, sizeof *t->parent);
    t->order = hs_alloc_array(sites, sizeof *t->order);
    t->table = hs_alloc_array(sites, sizeof *t->table);
    t->typical = hs_alloc_array(modes, sizeof *t->typical);
    t->spread = hs_alloc_array(modes, sizeof *t->spread);
    if (!t->parent || !t->order || !t->table || !t->typical || !t->spread)
        return hs_fail_memory(err);
    memcpy(t->parent, parent, sites * sizeof *parent);
    HS_TRY(lay_out(t, d, err));
    cells = (size_t)t->cells;
    t->share = hs_alloc_array(cells, sizeof *t->share);
    t->start = hs_alloc_array(cells, sizeof *t->start);
    t->log_share = hs_alloc_array(cells, sizeof *t->log_share);
    return t->share && t->start && t->log_share ? HISS_OK : hs_fail_memory(err);
}

hiss_status hs_mode_trees_create(hs_mode_trees **out, const hs_domain *d,
                                 int modes, const int32_t *parent,
                                 hiss_error *err)
{
    hs_mode_trees *t = hs_alloc_array(1, sizeof *t);
    hiss_status rc;

    *out = NULL;
    if (!t)
        return hs_fail_memory(err);
    t->modes = modes;
    t->dim = d->dim;
    rc = allocate(t, d, parent, err);
    if (rc == HISS_OK)
        *out = t;
    else
        hs_mode_trees_destroy(t);
    return rc;
}

/* --- what is typical ------------------------------------------------------ */

/* Mean and variance of ln of the probability of a coordinate and its
 * descendants, given its value: sums over its children, finally over all. */
struct below {
    double *mean, *variance; /* owned, [values] */
};

/* The distribution of coordinate i given one value of its parent: mean and
 * variance of ln p(v
 * w) + the part below v. */
static void look_below(const hs_mode_trees *t, const hs_domain *d, int i,
                       size_t row, const struct below *below, double *mean,
                       double *variance)
{
    double first = 0.0, second = 0.0, within = 0.0;

    for (int v = 0; v < d->states[i]; v++) {
        double p = t->share[row + (size_t)v];
        double own = (double)t->log_share[row + (size_t)v] +
                     below->mean[d->value[i] + v];

        first += p * own;
        second += p * own * own;
        within += p * below->variance[d->value[i] + v];
    }
    *mean = first;
    *variance = fmax(second - first * first, 0.0) + within;
}

/* Goes up from the leaves: var = var of means + mean of variances. */
static void set_typical(hs_mode_trees *t, const hs_domain *d, int mode,
                        struct below *below)
{
    size_t bytes = (size_t)d->value_count * sizeof *below->mean;
    double mean = 0.0, variance = 0.0;

    memset(below->mean, 0, bytes);
    memset(below->variance, 0, bytes);
    for (int n = t->dim - 1; n >= 0; n--) {
        int i = hs_mode_trees_site(t, mode, n);
        int32_t parent = t->parent[(size_t)mode * (size_t)t->dim + (size_t)i];
        int given = parent < 0 ? 1 : d->states[parent];

        for (int w = 0; w < given; w++) {
            double one, two;

            look_below(t, d, i, hs_mode_trees_row(t, d, mode, i, w), below,
                       &one, &two);
            *(parent < 0 ? &mean : &below->mean[d->value[parent] + w]) += one;
            *(parent < 0 ? &variance
                         : &below->variance[d->value[parent] + w]) += two;
        }
    }
    t->typical[mode] = mean;
    t->spread[mode] = sqrt(variance);
}

static void finish_row(hs_mode_trees *t, size_t row, int states,
                       bool is_ordered)
{
    double *share = t->share + row, sum = 0.0;

    for (int v = 0; v < states; v++)
        sum += share[v];
    for (int v = 0; v < states; v++) {
        share[v] /= sum;
        t->log_share[row + (size_t)v] = (float)hs_logarithm(share[v]);
    }
    hs_intervals_arrange(share, states, is_ordered, t->start + row);
}

hiss_status hs_mode_trees_finish(hs_mode_trees *t, const hs_domain *d,
                                 hiss_error *err)
{
    size_t values = (size_t)d->value_count;
    struct below below = {hs_alloc_array(values, sizeof *below.mean),
                          hs_alloc_array(values, sizeof *below.variance)};
    bool has_room = below.mean && below.variance;

    for (int k = 0; has_room && k < t->modes; k++) {
        for (int i = 0; i < t->dim; i++) {
            int32_t parent = t->parent[(size_t)k * (size_t)t->dim + (size_t)i];
            int given = parent < 0 ? 1 : d->states[parent];

            for (int w = 0; w < given; w++)
                finish_row(t, hs_mode_trees_row(t, d, k, i, w), d->states[i],
                           d->kind[i] == HISS_ORDINAL);
        }
        set_typical(t, d, k, &below);
    }
    hs_free(below.mean);
    hs_free(below.variance);
    return has_room ? HISS_OK : hs_fail_memory(err);
}

/* --- questions ------------------------------------------------------------ */

void hs_mode_trees_log(const hs_mode_trees *t, const hs_domain *d,
                       const hs_index_row *x, const int *of, double *out)
{
    for (int l = 0; l < HS_LANES; l++)
        out[l] = 0.0;
    for (int i = 0; i < d->dim; i++)
        for (int l = 0; l < HS_LANES; l++) {
            size_t row = hs_mode_trees_row_of(t, d, of[l], i, x, l);

            out[l] += (double)t->log_share[row + (size_t)x[i][l]];
        }
}

double hs_mode_trees_joined(const hs_mode_trees *t)
{
    size_t sites = (size_t)t->modes * (size_t)t->dim;
    double joined = 0.0;

    for (size_t n = 0; n < sites; n++)
        joined += t->parent[n] >= 0;
    return joined / t->modes;
}
