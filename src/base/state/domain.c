/* domain.c - the finite product space of a model. */
#include "base/state/domain.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/state/tour.h"

static const char *const kind_names[] = {"binary", "spin", "ordinal",
                                         "categorical", "permutation"};

enum {
    KINDS = sizeof kind_names / sizeof kind_names[0]
};

/* Finds the narrowest and the widest gap; infinite and 0 if all are labels. */
static void find_gaps(const hs_domain *d, double *least, double *most)
{
    *least = HUGE_VAL;
    *most = 0.0;
    for (int i = 0; i < d->dim; i++)
        for (int v = d->value[i] + 1;
             !hs_kind_is_label(d->kind[i]) && v < d->value[i + 1]; v++) {
            double gap = (double)d->values[v] - (double)d->values[v - 1];

            *least = gap < *least ? gap : *least;
            *most = gap > *most ? gap : *most;
        }
}

void hs_domain_indices(const hs_domain *d, const double *values, int16_t *state)
{
    if (d->is_pair) {
        double high = (double)d->values[d->value[0] + 1];

        for (int i = 0; i < d->dim; i++)
            state[i] = values[i] == high;
        return;
    }
    for (int i = 0; i < d->dim; i++) {
        int v = d->states[i] - 1;

        while (v > 0 && (double)d->values[d->value[i] + v] != values[i])
            v--;
        state[i] = (int16_t)v;
    }
}

double hs_domain_gap(const hs_domain *d)
{
    double least, most;

    find_gaps(d, &least, &most);
    return isinf(least) ? 1.0 : least;
}

double hs_domain_far_gap(const hs_domain *d)
{
    double least, most;

    find_gaps(d, &least, &most);
    return most > 2.0 * least ? most : 0.0;
}

const char *hs_kind_name(hiss_kind kind)
{
    return (unsigned)kind < KINDS ? kind_names[kind] : "unknown";
}

static hiss_status check_coordinate(int i, hiss_kind kind, int states,
                                    hiss_error *err)
{
    if ((unsigned)kind >= KINDS)
        return hs_fail(err, HISS_EARG,
                       "coordinate %d, counted from 1, has the unknown kind %d",
                       i + 1, (int)kind);
    if ((kind == HISS_BINARY || kind == HISS_SPIN) && states != 2)
        return hs_fail(err, HISS_EARG,
                       "coordinate %d, counted from 1, has %d states, but %s "
                       "has 2",
                       i + 1, states, hs_kind_name(kind));
    if (states < 1 || states > HS_STATES_MAX)
        return hs_fail(err, states < 1 ? HISS_EARG : HISS_ELIMIT,
                       "coordinate %d, counted from 1, has %d states, expected "
                       "1 to %d",
                       i + 1, states, HS_STATES_MAX);
    return HISS_OK;
}

static hiss_status allocate(hs_domain *d, int dim, int64_t value_count,
                            hiss_error *err)
{
    d->kind = hs_alloc_array(dim, sizeof *d->kind);
    d->states = hs_alloc_array(dim, sizeof *d->states);
    d->row = hs_alloc_array((size_t)dim + 1, sizeof *d->row);
    d->value = hs_alloc_array((size_t)dim + 1, sizeof *d->value);
    d->values = hs_alloc_array((size_t)value_count, sizeof *d->values);
    if (!d->kind || !d->states || !d->row || !d->value || !d->values)
        return hs_fail_memory(err);
    return HISS_OK;
}

/* Appends a coordinate.  levels are its values, or NULL for 0, 1, 2, ... */
static hiss_status add_coordinate(hs_domain *d, hiss_kind kind, int states,
                                  const double *levels, hiss_error *err)
{
    int i = d->dim++;
    float *value = d->values + d->value[i];

    d->kind[i] = kind;
    d->states[i] = states;
    d->row[i + 1] = d->row[i] + (kind == HISS_CATEGORICAL ? states : 1);
    d->value[i + 1] = d->value[i] + states;
    d->rows = d->row[i + 1];
    d->value_count = d->value[i + 1];
    d->states_max = states > d->states_max ? states : d->states_max;
    for (int v = 0; v < states; v++) {
        value[v] = kind == HISS_SPIN          ? (float)(2 * v - 1)
                   : kind == HISS_PERMUTATION ? (float)(v + 1)
                                              : (float)v;
        if (kind != HISS_ORDINAL || !levels)
            continue;
        value[v] = (float)levels[v];
        if (!isfinite(value[v]))
            return hs_fail(err, HISS_EARG,
                           "level %d of coordinate %d, counted from 1, is %g, "
                           "expected a finite number",
                           v + 1, i + 1, levels[v]);
        if (v > 0 && !(value[v] > value[v - 1]))
            return hs_fail(err, HISS_EARG,
                           "level %d of coordinate %d, counted from 1, is %.9g "
                           "after %.9g, expected ascending numbers that differ "
                           "in single precision",
                           v + 1, i + 1, levels[v], levels[v - 1]);
    }
    return HISS_OK;
}

/* Detects a pair domain: all coordinates have the same two numbers, and low +
 * gap equals the upper one in float arithmetic. */
static void find_pair(hs_domain *d)
{
    float low = d->values[0], high;

    for (int i = 0; i < d->dim; i++) {
        const float *value = d->values + d->value[i];

        if (d->states[i] != 2 || hs_kind_is_label(d->kind[i]) ||
            value[0] != low || value[1] != d->values[1])
            return;
    }
    high = d->values[1];
    if (low + (high - low) != high)
        return;
    d->is_pair = true;
    d->low = low;
    d->gap = high - low;
}

static hiss_status check_dim(int dim, hiss_error *err)
{
    if (dim < 1)
        return hs_fail(err, HISS_EARG,
                       "a model has at least 1 coordinate, not %d", dim);
    return HISS_OK;
}

static hiss_status check_tour(int dim, int states, hiss_error *err)
{
    if (dim != states || dim < HS_TOUR_MIN || dim > HS_TOUR_MAX)
        return hs_fail(err, HISS_EARG,
                       "a tour has as many positions as cities, from %d to "
                       "%d, not %d and %d",
                       HS_TOUR_MIN, HS_TOUR_MAX, dim, states);
    return HISS_OK;
}

static hiss_status check_total(int64_t value_count, hiss_error *err)
{
    if (value_count > INT_MAX)
        return hs_fail(err, HISS_ELIMIT,
                       "the coordinates have %lld states in all, at most %d "
                       "are possible",
                       (long long)value_count, INT_MAX);
    return HISS_OK;
}

hiss_status hs_domain_init(hs_domain *d, hiss_kind kind, int dim, int states,
                           hiss_error *err)
{
    int64_t value_count = (int64_t)dim * states;
    hiss_status rc;

    *d = (hs_domain){0};
    HS_TRY(check_dim(dim, err));
    HS_TRY(check_coordinate(0, kind, states, err));
    if (kind == HISS_PERMUTATION)
        HS_TRY(check_tour(dim, states, err));
    HS_TRY(check_total(value_count, err));
    rc = allocate(d, dim, value_count, err);
    for (int i = 0; rc == HISS_OK && i < dim; i++)
        rc = add_coordinate(d, kind, states, NULL, err);
    d->is_tour = kind == HISS_PERMUTATION;
    if (rc == HISS_OK)
        find_pair(d);
    else
        hs_domain_clear(d);
    return rc;
}

hiss_status hs_domain_init_mixed(hs_domain *d, int dim, const hiss_kind *kind,
                                 const int *states, const double *levels,
                                 hiss_error *err)
{
    int64_t value_count = 0;
    hiss_status rc;

    *d = (hs_domain){0};
    HS_TRY(check_dim(dim, err));
    for (int i = 0; i < dim; i++) {
        HS_TRY(check_coordinate(i, kind[i], states[i], err));
        if (kind[i] == HISS_PERMUTATION)
            return hs_fail(err, HISS_EUNSUP,
                           "coordinate %d, counted from 1, is a permutation: "
                           "of the models only tsp has this kind",
                           i + 1);
        value_count += states[i];
    }
    HS_TRY(check_total(value_count, err));
    rc = allocate(d, dim, value_count, err);
    for (int i = 0; rc == HISS_OK && i < dim; i++) {
        rc = add_coordinate(d, kind[i], states[i], levels, err);
        if (levels && kind[i] == HISS_ORDINAL)
            levels += states[i];
    }
    if (rc == HISS_OK)
        find_pair(d);
    else
        hs_domain_clear(d);
    return rc;
}

hiss_status hs_domain_clone(hs_domain *out, const hs_domain *d, hiss_error *err)
{
    size_t dim = (size_t)d->dim;
    hiss_status rc;

    *out = (hs_domain){0};
    rc = allocate(out, d->dim, d->value_count, err);
    if (rc != HISS_OK) {
        hs_domain_clear(out);
        return rc;
    }
    memcpy(out->kind, d->kind, dim * sizeof *d->kind);
    memcpy(out->states, d->states, dim * sizeof *d->states);
    memcpy(out->row, d->row, (dim + 1) * sizeof *d->row);
    memcpy(out->value, d->value, (dim + 1) * sizeof *d->value);
    memcpy(out->values, d->values, (size_t)d->value_count * sizeof *d->values);
    out->dim = d->dim;
    out->rows = d->rows;
    out->value_count = d->value_count;
    out->states_max = d->states_max;
    out->is_pair = d->is_pair;
    out->is_tour = d->is_tour;
    out->low = d->low;
    out->gap = d->gap;
    rc = hs_domain_inherit(out, d, NULL, err);
    if (rc != HISS_OK)
        hs_domain_clear(out);
    return rc;
}

void hs_domain_clear(hs_domain *d)
{
    hs_free(d->kind);
    hs_free(d->states);
    hs_free(d->row);
    hs_free(d->value);
    hs_free(d->values);
    hs_strings_free(d->names, d->dim);
    hs_strings_free(d->state_names, d->value_count);
    *d = (hs_domain){0};
}

double hs_domain_size(const hs_domain *d)
{
    double size = 1;

    for (int i = 0; i < d->dim && size <= 0x1p62; i++)
        size *= d->states[i];
    return size <= 0x1p62 ? size : HUGE_VAL;
}

double hs_domain_count(const hs_domain *d)
{
    double count = 1;

    for (int i = 0; i < d->dim; i++)
        count *= d->is_tour ? i + 1 : d->states[i];
    return count;
}
