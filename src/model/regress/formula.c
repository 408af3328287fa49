/* formula.c - parses which columns of a table explain which. */
#include "model/regress/formula.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/caret.h"
#include "base/error.h"
#include "base/platform/platform.h"

/* A term in order of occurrence; the last sign of equal ones decides. */
struct found {
    hs_term term;
    int place; /* order in the formula */
    bool is_minus;
};

struct parser {
    const char *text, *at, *file;
    const char *const *names;
    int *order; /* owned: columns sorted by name */
    int count, response;
    struct found *found; /* owned, [room] */
    int founds, room;
    hiss_error *err; /* borrowed */
};

static hiss_status fail(struct parser *p, const char *where,
                        const char *expected)
{
    char quoted[HS_QUOTE_MAX];
    int column = (int)(where - p->text);

    if (*where)
        hs_fail(p->err, HISS_EARG, "formula, column %d: found '%s', %s",
                column + 1, hs_quote(quoted, where, strcspn(where, " +")),
                expected);
    else
        hs_fail(p->err, HISS_EARG, "formula, column %d: it ends here, %s",
                column + 1, expected);
    hs_caret_add(p->err, p->text, strlen(p->text), (size_t)column);
    return HISS_EARG;
}

static void pass_blanks(struct parser *p)
{
    while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r')
        p->at++;
}

/* Consumes that sign if it comes next. */
static bool takes(struct parser *p, char sign)
{
    pass_blanks(p);
    if (*p->at != sign)
        return false;
    p->at++;
    return true;
}

static int compare_names(const void *a, const void *b, void *names)
{
    const char *const *name = names;
    int i = *(const int *)a, j = *(const int *)b;
    int order = strcmp(name[i], name[j]);

    return order ? order : i - j;
}

static hiss_status sort_names(struct parser *p)
{
    p->order = hs_alloc_array((size_t)p->count, sizeof *p->order);
    if (!p->order)
        return hs_fail_memory(p->err);
    for (int c = 0; c < p->count; c++)
        p->order[c] = c;
    hs_platform_sort(p->order, (size_t)p->count, sizeof *p->order,
                     compare_names, (void *)(uintptr_t)p->names);
    return HISS_OK;
}

/* The column with that name, or -1; *twice if two columns have it. */
static int find_column(const struct parser *p, const char *name, bool *twice)
{
    int low = 0, high = p->count;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (strcmp(p->names[p->order[middle]], name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *twice = low + 1 < p->count && !strcmp(p->names[p->order[low]], name) &&
             !strcmp(p->names[p->order[low + 1]], name);
    return low < p->count && !strcmp(p->names[p->order[low]], name)
               ? p->order[low]
               : -1;
}

static hiss_status refuse_name(struct parser *p, const char *where,
                               const char *name, bool twice)
{
    const char **names = hs_alloc_array((size_t)p->count + 1, sizeof *names);
    char quoted[HS_QUOTE_MAX], hint[HISS_SUGGESTION_MAX];
    int column = (int)(where - p->text);

    if (!names)
        return hs_fail_memory(p->err);
    memcpy(names, p->names, (size_t)p->count * sizeof *names);
    hiss_suggestion(hint, name, names, "'", "'");
    hs_free(names);
    hs_quote(quoted, name, strlen(name));
    if (twice)
        hs_fail(p->err, HISS_EARG,
                "formula, column %d: %s has two columns '%s'; rename one",
                column + 1, p->file, quoted);
    else
        hs_fail(p->err, HISS_EARG,
                "formula, column %d: %s has no column '%s'%s", column + 1,
                p->file, quoted, hint);
    hs_caret_add(p->err, p->text, strlen(p->text), (size_t)column);
    return HISS_EARG;
}

/* Reads a name, in backquotes or without signs, as a column. */
static hiss_status read_name(struct parser *p, int *column)
{
    const char *begin, *where;
    size_t length;
    bool twice;
    char *name;

    pass_blanks(p);
    where = begin = p->at;
    if (*begin == '`') {
        begin++;
        length = strcspn(begin, "`");
        if (!begin[length])
            return fail(p, where, "expected a second ` behind the name");
        p->at = begin + length + 1;
    } else {
        length = strcspn(begin, " \t\r\n+-*:~^|()`,");
        p->at = begin + length;
    }
    if (length == 0)
        return fail(p, where, "expected the name of a column");
    name = hs_strndup(begin, length);
    if (!name)
        return hs_fail_memory(p->err);
    *column = find_column(p, name, &twice);
    if (*column < 0 || twice) {
        hiss_status rc = refuse_name(p, where, name, twice);

        hs_free(name);
        return rc;
    }
    hs_free(name);
    return HISS_OK;
}

static hiss_status add(struct parser *p, hs_term term, bool is_minus)
{
    if (p->founds == HS_TERMS_MAX)
        return hs_fail(p->err, HISS_ELIMIT,
                       "the formula has more than %d terms", HS_TERMS_MAX);
    if (p->founds == p->room) {
        int room = p->room ? 2 * p->room : 64;
        struct found *more = hs_realloc_array(p->found, (size_t)p->room,
                                              (size_t)room, sizeof *more);

        if (!more)
            return hs_fail_memory(p->err);
        p->found = more;
        p->room = room;
    }
    p->found[p->founds] = (struct found){term, p->founds, is_minus};
    p->founds++;
    return HISS_OK;
}

static const hs_term no_term = {{-1, -1, -1, -1}};

/* Inserts a column; false if the product is full. */
static bool multiply(hs_term *t, int column)
{
    int k = HS_TERM_ORDER - 1;

    if (t->at[k] >= 0)
        return false;
    for (; k > 0 && (t->at[k - 1] < 0 || t->at[k - 1] > column); k--)
        t->at[k] = t->at[k - 1];
    t->at[k] = column;
    return true;
}

static hiss_status read_product(struct parser *p, hs_term *out)
{
    *out = no_term;
    do {
        const char *where;
        int column;

        pass_blanks(p);
        where = p->at;
        HS_TRY(read_name(p, &column));
        if (column == p->response)
            return fail(p, where, "expected another column than the response");
        if (!multiply(out, column))
            return fail(p, where, "expected at most 4 columns in a product");
    } while (takes(p, ':'));
    return HISS_OK;
}

/* `.` and `.^2` */
static hiss_status read_all(struct parser *p, bool is_minus)
{
    bool pairs = false;

    if (takes(p, '^')) {
        pass_blanks(p);
        if (*p->at != '2')
            return fail(p, p->at, "expected 2: all pairs of columns");
        p->at++;
        pairs = true;
    }
    for (int a = 0; a < p->count; a++)
        if (a != p->response)
            HS_TRY(add(p, (hs_term){{a, -1, -1, -1}}, is_minus));
    for (int a = 0; pairs && a < p->count; a++)
        for (int b = a + 1; a != p->response && b < p->count; b++)
            if (b != p->response)
                HS_TRY(add(p, (hs_term){{a, b, -1, -1}}, is_minus));
    return HISS_OK;
}

/* `a * b` gives a, b and a:b; a third factor multiplies all of them. */
static hiss_status read_crossing(struct parser *p, bool is_minus)
{
    int first = p->founds;
    hs_term t;

    HS_TRY(read_product(p, &t));
    HS_TRY(add(p, t, is_minus));
    while (takes(p, '*')) {
        int last = p->founds;

        HS_TRY(read_product(p, &t));
        HS_TRY(add(p, t, is_minus));
        for (int n = first; n < last; n++) {
            hs_term both = p->found[n].term;

            for (int k = 0; k < HS_TERM_ORDER && t.at[k] >= 0; k++)
                if (!multiply(&both, t.at[k]))
                    return fail(p, p->at,
                                "expected at most 4 columns in a product");
            HS_TRY(add(p, both, is_minus));
        }
    }
    return HISS_OK;
}

static bool is_alone(const char *at, char c)
{
    return *at == c && strchr(" \t\r\n+-^", at[1]); /* also matches the end */
}

static hiss_status read_term(struct parser *p, bool is_minus)
{
    bool twice;

    pass_blanks(p);
    if (is_alone(p->at, '1') && find_column(p, "1", &twice) < 0) {
        if (is_minus)
            return fail(p, p->at, "but every model has an intercept here");
        p->at++;
        return HISS_OK;
    }
    if (is_alone(p->at, '.')) {
        p->at++;
        return read_all(p, is_minus);
    }
    return read_crossing(p, is_minus);
}

static hiss_status read_terms(struct parser *p)
{
    bool is_minus = takes(p, '-');

    for (;;) {
        HS_TRY(read_term(p, is_minus));
        if (takes(p, '+'))
            is_minus = false;
        else if (takes(p, '-'))
            is_minus = true;
        else
            break;
    }
    pass_blanks(p);
    return *p->at ? fail(p, p->at, "expected +, -, : or *") : HISS_OK;
}

static int compare_terms(const void *a, const void *b)
{
    const struct found *s = a, *t = b;
    int order = memcmp(&s->term, &t->term, sizeof s->term);

    return order ? order : s->place - t->place;
}

static int compare_places(const void *a, const void *b)
{
    return ((const struct found *)a)->place - ((const struct found *)b)->place;
}

/* Keeps each term once, at its first place, unless its last sign is minus. */
static void merge_terms(struct parser *p)
{
    int kept = 0;

    qsort(p->found, (size_t)p->founds, sizeof *p->found, compare_terms);
    for (int n = 0, next; n < p->founds; n = next) {
        for (next = n + 1; next < p->founds; next++)
            if (memcmp(&p->found[n].term, &p->found[next].term,
                       sizeof p->found[n].term) != 0)
                break;
        if (!p->found[next - 1].is_minus)
            p->found[kept++] = p->found[n];
    }
    p->founds = kept;
    qsort(p->found, (size_t)kept, sizeof *p->found, compare_places);
}

static hiss_status take(hs_formula *out, struct parser *p)
{
    merge_terms(p);
    if (p->founds == 0)
        return fail(p, p->at, "expected at least one term that explains");
    out->response = p->response;
    out->term = hs_alloc_array((size_t)p->founds, sizeof *out->term);
    if (!out->term)
        return hs_fail_memory(p->err);
    out->count = p->founds;
    for (int n = 0; n < p->founds; n++)
        out->term[n] = p->found[n].term;
    return HISS_OK;
}

hiss_status hs_formula_parse(hs_formula *out, const char *text,
                             const char *const *names, int count,
                             const char *file, hiss_error *err)
{
    struct parser p = {.text = text,
                       .at = text,
                       .file = file,
                       .names = names,
                       .count = count,
                       .response = -1,
                       .err = err};
    hiss_status rc;

    *out = (hs_formula){0};
    rc = sort_names(&p);
    if (rc == HISS_OK)
        rc = read_name(&p, &p.response);
    if (rc == HISS_OK && !takes(&p, '~'))
        rc = fail(&p, p.at, "expected ~ behind the response, as in 'y ~ .'");
    if (rc == HISS_OK)
        rc = read_terms(&p);
    if (rc == HISS_OK)
        rc = take(out, &p);
    hs_free(p.order);
    hs_free(p.found);
    return rc;
}

void hs_formula_clear(hs_formula *f)
{
    hs_free(f->term);
    *f = (hs_formula){0};
}
