/* pairs.c - counts transitions x -> y. */
#include "run/verify/pairs.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "diag/tests/symmetry.h"

#define SLOTS 4096 /* at the start */

hiss_status hs_pairs_init(hs_pairs *p, hiss_error *err)
{
    *p = (hs_pairs){.slots = SLOTS};
    p->slot = hs_alloc_array(SLOTS, sizeof *p->slot);
    return p->slot ? HISS_OK : hs_fail_memory(err);
}

void hs_pairs_clear(hs_pairs *p)
{
    hs_free(p->slot);
    *p = (hs_pairs){0};
}

/* The slot of a pair, or the empty one where it belongs. */
static hs_pair *find(const hs_pairs *p, uint32_t from, uint32_t to)
{
    uint64_t key = (uint64_t)from << 32 | to;
    uint64_t mask = (uint64_t)p->slots - 1, at;

    key *= 0x9e3779b97f4a7c15u; /* Fibonacci hashing uses the upper half */
    for (at = key >> 32 & mask; p->slot[at].count > 0; at = (at + 1) & mask)
        if (p->slot[at].from == from && p->slot[at].to == to)
            break;
    return &p->slot[at];
}

static hiss_status grow(hs_pairs *p, hiss_error *err)
{
    hs_pairs wider = {.slots = 2 * p->slots, .used = p->used};

    wider.slot = hs_alloc_array((size_t)wider.slots, sizeof *wider.slot);
    if (!wider.slot)
        return hs_fail_memory(err);
    for (int64_t i = 0; i < p->slots; i++)
        if (p->slot[i].count > 0)
            *find(&wider, p->slot[i].from, p->slot[i].to) = p->slot[i];
    hs_free(p->slot);
    *p = wider;
    return HISS_OK;
}

hiss_status hs_pairs_add(hs_pairs *p, uint32_t from, uint32_t to,
                         hiss_error *err)
{
    hs_pair *pair = find(p, from, to);

    if (pair->count == 0) {
        *pair = (hs_pair){from, to, 1};
        p->used++;
        return 2 * p->used > p->slots ? grow(p, err) : HISS_OK;
    }
    pair->count++;
    return HISS_OK;
}

static int compare(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int by_from(const void *a, const void *b)
{
    const hs_pair *p = a, *q = b;
    int first = compare(p->from, q->from);

    return first ? first : compare(p->to, q->to);
}

/* Sorts a pair next to its reverse, the ascending one first. */
static int by_ends(const void *a, const void *b)
{
    const hs_pair *p = a, *q = b;
    uint32_t p_low = p->from < p->to ? p->from : p->to;
    uint32_t q_low = q->from < q->to ? q->from : q->to;
    uint32_t p_high = p->from < p->to ? p->to : p->from;
    uint32_t q_high = q->from < q->to ? q->to : q->from;
    int low = compare(p_low, q_low), high = compare(p_high, q_high);

    return low ? low : high ? high : compare(p->from, q->from);
}

static hiss_status sorted(const hs_pairs *p, hs_pair **out,
                          int (*order)(const void *, const void *),
                          hiss_error *err)
{
    int64_t n = 0;

    *out = hs_alloc_array((size_t)p->used, sizeof **out);
    if (!*out)
        return hs_fail_memory(err);
    for (int64_t i = 0; i < p->slots; i++)
        if (p->slot[i].count > 0)
            (*out)[n++] = p->slot[i];
    qsort(*out, (size_t)n, sizeof **out, order);
    return HISS_OK;
}

hiss_status hs_pairs_list(const hs_pairs *p, hs_pair **out, hiss_error *err)
{
    return sorted(p, out, by_from, err);
}

/* Unordered pairs come in the order of their ends, whichever direction was
 * made: pooling must not depend on how a total is split. */
hiss_status hs_pairs_symmetry(const hs_pairs *p, hs_chi2 *out, hiss_error *err)
{
    hs_symmetry s = {0};
    hs_pair *pair;

    HS_TRY(sorted(p, &pair, by_ends, err));
    for (int64_t i = 0; i < p->used; i++) {
        bool has_reverse = i + 1 < p->used && pair[i].from == pair[i + 1].to &&
                           pair[i].to == pair[i + 1].from;

        if (pair[i].from == pair[i].to)
            continue;
        if (pair[i].from > pair[i].to) {
            hs_symmetry_add(&s, 0, pair[i].count);
        } else {
            hs_symmetry_add(&s, pair[i].count,
                            has_reverse ? pair[i + 1].count : 0);
            i += has_reverse;
        }
    }
    hs_symmetry_finish(&s, out);
    hs_free(pair);
    return HISS_OK;
}
