/* lattice_plan.cu - windows and strays of a graph of one degree. */
#include <stdlib.h>
#include <string.h>

#include "cuda/langevin/lattice.h"

#define PLANES 3   /* of a chain: x, y and how x was */
#define MOST   128 /* threads of a block */

/* Neighbors of the sites of one group that are in no window yet. */
typedef struct rest {
    int first, sites, degree;
    int column[HS_LATTICE_SITES][HS_DEGREE_MAX];
    int left[HS_LATTICE_SITES];
    int filled[HS_LATTICE_SITES]; /* windows that have them */
} rest;

static void rest_init(rest *r, const hs_device_model *m, int group)
{
    memset(r, 0, sizeof *r);
    r->first = group * HS_LATTICE_SITES;
    r->degree = m->degree;
    r->sites = m->dim - r->first < HS_LATTICE_SITES ? m->dim - r->first
                                                    : HS_LATTICE_SITES;
    for (int j = 0; j < r->sites; j++) {
        r->left[j] = m->degree;
        memcpy(r->column[j], m->j.column + (int64_t)m->degree * (r->first + j),
               (size_t)m->degree * sizeof(int));
    }
}

static int find(const rest *r, int j, int offset)
{
    for (int k = 0; k < r->left[j]; k++)
        if (r->column[j][k] == r->first + j + offset)
            return k;
    return -1;
}

static void take(rest *r, int j, int k)
{
    r->column[j][k] = r->column[j][--r->left[j]];
}

/* How far most sites have a neighbor. */
static int usual_offset(const rest *r)
{
    int best = 0, most = -1;

    for (int j = 0; j < r->sites; j++)
        for (int k = 0; k < r->left[j]; k++) {
            int offset = r->column[j][k] - r->first - j, count = 0;

            for (int i = 0; i < r->sites; i++)
                count += find(r, i, offset) >= 0;
            if (count > most) {
                most = count;
                best = offset;
            }
        }
    return best;
}

/* The next window: those that have the usual neighbor; others are strays. */
static void fill_window(rest *r, hs_card_window *to)
{
    int offset = usual_offset(r);

    to->position = r->first + offset;
    to->mask = 0;
    for (int j = 0; j < r->sites; j++) {
        int k = find(r, j, offset);

        if (k < 0)
            continue;
        take(r, j, k);
        to->mask |= 1u << j;
    }
}

static void fill_group(hs_card_lattice *out, const hs_device_model *m, int n)
{
    hs_card_window *window = out->window + (int64_t)n * m->degree;
    rest r;

    rest_init(&r, m, n);
    for (int k = 0; k < m->degree; k++)
        fill_window(&r, window + k);
    out->start[n] = out->strays;
    for (int k = 0; k < m->degree; k++)
        for (int j = 0; j < r.sites; j++)
            if (!(window[k].mask >> j & 1)) {
                hs_card_stray *s = &out->stray[out->strays++];

                s->column = r.column[j][--r.left[j]];
                s->window = (uint8_t)k;
                s->place = (uint8_t)j;
            }
    out->start[n + 1] = out->strays;
}

void hs_card_lattice_plan(hs_card_lattice *out, const hs_device_model *m,
                          size_t shared)
{
    hs_card_regular r = hs_card_regular_of(m);
    size_t groups = ((size_t)m->dim + HS_LATTICE_SITES - 1) / HS_LATTICE_SITES;
    size_t degree = (size_t)m->degree;
    size_t each = PLANES * (groups + 2) * sizeof(uint32_t);

    memset(out, 0, sizeof *out);
    if ((m->degree != 4 && m->degree != 6) || !r.is_even)
        return; /* each degree is a kernel of its own: those of lattices */
    for (out->threads = MOST; out->threads >= HS_WARP; out->threads /= 2)
        if (each * (size_t)out->threads <= shared)
            break;
    if (out->threads < HS_WARP)
        return;
    out->window =
        (hs_card_window *)malloc(groups * degree * sizeof *out->window +
                                 (size_t)m->dim * degree * sizeof *out->stray +
                                 (groups + 1) * sizeof(int));
    if (!out->window)
        return;
    out->stray = (hs_card_stray *)(out->window + groups * degree);
    out->start = (int *)(out->stray + (size_t)m->dim * degree);
    out->groups = (int)groups;
    out->degree = m->degree;
    for (int n = 0; n < out->groups; n++)
        fill_group(out, m, n);
}
