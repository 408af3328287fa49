/* train.c - tensor trains: memory and compression.
 *
 * Compression makes two sweeps.  From right to left every tensor becomes
 * orthonormal rows times a matrix that goes to its left neighbor.  From left to
 * right the longest remaining columns become the new bond, until the rest is
 * small enough.  All other tensors are orthonormal by then, so the rest is the
 * error of the whole train.  Pivoting by length instead of singular values
 * costs a fifth and loses only a little more at equal bond
 * (docs/measurements/network.md). */
#include "exact/network/train.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"

#define ROUNDING 1e-30 /* share of the squares lost by rounding */

/* Memory of both sweeps. */
struct sweep {
    double *carry, *next; /* owned: the matrix being carried */
    double *work, *basis, *share, *norm;
    int rows, columns; /* size of the carried matrix; 0 if there is none */
};

hiss_status hs_tensor_create(hs_tensor **out, int left, int states, int right,
                             hiss_error *err)
{
    hs_tensor *t = hs_alloc_array(1, sizeof *t);

    *out = NULL;
    if (!t)
        return hs_fail_memory(err);
    *t = (hs_tensor){1, states, left, right, NULL};
    t->a = hs_alloc_array((size_t)left * (size_t)states,
                          (size_t)right * sizeof *t->a);
    if (!t->a) {
        hs_free(t);
        return hs_fail_memory(err);
    }
    *out = t;
    return HISS_OK;
}

void hs_tensor_release(hs_tensor *t)
{
    if (t && --t->holders == 0) {
        hs_free(t->a);
        hs_free(t);
    }
}

hiss_status hs_train_append(hs_train *t, int variable, hs_tensor *tensor,
                            hiss_error *err)
{
    if (t->count == t->room) {
        size_t room = t->room ? 2 * (size_t)t->room : 16;
        hs_train_site *site =
            hs_realloc_array(t->site, (size_t)t->room, room, sizeof *site);

        if (!site) {
            hs_tensor_release(tensor);
            return hs_fail_memory(err);
        }
        t->site = site;
        t->room = (int)room;
    }
    t->site[t->count++] = (hs_train_site){variable, tensor};
    return HISS_OK;
}

void hs_train_clear(hs_train *t)
{
    for (int p = 0; p < t->count; p++)
        hs_tensor_release(t->site[p].tensor);
    hs_free(t->site);
    *t = (hs_train){0};
}

/* Replaces a tensor. */
static void replace(hs_train *t, int p, hs_tensor *tensor)
{
    hs_tensor_release(t->site[p].tensor);
    t->site[p].tensor = tensor;
}

/* Divides by a power of two near the largest entry and stores its logarithm. */
static void rescale(hs_train *t, double *a, size_t count)
{
    double top = 0.0, factor;
    int power;

    for (size_t i = 0; i < count; i++)
        top = fabs(a[i]) > top ? fabs(a[i]) : top;
    if (!(top > 0.0))
        return;
    frexp(top, &power);
    if (power == 0)
        return;
    factor = ldexp(1.0, -power);
    for (size_t i = 0; i < count; i++)
        a[i] *= factor;
    t->log_scale += power * 0.69314718055994530942;
}

static void sweep_clear(struct sweep *s)
{
    hs_free(s->carry);
    hs_free(s->next);
    hs_free(s->work);
    hs_free(s->basis);
    hs_free(s->share);
    hs_free(s->norm);
}

/* Allocates for the largest tensor from `first` to `last`, and its neighbors'
 * matrices. */
static hiss_status sweep_init(struct sweep *s, const hs_train *t, int first,
                              int last, hiss_error *err)
{
    size_t side = 1, states = 1;

    *s = (struct sweep){0};
    for (int p = first; p <= last; p++) {
        const hs_tensor *a = t->site[p].tensor;

        side = (size_t)a->left > side ? (size_t)a->left : side;
        side = (size_t)a->right > side ? (size_t)a->right : side;
        states = (size_t)a->states > states ? (size_t)a->states : states;
    }
    s->carry = hs_alloc_array(side, side * sizeof(double));
    s->next = hs_alloc_array(side, side * sizeof(double));
    s->work = hs_alloc_array(side, 2 * side * states * sizeof(double));
    s->basis = hs_alloc_array(side, side * states * sizeof(double));
    s->share = hs_alloc_array(side, side * sizeof(double));
    s->norm = hs_alloc_array(side, sizeof(double));
    return s->carry && s->next && s->work && s->basis && s->share && s->norm
               ? HISS_OK
               : hs_fail_memory(err);
}

static void keep_carry(struct sweep *s, int rows, int columns)
{
    double *old = s->carry;

    s->carry = s->next;
    s->next = old;
    s->rows = rows;
    s->columns = columns;
}

/* Multiplies the site by the matrix from its right, in s->work; returns the
 * width. */
static int times_carry(struct sweep *s, const hs_tensor *a,
                       hs_train_limits *limits)
{
    int rows = a->left * a->states;

    if (s->rows == 0) {
        memcpy(s->work, a->a, hs_tensor_size(a) * sizeof(double));
        return a->right;
    }
    hs_lanes()->train_product(rows, a->right, s->columns, a->a, s->carry,
                              s->work);
    limits->work += (double)rows * a->right * s->columns;
    return s->columns;
}

/* One site of the sweep to the left: orthonormal rows stay. */
static hiss_status step_left(hs_train *t, int p, struct sweep *s,
                             hs_train_limits *limits, hiss_error *err)
{
    const hs_tensor *a = t->site[p].tensor;
    int width = times_carry(s, a, limits), columns = a->states * width;
    int most = a->left < columns ? a->left : columns, rank;
    double total[2];
    hs_tensor *made;

    rank = hs_lanes()->train_basis(a->left, columns, most, ROUNDING, s->work,
                                   s->norm, s->basis, s->share, total);
    rank = rank > 0 ? rank : 1;
    limits->work += 2.0 * a->left * columns * rank;
    for (int r = 0; r < a->left; r++)
        memcpy(s->next + (size_t)r * (size_t)rank,
               s->share + (size_t)r * (size_t)most,
               (size_t)rank * sizeof(double));
    rescale(t, s->next, (size_t)a->left * (size_t)rank);
    keep_carry(s, a->left, rank);
    HS_TRY(hs_tensor_create(&made, rank, a->states, width, err));
    memcpy(made->a, s->basis, hs_tensor_size(made) * sizeof(double));
    replace(t, p, made);
    return HISS_OK;
}

/* Multiplies a site's matrix into the one that is carried to the left. */
static void absorb(hs_train *t, int p, struct sweep *s, hs_train_limits *limits)
{
    const hs_tensor *a = t->site[p].tensor;
    int width = times_carry(s, a, limits);

    memcpy(s->next, s->work, (size_t)a->left * (size_t)width * sizeof(double));
    keep_carry(s, a->left, width);
}

/* Multiplies the last carried matrix into the site to its left. */
static hiss_status put_carry(hs_train *t, int p, struct sweep *s,
                             hs_train_limits *limits, hiss_error *err)
{
    const hs_tensor *a = t->site[p].tensor;
    hs_tensor *made;
    int width;

    if (s->rows == 0)
        return HISS_OK;
    width = times_carry(s, a, limits);
    HS_TRY(hs_tensor_create(&made, a->left, a->states, width, err));
    memcpy(made->a, s->work, hs_tensor_size(made) * sizeof(double));
    rescale(t, made->a, hs_tensor_size(made));
    replace(t, p, made);
    s->rows = 0;
    return HISS_OK;
}

/* Drops the sites that are matrices and adjusts the bounds. */
static void close_up(hs_train *t, int *first, int *last)
{
    int kept = 0, new_first = *first, new_last = *last;

    for (int p = 0; p < t->count; p++) {
        if (t->site[p].variable >= 0) {
            t->site[kept++] = t->site[p];
            continue;
        }
        hs_tensor_release(t->site[p].tensor);
        new_first -= p < *first;
        new_last -= p <= *last;
    }
    t->count = kept;
    *first = new_first < 0 ? 0 : new_first;
    *last = new_last;
}

/* Handles the matrix carried past the first site: a number, or a matrix that
 * the next site to the right takes. */
static hiss_status put_first(hs_train *t, int first, struct sweep *s,
                             hiss_error *err)
{
    const hs_tensor *a;
    hs_tensor *made;

    if (s->rows == 0)
        return HISS_OK;
    while (first < t->count && t->site[first].variable < 0)
        first++;
    if (first == t->count) {
        t->log_scale += log(fabs(s->carry[0]));
        return HISS_OK;
    }
    a = t->site[first].tensor;
    HS_TRY(hs_tensor_create(&made, s->rows, a->states, a->right, err));
    hs_lanes()->train_product(s->rows, a->left, a->states * a->right, s->carry,
                              a->a, made->a);
    replace(t, first, made);
    return HISS_OK;
}

static hiss_status sweep_left(hs_train *t, int *first, int *last,
                              struct sweep *s, hs_train_limits *limits,
                              hiss_error *err)
{
    int p = *last;

    for (; p > *first || (p >= 0 && t->site[p].variable < 0); p--) {
        if (t->site[p].variable < 0)
            absorb(t, p, s, limits);
        else
            HS_TRY(step_left(t, p, s, limits, err));
    }
    if (p >= 0)
        HS_TRY(put_carry(t, p, s, limits, err));
    else
        HS_TRY(put_first(t, 0, s, err));
    *first = p < 0 ? 0 : p;
    close_up(t, first, last);
    return HISS_OK;
}

/* Transposes [rows][columns] to [columns][rows]. */
static void transpose(int rows, int columns, const double *a, double *out)
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            out[(size_t)c * (size_t)rows + (size_t)r] =
                a[(size_t)r * (size_t)columns + (size_t)c];
}

/* One site of the sweep to the right: cuts the bond to its right. */
static hiss_status step_right(hs_train *t, int p, struct sweep *s,
                              hs_train_limits *limits, hiss_error *err)
{
    const hs_tensor *a = t->site[p].tensor;
    int left = s->rows ? s->rows : a->left, tall = left * a->states;
    int most = a->right < tall ? a->right : tall, rank;
    double total[2], *turned = s->work + (size_t)tall * (size_t)a->right;
    const double *own = a->a;
    hs_tensor *made;

    if (s->rows) {
        hs_lanes()->train_product(left, a->left, a->states * a->right, s->carry,
                                  a->a, s->work);
        limits->work += (double)left * a->left * a->states * a->right;
        own = s->work;
    }
    transpose(tall, a->right, own, turned);
    most = most < limits->bond ? most : limits->bond;
    rank = hs_lanes()->train_basis(a->right, tall, most, limits->discard,
                                   turned, s->norm, s->basis, s->share, total);
    limits->lost += total[0] > 0.0 ? total[1] / total[0] : 0.0;
    limits->work += 2.0 * a->right * tall * rank;
    rank = rank > 0 ? rank : 1;
    HS_TRY(hs_tensor_create(&made, left, a->states, rank, err));
    transpose(rank, tall, s->basis, made->a);
    limits->entries += (double)hs_tensor_size(made);
    for (int r = 0; r < a->right; r++)
        for (int k = 0; k < rank; k++)
            s->next[(size_t)k * (size_t)a->right + (size_t)r] =
                s->share[(size_t)r * (size_t)most + (size_t)k];
    rescale(t, s->next, (size_t)rank * (size_t)a->right);
    keep_carry(s, rank, a->right);
    replace(t, p, made);
    return HISS_OK;
}

/* Puts the center, the part that is not orthonormal, at the last site. */
static hiss_status end_right(hs_train *t, int p, struct sweep *s,
                             hs_train_limits *limits, hiss_error *err)
{
    const hs_tensor *a = t->site[p].tensor;
    hs_tensor *made;

    HS_TRY(hs_tensor_create(&made, s->rows ? s->rows : a->left, a->states,
                            a->right, err));
    if (s->rows)
        hs_lanes()->train_product(s->rows, a->left, a->states * a->right,
                                  s->carry, a->a, made->a);
    else
        memcpy(made->a, a->a, hs_tensor_size(made) * sizeof(double));
    rescale(t, made->a, hs_tensor_size(made));
    limits->entries += (double)hs_tensor_size(made);
    replace(t, p, made);
    return HISS_OK;
}

hiss_status hs_train_compress(hs_train *t, hs_train_limits *limits,
                              hiss_error *err)
{
    int first = t->left_upto, last = t->right_from;
    hiss_status rc;
    struct sweep s;

    if (last >= t->count)
        last = t->count - 1;
    if (t->count == 0 || last < first)
        return HISS_OK;
    rc = sweep_init(&s, t, 0, t->count - 1, err);
    if (rc == HISS_OK)
        rc = sweep_left(t, &first, &last, &s, limits, err);
    s.rows = 0;
    for (int p = first; rc == HISS_OK && p < last; p++)
        rc = step_right(t, p, &s, limits, err);
    if (rc == HISS_OK && last >= first && t->count > 0)
        rc = end_right(t, last, &s, limits, err);
    sweep_clear(&s);
    t->left_upto = t->right_from = last < 0 ? 0 : last;
    return rc;
}
