/* linear.c - linear regression as a distribution over sets of variables. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/logarithm.h"
#include "lanes/lanes.h"
#include "model/regress/linear_build.h"

/* Approximate number of variables of a start, if there are many. */
#define START_VARIABLES 10

/* Cache of a point for each lane, in rows of 32-bit words. */
enum {
    STATE,     /* FRESH, ... */
    COUNT,     /* variables in the model */
    RSS,       /* a double in two rows, like all that follow */
    PAIRS = 4, /* c_i, then d_i, of each variable */
};
enum {
    STALE,     /* the lane was not in use */
    POSSIBLE,  /* U, COUNT and RSS */
    FILLED,    /* c and d as well */
    IMPOSSIBLE /* U is -infinity */
};

typedef uint32_t word_row[HS_LANES];

static const hs_linear *linear_of(const hs_model *m)
{
    return (const hs_linear *)m;
}

static double get(const word_row *cache, int row, int lane)
{
    uint64_t bits = (uint64_t)cache[row + 1][lane] << 32 | cache[row][lane];
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static void put(word_row *cache, int row, int lane, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    cache[row][lane] = (uint32_t)bits;
    cache[row + 1][lane] = (uint32_t)(bits >> 32);
}

static int row_of(int i)
{
    return PAIRS + 4 * i;
}

static int lanes_of(const hs_point *p)
{
    return p->lanes ? p->lanes : HS_LANES;
}

static void visit_lane(const hs_linear *m, hs_point *p, int lane,
                       hs_linear_work *w)
{
    word_row *cache = p->cache;

    p->u[lane] = hs_linear_visit(m, p, lane, w);
    cache[STATE][lane] = p->u[lane] == -HUGE_VAL ? IMPOSSIBLE : POSSIBLE;
    cache[COUNT][lane] = (uint32_t)w->count;
    put(cache, RSS, lane, w->rss);
}

/* Computes c and d of the variables in the model, from beta and the inverse. */
static void fill_inside(hs_linear_work *w, word_row *cache, int lane)
{
    for (int a = 0; a < w->count; a++) {
        double d = 1.0 / w->inverse[a];

        put(cache, row_of(w->active[a]), lane, w->beta[a] * d);
        put(cache, row_of(w->active[a]) + 2, lane, d);
    }
}

/* Computes c and d of variables first <= i < first + count as if all were
 * outside: rows of L^-1 A_G., one after another. */
static void fill_block(const hs_linear *m, hs_linear_work *w, word_row *cache,
                       int lane, int first, int count)
{
    double c[HS_LINEAR_BLOCK], d[HS_LINEAR_BLOCK];

    for (int i = 0; i < count; i++) {
        c[i] = m->b[first + i];
        d[i] = 1.0 + m->law.ridge;
    }
    for (int a = 0; a < w->count; a++) {
        const double *row = w->factor + (size_t)a * (size_t)w->room;
        double *own = w->block + (size_t)a * HS_LINEAR_BLOCK;
        const double *gram =
            hs_gram_row(&m->gram, w->active[a], first, count, w->row);

        memcpy(own, gram, (size_t)count * sizeof *own);
        for (int b = 0; b < a; b++) {
            const double *other = w->block + (size_t)b * HS_LINEAR_BLOCK;

            for (int i = 0; i < count; i++)
                own[i] -= row[b] * other[i];
        }
        for (int i = 0; i < count; i++) {
            own[i] /= row[a];
            c[i] -= own[i] * w->z[a];
            d[i] -= own[i] * own[i];
        }
    }
    for (int i = 0; i < count; i++) {
        put(cache, row_of(first + i), lane, c[i]);
        put(cache, row_of(first + i) + 2, lane, d[i]);
    }
}

/* Computes c and d of all variables; the lane must be possible. */
static void fill_lane(const hs_linear *m, const hs_point *p, int lane,
                      hs_linear_work *w)
{
    word_row *cache = p->cache;
    int terms = m->design.terms;

    hs_linear_visit(m, p, lane, w);
    hs_linear_solve(w);
    for (int first = 0; first < terms; first += HS_LINEAR_BLOCK)
        fill_block(m, w, cache, lane, first,
                   terms - first < HS_LINEAR_BLOCK ? terms - first
                                                   : HS_LINEAR_BLOCK);
    fill_inside(w, cache, lane);
    cache[STATE][lane] = FILLED;
}

/* U of the model with variable i minus U without it, from c and d. */
static double step_of(const hs_linear *m, bool is_in, double c, double d,
                      double rss, int count)
{
    const hs_linear_law *law = &m->law;
    double change = c * c / d;
    double with = is_in ? rss : rss - change;
    double without = is_in ? rss + change : rss;
    int fewer = is_in ? count - 1 : count;
    double gain = hs_linear_log_p(m, with, 0.0, fewer + 1) -
                  hs_linear_log_p(m, without, 0.0, fewer);

    if (!is_in && d < HS_LINEAR_DEPENDENT)
        return -HUGE_VAL;
    return law->has_determinant ? gain - 0.5 * hs_logarithm(d) : gain;
}

/* The same in a lane with an impossible model, by two visits. */
static double slow_step(const hs_linear *m, hs_point *p, int lane, int i,
                        hs_linear_work *w)
{
    int16_t own = p->x[i][lane];
    double u[2];

    for (int v = 0; v < 2; v++) {
        p->x[i][lane] = (int16_t)v;
        u[v] = hs_linear_visit(m, p, lane, w);
    }
    p->x[i][lane] = own;
    return u[0] == u[1] ? 0.0 : u[1] - u[0];
}

/* Computes c and d if they are missing. */
static void prepare(const hs_linear *m, hs_point *p, hs_linear_work *w)
{
    word_row *cache = p->cache;

    for (int l = 0; l < lanes_of(p); l++) {
        if (cache[STATE][l] == STALE)
            visit_lane(m, p, l, w);
        if (cache[STATE][l] == POSSIBLE)
            fill_lane(m, p, l, w);
    }
}

static void steps_of(const hs_linear *m, hs_point *p, int i, hs_linear_work *w,
                     double *step)
{
    const word_row *cache = p->cache;

    for (int l = 0; l < lanes_of(p); l++) {
        if (cache[STATE][l] == IMPOSSIBLE)
            step[l] = slow_step(m, p, l, i, w);
        else
            step[l] = step_of(m, p->x[i][l] != 0, get(cache, row_of(i), l),
                              get(cache, row_of(i) + 2, l), get(cache, RSS, l),
                              (int)cache[COUNT][l]);
    }
}

static hiss_status linear_evaluate(const hs_model *base, hs_point *p,
                                   unsigned want)
{
    const hs_linear *m = linear_of(base);
    word_row *cache = p->cache;
    hs_linear_work w;
    double step[HS_LANES] = {0};

    hs_linear_work_place(&w, m, p->scratch);
    for (int l = 0; !(p->have & HS_U) && l < HS_LANES; l++)
        if (l < lanes_of(p)) {
            visit_lane(m, p, l, &w);
        } else {
            cache[STATE][l] = STALE;
            p->u[l] = 0.0;
        }
    p->have |= HS_U;
    if (!(want & HS_GRAD))
        return HISS_OK;
    prepare(m, p, &w);
    for (int i = 0; i < base->domain.dim; i++) {
        steps_of(m, p, i, &w, step);
        for (int l = 0; l < HS_LANES; l++)
            p->grad[i][l] = (float)step[l];
    }
    return HISS_OK;
}

/* Fills the cache of a const point: the state that it describes does not
 * change. */
static void linear_differences(const hs_model *base, const hs_point *p, int i,
                               hs_float_row *out)
{
    const hs_linear *m = linear_of(base);
    hs_point *own = (hs_point *)(uintptr_t)p;
    hs_linear_work w;
    double step[HS_LANES] = {0};

    hs_linear_work_place(&w, m, p->scratch);
    prepare(m, own, &w);
    steps_of(m, own, i, &w, step);
    for (int l = 0; l < HS_LANES; l++) {
        out[p->x[i][l]][l] = 0.0f;
        out[1 - p->x[i][l]][l] = (float)(p->x[i][l] ? -step[l] : step[l]);
    }
}

/* Computes s_i = A_ij - A_iG A_GG^-1 A_Gj for all i, where G is the model
 * without j. */
static void partial_products(const hs_linear *m, hs_linear_work *w, int j,
                             bool is_added, double *s)
{
    int terms = m->design.terms, own = -1;
    double *t = w->vector;
    const double *row;

    for (int a = 0; a < w->count; a++) {
        if (w->active[a] == j)
            own = a;
        t[a] = is_added ? w->active[a] == j
                        : hs_gram_at(&m->gram, j, w->active[a]);
    }
    hs_linear_apply(w, t);
    row = hs_gram_row(&m->gram, j, 0, terms, w->row);
    memcpy(s, row, (size_t)terms * sizeof *s);
    for (int a = 0; a < w->count; a++) {
        /* a column of the inverse of a bordered matrix holds -A_GG^-1 A_Gj */
        double weight = is_added ? -t[a] / t[own] : t[a];

        if (a == own)
            continue;
        row = hs_gram_row(&m->gram, w->active[a], 0, terms, w->row);
        for (int i = 0; i < terms; i++)
            s[i] -= weight * row[i];
    }
}

/* Updates a filled lane after variable j entered or left. */
static void flip_lane(const hs_linear *m, hs_point *p, int lane, int j,
                      hs_linear_work *w)
{
    word_row *cache = p->cache;
    bool is_added = p->x[j][lane] != 0;
    double c = get(cache, row_of(j), lane), d = get(cache, row_of(j) + 2, lane);
    double sign = is_added ? -1.0 : 1.0;

    visit_lane(m, p, lane, w);
    if (cache[STATE][lane] == IMPOSSIBLE)
        return;
    partial_products(m, w, j, is_added, w->other);
    for (int i = 0; i < m->design.terms; i++) {
        double s = w->other[i];

        if (i == j)
            continue;
        put(cache, row_of(i), lane,
            get(cache, row_of(i), lane) + sign * s * c / d);
        put(cache, row_of(i) + 2, lane,
            get(cache, row_of(i) + 2, lane) + sign * s * s / d);
    }
    hs_linear_solve(w);
    fill_inside(w, cache, lane);
    cache[STATE][lane] = FILLED;
}

static void linear_move(const hs_model *base, hs_point *p, int i,
                        const int16_t *to, const float *change)
{
    const hs_linear *m = linear_of(base);
    word_row *cache = p->cache;
    hs_linear_work w;

    (void)change; /* U is known in double here */
    hs_linear_work_place(&w, m, p->scratch);
    for (int l = 0; l < HS_LANES; l++) {
        if (p->x[i][l] == to[l])
            continue;
        p->x[i][l] = to[l];
        if (l >= lanes_of(p))
            cache[STATE][l] = STALE;
        else if (cache[STATE][l] == FILLED)
            flip_lane(m, p, l, i, &w);
        else
            visit_lane(m, p, l, &w);
    }
    p->have &= ~(unsigned)HS_GRAD;
}

/* Draws random models of about half the variables, or of a few if there are
 * many, without variables that depend on others. */
static void scatter(const hs_linear *m, hs_point *p, const hs_rng *rng,
                    hs_purpose purpose)
{
    int terms = m->design.terms;
    double share = terms > 2 * START_VARIABLES
                       ? fmin(0.5, (double)START_VARIABLES / terms)
                       : 0.5;
    uint32_t limit = (uint32_t)(share * 4294967296.0), words[4][HS_LANES];
    hs_linear_work w;

    if (terms <= m->law.most)
        limit = UINT32_C(1) << 31;
    for (int i = 0; i < terms; i++) {
        if (i % 4 == 0)
            hs_lanes()->philox(rng, purpose, (uint32_t)i / 4, 1, words);
        for (int l = 0; l < HS_LANES; l++)
            p->x[i][l] = words[i % 4][l] < limit;
    }
    hs_linear_work_place(&w, m, p->scratch);
    for (int l = 0; l < HS_LANES; l++)
        hs_linear_thin(m, p, l, &w);
    p->have = 0;
}

static hiss_status linear_start(const hs_model *base, hs_point *p,
                                const hs_rng *rng, int lanes, hiss_error *err)
{
    (void)lanes;
    (void)err;
    scatter(linear_of(base), p, rng, HS_DRAW_INIT);
    return HISS_OK;
}

static hiss_status linear_scatter(const hs_model *base, hs_point *p,
                                  const hs_rng *rng, int lanes)
{
    (void)lanes;
    scatter(linear_of(base), p, rng, HS_DRAW_SCATTER);
    return HISS_OK;
}

static void linear_destroy(hs_model *base)
{
    hs_linear *m = (hs_linear *)base;

    hs_free(m->law.penalty);
    hs_free(m->b);
    hs_gram_clear(&m->gram);
    hs_design_clear(&m->design);
}

/* Lanes are handled one after the other. */
static hs_model_work linear_work(const hs_model *base)
{
    double dim = base->domain.dim;

    return (hs_model_work){
        .family = "regression", .terms = dim * dim, .is_by_lane = true};
}

static const hs_model_ops linear_ops = {
    .evaluate = linear_evaluate,
    .destroy = linear_destroy,
    .differences = linear_differences,
    .move = linear_move,
    .start = linear_start,
    .scatter = linear_scatter,
    .work = linear_work,
};

static hiss_status fill(hs_linear *m, hiss_error *err)
{
    const hs_design *d = &m->design;
    size_t words = PAIRS + 4 * (size_t)d->terms;

    HS_TRY(hs_gram_init(&m->gram, d, err));
    m->b = hs_alloc_array((size_t)d->terms, sizeof *m->b);
    if (!m->b)
        return hs_fail_memory(err);
    for (int i = 0; i < d->terms; i++)
        m->b[i] = hs_gram_dot(hs_design_column(d, i), d->y, d->stride);
    m->base.cache_bytes = words * sizeof(word_row);
    m->base.scratch_bytes = hs_linear_work_bytes(m);
    HS_TRY(hs_domain_init(&m->base.domain, HISS_BINARY, d->terms, 2, err));
    m->base.domain.names = m->design.name;
    m->design.name = NULL;
    return HISS_OK;
}

hiss_status hs_linear_build(hs_model **out, hs_design *design,
                            hs_linear_law *law, hiss_error *err)
{
    hs_linear *m = hs_alloc_array(1, sizeof *m);
    hiss_status rc;

    *out = NULL;
    if (!m)
        return hs_fail_memory(err);
    m->base.ops = &linear_ops;
    m->base.exact_rows = true; /* rows are single-site differences */
    m->law = *law;
    m->design = *design;
    *law = (hs_linear_law){0};
    *design = (hs_design){0};
    rc = fill(m, err);
    if (rc != HISS_OK) {
        hs_model_destroy(&m->base);
        return rc;
    }
    *out = &m->base;
    return HISS_OK;
}
