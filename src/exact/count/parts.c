/* parts.c - splits the unassigned variables into parts that share none.
 *
 * Two unassigned variables are connected if an unsatisfied clause, or an open
 * soft table, contains both.  The key of a part is a sum over its variables,
 * its clauses that have lost a literal, and its soft tables with their assigned
 * values.  Other clauses and tables follow from the variables. */
#include "exact/count/counter.h"

#include "base/alloc.h"

#define SHORT 3.0 /* a binary clause propagates more than a longer one */

bool hs_stack_push(hs_stack *s, int value)
{
    if (s->count == s->room) {
        int64_t room = 2 * s->room + 1024;
        int *at =
            hs_realloc_array(s->at, (size_t)s->room, (size_t)room, sizeof *at);

        if (!at)
            return false;
        s->at = at;
        s->room = room;
    }
    s->at[s->count++] = value;
    return true;
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static bool reach(hs_count_search *c, int variable)
{
    if (c->seen[variable] == c->now)
        return true;
    c->seen[variable] = c->now;
    c->score[variable] = 0.0;
    return hs_stack_push(&c->pool, variable);
}

static void add_key(hs_key *key, hs_key more)
{
    key->word[0] += more.word[0];
    key->word[1] += more.word[1];
}

static bool follow_pairs(hs_count_search *c, int variable)
{
    for (int literal = 2 * variable; literal <= 2 * variable + 1; literal++) {
        int64_t end = c->uses.pair_at[literal + 1];

        for (int64_t n = c->uses.pair_at[literal]; n < end; n++) {
            int other = c->uses.pair[n];

            if (c->sat.value[other] != 0)
                continue;
            if (!reach(c, other / 2))
                return false;
            c->score[variable] += SHORT;
        }
    }
    return true;
}

/* Follows a clause of three or more literals. */
static bool follow_clause(hs_count_search *c, int clause, hs_key *key)
{
    const int *first = c->code.literal + c->code.start[clause];
    const int *end = c->code.literal + c->code.start[clause + 1];
    int open = 0;

    for (const int *l = first; l < end; l++) {
        if (c->sat.value[*l] > 0)
            return true;
        open += c->sat.value[*l] == 0;
    }
    if (open < end - first)
        add_key(key, c->random[c->code.variables + clause]);
    for (const int *l = first; l < end; l++) {
        if (c->sat.value[*l] != 0)
            continue;
        if (!reach(c, *l / 2))
            return false;
        c->score[*l / 2] += open == 2 ? SHORT : 1.0;
    }
    return true;
}

static bool follow_clauses(hs_count_search *c, int variable, hs_key *key)
{
    int64_t end = c->uses.at[variable + 1];

    for (int64_t n = c->uses.at[variable]; n < end; n++) {
        int clause = c->uses.clause[n];

        if (c->clause_seen[clause] == c->now)
            continue;
        c->clause_seen[clause] = c->now;
        c->work += 1.0;
        if (!follow_clause(c, clause, key))
            return false;
    }
    return true;
}

/* The index of a coordinate, or its number of states if it has none. */
static int digit_of(const hs_count_search *c, int i, int states,
                    uint64_t serial)
{
    int first = c->code.first[i];

    if (states == 2) {
        if (c->sat.value[2 * first] == 0 || c->owner[first] == serial)
            return 2;
        return c->sat.value[2 * first] > 0;
    }
    for (int v = 0; v < states && states > 1; v++)
        if (c->sat.value[2 * (first + v)] > 0)
            return c->owner[first + v] == serial ? states : v;
    return states > 1 ? states : 0;
}

double hs_parts_soft(const hs_count_search *c, int soft, uint64_t serial,
                     int64_t *at)
{
    const hs_soft *s = &c->weights.soft[soft];

    *at = 0;
    for (int k = 0; k < s->size; k++) {
        int radix = c->weights.radix[s->scope + k];

        *at = *at * radix +
              digit_of(c, c->weights.scope[s->scope + k], radix - 1, serial);
    }
    return c->weights.value[s->value + *at];
}

static bool follow_soft(hs_count_search *c, int soft, hs_key *key)
{
    const hs_soft *s = &c->weights.soft[soft];
    uint64_t word;
    int64_t at;

    if (!isnan(hs_parts_soft(c, soft, 0, &at)))
        return true;
    word = mix((uint64_t)at * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)soft);
    add_key(key, (hs_key){{word, mix(word + UINT64_C(0x632be59bd9b4e019))}});
    for (int k = 0; k < s->size; k++) {
        int i = c->weights.scope[s->scope + k];

        for (int v = c->code.first[i]; v < c->code.first[i + 1]; v++) {
            if (c->sat.value[2 * v] != 0)
                continue;
            if (!reach(c, v))
                return false;
            c->score[v] += 1.0;
        }
    }
    return true;
}

static bool follow_softs(hs_count_search *c, int variable, hs_key *key)
{
    int i = c->code.coordinate[variable];

    for (int64_t n = c->weights.user_at[i]; n < c->weights.user_at[i + 1];
         n++) {
        int soft = c->weights.user[n];

        if (c->soft_seen[soft] == c->now)
            continue;
        c->soft_seen[soft] = c->now;
        c->work += 1.0;
        if (!follow_soft(c, soft, key))
            return false;
    }
    return true;
}

/* Collects everything connected to the last variable of the pool. */
static bool flood(hs_count_search *c, hs_count_part *part)
{
    for (int64_t n = part->begin; n < c->pool.count; n++) {
        int variable = c->pool.at[n];

        add_key(&part->key, c->random[variable]);
        c->work += 1.0;
        if (!follow_pairs(c, variable) ||
            !follow_clauses(c, variable, &part->key) ||
            !follow_softs(c, variable, &part->key))
            return false;
    }
    part->end = c->pool.count;
    return true;
}

static bool add_part(hs_count_search *c, const hs_count_part *part)
{
    if (c->parts == c->part_room) {
        int64_t room = 2 * c->part_room + 64;
        hs_count_part *grown = hs_realloc_array(c->part, (size_t)c->part_room,
                                                (size_t)room, sizeof *grown);

        if (!grown)
            return false;
        c->part = grown;
        c->part_room = room;
    }
    c->part[c->parts++] = *part;
    return true;
}

bool hs_parts_find(hs_count_search *c, int64_t begin, int64_t end)
{
    c->now++;
    for (int64_t n = begin; n < end; n++) {
        int variable = c->pool.at[n];
        hs_count_part part = {.begin = c->pool.count};

        if (c->sat.value[2 * variable] != 0 || c->seen[variable] == c->now)
            continue;
        if (!reach(c, variable) || !flood(c, &part))
            return false;
        if (part.end - part.begin > 1 || c->score[variable] > 0.0) {
            if (!add_part(c, &part))
                return false;
        } else {
            c->pool.count = part.begin;
            if (!hs_stack_push(&c->list, variable))
                return false;
        }
    }
    return true;
}
