/* spec_print.h - parts of a spec's canonical text, for whoever prints more
 * than one spec. */
#ifndef HS_BASE_SPEC_SPEC_PRINT_H
#define HS_BASE_SPEC_SPEC_PRINT_H

#include "base/spec/spec.h"
#include "base/text.h"

/* text as a word, in quotes where it needs them. */
void hs_spec_print_word(hs_text *out, const char *text);

/* The spec without its own key. */
void hs_spec_print_to(hs_text *out, const hs_spec *spec);

#endif
