/* xmlbif.c - Bayes nets in XMLBIF 0.3.
 *
 *     <VARIABLE TYPE="nature"><NAME>Alarm</NAME><OUTCOME>true</OUTCOME> ...
 *     <DEFINITION><FOR>Alarm</FOR><GIVEN>Burglary</GIVEN><TABLE> ...
 * In a table the first parent varies slowest and the child fastest. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/caret.h"
#include "base/grammar/xml.h"
#include "base/number.h"
#include "format/format.h"
#include "format/parts/bayes.h"

static const hs_option xmlbif_options[] = {{0}};

static int xmlbif_sniff(const char *head, size_t length)
{
    size_t blank = 0;

    while (blank < length && hs_is_space(head[blank]))
        blank++;
    return blank < length && head[blank] == '<' &&
                   memmem(head, length, "<BIF", 4)
               ? 100
               : 0;
}

/* A function that gets the text of the element just opened. */
typedef hiss_status user(hs_bayes *b, const char *text, const hs_place *where,
                         int *variable, hiss_error *err);

static hiss_status with_text(hs_bayes *b, hs_xml *x, user *use, int *variable,
                             hiss_error *err)
{
    hs_place where = x->place;
    char *text;
    hiss_status rc;

    HS_TRY(hs_xml_text(x, &text, err));
    rc = use(b, text, &where, variable, err);
    hs_free(text);
    return rc;
}

static hiss_status use_name(hs_bayes *b, const char *text,
                            const hs_place *where, int *variable,
                            hiss_error *err)
{
    return hs_bayes_variable(b, text, where, variable, err);
}

static hiss_status use_outcome(hs_bayes *b, const char *text,
                               const hs_place *where, int *variable,
                               hiss_error *err)
{
    if (*variable < 0)
        return hs_reader_fail(b->in, where, err,
                              "expected <NAME> before the outcomes");
    return hs_bayes_state(b, *variable, text, where, err);
}

static hiss_status read_variable(hs_bayes *b, hs_xml *x, hiss_error *err)
{
    const char *type = hs_xml_attribute(x, "TYPE");
    hs_place where = x->place;
    int variable = -1;

    if (type && strcmp(type, "nature") != 0)
        return hs_reader_fail(b->in, &where, err,
                              "a variable of type '%.32s': expected nature",
                              type);
    for (;;) {
        HS_TRY(hs_xml_next(x, err));
        if (x->event != HS_XML_OPEN)
            break;
        if (hs_xml_is(x, "NAME") && variable < 0)
            HS_TRY(with_text(b, x, use_name, &variable, err));
        else if (hs_xml_is(x, "OUTCOME") || hs_xml_is(x, "VALUE"))
            HS_TRY(with_text(b, x, use_outcome, &variable, err));
        else
            HS_TRY(hs_xml_skip(x, err));
    }
    if (variable < 0)
        return hs_reader_fail(b->in, &where, err, "this variable has no NAME");
    return HISS_OK;
}

static hiss_status use_given(hs_bayes *b, const char *text,
                             const hs_place *where, int *variable,
                             hiss_error *err)
{
    HS_TRY(hs_bayes_find(b, text, where, variable, err));
    return hs_bayes_scope(b, *variable, where, err);
}

static hiss_status use_for(hs_bayes *b, const char *text, const hs_place *where,
                           int *variable, hiss_error *err)
{
    if (*variable >= 0)
        return hs_reader_fail(b->in, where, err,
                              "a second <FOR>, expected one variable");
    return hs_bayes_find(b, text, where, variable, err);
}

/* Reads a number of the table, which ends at *at, and cuts it off. */
static hiss_status read_number(hs_bayes *b, char **at, const hs_place *where,
                               int64_t number, double *value, hiss_error *err)
{
    char quote[HS_QUOTE_MAX], *word = *at;
    size_t length = strcspn(word, " \t\r\n,");

    *at = word + length + (word[length] != '\0');
    word[length] = '\0';
    if (hs_number_real(word, value) && *value >= 0.0 && isfinite(*value))
        return HISS_OK;
    return hs_reader_fail(b->in, where, err,
                          "entry %lld of this table is '%s', expected a "
                          "probability",
                          (long long)number + 1, hs_quote(quote, word, length));
}

static hiss_status fill(hs_bayes *b, hs_bayes_table *t, char *text,
                        hiss_error *err)
{
    int64_t count = 0;
    double value = 0.0;

    for (;;) {
        text += strspn(text, " \t\r\n,");
        if (!*text)
            break;
        HS_TRY(read_number(b, &text, &t->place, count, &value, err));
        if (count < t->entries)
            t->entry[count] = value;
        count++;
    }
    if (count == t->entries)
        return HISS_OK;
    return hs_reader_fail(b->in, &t->place, err,
                          "this table has %lld entries, its variables need "
                          "%lld",
                          (long long)count, (long long)t->entries);
}

/* The table may come before the parents, so it is stored until the end. */
static hiss_status finish_definition(hs_bayes *b, int child, char *text,
                                     const hs_place *table,
                                     const hs_place *where, hiss_error *err)
{
    hs_bayes_table *t;

    if (child < 0 || !text)
        return hs_reader_fail(b->in, where, err, "this definition has no %s",
                              child < 0 ? "FOR" : "TABLE");
    HS_TRY(hs_bayes_scope(b, child, where, err));
    HS_TRY(hs_bayes_table_add(b, 1, table, &t, err));
    return fill(b, t, text, err);
}

static hiss_status read_parts(hs_bayes *b, hs_xml *x, int *child, char **text,
                              hs_place *table, hiss_error *err)
{
    int parent;

    for (;;) {
        HS_TRY(hs_xml_next(x, err));
        if (x->event != HS_XML_OPEN)
            return HISS_OK;
        if (hs_xml_is(x, "FOR")) {
            HS_TRY(with_text(b, x, use_for, child, err));
        } else if (hs_xml_is(x, "GIVEN")) {
            HS_TRY(with_text(b, x, use_given, &parent, err));
        } else if (hs_xml_is(x, "TABLE") && !*text) {
            *table = x->place;
            HS_TRY(hs_xml_text(x, text, err));
        } else {
            HS_TRY(hs_xml_skip(x, err));
        }
    }
}

static hiss_status read_definition(hs_bayes *b, hs_xml *x, hiss_error *err)
{
    hs_place where = x->place, table = x->place;
    char *text = NULL;
    int child = -1;
    hiss_status rc;

    b->size = 0;
    rc = read_parts(b, x, &child, &text, &table, err);
    if (rc == HISS_OK)
        rc = finish_definition(b, child, text, &table, &where, err);
    hs_free(text);
    return rc;
}

static hiss_status read_elements(hs_bayes *b, hs_xml *x, hiss_error *err)
{
    HS_TRY(hs_xml_next(x, err));
    if (x->event != HS_XML_OPEN || !hs_xml_is(x, "BIF"))
        return hs_reader_fail(b->in, &x->place, err, "expected <BIF>");
    while (x->event != HS_XML_END) {
        HS_TRY(hs_xml_next(x, err));
        if (x->event != HS_XML_OPEN || hs_xml_is(x, "NETWORK"))
            continue;
        if (hs_xml_is(x, "VARIABLE"))
            HS_TRY(read_variable(b, x, err));
        else if (hs_xml_is(x, "DEFINITION") || hs_xml_is(x, "PROBABILITY"))
            HS_TRY(read_definition(b, x, err));
        else
            HS_TRY(hs_xml_skip(x, err));
    }
    return HISS_OK;
}

static hiss_status xmlbif_read(hs_problem *out, hs_reader *in,
                               const void *options, hiss_error *err)
{
    hs_bayes b = {.in = in};
    hs_xml x;
    hiss_status rc = hs_xml_begin(&x, in, err);

    (void)options;
    if (rc == HISS_OK)
        rc = read_elements(&b, &x, err);
    if (rc == HISS_OK)
        rc = hs_bayes_finish(&b, out, err);
    hs_xml_end(&x);
    hs_bayes_clear(&b);
    return rc;
}

static const char *const xmlbif_tested[] = {
    "written by pgmpy 1.1.2 (tests/data/pgmpy)",
    NULL,
};

const hs_format hs_format_xmlbif = {
    .name = "xmlbif",
    .title = "Bayes net in XMLBIF",
    .summary = "Bayes nets in XMLBIF 0.3, with names",
    .suffixes = "xmlbif xml",
    .options = xmlbif_options,
    .sniff = xmlbif_sniff,
    .read = xmlbif_read,
    .tested = xmlbif_tested,
};
