/* option_print.c - a filled struct as canonical spec text. */
#include "base/spec/option.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/spec/spec_print.h"
#include "base/text.h"

static void print_real(hs_text *out, double value)
{
    char text[HS_NUMBER_MAX];

    hs_number_print(text, value);
    hs_text_add_string(out, text);
}

/* Word number `index` of "a|b|c". */
static void print_choice(hs_text *out, const char *words, int index)
{
    for (; index > 0 && strchr(words, '|'); index--)
        words = strchr(words, '|') + 1;
    hs_text_add(out, words, strcspn(words, "|"));
}

static void print_reals(hs_text *out, const hs_reals *reals)
{
    for (int i = 0; i < reals->count; i++) {
        hs_text_add_char(out, i ? ',' : '[');
        print_real(out, reals->at[i]);
    }
    hs_text_add_char(out, ']');
}

/* Children are printed before all else. */
static bool is_absent(const hs_option *o, const void *field)
{
    switch (o->type) {
    case HS_TEXT:
    case HS_FILE:
    case HS_CODE:
        return !*(char *const *)field;
    case HS_CHILD:
        return !*(hs_spec *const *)field;
    case HS_REALS:
        return ((const hs_reals *)field)->count == 0;
    case HS_CHILDREN:
        return true;
    default:
        return false;
    }
}

static void print_scalar(hs_text *out, const hs_option *o, const void *field)
{
    char text[HS_NUMBER_MAX];

    switch (o->type) {
    case HS_INTEGER:
        snprintf(text, sizeof text, "%d", *(const int *)field);
        hs_text_add_string(out, text);
        break;
    case HS_SEED:
        snprintf(text, sizeof text, "%" PRIu64, *(const uint64_t *)field);
        hs_text_add_string(out, text);
        break;
    case HS_BOOL:
        hs_text_add_string(out, *(const bool *)field ? "yes" : "no");
        break;
    case HS_CHOICE:
        print_choice(out, o->range, *(const int *)field);
        break;
    default:
        if (o->type == HS_AUTO && isnan(*(const double *)field))
            hs_text_add_string(out, "auto");
        else
            print_real(out, *(const double *)field);
    }
}

static void print_value(hs_text *out, const hs_option *o, const void *field)
{
    switch (o->type) {
    case HS_TEXT:
    case HS_FILE:
    case HS_CODE:
        hs_spec_print_word(out, *(char *const *)field);
        break;
    case HS_REALS:
        print_reals(out, field);
        break;
    case HS_CHILD:
        hs_spec_print_to(out, *(hs_spec *const *)field);
        break;
    default:
        print_scalar(out, o, field);
    }
}

static void print_children(hs_text *out, const hs_children *children,
                           int *printed)
{
    for (int i = 0; i < children->count; i++) {
        hs_text_add_char(out, (*printed)++ ? ',' : '(');
        hs_spec_print_to(out, &children->at[i]);
    }
}

char *hs_options_print(const hs_option *options, const char *name,
                       const void *target)
{
    hs_text out = {0};
    int printed = 0;

    hs_text_add_string(&out, name);
    for (const hs_option *o = options; o->name; o++)
        if (o->type == HS_CHILDREN)
            print_children(&out,
                           (const void *)((const char *)target + o->offset),
                           &printed);
    for (const hs_option *o = options; o->name; o++) {
        const void *field = (const char *)target + o->offset;

        if (is_absent(o, field))
            continue;
        hs_text_add_char(&out, printed++ ? ',' : '(');
        hs_text_add_string(&out, o->name);
        hs_text_add_char(&out, '=');
        print_value(&out, o, field);
    }
    if (printed)
        hs_text_add_char(&out, ')');
    return hs_text_take(&out);
}
