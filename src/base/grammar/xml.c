/* xml.c - reads the elements of an XML text one after the other. */
#include "base/grammar/xml.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/caret.h"

enum {
    END = -1,
    ENTITY_MAX = 12
};

static int ahead(hs_xml *x, int n)
{
    return hs_reader_ahead(x->in, n);
}

static void pass(hs_xml *x, int count)
{
    while (count-- > 0)
        hs_reader_pass(x->in);
}

/* Whether the text continues with these at most 8 characters. */
static bool comes(hs_xml *x, const char *text)
{
    for (int n = 0; text[n]; n++)
        if (ahead(x, n) != (unsigned char)text[n])
            return false;
    return true;
}

static void skip_space(hs_xml *x)
{
    while (ahead(x, 0) != END && hs_is_space((char)ahead(x, 0)))
        pass(x, 1);
}

/* Moves behind the text `until`. */
static hiss_status skip_to(hs_xml *x, const char *until, hiss_error *err)
{
    hs_place where = hs_reader_here(x->in);

    while (!comes(x, until)) {
        if (ahead(x, 0) == END)
            return hs_reader_fail(x->in, &where, err,
                                  "expected '%s' behind this", until);
        pass(x, 1);
    }
    pass(x, (int)strlen(until));
    return HISS_OK;
}

/* Skips <!DOCTYPE ...  [ ...  ]>; its declarations are not used. */
static hiss_status skip_doctype(hs_xml *x, hiss_error *err)
{
    hs_place where = hs_reader_here(x->in);
    int depth = 0;

    for (;;) {
        int c = ahead(x, 0);

        if (c == END)
            return hs_reader_fail(x->in, &where, err,
                                  "the document type does not end");
        if (comes(x, "<!--")) {
            HS_TRY(skip_to(x, "-->", err));
            continue;
        }
        depth += c == '<' ? 1 : c == '>' ? -1 : 0;
        pass(x, 1);
        if (depth == 0)
            return HISS_OK;
    }
}

static void put_character(hs_text *t, uint32_t c)
{
    if (c < 0x80) {
        hs_text_add_char(t, (char)c);
    } else if (c < 0x800) {
        hs_text_add_char(t, (char)(0xc0 | c >> 6));
        hs_text_add_char(t, (char)(0x80 | (c & 0x3f)));
    } else if (c < 0x10000) {
        hs_text_add_char(t, (char)(0xe0 | c >> 12));
        hs_text_add_char(t, (char)(0x80 | (c >> 6 & 0x3f)));
        hs_text_add_char(t, (char)(0x80 | (c & 0x3f)));
    } else {
        hs_text_add_char(t, (char)(0xf0 | c >> 18));
        hs_text_add_char(t, (char)(0x80 | (c >> 12 & 0x3f)));
        hs_text_add_char(t, (char)(0x80 | (c >> 6 & 0x3f)));
        hs_text_add_char(t, (char)(0x80 | (c & 0x3f)));
    }
}

/* &amp; &#65; &#x41; */
static hiss_status read_entity(hs_xml *x, hs_text *out, hiss_error *err)
{
    static const struct {
        const char *name, *text;
    } known[] = {
        {"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"quot", "\""}, {"apos", "'"}};
    hs_place where = hs_reader_here(x->in);
    char name[ENTITY_MAX + 1] = "", quote[HS_QUOTE_MAX], *end = name;
    unsigned long code = 0;
    int length = 0, c;

    pass(x, 1);
    while ((c = ahead(x, 0)) != END && c != ';' && length < ENTITY_MAX) {
        name[length++] = (char)c;
        pass(x, 1);
    }
    pass(x, c == ';');
    for (size_t k = 0; c == ';' && k < sizeof known / sizeof *known; k++)
        if (strcmp(known[k].name, name) == 0) {
            hs_text_add_string(out, known[k].text);
            return HISS_OK;
        }
    if (c == ';' && name[0] == '#' && hs_is_digit(name[1]))
        code = strtoul(name + 1, &end, 10);
    else if (c == ';' && name[0] == '#' && name[1] == 'x' &&
             !hs_is_space(name[2]))
        code = strtoul(name + 2, &end, 16);
    if (code < 0x20 || code > 0x10ffff || *end || end == name ||
        (code >= 0xd800 && code < 0xe000))
        return hs_reader_fail(x->in, &where, err,
                              "found '&%s', expected one of &amp; &lt; &gt; "
                              "&quot; &apos; or a number as in &#65;",
                              hs_quote(quote, name, strlen(name)));
    put_character(out, (uint32_t)code);
    return HISS_OK;
}

static bool is_name_end(int c)
{
    return c == END || hs_is_space((char)c) || c == '>' || c == '/' ||
           c == '=' || c == '<' || c == '"' || c == '\'';
}

static hiss_status read_name(hs_xml *x, hs_text *out, hiss_error *err)
{
    hs_place where = hs_reader_here(x->in);
    size_t before = out->length;

    while (!is_name_end(ahead(x, 0))) {
        hs_text_add_char(out, (char)ahead(x, 0));
        pass(x, 1);
    }
    if (out->failed)
        return hs_fail_memory(err);
    if (out->length == before)
        return hs_reader_fail(x->in, &where, err, "expected a name here");
    return HISS_OK;
}

static hiss_status read_attribute(hs_xml *x, hiss_error *err)
{
    hs_text *out = &x->attributes;
    hs_place where;
    int quote;

    HS_TRY(read_name(x, out, err));
    hs_text_add_char(out, '\0');
    skip_space(x);
    where = hs_reader_here(x->in);
    if (ahead(x, 0) != '=')
        return hs_reader_fail(x->in, &where, err,
                              "expected '=' and a value in quotes");
    pass(x, 1);
    skip_space(x);
    quote = ahead(x, 0);
    where = hs_reader_here(x->in);
    if (quote != '"' && quote != '\'')
        return hs_reader_fail(x->in, &where, err, "expected a value in quotes");
    pass(x, 1);
    while (ahead(x, 0) != quote) {
        if (ahead(x, 0) == END)
            return hs_reader_fail(x->in, &where, err,
                                  "the value that begins here does not end");
        if (ahead(x, 0) == '&') {
            HS_TRY(read_entity(x, out, err));
            continue;
        }
        hs_text_add_char(out, (char)ahead(x, 0));
        pass(x, 1);
    }
    pass(x, 1);
    hs_text_add_char(out, '\0');
    return out->failed ? hs_fail_memory(err) : HISS_OK;
}

static hiss_status push(hs_xml *x, hiss_error *err)
{
    if (x->depth == HS_XML_DEPTH_MAX)
        return hs_reader_fail(x->in, &x->place, err,
                              "elements are nested deeper than %d",
                              HS_XML_DEPTH_MAX);
    x->open[x->depth] = hs_strdup(x->name.at);
    if (!x->open[x->depth])
        return hs_fail_memory(err);
    x->depth++;
    return HISS_OK;
}

static void clear_text(hs_text *t)
{
    hs_free(t->at);
    *t = (hs_text){0};
}

static hiss_status read_open(hs_xml *x, hiss_error *err)
{
    x->event = HS_XML_OPEN;
    x->is_empty = false;
    pass(x, 1);
    HS_TRY(read_name(x, &x->name, err));
    for (;;) {
        skip_space(x);
        if (ahead(x, 0) == '>') {
            pass(x, 1);
            return push(x, err);
        }
        if (comes(x, "/>")) {
            pass(x, 2);
            x->is_empty = true;
            return push(x, err);
        }
        if (ahead(x, 0) == END)
            return hs_reader_fail(x->in, &x->place, err,
                                  "the tag that begins here does not end");
        HS_TRY(read_attribute(x, err));
    }
}

static hiss_status read_close(hs_xml *x, hiss_error *err)
{
    char quote[HS_QUOTE_MAX], inner[HS_QUOTE_MAX];
    const char *open;

    x->event = HS_XML_CLOSE;
    pass(x, 2);
    HS_TRY(read_name(x, &x->name, err));
    skip_space(x);
    if (ahead(x, 0) != '>')
        return hs_reader_fail(x->in, &x->place, err,
                              "the tag that begins here does not end");
    pass(x, 1);
    if (x->depth == 0)
        return hs_reader_fail(x->in, &x->place, err, "'</%s>' closes nothing",
                              hs_quote(quote, x->name.at, x->name.length));
    open = x->open[x->depth - 1];
    if (strcmp(open, x->name.at) != 0)
        return hs_reader_fail(x->in, &x->place, err,
                              "found '</%s>', expected '</%s>'",
                              hs_quote(quote, x->name.at, x->name.length),
                              hs_quote(inner, open, strlen(open)));
    hs_free(x->open[--x->depth]);
    return HISS_OK;
}

/* Skips comments, declarations and processing instructions. */
static hiss_status skip_other(hs_xml *x, bool *was_there, hiss_error *err)
{
    *was_there = true;
    if (comes(x, "<!--"))
        return skip_to(x, "-->", err);
    if (comes(x, "<?"))
        return skip_to(x, "?>", err);
    if (comes(x, "<!["))
        return skip_to(x, "]]>", err);
    if (comes(x, "<!"))
        return skip_doctype(x, err);
    *was_there = false;
    return HISS_OK;
}

static hiss_status at_end(hs_xml *x, hiss_error *err)
{
    hs_place end = hs_reader_here(x->in);

    if (!hs_reader_at_end(x->in))
        return hs_reader_ended(x->in, "text", err);
    if (x->depth > 0)
        return hs_reader_fail(x->in, &end, err,
                              "the file ends here, expected '</%.64s>'",
                              x->open[x->depth - 1]);
    x->event = HS_XML_END;
    return HISS_OK;
}

hiss_status hs_xml_next(hs_xml *x, hiss_error *err)
{
    bool was_other;

    clear_text(&x->attributes);
    if (x->event == HS_XML_OPEN && x->is_empty && x->depth > 0) {
        x->event = HS_XML_CLOSE;
        x->is_empty = false;
        hs_free(x->open[--x->depth]);
        return HISS_OK;
    }
    clear_text(&x->name);
    for (;;) {
        int c = ahead(x, 0);

        if (c == END)
            return at_end(x, err);
        if (c != '<') {
            pass(x, 1);
            continue;
        }
        HS_TRY(skip_other(x, &was_other, err));
        if (was_other)
            continue;
        x->place = hs_reader_here(x->in);
        return ahead(x, 1) == '/' ? read_close(x, err) : read_open(x, err);
    }
}

hiss_status hs_xml_begin(hs_xml *x, hs_reader *in, hiss_error *err)
{
    hs_place where;

    *x = (hs_xml){.in = in, .event = HS_XML_CLOSE};
    skip_space(x);
    where = hs_reader_here(in);
    if (ahead(x, 0) == '<')
        return HISS_OK;
    if (ahead(x, 0) == END)
        return hs_reader_ended(in, "'<'", err);
    return hs_reader_fail(in, &where, err, "expected '<', as XML begins");
}

void hs_xml_end(hs_xml *x)
{
    while (x->depth > 0)
        hs_free(x->open[--x->depth]);
    clear_text(&x->name);
    clear_text(&x->attributes);
}

bool hs_xml_is(const hs_xml *x, const char *name)
{
    return x->name.at && strcmp(x->name.at, name) == 0;
}

const char *hs_xml_attribute(const hs_xml *x, const char *key)
{
    const char *at = x->attributes.at;
    const char *end = at ? at + x->attributes.length : at;

    while (at < end) {
        const char *value = at + strlen(at) + 1;

        if (strcmp(at, key) == 0)
            return value;
        at = value + strlen(value) + 1;
    }
    return NULL;
}

/* Removes white space from both ends. */
static void trim(hs_text *t)
{
    size_t from = 0;

    while (t->length > 0 && hs_is_space(t->at[t->length - 1]))
        t->length--;
    while (from < t->length && hs_is_space(t->at[from]))
        from++;
    t->length -= from;
    if (t->at) {
        memmove(t->at, t->at + from, t->length);
        t->at[t->length] = '\0';
    }
}

static hiss_status add_cdata(hs_xml *x, hs_text *out, hiss_error *err)
{
    hs_place where = hs_reader_here(x->in);

    pass(x, (int)strlen("<![CDATA["));
    while (!comes(x, "]]>")) {
        if (ahead(x, 0) == END)
            return hs_reader_fail(x->in, &where, err,
                                  "the CDATA that begins here does not end");
        hs_text_add_char(out, (char)ahead(x, 0));
        pass(x, 1);
    }
    pass(x, 3);
    return HISS_OK;
}

/* Reads the text up to the next tag. */
static hiss_status gather(hs_xml *x, hs_text *out, hiss_error *err)
{
    bool was_other;

    for (;;) {
        int c = ahead(x, 0);

        if (c == END)
            return at_end(x, err);
        if (comes(x, "<![CDATA")) {
            HS_TRY(add_cdata(x, out, err));
        } else if (c == '<') {
            HS_TRY(skip_other(x, &was_other, err));
            if (!was_other)
                return HISS_OK;
        } else if (c == '&') {
            HS_TRY(read_entity(x, out, err));
        } else {
            hs_text_add_char(out, (char)c);
            pass(x, 1);
        }
    }
}

hiss_status hs_xml_text(hs_xml *x, char **text, hiss_error *err)
{
    hs_place place = x->place;
    hs_text t = {0};
    hiss_status rc = HISS_OK;

    *text = NULL;
    if (!x->is_empty)
        rc = gather(x, &t, err);
    if (rc == HISS_OK && !x->is_empty && ahead(x, 1) != '/') {
        hs_place where = hs_reader_here(x->in);

        rc = hs_reader_fail(x->in, &where, err,
                            "found an element, expected text and '</%.64s>'",
                            x->open[x->depth - 1]);
    }
    if (rc == HISS_OK)
        rc = hs_xml_next(x, err);
    x->place = place;
    hs_text_add(&t, "", 0);
    trim(&t);
    *text = hs_text_take(&t);
    if (rc == HISS_OK && !*text)
        rc = hs_fail_memory(err);
    if (rc != HISS_OK) {
        hs_free(*text);
        *text = NULL;
    }
    return rc;
}

hiss_status hs_xml_skip(hs_xml *x, hiss_error *err)
{
    int depth = x->depth;

    while (x->depth >= depth)
        HS_TRY(hs_xml_next(x, err));
    return HISS_OK;
}
