/* code.c - translates tables with zeros to clauses.
 *
 * An impossible entry is widened while it stays impossible: the clause omits a
 * coordinate if all its states are impossible there.  Entries that a clause
 * covers need no other clause. */
#include "model/sat/code.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

#define LITERALS_MAX (INT64_C(1) << 26) /* a quarter of a GiB */

/* A table being translated. */
struct table {
    const hs_factors *f;
    const double *entry; /* borrowed */
    int size;
    const int *scope; /* borrowed */
    int64_t entries;
    int64_t *stride; /* owned, [widest scope] */
    int *digit;      /* owned, [widest scope]: of the entry being widened */
    int *wide;       /* owned, [widest scope]: omitted positions */
    int wides;
    bool *is_covered; /* owned, [largest table] */
};

void hs_code_clear(hs_code *c)
{
    hs_free(c->first);
    hs_free(c->coordinate);
    hs_free(c->start);
    hs_free(c->literal);
    *c = (hs_code){0};
}

static hiss_status add(hs_code *c, const int *literal, int size,
                       hiss_error *err)
{
    int64_t used = c->start[c->clauses];

    if (used + size > LITERALS_MAX)
        return hs_fail(err, HISS_ELIMIT,
                       "the zeros of the tables make too "
                       "many clauses");
    if (c->clauses == c->room) {
        int64_t room = 2 * c->room;
        int64_t *start = hs_realloc_array(c->start, (size_t)c->room + 1,
                                          (size_t)room + 1, sizeof *start);

        if (!start)
            return hs_fail_memory(err);
        c->start = start;
        c->room = room;
    }
    if (used + size > c->literal_room) {
        int64_t room = 2 * c->literal_room + size;
        int *grown = hs_realloc_array(c->literal, (size_t)used, (size_t)room,
                                      sizeof *grown);

        if (!grown)
            return hs_fail_memory(err);
        c->literal = grown;
        c->literal_room = room;
    }
    memcpy(c->literal + used, literal, (size_t)size * sizeof *literal);
    c->start[++c->clauses] = used + size;
    return HISS_OK;
}

static hiss_status number_variables(hs_code *c, const hs_factors *f,
                                    hiss_error *err)
{
    int64_t variables = 0;

    for (int i = 0; i < f->dim; i++) {
        if (f->states[i] > HS_CODE_STATES)
            return hs_fail(err, HISS_ELIMIT,
                           "coordinate x.%d has %d states; counting goes to %d",
                           i + 1, f->states[i], HS_CODE_STATES);
        variables += f->states[i] > 2 ? f->states[i] : f->states[i] - 1;
    }
    if (variables > INT32_MAX / 4)
        return hs_fail(err, HISS_ELIMIT, "too many coordinates to count");
    c->dim = f->dim;
    c->variables = (int)variables;
    c->room = f->count + 1;
    c->first = hs_alloc_array((size_t)f->dim + 1, sizeof *c->first);
    c->coordinate = hs_alloc_array((size_t)variables, sizeof *c->coordinate);
    c->start = hs_alloc_array((size_t)c->room + 1, sizeof *c->start);
    if (!c->first || !c->coordinate || !c->start)
        return hs_fail_memory(err);
    for (int i = 0; i < f->dim; i++) {
        int count = f->states[i] > 2 ? f->states[i] : f->states[i] - 1;

        c->first[i + 1] = c->first[i] + count;
        for (int k = 0; k < count; k++)
            c->coordinate[c->first[i] + k] = i;
    }
    return HISS_OK;
}

/* Requires that exactly one variable of a coordinate is true. */
static hiss_status add_exactly_one(hs_code *c, int i, int states,
                                   hiss_error *err)
{
    int literal[HS_CODE_STATES] = {0}, pair[2];

    for (int v = 0; v < states; v++)
        literal[v] = 2 * (c->first[i] + v);
    HS_TRY(add(c, literal, states, err));
    for (int a = 0; a < states; a++)
        for (int b = a + 1; b < states; b++) {
            pair[0] = literal[a] ^ 1;
            pair[1] = literal[b] ^ 1;
            HS_TRY(add(c, pair, 2, err));
        }
    return HISS_OK;
}

/* Steps through the entries that vary in the omitted positions, starting with
 * that of `at`; false after the last. */
static bool next_entry(const struct table *t, int *count, int64_t *at)
{
    for (int n = 0; n < t->wides; n++) {
        int k = t->wide[n];

        *at += t->stride[k];
        if (++count[n] < t->f->states[t->scope[k]])
            return true;
        *at -= count[n] * t->stride[k];
        count[n] = 0;
    }
    return false;
}

/* Whether all entries that vary in the omitted positions are impossible; cover
 * marks them. */
static bool is_zero(const struct table *t, int64_t base, int *count, bool cover)
{
    int64_t at = base;

    memset(count, 0, (size_t)t->wides * sizeof *count);
    do {
        if (t->entry[at] != -HUGE_VAL)
            return false;
        if (cover)
            t->is_covered[at] = true;
    } while (next_entry(t, count, &at));
    return true;
}

/* Adds one clause for an impossible entry that no clause covers yet. */
static hiss_status exclude(hs_code *c, struct table *t, int64_t entry,
                           int *scratch, hiss_error *err)
{
    int64_t base = entry;
    int size = 0;

    t->wides = 0;
    for (int k = t->size - 1; k >= 0; k--) {
        int states = t->f->states[t->scope[k]];

        t->digit[k] = (int)(entry / t->stride[k] % states);
        t->wide[t->wides++] = k;
        base -= t->digit[k] * t->stride[k];
        if (is_zero(t, base, scratch, false)) {
            t->digit[k] = -1;
            continue;
        }
        base += t->digit[k] * t->stride[k];
        t->wides--;
    }
    is_zero(t, base, scratch, true);
    for (int k = 0; k < t->size; k++) {
        int i = t->scope[k], states = t->f->states[i];

        if (t->digit[k] >= 0 && states > 1)
            scratch[size++] = hs_code_literal(c, i, states, t->digit[k]) ^ 1;
    }
    c->is_impossible = c->is_impossible || size == 0;
    return size > 0 ? add(c, scratch, size, err) : HISS_OK;
}

static hiss_status add_table(hs_code *c, struct table *t, int64_t n,
                             int *scratch, hiss_error *err)
{
    const hs_factors *f = t->f;
    int64_t stride = 1;

    t->entry = f->table + f->table_at[n];
    t->entries = f->table_at[n + 1] - f->table_at[n];
    t->scope = f->scope + f->scope_at[n];
    t->size = (int)(f->scope_at[n + 1] - f->scope_at[n]);
    for (int k = t->size - 1; k >= 0; k--) {
        t->stride[k] = stride;
        stride *= f->states[t->scope[k]];
    }
    memset(t->is_covered, 0, (size_t)t->entries * sizeof *t->is_covered);
    for (int64_t e = 0; e < t->entries; e++)
        if (t->entry[e] == -HUGE_VAL && !t->is_covered[e])
            HS_TRY(exclude(c, t, e, scratch, err));
    return HISS_OK;
}

static hiss_status add_tables(hs_code *c, const hs_factors *f, hiss_error *err)
{
    struct table t = {.f = f};
    int64_t widest = 0, largest = 0;
    int *scratch;
    hiss_status rc = HISS_OK;

    for (int64_t n = 0; n < f->count; n++) {
        int64_t size = f->scope_at[n + 1] - f->scope_at[n];
        int64_t entries = f->table_at[n + 1] - f->table_at[n];

        widest = size > widest ? size : widest;
        largest = entries > largest ? entries : largest;
    }
    t.stride = hs_alloc_array((size_t)widest, sizeof *t.stride);
    t.digit = hs_alloc_array((size_t)widest, sizeof *t.digit);
    t.wide = hs_alloc_array((size_t)widest, sizeof *t.wide);
    scratch = hs_alloc_array((size_t)widest + 1, sizeof *scratch);
    t.is_covered = hs_alloc_array((size_t)largest, sizeof *t.is_covered);
    if (!t.stride || !t.digit || !t.wide || !scratch || !t.is_covered)
        rc = hs_fail_memory(err);
    for (int64_t n = 0; rc == HISS_OK && n < f->count; n++)
        rc = add_table(c, &t, n, scratch, err);
    hs_free(t.stride);
    hs_free(t.digit);
    hs_free(t.wide);
    hs_free(scratch);
    hs_free(t.is_covered);
    return rc;
}

hiss_status hs_code_init(hs_code *c, const hs_factors *f, hiss_error *err)
{
    hiss_status rc;

    *c = (hs_code){0};
    rc = number_variables(c, f, err);
    for (int i = 0; rc == HISS_OK && i < f->dim; i++)
        if (f->states[i] > 2)
            rc = add_exactly_one(c, i, f->states[i], err);
    if (rc == HISS_OK)
        rc = add_tables(c, f, err);
    if (rc == HISS_OK && f->constant == -HUGE_VAL)
        c->is_impossible = true;
    if (rc != HISS_OK)
        hs_code_clear(c);
    return rc;
}
