/* qubo.c - the .qubo files of qbsolv.
 *
 *     c a comment
 *     p qubo TOPOLOGY variables nodes couplers
 *     i i v          `nodes` lines, indices from 0
 *     i j v          `couplers` lines
 * E = sum v x_i x_j over both.  The topology is 0 or `unconstrained`; others
 * concern a machine and are ignored. qbsolv minimizes or maximizes by an option
 * that its files do not record, hence the option here. */
#include <stddef.h>
#include <string.h>

#include "base/caret.h"
#include "format/format.h"
#include "format/parts/lines.h"
#include "format/parts/sniff.h"
#include "format/problem/terms.h"

struct qubo_options {
    int sense; /* 0 min, 1 max */
};

static const hs_option qubo_options[] = {
    {"sense", HS_CHOICE, offsetof(struct qubo_options, sense), "min", "min|max",
     "whether the sum is a cost or a gain"},
    {0},
};

static int qubo_sniff(const char *head, size_t length)
{
    hs_span line = hs_sniff_line(head, length, "c", 0);

    return hs_sniff_is(hs_sniff_word(line, 0), "p") &&
                   hs_sniff_is(hs_sniff_word(line, 1), "qubo")
               ? 100
               : 0;
}

struct counts {
    int dim;
    int64_t nodes, couplers;
};

static hiss_status expect(hs_reader *in, const char *wanted, hiss_error *err)
{
    char quote[HS_QUOTE_MAX];
    const char *word;

    HS_TRY(hs_reader_word(in, &word, err));
    if (strcmp(word, wanted) == 0)
        return HISS_OK;
    return hs_reader_fail(in, NULL, err,
                          "found '%s', expected '%s' of the line 'p qubo 0 "
                          "variables nodes couplers'",
                          hs_quote(quote, word, strlen(word)), wanted);
}

static hiss_status read_sizes(hs_problem *out, hs_reader *in, struct counts *n,
                              hiss_error *err)
{
    char quote[HS_QUOTE_MAX];
    const char *topology;

    HS_TRY(expect(in, "p", err));
    HS_TRY(expect(in, "qubo", err));
    HS_TRY(hs_reader_word(in, &topology, err));
    if (strcmp(topology, "0") != 0 && strcmp(topology, "unconstrained") != 0)
        HS_TRY(hs_problem_remark(out, err, "topology '%s' was passed over",
                                 hs_quote(quote, topology, strlen(topology))));
    HS_TRY(hs_lines_within(in, "the number of variables", err));
    HS_TRY(hs_terms_read_dim(in, &n->dim, err));
    HS_TRY(hs_lines_within(in, "the number of nodes", err));
    HS_TRY(hs_reader_count(in, 0, INT64_MAX, 3, &n->nodes, err));
    HS_TRY(hs_lines_within(in, "the number of couplers", err));
    HS_TRY(hs_reader_count(in, 0, INT64_MAX, 3, &n->couplers, err));
    return hs_lines_end(in, err);
}

static hiss_status read_entry(hs_reader *in, hs_terms *t,
                              const struct counts *n, int64_t *nodes,
                              hiss_error *err)
{
    double value;
    int i, j;

    HS_TRY(hs_reader_int(in, 0, n->dim - 1, &i, err));
    HS_TRY(hs_lines_within(in, "a second index", err));
    HS_TRY(hs_reader_int(in, 0, n->dim - 1, &j, err));
    *nodes += i == j;
    if (*nodes > n->nodes || t->count + 1 - *nodes > n->couplers)
        return hs_reader_fail(in, NULL, err,
                              "one %s more than the %lld that were announced",
                              i == j ? "node" : "coupler",
                              (long long)(i == j ? n->nodes : n->couplers));
    HS_TRY(hs_lines_within(in, "a value", err));
    HS_TRY(hs_terms_read_value(in, &value, err));
    HS_TRY(hs_lines_end(in, err));
    return hs_terms_add(t, i, j, value, err);
}

static hiss_status read_entries(hs_problem *out, hs_reader *in, hs_terms *t,
                                struct counts *n, hiss_error *err)
{
    int64_t nodes = 0, all;

    hs_reader_comments(in, "c", NULL);
    HS_TRY(read_sizes(out, in, n, err));
    all = n->nodes + n->couplers;
    HS_TRY(hs_entries_reserve(t, all, err));
    for (int64_t e = 0; e < all; e++) {
        HS_TRY(hs_lines_more(in, e, all, "nodes and couplers", err));
        HS_TRY(read_entry(in, t, n, &nodes, err));
    }
    return hs_lines_done(in, all, "nodes and couplers", err);
}

static hiss_status qubo_read(hs_problem *out, hs_reader *in,
                             const void *options, hiss_error *err)
{
    const struct qubo_options *o = options;
    struct counts n = {0};
    hs_terms terms = {0};
    hiss_status rc = read_entries(out, in, &terms, &n, err);

    if (rc == HISS_OK && o->sense)
        rc = hs_problem_assume(out, err,
                               "log p = sum Q_ij x_i x_j, maximized (Q > 0 "
                               "favors x_i = x_j = 1)");
    else if (rc == HISS_OK)
        rc = hs_problem_assume(out, err,
                               "log p = -E, E = sum Q_ij x_i x_j (Q > 0 "
                               "disfavors x_i = x_j = 1). Other readings: "
                               "--format 'qubo(sense=max)'");
    if (rc != HISS_OK) {
        hs_entries_clear(&terms);
        return rc;
    }
    out->quadratic.kind = HISS_BINARY;
    out->quadratic.maximize = o->sense == 1;
    out->objective = o->sense ? "value" : "energy";
    out->scale = o->sense ? 1.0 : -1.0;
    return hs_terms_finish(&terms, out, n.dim, 0, err);
}

static hiss_status qubo_write(const hs_problem *p, FILE *to,
                              const void *options, hiss_error *err)
{
    const struct qubo_options *o = options;
    const hs_quadratic_problem *q;
    hs_problem bits;
    int nodes = 0;

    HS_TRY(hs_problem_to_quadratic(&bits, p, HISS_BINARY, o->sense == 1, err));
    q = &bits.quadratic;
    for (int i = 0; i < bits.dim; i++)
        nodes += q->linear[i] != 0.0;
    fprintf(to, "p qubo 0 %d %d %lld\n", bits.dim, nodes, (long long)q->pairs);
    for (int i = 0; i < bits.dim; i++) {
        if (q->linear[i] == 0.0)
            continue;
        fprintf(to, "%d %d ", i, i);
        hs_lines_print(to, q->linear[i]);
        fputc('\n', to);
    }
    for (int64_t e = 0; e < q->pairs; e++) {
        fprintf(to, "%d %d ", q->row[e], q->column[e]);
        hs_lines_print(to, q->value[e]);
        fputc('\n', to);
    }
    hs_problem_clear(&bits);
    return HISS_OK;
}

static const char *const qubo_tested[] = {
    "qbsolv tests/qubos/smallestTest.qubo",
    "qbsolv tests/qubos/bqp50_1.qubo (sense=max: 2098)",
    NULL,
};

const hs_format hs_format_qubo = {
    .name = "qubo",
    .title = "qbsolv QUBO",
    .summary = "QUBO files of qbsolv; log p = -E unless sense=max (binary)",
    .suffixes = "qubo",
    .options = qubo_options,
    .size = sizeof(struct qubo_options),
    .sniff = qubo_sniff,
    .read = qubo_read,
    .write = qubo_write,
    .tested = qubo_tested,
};
