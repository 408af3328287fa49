/* trust.h - what the words of a result may open. */
#ifndef HS_API_OBJECT_TRUST_H
#define HS_API_OBJECT_TRUST_H

#include "api/object/objects.h"

/* Remembers where the file lies that a result was read from. */
hiss_status hs_result_set_folder(hiss_result *result, const char *path,
                                 hiss_error *err);

/* The rule for the words of a result; plugins are the user's, or NULL.  Its
 * texts are borrowed from the result. */
/* The caller's trust, of any size, as this library has it, in `room`; NULL
 * stays NULL. */
hiss_status hs_trust_read(const hiss_trust **trust, hiss_trust *room,
                          hiss_error *err);
hiss_status hs_trust_init(hiss_trust *t, const hiss_result *result,
                          const char *const *plugins, hiss_error *err);
void hs_trust_clear(hiss_trust *t);

#endif
