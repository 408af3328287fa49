/* option_value.h - checks and stores one value of an option. */
#ifndef HS_BASE_SPEC_OPTION_VALUE_H
#define HS_BASE_SPEC_OPTION_VALUE_H

#include "base/spec/option.h"

/* Stores `given` in the field of option o in target, for every type but
 * HS_CHILDREN. */
hiss_status hs_option_store(const hs_option *o, const hs_spec *given,
                            const char *what, void *target, hiss_error *err);

#endif
