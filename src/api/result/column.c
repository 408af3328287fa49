/* column.c - diagnostics of the columns of a result. */
#include <string.h>

#include "api/object/objects.h"
#include "api/object/sized.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/pool.h"
#include "diag/tests/agree.h"

/* Writes to a struct of the caller. */
static hiss_status describe(const double *draws, int chains, int64_t samples,
                            hiss_column *out, hiss_error *err)
{
    hiss_column column;
    hs_agreement agree;

    HS_TRY(hs_sized_check(out, "hiss_column", err));
    HS_TRY(hs_measure(draws, chains, samples, &column, &agree, err));
    hs_sized_fill(out, &column, sizeof column);
    return HISS_OK;
}

hiss_status hiss_describe(const double *draws, int chains, int64_t samples,
                          hiss_column *out, hiss_error *err)
{
    if (!draws || !out || chains < 1 || samples < 0)
        return hs_fail(err, HISS_EARG, "hiss_describe: no draws are given");
    return describe(draws, chains, samples, out, err);
}

hiss_status hiss_result_coordinate(const hiss_result *result, int coordinate,
                                   hiss_column *out, hiss_error *err)
{
    const hiss_run_info *info;
    double *column;
    hiss_status rc;

    if (!result || !out)
        return hs_fail(err, HISS_EARG,
                       "hiss_result_coordinate: an argument is NULL");
    info = &result->run.info;
    if (coordinate < 0 || coordinate >= info->dim)
        return hs_fail(err, HISS_EARG, "coordinate %d of %d", coordinate,
                       info->dim);
    column = hs_alloc_array((size_t)info->chains * (size_t)info->samples,
                            sizeof *column);
    if (!column)
        return hs_fail_memory(err);
    hs_store_column(&result->run.store, info->samples, coordinate, column);
    rc = describe(column, info->chains, info->samples, out, err);
    hs_free(column);
    return rc;
}

/* Shared by the threads; each writes its own entries only.  Elements of the
 * caller's array are `size` bytes apart, whatever sizeof is here. */
struct work {
    const hiss_result *result;
    const int *coordinates;
    char *out;
    size_t size;
    hiss_status *status; /* owned */
};

static void describe_one(void *context, int n)
{
    struct work *w = context;
    void *out = w->out + (size_t)n * w->size;

    memcpy(out, &w->size, sizeof w->size);
    w->status[n] =
        hiss_result_coordinate(w->result, w->coordinates[n], out, NULL);
}

hiss_status hiss_result_coordinates(const hiss_result *result, int count,
                                    const int *coordinates, int threads,
                                    hiss_column *out, hiss_error *err)
{
    struct work w = {.result = result, .coordinates = coordinates};
    hs_pool *pool = NULL;
    hiss_status rc;

    if (!result || count < 0 || (count > 0 && (!coordinates || !out)))
        return hs_fail(err, HISS_EARG,
                       "hiss_result_coordinates: an argument is NULL, or there "
                       "are fewer than 0 coordinates");
    HS_TRY(hs_check_threads(threads, err));
    if (count == 0)
        return HISS_OK;
    HS_TRY(hs_sized_check(out, "hiss_column", err));
    w.out = (char *)out;
    w.size = out->size;
    for (int n = 0; n < count; n++)
        if (coordinates[n] < 0 || coordinates[n] >= result->run.info.dim)
            return hs_fail(err, HISS_EARG, "coordinate %d of %d",
                           coordinates[n], result->run.info.dim);
    w.status = hs_alloc_array((size_t)count, sizeof *w.status);
    rc = w.status ? hs_pool_create(&pool, hs_threads(threads), err)
                  : hs_fail_memory(err);
    if (rc == HISS_OK)
        hs_pool_run(pool, describe_one, &w, count);
    for (int n = 0; n < count && rc == HISS_OK; n++)
        if (w.status[n] != HISS_OK)
            rc = hs_fail_memory(err); /* the only possible failure */
    hs_pool_destroy(pool);
    hs_free(w.status);
    return rc;
}

hiss_status hiss_result_energy(const hiss_result *result, hiss_column *out,
                               hiss_error *err)
{
    const hiss_run_info *info;

    if (!result || !out)
        return hs_fail(err, HISS_EARG,
                       "hiss_result_energy: an argument is NULL");
    info = &result->run.info;
    return describe(result->run.store.lp, info->chains, info->samples, out,
                    err);
}
