/* spec_print.c - the canonical text of a spec. */
#include "base/spec/spec.h"
#include "base/text.h"

static bool is_word(const char *text)
{
    if (*text == '\0')
        return false;
    while (hs_spec_is_word_char(*text))
        text++;
    return *text == '\0';
}

static void print_word(hs_text *out, const char *text)
{
    if (is_word(text)) {
        hs_text_add_string(out, text);
        return;
    }
    hs_text_add_char(out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            hs_text_add_char(out, '\\');
        hs_text_add_char(out, *text);
    }
    hs_text_add_char(out, '"');
}

static void print_to(hs_text *out, const hs_spec *spec)
{
    if (spec->text)
        print_word(out, spec->text);
    if (!spec->is_list && !spec->has_parens)
        return;
    hs_text_add_char(out, spec->is_list ? '[' : '(');
    for (int i = 0; i < spec->count; i++) {
        const hs_spec *child = &spec->child[i];

        if (i > 0)
            hs_text_add_char(out, ',');
        if (child->key) {
            hs_text_add_string(out, child->key);
            hs_text_add_char(out, '=');
        }
        print_to(out, child);
    }
    hs_text_add_char(out, spec->is_list ? ']' : ')');
}

char *hs_spec_print(const hs_spec *spec)
{
    hs_text out = {0};

    print_to(&out, spec);
    return hs_text_take(&out);
}
