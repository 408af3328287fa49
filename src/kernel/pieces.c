/* pieces.c - local choices: components of the differences of modes. */
#include "kernel/pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/piece_finder.h"

#define SCOPES (INT64_C(1) << 22) /* most coordinates in all tables */

/* --- the choice ----------------------------------------------------------- */

struct ranked {
    double often;
    int64_t sites;
    int32_t piece;
};

static int by_rank(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->often != y->often)
        return x->often > y->often ? -1 : 1;
    if (x->sites != y->sites)
        return x->sites < y->sites ? -1 : 1;
    return x->piece < y->piece ? -1 : 1;
}

static void copy_pieces(hs_pieces *p, const hs_piece_finder *f,
                        const struct ranked *rank)
{
    for (int n = 0; n < p->count; n++) {
        int64_t from = f->at[rank[n].piece];

        p->at[n + 1] = p->at[n] + rank[n].sites;
        for (int64_t k = 0; k < rank[n].sites; k++) {
            p->site[p->at[n] + k] = f->site[from + k];
            p->one[p->at[n] + k] = f->value[2 * (from + k)];
            p->two[p->at[n] + k] = f->value[2 * (from + k) + 1];
        }
    }
}

static hiss_status keep_best(hs_pieces *p, const hs_piece_finder *f,
                             hiss_error *err)
{
    struct ranked *rank = hs_alloc_array((size_t)f->count, sizeof *rank);
    size_t sites = 0;
    hiss_status rc = HISS_OK;

    for (int n = 0; rank && n < f->count; n++)
        rank[n] = (struct ranked){f->often[n], f->at[n + 1] - f->at[n], n};
    if (rank && f->count > 0)
        qsort(rank, (size_t)f->count, sizeof *rank, by_rank);
    p->count = f->count < HS_PIECES_MAX ? f->count : HS_PIECES_MAX;
    for (int n = 0; rank && n < p->count; n++)
        sites += (size_t)rank[n].sites;
    p->at = hs_alloc_array((size_t)p->count + 1, sizeof *p->at);
    p->site = hs_alloc_array(sites, sizeof *p->site);
    p->one = hs_alloc_array(sites, sizeof *p->one);
    p->two = hs_alloc_array(sites, sizeof *p->two);
    if (rank && p->at && p->site && p->one && p->two)
        copy_pieces(p, f, rank);
    else
        rc = hs_fail_memory(err);
    hs_free(rank);
    return rc;
}

/* --- tables of pieces ----------------------------------------------------- */

/* Lists the tables that a piece touches, each once, or only counts them. */
static int64_t tables_of(const hs_pieces *p, int piece, const int64_t *start,
                         const int64_t *factor, int32_t *seen, int64_t *out)
{
    int64_t count = 0;

    for (int64_t k = p->at[piece]; k < p->at[piece + 1]; k++)
        for (int64_t n = start[p->site[k]]; n < start[p->site[k] + 1]; n++)
            if (seen[factor[n]] != piece + 1) {
                seen[factor[n]] = piece + 1;
                if (out)
                    out[count] = factor[n];
                count++;
            }
    return count;
}

static hiss_status list_tables(hs_pieces *p, const int64_t *start,
                               const int64_t *factor, hiss_error *err)
{
    const hs_factors *f = &p->factors;
    size_t bytes = (size_t)f->count * sizeof(int32_t);
    int32_t *seen = hs_alloc_array((size_t)f->count, sizeof *seen);
    double per_site = (double)f->scope_at[f->count] / f->dim;

    p->table_at = hs_alloc_array((size_t)p->count + 1, sizeof *p->table_at);
    for (int n = 0; seen && p->table_at && n < p->count; n++)
        p->table_at[n + 1] =
            p->table_at[n] + tables_of(p, n, start, factor, seen, NULL);
    if (seen && p->table_at)
        p->table =
            hs_alloc_array((size_t)p->table_at[p->count], sizeof *p->table);
    if (!seen || !p->table_at || !p->table) {
        hs_free(seen);
        return hs_fail_memory(err);
    }
    memset(seen, 0, bytes);
    for (int n = 0; n < p->count; n++)
        tables_of(p, n, start, factor, seen, p->table + p->table_at[n]);
    hs_free(seen);
    /* a site's update reads its tables; at least the sites themselves */
    p->price = (double)p->at[p->count] / p->count;
    if (per_site > 0.0)
        p->price = fmax(p->price,
                        (double)p->table_at[p->count] / (p->count * per_site));
    return HISS_OK;
}

/* With tables a local change is cheap. */
static hiss_status take_tables(hs_pieces *p, hiss_error *err)
{
    int64_t *start = NULL, *factor = NULL;
    hiss_status rc = hs_factors_index(&p->factors, &start, &factor, err);

    if (rc == HISS_OK)
        rc = list_tables(p, start, factor, err);
    hs_free(start);
    hs_free(factor);
    return rc;
}

/* --- all of it ------------------------------------------------------------ */

/* Gets the tables if there are not too many; they are optional. */
static hiss_status get_tables(hs_factors *f, const hs_model *m, bool *has,
                              hiss_error *err)
{
    hiss_status rc;

    *has = false;
    if (!m->ops->factors)
        return HISS_OK;
    rc = m->ops->factors(m, f, err);
    if (rc == HISS_EUNSUP || rc == HISS_ELIMIT)
        return HISS_OK;
    HS_TRY(rc);
    *has = f->scope_at[f->count] <= SCOPES;
    if (!*has)
        hs_factors_clear(f);
    return HISS_OK;
}

hiss_status hs_pieces_find(hs_pieces *p, const hs_model *m, const int16_t *top,
                           int modes, hiss_error *err)
{
    hs_piece_finder f = {.top = top, .modes = modes, .dim = m->domain.dim};
    bool has_tables = false, is_found;
    hiss_status rc;

    *p = (hs_pieces){0};
    rc = get_tables(&p->factors, m, &has_tables, err);
    is_found = rc == HISS_OK && hs_piece_finder_init(&f) &&
               hs_piece_finder_columns(&f) &&
               (!has_tables || m->is_dense ||
                hs_piece_finder_tables(&f, &p->factors)) &&
               hs_piece_finder_nearest(&f);
    if (rc == HISS_OK && !is_found)
        rc = hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = keep_best(p, &f, err);
    if (rc == HISS_OK && has_tables && p->count > 0)
        rc = take_tables(p, err);
    hs_piece_finder_clear(&f);
    if (rc != HISS_OK)
        hs_pieces_clear(p);
    return rc;
}

void hs_pieces_clear(hs_pieces *p)
{
    hs_free(p->at);
    hs_free(p->site);
    hs_free(p->one);
    hs_free(p->two);
    hs_factors_clear(&p->factors);
    hs_free(p->table_at);
    hs_free(p->table);
    *p = (hs_pieces){0};
}

int hs_pieces_rounds(const hs_pieces *p, int dim)
{
    double most = dim / p->price;

    return most < 1.0 ? 1 : most < p->count ? (int)most : p->count;
}

void hs_pieces_exchange(const hs_pieces *p, int piece, hs_index_row *x,
                        int lane)
{
    for (int64_t k = p->at[piece]; k < p->at[piece + 1]; k++) {
        int16_t *at = &x[p->site[k]][lane];

        *at = hs_piece_other(*at, p->one[k], p->two[k]);
    }
}

double hs_pieces_energy(const hs_pieces *p, int piece, const hs_index_row *x,
                        int lane)
{
    const hs_factors *f = &p->factors;
    double sum = 0.0;

    for (int64_t t = p->table_at[piece]; t < p->table_at[piece + 1]; t++) {
        int64_t n = p->table[t], at = 0;

        for (int64_t k = f->scope_at[n]; k < f->scope_at[n + 1]; k++)
            at = at * f->states[f->scope[k]] + x[f->scope[k]][lane];
        sum += f->table[f->table_at[n] + at];
    }
    return sum;
}
