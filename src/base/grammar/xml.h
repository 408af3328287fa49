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
    HS_XML_OPEN,  /* start of an element: name and attributes */
    HS_XML_CLOSE, /* end of an element: name */
    HS_XML_END,   /* end of the text; all elements are closed */
} hs_xml_event;

typedef struct hs_xml {
    hs_reader *in; /* borrowed */
    hs_xml_event event;
    hs_text name;                 /* name of the element, a string at name.at */
    hs_text attributes;           /* "key\0value\0..." */
    hs_place place;               /* position of its '<' */
    char *open[HS_XML_DEPTH_MAX]; /* owned: names of open elements */
    int depth;
    bool is_empty; /* the element just opened is already closed */
} hs_xml;

/* Skips the declaration; `in` must be at its beginning. */
hiss_status hs_xml_begin(hs_xml *x, hs_reader *in, hiss_error *err);
void hs_xml_end(hs_xml *x);

/* Moves to the next start or end of an element; skips text between. */
hiss_status hs_xml_next(hs_xml *x, hiss_error *err);

bool hs_xml_is(const hs_xml *x, const char *name);
/* Returns an attribute of the element just opened, or NULL; valid until the
 * next call. */
const char *hs_xml_attribute(const hs_xml *x, const char *key);

/* Reads the text of the element just opened, without white space at both ends
 * (hs_free), and moves behind its end; x->place stays at its start.  Fails on
 * inner elements. */
hiss_status hs_xml_text(hs_xml *x, char **text, hiss_error *err);

/* Skips the rest of the element just opened. */
hiss_status hs_xml_skip(hs_xml *x, hiss_error *err);

#endif
