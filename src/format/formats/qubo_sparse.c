/* qubo_sparse.c - QUBO lists of Beasley, Glover and BiqMac.
 *
 *     n m
 *     i j q          m lines, indices from 1, i = j allowed
 * The same layout has been used for x'Qx to be maximized and to be minimized,
 * and for entries off the diagonal that count once (q x_i x_j) or twice (Q is
 * symmetric, q = Q_ij = Q_ji).  The file does not say which, so both options
 * are required. A MaxCut graph has the same layout too. */
#include <math.h>
#include <stddef.h>

#include "format/format.h"
#include "format/parts/lines.h"
#include "format/parts/sniff.h"
#include "format/problem/terms.h"

struct qubo_sparse_options {
    int sense;       /* 0 min, 1 max */
    int offdiagonal; /* 0 once, 1 twice */
};

#define AT(field) offsetof(struct qubo_sparse_options, field)
static const hs_option qubo_sparse_options[] = {
    {"sense", HS_CHOICE, AT(sense), NULL, "min|max",
     "min or max: --format 'qubo-sparse(sense=min,offdiagonal=twice)'"},
    {"offdiagonal", HS_CHOICE, AT(offdiagonal), NULL, "once|twice",
     "once or twice: how often an entry i j q counts in x'Qx"},
    {0},
};

static int qubo_sparse_sniff(const char *head, size_t length)
{
    hs_span first = hs_sniff_line(head, length, "", 0);
    hs_span second = hs_sniff_line(head, length, "", 1);

    if (hs_sniff_words(first) == 2 && hs_sniff_words(second) == 3 &&
        hs_sniff_is_whole(hs_sniff_word(first, 0)) &&
        hs_sniff_is_whole(hs_sniff_word(first, 1)) &&
        hs_sniff_is_whole(hs_sniff_word(second, 0)) &&
        hs_sniff_is_whole(hs_sniff_word(second, 1)))
        return 20;
    return 0;
}

static hiss_status read_entry(hs_reader *in, hs_terms *t, int dim,
                              double offdiagonal, hiss_error *err)
{
    double q;
    int i, j;

    HS_TRY(hs_reader_int(in, 1, dim, &i, err));
    HS_TRY(hs_lines_within(in, "a second index", err));
    HS_TRY(hs_reader_int(in, 1, dim, &j, err));
    HS_TRY(hs_lines_within(in, "a coefficient", err));
    HS_TRY(hs_terms_read_value(in, &q, err));
    HS_TRY(hs_lines_end(in, err));
    return hs_terms_add(t, i - 1, j - 1, i == j ? q : offdiagonal * q, err);
}

static hiss_status read_entries(hs_reader *in, hs_terms *t, int *dim,
                                double offdiagonal, hiss_error *err)
{
    int64_t entries;

    HS_TRY(hs_terms_read_dim(in, dim, err));
    HS_TRY(hs_lines_within(in, "the number of entries", err));
    HS_TRY(hs_reader_count(in, 0, INT64_MAX, 3, &entries, err));
    HS_TRY(hs_lines_end(in, err));
    HS_TRY(hs_entries_reserve(t, entries, err));
    for (int64_t e = 0; e < entries; e++) {
        HS_TRY(hs_lines_more(in, e, entries, "entries", err));
        HS_TRY(read_entry(in, t, *dim, offdiagonal, err));
    }
    return hs_lines_done(in, entries, "entries", err);
}

static hiss_status qubo_sparse_read(hs_problem *out, hs_reader *in,
                                    const void *options, hiss_error *err)
{
    const struct qubo_sparse_options *o = options;
    hs_terms terms = {0};
    int dim = 0;
    hiss_status rc =
        read_entries(in, &terms, &dim, o->offdiagonal ? 2.0 : 1.0, err);

    if (rc == HISS_OK)
        rc = hs_problem_assume(out, err,
                               "log p = %sx'Qx (Q > 0 %s x_i = x_j = 1); x'Qx "
                               "is %s, an entry off the diagonal counts %s",
                               o->sense ? "" : "-",
                               o->sense ? "favors" : "disfavors",
                               o->sense ? "maximized" : "minimized",
                               o->offdiagonal ? "twice" : "once");
    if (rc != HISS_OK) {
        hs_entries_clear(&terms);
        return rc;
    }
    out->quadratic.kind = HISS_BINARY;
    out->quadratic.maximize = o->sense == 1;
    out->objective = o->sense ? "value" : "energy";
    out->scale = o->sense ? 1.0 : -1.0;
    return hs_terms_finish(&terms, out, dim, 1, err);
}

static hiss_status qubo_sparse_write(const hs_problem *p, FILE *to,
                                     const void *options, hiss_error *err)
{
    const struct qubo_sparse_options *o = options;
    double share = o->offdiagonal ? 0.5 : 1.0;
    const hs_quadratic_problem *q;
    hs_problem bits;
    int64_t entries;

    HS_TRY(hs_problem_to_quadratic(&bits, p, HISS_BINARY, o->sense == 1, err));
    q = &bits.quadratic;
    entries = q->pairs;
    for (int i = 0; i < bits.dim; i++)
        entries += q->linear[i] != 0.0;
    fprintf(to, "%d %lld\n", bits.dim, (long long)entries);
    for (int i = 0; i < bits.dim; i++) {
        if (q->linear[i] == 0.0)
            continue;
        fprintf(to, "%d %d ", i + 1, i + 1);
        hs_lines_print(to, q->linear[i]);
        fputc('\n', to);
    }
    for (int64_t e = 0; e < q->pairs; e++) {
        fprintf(to, "%d %d ", q->row[e] + 1, q->column[e] + 1);
        hs_lines_print(to, share * q->value[e]);
        fputc('\n', to);
    }
    hs_problem_clear(&bits);
    return HISS_OK;
}

static const char *const qubo_sparse_tested[] = {
    "Beasley's bqp50-1 (sense=max, offdiagonal=twice: 2098)",
    NULL,
};

const hs_format hs_format_qubo_sparse = {
    .name = "qubo-sparse",
    .title = "sparse QUBO",
    .summary = "QUBO lists `n m`, `i j q` of Beasley and BiqMac (binary)",
    .suffixes = "sparse",
    .options = qubo_sparse_options,
    .size = sizeof(struct qubo_sparse_options),
    .sniff = qubo_sparse_sniff,
    .read = qubo_sparse_read,
    .write = qubo_sparse_write,
    .tested = qubo_sparse_tested,
};
