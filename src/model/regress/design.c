/* design.c - the data of a regression.
 *
 * It stores only the columns that the formula uses, row by row while the number
 * of rows is unknown.  Products of columns are computed at the end. */
#include "model/regress/design.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/caret.h"
#include "base/error.h"
#include "base/number.h"
#include "base/read/csv.h"
#include "base/text.h"
#include "model/regress/formula.h"

#define VALUE_MAX 1e60 /* products of four stay finite */

/* A standard deviation below this part of the mean is rounding. */
#define CONSTANT 1e-11

struct table {
    hs_csv *in; /* owned */
    const char *path;
    int columns;
    char **heading; /* owned, [columns] */
    hs_formula formula;
    int *slot;   /* owned, [columns]: its index in a row, or -1 if unused */
    int *column; /* owned, [slots] */
    int slots, rows, room;
    double *cell; /* owned, [room][slots] */
};

static hiss_status read_header(struct table *t, hiss_error *err)
{
    int columns;

    HS_TRY(hs_csv_row(t->in, &columns, err));
    if (columns == 0)
        return hs_fail(err, HISS_EPARSE,
                       "%s:1:1: the file is empty, expected a header", t->path);
    t->heading = hs_alloc_array((size_t)columns, sizeof *t->heading);
    if (!t->heading)
        return hs_fail_memory(err);
    t->columns = columns;
    for (int c = 0; c < columns; c++) {
        t->heading[c] = hs_strdup(hs_csv_text(t->in, c));
        if (!t->heading[c])
            return hs_fail_memory(err);
    }
    return HISS_OK;
}

/* In data without a header the first row would be lost silently. */
static hiss_status check_header(struct table *t, hiss_error *err)
{
    if (t->columns == 1 && strpbrk(t->heading[0], ";\t"))
        return hs_csv_fail(t->in, 0, err,
                           "there is no comma in the header; separate the "
                           "columns by commas");
    for (int c = 0; c < t->columns; c++) {
        double value;

        if (*t->heading[c] && !hs_number_real(t->heading[c], &value))
            return HISS_OK;
    }
    return hs_csv_fail(t->in, 0, err,
                       "all names in the header are numbers or empty; the "
                       "first line must name the columns");
}

/* Row names, as R writes them, have no name in the header. */
static bool is_row_name(const struct table *t, int column)
{
    return !*t->heading[column];
}

static void want(struct table *t, int column)
{
    if (t->slot[column] >= 0)
        return;
    t->slot[column] = t->slots;
    t->column[t->slots++] = column;
}

static hiss_status drop_row_names(struct table *t, hiss_error *err)
{
    hs_formula *f = &t->formula;
    int kept = 0;

    for (int n = 0; n < f->count; n++) {
        bool is_named = true;

        for (int k = 0; k < HS_TERM_ORDER && f->term[n].at[k] >= 0; k++)
            is_named &= !is_row_name(t, f->term[n].at[k]);
        if (is_named)
            f->term[kept++] = f->term[n];
    }
    f->count = kept;
    return kept ? HISS_OK
                : hs_csv_fail(t->in, 0, err,
                              "the response is the only column with a name");
}

static hiss_status choose_columns(struct table *t, const char *text,
                                  hiss_error *err)
{
    const hs_formula *f = &t->formula;

    HS_TRY(hs_formula_parse(&t->formula, text, (const char *const *)t->heading,
                            t->columns, t->path, err));
    HS_TRY(drop_row_names(t, err));
    if (f->count > HS_DESIGN_TERMS_MAX)
        return hs_fail(err, HISS_ELIMIT,
                       "the formula has %d terms, expected at most %d",
                       f->count, HS_DESIGN_TERMS_MAX);
    t->slot = hs_alloc_array((size_t)t->columns, sizeof *t->slot);
    t->column = hs_alloc_array((size_t)t->columns, sizeof *t->column);
    if (!t->slot || !t->column)
        return hs_fail_memory(err);
    for (int c = 0; c < t->columns; c++)
        t->slot[c] = -1;
    want(t, f->response);
    for (int n = 0; n < f->count; n++)
        for (int k = 0; k < HS_TERM_ORDER && f->term[n].at[k] >= 0; k++)
            want(t, f->term[n].at[k]);
    return HISS_OK;
}

static hiss_status read_cell(struct table *t, int column, double *value,
                             hiss_error *err)
{
    const char *text = hs_csv_text(t->in, column);
    char quoted[HS_QUOTE_MAX], name[HS_QUOTE_MAX];

    if (hs_csv_real(t->in, column, value, NULL) == HISS_OK &&
        fabs(*value) <= VALUE_MAX)
        return HISS_OK;
    hs_quote(name, t->heading[column], strlen(t->heading[column]));
    if (!*text || !strcmp(text, "NA") || !strcmp(text, "NaN") ||
        !strcmp(text, "nan") || !strcmp(text, "?"))
        return hs_csv_fail(t->in, column, err,
                           "a value is missing in column '%s'; fill it in, or "
                           "leave out the row, or the column with '- %s'",
                           name, name);
    return hs_csv_fail(t->in, column, err,
                       "found '%s' in column '%s', expected a number; leave it "
                       "out with '- %s', or make columns of 0 and 1 of it",
                       hs_quote(quoted, text, strlen(text)), name, name);
}

static hiss_status grow(struct table *t, hiss_error *err)
{
    int room = t->room ? 2 * t->room : 16;
    double *more;

    if (t->rows == HS_DESIGN_ROWS_MAX)
        return hs_csv_fail(t->in, 0, err, "the file has more than %d rows",
                           HS_DESIGN_ROWS_MAX);
    if (t->rows < t->room)
        return HISS_OK;
    more = hs_realloc_array(t->cell, (size_t)t->room * (size_t)t->slots,
                            (size_t)room * (size_t)t->slots, sizeof *more);
    if (!more)
        return hs_fail_memory(err);
    t->cell = more;
    t->room = room;
    return HISS_OK;
}

static hiss_status read_rows(struct table *t, hiss_error *err)
{
    for (;;) {
        double *cell;
        bool is_there;

        HS_TRY(
            hs_csv_row_of(t->in, t->columns, "the header has", &is_there, err));
        if (!is_there)
            break;
        HS_TRY(grow(t, err));
        cell = t->cell + (size_t)t->rows++ * (size_t)t->slots;
        for (int s = 0; s < t->slots; s++)
            HS_TRY(read_cell(t, t->column[s], &cell[s], err));
    }
    if (t->rows < 3)
        return hs_fail(err, HISS_EPARSE,
                       "%s: %d rows follow the header, expected at least 3",
                       t->path, t->rows);
    return HISS_OK;
}

static void fill_column(const struct table *t, const hs_term *term, double *x)
{
    for (int r = 0; r < t->rows; r++) {
        const double *cell = t->cell + (size_t)r * (size_t)t->slots;

        x[r] = 1.0;
        for (int k = 0; k < HS_TERM_ORDER && term->at[k] >= 0; k++)
            x[r] *= cell[t->slot[term->at[k]]];
    }
}

static char *term_name(const struct table *t, const hs_term *term)
{
    hs_text text = {0};

    for (int k = 0; k < HS_TERM_ORDER && term->at[k] >= 0; k++) {
        if (k > 0)
            hs_text_add_char(&text, ':');
        hs_text_add_string(&text, t->heading[term->at[k]]);
    }
    return hs_text_take(&text);
}

static hiss_status make(hs_design *d, const struct table *t, hiss_error *err)
{
    const hs_formula *f = &t->formula;
    const hs_term response = {{f->response, -1, -1, -1}};
    int stride =
        (t->rows + HS_DESIGN_LANES - 1) / HS_DESIGN_LANES * HS_DESIGN_LANES;

    d->rows = t->rows;
    d->stride = stride;
    d->y = hs_alloc_array((size_t)stride, sizeof *d->y);
    d->x = hs_alloc_array((size_t)f->count * (size_t)stride, sizeof *d->x);
    d->name = hs_alloc_array((size_t)f->count, sizeof *d->name);
    d->response = hs_strdup(t->heading[f->response]);
    if (!d->y || !d->x || !d->name || !d->response)
        return hs_fail_memory(err);
    d->terms = f->count;
    fill_column(t, &response, d->y);
    for (int n = 0; n < f->count; n++) {
        fill_column(t, &f->term[n], hs_design_column(d, n));
        d->name[n] = term_name(t, &f->term[n]);
        if (!d->name[n])
            return hs_fail_memory(err);
    }
    return HISS_OK;
}

static void table_clear(struct table *t)
{
    hs_csv_close(t->in);
    for (int c = 0; t->heading && c < t->columns; c++)
        hs_free(t->heading[c]);
    hs_free(t->heading);
    hs_formula_clear(&t->formula);
    hs_free(t->slot);
    hs_free(t->column);
    hs_free(t->cell);
}

hiss_status hs_design_read(hs_design *out, const char *path,
                           const char *formula, hiss_error *err)
{
    struct table t = {.path = path};
    hiss_status rc;

    *out = (hs_design){0};
    rc = hs_csv_open_wide(&t.in, path, err);
    if (rc == HISS_OK)
        rc = read_header(&t, err);
    if (rc == HISS_OK)
        rc = check_header(&t, err);
    if (rc == HISS_OK)
        rc = choose_columns(&t, formula, err);
    if (rc == HISS_OK)
        rc = read_rows(&t, err);
    if (rc == HISS_OK)
        rc = make(out, &t, err);
    table_clear(&t);
    if (rc != HISS_OK)
        hs_design_clear(out);
    return rc;
}

void hs_design_clear(hs_design *d)
{
    for (int n = 0; d->name && n < d->terms; n++)
        hs_free(d->name[n]);
    hs_free(d->name);
    hs_free(d->response);
    hs_free(d->y);
    hs_free(d->x);
    *d = (hs_design){0};
}

/* Returns false for a column that is constant up to rounding. */
static bool standardize(double *column, int rows)
{
    double mean = 0.0, sum = 0.0, most = 0.0;

    for (int r = 0; r < rows; r++) {
        mean += column[r] / rows;
        most = fmax(most, fabs(column[r]));
    }
    for (int r = 0; r < rows; r++) {
        column[r] -= mean;
        sum += column[r] * column[r];
    }
    if (sqrt(sum / rows) <= CONSTANT * most)
        return false;
    for (int r = 0; r < rows; r++)
        column[r] /= sqrt(sum);
    return true;
}

static hiss_status say_dropped(char **note, const char *first, int count,
                               hiss_error *err)
{
    char quoted[HS_QUOTE_MAX];
    hs_text text = {0};

    if (count == 0)
        return HISS_OK;
    hs_quote(quoted, first, strlen(first));
    hs_text_print(&text, "column '%s'", quoted);
    if (count > 1)
        hs_text_print(&text, " and %d more", count - 1);
    hs_text_add_string(&text, count > 1 ? " are" : " is");
    hs_text_add_string(&text,
                       " the same in all rows, explains nothing and was left "
                       "out");
    *note = hs_text_take(&text);
    return *note ? HISS_OK : hs_fail_memory(err);
}

/* Drops column n; *first keeps the name of the first dropped one. */
static void drop(hs_design *d, int n, char **first)
{
    if (!*first)
        *first = d->name[n];
    else
        hs_free(d->name[n]);
    d->name[n] = NULL;
}

hiss_status hs_design_prepare(hs_design *d, char **note, hiss_error *err)
{
    int kept = 0, terms = d->terms;
    char *first = NULL;
    hiss_status rc;

    if (!standardize(d->y, d->rows))
        return hs_fail(err, HISS_EARG,
                       "the response '%s' is the same in all rows",
                       d->response);
    for (int n = 0; n < terms; n++) {
        double *column = hs_design_column(d, n);

        if (!standardize(column, d->rows)) {
            drop(d, n, &first);
            continue;
        }
        if (n != kept) {
            memcpy(hs_design_column(d, kept), column,
                   (size_t)d->stride * sizeof *column);
            d->name[kept] = d->name[n];
            d->name[n] = NULL;
        }
        kept++;
    }
    rc = kept ? say_dropped(note, first, terms - kept, err)
              : hs_fail(err, HISS_EARG,
                        "every column but the response is the same in all "
                        "rows; nothing can explain '%s'",
                        d->response);
    d->terms = kept;
    hs_free(first);
    return rc;
}
