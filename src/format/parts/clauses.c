/* clauses.c - converts clauses of literals to factors.
 *
 * With w for a satisfied clause, U is the satisfied weight; hard clauses add 0
 * if they hold.  A repeated literal counts once, and a clause with a variable
 * and its negation always holds. */
#include "format/parts/clauses.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "format/parts/lines.h"

void hs_clauses_clear(hs_clauses *c)
{
    hs_free(c->weight);
    hs_free(c->start);
    hs_free(c->literal);
    hs_free(c->is_parity);
    *c = (hs_clauses){0};
}

static hiss_status reserve(hs_clauses *c, int literals, hiss_error *err)
{
    int64_t used = c->start ? c->start[c->count] : 0;

    if (c->count == c->room) {
        int64_t room = c->room ? 2 * c->room : 256;
        double *weight = hs_realloc_array(c->weight, (size_t)c->count,
                                          (size_t)room, sizeof *weight);
        int64_t *start;
        bool *is_parity;

        if (!weight)
            return hs_fail_memory(err);
        c->weight = weight;
        is_parity = hs_realloc_array(c->is_parity, (size_t)c->count,
                                     (size_t)room, sizeof *is_parity);
        if (!is_parity)
            return hs_fail_memory(err);
        c->is_parity = is_parity;
        start = hs_realloc_array(c->start, c->start ? (size_t)c->count + 1 : 0,
                                 (size_t)room + 1, sizeof *start);
        if (!start)
            return hs_fail_memory(err);
        c->start = start;
        c->room = room;
    }
    if (used + literals > c->literal_room) {
        int64_t room = 2 * c->literal_room + 1024;
        int *literal = hs_realloc_array(c->literal, (size_t)used, (size_t)room,
                                        sizeof *literal);

        if (!literal)
            return hs_fail_memory(err);
        c->literal = literal;
        c->literal_room = room;
    }
    return HISS_OK;
}

static int compare(const void *a, const void *b)
{
    int first = abs(*(const int *)a), second = abs(*(const int *)b);

    return (first > second) - (first < second);
}

/* Sorts literals and removes repeated ones; -1 if the clause always holds. */
static int simplify(int *literal, int count)
{
    int kept = 0;

    qsort(literal, (size_t)count, sizeof *literal, compare);
    for (int k = 0; k < count; k++) {
        if (kept > 0 && literal[k] == -literal[kept - 1])
            return -1;
        if (kept == 0 || literal[k] != literal[kept - 1])
            literal[kept++] = literal[k];
    }
    return kept;
}

/* Reads up to the 0; removes repeated literals if there is no room. */
static hiss_status read_literals(hs_clauses *c, hs_reader *in, int *literal,
                                 int *count, bool *holds, hiss_error *err)
{
    int most = c->is_fixed ? c->dim : INT32_MAX - 1, found;

    *count = 0;
    *holds = false;
    for (;;) {
        HS_TRY(hs_reader_int(in, -most, most, &found, err));
        if (found == 0)
            break;
        if (*count == 2 * HS_CLAUSE_MAX) {
            *count = simplify(literal, *count);
            *holds |= *count < 0;
            *count = *count < 0 ? 0 : *count;
        }
        if (*count == 2 * HS_CLAUSE_MAX)
            return hs_reader_fail(in, NULL, err,
                                  "a clause of more than %d variables",
                                  HS_CLAUSE_MAX);
        literal[(*count)++] = found;
        if (abs(found) > c->dim)
            c->dim = abs(found);
    }
    *count = simplify(literal, *count);
    *holds |= *count < 0;
    if (!*holds && *count > HS_CLAUSE_MAX)
        return hs_reader_fail(in, NULL, err,
                              "a clause of %d variables, at most %d", *count,
                              HS_CLAUSE_MAX);
    return HISS_OK;
}

/* Adds a clause or an XOR line. */
static hiss_status keep(hs_clauses *c, hs_reader *in, const int *literal,
                        int count, double weight, hiss_error *err)
{
    int64_t at;

    c->entries += (int64_t)1 << count;
    if (c->entries > hs_lines_tables_max(in))
        return hs_reader_fail(in, NULL, err,
                              "the tables of the clauses up to here have %lld "
                              "entries, too many for a file of this size",
                              (long long)c->entries);
    HS_TRY(reserve(c, count, err));
    at = c->start[c->count];
    for (int k = 0; k < count; k++)
        c->literal[at + k] = literal[k];
    c->weight[c->count] = weight;
    c->is_parity[c->count] = false;
    c->start[++c->count] = at + count;
    return HISS_OK;
}

hiss_status hs_clauses_read(hs_clauses *c, hs_reader *in, double weight,
                            hiss_error *err)
{
    int literal[2 * HS_CLAUSE_MAX], count;
    bool holds;

    HS_TRY(read_literals(c, in, literal, &count, &holds, err));
    if (isfinite(weight))
        c->soft += weight;
    if (holds) {
        c->always++;
        return HISS_OK;
    }
    if (count == 0) {
        if (!isfinite(weight))
            return hs_reader_fail(in, NULL, err,
                                  "an empty clause that must be satisfied");
        c->never++;
        c->soft -= weight;
        return HISS_OK;
    }
    return keep(c, in, literal, count, weight, err);
}

/* Removes variables that occur twice.  Negates the first literal if an even
 * number of the variables must be true. */
static int simplify_parity(int *literal, int count, bool *is_odd)
{
    int kept = 0;

    *is_odd = true;
    for (int k = 0; k < count; k++) {
        *is_odd ^= literal[k] < 0;
        literal[k] = abs(literal[k]);
    }
    qsort(literal, (size_t)count, sizeof *literal, compare);
    for (int k = 0; k < count; k++) {
        if (kept > 0 && literal[k] == literal[kept - 1])
            kept--;
        else
            literal[kept++] = literal[k];
    }
    if (!*is_odd && kept > 0)
        literal[0] = -literal[0];
    return kept;
}

hiss_status hs_clauses_read_parity(hs_clauses *c, hs_reader *in,
                                   hiss_error *err)
{
    int literal[2 * HS_CLAUSE_MAX], count = 0, found;
    bool is_odd;

    for (;;) {
        HS_TRY(hs_reader_int(in, -c->dim, c->dim, &found, err));
        if (found == 0)
            break;
        if (count == 2 * HS_CLAUSE_MAX)
            return hs_reader_fail(in, NULL, err,
                                  "an XOR line of more than %d literals",
                                  2 * HS_CLAUSE_MAX);
        literal[count++] = found;
    }
    count = simplify_parity(literal, count, &is_odd);
    if (count > HS_CLAUSE_MAX)
        return hs_reader_fail(in, NULL, err,
                              "an XOR line of %d variables, at most %d", count,
                              HS_CLAUSE_MAX);
    if (count == 0 && is_odd)
        return hs_reader_fail(in, NULL, err, "an XOR line that never holds");
    if (count == 0) {
        c->always++;
        return HISS_OK;
    }
    HS_TRY(keep(c, in, literal, count, HUGE_VAL, err));
    c->is_parity[c->count - 1] = true;
    return HISS_OK;
}

/* Index of the one entry of a clause's table that violates it: all literals
 * false. */
static int64_t violation(const int *literal, int count)
{
    int64_t at = 0;

    for (int k = 0; k < count; k++)
        at = 2 * at + (literal[k] < 0);
    return at;
}

/* Excludes entries with an even number of true literals. */
static void exclude_even(double *table, const int *literal, int count)
{
    unsigned flip = (unsigned)violation(literal, count);

    for (unsigned at = 0; at < 1u << count; at++)
        if (__builtin_popcount(at ^ flip) % 2 == 0)
            table[at] = -HUGE_VAL;
}

/* U counts down from the weight of all clauses. */
static hiss_status add_clause(const hs_clauses *c, int64_t n, double hard,
                              hs_factors *f, hiss_error *err)
{
    const int *literal = c->literal + c->start[n];
    int count = (int)(c->start[n + 1] - c->start[n]);
    int scope[HS_CLAUSE_MAX];
    double *table;

    for (int k = 0; k < count; k++)
        scope[k] = abs(literal[k]) - 1;
    HS_TRY(hs_factors_add(f, count, scope, NULL, &table, err));
    if (c->is_parity[n]) {
        exclude_even(table, literal, count);
        return HISS_OK;
    }
    table[violation(literal, count)] =
        isfinite(c->weight[n]) ? -c->weight[n] : -hard;
    return HISS_OK;
}

hiss_status hs_clauses_finish(hs_clauses *c, hs_problem *out, double hard,
                              hiss_error *err)
{
    int *states = hs_alloc_array((size_t)c->dim, sizeof *states);
    hs_factors *f = &out->factors;
    hiss_status rc;

    if (!states)
        return hs_fail_memory(err);
    for (int i = 0; i < c->dim; i++)
        states[i] = 2;
    out->shape = HS_FACTORS;
    out->dim = c->dim;
    out->objective = "satisfied weight";
    out->scale = 1.0;
    rc = hs_factors_init(f, c->dim, states, err);
    hs_free(states);
    if (rc == HISS_OK)
        rc = hs_factors_reserve(f, c->count,
                                c->count > 0 ? c->start[c->count] : 0,
                                c->entries, err);
    if (rc == HISS_OK)
        f->constant = c->soft;
    for (int64_t n = 0; n < c->count && rc == HISS_OK; n++)
        rc = add_clause(c, n, hard, f, err);
    if (rc == HISS_OK && c->always > 0)
        rc = hs_problem_remark(out, err, "%lld clauses always hold",
                               (long long)c->always);
    if (rc == HISS_OK && c->never > 0)
        rc = hs_problem_remark(out, err, "%lld clauses are empty",
                               (long long)c->never);
    return rc;
}
