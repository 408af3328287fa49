/* json.h - jansson with its failed allocations reported.
 *
 * A tree in the making remembers that memory ran out, so that only the end has
 * to be checked; printed text comes from hs_alloc_array; what cannot be
 * parsed is distinguished from what there was no memory for. */
#ifndef HS_BASE_READ_JSON_H
#define HS_BASE_READ_JSON_H

#include <jansson.h>
#include <stdbool.h>

#include <hiss/status.h>

/* All of these take over `value`; NULL, or no room for it, sets *failed. */
void hs_json_put(json_t *object, const char *key, json_t *value, bool *failed);
void hs_json_add(json_t *array, json_t *value, bool *failed);

/* Left out when it is NULL or not UTF-8. */
void hs_json_put_text(json_t *object, const char *key, const char *text,
                      bool *failed);
/* null when it is not finite. */
void hs_json_put_real(json_t *object, const char *key, double value,
                      bool *failed);
void hs_json_put_whole(json_t *object, const char *key, int64_t value,
                       bool *failed);

bool hs_json_is_utf8(const char *text);

/* json_dumps, owned by the caller (hs_free); NULL without memory. */
char *hs_json_print(const json_t *value, size_t flags);

/* json_loadb, tried again when it fails: see below. */
json_t *hs_json_parse(const char *text, size_t length, size_t flags,
                      json_error_t *fault);

/* Whether a parser gave up for lack of memory, not for the text of `length`
 * bytes.  jansson calls a token invalid that it had no memory for: a second
 * try finds whether it was a moment's lack or a fault of the text, and a
 * lasting lack is seen from whether the tree of such a text would fit now. */
bool hs_json_lacked_memory(const json_error_t *fault, size_t length);

#endif
