/* evidence.c - which coordinates are fixed, and at which values.
 *
 * The number of words distinguishes the dialects of evidence files: `k` and k
 * pairs are an odd number; with the number of samples in front it is even. */
#include "format/problem/evidence.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/caret.h"
#include "base/error.h"
#include "base/read/reader.h"

struct number {
    int value;
    hs_place place;
};

struct numbers {
    struct number *at; /* owned */
    int64_t count, room;
};

static hiss_status add_number(struct numbers *n, struct number number,
                              hiss_error *err)
{
    if (n->count == n->room) {
        int64_t room = 2 * n->room + 64;
        struct number *larger = hs_realloc_array(n->at, (size_t)n->count,
                                                 (size_t)room, sizeof *larger);

        if (!larger)
            return hs_fail_memory(err);
        n->at = larger;
        n->room = room;
    }
    n->at[n->count++] = number;
    return HISS_OK;
}

static hiss_status read_numbers(struct numbers *n, hs_reader *in,
                                hiss_error *err)
{
    while (!hs_reader_at_end(in)) {
        struct number number = {.place = hs_reader_place(in)};

        HS_TRY(hs_reader_int(in, 0, INT_MAX, &number.value, err));
        HS_TRY(add_number(n, number, err));
    }
    return HISS_OK;
}

/* Finds the beginning of the pairs and their number. */
static hiss_status find_pairs(const struct numbers *n, hs_reader *in,
                              int64_t *first, int64_t *pairs, hiss_error *err)
{
    const struct number *announced;

    *first = *pairs = 0;
    if (n->count == 0)
        return HISS_OK;
    *first = n->count % 2 ? 1 : 2;
    *pairs = (n->count - *first) / 2;
    if (*first == 2 && n->at[0].value != 1)
        return hs_reader_fail(in, &n->at[0].place, err,
                              "found %d with %lld numbers after it; expected "
                              "the number of pairs and so many pairs of "
                              "variable and state, or that after 1, the "
                              "number of samples",
                              n->at[0].value, (long long)n->count - 1);
    announced = &n->at[*first - 1];
    if (announced->value != *pairs)
        return hs_reader_fail(in, &announced->place, err,
                              "%d pairs of variable and state are announced, "
                              "%lld follow",
                              announced->value, (long long)*pairs);
    return HISS_OK;
}

static int full_states(const hs_model *m, int i)
{
    return m->full_states ? m->full_states[i] : m->domain.states[i];
}

static hiss_status take_pair(int *at, const struct number *pair, hs_reader *in,
                             const hs_model *m, hiss_error *err)
{
    int v = pair[0].value, x = pair[1].value;

    if (v >= m->domain.dim)
        return hs_reader_fail(in, &pair[0].place, err,
                              "variable %d: variables are 0 to %d", v,
                              m->domain.dim - 1);
    if (x >= full_states(m, v))
        return hs_reader_fail(in, &pair[1].place, err,
                              "found state %d of variable %d, expected 0 to %d",
                              x, v, full_states(m, v) - 1);
    if (at[v] >= 0 && at[v] != x)
        return hs_reader_fail(in, &pair[1].place, err,
                              "variable %d is in state %d already, it cannot "
                              "be in state %d too",
                              v, at[v], x);
    at[v] = x;
    return HISS_OK;
}

hiss_status hs_evidence_read(int *at, const char *path, const hs_model *m,
                             hiss_error *err)
{
    struct numbers n = {0};
    int64_t first, pairs = 0;
    hs_reader *in;
    hiss_status rc;

    for (int i = 0; i < m->domain.dim; i++)
        at[i] = -1;
    HS_TRY(hs_reader_open(&in, path, err));
    if (hs_evidence_has_names(in)) {
        rc = hs_evidence_read_names(at, in, m, err);
        hs_reader_close(in);
        return rc;
    }
    rc = read_numbers(&n, in, err);
    if (rc == HISS_OK)
        rc = find_pairs(&n, in, &first, &pairs, err);
    for (int64_t k = 0; k < pairs && rc == HISS_OK; k++)
        rc = take_pair(at, &n.at[first + 2 * k], in, m, err);
    hs_reader_close(in);
    hs_free(n.at);
    return rc;
}
