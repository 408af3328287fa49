/* older.c - the table of names that were replaced. */
#include "base/spec/older.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *old, *now;
} older[] = {
    {"strands", "replicas"},  /* a sampler */
    {"pieces", "components"}, /* of bridge */
    {"parts", "houdayer"},    /* of pt */
    {"leg", "path"},          /* of pt */
    {"colours", "colors"},    /* of chromatic and dimacs */
};

const char *hs_older_name(const char *name)
{
    for (size_t n = 0; n < sizeof older / sizeof *older; n++)
        if (strcmp(older[n].old, name) == 0)
            return older[n].now;
    return name;
}
