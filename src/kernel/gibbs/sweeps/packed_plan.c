/* packed_plan.c - bundles of visits, their neighbours, and laws. */
#include "kernel/gibbs/sweeps/packed_plan.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"

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

/* Sites that are coupled to one of the bundle end it; those of a stage share
 * bundles, of which the first begins at an even position.  Calls with NULL for
 * `bundle` count. */
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

/* Number of the law of a site; a new one, if it is. */
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

/* Slot s of a bundle is the visit of site i, whose neighbours are at
 * position[]. */
static void fill_slot(hs_packed *p, const hs_sparse *j, hs_bundle *b, int i,
                      int s, const int *position)
{
    hs_packed_plane *plane = p->plane + b->plane;
    hs_packed_part *part = p->part + b->part;
    int law = law_of(p, j, i), n = 0;

    for (int64_t e = j->start[i]; e < j->start[i + 1]; e++, n++) {
        plane[n].place[s] = position[j->column[e]];
        plane[n].there[s] = 0xffff;
        if ((hs_sparse_coupling(j, e) < 0.0f) != (p->coupling < 0.0f))
            plane[n].flip[s] = 0xffff;
    }
    b->degree = n > b->degree ? n : b->degree;
    for (n = 0; n < b->parts && part[n].law != law; n++) {
    }
    if (n == b->parts)
        part[b->parts++].law = law;
    part[n].in[s] = 0xffff;
}

/* A window that has all words of a plane, if there is one; who has no such
 * neighbour is given that of another. */
static void find_window(hs_packed_plane *f)
{
    int least = -1, most = -1;

    for (int s = 0; s < HS_BUNDLE; s++)
        if (f->there[s]) {
            least = least < 0 || f->place[s] < least ? f->place[s] : least;
            most = f->place[s] > most ? f->place[s] : most;
        }
    for (int s = 0; s < HS_BUNDLE; s++)
        f->place[s] = f->there[s] ? f->place[s] : least;
    f->window = most - least < 2 * HS_BUNDLE ? least : -1;
    for (int s = 0; f->window >= 0 && s < HS_BUNDLE; s++)
        f->index[s] = (uint16_t)(f->place[s] - least);
}

static void finish_bundle(hs_packed *p, hs_bundle *b)
{
    const hs_packed_part *part = p->part + b->part;

    b->is_plain = b->parts == 1;
    for (int n = 0; n < b->degree; n++) {
        hs_packed_plane *f = p->plane + b->plane + n;

        find_window(f);
        for (int s = 0; s < HS_BUNDLE; s++) {
            b->is_plain = b->is_plain && f->there[s] == part[0].in[s];
            b->has_flips = b->has_flips || f->flip[s];
        }
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
    /* a law per degree and number of negative couplings, at most */
    p->law = hs_alloc_array((HS_PACKED_DEGREE + 1) * (HS_PACKED_DEGREE + 2) / 2,
                            sizeof *p->law);
    p->part = hs_alloc_array(dim, sizeof *p->part);
    if (!p->site || !p->bundle || !p->plane || !p->law || !p->part)
        return hs_fail_memory(err);
    return HISS_OK;
}

static void fill(hs_packed *p, const hs_model *m, const hs_sparse *j,
                 int *position)
{
    int64_t planes = 0, parts = 0;
    int since = 0;

    find_bundles(m, j, position, p->bundle);
    for (int n = 0; n < p->dim; n++) {
        p->site[n] = site_of(m, n);
        position[p->site[n]] = n;
    }
    for (int k = 0; k < p->bundles; k++) {
        hs_bundle *b = &p->bundle[k];
        int end = k + 1 < p->bundles ? p->bundle[k + 1].from : p->dim;

        b->plane = planes;
        b->part = parts;
        for (int n = b->from; n < end; n++)
            fill_slot(p, j, b, p->site[n], n - b->first, position);
        finish_bundle(p, b);
        b->is_coupled = is_coupled_to(p, j, position, since, b->from, end);
        since = b->is_coupled ? b->from : since;
        planes += b->degree;
        parts += b->parts;
    }
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
        fill(p, m, j, scratch);
    else
        hs_packed_clear(p);
    hs_free(scratch);
    return rc;
}

void hs_packed_clear(hs_packed *p)
{
    hs_free(p->site);
    hs_free(p->bundle);
    hs_free(p->plane);
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
