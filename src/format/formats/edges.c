/* edges.c - plain lists of couplings, whose sign the user must give.
 *
 *     n m            perhaps: spins from 1 to n, m lines follow
 *     i j J          or `i j` with J = 1; separated by white space or commas
 *     i i h          a field
 * With sign=attract log p = +sum J s_i s_j + sum h_i s_i (H = -sum J s_i s_j -
 * sum h_i s_i, as physicists write it), with sign=repel log p is minus that
 * sum. The file does not say which, so hiss refuses it without the option. The
 * first line may name the columns. */
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/caret.h"
#include "base/grammar/fields.h"
#include "base/grammar/words.h"
#include "base/number.h"
#include "format/format.h"
#include "format/parts/lines.h"
#include "format/parts/sniff.h"
#include "format/problem/terms.h"

enum {
    ASK,
    ATTRACT,
    REPEL
};
enum {
    FIELDS = 3
};

struct edges_options {
    int sign;
    int values; /* 0 spin, 1 binary */
};

#define AT(field) offsetof(struct edges_options, field)
static const hs_option edges_options[] = {
    {"sign", HS_CHOICE, AT(sign), "ask", "ask|attract|repel",
     "attract: J > 0 favors equal values, log p = +sum J s s; repel: -sum J s "
     "s; must be given"},
    {"values", HS_CHOICE, AT(values), "spin", "spin|binary",
     "whether s is -1 or 1, or 0 or 1"},
    {0},
};

/* Whether a line is three numbers, the first two whole. */
static bool is_coupling(hs_span line)
{
    char text[96], *field[FIELDS];
    double value;
    int64_t whole;

    if (!line.at || line.length >= sizeof text)
        return false;
    memcpy(text, line.at, line.length);
    text[line.length] = '\0';
    text[strcspn(text, "#%")] = '\0';
    return hs_fields_split(text, field, FIELDS) == FIELDS &&
           hs_number_whole(field[0], field[0] + strlen(field[0]), &whole) &&
           hs_number_whole(field[1], field[1] + strlen(field[1]), &whole) &&
           hs_number_real(field[2], &value);
}

/* Whether a line is a heading such as i,j,J. */
static bool is_heading(hs_span line)
{
    char text[96], *field[FIELDS];
    double value;

    if (!line.at || line.length >= sizeof text)
        return false;
    memcpy(text, line.at, line.length);
    text[line.length] = '\0';
    return hs_fields_split(text, field, FIELDS) == FIELDS &&
           !hs_number_real(field[0], &value) &&
           !hs_number_real(field[1], &value) &&
           !hs_number_real(field[2], &value);
}

static int edges_sniff(const char *head, size_t length)
{
    hs_span first = hs_sniff_line(head, length, "#%", 0);

    if (is_coupling(first))
        return 45;
    return is_heading(first) &&
                   is_coupling(hs_sniff_line(head, length, "#%", 1))
               ? 45
               : 0;
}

/* The lines read before it is known whether line 1 is `n m`. */
struct list {
    hs_words nodes;
    hs_terms terms; /* numbers of the nodes */
    int64_t lines;  /* without the heading */
    bool has_pair;  /* line 1 has two whole numbers: */
    int64_t pair[2];
};

static hiss_status fail_sign(hs_reader *in, hiss_error *err)
{
    hs_place where = hs_reader_place(in);

    return hs_reader_fail(
        in, &where, err,
        "this list of couplings i j J does not say its sign. If J > 0 favors "
        "equal spins (log p = +sum J s_i s_j, H = -sum J s_i s_j): --format "
        "'edges(sign=attract)'. If J > 0 favors opposite spins (log p = -sum J "
        "s_i s_j, dimod's energy): --format 'edges(sign=repel)'");
}

static hiss_status add_line(struct list *l, hs_reader *in, char *const *field,
                            int fields, hiss_error *err)
{
    char quote[HS_QUOTE_MAX];
    double value = 1.0;
    int i = 0, j = 0;

    if (fields == FIELDS &&
        (!hs_number_real(field[2], &value) || !(fabs(value) <= HS_WEIGHT_MAX)))
        return hs_reader_fail(in, NULL, err,
                              "the coupling is '%s', expected a finite number",
                              hs_quote(quote, field[2], strlen(field[2])));
    HS_TRY(hs_words_add(&l->nodes, field[0], &i, NULL, err));
    HS_TRY(hs_words_add(&l->nodes, field[1], &j, NULL, err));
    return hs_terms_add(&l->terms, i, j, value, err);
}

static hiss_status read_line(struct list *l, hs_reader *in, char *text,
                             hiss_error *err)
{
    char *field[FIELDS] = {0};
    const char *line;
    int fields;

    HS_TRY(hs_reader_line(in, &line, err));
    if (l->lines == 0 && l->terms.count == 0 &&
        is_heading((hs_span){line, strlen(line)}))
        return HISS_OK;
    memcpy(text, line, strlen(line) + 1);
    fields = hs_fields_split(text, field, FIELDS);
    if (fields < 2 || fields > FIELDS || !*field[0] || !*field[1])
        return hs_reader_fail(in, NULL, err,
                              "expected two variables and a coupling");
    if (l->lines++ == 0 && fields == 2 &&
        hs_number_whole(field[0], field[0] + strlen(field[0]), &l->pair[0]) &&
        hs_number_whole(field[1], field[1] + strlen(field[1]), &l->pair[1])) {
        l->has_pair = true;
        return HISS_OK;
    }
    return add_line(l, in, field, fields, err);
}

static hiss_status read_lines(struct list *l, hs_reader *in, hiss_error *err)
{
    char *text = hs_alloc_array(HS_READER_TEXT_MAX + 1, 1);
    hiss_status rc = text ? HISS_OK : hs_fail_memory(err);

    while (rc == HISS_OK && !hs_reader_at_end(in))
        rc = read_line(l, in, text, err);
    hs_free(text);
    if (rc == HISS_OK && l->lines == 0)
        rc = hs_reader_fail(in, NULL, err, "the file has no couplings");
    return rc;
}

/* A first line `i j` that is not the count of the others is a coupling of 1. */
static hiss_status add_pair(struct list *l, hs_reader *in, hiss_error *err)
{
    char first[24], second[24], *field[2] = {first, second};

    if (!l->has_pair || l->pair[1] == l->lines - 1)
        return HISS_OK;
    l->has_pair = false;
    snprintf(first, sizeof first, "%lld", (long long)l->pair[0]);
    snprintf(second, sizeof second, "%lld", (long long)l->pair[1]);
    return add_line(l, in, field, 2, err);
}

/* Reads the name of each node as a number; false if one is not. */
static bool take_numbers(const struct list *l, int *number)
{
    for (int k = 0; k < l->nodes.count; k++) {
        const char *name = l->nodes.at[k];
        int64_t value;

        if (!hs_number_whole(name, name + strlen(name), &value) || value < 0 ||
            value >= INT_MAX)
            return false;
        number[k] = (int)value;
    }
    return true;
}

static void renumber(struct list *l, const int *number)
{
    for (int64_t e = 0; e < l->terms.count; e++) {
        int i = number[l->terms.row[e]], j = number[l->terms.column[e]];

        l->terms.row[e] = i < j ? i : j;
        l->terms.column[e] = i < j ? j : i;
    }
}

/* Variables 1 to n, as announced by a line `n m`. */
static hiss_status finish_counted(struct list *l, hs_reader *in, int *number,
                                  hs_problem *out, hiss_error *err)
{
    int64_t dim = l->pair[0], size = hs_reader_size(in);

    if (dim < 1 || dim > INT_MAX - 1 || (dim > size && dim > HS_FREE_VARIABLES))
        return hs_fail(err, HISS_EPARSE,
                       "%s:1:1: %lld variables are announced, more than a file "
                       "of this size can mean",
                       hs_reader_name(in), (long long)dim);
    for (int k = 0; k < l->nodes.count; k++)
        if (number[k] < 1 || number[k] > dim)
            return hs_fail(err, HISS_EPARSE,
                           "%s: found variable %d, line 1 announces 1 to %lld",
                           hs_reader_name(in), number[k], (long long)dim);
    for (int k = 0; k < l->nodes.count; k++)
        number[k]--;
    renumber(l, number);
    return hs_terms_finish(&l->terms, out, (int)dim, 1, err);
}

static hiss_status finish(struct list *l, hs_reader *in, hs_problem *out,
                          hiss_error *err)
{
    int *number = hs_alloc_array((size_t)l->nodes.count, sizeof *number);
    hiss_status rc;

    if (!number)
        return hs_fail_memory(err);
    if (!take_numbers(l, number)) {
        out->dim = l->nodes.count;
        out->names = hs_strings_copy(l->nodes.at, l->nodes.count);
        rc = out->names ? hs_terms_finish(&l->terms, out, out->dim, 0, err)
                        : hs_fail_memory(err);
    } else if (l->has_pair) {
        rc = finish_counted(l, in, number, out, err);
    } else {
        renumber(l, number);
        rc = hs_terms_finish_named(&l->terms, out, err);
    }
    hs_free(number);
    return rc;
}

static hiss_status say(const struct edges_options *o, hs_problem *out,
                       hiss_error *err)
{
    const char *s = o->values ? "x" : "s";

    return hs_problem_assume(out, err, "log p = %ssum J %s_i %s_j (J > 0 %s%s)",
                             o->sign == ATTRACT ? "" : "-", s, s,
                             o->sign == ATTRACT ? "attracts" : "repels",
                             o->values ? ", x in {0,1}" : "");
}

static hiss_status edges_read(hs_problem *out, hs_reader *in,
                              const void *options, hiss_error *err)
{
    const struct edges_options *o = options;
    struct list l = {0};
    hiss_status rc;

    hs_reader_comments(in, NULL, "#%");
    if (o->sign == ASK)
        return fail_sign(in, err);
    rc = read_lines(&l, in, err);
    if (rc == HISS_OK)
        rc = add_pair(&l, in, err);
    if (rc == HISS_OK)
        rc = say(o, out, err);
    out->quadratic.kind = o->values ? HISS_BINARY : HISS_SPIN;
    out->quadratic.maximize = o->sign == ATTRACT;
    out->objective = "energy";
    out->scale = -1.0;
    if (rc == HISS_OK)
        rc = finish(&l, in, out, err);
    hs_entries_clear(&l.terms);
    hs_words_clear(&l.nodes);
    return rc;
}

static void write_line(FILE *to, int i, int j, double value)
{
    fprintf(to, "%d %d ", i, j);
    hs_lines_print(to, value);
    fputc('\n', to);
}

static hiss_status edges_write(const hs_problem *p, FILE *to,
                               const void *options, hiss_error *err)
{
    const struct edges_options *o = options;
    const hs_quadratic_problem *q;
    hs_problem same;

    if (o->sign == ASK)
        return hs_fail(err, HISS_EUNSUP,
                       "its sign must be said: --to 'edges(sign=attract)' or "
                       "'edges(sign=repel)'");
    HS_TRY(hs_problem_to_quadratic(&same, p,
                                   o->values ? HISS_BINARY : HISS_SPIN,
                                   o->sign == ATTRACT, err));
    q = &same.quadratic;
    /* every variable, also those without couplings */
    for (int i = 0; i < same.dim; i++)
        write_line(to, i, i, q->linear[i]);
    for (int64_t e = 0; e < q->pairs; e++)
        write_line(to, q->row[e], q->column[e], q->value[e]);
    hs_problem_clear(&same);
    return HISS_OK;
}

static const char *const edges_tested[] = {
    "written by networkx 3.6.1 (tests/data/networkx)",
    NULL,
};

const hs_format hs_format_edges = {
    .name = "edges",
    .title = "list of couplings",
    .summary = "plain lists i j J, whose sign must be said (spin or binary)",
    .suffixes = "edges",
    .options = edges_options,
    .size = sizeof(struct edges_options),
    .sniff = edges_sniff,
    .read = edges_read,
    .write = edges_write,
    .tested = edges_tested,
};
