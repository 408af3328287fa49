/* dataset_csv.c - a data set from a CSV file with a header.
 *
 * One column, by name, is the target; all others are inputs, in their order,
 * and everything is a number.
 *     cells.csv:1:1: there is no column 'class' among these 5; did you mean
 *     'Class'? */
#include <string.h>

#include "base/alloc.h"
#include "base/caret.h"
#include "base/error.h"
#include "base/read/csv.h"
#include "base/spec/spec.h"
#include "model/data/dataset.h"

struct table {
    hs_csv *in; /* owned */
    int columns, target;
};

static hiss_status refuse_target(struct table *t, const char *target,
                                 hiss_error *err)
{
    const char **names = hs_alloc_array((size_t)t->columns + 1, sizeof *names);
    char quoted[HS_QUOTE_MAX], hint[HISS_SUGGESTION_MAX];
    hiss_status rc;

    if (!names)
        return hs_fail_memory(err);
    for (int c = 0; c < t->columns; c++)
        names[c] = hs_csv_text(t->in, c);
    hs_quote(quoted, target, strlen(target));
    hiss_suggestion(hint, target, names, "'", "'");
    rc = hs_csv_fail(t->in, 0, err, "there is no column '%s' among these %d%s",
                     quoted, t->columns, hint);
    hs_free(names);
    return rc;
}

static hiss_status find_target(struct table *t, const char *target,
                               hiss_error *err)
{
    char quoted[HS_QUOTE_MAX];

    t->target = -1;
    for (int c = 0; c < t->columns; c++) {
        if (strcmp(hs_csv_text(t->in, c), target) != 0)
            continue;
        if (t->target >= 0)
            return hs_csv_fail(t->in, c, err,
                               "this is the second column '%s', expected one",
                               hs_quote(quoted, target, strlen(target)));
        t->target = c;
    }
    if (t->target < 0)
        return refuse_target(t, target, err);
    if (t->columns < 2)
        return hs_csv_fail(t->in, 0, err,
                           "the target is the only column, expected inputs");
    return HISS_OK;
}

static hiss_status keep_heading(struct table *t, hs_raw *out, hiss_error *err)
{
    int i = 0;

    out->heading = hs_alloc_array((size_t)out->inputs, sizeof *out->heading);
    if (!out->heading)
        return hs_fail_memory(err);
    for (int c = 0; c < t->columns; c++) {
        const char *text = hs_csv_text(t->in, c);
        char quoted[HS_QUOTE_MAX];
        hs_heading *h = &out->heading[i];

        if (c == t->target)
            continue;
        i++;
        h->line = hs_csv_line(t->in);
        h->column = hs_csv_column(t->in, c);
        h->name = hs_strdup(hs_quote(quoted, text, strlen(text)));
        if (!h->name)
            return hs_fail_memory(err);
    }
    return HISS_OK;
}

static hiss_status read_header(struct table *t, hs_raw *out, const char *path,
                               const char *target, hiss_error *err)
{
    HS_TRY(hs_csv_row(t->in, &t->columns, err));
    if (t->columns == 0)
        return hs_fail(err, HISS_EPARSE,
                       "%s:1:1: the file is empty, expected a header", path);
    HS_TRY(find_target(t, target, err));
    for (int c = 0; c < t->columns; c++)
        if (!*hs_csv_text(t->in, c))
            return hs_csv_fail(t->in, c, err,
                               "column %d of the header has no name", c + 1);
    HS_TRY(hs_raw_init(out, path, t->columns - 1, err));
    return keep_heading(t, out, err);
}

static hiss_status read_target(struct table *t, double *target, bool is_scaled,
                               hiss_error *err)
{
    HS_TRY(hs_raw_real(t->in, t->target, target, err));
    if (!is_scaled && (*target < 0.0 || *target > 1.0))
        return hs_csv_fail(t->in, t->target, err,
                           "the target is %g, expected 0 to 1 (scale=yes maps "
                           "the range of the column to that)",
                           *target);
    return HISS_OK;
}

static hiss_status read_rows(struct table *t, hs_raw *out, bool is_scaled,
                             hiss_error *err)
{
    double *input, *target;
    bool is_there;

    for (;;) {
        HS_TRY(
            hs_csv_row_of(t->in, t->columns, "the header has", &is_there, err));
        if (!is_there)
            return HISS_OK;
        HS_TRY(hs_raw_add(out, &input, &target, err));
        for (int c = 0; c < t->columns; c++)
            if (c != t->target)
                HS_TRY(hs_raw_real(t->in, c, input++, err));
        HS_TRY(read_target(t, target, is_scaled, err));
    }
}

hiss_status hs_raw_read_csv(hs_raw *out, const char *path, const char *target,
                            bool is_scaled, hiss_error *err)
{
    struct table t = {0};
    hiss_status rc;

    *out = (hs_raw){0};
    rc = hs_csv_open(&t.in, path, err);
    if (rc == HISS_OK)
        rc = read_header(&t, out, path, target, err);
    if (rc == HISS_OK)
        rc = read_rows(&t, out, is_scaled, err);
    if (rc == HISS_OK && out->rows == 0)
        rc = hs_fail(err, HISS_EPARSE, "%s: no row follows the header", path);
    if (rc == HISS_OK && is_scaled)
        rc = hs_raw_scale_target(out, err);
    hs_csv_close(t.in);
    if (rc != HISS_OK)
        hs_raw_clear(out);
    return rc;
}
