/* tally.c - counts the distinct states of draws, in a hash table of their
 * values. */
#include "cli/answer/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print/fail.h"

#define LABELS_MAX 32768

struct table {
    cli_tally *tally;
    const hiss_result *result;
    int dim;
    bool is_renamed;
    int64_t *slot;         /* owned, [room]: kind + 1, or 0 if free */
    uint64_t *hash;        /* owned, [kinds] */
    uint64_t room;         /* a power of two */
    double *state, *other; /* owned, [dim] */
};

void cli_tally_rename(double *state, int dim)
{
    int *renamed = cli_alloc(LABELS_MAX, sizeof *renamed);
    int used = 0;

    for (int i = 0; i < dim; i++) {
        int *to = &renamed[(int)state[i]];

        if (*to == 0)
            *to = ++used;
        state[i] = *to - 1;
    }
    free(renamed);
}

static void load(const struct table *t, int64_t draw, double *state)
{
    hiss_result_draw(t->result, (int)(draw / t->tally->samples),
                     draw % t->tally->samples, state);
    if (t->is_renamed)
        cli_tally_rename(state, t->dim);
}

/* FNV-1a over the values. */
static uint64_t hash_of(const double *state, int dim)
{
    uint64_t hash = UINT64_C(14695981039346656037);

    for (int i = 0; i < dim; i++) {
        uint64_t bits;

        memcpy(&bits, &state[i], sizeof bits);
        hash = (hash ^ (bits >> 32) ^ bits) * UINT64_C(1099511628211);
        hash ^= hash >> 29;
    }
    return hash;
}

static int64_t find(struct table *t, int64_t draw)
{
    cli_tally *y = t->tally;
    uint64_t hash, at;

    load(t, draw, t->state);
    hash = hash_of(t->state, t->dim);
    for (at = hash & (t->room - 1); t->slot[at];
         at = (at + 1) & (t->room - 1)) {
        int64_t kind = t->slot[at] - 1;

        if (t->hash[kind] != hash)
            continue;
        load(t, y->first[kind], t->other);
        if (memcmp(t->state, t->other, (size_t)t->dim * sizeof *t->state) == 0)
            return kind;
    }
    t->slot[at] = y->kinds + 1;
    t->hash[y->kinds] = hash;
    y->first[y->kinds] = draw;
    return y->kinds++;
}

struct rank {
    int64_t count, kind;
};

static int by_count(const void *a, const void *b)
{
    const struct rank *s = a, *t = b;

    if (s->count != t->count)
        return s->count < t->count ? 1 : -1;
    return s->kind < t->kind ? -1 : s->kind > t->kind;
}

/* Numbers the states by falling count. */
static void sort(cli_tally *y)
{
    size_t kinds = (size_t)y->kinds;
    struct rank *rank = cli_alloc(kinds, sizeof *rank);
    int64_t *place = cli_alloc(kinds, sizeof *place);
    int64_t *first = cli_alloc(kinds, sizeof *first);

    for (int64_t k = 0; k < y->kinds; k++)
        rank[k] = (struct rank){y->count[k], k};
    qsort(rank, kinds, sizeof *rank, by_count);
    for (int64_t k = 0; k < y->kinds; k++) {
        place[rank[k].kind] = k;
        first[k] = y->first[rank[k].kind];
        y->count[k] = rank[k].count;
    }
    for (int64_t n = 0; n < y->chains * y->samples; n++)
        y->kind[n] = place[y->kind[n]];
    free(y->first);
    y->first = first;
    free(place);
    free(rank);
}

void cli_tally_make(cli_tally *tally, const hiss_result *result,
                    bool is_renamed)
{
    hiss_run_info info = HISS_INIT(hiss_run_info);
    struct table t = {tally, result, 0, is_renamed, NULL, NULL, 64, NULL, NULL};
    size_t draws;

    hiss_result_info(result, &info);
    *tally = (cli_tally){.chains = info.chains, .samples = info.samples};
    draws = (size_t)info.chains * (size_t)info.samples;
    t.dim = info.dim;
    while (t.room < 2 * draws)
        t.room *= 2;
    t.slot = cli_alloc(t.room, sizeof *t.slot);
    t.hash = cli_alloc(draws, sizeof *t.hash);
    t.state = cli_alloc((size_t)t.dim, sizeof *t.state);
    t.other = cli_alloc((size_t)t.dim, sizeof *t.other);
    tally->kind = cli_alloc(draws, sizeof *tally->kind);
    tally->first = cli_alloc(draws, sizeof *tally->first);
    tally->count = cli_alloc(draws, sizeof *tally->count);
    for (size_t n = 0; n < draws; n++) {
        tally->kind[n] = find(&t, (int64_t)n);
        tally->count[tally->kind[n]]++;
    }
    sort(tally);
    free(t.slot);
    free(t.hash);
    free(t.state);
    free(t.other);
}

void cli_tally_clear(cli_tally *tally)
{
    free(tally->kind);
    free(tally->first);
    free(tally->count);
}

void cli_tally_state(const cli_tally *tally, const hiss_result *result,
                     int64_t kind, bool is_renamed, double *state)
{
    hiss_run_info info = HISS_INIT(hiss_run_info);
    int64_t draw = tally->first[kind];

    hiss_result_info(result, &info);
    hiss_result_draw(result, (int)(draw / tally->samples),
                     draw % tally->samples, state);
    if (is_renamed)
        cli_tally_rename(state, info.dim);
}

void cli_tally_share(const cli_tally *tally, int64_t kind, double *share,
                     double *error)
{
    int64_t draws = tally->chains * tally->samples;
    double *is_it = cli_alloc((size_t)draws, sizeof *is_it);
    hiss_column column = HISS_INIT(hiss_column);

    for (int64_t n = 0; n < draws; n++)
        is_it[n] = tally->kind[n] == kind;
    *share = (double)tally->count[kind] / (double)draws;
    *error = NAN;
    if (hiss_describe(is_it, tally->chains, tally->samples, &column, NULL) ==
        HISS_OK)
        *error = column.mcse;
    free(is_it);
}
