/* trust.h - which files the names in a result may open. */
#ifndef HS_API_OBJECT_TRUST_H
#define HS_API_OBJECT_TRUST_H

#include "api/object/objects.h"

/* Stores the folder of the file that a result was read from. */
hiss_status hs_result_set_folder(hiss_result *result, const char *path,
                                 hiss_error *err);

/* Returns the rule for the names in a result; plugins are the user's, or NULL.
 * Its texts are borrowed from the result. */
/* Converts the caller's trust, of any size, to this library's struct, in
 * `room`; NULL stays NULL. */
hiss_status hs_trust_read(const hiss_trust **trust, hiss_trust *room,
                          hiss_error *err);
hiss_status hs_trust_init(hiss_trust *t, const hiss_result *result,
                          const char *const *plugins, hiss_error *err);
void hs_trust_clear(hiss_trust *t);

#endif
