/* option_print.c - prints a filled struct as a spec and as canonical text. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "base/spec/option.h"

enum {
    WORD_MAX = 128 /* longest word of a choice, or number */
};

/* Prints word number `index` of "a|b|c". */
static void print_choice(char out[WORD_MAX], const char *words, int index)
{
    for (; index > 0 && strchr(words, '|'); index--)
        words = strchr(words, '|') + 1;
    snprintf(out, WORD_MAX, "%.*s", (int)strcspn(words, "|"), words);
}

static void print_scalar(char out[WORD_MAX], const hs_option *o,
                         const void *field)
{
    switch (o->type) {
    case HS_INTEGER:
        snprintf(out, WORD_MAX, "%d", *(const int *)field);
        break;
    case HS_SEED:
        snprintf(out, WORD_MAX, "%" PRIu64, *(const uint64_t *)field);
        break;
    case HS_BOOL:
        snprintf(out, WORD_MAX, "%s", *(const bool *)field ? "yes" : "no");
        break;
    case HS_CHOICE:
        print_choice(out, o->range, *(const int *)field);
        break;
    default:
        if (o->type == HS_AUTO && isnan(*(const double *)field))
            snprintf(out, WORD_MAX, "auto");
        else
            hs_number_print(out, *(const double *)field);
    }
}

static bool add_reals(hs_spec *out, const char *name, const hs_reals *reals)
{
    hs_spec *list;

    if (reals->count == 0)
        return true;
    list = hs_spec_add_list(out, name);
    for (int i = 0; list && i < reals->count; i++) {
        char word[HS_NUMBER_MAX];

        hs_number_print(word, reals->at[i]);
        if (!hs_spec_add_word(list, NULL, word))
            return false;
    }
    return list != NULL;
}

static bool add_children(hs_spec *out, const hs_children *children)
{
    for (int i = 0; i < children->count; i++)
        if (!hs_spec_add_copy(out, NULL, &children->at[i]))
            return false;
    return true;
}

/* Adds an option; children are present already, absent ones are omitted. */
static bool add_option(hs_spec *out, const hs_option *o, const void *field)
{
    const hs_spec *child;
    const char *text;
    char word[WORD_MAX];

    switch (o->type) {
    case HS_TEXT:
    case HS_FILE:
    case HS_CODE:
        text = *(char *const *)field;
        return !text || hs_spec_add_word(out, o->name, text);
    case HS_REALS:
        return add_reals(out, o->name, field);
    case HS_CHILD:
        child = *(hs_spec *const *)field;
        return !child || hs_spec_add_copy(out, o->name, child);
    case HS_CHILDREN:
        return true;
    default:
        print_scalar(word, o, field);
        return hs_spec_add_word(out, o->name, word);
    }
}

static bool add_all(hs_spec *out, const hs_option *options, const void *target)
{
    for (const hs_option *o = options; o->name; o++)
        if (o->type == HS_CHILDREN &&
            !add_children(out,
                          (const void *)((const char *)target + o->offset)))
            return false;
    for (const hs_option *o = options; o->name; o++)
        if (!add_option(out, o, (const char *)target + o->offset))
            return false;
    return true;
}

hiss_status hs_options_spec(hs_spec *out, const hs_option *options,
                            const char *name, const void *target,
                            hiss_error *err)
{
    *out = (hs_spec){.text = hs_strdup(name)};
    if (out->text && add_all(out, options, target))
        return HISS_OK;
    hs_spec_clear(out);
    return hs_fail_memory(err);
}

char *hs_options_print(const hs_option *options, const char *name,
                       const void *target)
{
    hs_spec spec;
    char *text;

    if (hs_options_spec(&spec, options, name, target, NULL) != HISS_OK)
        return NULL;
    text = hs_spec_print(&spec);
    hs_spec_clear(&spec);
    return text;
}
