/* cnf.c - clauses of the DIMACS and SATLIB kind, and what counters add.
 *
 *     c a comment
 *     p cnf variables clauses
 *     c t mc                 a type: said, and not needed
 *     c p show 1 3 0         projection; also `c ind 1 3 0`
 *     c p weight -2 0.4 0    what the literal weighs
 *     1 -3 4 0               a clause may span lines; SATLIB ends with `%`, `0`
 *     x1 -2 3 0              an odd number of these literals holds
 *
 * form=constraint   every clause must hold: uniform over the solutions, or by
 *                   their weights
 * form=penalty      U = weight * (number of satisfied clauses) */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/caret.h"
#include "base/number.h"
#include "format/format.h"
#include "format/parts/clauses.h"
#include "format/parts/lines.h"
#include "format/parts/project.h"
#include "format/parts/sniff.h"
#include "format/problem/terms.h"

enum {
    PENALTY,
    CONSTRAINT
};

struct cnf_options {
    int form;
    double weight;
};

#define AT(field) offsetof(struct cnf_options, field)
static const hs_option cnf_options[] = {
    {"form", HS_CHOICE, AT(form), "constraint", "penalty|constraint",
     "clauses count, or must hold"},
    {"weight", HS_REAL, AT(weight), "1", "(0,1e30]",
     "with form=penalty: what a satisfied clause adds to log p"},
    {0},
};

/* Comments that carry information. */
static const char *const directives[] = {"c p show ", "c p weight ", "c ind ",
                                         NULL};

struct cnf {
    hs_reader *in; /* borrowed */
    hs_clauses clauses;
    bool is_hard;
    double weight;
    bool *is_shown;    /* owned, [dim]: with is_projected */
    bool is_projected; /* a projection was read */
    double *weights;   /* owned, [2 * dim], by literal; NaN if not given */
    bool has_weights;
};

static int cnf_sniff(const char *head, size_t length)
{
    hs_span line = hs_sniff_line(head, length, "c", 0);

    return hs_sniff_is(hs_sniff_word(line, 0), "p") &&
                   hs_sniff_is(hs_sniff_word(line, 1), "cnf")
               ? 100
               : 0;
}

static hiss_status expect(hs_reader *in, const char *wanted, hiss_error *err)
{
    char quote[HS_QUOTE_MAX];
    const char *word;

    HS_TRY(hs_reader_word(in, &word, err));
    if (strcmp(word, wanted) == 0)
        return HISS_OK;
    return hs_reader_fail(in, NULL, err,
                          "found '%s', expected '%s' of the line 'p cnf "
                          "variables clauses'",
                          hs_quote(quote, word, strlen(word)), wanted);
}

static hiss_status fail_penalty(hs_reader *in, const char *what,
                                hiss_error *err)
{
    return hs_reader_fail(in, NULL, err,
                          "found %s, which needs form=constraint (the default)",
                          what);
}

/* --- projection and weights ----------------------------------------------- */

static hiss_status read_shown(struct cnf *c, hiss_error *err)
{
    int variable;

    if (!c->is_hard)
        return fail_penalty(c->in, "a projection", err);
    c->is_projected = true;
    for (;;) {
        HS_TRY(hs_lines_within(c->in, "a variable, or 0", err));
        HS_TRY(hs_reader_int(c->in, 0, c->clauses.dim, &variable, err));
        if (variable == 0)
            return hs_lines_end(c->in, err);
        c->is_shown[variable - 1] = true;
    }
}

static hiss_status read_weight(struct cnf *c, hiss_error *err)
{
    int literal, end, dim = c->clauses.dim;
    double weight, *to;

    if (!c->is_hard)
        return fail_penalty(c->in, "a weight", err);
    HS_TRY(hs_lines_within(c->in, "a literal", err));
    HS_TRY(hs_reader_int(c->in, -dim, dim, &literal, err));
    if (literal == 0)
        return hs_reader_fail(c->in, NULL, err,
                              "found '0', expected a literal");
    HS_TRY(hs_lines_within(c->in, "a weight", err));
    HS_TRY(hs_reader_real(c->in, 0.0, 1e30, &weight, err));
    to = &c->weights[2 * (abs(literal) - 1) + (literal < 0)];
    if (!isnan(*to) && *to != weight)
        return hs_reader_fail(c->in, NULL, err,
                              "literal %d has two weights: %g and %g", literal,
                              *to, weight);
    *to = weight;
    c->has_weights = true;
    if (hs_reader_at_line_end(c->in))
        return HISS_OK;
    HS_TRY(hs_reader_int(c->in, 0, 0, &end, err));
    return hs_lines_end(c->in, err);
}

/* Reads a line of `directives`, whose `c` is the next word. */
static hiss_status read_directive(struct cnf *c, hiss_error *err)
{
    const char *word;

    HS_TRY(hs_reader_word(c->in, &word, err));
    if (strcmp(word, "c") != 0)
        return hs_reader_fail(c->in, NULL, err, "expected a clause");
    HS_TRY(hs_reader_word(c->in, &word, err));
    if (strcmp(word, "ind") == 0)
        return read_shown(c, err);
    if (strcmp(word, "p") == 0)
        HS_TRY(hs_reader_word(c->in, &word, err));
    if (strcmp(word, "show") == 0)
        return read_shown(c, err);
    if (strcmp(word, "weight") == 0)
        return read_weight(c, err);
    return hs_reader_fail(c->in, NULL, err, "expected a clause");
}

static hiss_status read_directives(struct cnf *c, hiss_error *err)
{
    while (!hs_reader_at_end(c->in) && hs_reader_ahead(c->in, 0) == 'c' &&
           hs_reader_here(c->in).column == 1)
        HS_TRY(read_directive(c, err));
    return HISS_OK;
}

/* --- clauses -------------------------------------------------------------- */

static hiss_status read_clause(struct cnf *c, hiss_error *err)
{
    if (hs_reader_ahead(c->in, 0) != 'x')
        return hs_clauses_read(&c->clauses, c->in,
                               c->is_hard ? HUGE_VAL : c->weight, err);
    hs_reader_pass(c->in);
    if (!c->is_hard)
        return fail_penalty(c->in, "an XOR line", err);
    return hs_clauses_read_parity(&c->clauses, c->in, err);
}

static hiss_status make_room(struct cnf *c, hiss_error *err)
{
    size_t dim = (size_t)c->clauses.dim;

    c->is_shown = hs_alloc_array(dim, sizeof *c->is_shown);
    c->weights = hs_alloc_array(2 * dim, sizeof *c->weights);
    if (!c->is_shown || !c->weights)
        return hs_fail_memory(err);
    for (size_t n = 0; n < 2 * dim; n++)
        c->weights[n] = (double)NAN;
    return HISS_OK;
}

static hiss_status read_header(struct cnf *c, int64_t *all, hiss_error *err)
{
    hs_reader *in = c->in;

    hs_reader_comments(in, "c", NULL);
    HS_TRY(expect(in, "p", err));
    HS_TRY(expect(in, "cnf", err));
    HS_TRY(hs_lines_within(in, "the number of variables", err));
    HS_TRY(hs_terms_read_dim(in, &c->clauses.dim, err));
    c->clauses.is_fixed = true;
    HS_TRY(hs_lines_within(in, "the number of clauses", err));
    HS_TRY(hs_reader_count(in, 0, INT64_MAX, 1, all, err));
    HS_TRY(hs_lines_end(in, err));
    HS_TRY(make_room(c, err));
    hs_reader_keep(in, directives);
    return HISS_OK;
}

static hiss_status read_clauses(struct cnf *c, hiss_error *err)
{
    const char *word;
    int64_t all;

    HS_TRY(read_header(c, &all, err));
    for (int64_t n = 0; n < all; n++) {
        HS_TRY(read_directives(c, err));
        HS_TRY(hs_lines_more(c->in, n, all, "clauses", err));
        HS_TRY(read_clause(c, err));
    }
    hs_reader_comments(c->in, "c%", NULL); /* SATLIB: a line `%`, a line `0` */
    HS_TRY(read_directives(c, err));
    if (hs_reader_at_end(c->in))
        return HISS_OK;
    HS_TRY(hs_reader_word(c->in, &word, err));
    if (strcmp(word, "0") == 0 && hs_reader_at_end(c->in))
        return HISS_OK;
    return hs_reader_fail(c->in, NULL, err,
                          "found more after the %lld clauses that were "
                          "announced",
                          (long long)all);
}

/* --- what follows --------------------------------------------------------- */

static hiss_status check_weight(const struct cnf *c, int i, hiss_error *err)
{
    const double *w = c->weights + 2 * i;

    if (isnan(w[0]) || isnan(w[1]))
        return hs_fail(err, HISS_EPARSE,
                       "%s: literal %d has a weight and %d has none; write "
                       "both",
                       hs_reader_name(c->in), isnan(w[0]) ? -i - 1 : i + 1,
                       isnan(w[0]) ? i + 1 : -i - 1);
    if (w[0] == 0.0 && w[1] == 0.0)
        return hs_fail(err, HISS_EPARSE,
                       "%s: both literals of variable %d have weight 0",
                       hs_reader_name(c->in), i + 1);
    if (c->is_projected && !c->is_shown[i] && !(w[0] == 1.0 && w[1] == 1.0))
        return hs_fail(err, HISS_EPARSE,
                       "%s: variable %d has weights but is not shown; weights "
                       "are for variables of the projection",
                       hs_reader_name(c->in), i + 1);
    return HISS_OK;
}

static hiss_status add_weights(const struct cnf *c, hs_factors *f,
                               hiss_error *err)
{
    for (int i = 0; c->has_weights && i < c->clauses.dim; i++) {
        const double *w = c->weights + 2 * i;
        double table[2];

        if (isnan(w[0]) && isnan(w[1]))
            continue;
        HS_TRY(check_weight(c, i, err));
        table[0] = log(w[1]);
        table[1] = log(w[0]);
        if (!c->is_projected || c->is_shown[i])
            HS_TRY(hs_factors_add(f, 1, &i, table, NULL, err));
    }
    return HISS_OK;
}

/* Variables keep their numbers as names. */
static hiss_status name_shown(const struct cnf *c, hs_problem *out,
                              hiss_error *err)
{
    out->dim = out->factors.dim;
    out->names = hs_alloc_array((size_t)out->dim, sizeof *out->names);
    if (!out->names)
        return hs_fail_memory(err);
    for (int i = 0, n = 0; i < c->clauses.dim; i++) {
        char text[16];

        if (!c->is_shown[i])
            continue;
        hs_snprintf(text, sizeof text, "%d", i + 1);
        out->names[n] = hs_strdup(text);
        if (!out->names[n++])
            return hs_fail_memory(err);
    }
    return HISS_OK;
}

static hiss_status project(const struct cnf *c, hs_problem *out,
                           hiss_error *err)
{
    int shown = 0;

    if (!c->is_projected)
        return HISS_OK;
    for (int i = 0; i < c->clauses.dim; i++)
        shown += c->is_shown[i];
    if (shown == 0)
        return hs_fail(err, HISS_EPARSE, "%s: the projection shows no variable",
                       hs_reader_name(c->in));
    if (shown == c->clauses.dim)
        return HISS_OK;
    HS_TRY(hs_project(&out->factors, c->is_shown, err));
    HS_TRY(name_shown(c, out, err));
    return hs_problem_remark(out, err,
                             "projected on %d of %d variables (c p show, c "
                             "ind)",
                             shown, c->clauses.dim);
}

static hiss_status assume(const struct cnf *c, hs_problem *out, hiss_error *err)
{
    if (!c->is_hard)
        return hs_problem_assume(out, err, "log p = %g per satisfied clause",
                                 c->weight);
    if (c->has_weights)
        return hs_problem_assume(out, err,
                                 "log p = sum of ln of the literals' weights "
                                 "where every clause holds, else -infinity");
    return hs_problem_assume(out, err,
                             "log p = 0 where every clause holds, else "
                             "-infinity");
}

static hiss_status finish(struct cnf *c, hs_problem *out, hiss_error *err)
{
    HS_TRY(assume(c, out, err));
    HS_TRY(hs_clauses_finish(&c->clauses, out, HUGE_VAL, err));
    out->objective = c->is_hard ? NULL : "satisfied clauses";
    if (!c->is_hard)
        out->scale = 1.0 / c->weight;
    HS_TRY(add_weights(c, &out->factors, err));
    return project(c, out, err);
}

static hiss_status cnf_read(hs_problem *out, hs_reader *in, const void *options,
                            hiss_error *err)
{
    const struct cnf_options *o = options;
    struct cnf c = {
        .in = in, .is_hard = o->form == CONSTRAINT, .weight = o->weight};
    hiss_status rc;

    if (c.is_hard && o->weight != 1.0)
        return hs_fail(err, HISS_EARG,
                       "format cnf: weight=%g is for penalties; write "
                       "cnf(form=penalty,weight=%g)",
                       o->weight, o->weight);
    rc = read_clauses(&c, err);
    if (rc == HISS_OK)
        rc = finish(&c, out, err);
    hs_clauses_clear(&c.clauses);
    hs_free(c.is_shown);
    hs_free(c.weights);
    return rc;
}

static const char *const cnf_tested[] = {
    "SATLIB uf20-01.cnf (8 solutions)",
    NULL,
};

const hs_format hs_format_cnf = {
    .name = "cnf",
    .title = "CNF clauses",
    .summary = "clauses that must hold, XOR lines, projection, weights; or "
               "log p = satisfied clauses (binary)",
    .suffixes = "cnf",
    .options = cnf_options,
    .size = sizeof(struct cnf_options),
    .sniff = cnf_sniff,
    .read = cnf_read,
    .tested = cnf_tested,
};
