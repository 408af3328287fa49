/* arviz.c - draws of other programs from netCDF, in the layout of ArviZ. */
#include "sink/arviz.h"

#include <math.h>
#include <netcdf.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

#define VARIABLES_MAX 4096
#define DIM_MAX       ((int64_t)1 << 24)

/* A variable over chain and draw, with or without further dimensions. */
struct variable {
    int id;
    int64_t entries; /* entries of one draw */
};

struct file {
    const char *path;
    int id, posterior, stats;  /* stats is -1 if absent */
    struct variable *variable; /* owned, [count] */
    int count;
    int64_t chains, samples, dim;
};

static hiss_status broken(const struct file *f, const char *what, int rc,
                          hiss_error *err)
{
    return hs_fail(err, HISS_EPARSE, "%s: %s: %s", f->path, what,
                   nc_strerror(rc));
}

/* Whether it has one number, or several, for each chain and draw, and how many;
 * texts do not count. */
static bool has_shape(int group, int id, int64_t size[3])
{
    static const char *const names[] = {"chain", "draw"};
    int dims[NC_MAX_VAR_DIMS], count = 0;
    nc_type type;

    if (nc_inq_var(group, id, NULL, &type, &count, dims, NULL) != NC_NOERR ||
        count < 2 || type == NC_CHAR || type > NC_UINT64)
        return false;
    size[2] = 1;
    for (int k = 0; k < count; k++) {
        char name[NC_MAX_NAME + 1] = "";
        size_t length = 0;

        if (nc_inq_dim(group, dims[k], name, &length) != NC_NOERR ||
            length > (size_t)DIM_MAX || (k < 2 && strcmp(name, names[k]) != 0))
            return false;
        if (k < 2)
            size[k] = (int64_t)length;
        else if (__builtin_mul_overflow(size[2], (int64_t)length, &size[2]))
            return false;
    }
    return size[2] <= DIM_MAX;
}

static bool is_lp(int group, int id)
{
    char name[NC_MAX_NAME + 1] = "";

    return nc_inq_varname(group, id, name) == NC_NOERR &&
           strcmp(name, "lp") == 0;
}

static hiss_status find_variables(struct file *f, hiss_error *err)
{
    int ids[VARIABLES_MAX], count = 0;
    int64_t size[3];
    int rc = nc_inq_varids(f->posterior, &count, NULL);

    if (rc == NC_NOERR && count > VARIABLES_MAX)
        return hs_fail(err, HISS_EPARSE, "%s: %d variables, more than %d",
                       f->path, count, VARIABLES_MAX);
    if (rc == NC_NOERR)
        rc = nc_inq_varids(f->posterior, &count, ids);
    if (rc != NC_NOERR)
        return broken(f, "its variables", rc, err);
    f->variable = hs_alloc_array((size_t)count, sizeof *f->variable);
    if (!f->variable)
        return hs_fail_memory(err);
    for (int k = 0; k < count; k++) {
        if (!has_shape(f->posterior, ids[k], size) ||
            is_lp(f->posterior, ids[k]))
            continue;
        if (f->count > 0 && (size[0] != f->chains || size[1] != f->samples))
            return broken(f, "its variables differ in length", NC_EBADDIM, err);
        f->chains = size[0];
        f->samples = size[1];
        f->dim += size[2];
        f->variable[f->count++] = (struct variable){ids[k], size[2]};
    }
    if (f->count > 0 && f->dim <= DIM_MAX)
        return HISS_OK;
    return hs_fail(err, HISS_EPARSE,
                   "%s: no variable with the dimensions chain and draw%s",
                   f->path, f->count > 0 ? " that is small enough" : "");
}

static hiss_status take_variable(const struct file *f, int number,
                                 int64_t first, hs_loaded *in, hiss_error *err)
{
    const struct variable *v = &f->variable[number];
    int64_t rows = f->chains * f->samples;
    double *value =
        hs_alloc_array((size_t)rows * (size_t)v->entries, sizeof *value);
    float *x = in->x;
    int rc;

    if (!value)
        return hs_fail_memory(err);
    rc = nc_get_var_double(f->posterior, v->id, value);
    for (int64_t n = 0; n < rows && rc == NC_NOERR; n++)
        for (int64_t k = 0; k < v->entries; k++)
            x[n * f->dim + first + k] = (float)value[n * v->entries + k];
    hs_free(value);
    return rc == NC_NOERR ? HISS_OK : broken(f, "its draws", rc, err);
}

static void take_lp(const struct file *f, hs_loaded *in)
{
    int64_t rows = f->chains * f->samples, size[3];
    int group = f->stats >= 0 ? f->stats : f->posterior, id;

    if (nc_inq_varid(group, "lp", &id) == NC_NOERR &&
        has_shape(group, id, size) && size[0] == f->chains &&
        size[1] == f->samples && size[2] == 1 &&
        nc_get_var_double(group, id, in->lp) == NC_NOERR)
        return;
    for (int64_t n = 0; n < rows; n++)
        in->lp[n] = NAN;
}

static hiss_status take(struct file *f, hs_loaded *in, hiss_error *err)
{
    int64_t first = 0;

    if (nc_inq_grp_ncid(f->id, "posterior", &f->posterior) != NC_NOERR)
        f->posterior = f->id;
    if (nc_inq_grp_ncid(f->id, "sample_stats", &f->stats) != NC_NOERR)
        f->stats = -1;
    HS_TRY(find_variables(f, err));
    HS_TRY(hs_loaded_init(in, f->chains, f->samples, f->dim, HISS_FLOAT32,
                          false, f->path, err));
    for (int k = 0; k < f->count; k++) {
        HS_TRY(take_variable(f, k, first, in, err));
        first += f->variable[k].entries;
    }
    take_lp(f, in);
    in->manifest = hs_strdup("{}");
    return in->manifest ? HISS_OK : hs_fail_memory(err);
}

static hiss_status arviz_read(hs_loaded *in, const char *path, hiss_error *err)
{
    struct file f = {.path = path};
    int rc = nc_open(path, NC_NOWRITE, &f.id);
    hiss_status status;

    *in = (hs_loaded){0};
    if (rc != NC_NOERR)
        return hs_fail(err, HISS_EPARSE,
                       "%s: is no netCDF file, or it is cut short: %s", path,
                       nc_strerror(rc));
    status = take(&f, in, err);
    nc_close(f.id);
    hs_free(f.variable);
    if (status != HISS_OK)
        hs_loaded_clear(in);
    return status;
}

const hs_sink hs_sink_arviz = {
    .name = "netcdf", .read = arviz_read, .is_fragile = true};
