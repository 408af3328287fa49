/* count.c - prepares the search. */
#include "exact/count/count.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/platform/platform.h"
#include "exact/count/counted.h"
#include "exact/count/counter.h"

#define MEMORY_SHARE 4      /* a quarter of the machine's memory */
#define MEMORY       0x1p32 /* limit if the machine's memory is unknown */
#define ORDER_SCORE  100.0  /* Korhonen & Jarvisalo 2021, section 3 */
#define ORDER_STRONG 1e7

static double memory_limit(void)
{
    double all = hs_platform_memory();

    return all > 0.0 ? all / MEMORY_SHARE : MEMORY;
}

/* Coordinates that an order of elimination takes last separate the others.  The
 * narrower the order, the more it guides the choice. */
static void guide(hs_count_search *c, const hs_count_limits *limits)
{
    double n = c->code.variables, width = fmax(1.0, limits->width);
    double score = fmin(ORDER_STRONG, ORDER_SCORE * exp(n / width) / n);

    for (int v = 0; limits->depth && v < c->code.variables; v++)
        c->bonus[v] = score * (1.0 - limits->depth[c->code.coordinate[v]]);
}

static bool list_pairs(hs_count_search *c)
{
    const hs_code *code = &c->code;
    hs_occurrences *u = &c->uses;
    size_t literals = 2 * (size_t)code->variables;

    u->pair_at = hs_alloc_array(literals + 2, sizeof *u->pair_at);
    if (!u->pair_at)
        return false;
    for (int64_t n = 0; n < code->clauses; n++)
        for (int64_t k = code->start[n]; k < code->start[n + 1]; k++)
            u->pair_at[code->literal[k] + 2] +=
                code->start[n + 1] - code->start[n] == 2;
    for (size_t l = 0; l < literals; l++)
        u->pair_at[l + 2] += u->pair_at[l + 1];
    u->pair = hs_alloc_array((size_t)u->pair_at[literals + 1], sizeof *u->pair);
    for (int64_t n = 0; u->pair && n < code->clauses; n++) {
        const int *l = code->literal + code->start[n];

        if (code->start[n + 1] - code->start[n] != 2)
            continue;
        u->pair[u->pair_at[l[0] + 1]++] = l[1];
        u->pair[u->pair_at[l[1] + 1]++] = l[0];
    }
    return u->pair != NULL;
}

static bool list_clauses(hs_count_search *c)
{
    const hs_code *code = &c->code;
    hs_occurrences *u = &c->uses;
    size_t variables = (size_t)code->variables;

    u->at = hs_alloc_array(variables + 2, sizeof *u->at);
    if (!u->at)
        return false;
    for (int64_t n = 0; n < code->clauses; n++)
        for (int64_t k = code->start[n]; k < code->start[n + 1]; k++)
            u->at[code->literal[k] / 2 + 2] +=
                code->start[n + 1] - code->start[n] > 2;
    for (size_t v = 0; v < variables; v++)
        u->at[v + 2] += u->at[v + 1];
    u->clause = hs_alloc_array((size_t)u->at[variables + 1], sizeof *u->clause);
    for (int64_t n = 0; u->clause && n < code->clauses; n++)
        for (int64_t k = code->start[n];
             code->start[n + 1] - code->start[n] > 2 && k < code->start[n + 1];
             k++)
            u->clause[u->at[code->literal[k] / 2 + 1]++] = (int)n;
    return u->clause != NULL;
}

static uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */

    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static hiss_status make_room(hs_count_search *c, hiss_error *err)
{
    size_t variables = (size_t)c->code.variables;
    size_t keys = variables + (size_t)c->code.clauses;
    uint64_t state = 1;

    c->bonus = hs_alloc_array(variables, sizeof *c->bonus);
    c->seen = hs_alloc_array(variables, sizeof *c->seen);
    c->clause_seen =
        hs_alloc_array((size_t)c->code.clauses, sizeof *c->clause_seen);
    c->soft_seen =
        hs_alloc_array((size_t)c->weights.count, sizeof *c->soft_seen);
    c->owner = hs_alloc_array(variables, sizeof *c->owner);
    c->score = hs_alloc_array(variables, sizeof *c->score);
    c->random = hs_alloc_array(keys, sizeof *c->random);
    if (!c->bonus || !c->seen || !c->clause_seen || !c->soft_seen ||
        !c->owner || !c->score || !c->random || !list_pairs(c) ||
        !list_clauses(c))
        return hs_fail_memory(err);
    for (size_t k = 0; k < keys; k++) {
        c->random[k].word[0] = next_random(&state);
        c->random[k].word[1] = next_random(&state);
    }
    return HISS_OK;
}

static hiss_status set_up(hs_count_search *c, const hs_count_limits *limits,
                          hiss_error *err)
{
    HS_TRY(hs_code_init(&c->code, c->f, err));
    HS_TRY(hs_weights_init(&c->weights, c->f, &c->code, err));
    HS_TRY(hs_sat_init(&c->sat, c->code.variables, err));
    for (int64_t n = 0; n < c->code.clauses; n++)
        HS_TRY(hs_sat_add(&c->sat, c->code.literal + c->code.start[n],
                          (int)(c->code.start[n + 1] - c->code.start[n]), err));
    c->sat.is_impossible = c->sat.is_impossible || c->code.is_impossible;
    HS_TRY(hs_nodes_init(&c->nodes, err));
    HS_TRY(make_room(c, err));
    guide(c, limits);
    return HISS_OK;
}

static void clear(hs_count_search *c)
{
    hs_code_clear(&c->code);
    hs_weights_clear(&c->weights);
    hs_sat_clear(&c->sat);
    hs_nodes_clear(&c->nodes);
    hs_free(c->uses.at);
    hs_free(c->uses.clause);
    hs_free(c->uses.pair_at);
    hs_free(c->uses.pair);
    hs_free(c->bonus);
    hs_free(c->pool.at);
    hs_free(c->list.at);
    hs_free(c->part);
    hs_free(c->seen);
    hs_free(c->clause_seen);
    hs_free(c->soft_seen);
    hs_free(c->owner);
    hs_free(c->score);
    hs_free(c->random);
    *c = (hs_count_search){0};
}

/* Stores the results of the search. */
static hiss_status keep(hs_count *out, hs_count_search *c, hiss_error *err)
{
    size_t dim = (size_t)c->f->dim;

    out->states = hs_alloc_array(dim, sizeof *out->states);
    out->up = hs_alloc_array((size_t)c->code.variables, sizeof *out->up);
    if (c->is_shown)
        out->is_shown = hs_alloc_array(dim, sizeof *out->is_shown);
    if (!out->states || !out->up || (c->is_shown && !out->is_shown))
        return hs_fail_memory(err);
    memcpy(out->states, c->f->states, dim * sizeof *out->states);
    if (c->is_shown)
        memcpy(out->is_shown, c->is_shown, dim * sizeof *out->is_shown);
    for (int v = 0; v < c->code.variables; v++) {
        double up = c->weights.literal[2 * v];

        out->up[v] = 1.0 / (1.0 + exp(c->weights.literal[2 * v + 1] - up));
        if (c->is_shown && !c->is_shown[c->code.coordinate[v]])
            out->up[v] = 0.0;
    }
    out->code = c->code;
    out->nodes = c->nodes;
    out->constant = c->weights.constant;
    out->is_uniform = !c->weights.has_weights;
    out->literal = c->weights.literal;
    out->work = c->work;
    c->code = (hs_code){0};
    c->nodes = (hs_nodes){0};
    c->weights.literal = NULL;
    return HISS_OK;
}

hiss_status hs_count_create(hs_count **out, const hs_factors *f,
                            const bool *is_shown, const hs_count_limits *limits,
                            hiss_error *err)
{
    hs_count_search c = {
        .f = f,
        .is_shown = is_shown,
        .work_limit = limits->work > 0.0 ? limits->work : HUGE_VAL,
        .bytes_limit = limits->bytes > 0.0 ? limits->bytes : memory_limit(),
        .give_up = limits->give_up,
        .tell = limits->done,
        .tell_seconds = limits->seconds,
        .poll = limits->poll,
        .err = err};
    hs_count *made = hs_alloc_array(1, sizeof *made);
    hiss_status rc = made ? HISS_OK : hs_fail_memory(err);

    *out = NULL;
    if (rc == HISS_OK)
        rc = set_up(&c, limits, err);
    if (rc == HISS_OK)
        rc = hs_search(&c);
    if (rc == HISS_OK)
        rc = keep(made, &c, err);
    clear(&c);
    if (rc != HISS_OK) {
        hs_count_destroy(made);
        return rc;
    }
    *out = made;
    return HISS_OK;
}

void hs_count_destroy(hs_count *c)
{
    if (!c)
        return;
    hs_code_clear(&c->code);
    hs_nodes_clear(&c->nodes);
    hs_free(c->states);
    hs_free(c->is_shown);
    hs_free(c->literal);
    hs_free(c->up);
    hs_free(c);
}
