/* coo.c - the coordinate lists of dimod.
 *
 *     # vartype=SPIN                or BINARY
 *     i i bias
 *     i j bias
 * E = sum of biases times x_i or x_i x_j, to be minimized.  The variables are
 * the numbers that occur.  Numbers are read with exponents but written without,
 * because dimod cannot read them.  An isolated variable is written as `i i
 * 0`. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/caret.h"
#include "base/number.h"
#include "format/format.h"
#include "format/parts/lines.h"
#include "format/parts/sniff.h"
#include "format/problem/terms.h"

enum {
    AUTO,
    SPIN,
    BINARY
};

struct coo_options {
    int vartype;
};

static const hs_option coo_options[] = {
    {"vartype", HS_CHOICE, offsetof(struct coo_options, vartype), "auto",
     "auto|spin|binary", "auto: as the file says"},
    {0},
};

static int coo_sniff(const char *head, size_t length)
{
    hs_span line = hs_sniff_line(head, length, "", 0);

    for (int n = 1; n < 64 && line.at && line.at[0] == '#'; n++) {
        if (memmem(line.at, line.length, "vartype", 7))
            return 100;
        line = hs_sniff_line(head, length, "", n);
    }
    return 0; /* a list without a header is for edges.c */
}

/* Reads `# ... vartype=SPIN` or `vartype: BINARY`; ignores other comments. */
static hiss_status read_comment(hs_reader *in, const char *comment,
                                int *vartype, hiss_error *err)
{
    const char *at = strstr(comment, "vartype");
    char quote[HS_QUOTE_MAX];
    size_t length;
    int found;

    if (!at || (at[7] != '=' && at[7] != ':'))
        return HISS_OK;
    at += 8;
    at += strspn(at, " \t");
    length = strcspn(at, " \t");
    if (length == 4 && strncmp(at, "SPIN", 4) == 0)
        found = SPIN;
    else if (length == 6 && strncmp(at, "BINARY", 6) == 0)
        found = BINARY;
    else
        return hs_reader_fail(in, NULL, err,
                              "found vartype '%s', expected SPIN or BINARY",
                              hs_quote(quote, at, length));
    if (*vartype != AUTO && *vartype != found)
        return hs_reader_fail(in, NULL, err,
                              "the file says %s, but %s was said before",
                              found == SPIN ? "SPIN" : "BINARY",
                              found == SPIN ? "BINARY" : "SPIN");
    *vartype = found;
    return HISS_OK;
}

/* Reads the lines before the first entry, and its first word as *i. */
static hiss_status read_head(hs_reader *in, int *vartype, int64_t *i,
                             hiss_error *err)
{
    char comment[HS_COMMENT_MAX];
    const char *word = NULL;

    while (!word) {
        HS_TRY(hs_lines_word(in, '#', &word, comment, err));
        if (!word)
            HS_TRY(read_comment(in, comment, vartype, err));
    }
    HS_TRY(hs_lines_whole(in, word, 0, INT32_MAX - 1, i, err));
    if (*vartype != AUTO)
        return HISS_OK;
    return hs_reader_fail(in, NULL, err,
                          "no line '# vartype=SPIN' or '# vartype=BINARY' "
                          "before the first entry; --format "
                          "'coo(vartype=spin)' says which");
}

static hiss_status read_entries(hs_reader *in, hs_terms *t, int *vartype,
                                hiss_error *err)
{
    int64_t first;
    double value;
    int i, j;

    HS_TRY(read_head(in, vartype, &first, err));
    hs_reader_comments(in, NULL, "#");
    i = (int)first;
    for (;;) {
        HS_TRY(hs_lines_within(in, "a second index", err));
        HS_TRY(hs_reader_int(in, 0, INT32_MAX - 1, &j, err));
        HS_TRY(hs_lines_within(in, "a bias", err));
        HS_TRY(hs_terms_read_value(in, &value, err));
        HS_TRY(hs_lines_end(in, err));
        HS_TRY(hs_terms_add(t, i, j, value, err));
        if (hs_reader_at_end(in))
            return HISS_OK;
        HS_TRY(hs_reader_int(in, 0, INT32_MAX - 1, &i, err));
    }
}

static hiss_status coo_read(hs_problem *out, hs_reader *in, const void *options,
                            hiss_error *err)
{
    const struct coo_options *o = options;
    int vartype = o->vartype;
    hs_terms terms = {0};
    hiss_status rc = read_entries(in, &terms, &vartype, err);

    if (rc != HISS_OK) {
        hs_entries_clear(&terms);
        return rc;
    }
    out->quadratic.kind = vartype == SPIN ? HISS_SPIN : HISS_BINARY;
    out->quadratic.maximize = false;
    out->objective = "energy";
    out->scale = -1.0;
    return hs_terms_finish_named(&terms, out, err);
}

/* Whether the names are ascending whole numbers, the order in which the reader
 * puts them. */
static bool has_numbers(const hs_problem *p)
{
    int64_t last = -1, value;

    for (int i = 0; p->names && i < p->dim; i++) {
        const char *name = p->names[i];

        if (!hs_number_whole(name, name + strlen(name), &value) ||
            value <= last || value >= INT32_MAX)
            return false;
        last = value;
    }
    return p->names != NULL;
}

static void write_entry(FILE *to, const hs_problem *p, bool has_names, int i,
                        int j, double value)
{
    if (has_names)
        fprintf(to, "%s %s ", p->names[i], p->names[j]);
    else
        fprintf(to, "%d %d ", i, j);
    hs_lines_print_plain(to, value);
    fputc('\n', to);
}

static hiss_status coo_write(const hs_problem *p, FILE *to, const void *options,
                             hiss_error *err)
{
    const struct coo_options *o = options;
    const hs_quadratic_problem *q;
    hiss_kind kind = HISS_BINARY;
    bool has_names;
    uint8_t *is_bound;
    hs_problem problem;

    if (o->vartype == SPIN || (o->vartype == AUTO && p->shape == HS_QUADRATIC &&
                               p->quadratic.kind == HISS_SPIN))
        kind = HISS_SPIN;
    HS_TRY(hs_problem_to_quadratic(&problem, p, kind, false, err));
    q = &problem.quadratic;
    is_bound = hs_alloc_array((size_t)p->dim, 1);
    if (!is_bound) {
        hs_problem_clear(&problem);
        return hs_fail_memory(err);
    }
    has_names = has_numbers(&problem);
    fprintf(to, "# vartype=%s\n", kind == HISS_SPIN ? "SPIN" : "BINARY");
    for (int64_t e = 0; e < q->pairs; e++)
        is_bound[q->row[e]] = is_bound[q->column[e]] = 1;
    for (int i = 0; i < p->dim; i++)
        if (q->linear[i] != 0.0 || !is_bound[i])
            write_entry(to, &problem, has_names, i, i, q->linear[i]);
    for (int64_t e = 0; e < q->pairs; e++)
        write_entry(to, &problem, has_names, q->row[e], q->column[e],
                    q->value[e]);
    hs_free(is_bound);
    hs_problem_clear(&problem);
    return HISS_OK;
}

static const char *const coo_tested[] = {
    "written by dimod 0.12.23 (tests/data/dimod)",
    NULL,
};

const hs_format hs_format_coo = {
    .name = "coo",
    .title = "dimod COO",
    .summary = "coordinate lists of dimod; log p = -E (spin or binary)",
    .suffixes = "coo",
    .options = coo_options,
    .size = sizeof(struct coo_options),
    .sniff = coo_sniff,
    .read = coo_read,
    .write = coo_write,
    .tested = coo_tested,
};
