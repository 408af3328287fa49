/* mtx.c - Matrix Market files, coordinate form: the matrix A of
 *     as=ising    U =  1/2 s'As   over spins; the diagonal is a constant
 *     as=qubo     U = -x'Ax       over 0/1; the diagonal is linear
 *     as=maxcut   U = the cut of the graph with weights A
 * with the other sign if the option sense says so.  Only the symmetric part
 * counts. Files that hiss wrote have a comment `% hiss: as=...`, which `auto`
 * follows. Other files are Ising by default. */
#include <stddef.h>
#include <string.h>

#include "base/ascii.h"
#include "base/caret.h"
#include "format/format.h"
#include "format/parts/lines.h"
#include "format/parts/sniff.h"
#include "format/problem/terms.h"

enum {
    AUTO
};
enum {
    ISING = 1,
    QUBO,
    MAXCUT
};
enum {
    MIN = 1,
    MAX
};

struct mtx_options {
    int as;
    int sense;
};

#define AT(field) offsetof(struct mtx_options, field)
static const hs_option mtx_options[] = {
    {"as", HS_CHOICE, AT(as), "auto", "auto|ising|qubo|maxcut",
     "meaning of the matrix: Ising couplings, a QUBO or a MaxCut graph"},
    {"sense", HS_CHOICE, AT(sense), "auto", "auto|min|max",
     "auto: min for qubo, else max"},
    {0},
};

static const char *const as_words[] = {"auto", "ising", "qubo", "maxcut"};
static const char *const sense_words[] = {"auto", "min", "max"};

/* The matrix being read. */
struct matrix {
    struct mtx_options use;
    bool is_symmetric, is_pattern;
    int dim;
    double offset;
    int64_t loops;
};

static int mtx_sniff(const char *head, size_t length)
{
    static const char banner[] = "%%MatrixMarket";

    for (size_t i = 0; i < sizeof banner - 1; i++)
        if (i >= length || hs_lower(head[i]) != hs_lower(banner[i]))
            return 0;
    return 100;
}

/* Reads the next word of the banner, one of `words` in any case. */
static hiss_status read_choice(hs_reader *in, const char *const *words,
                               const char *expected, int *found,
                               hiss_error *err)
{
    char quote[HS_QUOTE_MAX];
    const char *word;

    HS_TRY(hs_lines_within(in, expected, err));
    HS_TRY(hs_reader_word(in, &word, err));
    for (*found = 0; words[*found]; ++*found)
        if (hs_is_same_word(word, words[*found]))
            return HISS_OK;
    return hs_reader_fail(in, NULL, err, "found '%s', expected %s",
                          hs_quote(quote, word, strlen(word)), expected);
}

/* %%MatrixMarket matrix coordinate real|integer|pattern general|symmetric */
static hiss_status read_banner(hs_reader *in, struct matrix *m, hiss_error *err)
{
    static const char *const first[] = {"%%MatrixMarket", NULL};
    static const char *const object[] = {"matrix", NULL};
    static const char *const form[] = {"coordinate", NULL};
    static const char *const field[] = {"real", "integer", "pattern", NULL};
    static const char *const symmetry[] = {"general", "symmetric", NULL};
    int found;

    HS_TRY(read_choice(in, first, "%%MatrixMarket", &found, err));
    HS_TRY(read_choice(in, object, "matrix", &found, err));
    HS_TRY(read_choice(in, form, "coordinate", &found, err));
    HS_TRY(read_choice(in, field, "real, integer or pattern", &found, err));
    m->is_pattern = found == 2;
    HS_TRY(read_choice(in, symmetry, "general or symmetric", &found, err));
    m->is_symmetric = found == 1;
    return hs_lines_end(in, err);
}

static int value_of(const char *comment, const char *key,
                    const char *const *words, int count)
{
    const char *at = strstr(comment, key);

    for (int k = 1; at && k < count; k++)
        if (strncmp(at + strlen(key), words[k], strlen(words[k])) == 0)
            return k;
    return AUTO;
}

/* "% hiss: as=qubo sense=min" */
static void read_comment(struct matrix *m, const char *comment)
{
    if (!strstr(comment, "hiss:"))
        return;
    if (m->use.as == AUTO)
        m->use.as = value_of(comment, "as=", as_words, 4);
    if (m->use.sense == AUTO)
        m->use.sense = value_of(comment, "sense=", sense_words, 3);
}

static hiss_status read_sizes(hs_reader *in, struct matrix *m, int64_t *entries,
                              hiss_error *err)
{
    char comment[HS_COMMENT_MAX];
    const char *word = NULL;
    int64_t rows;

    while (!word) {
        HS_TRY(hs_lines_word(in, '%', &word, comment, err));
        if (!word)
            read_comment(m, comment);
    }
    HS_TRY(hs_lines_whole(in, word, 1, INT32_MAX, &rows, err));
    HS_TRY(hs_lines_within(in, "the number of columns", err));
    HS_TRY(hs_terms_read_dim(in, &m->dim, err));
    if (rows != m->dim)
        return hs_reader_fail(in, NULL, err,
                              "the matrix has %lld rows and %d columns, "
                              "expected as many of both",
                              (long long)rows, m->dim);
    HS_TRY(hs_lines_within(in, "the number of entries", err));
    HS_TRY(
        hs_reader_count(in, 0, INT64_MAX, m->is_pattern ? 2 : 3, entries, err));
    return hs_lines_end(in, err);
}

/* Adds A_ij, and A_ji if it is implied, as terms of E. */
static hiss_status add_entry(struct matrix *m, hs_terms *t, int i, int j,
                             double a, hiss_error *err)
{
    double both = m->is_symmetric && i != j ? 2.0 : 1.0;

    if (m->use.as == QUBO)
        return hs_terms_add(t, i, j, both * a, err);
    if (i == j) {
        m->offset += m->use.as == ISING ? 0.5 * a : 0.0;
        m->loops++;
        return HISS_OK;
    }
    if (m->use.as == ISING)
        return hs_terms_add(t, i, j, 0.5 * both * a, err);
    m->offset += 0.25 * both * a; /* A_ij is half of the weight */
    return hs_terms_add(t, i, j, -0.25 * both * a, err);
}

static hiss_status read_entry(hs_reader *in, struct matrix *m, hs_terms *t,
                              hiss_error *err)
{
    double a = 1.0;
    int i, j;

    HS_TRY(hs_reader_int(in, 1, m->dim, &i, err));
    HS_TRY(hs_lines_within(in, "a column", err));
    HS_TRY(hs_reader_int(in, 1, m->is_symmetric ? i : m->dim, &j, err));
    if (!m->is_pattern) {
        HS_TRY(hs_lines_within(in, "a value", err));
        HS_TRY(hs_terms_read_value(in, &a, err));
    }
    HS_TRY(hs_lines_end(in, err));
    return add_entry(m, t, i - 1, j - 1, a, err);
}

static hiss_status read_matrix(hs_reader *in, struct matrix *m, hs_terms *t,
                               hiss_error *err)
{
    int64_t entries;

    HS_TRY(read_banner(in, m, err));
    HS_TRY(read_sizes(in, m, &entries, err));
    if (m->use.as == AUTO)
        m->use.as = ISING;
    if (m->use.sense == AUTO)
        m->use.sense = m->use.as == QUBO ? MIN : MAX;
    hs_reader_comments(in, "%", NULL);
    HS_TRY(hs_entries_reserve(t, entries, err));
    for (int64_t e = 0; e < entries; e++) {
        HS_TRY(hs_lines_more(in, e, entries, "entries", err));
        HS_TRY(read_entry(in, m, t, err));
    }
    return hs_lines_done(in, entries, "entries", err);
}

static hiss_status say(hs_problem *out, const struct matrix *m, hiss_error *err)
{
    static const char *const what[] = {"", "1/2 s'As", "x'Ax", "cut"};
    static const char *const effects[][2] = {
        {"", ""},
        {"repels", "attracts"},
        {"disfavors x_i = x_j = 1", "favors x_i = x_j = 1"},
        {"attracts", "repels"},
    };
    static const char *const others[] = {"", "mtx(as=maxcut)", "mtx(as=ising)",
                                         "mtx(as=ising)"};
    bool is_max = m->use.sense == MAX;

    HS_TRY(hs_problem_assume(
        out, err, "log p = %s%s (A_ij > 0 %s). Other readings: --format '%s'",
        is_max ? "" : "-", what[m->use.as], effects[m->use.as][is_max],
        others[m->use.as]));
    if (m->use.as == MAXCUT && m->loops > 0)
        return hs_problem_remark(out, err,
                                 "%lld entries on the diagonal were passed "
                                 "over",
                                 (long long)m->loops);
    return HISS_OK;
}

static hiss_status mtx_read(hs_problem *out, hs_reader *in, const void *options,
                            hiss_error *err)
{
    static const char *const objective[] = {NULL, "energy", "energy", "cut"};
    struct matrix m = {.use = *(const struct mtx_options *)options};
    hs_quadratic_problem *q = &out->quadratic;
    hs_terms terms = {0};
    hiss_status rc = read_matrix(in, &m, &terms, err);

    if (rc == HISS_OK)
        rc = say(out, &m, err);
    if (rc != HISS_OK) {
        hs_entries_clear(&terms);
        return rc;
    }
    q->kind = m.use.as == QUBO ? HISS_BINARY : HISS_SPIN;
    q->maximize = m.use.sense == MAX;
    q->offset = m.offset;
    out->objective = objective[m.use.as];
    out->scale = m.use.as != ISING && q->maximize ? 1.0 : -1.0;
    if (m.use.as == QUBO && q->maximize)
        out->objective = "value";
    return hs_terms_finish(&terms, out, m.dim, 1, err);
}

static void write_entries(FILE *to, const hs_problem *p, int as)
{
    static const double share[] = {0.0, 1.0, 0.5, -2.0};
    const hs_quadratic_problem *q = &p->quadratic;
    int64_t entries = q->pairs;

    for (int i = 0; as == QUBO && i < p->dim; i++)
        entries += q->linear[i] != 0.0;
    fprintf(to, "%d %d %lld\n", p->dim, p->dim, (long long)entries);
    for (int i = 0; as == QUBO && i < p->dim; i++) {
        if (q->linear[i] == 0.0)
            continue;
        fprintf(to, "%d %d ", i + 1, i + 1);
        hs_lines_print(to, q->linear[i]);
        fputc('\n', to);
    }
    for (int64_t e = 0; e < q->pairs; e++) { /* the lower triangle */
        fprintf(to, "%d %d ", q->column[e] + 1, q->row[e] + 1);
        hs_lines_print(to, share[as] * q->value[e]);
        fputc('\n', to);
    }
}

/* The form that `auto` writes: Ising if there is no field. */
static int natural_form(const hs_problem *p)
{
    const hs_quadratic_problem *q = &p->quadratic;

    if (p->shape != HS_QUADRATIC || q->kind != HISS_SPIN)
        return QUBO;
    for (int i = 0; i < p->dim; i++)
        if (q->linear[i] != 0.0)
            return QUBO;
    return ISING;
}

static hiss_status mtx_write(const hs_problem *p, FILE *to, const void *options,
                             hiss_error *err)
{
    struct mtx_options use = *(const struct mtx_options *)options;
    hs_problem problem;
    hiss_status rc = HISS_OK;

    if (use.as == AUTO)
        use.as = natural_form(p);
    if (use.sense == AUTO)
        use.sense = use.as == QUBO ? MIN : MAX;
    HS_TRY(hs_problem_to_quadratic(&problem, p,
                                   use.as == QUBO ? HISS_BINARY : HISS_SPIN,
                                   use.sense == MAX, err));
    if (use.as != QUBO)
        rc = hs_terms_refuse_field(&problem, err);
    if (rc == HISS_OK) {
        fprintf(to, "%%%%MatrixMarket matrix coordinate real symmetric\n");
        fprintf(to, "%% hiss: as=%s sense=%s\n", as_words[use.as],
                sense_words[use.sense]);
        write_entries(to, &problem, use.as);
    }
    hs_problem_clear(&problem);
    return rc;
}

static const char *const mtx_tested[] = {
    "written by scipy 1.17.1 mmwrite (tests/data/scipy)",
    NULL,
};

const hs_format hs_format_mtx = {
    .name = "mtx",
    .title = "Matrix Market",
    .summary = "Matrix Market, coordinate: couplings, QUBO or graph",
    .suffixes = "mtx",
    .options = mtx_options,
    .size = sizeof(struct mtx_options),
    .sniff = mtx_sniff,
    .read = mtx_read,
    .write = mtx_write,
    .tested = mtx_tested,
};
