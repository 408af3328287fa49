/* observable.c - numbers of every draw of a result, from a text. */
#include "api/object/objects.h"
#include "base/alloc.h"
#include "base/error.h"
#include "diag/observe/expression.h"

hiss_status hiss_result_observable(const hiss_result *result,
                                   const char *expression, double *out,
                                   hiss_error *err)
{
    const hiss_run_info *info;
    const hs_store *store;
    hs_expression *e;
    double *x;

    if (!result || !expression || !out)
        return hs_fail(err, HISS_EARG,
                       "hiss_result_observable: an argument is NULL");
    info = &result->run.info;
    store = &result->run.store;
    HS_TRY(hs_expression_create(&e, expression, info->dim, err));
    x = hs_alloc_array((size_t)info->dim, sizeof *x);
    for (int c = 0; x && c < info->chains; c++)
        for (int64_t n = 0; n < info->samples; n++) {
            int64_t at = c * info->samples + n;

            hs_store_draw(store, c, n, x);
            out[at] = hs_expression_value(e, x, store->lp[at]);
        }
    hs_expression_destroy(e);
    hs_free(x);
    return x ? HISS_OK : hs_fail_memory(err);
}
