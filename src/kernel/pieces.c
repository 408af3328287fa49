/* pieces.c - local choices: what the differences of modes fall apart into. */
#include "kernel/pieces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/sets.h"
#include "kernel/parts.h"

#define WORK    (INT64_C(1) << 28) /* sites and scopes that are looked at */
#define SCOPES  (INT64_C(1) << 22) /* coordinates in all tables */
#define ENTRIES (INT64_C(1) << 22) /* sites in all pieces */
#define FOUND   (1 << 15)          /* distinct pieces, before the choice */
#define CLASSES 64                 /* values of a choice */
#define SLOTS   (2 * FOUND)        /* of the hash table, a power of two */

/* Distinct pieces on the way. */
struct finder {
    const int16_t *top; /* borrowed, [modes][dim] */
    int modes, dim;
    int count;
    int64_t *at;    /* owned, [FOUND + 1] */
    double *often;  /* owned, [FOUND]: pairs of modes that it was seen in */
    int32_t *slot;  /* owned, [SLOTS]: 1 + number of the piece, 0: free */
    uint64_t *key;  /* owned, [FOUND] */
    int32_t *site;  /* owned, [room] */
    int16_t *value; /* owned, [2 * room]: one and two */
    int64_t room;
    int32_t *parent, *size, *member; /* owned, [dim] */
};

static uint64_t mixed(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static int16_t top_of(const struct finder *f, int mode, int i)
{
    return f->top[(size_t)mode * (size_t)f->dim + (size_t)i];
}

/* --- the list ------------------------------------------------------------ */

static bool grow(struct finder *f, int64_t need)
{
    int64_t room = f->room ? 2 * f->room : 1024;
    int32_t *site;
    int16_t *value;

    if (need <= f->room)
        return true;
    room = room < need ? need : room;
    site =
        hs_realloc_array(f->site, (size_t)f->room, (size_t)room, sizeof *site);
    if (!site)
        return false;
    f->site = site;
    value = hs_realloc_array(f->value, 2 * (size_t)f->room, 2 * (size_t)room,
                             sizeof *value);
    if (!value)
        return false;
    f->value = value;
    f->room = room;
    return true;
}

/* Values of a piece behind the list; returns its hash. */
static uint64_t write_piece(struct finder *f, int a, int b, const int32_t *site,
                            int sites)
{
    uint64_t key = 0;

    for (int n = 0; n < sites; n++) {
        int64_t to = f->at[f->count] + n;
        int16_t x = top_of(f, a, site[n]), y = top_of(f, b, site[n]);

        f->site[to] = site[n];
        f->value[2 * to] = x < y ? x : y;
        f->value[2 * to + 1] = x < y ? y : x;
        key = mixed(key, (uint64_t)site[n] << 32 |
                             (uint64_t)(uint16_t)f->value[2 * to] << 16 |
                             (uint16_t)f->value[2 * to + 1]);
    }
    return mixed(key, (uint64_t)sites);
}

/* The piece of these sites (ascending) between modes a and b, seen `often`
 * more; a collision of hashes loses one.  False without memory. */
static bool add(struct finder *f, int a, int b, const int32_t *site, int sites,
                double often)
{
    uint64_t key;
    size_t at;

    if (sites < 2 || f->count == FOUND || f->at[f->count] + sites > ENTRIES)
        return true;
    if (!grow(f, f->at[f->count] + sites))
        return false;
    key = write_piece(f, a, b, site, sites);
    for (at = key % SLOTS; f->slot[at]; at = (at + 1) % SLOTS)
        if (f->key[f->slot[at] - 1] == key) {
            f->often[f->slot[at] - 1] += often;
            return true;
        }
    f->key[f->count] = key;
    f->often[f->count] = often;
    f->at[f->count + 1] = f->at[f->count] + sites;
    f->slot[at] = ++f->count;
    return true;
}

/* --- by tables ----------------------------------------------------------- */

/* Sites of each part of the difference of a and b, one part after another. */
static bool add_parts(struct finder *f, const hs_factors *tables, int a, int b)
{
    int32_t next = 0;

    for (int i = 0; i < f->dim; i++) {
        f->parent[i] = top_of(f, a, i) == top_of(f, b, i) ? -1 : i;
        f->size[i] = 0;
    }
    hs_parts_join(tables, f->parent);
    for (int i = 0; i < f->dim; i++)
        if (f->parent[i] >= 0)
            f->size[hs_sets_find(f->parent, i)]++;
    for (int i = 0; i < f->dim; i++)
        if (f->parent[i] == i) { /* the first site: where its part begins */
            int32_t sites = f->size[i];

            f->size[i] = next;
            next += sites;
        }
    for (int i = 0; i < f->dim; i++)
        if (f->parent[i] >= 0)
            f->member[f->size[hs_sets_find(f->parent, i)]++] = i;
    for (int32_t first = 0; first < next;) { /* size is where it ends now */
        int32_t end = f->size[hs_sets_find(f->parent, f->member[first])];

        if (!add(f, a, b, f->member + first, end - first, 1.0))
            return false;
        first = end;
    }
    return true;
}

/* Pairs of modes, neighbours in the list first, while the work lasts. */
static bool find_by_tables(struct finder *f, const hs_factors *tables)
{
    int64_t work = 0, cost = f->dim + tables->scope_at[tables->count];

    for (int gap = 1; gap < f->modes; gap++)
        for (int a = 0; a + gap < f->modes; a++) {
            work += cost;
            if (work > WORK)
                return true;
            if (!add_parts(f, tables, a, a + gap))
                return false;
        }
    return true;
}

/* --- by columns ----------------------------------------------------------- */

/* How column i divides the modes: classes are numbered as they appear, first[c]
 * is a mode of class c and size[c] how many there are.  Returns the classes, or
 * 0 where there are too many. */
static int divide(const struct finder *f, int i, int *first, double *size,
                  uint64_t *key)
{
    int classes = 0;

    *key = 0;
    for (int k = 0; k < f->modes; k++) {
        int c = 0;

        while (c < classes && top_of(f, first[c], i) != top_of(f, k, i))
            c++;
        if (c == CLASSES)
            return 0;
        if (c == classes) {
            first[classes] = k;
            size[classes++] = 0.0;
        }
        size[c] += 1.0;
        *key = mixed(*key, (uint64_t)c + 1);
    }
    return classes;
}

struct tagged {
    uint64_t key;
    int32_t site;
};

static int by_key(const void *a, const void *b)
{
    const struct tagged *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->site < y->site ? -1 : x->site > y->site;
}

/* Pieces of sites that divide the modes in the same way: for each two classes
 * of modes one. */
static bool add_choice(struct finder *f, const int32_t *site, int sites)
{
    int first[CLASSES];
    double size[CLASSES];
    uint64_t key;
    int classes = divide(f, site[0], first, size, &key);

    for (int a = 0; a < classes; a++)
        for (int b = a + 1; b < classes; b++)
            if (!add(f, first[a], first[b], site, sites, size[a] * size[b]))
                return false;
    return true;
}

static bool find_by_columns(struct finder *f)
{
    struct tagged *tag = hs_alloc_array((size_t)f->dim, sizeof *tag);
    int count = 0;
    bool is_done = tag != NULL;

    for (int i = 0; is_done && i < f->dim; i++) {
        int first[CLASSES];
        double size[CLASSES];
        uint64_t key;

        if (divide(f, i, first, size, &key) > 1)
            tag[count++] = (struct tagged){key, i};
    }
    if (count > 0)
        qsort(tag, (size_t)count, sizeof *tag, by_key);
    for (int from = 0, to; is_done && from < count; from = to) {
        for (to = from; to < count && tag[to].key == tag[from].key; to++)
            f->member[to - from] = tag[to].site;
        is_done = add_choice(f, f->member, to - from);
    }
    hs_free(tag);
    return is_done;
}

static int distance(const struct finder *f, int a, int b)
{
    int differ = 0;

    for (int i = 0; i < f->dim; i++)
        differ += top_of(f, a, i) != top_of(f, b, i);
    return differ;
}

/* Differences to the nearest mode, whole. */
static bool find_nearest(struct finder *f)
{
    int64_t work = 0;

    for (int a = 0; a < f->modes; a++) {
        int nearest = -1, least = 0, sites = 0;

        work += (int64_t)f->modes * f->dim;
        if (work > WORK)
            return true;
        for (int b = 0; b < f->modes; b++) {
            int differ = b == a ? 0 : distance(f, a, b);

            if (differ > 1 && (nearest < 0 || differ < least)) {
                nearest = b;
                least = differ;
            }
        }
        for (int i = 0; nearest >= 0 && i < f->dim; i++)
            if (top_of(f, a, i) != top_of(f, nearest, i))
                f->member[sites++] = i;
        if (nearest >= 0 && !add(f, a, nearest, f->member, sites, 1.0))
            return false;
    }
    return true;
}

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

static void copy_pieces(hs_pieces *p, const struct finder *f,
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

static hiss_status keep_best(hs_pieces *p, const struct finder *f,
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

/* Writes the tables that a piece touches, each once, or counts them only. */
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
    /* a site's update looks at its tables; at least the sites themselves */
    p->price = (double)p->at[p->count] / p->count;
    if (per_site > 0.0)
        p->price = fmax(p->price,
                        (double)p->table_at[p->count] / (p->count * per_site));
    return HISS_OK;
}

/* Tables make a local change cheap. */
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

static void finder_clear(struct finder *f)
{
    hs_free(f->at);
    hs_free(f->often);
    hs_free(f->slot);
    hs_free(f->key);
    hs_free(f->site);
    hs_free(f->value);
    hs_free(f->parent);
    hs_free(f->size);
    hs_free(f->member);
}

static bool finder_init(struct finder *f)
{
    size_t dim = (size_t)f->dim;

    f->at = hs_alloc_array(FOUND + 1, sizeof *f->at);
    f->often = hs_alloc_array(FOUND, sizeof *f->often);
    f->slot = hs_alloc_array(SLOTS, sizeof *f->slot);
    f->key = hs_alloc_array(FOUND, sizeof *f->key);
    f->parent = hs_alloc_array(dim, sizeof *f->parent);
    f->size = hs_alloc_array(dim, sizeof *f->size);
    f->member = hs_alloc_array(dim, sizeof *f->member);
    return f->at && f->often && f->slot && f->key && f->parent && f->size &&
           f->member;
}

/* Tables, if there are not too many: they are a convenience. */
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
    struct finder f = {.top = top, .modes = modes, .dim = m->domain.dim};
    bool has_tables = false, is_found;
    hiss_status rc;

    *p = (hs_pieces){0};
    rc = get_tables(&p->factors, m, &has_tables, err);
    is_found = rc == HISS_OK && finder_init(&f) && find_by_columns(&f) &&
               find_nearest(&f) &&
               (!has_tables || m->is_dense || find_by_tables(&f, &p->factors));
    if (rc == HISS_OK && !is_found)
        rc = hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = keep_best(p, &f, err);
    if (rc == HISS_OK && has_tables && p->count > 0)
        rc = take_tables(p, err);
    finder_clear(&f);
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
