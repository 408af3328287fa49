/* window.c - truncated networks of some coordinates given all others. */
#include "exact/network/window.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "exact/network/build.h"

#define DISCARD 1e-29 /* part of the squares: double precision */
#define FLOOR   1e-9  /* fraction of the largest weight: enough for q > 0 */

struct hs_window {
    hs_network n;        /* its tables are those of the last proposal */
    hs_factors own;      /* owned: tables with a member, then phi of each; the
                            coordinates are members, then neighbors */
    int64_t given;       /* tables of the model among them */
    int *global;         /* owned, [own.dim]: coordinates of the model */
    int *at;             /* owned, [own.dim]: -1, or the value of a neighbor */
    hs_index_row *x, *y; /* owned, [own.dim] */
    int bond, members;
    double work;
};

static bool has_member(const hs_factors *f, int64_t k, const int *local)
{
    for (int64_t i = f->scope_at[k]; i < f->scope_at[k + 1]; i++)
        if (local[f->scope[i]] > 0)
            return true;
    return false;
}

/* Numbers of the coordinates in the window from 1 on: members first. */
static int number(hs_window *w, const hs_factors *f, const int *member,
                  int *local)
{
    int count = 0;

    for (int n = 0; n < w->members; n++) {
        w->global[count] = member[n];
        local[member[n]] = ++count;
    }
    for (int64_t k = 0; k < f->count; k++) {
        bool has = false;

        for (int64_t i = f->scope_at[k]; i < f->scope_at[k + 1]; i++)
            has = has ||
                  (local[f->scope[i]] > 0 && local[f->scope[i]] <= w->members);
        for (int64_t i = f->scope_at[k]; has && i < f->scope_at[k + 1]; i++)
            if (local[f->scope[i]] == 0) {
                w->global[count] = f->scope[i];
                local[f->scope[i]] = ++count;
            }
    }
    return count;
}

static hiss_status add_table(hs_window *w, const hs_factors *f, int64_t k,
                             const int *local, hiss_error *err)
{
    int size = (int)(f->scope_at[k + 1] - f->scope_at[k]);
    int *scope = hs_alloc_array((size_t)size, sizeof *scope);
    hiss_status rc;

    if (!scope)
        return hs_fail_memory(err);
    for (int i = 0; i < size; i++)
        scope[i] = local[f->scope[f->scope_at[k] + i]] - 1;
    rc = hs_factors_add(&w->own, size, scope, f->table + f->table_at[k], NULL,
                        err);
    hs_free(scope);
    return rc;
}

static hiss_status add_tables(hs_window *w, const hs_factors *f,
                              const int *local, hiss_error *err)
{
    int *inside = hs_alloc_array((size_t)f->dim, sizeof *inside);
    hiss_status rc = inside ? HISS_OK : hs_fail_memory(err);

    for (int n = 0; inside && n < w->members; n++)
        inside[w->global[n]] = 1;
    for (int64_t k = 0; rc == HISS_OK && k < f->count; k++)
        if (has_member(f, k, inside))
            rc = add_table(w, f, k, local, err);
    w->given = w->own.count;
    for (int n = 0; rc == HISS_OK && n < w->members; n++)
        rc = hs_factors_add(&w->own, 1, &n, NULL, NULL, err);
    hs_free(inside);
    return rc;
}

static hiss_status init_tables(hs_window *w, const hs_factors *f,
                               const int *member, hiss_error *err)
{
    int *local = hs_alloc_array((size_t)f->dim, sizeof *local);
    int *states = hs_alloc_array((size_t)f->dim, sizeof *states);
    hiss_status rc = local && states ? HISS_OK : hs_fail_memory(err);
    int count = rc == HISS_OK ? number(w, f, member, local) : 0;

    for (int n = 0; n < count; n++)
        states[n] = f->states[w->global[n]];
    if (rc == HISS_OK)
        rc = hs_factors_init(&w->own, count, states, err);
    if (rc == HISS_OK)
        rc = add_tables(w, f, local, err);
    hs_free(local);
    hs_free(states);
    return rc;
}

/* The members' tables given the neighbors' values at w->at. */
static hiss_status slice(hs_window *w, hiss_error *err)
{
    hs_factors_clear(&w->n.factors);
    return hs_factors_slice(&w->n.factors, &w->own, w->at, err);
}

/* The order of the variables is that of all later networks: tables have the
 * same scopes whatever the neighbors are. */
static hiss_status prepare(hs_window *w, hiss_error *err)
{
    for (int n = w->members; n < w->own.dim; n++)
        w->at[n] = 0;
    HS_TRY(slice(w, err));
    w->n.weight = hs_alloc_array(
        (size_t)w->n.factors.table_at[w->n.factors.count], sizeof *w->n.weight);
    if (!w->n.weight)
        return hs_fail_memory(err);
    w->n.floor = FLOOR;
    w->n.sweep = 1.0; /* work in multiplications */
    HS_TRY(hs_line_init(&w->n.line, &w->n.factors, err));
    for (int64_t e = 0; e < w->n.factors.table_at[w->n.factors.count]; e++)
        if (!isfinite(w->n.factors.table[e])) /* that state may be impossible */
            w->n.factors.table[e] = 0.0;
    HS_TRY(hs_network_build(&w->n, w->bond, DISCARD, NULL, err));
    w->work = w->n.facts.sweeps + 2.0 * HS_LANES * w->n.facts.draw_work;
    return HISS_OK;
}

hiss_status hs_window_create(hs_window **out, const hs_factors *f,
                             const int *member, int members, int bond,
                             hiss_error *err)
{
    hs_window *w = hs_alloc_array(1, sizeof *w);
    hiss_status rc = HISS_OK;

    *out = NULL;
    if (!w)
        return hs_fail_memory(err);
    w->bond = bond;
    w->members = members;
    w->global = hs_alloc_array((size_t)f->dim, sizeof *w->global);
    w->at = hs_alloc_array((size_t)f->dim, sizeof *w->at);
    w->x = hs_alloc_array((size_t)f->dim, sizeof *w->x);
    w->y = hs_alloc_array((size_t)f->dim, sizeof *w->y);
    if (!w->global || !w->at || !w->x || !w->y)
        rc = hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = init_tables(w, f, member, err);
    for (int n = 0; rc == HISS_OK && n < members; n++)
        w->at[n] = -1;
    if (rc == HISS_OK)
        rc = prepare(w, err);
    if (rc == HISS_OK)
        *out = w;
    else
        hs_window_destroy(w);
    return rc;
}

void hs_window_destroy(hs_window *w)
{
    if (!w)
        return;
    hs_network_drop(&w->n);
    hs_line_clear(&w->n.line);
    hs_factors_clear(&w->n.factors);
    hs_free(w->n.weight);
    hs_factors_clear(&w->own);
    hs_free(w->global);
    hs_free(w->at);
    hs_free(w->x);
    hs_free(w->y);
    hs_free(w);
}

int hs_window_members(const hs_window *w)
{
    return w->members;
}

const int *hs_window_member(const hs_window *w)
{
    return w->global;
}

double hs_window_work(const hs_window *w)
{
    return w->work;
}

/* Tables of this state and tilt. */
static hiss_status set_tables(hs_window *w, const hs_index_row *x, int lane,
                              const hs_window_tilt *t, hiss_error *err)
{
    const double *phi = t->phi;
    hs_factors *f = &w->own;

    for (int n = w->members; n < f->dim; n++)
        w->at[n] = x[w->global[n]][lane];
    for (int64_t e = f->table_at[w->given]; e < f->table_at[f->count]; e++)
        f->table[e] = phi ? *phi++ / t->beta : 0.0;
    HS_TRY(slice(w, err));
    for (int64_t e = 0; e < w->n.factors.table_at[w->n.factors.count]; e++)
        w->n.factors.table[e] *= t->beta;
    return HISS_OK;
}

static hiss_status draw(hs_window *w, const hs_network_address *address,
                        double *log_ratio, hiss_error *err)
{
    double q[HS_LANES], own_q[HS_LANES], u[HS_LANES], own_u[HS_LANES];
    hs_network_scratch *s;

    HS_TRY(hs_network_scratch_create(&s, &w->n, err));
    hs_network_draw(&w->n, s, address, w->y, q);
    hs_network_draw(&w->n, s, NULL, w->x, own_q);
    hs_network_scratch_destroy(s);
    hs_network_energy(&w->n, (const hs_index_row *)w->y, u);
    hs_network_energy(&w->n, (const hs_index_row *)w->x, own_u);
    *log_ratio =
        u[0] > -HUGE_VAL ? u[0] - own_u[0] + own_q[0] - q[0] : -HUGE_VAL;
    return HISS_OK;
}

hiss_status hs_window_propose(hs_window *w, const hs_index_row *x, int lane,
                              const hs_window_tilt *t,
                              const hs_network_address *address, int16_t *y,
                              double *log_ratio, hiss_error *err)
{
    hiss_status rc;

    *log_ratio = -HUGE_VAL;
    for (int n = 0; n < w->members; n++)
        y[n] = x[w->global[n]][lane];
    HS_TRY(set_tables(w, x, lane, t, err));
    for (int n = 0; n < w->own.dim; n++)
        for (int l = 0; l < HS_LANES; l++)
            w->x[n][l] = n < w->members ? x[w->global[n]][lane] : 0;
    rc = hs_network_build(&w->n, w->bond, DISCARD, NULL, err);
    if (rc == HISS_EINFEASIBLE) /* so is where the lane stands */
        return HISS_OK;
    HS_TRY(rc);
    HS_TRY(draw(w, address, log_ratio, err));
    for (int n = 0; n<w->members && * log_ratio> - HUGE_VAL; n++)
        y[n] = w->y[n][0];
    return HISS_OK;
}
