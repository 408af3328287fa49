/* project.c - existential elimination of variables.
 *
 * A hidden variable is removed together with the tables that contain it.  One
 * table over their other variables replaces them: an entry is possible if some
 * value of the variable makes all of them possible.  The variable with the
 * smallest new table goes first. */
#include "format/parts/project.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

#define ENTRIES_MAX (INT64_C(1) << 20)
#define WORK_MAX    4e9 /* entries visited: takes some seconds */

struct work {
    hs_factors *f; /* receives the new tables */
    bool *is_gone; /* owned, [room]: whether a table is removed */
    int64_t room;
    bool *is_left; /* owned, [dim]: hidden and not yet removed */
    int *scope;    /* owned, [dim]: union of the present tables' scopes */
    int *place;    /* owned, [dim]: index in scope, or -1 */
    int *digit;    /* owned, [dim] */
    int size;
    double visited;
};

static bool holds(const hs_factors *f, int64_t n, int variable)
{
    for (int64_t k = f->scope_at[n]; k < f->scope_at[n + 1]; k++)
        if (f->scope[k] == variable)
            return true;
    return false;
}

/* Lists the variables of all tables with this one, without itself; returns the
 * entries. */
static double gather(struct work *w, int variable)
{
    const hs_factors *f = w->f;
    double entries = 1.0;

    for (int k = 0; k < w->size; k++)
        w->place[w->scope[k]] = -1;
    w->size = 0;
    for (int64_t n = 0; n < f->count; n++) {
        if (w->is_gone[n] || !holds(f, n, variable))
            continue;
        for (int64_t k = f->scope_at[n]; k < f->scope_at[n + 1]; k++) {
            int i = f->scope[k];

            if (i == variable || w->place[i] >= 0)
                continue;
            w->place[i] = w->size;
            w->scope[w->size++] = i;
            entries *= f->states[i];
        }
    }
    return entries;
}

/* Chooses the hidden variable with the smallest new table; -1 if none is
 * left. */
static int choose(struct work *w, double *entries)
{
    int best = -1;

    *entries = HUGE_VAL;
    for (int i = 0; i < w->f->dim; i++) {
        double size;

        if (!w->is_left[i])
            continue;
        size = gather(w, i);
        if (best < 0 || size < *entries) {
            best = i;
            *entries = size;
        }
    }
    return best;
}

/* Whether a table allows these digits with this value. */
static bool is_possible(const struct work *w, int64_t n, int variable,
                        int value)
{
    const hs_factors *f = w->f;
    int64_t at = 0;

    for (int64_t k = f->scope_at[n]; k < f->scope_at[n + 1]; k++) {
        int i = f->scope[k];

        at =
            at * f->states[i] + (i == variable ? value : w->digit[w->place[i]]);
    }
    return f->table[f->table_at[n] + at] > -HUGE_VAL;
}

static bool is_completed(const struct work *w, const int64_t *table, int tables,
                         int variable)
{
    for (int value = 0; value < w->f->states[variable]; value++) {
        int n = 0;

        while (n < tables && is_possible(w, table[n], variable, value))
            n++;
        if (n == tables)
            return true;
    }
    return false;
}

static void step_digits(struct work *w)
{
    for (int k = w->size - 1; k >= 0; k--) {
        if (++w->digit[k] < w->f->states[w->scope[k]])
            return;
        w->digit[k] = 0;
    }
}

static hiss_status mark_new(struct work *w, hiss_error *err)
{
    bool *grown;

    if (w->f->count <= w->room)
        return HISS_OK;
    grown = hs_realloc_array(w->is_gone, (size_t)w->room,
                             2 * (size_t)w->f->count, sizeof *grown);
    if (!grown)
        return hs_fail_memory(err);
    w->is_gone = grown;
    w->room = 2 * w->f->count;
    return HISS_OK;
}

/* Makes the table that replaces those with the variable. */
static hiss_status join(struct work *w, int variable, const int64_t *table,
                        int tables, int64_t entries, hiss_error *err)
{
    double *to = hs_alloc_array((size_t)entries, sizeof *to);
    hiss_status rc = to ? HISS_OK : hs_fail_memory(err);

    memset(w->digit, 0, (size_t)w->f->dim * sizeof *w->digit);
    for (int64_t e = 0; to && e < entries; e++) {
        to[e] = is_completed(w, table, tables, variable) ? 0.0 : -HUGE_VAL;
        step_digits(w);
    }
    if (rc == HISS_OK)
        rc = hs_factors_add(w->f, w->size, w->scope, to, NULL, err);
    hs_free(to);
    for (int n = 0; n < tables; n++)
        w->is_gone[table[n]] = true;
    return rc == HISS_OK ? mark_new(w, err) : rc;
}

static hiss_status take_out(struct work *w, int variable, double entries,
                            hiss_error *err)
{
    int64_t *table = hs_alloc_array((size_t)w->f->count, sizeof *table);
    int tables = 0;
    hiss_status rc = table ? HISS_OK : hs_fail_memory(err);

    gather(w, variable);
    for (int64_t n = 0; table && n < w->f->count; n++)
        if (!w->is_gone[n] && holds(w->f, n, variable))
            table[tables++] = n;
    w->visited += entries * (tables + 1.0);
    if (rc == HISS_OK &&
        (entries > (double)ENTRIES_MAX || w->visited > WORK_MAX))
        rc = hs_fail(err, HISS_EUNSUP,
                     "the projection would need a table of 2^%.0f entries; "
                     "the limit is 2^20",
                     log2(entries));
    if (rc == HISS_OK)
        rc = join(w, variable, table, tables, (int64_t)entries, err);
    w->is_left[variable] = false;
    hs_free(table);
    return rc;
}

/* Gives new numbers to the variables of the remaining tables. */
static hiss_status renumber(struct work *w, const bool *is_shown,
                            hiss_error *err)
{
    hs_factors out;
    int dim = 0;

    for (int i = 0; i < w->f->dim; i++) {
        w->place[i] = is_shown[i] ? dim : -1;
        if (is_shown[i])
            w->digit[dim++] = w->f->states[i];
    }
    HS_TRY(hs_factors_init(&out, dim, w->digit, err));
    out.constant = w->f->constant;
    for (int64_t n = 0; n < w->f->count; n++) {
        const int *scope = w->f->scope + w->f->scope_at[n];
        int size = (int)(w->f->scope_at[n + 1] - w->f->scope_at[n]);
        hiss_status rc;

        if (w->is_gone[n])
            continue;
        for (int k = 0; k < size; k++)
            w->scope[k] = w->place[scope[k]];
        rc = hs_factors_add(&out, size, w->scope,
                            w->f->table + w->f->table_at[n], NULL, err);
        if (rc != HISS_OK) {
            hs_factors_clear(&out);
            return rc;
        }
    }
    hs_factors_clear(w->f);
    *w->f = out;
    return HISS_OK;
}

static hiss_status run(struct work *w, const bool *is_shown, hiss_error *err)
{
    double entries;
    int variable;

    for (int i = 0; i < w->f->dim; i++) {
        w->is_left[i] = !is_shown[i];
        w->place[i] = -1;
    }
    while ((variable = choose(w, &entries)) >= 0)
        HS_TRY(take_out(w, variable, entries, err));
    return renumber(w, is_shown, err);
}

hiss_status hs_project(hs_factors *f, const bool *is_shown, hiss_error *err)
{
    size_t dim = (size_t)f->dim;
    struct work w = {.f = f, .room = f->count};
    hiss_status rc;

    w.is_gone = hs_alloc_array((size_t)f->count, sizeof *w.is_gone);
    w.is_left = hs_alloc_array(dim, sizeof *w.is_left);
    w.scope = hs_alloc_array(dim, sizeof *w.scope);
    w.place = hs_alloc_array(dim, sizeof *w.place);
    w.digit = hs_alloc_array(dim, sizeof *w.digit);
    rc = w.is_gone && w.is_left && w.scope && w.place && w.digit
             ? run(&w, is_shown, err)
             : hs_fail_memory(err);
    hs_free(w.is_gone);
    hs_free(w.is_left);
    hs_free(w.scope);
    hs_free(w.place);
    hs_free(w.digit);
    return rc;
}
