/* csv.c - draws as lines of numbers: from Stan, a table, or any program. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "base/read/csv.h"
#include "format/draws/draws.h"

#define FIRST_ROOM 1024 /* rows */
#define DIGITS_MAX 9    /* most digits of a number in a name */

typedef enum column_of {
    OF_COORDINATE,
    OF_ENERGY,
    OF_CHAIN,
    OF_COUNT,
    OF_NOTHING,
} column_of;

struct rows {
    column_of *of; /* owned, [columns] */
    int *place;    /* owned, [columns]: coordinate of each column */
    int columns, coordinates;
    bool has_lp, has_chain, has_count;
    int64_t count, room;
    double *x;     /* owned, [room][dim] */
    double *lp;    /* owned, [room] */
    double *chain; /* owned, [room] */
    double *times; /* owned, [room] */
};

void hs_drawn_clear(hs_drawn *d)
{
    hs_free(d->x);
    hs_free(d->lp);
    *d = (hs_drawn){0};
}

bool hs_drawn_is_energy(const char *name)
{
    static const char *const names[] = {"lp__", "lp",     "log_prob",
                                        "logp", "energy", NULL};

    for (int k = 0; names[k]; k++)
        if (strcmp(name, names[k]) == 0)
            return true;
    return false;
}

static column_of meaning(const char *name)
{
    static const char *const passed[] = {"draw",       ".draw", "iteration",
                                         ".iteration", "iter",  NULL};
    size_t length = strlen(name);

    if (hs_drawn_is_energy(name))
        return OF_ENERGY;
    if (strcmp(name, "chain") == 0 || strcmp(name, ".chain") == 0)
        return OF_CHAIN;
    for (int k = 0; passed[k]; k++)
        if (strcmp(name, passed[k]) == 0)
            return OF_NOTHING;
    return length > 2 && strcmp(name + length - 2, "__") == 0 ? OF_NOTHING
                                                              : OF_COORDINATE;
}

/* The number that a name ends with (x.3, x3, x[3]) and the length of the name
 * before it; -1 if there is none. */
static int number_of(const char *name, size_t *before)
{
    size_t end = strlen(name), first;
    int number = 0;

    if (end > 0 && name[end - 1] == ']')
        end--;
    for (first = end; first > 0 && name[first - 1] >= '0' &&
                      name[first - 1] <= '9' && end - first < DIGITS_MAX;)
        first--;
    for (size_t k = first; k < end; k++)
        number = 10 * number + (name[k] - '0');
    *before = first;
    return first < end ? number : -1;
}

/* Whether the columns are one name with all numbers from `least` on, in any
 * order; stores their places. */
static bool place_by_number(struct rows *r, hs_csv *in, int least, int *seen)
{
    const char *stem = NULL;
    size_t length = 0, before;

    for (int i = 0; i < r->coordinates; i++)
        seen[i] = 0;
    for (int k = 0; k < r->columns; k++) {
        const char *name = hs_csv_text(in, k);
        int at;

        if (r->of[k] != OF_COORDINATE)
            continue;
        at = number_of(name, &before) - least;
        if (!stem) {
            stem = name;
            length = before;
        }
        if (at < 0 || at >= r->coordinates || seen[at]++ || before != length ||
            strncmp(name, stem, length) != 0)
            return false;
        r->place[k] = at;
    }
    return true;
}

/* Places columns by the numbers in their names, else in file order. */
static hiss_status place_columns(struct rows *r, hs_csv *in, bool has_names,
                                 hiss_error *err)
{
    int *seen = hs_alloc_array((size_t)r->coordinates + 1, sizeof *seen);
    int i = 0;

    if (!seen)
        return hs_fail_memory(err);
    if (!has_names ||
        (!place_by_number(r, in, 1, seen) && !place_by_number(r, in, 0, seen)))
        for (int k = 0; k < r->columns; k++)
            if (r->of[k] == OF_COORDINATE)
                r->place[k] = i++;
    hs_free(seen);
    return HISS_OK;
}

/* If there is a column too many that counts, it is no coordinate. */
static void find_count(struct rows *r, hs_csv *in, int dim)
{
    static const char *const names[] = {"num_occurrences", "counts", "count",
                                        NULL};

    for (int n = 0; names[n] && r->coordinates == dim + 1; n++)
        for (int k = 0; k < r->columns; k++)
            if (!r->has_count && strcmp(hs_csv_text(in, k), names[n]) == 0) {
                r->of[k] = OF_COUNT;
                r->has_count = true;
                r->coordinates--;
            }
}

/* Reads the first line: names, or the numbers of a draw in files without
 * names. */
static hiss_status take_header(struct rows *r, hs_csv *in, int fields, int dim,
                               bool *is_row, hiss_error *err)
{
    double number;

    *is_row = true;
    for (int k = 0; k < fields; k++)
        *is_row = *is_row && hs_number_real(hs_csv_text(in, k), &number);
    r->columns = fields;
    r->of = hs_alloc_array((size_t)fields, sizeof *r->of);
    r->place = hs_alloc_array((size_t)fields, sizeof *r->place);
    if (!r->of || !r->place)
        return hs_fail_memory(err);
    for (int k = 0; k < fields; k++) {
        r->of[k] = *is_row ? OF_COORDINATE : meaning(hs_csv_text(in, k));
        r->coordinates += r->of[k] == OF_COORDINATE;
        if (r->of[k] == OF_ENERGY && r->has_lp)
            r->of[k] = OF_NOTHING; /* the first one counts */
        r->has_lp = r->has_lp || r->of[k] == OF_ENERGY;
        r->has_chain = r->has_chain || r->of[k] == OF_CHAIN;
    }
    if (!*is_row)
        find_count(r, in, dim);
    if (r->coordinates == dim)
        return place_columns(r, in, !*is_row, err);
    return hs_csv_fail(in, 0, err,
                       "%d columns are coordinates, the model has %d",
                       r->coordinates, dim);
}

static hiss_status make_room(struct rows *r, int dim, hiss_error *err)
{
    size_t now = (size_t)r->room, next = now ? 2 * now : FIRST_ROOM;
    double *x, *lp, *chain, *times;

    if (r->count < r->room)
        return HISS_OK;
    x = hs_realloc_array(r->x, now * (size_t)dim, next * (size_t)dim,
                         sizeof *x);
    r->x = x ? x : r->x;
    lp = hs_realloc_array(r->lp, now, next, sizeof *lp);
    r->lp = lp ? lp : r->lp;
    chain = hs_realloc_array(r->chain, now, next, sizeof *chain);
    r->chain = chain ? chain : r->chain;
    times = hs_realloc_array(r->times, now, next, sizeof *times);
    r->times = times ? times : r->times;
    if (!x || !lp || !chain || !times)
        return hs_fail_memory(err);
    r->room = (int64_t)next;
    return HISS_OK;
}

static hiss_status take_row(struct rows *r, hs_csv *in, int dim,
                            hiss_error *err)
{
    HS_TRY(make_room(r, dim, err));
    for (int k = 0; k < r->columns; k++) {
        double value;

        if (r->of[k] == OF_NOTHING)
            continue;
        if (r->of[k] == OF_ENERGY) { /* may be -inf */
            value = hs_number_real(hs_csv_text(in, k), &value) ? value
                                                               : (double)NAN;
            r->lp[r->count] = value;
            continue;
        }
        HS_TRY(hs_csv_real(in, k, &value, err));
        if (r->of[k] == OF_CHAIN)
            r->chain[r->count] = value;
        else if (r->of[k] == OF_COUNT)
            r->times[r->count] = value;
        else
            r->x[r->count * dim + r->place[k]] = value;
    }
    r->count++;
    return HISS_OK;
}

static hiss_status take_rows(struct rows *r, hs_csv *in, int dim,
                             hiss_error *err)
{
    bool has_header = false;
    int fields;

    for (;;) {
        bool is_row = true;

        HS_TRY(hs_csv_row(in, &fields, err));
        if (fields == 0)
            return HISS_OK;
        if (!has_header)
            HS_TRY(take_header(r, in, fields, dim, &is_row, err));
        has_header = true;
        if (fields != r->columns)
            return hs_csv_fail(in, 0, err, "%d fields, expected %d", fields,
                               r->columns);
        if (is_row)
            HS_TRY(take_row(r, in, dim, err));
    }
}

/* Counted draws have no order, so no chains either. */
static hiss_status repeat(hs_drawn *out, struct rows *r, const char *path,
                          int dim, hiss_error *err)
{
    int64_t *times = hs_alloc_array((size_t)r->count + 1, sizeof *times);
    hiss_status rc;

    *out = (hs_drawn){.chains = 1, .samples = r->count, .dim = dim, .x = r->x};
    out->lp = r->has_lp ? r->lp : NULL;
    r->x = NULL;
    if (r->has_lp)
        r->lp = NULL;
    if (!times)
        return hs_fail_memory(err);
    for (int64_t k = 0; k < r->count; k++) {
        double whole = floor(r->times[k]);

        times[k] =
            whole == r->times[k] && fabs(whole) < 1e9 ? (int64_t)whole : -1;
    }
    rc = hs_drawn_repeat(out, times, path, err);
    hs_free(times);
    return rc;
}

/* Chains may be mixed in the file; all must have the same number of draws. */
static hiss_status gather(hs_drawn *out, struct rows *r, const char *path,
                          int dim, hiss_error *err)
{
    int64_t n = 0;

    *out = (hs_drawn){.chains = 1, .samples = r->count, .dim = dim};
    for (int64_t k = 1; r->has_chain && k < r->count; k++) {
        bool is_new = true;

        for (int64_t j = k - 1; j >= 0 && is_new; j--)
            is_new = r->chain[j] != r->chain[k];
        out->chains += is_new;
        if (out->chains > 65536)
            return hs_fail(err, HISS_EPARSE, "%s: more than 65536 chains",
                           path);
    }
    if (r->count == 0 || r->count % out->chains)
        return hs_fail(err, HISS_EPARSE,
                       "%s: %lld draws of %lld chains, expected as many of "
                       "each",
                       path, (long long)r->count, (long long)out->chains);
    out->samples = r->count / out->chains;
    out->x = hs_alloc_array((size_t)r->count * (size_t)dim, sizeof *out->x);
    if (r->has_lp)
        out->lp = hs_alloc_array((size_t)r->count, sizeof *out->lp);
    if (!out->x || (r->has_lp && !out->lp))
        return hs_fail_memory(err);
    for (int64_t k = 0; k < r->count && n < r->count; k++) {
        if (r->has_chain && isnan(r->chain[k]))
            continue; /* taken */
        for (int64_t j = k, of = 0; j < r->count; j++) {
            if (r->has_chain && r->chain[j] != r->chain[k])
                continue;
            if (++of > out->samples)
                return hs_fail(err, HISS_EPARSE,
                               "%s: chain %g has more draws than others", path,
                               r->chain[k]);
            memcpy(out->x + n * dim, r->x + j * dim,
                   (size_t)dim * sizeof *out->x);
            if (r->has_lp)
                out->lp[n] = r->lp[j];
            n++;
            if (j > k)
                r->chain[j] = NAN;
        }
    }
    return HISS_OK;
}

hiss_status hs_drawn_read_csv(hs_drawn *out, const char *path, int dim,
                              hiss_error *err)
{
    struct rows r = {0};
    hs_csv *in;
    hiss_status rc;

    *out = (hs_drawn){0};
    HS_TRY(hs_csv_open(&in, path, err));
    hs_csv_pass_comments(in);
    rc = take_rows(&r, in, dim, err);
    hs_csv_close(in);
    if (rc == HISS_OK)
        rc = r.has_count ? repeat(out, &r, path, dim, err)
                         : gather(out, &r, path, dim, err);
    hs_free(r.of);
    hs_free(r.place);
    hs_free(r.x);
    hs_free(r.lp);
    hs_free(r.chain);
    hs_free(r.times);
    if (rc != HISS_OK)
        hs_drawn_clear(out);
    return rc;
}
