/* factors.c - packed lists of tables: scopes and entries are in one array each,
 * so a small factor takes little more memory than its entries. */
#include "model/factors.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

hiss_status hs_factors_init(hs_factors *f, int dim, const int *states,
                            hiss_error *err)
{
    *f = (hs_factors){.dim = dim};
    f->states = hs_alloc_array((size_t)dim, sizeof *f->states);
    f->scope_at = hs_alloc_array(1, sizeof *f->scope_at);
    f->table_at = hs_alloc_array(1, sizeof *f->table_at);
    f->scope = hs_alloc_array(0, sizeof *f->scope);
    f->table = hs_alloc_array(0, sizeof *f->table);
    if (!f->states || !f->scope_at || !f->table_at || !f->scope || !f->table) {
        hs_factors_clear(f);
        return hs_fail_memory(err);
    }
    memcpy(f->states, states, (size_t)dim * sizeof *states);
    return HISS_OK;
}

void hs_factors_clear(hs_factors *f)
{
    hs_free(f->states);
    hs_free(f->scope_at);
    hs_free(f->scope);
    hs_free(f->table_at);
    hs_free(f->table);
    *f = (hs_factors){0};
}

/* Grows *array to hold `need` elements, by at least half; `has` are present and
 * *room fit. */
static bool grow(void **array, int64_t has, int64_t *room, int64_t need,
                 size_t size)
{
    int64_t more = *room + *room / 2;
    void *larger;

    if (need <= *room)
        return true;
    more = more > need ? more : need;
    larger = hs_realloc_array(*array, (size_t)has, (size_t)more, size);
    if (!larger)
        return false;
    *array = larger;
    *room = more;
    return true;
}

static bool make_room(hs_factors *f, int64_t count, int64_t scopes,
                      int64_t entries)
{
    int64_t used = f->count + 1, room = f->room + 1, also = room;
    int64_t scope_end = f->scope_at[f->count];
    int64_t table_end = f->table_at[f->count];
    void *scope_at = f->scope_at, *table_at = f->table_at;
    void *scope = f->scope, *table = f->table;
    bool is_done =
        grow(&scope_at, used, &room, count + 1, sizeof(int64_t)) &&
        grow(&table_at, used, &also, count + 1, sizeof(int64_t)) &&
        grow(&scope, scope_end, &f->scope_room, scopes, sizeof(int)) &&
        grow(&table, table_end, &f->table_room, entries, sizeof(double));

    f->scope_at = scope_at;
    f->table_at = table_at;
    f->scope = scope;
    f->table = table;
    if (is_done)
        f->room = room - 1;
    return is_done;
}

hiss_status hs_factors_reserve(hs_factors *f, int64_t count, int64_t scopes,
                               int64_t entries, hiss_error *err)
{
    return make_room(f, count, scopes, entries) ? HISS_OK : hs_fail_memory(err);
}

int64_t hs_factors_entries(const hs_factors *f, int size, const int *scope)
{
    int64_t entries = 1;

    for (int k = 0; k < size; k++) {
        entries *= f->states[scope[k]];
        if (entries > HS_FACTOR_MAX)
            return HS_FACTOR_MAX + 1;
    }
    return entries;
}

hiss_status hs_factors_add(hs_factors *f, int size, const int *scope,
                           const double *table, double **entries,
                           hiss_error *err)
{
    int64_t count = hs_factors_entries(f, size, scope);
    int64_t scope_end = f->scope_at[f->count] + size;
    int64_t table_end = f->table_at[f->count] + count;
    double *to;

    if (entries)
        *entries = NULL;
    if (count > HS_FACTOR_MAX)
        return hs_fail(err, HISS_ELIMIT, "a factor has more than 2^30 entries");
    if (size == 0 && table) {
        f->constant += table[0];
        return HISS_OK;
    }
    if (!make_room(f, f->count + 1, scope_end, table_end))
        return hs_fail_memory(err);
    to = f->table + f->table_at[f->count];
    if (size > 0)
        memcpy(f->scope + f->scope_at[f->count], scope,
               (size_t)size * sizeof *scope);
    if (table)
        memcpy(to, table, (size_t)count * sizeof *table);
    f->count++;
    f->scope_at[f->count] = scope_end;
    f->table_at[f->count] = table_end;
    if (entries)
        *entries = to;
    return HISS_OK;
}

/* A scope without fixed coordinates: the remaining coordinates, their strides
 * in the old table, and the position of the entry with index 0 in all of
 * them. */
struct cut {
    int *scope;      /* owned, [most]: most = longest scope */
    int64_t *stride; /* owned, [most] */
    int *index;      /* owned, [most] */
    int size;
    int64_t origin;
};

static void cut_scope(struct cut *c, const hs_factors *f, int64_t number,
                      const int *at)
{
    int64_t stride = 1;
    int size = (int)(f->scope_at[number + 1] - f->scope_at[number]);
    const int *scope = f->scope + f->scope_at[number];

    c->size = 0;
    c->origin = 0;
    for (int k = size - 1; k >= 0; k--) {
        int i = scope[k];

        if (at && at[i] >= 0) {
            c->origin += stride * at[i];
        } else if (f->states[i] > 1) {
            c->scope[c->size] = i;
            c->stride[c->size++] = stride;
        }
        stride *= f->states[i];
    }
    for (int k = 0; k < c->size / 2; k++) {
        int last = c->size - 1 - k, i = c->scope[k];
        int64_t step = c->stride[k];

        c->scope[k] = c->scope[last];
        c->stride[k] = c->stride[last];
        c->scope[last] = i;
        c->stride[last] = step;
    }
}

/* Copies the remaining entries, in order. */
static void cut_table(struct cut *c, const hs_factors *f, int64_t number,
                      double *to, int64_t count)
{
    const double *from = f->table + f->table_at[number] + c->origin;

    for (int k = 0; k < c->size; k++)
        c->index[k] = 0;
    for (int64_t e = 0; e < count; e++) {
        to[e] = *from;
        for (int k = c->size - 1; k >= 0; k--) {
            from += c->stride[k];
            if (++c->index[k] < f->states[c->scope[k]])
                break;
            from -= c->stride[k] * c->index[k];
            c->index[k] = 0;
        }
    }
}

static hiss_status slice_factor(hs_factors *out, struct cut *c,
                                const hs_factors *f, int64_t number,
                                const int *at, hiss_error *err)
{
    double *entries;

    cut_scope(c, f, number, at);
    if (c->size == 0) {
        out->constant += f->table[f->table_at[number] + c->origin];
        return HISS_OK;
    }
    HS_TRY(hs_factors_add(out, c->size, c->scope, NULL, &entries, err));
    cut_table(c, f, number, entries,
              hs_factors_entries(out, c->size, c->scope));
    return HISS_OK;
}

static hiss_status slice_all(hs_factors *out, const hs_factors *f,
                             const int *at, hiss_error *err)
{
    struct cut c = {0};
    int64_t most = 0;
    hiss_status rc = HISS_OK;

    for (int64_t n = 0; n < f->count; n++)
        if (f->scope_at[n + 1] - f->scope_at[n] > most)
            most = f->scope_at[n + 1] - f->scope_at[n];
    c.scope = hs_alloc_array((size_t)most, sizeof *c.scope);
    c.stride = hs_alloc_array((size_t)most, sizeof *c.stride);
    c.index = hs_alloc_array((size_t)most, sizeof *c.index);
    if (!c.scope || !c.stride || !c.index)
        rc = hs_fail_memory(err);
    for (int64_t n = 0; n < f->count && rc == HISS_OK; n++)
        rc = slice_factor(out, &c, f, n, at, err);
    hs_free(c.scope);
    hs_free(c.stride);
    hs_free(c.index);
    return rc;
}

hiss_status hs_factors_slice(hs_factors *out, const hs_factors *f,
                             const int *at, hiss_error *err)
{
    hiss_status rc;

    HS_TRY(hs_factors_init(out, f->dim, f->states, err));
    out->constant = f->constant;
    for (int i = 0; at && i < f->dim; i++)
        if (at[i] >= 0)
            out->states[i] = 1;
    rc = slice_all(out, f, at, err);
    if (rc != HISS_OK)
        hs_factors_clear(out);
    return rc;
}

hiss_status hs_factors_index(const hs_factors *f, int64_t **start,
                             int64_t **factor, hiss_error *err)
{
    size_t sites = (size_t)f->dim + 1;
    int64_t *fill = hs_alloc_array(sites, sizeof *fill);

    *start = hs_alloc_array(sites, sizeof **start);
    *factor = hs_alloc_array((size_t)f->scope_at[f->count], sizeof **factor);
    if (!*start || !*factor || !fill) {
        hs_free(fill);
        hs_free(*start);
        hs_free(*factor);
        *start = *factor = NULL;
        return hs_fail_memory(err);
    }
    for (int64_t s = 0; s < f->scope_at[f->count]; s++)
        (*start)[f->scope[s] + 1]++;
    for (int i = 0; i < f->dim; i++)
        (*start)[i + 1] += (*start)[i];
    memcpy(fill, *start, sites * sizeof *fill);
    for (int64_t n = 0; n < f->count; n++)
        for (int64_t s = f->scope_at[n]; s < f->scope_at[n + 1]; s++)
            (*factor)[fill[f->scope[s]]++] = n;
    hs_free(fill);
    return HISS_OK;
}

double hs_factors_energy(const hs_factors *f, const int16_t *state)
{
    double u = f->constant;

    for (int64_t n = 0; n < f->count; n++) {
        int64_t at = 0;

        for (int64_t k = f->scope_at[n]; k < f->scope_at[n + 1]; k++)
            at = at * f->states[f->scope[k]] + state[f->scope[k]];
        u += f->table[f->table_at[n] + at];
    }
    return u;
}

double hs_factors_sweep(const hs_factors *f)
{
    double sum = f->dim;

    for (int64_t n = 0; n < f->count; n++)
        for (int64_t k = f->scope_at[n]; k < f->scope_at[n + 1]; k++)
            sum += f->states[f->scope[k]];
    return sum;
}

bool hs_factors_have_zeros(const hs_factors *f)
{
    if (f->constant == -HUGE_VAL)
        return true;
    for (int64_t e = 0; e < f->table_at[f->count]; e++)
        if (f->table[e] == -HUGE_VAL)
            return true;
    return false;
}

bool hs_factors_are_uniform(const hs_factors *f)
{
    for (int64_t n = 0; n < f->count; n++) {
        double common = -HUGE_VAL;

        for (int64_t e = f->table_at[n]; e < f->table_at[n + 1]; e++) {
            if (f->table[e] > -HUGE_VAL && common > -HUGE_VAL &&
                f->table[e] != common)
                return false;
            common = fmax(common, f->table[e]);
        }
    }
    return true;
}
