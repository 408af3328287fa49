/* rudy.c - MaxCut graphs as rudy, Gset and BiqMac write them.
 *
 *     n m
 *     i j w          m lines, vertices from 1, w = 1 where it is missing
 * The cut of spins s is sum_ij w_ij (1 - s_i s_j) / 2, to be maximized, and U
 * is the cut itself.  Other text in line 1 (some files have a word there) is
 * ignored, with a remark. */
#include <stddef.h>
#include <string.h>

#include "base/caret.h"
#include "format/format.h"
#include "format/parts/lines.h"
#include "format/parts/sniff.h"
#include "format/problem/terms.h"

static const hs_option rudy_options[] = {{0}};

static int rudy_sniff(const char *head, size_t length)
{
    hs_span first = hs_sniff_line(head, length, "", 0);
    hs_span second = hs_sniff_line(head, length, "", 1);
    int words = hs_sniff_words(first);

    if (words < 2 || words > 3 || !hs_sniff_is_whole(hs_sniff_word(first, 0)) ||
        !hs_sniff_is_whole(hs_sniff_word(first, 1)) ||
        hs_sniff_is_real(hs_sniff_word(first, 2)))
        return 0;
    words = hs_sniff_words(second);
    if (second.at && words >= 2 && words <= 3 &&
        hs_sniff_is_whole(hs_sniff_word(second, 0)) &&
        hs_sniff_is_whole(hs_sniff_word(second, 1)))
        return 60;
    return 30;
}

/* Reads the line `n m`. */
static hiss_status read_sizes(hs_problem *out, hs_reader *in, int *dim,
                              int64_t *edges, hiss_error *err)
{
    char quote[HS_QUOTE_MAX];
    const char *rest;

    HS_TRY(hs_terms_read_dim(in, dim, err));
    HS_TRY(hs_lines_within(in, "the number of edges", err));
    HS_TRY(hs_reader_count(in, 0, INT64_MAX, 2, edges, err));
    if (hs_reader_at_line_end(in))
        return HISS_OK;
    HS_TRY(hs_reader_line(in, &rest, err));
    return hs_problem_remark(out, err, "'%s' in line 1 was passed over",
                             hs_quote(quote, rest, strlen(rest)));
}

static hiss_status read_edge(hs_reader *in, hs_terms *t, int dim,
                             double *offset, hiss_error *err)
{
    double w = 1.0;
    int i, j;

    HS_TRY(hs_reader_int(in, 1, dim, &i, err));
    HS_TRY(hs_lines_within(in, "a second vertex", err));
    HS_TRY(hs_reader_int(in, 1, dim, &j, err));
    if (i == j)
        return hs_reader_fail(in, NULL, err,
                              "an edge of %d with itself: a graph for MaxCut "
                              "has none; if this is a QUBO, say so: --format "
                              "'qubo-sparse(sense=min,offdiagonal=twice)' (or "
                              "sense=max, or offdiagonal=once)",
                              i);
    if (!hs_reader_at_line_end(in))
        HS_TRY(hs_terms_read_value(in, &w, err));
    HS_TRY(hs_lines_end(in, err));
    *offset += 0.5 * w;
    return hs_terms_add(t, i - 1, j - 1, -0.5 * w, err);
}

static hiss_status rudy_read(hs_problem *out, hs_reader *in,
                             const void *options, hiss_error *err)
{
    hs_terms terms = {0};
    int64_t edges = 0;
    int dim = 0;
    hiss_status rc = read_sizes(out, in, &dim, &edges, err);

    (void)options;
    if (rc == HISS_OK)
        rc = hs_entries_reserve(&terms, edges, err);
    for (int64_t e = 0; rc == HISS_OK && e < edges; e++) {
        rc = hs_lines_more(in, e, edges, "edges", err);
        if (rc == HISS_OK)
            rc = read_edge(in, &terms, dim, &out->quadratic.offset, err);
    }
    if (rc == HISS_OK)
        rc = hs_lines_done(in, edges, "edges", err);
    if (rc != HISS_OK) {
        hs_entries_clear(&terms);
        return rc;
    }
    rc = hs_problem_assume(out, err,
                           "log p = cut = -1/2 sum J s_i s_j + constant (J > 0 "
                           "repels). Other readings: --format "
                           "'edges(sign=attract)'");
    if (rc != HISS_OK) {
        hs_entries_clear(&terms);
        return rc;
    }
    out->quadratic.kind = HISS_SPIN;
    out->quadratic.maximize = true;
    out->objective = "cut";
    out->scale = 1.0;
    return hs_terms_finish(&terms, out, dim, 1, err);
}

static hiss_status rudy_write(const hs_problem *p, FILE *to,
                              const void *options, hiss_error *err)
{
    const hs_quadratic_problem *q;
    hs_problem spins;
    hiss_status rc;

    (void)options;
    HS_TRY(hs_problem_to_quadratic(&spins, p, HISS_SPIN, true, err));
    q = &spins.quadratic;
    rc = hs_terms_refuse_field(&spins, err);
    if (rc != HISS_OK) {
        hs_problem_clear(&spins);
        return rc;
    }
    fprintf(to, "%d %lld\n", spins.dim, (long long)q->pairs);
    for (int64_t e = 0; e < q->pairs; e++) {
        fprintf(to, "%d %d ", q->row[e] + 1, q->column[e] + 1);
        hs_lines_print(to, -2.0 * q->value[e]);
        fputc('\n', to);
    }
    hs_problem_clear(&spins);
    return HISS_OK;
}

static const char *const rudy_tested[] = {
    "Gset G1, G14, G22, G43, G51 (LF, CR LF, no final line end)",
    NULL,
};

const hs_format hs_format_rudy = {
    .name = "rudy",
    .title = "rudy max-cut",
    .summary =
        "MaxCut graphs of rudy, Gset and BiqMac; log p is the cut (spin)",
    .suffixes = "txt mc rud rudy",
    .options = rudy_options,
    .sniff = rudy_sniff,
    .read = rudy_read,
    .write = rudy_write,
    .tested = rudy_tested,
};
