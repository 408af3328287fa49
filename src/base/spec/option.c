/* option.c - assigns arguments to the rows of an option table.  Not here:
 * reading one value (option_value.c), printing (option_print.c). */
#include "base/spec/option.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/caret.h"
#include "base/error.h"
#include "base/spec/older.h"
#include "base/spec/option_value.h"
#include "base/text.h"

enum {
    NO_ROW = -1
};

bool hs_option_is_named(const hs_option *o, const char *name)
{
    return strcmp(o->name, name) == 0 ||
           strcmp(o->name, hs_older_name(name)) == 0;
}

static int count_rows(const hs_option *options)
{
    int rows = 0;

    while (options[rows].name)
        rows++;
    return rows;
}

/* The row that takes all positional arguments, or NO_ROW. */
static int children_row(const hs_option *options)
{
    for (int row = 0; options[row].name; row++)
        if (options[row].type == HS_CHILDREN)
            return row;
    return NO_ROW;
}

static int row_of_key(const hs_option *options, const char *key)
{
    for (int row = 0; options[row].name; row++)
        if (hs_option_is_named(&options[row], key))
            return row;
    return NO_ROW;
}

static hiss_status fail_unknown(const hs_option *options, const char *key,
                                const char *what, hiss_error *err)
{
    int rows = count_rows(options);
    const char **names = hs_alloc_array(rows + 1, sizeof *names);
    char quote[HS_QUOTE_MAX], hint[HISS_SUGGESTION_MAX];
    hs_text list = {0};
    char *list_text;
    hiss_status rc;

    for (int row = 0; names && row < rows; row++) {
        names[row] = options[row].name;
        hs_text_add_string(&list, row ? ", " : "");
        hs_text_add_string(&list, options[row].name);
    }
    hiss_suggestion(hint, key, names, "'", "'");
    list_text = hs_text_take(&list);
    if (names && list_text)
        rc = hs_fail(err, HISS_EARG, "%s: unknown option '%s'; it takes %s%s",
                     what, hs_quote(quote, key, strlen(key)),
                     rows ? list_text : "no options", hint);
    else
        rc = hs_fail_memory(err);
    hs_free(names);
    hs_free(list_text);
    return rc;
}

static hiss_status fail_too_many(const hs_option *options, int rows,
                                 const char *what, hiss_error *err)
{
    if (rows == 0)
        return hs_fail(err, HISS_EARG, "%s: takes no arguments", what);
    return hs_fail(err, HISS_EARG,
                   "%s: too many values without a key, it takes %d, the last "
                   "is %s",
                   what, rows, options[rows - 1].name);
}

/* Stores the row of each argument in row_of[].  Every argument has one, and
 * only the row of the children has several. */
static hiss_status assign_rows(const hs_option *options, const hs_spec *spec,
                               const char *what, int *row_of, hiss_error *err)
{
    int rows = count_rows(options), children = children_row(options);
    int positional = 0;

    for (int i = 0; i < spec->count; i++) {
        const hs_spec *arg = &spec->child[i];
        int row;

        if (arg->key)
            row = row_of_key(options, arg->key);
        else
            row = children == NO_ROW ? positional++ : children;
        if (row == NO_ROW)
            return fail_unknown(options, arg->key, what, err);
        if (row == rows)
            return fail_too_many(options, rows, what, err);
        row_of[i] = row;
        if (row == children && arg->key)
            return hs_fail(err, HISS_EARG,
                           "%s: %s are given without a key, one after the "
                           "other",
                           what, arg->key);
        /* short loop: among rows + 1 arguments two would share a row */
        for (int j = 0; j < i && row != children; j++)
            if (row_of[j] == row)
                return hs_fail(err, HISS_EARG, "%s: %s is given twice", what,
                               options[row].name);
    }
    return HISS_OK;
}

static hiss_status fail_missing(const hs_option *o, const char *what,
                                hiss_error *err)
{
    return hs_fail(err, HISS_EARG, "%s: %s must be given (%s)", what, o->name,
                   o->help ? o->help : "it has no default");
}

static hiss_status store_children(const hs_option *o, const hs_spec *spec,
                                  const int *row_of, int row, const char *what,
                                  void *target, hiss_error *err)
{
    hs_children *field = (void *)((char *)target + o->offset);
    int count = 0;

    for (int i = 0; i < spec->count; i++) {
        const hs_spec *arg = &spec->child[i];

        if (row_of[i] == row && (arg->is_list || !hs_spec_is_name(arg->text)))
            return hs_fail(err, HISS_EARG,
                           "%s: argument %d must be a name with arguments, "
                           "such as name(key=value)",
                           what, i + 1);
        count += row_of[i] == row;
    }
    if (count == 0)
        return o->standard ? HISS_OK : fail_missing(o, what, err);
    field->at = hs_alloc_array(count, sizeof *field->at);
    if (!field->at)
        return hs_fail_memory(err);
    for (int i = 0; i < spec->count; i++) {
        if (row_of[i] != row)
            continue;
        HS_TRY(hs_spec_copy(&field->at[field->count], &spec->child[i], err));
        field->count++;
    }
    return HISS_OK;
}

static bool may_be_absent(const hs_option *o)
{
    return o->standard && o->standard[0] == '\0' &&
           (hs_option_is_text(o->type) || o->type == HS_REALS ||
            o->type == HS_CHILD);
}

static hiss_status store_default(const hs_option *o, const char *what,
                                 void *target, hiss_error *err)
{
    hs_spec given = {0};
    hiss_status rc = HISS_OK;

    if (!o->standard)
        return fail_missing(o, what, err);
    if (may_be_absent(o))
        return HISS_OK;
    if (hs_option_is_text(o->type)) {
        given.text = hs_strdup(o->standard);
        if (!given.text)
            rc = hs_fail_memory(err);
    } else {
        rc = hs_spec_parse_value(&given, o->standard, o->name, err);
    }
    if (rc == HISS_OK)
        rc = hs_option_store(o, &given, what, target, err);
    hs_spec_clear(&given);
    return rc;
}

static hiss_status store_row(const hs_option *options, int row,
                             const hs_spec *spec, const int *row_of,
                             const char *what, void *target, hiss_error *err)
{
    const hs_option *o = &options[row];

    if (o->type == HS_CHILDREN)
        return store_children(o, spec, row_of, row, what, target, err);
    for (int i = 0; i < spec->count; i++)
        if (row_of[i] == row)
            return hs_option_store(o, &spec->child[i], what, target, err);
    return store_default(o, what, target, err);
}

hiss_status hs_options_parse(const hs_option *options, const hs_spec *spec,
                             const char *what, void *target, hiss_error *err)
{
    int *row_of = hs_alloc_array(spec->count, sizeof *row_of);
    hiss_status rc;

    if (!row_of)
        return hs_fail_memory(err);
    rc = assign_rows(options, spec, what, row_of, err);
    for (int row = 0; rc == HISS_OK && options[row].name; row++)
        rc = store_row(options, row, spec, row_of, what, target, err);
    hs_free(row_of);
    if (rc != HISS_OK)
        hs_options_clear(options, target);
    return rc;
}

bool hs_options_has(const hs_option *options, const hs_spec *spec,
                    const char *name)
{
    int row = row_of_key(options, name), children = children_row(options);
    int unnamed = 0;

    for (int i = 0; i < spec->count; i++)
        unnamed += spec->child[i].key == NULL;
    if (children != NO_ROW && unnamed > 0)
        unnamed = row == children ? row + 1 : 0;
    return row != NO_ROW && (hs_spec_find(spec, name) || unnamed > row);
}

static bool is_same_real(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool is_same_list(const hs_reals *a, const hs_reals *b)
{
    bool is_same = a->count == b->count;

    for (int i = 0; is_same && i < a->count; i++)
        is_same = is_same_real(a->at[i], b->at[i]);
    return is_same;
}

static bool is_same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool is_same_field(const hs_option *o, const void *a, const void *b)
{
    switch (o->type) {
    case HS_REAL:
    case HS_AUTO:
        return is_same_real(*(const double *)a, *(const double *)b);
    case HS_INTEGER:
    case HS_CHOICE:
        return *(const int *)a == *(const int *)b;
    case HS_SEED:
        return *(const uint64_t *)a == *(const uint64_t *)b;
    case HS_BOOL:
        return *(const bool *)a == *(const bool *)b;
    case HS_TEXT:
    case HS_FILE:
    case HS_CODE:
        return is_same_text(*(char *const *)a, *(char *const *)b);
    case HS_REALS:
        return is_same_list(a, b);
    case HS_CHILD:
    case HS_CHILDREN:
        break;
    }
    return true;
}

bool hs_options_equal(const hs_option *options, const void *a, const void *b)
{
    for (; options->name; options++)
        if (!is_same_field(options, (const char *)a + options->offset,
                           (const char *)b + options->offset))
            return false;
    return true;
}

void hs_options_clear(const hs_option *options, void *target)
{
    for (; options->name; options++) {
        void *field = (char *)target + options->offset;

        if (hs_option_is_text(options->type)) {
            char **text = field;

            hs_free(*text);
            *text = NULL;
        } else if (options->type == HS_REALS) {
            hs_reals *reals = field;

            hs_free(reals->at);
            *reals = (hs_reals){0};
        } else if (options->type == HS_CHILD) {
            hs_spec **child = field;

            if (*child)
                hs_spec_clear(*child);
            hs_free(*child);
            *child = NULL;
        } else if (options->type == HS_CHILDREN) {
            hs_children *children = field;

            for (int i = 0; i < children->count; i++)
                hs_spec_clear(&children->at[i]);
            hs_free(children->at);
            *children = (hs_children){0};
        }
    }
}
