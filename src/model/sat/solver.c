/* solver.c - clauses in an arena, propagation, learning. */
#include "model/sat/solver.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/error.h"
#include "model/sat/sat.h"

#define HEAD         2 /* words before the literals of a clause */
#define ARENA_MAX    (1 << 29)
#define LEARNED      4000 /* learned clauses before half of them is dropped, */
#define LEARNED_GROW 500  /* and the growth of that number */
#define DECAY        0.95 /* per conflict */
#define ACTIVITY_MAX 1e100

hiss_status hs_sat_init(hs_sat *s, int variables, hiss_error *err)
{
    size_t n = (size_t)variables;

    *s = (hs_sat){.variables = variables,
                  .step = 1.0,
                  .learned_at = -1,
                  .learned_most = LEARNED};
    s->value = hs_alloc_array(2 * n, sizeof *s->value);
    s->level = hs_alloc_array(n, sizeof *s->level);
    s->reason = hs_alloc_array(n, sizeof *s->reason);
    s->trail = hs_alloc_array(n, sizeof *s->trail);
    s->level_at = hs_alloc_array(n + 1, sizeof *s->level_at);
    s->watches = hs_alloc_array(2 * n, sizeof *s->watches);
    s->activity = hs_alloc_array(n, sizeof *s->activity);
    s->is_seen = hs_alloc_array(n, sizeof *s->is_seen);
    s->clause = hs_alloc_array(n + 1, sizeof *s->clause);
    s->phase = hs_alloc_array(n, sizeof *s->phase);
    s->heap = hs_alloc_array(n, sizeof *s->heap);
    s->place = hs_alloc_array(n, sizeof *s->place);
    if (!s->value || !s->level || !s->reason || !s->trail || !s->level_at ||
        !s->watches || !s->activity || !s->is_seen || !s->clause || !s->phase ||
        !s->heap || !s->place) {
        hs_sat_clear(s);
        return hs_fail_memory(err);
    }
    return HISS_OK;
}

void hs_sat_clear(hs_sat *s)
{
    for (int l = 0; s->watches && l < 2 * s->variables; l++)
        hs_free(s->watches[l].at);
    hs_free(s->value);
    hs_free(s->level);
    hs_free(s->reason);
    hs_free(s->trail);
    hs_free(s->level_at);
    hs_free(s->arena);
    hs_free(s->watches);
    hs_free(s->activity);
    hs_free(s->is_seen);
    hs_free(s->clause);
    hs_free(s->phase);
    hs_free(s->heap);
    hs_free(s->place);
    *s = (hs_sat){0};
}

static bool watch(hs_sat *s, int literal, int clause, int blocker)
{
    hs_sat_watches *w = &s->watches[literal];

    if (w->count == w->room) {
        int room = w->room ? 2 * w->room : 4;
        hs_sat_watch *at =
            hs_realloc_array(w->at, (size_t)w->room, (size_t)room, sizeof *at);

        if (!at) {
            s->rc = HISS_ENOMEM;
            return false;
        }
        w->at = at;
        w->room = room;
    }
    w->at[w->count++] = (hs_sat_watch){clause, blocker};
    return true;
}

/* The first two literals are watched.  quality: levels among the literals of a
 * learned clause, 0 for other clauses. */
static int store(hs_sat *s, const int *literal, int size, int quality)
{
    int at = s->used;

    if (at > ARENA_MAX) {
        s->rc = HISS_ENOMEM;
        return HS_SAT_NONE;
    }
    if (at + HEAD + size > s->room) {
        int room = 2 * s->room + HEAD + size + 1024;
        int *arena = hs_realloc_array(s->arena, (size_t)s->used, (size_t)room,
                                      sizeof *arena);

        if (!arena) {
            s->rc = HISS_ENOMEM;
            return HS_SAT_NONE;
        }
        s->arena = arena;
        s->room = room;
    }
    s->arena[at] = size;
    s->arena[at + 1] = quality;
    memcpy(s->arena + at + HEAD, literal, (size_t)size * sizeof *literal);
    if (!watch(s, literal[0], at, literal[1]) ||
        !watch(s, literal[1], at, literal[0]))
        return HS_SAT_NONE;
    s->used = at + HEAD + size;
    return at;
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Removes repeated and false literals; -1 if the clause always holds. */
static int simplify(const hs_sat *s, int *literal, int size)
{
    int kept = 0;

    qsort(literal, (size_t)size, sizeof *literal, by_number);
    for (int k = 0; k < size; k++) {
        if (s->value[literal[k]] > 0 ||
            (kept > 0 && literal[k] == (literal[kept - 1] ^ 1)))
            return -1;
        if (s->value[literal[k]] < 0 ||
            (kept > 0 && literal[k] == literal[kept - 1]))
            continue;
        literal[kept++] = literal[k];
    }
    return kept;
}

hiss_status hs_sat_add(hs_sat *s, const int *literal, int size, hiss_error *err)
{
    int *copy = hs_alloc_array((size_t)size, sizeof *copy);

    HS_ASSERT(s->levels == 0 && s->learned == 0);
    if (!copy)
        return hs_fail_memory(err);
    memcpy(copy, literal, (size_t)size * sizeof *copy);
    size = simplify(s, copy, size);
    if (size == 0)
        s->is_impossible = true;
    else if (size == 1)
        hs_sat_assign(s, copy[0], HS_SAT_NONE);
    else if (size > 1)
        store(s, copy, size, 0);
    hs_free(copy);
    s->learned_at = s->used;
    return s->rc == HISS_OK ? HISS_OK : hs_fail_memory(err);
}

void hs_sat_assign(hs_sat *s, int literal, int reason)
{
    s->value[literal] = 1;
    s->value[literal ^ 1] = -1;
    s->level[literal / 2] = s->levels;
    s->reason[literal / 2] = reason;
    s->trail[s->assigned++] = literal;
}

void hs_sat_decide(hs_sat *s, int literal)
{
    s->level_at[s->levels++] = s->assigned;
    hs_sat_assign(s, literal, HS_SAT_NONE);
}

void hs_sat_undo(hs_sat *s, int level)
{
    int to;

    if (s->levels <= level)
        return;
    to = s->level_at[level];
    while (s->assigned > to) {
        int literal = s->trail[--s->assigned];

        s->value[literal] = s->value[literal ^ 1] = 0;
        s->phase[literal / 2] = !(literal & 1);
        if (s->is_solving && s->place[literal / 2] < 0)
            hs_sat_heap_put(s, literal / 2);
    }
    s->propagated = to;
    s->levels = level;
}

/* Finds another literal of the clause to watch instead of one that became
 * false; false if all others are false. */
static bool move_watch(hs_sat *s, int at, int *literal, int false_literal)
{
    int size = s->arena[at];

    for (int k = 2; k < size; k++) {
        if (s->value[literal[k]] < 0)
            continue;
        literal[1] = literal[k];
        literal[k] = false_literal;
        if (watch(s, literal[1], at, literal[0]))
            return true;
        literal[k] = literal[1];
        literal[1] = false_literal;
        return true; /* memory ran out; the caller checks s->rc */
    }
    return false;
}

/* Visits the clauses that watch a literal that became false. */
static int visit(hs_sat *s, int false_literal)
{
    hs_sat_watches *w = &s->watches[false_literal];
    int kept = 0, n = 0, conflict = HS_SAT_NONE;

    while (n < w->count && conflict == HS_SAT_NONE) {
        hs_sat_watch one = w->at[n++];
        int *literal = s->arena + one.clause + HEAD, first;

        if (s->value[one.blocker] > 0) {
            w->at[kept++] = one;
            continue;
        }
        if (literal[0] == false_literal) {
            literal[0] = literal[1];
            literal[1] = false_literal;
        }
        first = literal[0];
        if (s->value[first] <= 0 &&
            move_watch(s, one.clause, literal, false_literal)) {
            if (literal[1] == false_literal)
                w->at[kept++] = one;
            continue;
        }
        w->at[kept++] = (hs_sat_watch){one.clause, first};
        if (s->value[first] < 0)
            conflict = one.clause;
        else if (s->value[first] == 0)
            hs_sat_assign(s, first, one.clause);
    }
    while (n < w->count)
        w->at[kept++] = w->at[n++];
    w->count = kept;
    return conflict;
}

int hs_sat_propagate(hs_sat *s)
{
    while (s->propagated < s->assigned && s->rc == HISS_OK) {
        int conflict = visit(s, s->trail[s->propagated++] ^ 1);

        if (conflict != HS_SAT_NONE)
            return conflict;
    }
    return HS_SAT_NONE;
}

static void bump(hs_sat *s, int variable)
{
    s->activity[variable] += s->step;
    if (s->activity[variable] > ACTIVITY_MAX) {
        for (int v = 0; v < s->variables; v++)
            s->activity[v] /= ACTIVITY_MAX;
        s->step /= ACTIVITY_MAX;
    }
    if (s->is_solving && s->place[variable] >= 0)
        hs_sat_heap_raise(s, variable);
}

/* Resolves literals of a clause into the learned one; returns the number of new
 * ones of the current level. */
static int resolve(hs_sat *s, int clause, int except)
{
    int open = 0;

    for (int k = 0; k < s->arena[clause]; k++) {
        int literal = s->arena[clause + HEAD + k], v = literal / 2;

        if (literal == except || s->is_seen[v] || s->level[v] == 0)
            continue;
        s->is_seen[v] = true;
        bump(s, v);
        if (s->level[v] == s->levels)
            open++;
        else
            s->clause[s->clause_size++] = literal;
    }
    return open;
}

/* Removes literals whose reason consists of other literals of the clause. */
static void minimize(hs_sat *s)
{
    int kept = 1;

    for (int n = 1; n < s->clause_size; n++) {
        int reason = s->reason[s->clause[n] / 2];
        bool is_needed = reason == HS_SAT_NONE;

        for (int k = 0; !is_needed && k < s->arena[reason]; k++) {
            int v = s->arena[reason + HEAD + k] / 2;

            is_needed = !s->is_seen[v] && s->level[v] > 0;
        }
        if (is_needed) {
            int literal = s->clause[kept];

            s->clause[kept++] = s->clause[n];
            s->clause[n] = literal;
        }
    }
    s->clause_size = kept;
}

/* Makes the clause of a conflict, with the literal of the current level first
 * and one of the next highest level second. */
static void analyze(hs_sat *s, int conflict)
{
    int at = s->assigned, open, literal = HS_SAT_NONE, first;

    s->clause_size = 1;
    open = resolve(s, conflict, HS_SAT_NONE);
    do {
        do
            literal = s->trail[--at];
        while (!s->is_seen[literal / 2]);
        if (--open > 0)
            open += resolve(s, s->reason[literal / 2], literal);
    } while (open > 0);
    s->clause[0] = literal ^ 1;
    /* marks stay for minimize and are cleared over all seen literals */
    first = s->clause_size;
    minimize(s);
    for (int n = s->assigned - 1; n >= at; n--)
        s->is_seen[s->trail[n] / 2] = false;
    for (int n = 0; n < first; n++)
        s->is_seen[s->clause[n] / 2] = false;
    for (int n = 2; n < s->clause_size; n++)
        if (s->level[s->clause[n] / 2] > s->level[s->clause[1] / 2]) {
            int swap = s->clause[1];

            s->clause[1] = s->clause[n];
            s->clause[n] = swap;
        }
}

/* Counts the levels of the literals of the learned clause. */
static int quality_of(const hs_sat *s)
{
    int quality = 1;

    for (int n = 1; n < s->clause_size; n++) {
        int k = 1;

        while (k < n &&
               s->level[s->clause[k] / 2] != s->level[s->clause[n] / 2])
            k++;
        quality += k == n;
        if (quality == HS_SAT_QUALITY_MAX)
            break;
    }
    return quality;
}

int hs_sat_learn(hs_sat *s, int conflict, int *reason)
{
    *reason = HS_SAT_NONE;
    s->conflicts++;
    if (s->levels == 0) {
        s->is_impossible = true;
        return HS_SAT_NONE;
    }
    analyze(s, conflict);
    s->step /= DECAY;
    if (s->clause_size > 1) {
        *reason = store(s, s->clause, s->clause_size, quality_of(s));
        s->learned += *reason != HS_SAT_NONE;
    }
    return s->clause[0];
}

/* Learned clauses of many levels are rarely useful again.  Reasons of a literal
 * stay. */
static int limit_of_quality(const hs_sat *s)
{
    int64_t count[HS_SAT_QUALITY_MAX + 1] = {0}, kept = 0;
    int limit = 0;

    for (int at = s->learned_at; at < s->used; at += HEAD + s->arena[at])
        count[s->arena[at + 1]]++;
    while (limit < HS_SAT_QUALITY_MAX && kept + count[limit] <= s->learned / 2)
        kept += count[limit++];
    return limit; /* drop clauses of this quality and worse */
}

static void compact(hs_sat *s, int limit)
{
    int to = s->learned_at;

    s->learned = 0;
    for (int at = s->learned_at, size; at < s->used; at += HEAD + size) {
        int *c = s->arena + at;
        int v = c[HEAD] / 2, w = c[HEAD + 1] / 2;
        bool is_first = s->value[c[HEAD]] > 0 && s->reason[v] == at;
        bool is_second = s->value[c[HEAD + 1]] > 0 && s->reason[w] == at;

        size = c[0];
        if (c[1] >= limit && c[1] > 2 && !is_first && !is_second)
            continue;
        if (is_first)
            s->reason[v] = to;
        if (is_second)
            s->reason[w] = to;
        memmove(s->arena + to, c, (size_t)(HEAD + size) * sizeof *c);
        to += HEAD + size;
        s->learned++;
    }
    s->used = to;
}

void hs_sat_reduce(hs_sat *s)
{
    if (s->learned < s->learned_most)
        return;
    s->learned_most += LEARNED_GROW;
    compact(s, limit_of_quality(s));
    for (int l = 0; l < 2 * s->variables; l++) {
        hs_sat_watches *w = &s->watches[l];
        int kept = 0;

        for (int n = 0; n < w->count; n++)
            if (w->at[n].clause < s->learned_at)
                w->at[kept++] = w->at[n];
        w->count = kept;
    }
    for (int at = s->learned_at; at < s->used; at += HEAD + s->arena[at]) {
        const int *literal = s->arena + at + HEAD;

        if (!watch(s, literal[0], at, literal[1]) ||
            !watch(s, literal[1], at, literal[0]))
            return;
    }
}
