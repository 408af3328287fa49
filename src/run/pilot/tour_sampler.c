/* tour_spec.c - what a sampler's options mean on tours. */
#include "run/pilot/tour_spec.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

#define AUTO "pt(base=sequence(tour,hiss(steps=0)),levels=auto)"

/* Options that have another default on tours, and their places among the
 * options of their kernel. */
static const struct {
    const char *kernel, *key;
    int place;
    const char *value;
} usual[] = {
    {"pt", "base", 0, "tour"},
    {"anneal", "base", 0, "tour"},
    {"hiss", "inner", 2, "tour"},
    {"hiss", "block", 7, "3"}, /* keys: few cities find new places */
};

static bool is_given(const hs_spec *spec, const char *key, int place)
{
    int unnamed = 0;

    for (int i = 0; i < spec->count; i++)
        unnamed += spec->child[i].key == NULL;
    return unnamed > place || hs_spec_find(spec, key);
}

static hiss_status give(hs_spec *spec, const char *key, const char *value,
                        hiss_error *err)
{
    size_t count = (size_t)spec->count;
    hs_spec *grown =
        hs_realloc_array(spec->child, count, count + 1, sizeof *grown);

    if (!grown)
        return hs_fail_memory(err);
    spec->child = grown;
    HS_TRY(hs_spec_parse_value(&grown[count], value, "sampler spec", err));
    spec->count++;
    spec->has_parens = true;
    grown[count].key = hs_strdup(key);
    return grown[count].key ? HISS_OK : hs_fail_memory(err);
}

static hiss_status complete(hs_spec *spec, hiss_error *err)
{
    for (size_t n = 0; n < sizeof usual / sizeof *usual; n++)
        if (spec->text && strcmp(spec->text, usual[n].kernel) == 0 &&
            !is_given(spec, usual[n].key, usual[n].place))
            HS_TRY(give(spec, usual[n].key, usual[n].value, err));
    for (int i = 0; i < spec->count; i++)
        HS_TRY(complete(&spec->child[i], err));
    return HISS_OK;
}

hiss_status hs_tour_spec(hs_spec *spec, const hs_model *m, hiss_error *err)
{
    if (!m->domain.is_tour)
        return HISS_OK;
    if (spec->text && strcmp(spec->text, "auto") == 0 &&
        !hs_spec_find(spec, "base")) {
        hs_spec_clear(spec);
        HS_TRY(hs_spec_parse(spec, AUTO, err));
    }
    return complete(spec, err);
}
