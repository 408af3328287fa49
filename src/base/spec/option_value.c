/* option_value.c - checks and stores one value of an option.
 *
 * A range is an interval in mathematical notation: "(0,inf)" is open at both
 * ends, "[1,100]" is closed.  The words of a choice are "one|two|three". */
#include "base/spec/option_value.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/caret.h"
#include "base/error.h"
#include "base/number.h"
#include "base/text.h"

enum {
    CHOICE_MAX = 32,
    PHRASE_MAX = 384
};

struct interval {
    double low, high;
    bool open_low, open_high;
};

/* NULL means the open interval of all numbers. */
static bool parse_interval(const char *range, struct interval *out)
{
    char low[HS_NUMBER_MAX], high[HS_NUMBER_MAX], close = 0, open = 0;
    int used = 0;

    *out = (struct interval){-HUGE_VAL, HUGE_VAL, true, true};
    if (!range)
        return true;
    if (sscanf(range, "%c%31[^,],%31[^])]%c%n", &open, low, high, &close,
               &used) != 4 ||
        range[used] != '\0' || !strchr("([", open) || !strchr(")]", close))
        return false;
    out->open_low = open == '(';
    out->open_high = close == ')';
    return hs_number_real(low, &out->low) && hs_number_real(high, &out->high);
}

/* NaN is in no interval. */
static bool is_inside(const struct interval *r, double v)
{
    return (r->open_low ? v > r->low : v >= r->low) &&
           (r->open_high ? v < r->high : v <= r->high);
}

static hiss_status fail_table(const hs_option *o, const char *what,
                              hiss_error *err)
{
    return hs_fail(err, HISS_EINTERNAL, "%s: %s has a bad range '%s'", what,
                   o->name, o->range ? o->range : "(none)");
}

/* Writes a value for a message: numbers bare, words quoted. */
static void describe(const hs_spec *given, char out[HS_QUOTE_MAX + 8])
{
    char quote[HS_QUOTE_MAX];
    double number;

    if (given->is_list) {
        snprintf(out, HS_QUOTE_MAX + 8, "a list");
        return;
    }
    hs_quote(quote, given->text, strlen(given->text));
    if (given->has_parens)
        snprintf(out, HS_QUOTE_MAX + 8, "%s(...)", quote);
    else if (hs_number_real(given->text, &number))
        snprintf(out, HS_QUOTE_MAX + 8, "%s", quote);
    else
        snprintf(out, HS_QUOTE_MAX + 8, "'%s'", quote);
}

/* Fails with "sampler hiss: eta must be <expected>, not -1<hint>". */
static hiss_status refuse(const hs_option *o, const hs_spec *given,
                          const char *what, hiss_error *err,
                          const char *expected, const char *hint)
{
    char found[HS_QUOTE_MAX + 8];

    describe(given, found);
    return hs_fail(err, HISS_EARG, "%s: %s must be %s, not %s%s", what, o->name,
                   expected, found, hint);
}

static bool is_plain(const hs_spec *given)
{
    return !given->is_list && !given->has_parens;
}

static hiss_status store_real(const hs_option *o, const hs_spec *given,
                              const char *what, double *field, hiss_error *err)
{
    struct interval r;
    char expected[PHRASE_MAX];
    bool is_number = is_plain(given) && hs_number_real(given->text, field);

    if (!parse_interval(o->range, &r))
        return fail_table(o, what, err);
    if (is_number && is_inside(&r, *field))
        return HISS_OK;
    if (o->type == HS_AUTO && is_plain(given) &&
        strcmp(given->text, "auto") == 0) {
        *field = (double)NAN;
        return HISS_OK;
    }
    *field = 0;
    snprintf(expected, sizeof expected, "%s%s%s%s",
             is_number && o->range ? "" : "a number",
             !o->range   ? ""
             : is_number ? "in "
                         : " in ",
             o->range ? o->range : "", o->type == HS_AUTO ? " or auto" : "");
    return refuse(o, given, what, err, expected, "");
}

static hiss_status store_integer(const hs_option *o, const hs_spec *given,
                                 const char *what, int *field, hiss_error *err)
{
    struct interval r;
    char expected[PHRASE_MAX];
    int64_t value = 0;

    if (!parse_interval(o->range, &r))
        return fail_table(o, what, err);
    if (is_plain(given) &&
        hs_number_whole(given->text, given->text + strlen(given->text),
                        &value) &&
        value >= INT_MIN && value <= INT_MAX && is_inside(&r, (double)value)) {
        *field = (int)value;
        return HISS_OK;
    }
    if (value > INT_MAX && is_inside(&r, (double)value))
        snprintf(expected, sizeof expected, "at most %d", INT_MAX);
    else
        snprintf(expected, sizeof expected, "a whole number%s%s",
                 o->range ? " in " : "", o->range ? o->range : "");
    return refuse(o, given, what, err, expected, "");
}

static hiss_status store_seed(const hs_option *o, const hs_spec *given,
                              const char *what, uint64_t *field,
                              hiss_error *err)
{
    if (is_plain(given) && hs_number_seed(given->text, field))
        return HISS_OK;
    return refuse(o, given, what, err,
                  "a whole number from 0 to 18446744073709551615", "");
}

static hiss_status store_bool(const hs_option *o, const hs_spec *given,
                              const char *what, bool *field, hiss_error *err)
{
    static const char *const words[] = {"no", "yes", "false", "true",
                                        "0",  "1",   NULL};

    for (int i = 0; is_plain(given) && words[i]; i++)
        if (strcmp(given->text, words[i]) == 0) {
            *field = i % 2;
            return HISS_OK;
        }
    return refuse(o, given, what, err, "yes or no", "");
}

/* Splits "a|b|c" into its words and writes the phrase "a, b or c". */
static bool split_choice(const char *range, char copy[PHRASE_MAX],
                         const char *words[CHOICE_MAX + 1],
                         char phrase[PHRASE_MAX])
{
    int count = 0, used = 0;
    char *rest = copy, *word;

    if (!range || strlen(range) >= PHRASE_MAX / 2)
        return false;
    memcpy(copy, range, strlen(range) + 1);
    while (count < CHOICE_MAX && (word = strsep(&rest, "|")))
        words[count++] = word;
    words[count] = NULL;
    for (int i = 0; i < count; i++) /* fits, since each '|' needs 3 more
                                       bytes */
        used += snprintf(phrase + used, (size_t)(PHRASE_MAX - used), "%s%s",
                         words[i],
                         i + 2 < count    ? ", "
                         : i + 2 == count ? " or "
                                          : "");
    return rest == NULL;
}

static hiss_status store_choice(const hs_option *o, const hs_spec *given,
                                const char *what, int *field, hiss_error *err)
{
    char copy[PHRASE_MAX], phrase[PHRASE_MAX], hint[HISS_SUGGESTION_MAX];
    const char *words[CHOICE_MAX + 1];

    if (!split_choice(o->range, copy, words, phrase))
        return fail_table(o, what, err);
    if (!is_plain(given))
        return refuse(o, given, what, err, phrase, "");
    for (int i = 0; words[i]; i++)
        if (strcmp(given->text, words[i]) == 0) {
            *field = i;
            return HISS_OK;
        }
    hiss_suggestion(hint, given->text, words, "'", "'");
    return refuse(o, given, what, err, phrase, hint);
}

static hiss_status store_text(const hs_option *o, const hs_spec *given,
                              const char *what, char **field, hiss_error *err)
{
    if (!is_plain(given))
        return refuse(o, given, what, err, "a word or \"quoted text\"", "");
    *field = hs_strdup(given->text);
    return *field ? HISS_OK : hs_fail_memory(err);
}

static hiss_status store_reals(const hs_option *o, const hs_spec *given,
                               const char *what, hs_reals *field,
                               hiss_error *err)
{
    char expected[PHRASE_MAX];
    hs_option each = *o;

    if (!given->is_list) {
        snprintf(expected, sizeof expected,
                 "a list of numbers%s%s, as in %s=[...]",
                 o->range ? " in " : "", o->range ? o->range : "", o->name);
        return refuse(o, given, what, err, expected, "");
    }
    field->at = hs_alloc_array(given->count, sizeof *field->at);
    if (!field->at)
        return hs_fail_memory(err);
    field->count = given->count;
    each.type = HS_REAL;
    for (int i = 0; i < given->count; i++) {
        char name[96];

        snprintf(name, sizeof name, "entry %d of %.64s", i + 1, o->name);
        each.name = name;
        HS_TRY(store_real(&each, &given->child[i], what, &field->at[i], err));
    }
    return HISS_OK;
}

static hiss_status store_child(const hs_option *o, const hs_spec *given,
                               const char *what, hs_spec **field,
                               hiss_error *err)
{
    if (given->is_list || !hs_spec_is_name(given->text))
        return refuse(o, given, what, err,
                      "a name with arguments, such as name(key=value)", "");
    *field = hs_alloc_array(1, sizeof **field);
    if (!*field)
        return hs_fail_memory(err);
    return hs_spec_copy(*field, given, err);
}

hiss_status hs_option_store(const hs_option *o, const hs_spec *given,
                            const char *what, void *target, hiss_error *err)
{
    void *field = (char *)target + o->offset;

    switch (o->type) {
    case HS_REAL:
    case HS_AUTO:
        return store_real(o, given, what, field, err);
    case HS_INTEGER:
        return store_integer(o, given, what, field, err);
    case HS_SEED:
        return store_seed(o, given, what, field, err);
    case HS_BOOL:
        return store_bool(o, given, what, field, err);
    case HS_CHOICE:
        return store_choice(o, given, what, field, err);
    case HS_TEXT:
    case HS_FILE:
    case HS_CODE:
        return store_text(o, given, what, field, err);
    case HS_REALS:
        return store_reals(o, given, what, field, err);
    case HS_CHILD:
        return store_child(o, given, what, field, err);
    case HS_CHILDREN:
        break;
    }
    return hs_fail(err, HISS_EINTERNAL, "%s: %s has no single value", what,
                   o->name);
}
