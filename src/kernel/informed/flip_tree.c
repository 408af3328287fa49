/* flip_tree.c - single flips of sparse pair models. */
#include "kernel/informed/flip_tree.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"

#define REFRESH 65536 /* steps between two fresh computations of U */
#define WIDE    16    /* children of a node */
#define ROUND   5e-7  /* allowed error of D */
/* for small couplings: 2^-bits must be a normal float */
#define MOST_BITS 100
#define ROOM      0x1p29 /* largest |D| in units of 2^-bits */
/* a larger |ln w| counts as this, so that it fits a float */
#define EXTREME 80.0f

/* The coupling before rounding. */
static double coupling_of(const hs_sparse *j, int64_t at)
{
    if (j->exact)
        return j->exact[at];
    return j->given != 0.0 ? j->given : (double)hs_sparse_coupling(j, at);
}

static double field_of(const hs_sparse *j, int i)
{
    if (j->exact_field)
        return j->exact_field[i];
    return j->field ? (double)j->field[i] : 0.0;
}

/* Fraction bits for the largest possible |D|. */
static int find_bits(const hs_pair_form *g)
{
    const hs_sparse *j = g->j;
    double most = 0.0;
    int exponent;

    for (int i = 0; i < j->dim; i++) {
        double sum = fabs(field_of(j, i));

        for (int64_t e = j->start[i]; e < j->start[i + 1]; e++)
            sum += fabs(coupling_of(j, e)) *
                   fmax(fabs((double)g->low),
                        fabs((double)g->low + (double)g->gap));
        most = fmax(most, sum * (double)g->step);
    }
    if (!(most > 0.0) || !isfinite(most))
        return most > 0.0 ? -1 : 0;
    frexp(ROOM / most, &exponent);
    return exponent - 1 < MOST_BITS ? exponent - 1 : MOST_BITS;
}

static double round_to(const hs_flip_tree *f, double value, double *error)
{
    double whole = rint(ldexp(value, f->bits));

    *error += fabs(ldexp(whole, -f->bits) - value);
    return whole;
}

/* Stores D as whole numbers; false if rounding changes it too much. */
static bool fill_couplings(hs_flip_tree *f, const hs_pair_form *g)
{
    const hs_sparse *j = g->j;
    double step = (double)g->step;

    for (int i = 0; i < j->dim; i++) {
        double base = field_of(j, i), error = 0.0;

        for (int64_t e = j->start[i]; e < j->start[i + 1]; e++) {
            double value = coupling_of(j, e);

            base += value * (double)g->low;
            f->coupling[e] =
                (int32_t)round_to(f, step * (double)g->gap * value, &error);
        }
        f->base[i] = (int32_t)round_to(f, step * base, &error);
        if (error > ROUND)
            return false;
    }
    return true;
}

static void count_nodes(hs_flip_tree *f)
{
    int level = (f->dim + WIDE - 1) / WIDE;

    f->leaves = level * WIDE;
    for (;; level = (level + WIDE - 1) / WIDE) {
        f->first[f->levels++] = f->nodes;
        if (level == 1) {
            f->nodes++;
            return;
        }
        f->nodes += (level + WIDE - 1) / WIDE * WIDE;
    }
}

static hiss_status allocate(hs_flip_tree *f, const hs_sparse *j,
                            hiss_error *err)
{
    size_t dim = (size_t)f->dim;
    int64_t most = 0;

    for (int i = 0; i < f->dim; i++)
        if (j->start[i + 1] - j->start[i] > most)
            most = j->start[i + 1] - j->start[i];
    f->coupling =
        hs_alloc_array((size_t)j->start[f->dim] + 1, sizeof *f->coupling);
    f->base = hs_alloc_array(dim, sizeof *f->base);
    f->gain = hs_alloc_array(dim * HS_LANES, sizeof *f->gain);
    f->weight = hs_alloc_array((size_t)f->leaves * HS_LANES, sizeof *f->weight);
    f->sum = hs_alloc_array((size_t)f->nodes * HS_LANES, sizeof *f->sum);
    f->touched = hs_alloc_array((size_t)most + 1, sizeof *f->touched);
    if (!f->coupling || !f->base || !f->gain || !f->weight || !f->sum ||
        !f->touched)
        return hs_fail_memory(err);
    return HISS_OK;
}

hiss_status hs_flip_tree_init(hs_flip_tree *f, const hs_model *m,
                              hs_flip_tree_weight *weigh, const void *context,
                              hiss_error *err)
{
    const hs_pair_form *g = hs_model_structure(m, HS_STRUCTURE_PAIRS);

    *f = (hs_flip_tree){.weigh = weigh, .context = context};
    if (!g || g->diagonal || g->j->is_wide || !m->domain.is_pair)
        return HISS_OK;
    f->dim = g->j->dim;
    f->bits = find_bits(g);
    if (f->bits < 0)
        return HISS_OK;
    count_nodes(f);
    HS_TRY(allocate(f, g->j, err));
    if (fill_couplings(f, g))
        f->j = g->j;
    else
        hs_flip_tree_clear(f);
    return HISS_OK;
}

void hs_flip_tree_clear(hs_flip_tree *f)
{
    hs_free(f->coupling);
    hs_free(f->base);
    hs_free(f->gain);
    hs_free(f->weight);
    hs_free(f->sum);
    hs_free(f->touched);
    *f = (hs_flip_tree){0};
}

/* Adds in the same order for all instruction sets. */
static double add_weights(const float *w)
{
    double s[WIDE / 2];

    for (int k = 0; k < 8; k++)
        s[k] = (double)w[k] + (double)w[k + 8];
    for (int half = 4; half > 0; half /= 2)
        for (int k = 0; k < half; k++)
            s[k] += s[k + half];
    return s[0];
}

static double add_sums(const double *w)
{
    double s[WIDE / 2];

    for (int k = 0; k < 8; k++)
        s[k] = w[k] + w[k + 8];
    for (int half = 4; half > 0; half /= 2)
        for (int k = 0; k < half; k++)
            s[k] += s[k + half];
    return s[0];
}

static float *weights_of(const hs_flip_tree *f, int lane)
{
    return f->weight + (size_t)lane * (size_t)f->leaves;
}

static int32_t *gains_of(const hs_flip_tree *f, int lane)
{
    return f->gain + (size_t)lane * (size_t)f->dim;
}

static double *sums_of(const hs_flip_tree *f, int lane)
{
    return f->sum + (size_t)lane * (size_t)f->nodes;
}

/* The gain of U by a flip, in units of 2^-bits. */
static int32_t rise_of(int32_t gain)
{
    return gain & 1 ? -(gain >> 1) : gain >> 1;
}

/* Computes weights of up to 16 coordinates. */
static void weigh(const hs_flip_tree *f, int lane, const int *at, int count)
{
    const int32_t *gain = gains_of(f, lane);
    float unit = ldexpf(f->beta[lane], -f->bits), *w = weights_of(f, lane);
    float row[HS_LANES] = {0}, out[HS_LANES];

    for (int k = 0; k < count; k++)
        row[k] = unit * (float)rise_of(gain[at[k]]);
    f->weigh(f->context, &row);
    for (int k = 0; k < HS_LANES; k++)
        row[k] = row[k] < -EXTREME  ? -EXTREME
                 : row[k] > EXTREME ? EXTREME
                                    : row[k];
    hs_lanes()->exp(row, out);
    for (int k = 0; k < count; k++)
        w[at[k]] = out[k];
}

/* Computes the sum of node n of a level. */
static void add_node(const hs_flip_tree *f, int lane, int level, int n)
{
    double *sum = sums_of(f, lane);

    sum[f->first[level] + n] =
        level == 0 ? add_weights(weights_of(f, lane) + n * WIDE)
                   : add_sums(sum + f->first[level - 1] + n * WIDE);
}

static void build_weights(hs_flip_tree *f, int lane)
{
    int nodes = f->leaves / WIDE;

    for (int first = 0; first < f->dim; first += WIDE) {
        int count = f->dim - first < WIDE ? f->dim - first : WIDE, at[WIDE];

        for (int k = 0; k < count; k++)
            at[k] = first + k;
        weigh(f, lane, at, count);
    }
    for (int level = 0; level < f->levels; level++) {
        for (int n = 0; n < nodes; n++)
            add_node(f, lane, level, n);
        nodes = (nodes + WIDE - 1) / WIDE;
    }
}

static void build_gains(hs_flip_tree *f, const hs_tile *x, int lane)
{
    const hs_sparse *j = f->j;
    int32_t *gain = gains_of(f, lane);

    for (int i = 0; i < f->dim; i++) {
        int32_t d = f->base[i];

        for (int64_t e = j->start[i]; e < j->start[i + 1]; e++)
            d += x->at.x[j->column[e]][lane] ? f->coupling[e] : 0;
        gain[i] = 2 * d + x->at.x[i][lane];
    }
}

hiss_status hs_flip_tree_begin(hs_flip_tree *f, const hs_model *m,
                               const hs_tilt *t, hs_tile *x, uint64_t steps)
{
    bool is_kept = f->is_built && x->at.have & HS_TILE_KEPT &&
                   f->clock + 1 == x->rng.clock;

    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U | HS_GRAD));
    if (steps % REFRESH == 0) {
        x->at.have &= ~(unsigned)HS_U;
        HS_TRY(hs_model_evaluate(m, &x->at, HS_U));
    }
    for (int l = 0; l < x->lanes; l++) {
        if (is_kept && f->beta[l] == t->beta[l])
            continue;
        f->beta[l] = t->beta[l];
        if (!is_kept)
            build_gains(f, x, l);
        build_weights(f, l);
    }
    f->is_built = true;
    return HISS_OK;
}

void hs_flip_tree_end(hs_flip_tree *f, hs_tile *x)
{
    f->clock = x->rng.clock;
    x->at.have |= HS_TILE_KEPT;
    if (x->total && x->summed == 0) {
        f->waiting++;
        x->summed = 1;
        x->is_deferred = true;
    }
}

void hs_flip_tree_flush(hs_flip_tree *f, hs_tile *x)
{
    double steps[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        steps[l] = x->weight[l] != 0.0f ? (double)f->waiting : 0.0;
    for (int i = 0; f->waiting && i < f->dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            x->total[i] += x->at.x[i][l] ? steps[l] : 0.0;
    f->waiting = 0;
}

/* Finds the child in which the running sum passes *left; never one without
 * weight, despite rounding. */
static int pick_sum(const double *w, double *left)
{
    double before = 0.0;
    int last = 0;

    for (int k = 0; k < WIDE; k++) {
        if (!(w[k] > 0.0))
            continue;
        last = k;
        if (*left < w[k])
            return k;
        before = *left;
        *left -= w[k];
    }
    *left = before;
    return last;
}

/* Finds the coordinate of a node of leaves; all of them have weight. */
static int pick_leaf(const hs_flip_tree *f, int lane, int node, double left)
{
    const float *w = weights_of(f, lane);
    int last = node * WIDE;

    for (int i = last; i < f->dim && i < (node + 1) * WIDE; i++) {
        last = i;
        if (left < (double)w[i])
            break;
        left -= (double)w[i];
    }
    return last;
}

/* Prefetches what a flip will touch. */
static void fetch(const hs_flip_tree *f, const hs_tile *x, int lane, int i)
{
    const hs_sparse *j = f->j;
    int64_t end = j->start[i + 1];

    if (end - j->start[i] > WIDE)
        end = j->start[i] + WIDE;
    __builtin_prefetch(&x->at.x[i][lane], 1);
    __builtin_prefetch(&gains_of(f, lane)[i], 1);
    for (int64_t e = j->start[i]; e < end; e++) {
        int k = j->column[e];

        __builtin_prefetch(&gains_of(f, lane)[k], 1);
        __builtin_prefetch(&weights_of(f, lane)[k], 1);
        __builtin_prefetch(&sums_of(f, lane)[k / WIDE], 1);
    }
}

/* All lanes descend level by level, so that one lane works while another waits
 * for memory. */
void hs_flip_tree_pick(const hs_flip_tree *f, const hs_tile *x, const double *u,
                       const double *left, int *out)
{
    double part[HS_LANES];

    for (int l = 0; l < x->lanes; l++) {
        out[l] = 0;
        part[l] = u[l] * hs_flip_tree_total(f, l);
    }
    for (int level = f->levels - 2; level >= 0; level--)
        for (int l = 0; l < x->lanes; l++) {
            const double *sum = sums_of(f, l);
            int n = out[l] * WIDE;

            n += pick_sum(sum + f->first[level] + n, &part[l]);
            if (level > 0)
                __builtin_prefetch(sum + f->first[level - 1] + n * WIDE);
            else
                __builtin_prefetch(weights_of(f, l) + n * WIDE);
            out[l] = n;
        }
    for (int l = 0; l < x->lanes; l++) {
        out[l] = pick_leaf(f, l, out[l], part[l]);
        __builtin_prefetch(&f->j->start[out[l]]);
    }
    for (int l = 0; l < x->lanes; l++)
        if (!left || left[l] > 0.0)
            fetch(f, x, l, out[l]);
}

/* Updates weights and sums of touched coordinates, which ascend except for the
 * last. */
static void mend(hs_flip_tree *f, int lane, int count)
{
    int *at = f->touched;

    for (int k = 0; k < count; k += HS_LANES)
        weigh(f, lane, at + k, count - k < HS_LANES ? count - k : HS_LANES);
    for (int level = 0; level < f->levels; level++) {
        int kept = 0;

        for (int k = 0; k < count; k++) {
            int n = at[k] / WIDE;

            if (kept > 0 && at[kept - 1] == n)
                continue;
            at[kept++] = n;
            add_node(f, lane, level, n);
        }
        count = kept;
    }
}

void hs_flip_tree_make(hs_flip_tree *f, hs_tile *x, int lane, int i)
{
    const hs_sparse *j = f->j;
    int32_t *gain = gains_of(f, lane), sign = gain[i] & 1 ? -2 : 2;
    int count = 0;

    x->at.u[lane] += ldexp((double)rise_of(gain[i]), -f->bits);
    /* adds states after earlier steps that are still waiting */
    if (f->waiting && x->weight[lane] != 0.0f)
        x->total[i] += (double)(sign < 0 ? f->waiting : -f->waiting);
    gain[i] ^= 1;
    x->at.x[i][lane] = (int16_t)(gain[i] & 1);
    for (int64_t e = j->start[i]; e < j->start[i + 1]; e++) {
        int k = j->column[e];

        gain[k] += sign * f->coupling[e];
        f->touched[count++] = k;
    }
    f->touched[count++] = i;
    mend(f, lane, count);
}
