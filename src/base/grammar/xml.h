/* xml.h - the elements of an XML text, one after the other.
 *
 * Enough for data: elements, attributes, text, comments, CDATA, the five named
 * entities and numbered characters.  Declarations and document types are
 * passed over, and no other entity is known, so that nothing outside the file
 * is ever read.  Names keep their prefix.
 *
 *     hs_xml_begin(&x, in, err);
 *     while (hs_xml_next(&x, err) == HISS_OK && x.event != HS_XML_END)
 *         if (x.event == HS_XML_OPEN && hs_xml_is(&x, "NAME"))
 *             hs_xml_text(&x, &text, err);
 */
#ifndef HS_BASE_GRAMMAR_XML_H
#define HS_BASE_GRAMMAR_XML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/read/reader.h"
#include "base/text.h"

#define HS_XML_DEPTH_MAX 64

typedef enum hs_xml_event {
    HS_XML_OPEN,  /* an element begins: name and attributes */
    HS_XML_CLOSE, /* it ends: name */
    HS_XML_END,   /* the text has ended, all elements are closed */
} hs_xml_event;

typedef struct hs_xml {
    hs_reader *in; /* borrowed */
    hs_xml_event event;
    hs_text name;                 /* of the element, as a string at name.at */
    hs_text attributes;           /* "key\0value\0..." */
    hs_place place;               /* where its '<' is */
    char *open[HS_XML_DEPTH_MAX]; /* owned: names of elements that are open */
    int depth;
    bool is_empty; /* the element that was opened is closed already */
} hs_xml;

/* Passes over the declaration; in is at its beginning. */
hiss_status hs_xml_begin(hs_xml *x, hs_reader *in, hiss_error *err);
void hs_xml_end(hs_xml *x);

/* To the next beginning or end of an element; text between is passed over. */
hiss_status hs_xml_next(hs_xml *x, hiss_error *err);

bool hs_xml_is(const hs_xml *x, const char *name);
/* The value of an attribute of the element that was just opened, or NULL;
 * valid until the next call. */
const char *hs_xml_attribute(const hs_xml *x, const char *key);

/* Of the element that was just opened: its text, without white space at both
 * ends, to be freed with hs_free; its end is passed, x->place stays at its
 * beginning.  Elements within it are refused. */
hiss_status hs_xml_text(hs_xml *x, char **text, hiss_error *err);

/* Passes over the rest of the element that was just opened. */
hiss_status hs_xml_skip(hs_xml *x, hiss_error *err);

#endif
