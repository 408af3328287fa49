/* cnf.c - clauses of the DIMACS and SATLIB kind.
 *
 *     c a comment
 *     p cnf variables clauses
 *     1 -3 4 0       a clause may span lines; SATLIB ends with `%` and `0`
 *
 * form=penalty      U = weight * (number of satisfied clauses)
 * form=constraint   every clause must hold: uniform over the solutions */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/caret.h"
#include "format/format.h"
#include "format/parts/clauses.h"
#include "format/parts/lines.h"
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
    {"form", HS_CHOICE, AT(form), "penalty", "penalty|constraint",
     "clauses count, or must hold"},
    {"weight", HS_REAL, AT(weight), "1", "(0,1e30]",
     "what a satisfied clause adds to U"},
    {0},
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

static hiss_status read_clauses(hs_reader *in, hs_clauses *c, double weight,
                                hiss_error *err)
{
    const char *word;
    int64_t all;

    hs_reader_comments(in, "c", NULL);
    HS_TRY(expect(in, "p", err));
    HS_TRY(expect(in, "cnf", err));
    HS_TRY(hs_lines_within(in, "the number of variables", err));
    HS_TRY(hs_terms_read_dim(in, &c->dim, err));
    c->is_fixed = true;
    HS_TRY(hs_lines_within(in, "the number of clauses", err));
    HS_TRY(hs_reader_count(in, 0, INT64_MAX, 1, &all, err));
    HS_TRY(hs_lines_end(in, err));
    for (int64_t n = 0; n < all; n++) {
        HS_TRY(hs_lines_more(in, n, all, "clauses", err));
        HS_TRY(hs_clauses_read(c, in, weight, err));
    }
    hs_reader_comments(in, "c%", NULL); /* SATLIB: a line `%`, a line `0` */
    if (hs_reader_at_end(in))
        return HISS_OK;
    HS_TRY(hs_reader_word(in, &word, err));
    if (strcmp(word, "0") == 0 && hs_reader_at_end(in))
        return HISS_OK;
    return hs_reader_fail(in, NULL, err,
                          "found more after the %lld clauses that were "
                          "announced",
                          (long long)all);
}

static hiss_status cnf_read(hs_problem *out, hs_reader *in, const void *options,
                            hiss_error *err)
{
    const struct cnf_options *o = options;
    bool is_hard = o->form == CONSTRAINT;
    hs_clauses clauses = {0};
    hiss_status rc =
        read_clauses(in, &clauses, is_hard ? HUGE_VAL : o->weight, err);

    if (rc == HISS_OK && is_hard)
        rc = hs_problem_assume(
            out, err, "log p = 0 where every clause holds, else -infinity");
    else if (rc == HISS_OK)
        rc = hs_problem_assume(out, err, "log p = %g per satisfied clause",
                               o->weight);
    if (rc == HISS_OK)
        rc = hs_clauses_finish(&clauses, out, HUGE_VAL, err);
    if (!is_hard) {
        out->objective = "satisfied clauses";
        out->scale = 1.0 / o->weight;
    } else {
        out->objective = NULL;
    }
    hs_clauses_clear(&clauses);
    return rc;
}

static const char *const cnf_tested[] = {
    "SATLIB uf20-01.cnf (8 solutions)",
    NULL,
};

const hs_format hs_format_cnf = {
    .name = "cnf",
    .title = "CNF clauses",
    .summary = "DIMACS clauses; U = satisfied clauses, or hard (binary)",
    .suffixes = "cnf",
    .options = cnf_options,
    .size = sizeof(struct cnf_options),
    .sniff = cnf_sniff,
    .read = cnf_read,
    .tested = cnf_tested,
};
