/* sink.c - the list of writers, and their shared code. */
#include "sink/sink.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/read/bulk.h"
#include "base/text.h"

#define HS_SINK(name) extern const hs_sink hs_sink_##name;
#include "sink/sinks.def"
#undef HS_SINK

const hs_sink *const hs_sinks[] = {
#define HS_SINK(name) &hs_sink_##name,
#include "sink/sinks.def"
#undef HS_SINK
    NULL,
};

/* Whether path ends in one of the suffixes and has a name before it. */
static bool fits(const char *path, const char *suffixes)
{
    size_t length = strlen(path);

    while (*suffixes) {
        size_t size = strcspn(suffixes, " ");
        const char *tail = path + length - size;

        if (length > size && memcmp(tail, suffixes, size) == 0 &&
            (tail[-1] != '/' || *suffixes == '/'))
            return true;
        suffixes += size + strspn(suffixes + size, " ");
    }
    return false;
}

hiss_status hs_sink_find(const hs_sink **out, const char *path, hiss_error *err)
{
    hs_text known = {0};
    hiss_status rc;
    char *list;

    *out = NULL;
    for (int s = 0; hs_sinks[s]; s++)
        if (fits(path, hs_sinks[s]->suffixes)) {
            *out = hs_sinks[s];
            return HISS_OK;
        }
    for (int s = 0; hs_sinks[s]; s++) {
        hs_text_add_string(&known, s ? " " : "");
        hs_text_add_string(&known, hs_sinks[s]->suffixes);
    }
    list = hs_text_take(&known);
    if (fits(path, ".nc"))
        rc = hs_fail(err, HISS_EUNSUP,
                     "%s: this build of hiss is without netCDF", path);
    else
        rc = hs_fail(err, HISS_EARG,
                     "%s: unknown suffix, expected a file name that ends in "
                     "one of %s",
                     *path ? path : "''", list ? list : "");
    hs_free(list);
    return rc;
}

size_t hs_element_size(hiss_element e)
{
    return e == HISS_INT8 ? 1 : e == HISS_INT16 ? 2 : 4;
}

double hs_element_at(hiss_element e, const void *array, int64_t index)
{
    if (e == HISS_INT8)
        return (double)((const int8_t *)array)[index];
    if (e == HISS_INT16)
        return (double)((const int16_t *)array)[index];
    return (double)((const float *)array)[index];
}

hiss_status hs_loaded_init(hs_loaded *in, int64_t chains, int64_t samples,
                           int64_t dim, hiss_element e, bool has_accept,
                           const char *path, hiss_error *err)
{
    size_t rows, values;

    *in = (hs_loaded){.chains = (int)chains,
                      .dim = (int)dim,
                      .samples = samples,
                      .element = e};
    if (chains < 1 || samples < 1 || dim < 1 || chains > INT32_MAX ||
        dim > INT32_MAX ||
        __builtin_mul_overflow((size_t)chains, (size_t)samples, &rows) ||
        __builtin_mul_overflow(rows, (size_t)dim, &values))
        return hs_fail(err, HISS_EPARSE,
                       "%s: %lld chains of %lld draws of %lld coordinates "
                       "cannot be meant",
                       path, (long long)chains, (long long)samples,
                       (long long)dim);
    in->x = hs_bulk_alloc(values, hs_element_size(e), HUGE_VAL, &in->mapped);
    in->lp = hs_alloc_array(rows, sizeof *in->lp);
    if (has_accept)
        in->accept = hs_alloc_array(rows, sizeof *in->accept);
    if (in->x && in->lp && (in->accept || !has_accept))
        return HISS_OK;
    hs_loaded_clear(in);
    return hs_fail_memory(err);
}

void hs_loaded_clear(hs_loaded *in)
{
    hs_bulk_free(in->x, in->mapped);
    hs_free(in->lp);
    hs_free(in->accept);
    hs_free(in->marginal);
    hs_free(in->manifest);
    *in = (hs_loaded){0};
}
