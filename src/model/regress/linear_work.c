/* linear_work.c - the algebra of one model: a Cholesky factor and its uses. */
#include <math.h>
#include <string.h>

#include "base/logarithm.h"
#include "model/regress/linear.h"

#define RSS_LEAST 1e-14 /* a perfect fit, up to rounding */

static size_t padded(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

size_t hs_linear_work_bytes(const hs_linear *m)
{
    size_t room = (size_t)m->law.most + 1;
    size_t terms = (size_t)m->design.terms;

    return padded(room * sizeof(int)) +
           padded(sizeof(double) * (room * room + 4 * room +
                                    room * HS_LINEAR_BLOCK + 2 * terms));
}

void hs_linear_work_place(hs_linear_work *w, const hs_linear *m, void *scratch)
{
    size_t room = (size_t)m->law.most + 1;
    double *at = (double *)((char *)scratch + padded(room * sizeof(int)));

    *w = (hs_linear_work){.room = (int)room, .active = scratch};
    w->factor = at;
    w->z = w->factor + room * room;
    w->beta = w->z + room;
    w->inverse = w->beta + room;
    w->vector = w->inverse + room;
    w->block = w->vector + room;
    w->row = w->block + room * HS_LINEAR_BLOCK;
    w->other = w->row + m->design.terms;
}

double hs_linear_log_p(const hs_linear *m, double rss, double determinant,
                       int count)
{
    const hs_linear_law *law = &m->law;
    double scale = law->base + law->slope * fmax(rss, RSS_LEAST);

    return law->penalty[count] - law->power * hs_logarithm(scale) -
           (law->has_determinant ? 0.5 * determinant : 0.0);
}

/* Appends a row of L for a variable; false if it depends on the others or there
 * is no room. */
static bool append(const hs_linear *m, hs_linear_work *w, int i)
{
    int k = w->count;
    double *own = w->factor + (size_t)k * (size_t)w->room;
    double pivot = 1.0 + m->law.ridge, z = m->b[i];

    if (k >= m->law.most)
        return false;
    for (int a = 0; a < k; a++) {
        const double *row = w->factor + (size_t)a * (size_t)w->room;
        double sum = hs_gram_at(&m->gram, i, w->active[a]);

        for (int c = 0; c < a; c++)
            sum -= own[c] * row[c];
        own[a] = sum / row[a];
        pivot -= own[a] * own[a];
        z -= own[a] * w->z[a];
    }
    if (pivot < HS_LINEAR_DEPENDENT)
        return false;
    own[k] = sqrt(pivot);
    w->z[k] = z / own[k];
    w->rss -= w->z[k] * w->z[k];
    w->determinant += hs_logarithm(pivot);
    w->active[w->count++] = i;
    return true;
}

static void restart(hs_linear_work *w)
{
    w->count = 0;
    w->rss = 1.0;
    w->determinant = 0.0;
}

double hs_linear_visit(const hs_linear *m, const hs_point *p, int lane,
                       hs_linear_work *w)
{
    restart(w);
    for (int i = 0; i < m->design.terms; i++)
        if (p->x[i][lane] && !append(m, w, i))
            return -HUGE_VAL;
    return hs_linear_log_p(m, w->rss, w->determinant, w->count);
}

void hs_linear_thin(const hs_linear *m, hs_point *p, int lane,
                    hs_linear_work *w)
{
    restart(w);
    for (int i = 0; i < m->design.terms; i++)
        if (p->x[i][lane] && !append(m, w, i))
            p->x[i][lane] = 0;
}

/* L' v = v */
static void solve_back(const hs_linear_work *w, double *v)
{
    for (int a = w->count - 1; a >= 0; a--) {
        const double *row = w->factor + (size_t)a * (size_t)w->room;

        v[a] /= row[a];
        for (int c = 0; c < a; c++)
            v[c] -= row[c] * v[a];
    }
}

void hs_linear_apply(const hs_linear_work *w, double *v)
{
    for (int a = 0; a < w->count; a++) {
        const double *row = w->factor + (size_t)a * (size_t)w->room;

        for (int c = 0; c < a; c++)
            v[a] -= row[c] * v[c];
        v[a] /= row[a];
    }
    solve_back(w, v);
}

/* The squares of column j of L^-1 sum to the diagonal entry j. */
void hs_linear_solve(hs_linear_work *w)
{
    double *v = w->vector;

    memcpy(w->beta, w->z, (size_t)w->count * sizeof *w->beta);
    solve_back(w, w->beta);
    for (int j = 0; j < w->count; j++) {
        w->inverse[j] = 0.0;
        for (int a = j; a < w->count; a++) {
            const double *row = w->factor + (size_t)a * (size_t)w->room;
            double sum = a == j ? 1.0 : 0.0;

            for (int c = j; c < a; c++)
                sum -= row[c] * v[c];
            v[a] = sum / row[a];
            w->inverse[j] += v[a] * v[a];
        }
    }
}
