/* import.c - reads draws of another program from its files, by their
 * suffixes. */
#include <math.h>
#include <string.h>

#include "api/object/objects.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/read/input.h"
#include "format/draws/draws.h"
#include "sink/apart.h"
#include "sink/arviz.h"

#define FILES_MAX 65536

static bool ends_in(const char *path, const char *suffix)
{
    size_t length = strlen(path), end = strlen(suffix);

    return length > end && strcmp(path + length - end, suffix) == 0;
}

#ifdef HS_HAVE_NETCDF
static hiss_status read_netcdf(hs_drawn *out, const char *path, int dim,
                               hiss_error *err)
{
    int64_t rows;
    bool has_lp = false;
    hs_loaded in;
    hiss_status rc = HISS_OK;

    *out = (hs_drawn){0};
    HS_TRY(hs_input_check(path, err)); /* netCDF opens it by its name */
    HS_TRY(hs_apart_read(&in, &hs_sink_arviz, path, err));
    rows = in.chains * in.samples;
    if (in.dim != dim)
        rc = hs_fail(err, HISS_EPARSE,
                     "%s: its variables have %d entries in all, the model has "
                     "%d coordinates",
                     path, in.dim, dim);
    *out = (hs_drawn){.chains = in.chains, .samples = in.samples, .dim = dim};
    if (rc == HISS_OK)
        out->x = hs_alloc_array((size_t)rows * (size_t)dim, sizeof *out->x);
    for (int64_t n = 0; n < rows; n++)
        has_lp = has_lp || !isnan(in.lp[n]);
    if (rc == HISS_OK && has_lp)
        out->lp = hs_alloc_array((size_t)rows, sizeof *out->lp);
    if (rc == HISS_OK && (!out->x || (has_lp && !out->lp)))
        rc = hs_fail_memory(err);
    for (int64_t k = 0; rc == HISS_OK && k < rows * dim; k++)
        out->x[k] = hs_element_at(in.element, in.x, k);
    if (out->lp)
        memcpy(out->lp, in.lp, (size_t)rows * sizeof *out->lp);
    hs_loaded_clear(&in);
    if (rc != HISS_OK)
        hs_drawn_clear(out);
    return rc;
}
#endif

static hiss_status read_one(hs_drawn *out, const char *path, int dim,
                            hiss_error *err)
{
#ifdef HS_HAVE_NETCDF
    if (ends_in(path, ".nc") || ends_in(path, ".netcdf"))
        return read_netcdf(out, path, dim, err);
#endif
    if (ends_in(path, ".npz") || ends_in(path, ".npy"))
        return hs_drawn_read_numpy(out, path, dim, err);
    if (ends_in(path, ".json"))
        return hs_drawn_read_sampleset(out, path, dim, err);
    if (ends_in(path, ".csv") || ends_in(path, ".csv.gz") ||
        ends_in(path, ".txt"))
        return hs_drawn_read_csv(out, path, dim, err);
    return hs_fail(err, HISS_EARG,
                   "%.512s: draws by its name in no known way, expected .csv, "
                   ".npz, .npy, .nc or .json",
                   path);
}

/* Appends the chains of another file. */
static hiss_status append(hs_drawn *all, hs_drawn *more, const char *path,
                          hiss_error *err)
{
    int64_t rows = all->chains * all->samples;
    int64_t new = more->chains * more->samples;
    size_t dim = (size_t)all->dim;
    double *wider;

    if (more->samples != all->samples)
        return hs_fail(err, HISS_EPARSE,
                       "%s: %lld draws of a chain, the files before it have "
                       "%lld: cut all to the same length",
                       path, (long long)more->samples, (long long)all->samples);
    if ((all->lp == NULL) != (more->lp == NULL))
        return hs_fail(err, HISS_EPARSE,
                       more->lp
                           ? "%s has energies, the files before it have none"
                           : "%s has no energies, the files before it do",
                       path);
    wider = hs_realloc_array(all->x, (size_t)rows * dim,
                             (size_t)(rows + new) * dim, sizeof *wider);
    if (!wider)
        return hs_fail_memory(err);
    all->x = wider;
    memcpy(all->x + (size_t)rows * dim, more->x,
           (size_t) new *dim * sizeof *all->x);
    if (all->lp) {
        wider = hs_realloc_array(all->lp, (size_t)rows, (size_t)(rows + new),
                                 sizeof *wider);
        if (!wider)
            return hs_fail_memory(err);
        all->lp = wider;
        memcpy(all->lp + rows, more->lp, (size_t) new * sizeof *all->lp);
    }
    all->chains += more->chains;
    return HISS_OK;
}

static hiss_status read_all(hs_drawn *all, const char *const *paths, int count,
                            int dim, hiss_error *err)
{
    HS_TRY(read_one(all, paths[0], dim, err));
    for (int k = 1; k < count; k++) {
        hs_drawn more;
        hiss_status rc = read_one(&more, paths[k], dim, err);

        if (rc == HISS_OK)
            rc = append(all, &more, paths[k], err);
        hs_drawn_clear(&more);
        HS_TRY(rc);
    }
    return HISS_OK;
}

hiss_status hiss_result_import(hiss_result **out, const hiss_model *model,
                               const char *const *paths, int count,
                               hiss_error *err)
{
    hs_drawn all = {0};
    hiss_foreign_draws draws = {.size = sizeof draws};
    hiss_status rc;

    if (out)
        *out = NULL;
    if (!out || !model || !paths)
        return hs_fail(err, HISS_EARG,
                       "hiss_result_import: an argument is NULL");
    if (count < 1 || count > FILES_MAX)
        return hs_fail(err, HISS_EARG, "count must be in [1,%d], not %d",
                       FILES_MAX, count);
    for (int k = 0; k < count; k++)
        if (!paths[k] || !*paths[k])
            return hs_fail(err, HISS_EARG, "the name of a file is empty");
    rc = read_all(&all, paths, count, model->model->domain.dim, err);
    if (rc == HISS_OK) {
        draws.name = paths[0];
        draws.chains = (int)all.chains;
        draws.samples = all.samples;
        draws.draws = all.x;
        draws.lp = all.lp;
        rc = hiss_result_adopt(out, model, &draws, err);
    }
    hs_drawn_clear(&all);
    return rc;
}
