/* json.h - jansson, with failed allocations reported.
 *
 * A tree under construction remembers that memory ran out, so only the end
 * needs a check.  Printed text comes from hs_alloc_array.  The parser
 * distinguishes bad text from lack of memory. */
#ifndef HS_BASE_READ_JSON_H
#define HS_BASE_READ_JSON_H

#include <jansson.h>
#include <stdbool.h>

#include <hiss/status.h>

/* Take ownership of `value`.  Set *failed if it is NULL or memory is short. */
void hs_json_put(json_t *object, const char *key, json_t *value, bool *failed);
void hs_json_add(json_t *array, json_t *value, bool *failed);

/* Omits the key if the text is NULL or not UTF-8. */
void hs_json_put_text(json_t *object, const char *key, const char *text,
                      bool *failed);
/* Writes null if the number is not finite. */
void hs_json_put_real(json_t *object, const char *key, double value,
                      bool *failed);
void hs_json_put_whole(json_t *object, const char *key, int64_t value,
                       bool *failed);

bool hs_json_is_utf8(const char *text);

/* Calls json_dumps; the caller owns the text (hs_free).  NULL if memory is
 * short. */
char *hs_json_print(const json_t *value, size_t flags);

/* Calls json_loadb, and tries again on failure: see hs_json_lacked_memory. */
json_t *hs_json_parse(const char *text, size_t length, size_t flags,
                      json_error_t *fault);

/* Whether a parser gave up because of memory, not because of the text.  jansson
 * reports an invalid token in both cases.  A second try shows whether the lack
 * was temporary; a lasting lack shows if the tree of such a text would not fit
 * now. */
bool hs_json_lacked_memory(const json_error_t *fault, size_t length);

#endif
