/* wcnf.c - weighted clauses of the MaxSAT evaluations, in both layouts.
 *
 *     p wcnf variables clauses top      until 2021: a weight, then literals;
 *     10 1 -2 0                         a weight of `top` or more is hard
 *
 *     h 1 -2 0                          from 2022: h is hard, no line p
 *     3 -4 5 0
 *
 * U = satisfied weight of the soft clauses.  form=constraint: hard clauses must
 * hold; form=penalty: a violated one costs 1 more than the weight of all soft
 * ones. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/caret.h"
#include "base/number.h"
#include "format/format.h"
#include "format/parts/clauses.h"
#include "format/parts/lines.h"
#include "format/parts/sniff.h"
#include "format/problem/terms.h"

enum {
    CONSTRAINT,
    PENALTY
};

struct wcnf_options {
    int form;
};

static const hs_option wcnf_options[] = {
    {"form", HS_CHOICE, offsetof(struct wcnf_options, form), "constraint",
     "constraint|penalty", "hard clauses must hold, or cost"},
    {0},
};

static int wcnf_sniff(const char *head, size_t length)
{
    hs_span line = hs_sniff_line(head, length, "c", 0);
    int words = hs_sniff_words(line);
    hs_span first = hs_sniff_word(line, 0),
            last = hs_sniff_word(line, words - 1);

    if (hs_sniff_is(first, "p"))
        return hs_sniff_is(hs_sniff_word(line, 1), "wcnf") ? 100 : 0;
    if (words < 2 || !hs_sniff_is(last, "0"))
        return 0;
    if (hs_sniff_is(first, "h"))
        return 70;
    return words > 2 && hs_sniff_is_real(first) ? 20 : 0;
}

static hiss_status fail_word(hs_reader *in, const char *word,
                             const char *expected, hiss_error *err)
{
    char quote[HS_QUOTE_MAX];

    return hs_reader_fail(in, NULL, err, "found '%s', expected %s",
                          hs_quote(quote, word, strlen(word)), expected);
}

/* wcnf variables clauses [top] */
static hiss_status read_sizes(hs_reader *in, hs_clauses *c, int64_t *all,
                              double *top, hiss_error *err)
{
    const char *word;

    HS_TRY(hs_lines_within(in, "wcnf", err));
    HS_TRY(hs_reader_word(in, &word, err));
    if (strcmp(word, "wcnf") != 0)
        return fail_word(in, word, "wcnf", err);
    HS_TRY(hs_lines_within(in, "the number of variables", err));
    HS_TRY(hs_terms_read_dim(in, &c->dim, err));
    c->is_fixed = true;
    HS_TRY(hs_lines_within(in, "the number of clauses", err));
    HS_TRY(hs_reader_count(in, 0, INT64_MAX, 2, all, err));
    *top = HUGE_VAL;
    if (!hs_reader_at_line_end(in))
        HS_TRY(hs_reader_real(in, 0.0, HUGE_VAL, top, err));
    return hs_lines_end(in, err);
}

/* Reads the clauses after `p wcnf`. */
static hiss_status read_old(hs_reader *in, hs_clauses *c, hiss_error *err)
{
    double top, weight;
    int64_t all;

    HS_TRY(read_sizes(in, c, &all, &top, err));
    for (int64_t n = 0; n < all; n++) {
        HS_TRY(hs_lines_more(in, n, all, "clauses", err));
        HS_TRY(hs_reader_real(in, 0.0, HUGE_VAL, &weight, err));
        if (weight < top && weight > HS_WEIGHT_MAX)
            return hs_reader_fail(in, NULL, err,
                                  "a soft clause of weight %g, at most %g",
                                  weight, HS_WEIGHT_MAX);
        HS_TRY(hs_clauses_read(c, in, weight >= top ? HUGE_VAL : weight, err));
    }
    return hs_lines_done(in, all, "clauses", err);
}

/* Reads clauses without a line p; `word` is the first word. */
static hiss_status read_new(hs_reader *in, hs_clauses *c, const char *word,
                            hiss_error *err)
{
    for (;;) {
        double weight = HUGE_VAL;

        if (strcmp(word, "h") != 0 && (!hs_number_real(word, &weight) ||
                                       weight < 0 || weight > HS_WEIGHT_MAX))
            return fail_word(in, word, "h or a weight from 0 to 1e30", err);
        HS_TRY(hs_clauses_read(c, in, weight, err));
        HS_TRY(hs_lines_end(in, err));
        if (hs_reader_at_end(in))
            break;
        HS_TRY(hs_reader_word(in, &word, err));
    }
    if (c->dim > 0)
        return HISS_OK;
    return hs_reader_fail(in, NULL, err, "the file ends without a variable");
}

/* Checks the number of variables against the size of the file. */
static hiss_status check_dim(hs_reader *in, const hs_clauses *c,
                             hiss_error *err)
{
    int64_t size = hs_reader_size(in);

    if (c->is_fixed || c->dim <= HS_FREE_VARIABLES || c->dim <= size)
        return HISS_OK;
    return hs_reader_fail(in, NULL, err,
                          "variable %d is there, but a file of this size can "
                          "mean %lld at most",
                          c->dim, (long long)size);
}

static hiss_status wcnf_read(hs_problem *out, hs_reader *in,
                             const void *options, hiss_error *err)
{
    const struct wcnf_options *o = options;
    hs_clauses clauses = {0};
    const char *word;
    hiss_status rc;

    hs_reader_comments(in, "c", NULL);
    HS_TRY(hs_reader_word(in, &word, err));
    if (strcmp(word, "p") == 0)
        rc = read_old(in, &clauses, err);
    else
        rc = read_new(in, &clauses, word, err);
    if (rc == HISS_OK)
        rc = check_dim(in, &clauses, err);
    if (rc == HISS_OK && o->form == PENALTY)
        rc = hs_problem_assume(out, err,
                               "log p = weight of the satisfied clauses; a "
                               "violated hard clause costs %g",
                               clauses.soft + 1.0);
    else if (rc == HISS_OK)
        rc = hs_problem_assume(out, err,
                               "log p = weight of the satisfied clauses; hard "
                               "clauses must hold");
    if (rc == HISS_OK)
        rc = hs_clauses_finish(
            &clauses, out, o->form == PENALTY ? clauses.soft + 1.0 : HUGE_VAL,
            err);
    hs_clauses_clear(&clauses);
    return rc;
}

static const char *const wcnf_tested[] = {
    "the examples of the MaxSAT evaluation's rules, before and from 2022",
    NULL,
};

const hs_format hs_format_wcnf = {
    .name = "wcnf",
    .title = "weighted CNF clauses",
    .summary = "weighted clauses, with `p wcnf` or of 2022 (binary)",
    .suffixes = "wcnf",
    .options = wcnf_options,
    .size = sizeof(struct wcnf_options),
    .sniff = wcnf_sniff,
    .read = wcnf_read,
    .tested = wcnf_tested,
};
