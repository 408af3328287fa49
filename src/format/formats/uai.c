/* uai.c - factor graphs of the UAI inference competitions.
 *
 *     MARKOV | BAYES
 *     n                      variables
 *     k_1 ... k_n            their numbers of states
 *     m                      factors
 *     s v_1 ... v_s          m scopes, variables from 0
 *     c t_1 ... t_c          m tables, the last variable of a scope fastest
 * Entries are values, not logarithms; 0 is a hard constraint.  White space is
 * free and lines have no meaning. In a BAYES file the last variable of a scope
 * is the child; the tables are read in the same way.  Variables with 2 states
 * are binary.
 *
 * Written as MARKOV.  A factor whose largest entry does not fit into a double
 * is divided by it. The divisors, and any constant, become separate factors
 * over variable 0. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/caret.h"
#include "base/error.h"
#include "base/number.h"
#include "format/format.h"
#include "format/parts/bayes.h"
#include "format/parts/sniff.h"

#define EXPONENT_MAX 700.0 /* e^this and e^-this are ordinary numbers */

static const hs_option uai_options[] = {{0}};

static int uai_sniff(const char *head, size_t length)
{
    hs_span word = hs_sniff_word(hs_sniff_line(head, length, "", 0), 0);

    return hs_sniff_is(word, "MARKOV") || hs_sniff_is(word, "BAYES") ? 100 : 0;
}

/* Scopes, stored until their tables come. */
struct scopes {
    int64_t count;
    int64_t *at;   /* owned, [count + 1] */
    int *variable; /* owned */
    int64_t room;
    int *seen; /* owned, [dim]: the last factor with this variable, from 1 */
};

static void clear_scopes(struct scopes *s)
{
    hs_free(s->at);
    hs_free(s->variable);
    hs_free(s->seen);
}

static hiss_status read_type(hs_reader *in, bool *is_bayes, hiss_error *err)
{
    char quoted[HS_QUOTE_MAX];
    const char *word;

    HS_TRY(hs_reader_word(in, &word, err));
    *is_bayes = strcmp(word, "BAYES") == 0;
    if (*is_bayes || strcmp(word, "MARKOV") == 0)
        return HISS_OK;
    return hs_reader_fail(in, NULL, err, "found '%s', expected MARKOV or BAYES",
                          hs_quote(quoted, word, strlen(word)));
}

static hiss_status read_variables(hs_problem *out, hs_reader *in,
                                  hiss_error *err)
{
    int64_t dim = 0;
    int *states;
    hiss_status rc = HISS_OK;

    HS_TRY(hs_reader_count(in, 1, INT_MAX - 1, 1, &dim, err));
    states = hs_alloc_array((size_t)dim, sizeof *states);
    if (!states)
        return hs_fail_memory(err);
    for (int i = 0; i < dim && rc == HISS_OK; i++)
        rc = hs_reader_int(in, 1, HS_STATES_MAX, &states[i], err);
    if (rc == HISS_OK)
        rc = hs_factors_init(&out->factors, (int)dim, states, err);
    hs_free(states);
    out->dim = (int)dim;
    return rc;
}

static hiss_status add_variable(struct scopes *s, int64_t at, int variable,
                                hiss_error *err)
{
    if (at == s->room) {
        int64_t room = s->room + s->room / 2 + 64;
        int *larger = hs_realloc_array(s->variable, (size_t)at, (size_t)room,
                                       sizeof *larger);

        if (!larger)
            return hs_fail_memory(err);
        s->variable = larger;
        s->room = room;
    }
    s->variable[at] = variable;
    return HISS_OK;
}

static hiss_status read_scope(hs_reader *in, struct scopes *s, int64_t n,
                              int dim, hiss_error *err)
{
    int64_t size = 0;

    HS_TRY(hs_reader_count(in, 0, dim, 1, &size, err));
    for (int64_t k = 0; k < size; k++) {
        int v;

        HS_TRY(hs_reader_int(in, 0, dim - 1, &v, err));
        if (s->seen[v] == n + 1)
            return hs_reader_fail(in, NULL, err,
                                  "factor %lld, counted from 0, has variable "
                                  "%d twice",
                                  (long long)n, v);
        s->seen[v] = (int)(n + 1);
        HS_TRY(add_variable(s, s->at[n] + k, v, err));
    }
    s->at[n + 1] = s->at[n] + size;
    return HISS_OK;
}

static hiss_status read_scopes(hs_reader *in, struct scopes *s, int dim,
                               hiss_error *err)
{
    /* a scope and its table have at least two words */
    HS_TRY(hs_reader_count(in, 0, INT_MAX - 1, 2, &s->count, err));
    s->at = hs_alloc_array((size_t)s->count + 1, sizeof *s->at);
    s->variable = hs_alloc_array(0, sizeof *s->variable);
    s->seen = hs_alloc_array((size_t)dim, sizeof *s->seen);
    if (!s->at || !s->variable || !s->seen)
        return hs_fail_memory(err);
    for (int64_t n = 0; n < s->count; n++)
        HS_TRY(read_scope(in, s, n, dim, err));
    return HISS_OK;
}

/* Fails with: file.uai:9:1: factor 3, counted from 0, has 5 entries, its scope
 * needs 4 */
static hiss_status check_entries(hs_reader *in, const hs_place *where,
                                 int64_t n, int64_t is, int64_t needs,
                                 hiss_error *err)
{
    if (needs > HS_FACTOR_MAX)
        return hs_reader_fail(in, where, err,
                              "factor %lld, counted from 0, has a scope with "
                              "more than 2^30 states",
                              (long long)n);
    if (is != needs)
        return hs_reader_fail(in, where, err,
                              "factor %lld, counted from 0, has %lld entries, "
                              "its scope needs %lld",
                              (long long)n, (long long)is, (long long)needs);
    return HISS_OK;
}

static hiss_status read_entries(hs_reader *in, double *entry, int64_t count,
                                bool *is_zero, hiss_error *err)
{
    *is_zero = true;
    for (int64_t e = 0; e < count; e++) {
        double value;

        HS_TRY(hs_reader_real(in, 0.0, HUGE_VAL, &value, err));
        *is_zero = *is_zero && value == 0.0;
        entry[e] = value == 0.0 ? -HUGE_VAL : log(value);
    }
    return HISS_OK;
}

static hiss_status read_table(hs_problem *out, hs_reader *in,
                              const struct scopes *s, int64_t n,
                              hiss_error *err)
{
    const int *scope = s->variable + s->at[n];
    int size = (int)(s->at[n + 1] - s->at[n]);
    hs_place where = hs_reader_place(in);
    double constant, *entry = &constant;
    int64_t count = 0;
    bool is_zero;

    HS_TRY(hs_reader_int64(in, 0, INT64_MAX, &count, err));
    HS_TRY(check_entries(in, &where, n, count,
                         hs_factors_entries(&out->factors, size, scope), err));
    if (count > hs_reader_size(in) / 2 + 1)
        return hs_reader_fail(in, &where, err,
                              "factor %lld, counted from 0, has %lld entries, "
                              "more than the file can hold",
                              (long long)n, (long long)count);
    if (size > 0)
        HS_TRY(hs_factors_add(&out->factors, size, scope, NULL, &entry, err));
    HS_TRY(read_entries(in, entry, count, &is_zero, err));
    if (is_zero)
        return hs_reader_fail(in, &where, err,
                              "factor %lld, counted from 0, has probability 0 "
                              "everywhere",
                              (long long)n);
    if (size == 0)
        out->factors.constant += constant;
    return HISS_OK;
}

/* Rows of a Bayes net, whose last variable is the child, that are no
 * probabilities: more than rounding away from a sum of 1. */
static void count_rows(const hs_factors *f, int64_t n, int64_t *rows,
                       int64_t *off)
{
    int states = f->states[f->scope[f->scope_at[n + 1] - 1]];

    for (int64_t e = f->table_at[n]; e < f->table_at[n + 1]; e += states) {
        double sum = 0.0;

        for (int v = 0; v < states; v++)
            sum += exp(f->table[e + v]);
        *off += !(fabs(sum - 1.0) <= HS_BAYES_TOLERANCE);
        ++*rows;
    }
}

static hiss_status check_rows(hs_problem *out, hiss_error *err)
{
    const hs_factors *f = &out->factors;
    int64_t rows = 0, off = 0;

    for (int64_t n = 0; n < f->count; n++)
        count_rows(f, n, &rows, &off);
    if (off == 0)
        return HISS_OK;
    return hs_problem_remark(
        out, err,
        "%lld of %lld rows of this BAYES file do not sum to 1: taken as they "
        "are, like the tables of MARKOV",
        (long long)off, (long long)rows);
}

static hiss_status uai_read(hs_problem *out, hs_reader *in, const void *options,
                            hiss_error *err)
{
    struct scopes scopes = {0};
    bool is_bayes = false;
    hiss_status rc;

    (void)options;
    out->shape = HS_FACTORS;
    out->scale = 1.0;
    rc = read_type(in, &is_bayes, err);
    if (rc == HISS_OK)
        rc = read_variables(out, in, err);
    if (rc == HISS_OK)
        rc = read_scopes(in, &scopes, out->dim, err);
    for (int64_t n = 0; rc == HISS_OK && n < scopes.count; n++)
        rc = read_table(out, in, &scopes, n, err);
    if (rc == HISS_OK)
        rc = hs_reader_expect_end(in, err);
    if (rc == HISS_OK && is_bayes)
        rc = check_rows(out, err);
    clear_scopes(&scopes);
    return rc;
}

/* ln of the divisor of the entries of factor n: 0 if they can be written
 * unchanged. */
static double divisor(const hs_factors *f, int64_t n)
{
    double most = -HUGE_VAL;

    for (int64_t e = f->table_at[n]; e < f->table_at[n + 1]; e++)
        most = f->table[e] > most ? f->table[e] : most;
    return fabs(most) > EXPONENT_MAX && most != -HUGE_VAL ? most : 0.0;
}

/* Splits the constant into parts that can be written. */
static double constant_parts(const hs_factors *f, int64_t *parts)
{
    double sum = f->constant;

    for (int64_t n = 0; n < f->count; n++)
        sum += divisor(f, n);
    *parts = (int64_t)ceil(fabs(sum) / EXPONENT_MAX);
    return *parts > 0 ? sum / (double)*parts : 0.0;
}

static hiss_status check_writable(const hs_factors *f, hiss_error *err)
{
    if (f->constant == -HUGE_VAL)
        return hs_fail(err, HISS_EUNSUP,
                       "every state has probability 0, which has no factors");
    for (int64_t n = 0; n < f->count; n++)
        for (int64_t e = f->table_at[n]; e < f->table_at[n + 1]; e++) {
            double u = f->table[e] - divisor(f, n);

            if (u != -HUGE_VAL && exp(u) == 0.0)
                return hs_fail(err, HISS_EUNSUP,
                               "a factor has entries e^%.6g apart, which "
                               "cannot be written as numbers",
                               -u);
        }
    return HISS_OK;
}

static void write_scopes(const hs_factors *f, int64_t parts, FILE *to)
{
    fprintf(to, "%lld\n", (long long)(f->count + parts));
    for (int64_t n = 0; n < f->count; n++) {
        fprintf(to, "%lld", (long long)(f->scope_at[n + 1] - f->scope_at[n]));
        for (int64_t k = f->scope_at[n]; k < f->scope_at[n + 1]; k++)
            fprintf(to, " %d", f->scope[k]);
        fputc('\n', to);
    }
    for (int64_t n = 0; n < parts; n++)
        fputs("1 0\n", to);
}

static void write_tables(const hs_factors *f, int64_t parts, double part,
                         FILE *to)
{
    for (int64_t n = 0; n < f->count; n++) {
        double less = divisor(f, n);

        fprintf(to, "\n%lld\n",
                (long long)(f->table_at[n + 1] - f->table_at[n]));
        for (int64_t e = f->table_at[n]; e < f->table_at[n + 1]; e++)
            hs_fprintf(to, " %.17g", exp(f->table[e] - less));
        fputc('\n', to);
    }
    for (int64_t n = 0; n < parts; n++) {
        fprintf(to, "\n%d\n", f->states[0]);
        for (int v = 0; v < f->states[0]; v++)
            hs_fprintf(to, " %.17g", exp(part));
        fputc('\n', to);
    }
}

static hiss_status uai_write(const hs_problem *p, FILE *to, const void *options,
                             hiss_error *err)
{
    hs_problem same = {0};
    const hs_factors *f = &p->factors;
    hiss_status rc;
    int64_t parts;
    double part;

    (void)options;
    if (p->shape != HS_FACTORS) {
        HS_TRY(hs_problem_to_factors(&same, p, err));
        f = &same.factors;
    }
    rc = check_writable(f, err);
    if (rc == HISS_OK) {
        part = constant_parts(f, &parts);
        fprintf(to, "MARKOV\n%d\n", f->dim);
        for (int i = 0; i < f->dim; i++)
            fprintf(to, "%s%d", i ? " " : "", f->states[i]);
        fputc('\n', to);
        write_scopes(f, parts, to);
        write_tables(f, parts, part, to);
    }
    hs_problem_clear(&same);
    return rc;
}

static const char *const uai_tested[] = {
    "UAI-2014: CSP_11, DBN_11, Grids_11, Grids_15, ObjectDetection_11, "
    "Pedigree_11, Promedus_24, Segmentation_11, with their .evid",
    NULL,
};

const hs_format hs_format_uai = {
    .name = "uai",
    .title = "UAI factor graph",
    .summary = "factor graphs of the UAI competitions, MARKOV and BAYES",
    .suffixes = "uai",
    .options = uai_options,
    .sniff = uai_sniff,
    .read = uai_read,
    .write = uai_write,
    .tested = uai_tested,
};
