/* packed_plan.c - bundles of visits, their neighbors, and thresholds; clauses
 * of each visit. */
#include "kernel/gibbs/sweeps/packed_plan.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/read/xxh64.h"
#include "lanes/lanes.h"
#include "model/factors.h"

static int degree_of(const hs_sparse *j, int i)
{
    return (int)(j->start[i + 1] - j->start[i]);
}

static int site_of(const hs_model *m, int n)
{
    return m->order ? m->order[n] : n;
}

const char *hs_packed_hindrance(const hs_model *m)
{
    const hs_pair_form *g = hs_model_structure(m, HS_STRUCTURE_PAIRS);
    const hs_sparse *j = g ? g->j : NULL;

    if (!j || j->is_wide || j->start[j->dim] == 0)
        return "is no sparse pair model";
    for (int64_t e = 1; j->value && e < j->start[j->dim]; e++)
        if (fabsf(j->value[e]) != fabsf(j->value[0]))
            return "has couplings that differ by more than their sign";
    for (int i = 0; i < j->dim; i++) {
        if (degree_of(j, i) > HS_PACKED_DEGREE)
            return "has a site with more than 15 couplings";
        if (j->field && j->field[i] != j->field[0])
            return "has fields that differ";
    }
    return NULL;
}

/* A site coupled to one of the bundle ends it.  Those of a stage share bundles,
 * the first of which begins at an even position.  Calls with NULL for `bundle`
 * only count. */
static int find_bundles(const hs_model *m, const hs_sparse *j, int *in,
                        hs_bundle *bundle)
{
    int bundles = 0, first = 0;

    for (int i = 0; i < j->dim; i++)
        in[i] = -1;
    for (int n = 0; n < j->dim; n++) {
        int i = site_of(m, n);
        bool is_new = n == 0 || n - first >= HS_BUNDLE;

        for (int64_t e = j->start[i]; e < j->start[i + 1]; e++)
            is_new = is_new || in[j->column[e]] == bundles - 1;
        if (is_new) {
            first = n & ~1;
            if (bundle)
                bundle[bundles] = (hs_bundle){.first = first, .from = n};
            bundles++;
        }
        in[i] = bundles - 1;
    }
    return bundles;
}

/* Returns the number of the distribution of a site, adding it if it is new. */
static int law_of(hs_packed *p, const hs_sparse *j, int i)
{
    bool is_spin = p->low < 0.0f;
    int degree = degree_of(j, i), negative = 0, n;

    for (int64_t e = j->start[i]; e < j->start[i + 1]; e++)
        negative += (hs_sparse_coupling(j, e) < 0.0f) != (p->coupling < 0.0f);
    for (n = 0; n < p->laws; n++)
        if (p->law[n].degree == degree &&
            (is_spin || p->law[n].negative == negative))
            return n;
    p->law[p->laws++] = (hs_packed_law){.degree = degree,
                                        .negative = is_spin ? 0 : negative,
                                        .is_even = is_spin && p->field == 0.0f};
    return n;
}

/* One plane of a bundle under construction. */
struct raw {
    hs_packed_shape shape;
    int window, place[HS_BUNDLE];
};

/* Shapes, and positions of planes without a window, in the order found. */
struct finder {
    hs_packed *p;
    const hs_sparse *j;
    const int *position; /* position of sites */
    int *slot;           /* owned, [slots]: 1 + number of a shape, by hash */
    int64_t slots;
    int shapes, room;
    int64_t planes, parts, places, place_room;
    struct raw raw[HS_PACKED_DEGREE];
};

/* Fills slot s of a bundle: the visit of site i. */
static void fill_slot(struct finder *f, hs_bundle *b, int i, int s)
{
    hs_packed *p = f->p;
    const hs_sparse *j = f->j;
    struct raw *plane = f->raw;
    hs_packed_part *part = p->part + b->part;
    int law = law_of(p, j, i), n = 0;

    for (int64_t e = j->start[i]; e < j->start[i + 1]; e++, n++) {
        plane[n].place[s] = f->position[j->column[e]];
        plane[n].shape.there[s] = 0xffff;
        if ((hs_sparse_coupling(j, e) < 0.0f) != (p->coupling < 0.0f))
            plane[n].shape.flip[s] = 0xffff;
    }
    b->degree = n > b->degree ? n : b->degree;
    for (n = 0; n < b->parts && part[n].law != law; n++) {
    }
    if (n == b->parts)
        part[b->parts++].law = law;
    part[n].in[s] = 0xffff;
}

/* Finds a window that has all words of a plane, if there is one; visits without
 * this neighbor copy that of another. */
static void find_window(struct raw *f)
{
    hs_packed_shape *shape = &f->shape;
    int least = -1, most = -1;

    for (int s = 0; s < HS_BUNDLE; s++)
        if (shape->there[s]) {
            least = least < 0 || f->place[s] < least ? f->place[s] : least;
            most = f->place[s] > most ? f->place[s] : most;
        }
    for (int s = 0; s < HS_BUNDLE; s++)
        f->place[s] = shape->there[s] ? f->place[s] : least;
    f->window = most - least < 2 * HS_BUNDLE ? least : -1;
    for (int s = 0; f->window >= 0 && s < HS_BUNDLE; s++)
        shape->index[s] = (uint16_t)(f->place[s] - least);
}

/* Returns the number of a shape, adding it if it is new. */
static hiss_status find_shape(struct finder *f, const hs_packed_shape *shape,
                              int *out, hiss_error *err)
{
    hs_packed *p = f->p;
    hs_xxh64 hash;
    uint64_t at;

    hs_xxh64_init(&hash);
    hs_xxh64_add(&hash, shape, sizeof *shape);
    at = hs_xxh64_value(&hash) & (uint64_t)(f->slots - 1);
    for (; f->slot[at]; at = (at + 1) & (uint64_t)(f->slots - 1)) {
        *out = f->slot[at] - 1;
        if (memcmp(p->shape + *out, shape, sizeof *shape) == 0)
            return HISS_OK;
    }
    if (f->shapes == f->room) {
        hs_packed_shape *more = hs_realloc_array(
            p->shape, (size_t)f->room, 2 * (size_t)f->room + 8, sizeof *more);

        if (!more)
            return hs_fail_memory(err);
        p->shape = more;
        f->room = 2 * f->room + 8;
    }
    p->shape[f->shapes] = *shape;
    *out = f->shapes++;
    f->slot[at] = f->shapes;
    return HISS_OK;
}

/* Adds the positions of one more plane. */
static hiss_status put_places(struct finder *f, const int *place,
                              hiss_error *err)
{
    hs_packed *p = f->p;

    if (f->places == f->place_room) {
        size_t room = 2 * (size_t)f->place_room + 8 * HS_BUNDLE;
        int *more = hs_realloc_array(p->place, (size_t)f->place_room, room,
                                     sizeof *more);

        if (!more)
            return hs_fail_memory(err);
        p->place = more;
        f->place_room = (int64_t)room;
    }
    memcpy(p->place + f->places, place, HS_BUNDLE * sizeof *place);
    f->places += HS_BUNDLE;
    return HISS_OK;
}

static hiss_status finish_bundle(struct finder *f, hs_bundle *b,
                                 hiss_error *err)
{
    hs_packed *p = f->p;
    const hs_packed_part *part = p->part + b->part;

    b->is_plain = b->parts == 1;
    for (int n = 0; n < b->degree; n++) {
        struct raw *raw = &f->raw[n];
        hs_packed_plane *plane = p->plane + b->plane + n;

        find_window(raw);
        for (int s = 0; s < HS_BUNDLE; s++) {
            b->is_plain = b->is_plain && raw->shape.there[s] == part[0].in[s];
            b->has_flips = b->has_flips || raw->shape.flip[s];
        }
        *plane = (hs_packed_plane){.window = raw->window, .place = f->places};
        HS_TRY(find_shape(f, &raw->shape, &plane->shape, err));
        if (raw->window < 0)
            HS_TRY(put_places(f, raw->place, err));
    }
    return HISS_OK;
}

/* Uses the part of the bundle before if it is the same, as for most bundles on
 * a lattice. */
static void share_part(struct finder *f, hs_bundle *b)
{
    const hs_packed_part *own = f->p->part + b->part;

    f->parts = b->part + b->parts;
    if (b->parts == 1 && b->part > 0 &&
        memcmp(own - 1, own, sizeof *own) == 0) {
        b->part--;
        f->parts--;
        memset(f->p->part + f->parts, 0, sizeof *own);
    }
}

/* Whether a site of visits `from` to end - 1 is coupled to one of those from
 * `since` on and before. */
static bool is_coupled_to(const hs_packed *p, const hs_sparse *j,
                          const int *position, int since, int from, int end)
{
    for (int n = from; n < end; n++) {
        int i = p->site[n];

        for (int64_t e = j->start[i]; e < j->start[i + 1]; e++) {
            int other = position[j->column[e]];

            if (other >= since && other < from)
                return true;
        }
    }
    return false;
}

static hiss_status allocate(hs_packed *p, const hs_model *m, int *scratch,
                            const hs_sparse *j, hiss_error *err)
{
    size_t dim = (size_t)p->dim, planes = 0;
    int most = 1;

    for (int i = 0; i < p->dim; i++)
        most = degree_of(j, i) > most ? degree_of(j, i) : most;
    p->bundles = find_bundles(m, j, scratch, NULL);
    planes = (size_t)p->bundles * (size_t)most;
    p->site = hs_alloc_array(dim, sizeof *p->site);
    p->bundle = hs_alloc_array((size_t)p->bundles, sizeof *p->bundle);
    p->plane = hs_alloc_array(planes, sizeof *p->plane);
    /* at most one per degree and number of negative couplings */
    p->law = hs_alloc_array((HS_PACKED_DEGREE + 1) * (HS_PACKED_DEGREE + 2) / 2,
                            sizeof *p->law);
    p->part = hs_alloc_array(dim, sizeof *p->part);
    if (!p->site || !p->bundle || !p->plane || !p->law || !p->part)
        return hs_fail_memory(err);
    return HISS_OK;
}

static hiss_status fill_bundle(struct finder *f, hs_bundle *b, int end,
                               hiss_error *err)
{
    memset(f->raw, 0, sizeof f->raw);
    b->plane = f->planes;
    b->part = f->parts;
    for (int n = b->from; n < end; n++)
        fill_slot(f, b, f->p->site[n], n - b->first);
    HS_TRY(finish_bundle(f, b, err));
    f->planes += b->degree;
    share_part(f, b);
    return HISS_OK;
}

static hiss_status fill(hs_packed *p, const hs_model *m, const hs_sparse *j,
                        int *position, hiss_error *err)
{
    struct finder f = {.p = p, .j = j, .position = position, .slots = 64};
    hiss_status rc = HISS_OK;
    int since = 0;

    while (f.slots < 2 * HS_PACKED_DEGREE * (int64_t)p->bundles)
        f.slots *= 2;
    f.slot = hs_alloc_array((size_t)f.slots, sizeof *f.slot);
    if (!f.slot)
        return hs_fail_memory(err);
    find_bundles(m, j, position, p->bundle);
    for (int n = 0; n < p->dim; n++) {
        p->site[n] = site_of(m, n);
        position[p->site[n]] = n;
    }
    for (int k = 0; k < p->bundles && rc == HISS_OK; k++) {
        hs_bundle *b = &p->bundle[k];
        int end = k + 1 < p->bundles ? p->bundle[k + 1].from : p->dim;

        rc = fill_bundle(&f, b, end, err);
        b->is_coupled = is_coupled_to(p, j, position, since, b->from, end);
        since = b->is_coupled ? b->from : since;
    }
    hs_free(f.slot);
    return rc;
}

hiss_status hs_packed_init(hs_packed *p, const hs_model *m, hiss_error *err)
{
    const hs_pair_form *g = hs_model_structure(m, HS_STRUCTURE_PAIRS);
    const hs_sparse *j = g->j;
    int *scratch = hs_alloc_array((size_t)j->dim, sizeof *scratch);
    hiss_status rc;

    *p = (hs_packed){.dim = j->dim,
                     .low = g->low,
                     .gap = g->gap,
                     .coupling = j->uniform < 0.0f
                                     ? j->uniform
                                     : fabsf(hs_sparse_coupling(j, 0)),
                     .field = j->field ? j->field[0] : 0.0f,
                     .step = g->step};
    if (!scratch)
        return hs_fail_memory(err);
    rc = allocate(p, m, scratch, j, err);
    if (rc == HISS_OK)
        rc = fill(p, m, j, scratch, err);
    if (rc != HISS_OK)
        hs_packed_clear(p);
    hs_free(scratch);
    return rc;
}

void hs_packed_clear(hs_packed *p)
{
    hs_free(p->site);
    hs_free(p->bundle);
    hs_free(p->plane);
    hs_free(p->shape);
    hs_free(p->place);
    hs_free(p->part);
    hs_free(p->law);
    *p = (hs_packed){0};
}

/* The first 32 bits of P(high) with logit d. */
static uint32_t threshold_of(float d)
{
    float x[HS_LANES] = {-fabsf(d)}, e[HS_LANES];
    double p;

    hs_lanes()->exp(x, e);
    p = (double)(d < 0.0f ? e[0] : 1.0f) / (1.0 + (double)e[0]);
    p = floor(p * 0x1p32 + 0.5);
    return p < 0x1p32 ? (uint32_t)p : UINT32_MAX;
}

void hs_packed_set_beta(hs_packed *p, float beta)
{
    for (int n = 0; n < p->laws; n++) {
        hs_packed_law *law = &p->law[n];

        for (int k = 0; k <= law->degree; k++) {
            float base = p->low * (float)(law->degree - 2 * law->negative);
            float sum = p->gap * (float)(k - law->negative) + base;
            float row = sum * p->coupling + p->field;

            law->threshold[k] = threshold_of(beta * p->step * row);
            for (int q = 0; q < 32; q++)
                law->bit[k][q] =
                    law->threshold[k] >> (31 - q) & 1 ? UINT32_MAX : 0;
        }
    }
}

/* --- clauses -------------------------------------------------------------- */

bool hs_packed_clauses_apply(const hs_model *m)
{
    bool applies = !m->is_dense && m->ops->factors;
    hs_factors f;

    for (int i = 0; applies && i < m->domain.dim; i++)
        applies = m->domain.states[i] <= 2;
    if (!applies || m->ops->factors(m, &f, NULL) != HISS_OK)
        return false;
    applies = hs_factors_have_zeros(&f) && hs_factors_are_uniform(&f);
    hs_factors_clear(&f);
    return applies;
}

void hs_packed_clauses_clear(hs_packed_clauses *c)
{
    hs_free(c->pair_at);
    hs_free(c->pair);
    hs_free(c->long_at);
    hs_free(c->rest);
    *c = (hs_packed_clauses){0};
}

/* Literal k of the clause that excludes an entry; the last coordinate of the
 * scope varies fastest. */
static int excluding(const hs_factors *f, int64_t table, int64_t entry, int k)
{
    int64_t first = f->scope_at[table], end = f->scope_at[table + 1];
    bool is_one = entry >> (end - first - 1 - k) & 1;

    return 2 * f->scope[first + k] + is_one;
}

/* Writes a clause to the list of its literal k. */
static void put_clause(hs_packed_clauses *c, const hs_factors *f, int64_t table,
                       int64_t entry, int k)
{
    int size = (int)(f->scope_at[table + 1] - f->scope_at[table]);
    int64_t list = excluding(f, table, entry, k);
    int *to = size > 3 ? c->rest + c->long_at[list + 1]
                       : c->pair + 2 * c->pair_at[list + 1];
    int others = 0;

    if (size <= 3)
        to[0] = to[1] = 2 * c->visits;
    for (int j = 0; j < size; j++)
        if (j != k)
            to[others++] = excluding(f, table, entry, j);
    if (size > 3)
        to[others] = -1;
    c->long_at[list + 1] += size > 3 ? size : 0;
    c->pair_at[list + 1] += size <= 3;
}

/* Calls put_clause for all, or counts them two lists further on. */
static void list_clauses(hs_packed_clauses *c, const hs_factors *f, bool puts)
{
    for (int64_t n = 0; n < f->count; n++) {
        int size = (int)(f->scope_at[n + 1] - f->scope_at[n]);

        for (int64_t e = f->table_at[n]; e < f->table_at[n + 1]; e++)
            for (int k = 0; k < size && f->table[e] == -HUGE_VAL; k++) {
                int64_t entry = e - f->table_at[n];
                int list = excluding(f, n, entry, k);

                if (puts) {
                    put_clause(c, f, n, entry, k);
                    continue;
                }
                c->long_at[list + 2] += size > 3 ? size : 0;
                c->pair_at[list + 2] += size <= 3;
            }
    }
}

static hiss_status fill_clauses(hs_packed_clauses *c, const hs_factors *f,
                                hiss_error *err)
{
    size_t lists = 2 * (size_t)c->visits;

    c->pair_at = hs_alloc_array(lists + 2, sizeof *c->pair_at);
    c->long_at = hs_alloc_array(lists + 2, sizeof *c->long_at);
    if (!c->pair_at || !c->long_at)
        return hs_fail_memory(err);
    list_clauses(c, f, false);
    for (size_t l = 0; l < lists; l++) {
        c->long_at[l + 2] += c->long_at[l + 1];
        c->pair_at[l + 2] += c->pair_at[l + 1];
    }
    c->pair =
        hs_alloc_array(2 * (size_t)c->pair_at[lists + 1] + 1, sizeof *c->pair);
    c->rest =
        hs_alloc_array((size_t)c->long_at[lists + 1] + 1, sizeof *c->rest);
    if (!c->pair || !c->rest)
        return hs_fail_memory(err);
    list_clauses(c, f, true);
    return HISS_OK;
}

hiss_status hs_packed_clauses_init(hs_packed_clauses *c, const hs_model *m,
                                   hiss_error *err)
{
    hs_factors f;
    hiss_status rc;

    *c = (hs_packed_clauses){.visits = m->domain.dim};
    HS_TRY(m->ops->factors(m, &f, err));
    rc = fill_clauses(c, &f, err);
    hs_factors_clear(&f);
    return rc;
}
