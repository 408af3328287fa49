/* netcdf.c - a result as netCDF-4 in the layout of ArviZ.
 *
 *     posterior          x (chain, draw, coordinate)
 *     sample_stats       lp, acceptance_rate (chain, draw)
 *     warmup_posterior, warmup_sample_stats   the same of the warm-up
 *     constant_data      kind, states (coordinate); value, marginal (value)
 *
 * Every group has the attributes that ArviZ writes and the first one also the
 * manifest.  x is contiguous or, where that costs little of the time that
 * sampling took (DEFLATE_SHARE), chunked and deflated: zlib packs a byte of a
 * lattice in about 12 ns, which a fast sampler needs for a draw of it.
 *
 * This file and arviz.c alone know netcdf.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netcdf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "sink/apart.h"
#include "sink/file.h"
#include "sink/seal.h"
#include "sink/sink.h"

#define DEFLATE_SPEED 60e6 /* bytes per second, a slow machine */
#define DEFLATE_SHARE 0.04
#define CHUNK_BYTES   262144
#define HEADERS       ((size_t)20 << 10)
#define TOOL          "hiss"

static const char kind_words[] = "binary spin ordinal categorical permutation";

/* --- writing ------------------------------------------------------------ */

/* A file being written; after a fault nothing more is done. */
struct making {
    const hs_output *out;
    int file;
    int fault;
    bool is_packed; /* deflate x */
};

/* A group and its dimensions. */
struct group {
    int id, chain, draw, coordinate;
};

static void did(struct making *m, int rc)
{
    if (m->fault == NC_NOERR)
        m->fault = rc;
}

static void put_text(struct making *m, int group, const char *name,
                     const char *text)
{
    did(m, nc_put_att_text(group, NC_GLOBAL, name, strlen(text), text));
}

/* Writes the attributes that ArviZ gives every group. */
static void put_attributes(struct making *m, int group)
{
    const hs_output *out = m->out;
    long long steps = out->warmup_steps;
    int format = HS_RESULT_FORMAT;

    put_text(m, group, "created_at", out->created);
    put_text(m, group, "inference_library", TOOL);
    put_text(m, group, "inference_library_version", out->version);
    did(m, nc_put_att_double(group, NC_GLOBAL, "sampling_time", NC_DOUBLE, 1,
                             &out->seconds));
    did(m, nc_put_att_longlong(group, NC_GLOBAL, "tuning_steps", NC_INT64, 1,
                               &steps));
    did(m, nc_put_att_int(group, NC_GLOBAL, "hiss_format", NC_INT, 1, &format));
}

/* Adds a dimension with the coordinates first, first + 1, ... */
static int add_axis(struct making *m, int group, const char *name, int64_t size,
                    int first)
{
    int dim = 0, variable = 0;
    int *at = hs_alloc_array((size_t)size, sizeof *at);

    if (!at) {
        did(m, NC_ENOMEM);
        return 0;
    }
    for (int64_t i = 0; i < size; i++)
        at[i] = first + (int)i;
    did(m, nc_def_dim(group, name, (size_t)size, &dim));
    did(m, nc_def_var(group, name, NC_INT, 1, &dim, &variable));
    if (m->fault == NC_NOERR)
        did(m, nc_put_var_int(group, variable, at));
    hs_free(at);
    return dim;
}

static struct group add_group(struct making *m, const char *name,
                              const hs_draws *draws)
{
    struct group g = {0};

    did(m, nc_def_grp(m->file, name, &g.id));
    if (m->fault != NC_NOERR)
        return g;
    put_attributes(m, g.id);
    if (draws) {
        g.chain = add_axis(m, g.id, "chain", m->out->chains, 0);
        g.draw = add_axis(m, g.id, "draw", draws->samples, 0);
    }
    return g;
}

/* Adds the axis of coordinates: their names, as ArviZ shows them, or
 * numbers. */
static int add_coordinates(struct making *m, int group)
{
    const hs_domain *d = m->out->domain;
    int dim = 0, variable = 0;

    if (!d->names)
        return add_axis(m, group, "coordinate", d->dim, 1);
    did(m, nc_def_dim(group, "coordinate", (size_t)d->dim, &dim));
    did(m, nc_def_var(group, "coordinate", NC_STRING, 1, &dim, &variable));
    for (int i = 0; i < d->dim && m->fault == NC_NOERR; i++) {
        size_t at = (size_t)i;
        const char *name = d->names[i];

        did(m, nc_put_var1_string(group, variable, &at, &name));
    }
    return dim;
}

static nc_type type_of(hiss_element e)
{
    return e == HISS_INT8 ? NC_BYTE : e == HISS_INT16 ? NC_SHORT : NC_FLOAT;
}

/* Chooses chunks of whole draws, of about CHUNK_BYTES. */
static void pack(struct making *m, int group, int variable, int64_t samples,
                 size_t bytes)
{
    size_t draws = CHUNK_BYTES / (bytes ? bytes : 1);
    size_t chunk[3] = {1, draws < 1 ? 1 : draws, (size_t)m->out->domain->dim};

    if (chunk[1] > (size_t)samples)
        chunk[1] = (size_t)samples;
    did(m, nc_def_var_chunking(group, variable, NC_CHUNKED, chunk));
    did(m, nc_def_var_deflate(group, variable, 0, 1, 1));
}

static void write_x(struct making *m, const char *name, const hs_draws *draws)
{
    const hs_output *out = m->out;
    size_t dim = (size_t)out->domain->dim;
    size_t bytes = dim * hs_element_size(out->element);
    struct group g = add_group(m, name, draws);
    int dims[3], x = 0;

    g.coordinate = add_coordinates(m, g.id);
    dims[0] = g.chain;
    dims[1] = g.draw;
    dims[2] = g.coordinate;
    did(m, nc_def_var(g.id, "x", type_of(out->element), 3, dims, &x));
    did(m, nc_def_var_fill(g.id, x, NC_NOFILL, NULL));
    if (m->is_packed)
        pack(m, g.id, x, draws->samples, bytes);
    for (int c = 0; c < out->chains && m->fault == NC_NOERR; c++) {
        size_t start[3] = {(size_t)c, 0, 0};
        size_t count[3] = {1, (size_t)draws->samples, dim};
        size_t at = (size_t)c * (size_t)draws->samples * bytes;

        did(m, nc_put_vara(g.id, x, start, count, (const char *)draws->x + at));
    }
    if (draws == &out->kept)
        put_text(m, g.id, "manifest", out->manifest);
    if (out->is_biased)
        put_text(m, g.id, "exact", "no, the draws follow another law");
}

static void write_stats(struct making *m, const char *name,
                        const hs_draws *draws)
{
    struct group g = add_group(m, name, draws);
    int dims[2] = {g.chain, g.draw}, lp = 0, accept = 0;

    did(m, nc_def_var(g.id, "lp", NC_DOUBLE, 2, dims, &lp));
    did(m, nc_def_var_fill(g.id, lp, NC_NOFILL, NULL));
    if (m->fault == NC_NOERR)
        did(m, nc_put_var_double(g.id, lp, draws->lp));
    if (!draws->accept)
        return;
    did(m, nc_def_var(g.id, "acceptance_rate", NC_FLOAT, 2, dims, &accept));
    did(m, nc_def_var_fill(g.id, accept, NC_NOFILL, NULL));
    if (m->fault == NC_NOERR)
        did(m, nc_put_var_float(g.id, accept, draws->accept));
}

/* Writes kinds as flags, by the CF conventions. */
static void write_kinds(struct making *m, struct group g)
{
    static const signed char flags[] = {HISS_BINARY, HISS_SPIN, HISS_ORDINAL,
                                        HISS_CATEGORICAL, HISS_PERMUTATION};
    const hs_domain *d = m->out->domain;
    signed char *kind = hs_alloc_array((size_t)d->dim, 1);
    int id = 0, states = 0;

    if (!kind) {
        did(m, NC_ENOMEM);
        return;
    }
    for (int i = 0; i < d->dim; i++)
        kind[i] = (signed char)d->kind[i];
    did(m, nc_def_var(g.id, "kind", NC_BYTE, 1, &g.coordinate, &id));
    did(m, nc_put_att_schar(g.id, id, "flag_values", NC_BYTE, sizeof flags,
                            flags));
    did(m, nc_put_att_text(g.id, id, "flag_meanings", sizeof kind_words - 1,
                           kind_words));
    if (m->fault == NC_NOERR)
        did(m, nc_put_var_schar(g.id, id, kind));
    did(m, nc_def_var(g.id, "states", NC_INT, 1, &g.coordinate, &states));
    if (m->fault == NC_NOERR)
        did(m, nc_put_var_int(g.id, states, d->states));
    hs_free(kind);
}

/* Writes the values of all coordinates one after the other, and their
 * marginals. */
static void write_constants(struct making *m)
{
    const hs_domain *d = m->out->domain;
    struct group g = add_group(m, "constant_data", NULL);
    int value = 0, id = 0, marginal = 0;

    g.coordinate = add_coordinates(m, g.id);
    write_kinds(m, g);
    did(m, nc_def_dim(g.id, "value_index", (size_t)d->value_count, &value));
    did(m, nc_def_var(g.id, "value", NC_FLOAT, 1, &value, &id));
    if (m->fault == NC_NOERR)
        did(m, nc_put_var_float(g.id, id, d->values));
    did(m, nc_def_var(g.id, "marginal", NC_DOUBLE, 1, &value, &marginal));
    if (m->fault == NC_NOERR)
        did(m, nc_put_var_double(g.id, marginal, m->out->marginal));
}

/* Writes everything to the open file. */
static void fill(struct making *m)
{
    const hs_output *out = m->out;
    double bytes = (double)hs_element_size(out->element) * out->domain->dim *
                   (double)out->chains *
                   (double)(out->kept.samples + out->warmup.samples);

    m->is_packed = bytes / DEFLATE_SPEED < DEFLATE_SHARE * out->seconds;
    put_attributes(m, m->file);
    write_x(m, "posterior", &out->kept);
    write_stats(m, "sample_stats", &out->kept);
    if (out->warmup.samples > 0) {
        write_x(m, "warmup_posterior", &out->warmup);
        write_stats(m, "warmup_sample_stats", &out->warmup);
    }
    write_constants(m);
}

/* Estimates the bytes of an unpacked file.  Groups and attributes took 14 to 20
 * kB in files of all shapes, those of the warm-up 9 kB more; HDF5 takes about
 * 100 bytes for each chunk. */
static size_t bytes_of(const hs_output *out)
{
    size_t dim = (size_t)out->domain->dim, chains = (size_t)out->chains;
    size_t draws = (size_t)(out->kept.samples + out->warmup.samples);
    size_t row = hs_element_size(out->element) * dim + sizeof(double) +
                 (out->kept.accept ? sizeof(float) : 0);
    size_t chunks = out->chains + chains * draws * row / CHUNK_BYTES;

    return chains * draws * row + 8 * draws + 128 * chunks +
           (size_t)out->domain->value_count * 12 + dim * 17 +
           strlen(out->manifest) + HEADERS +
           (out->warmup.samples > 0 ? HEADERS / 2 : 0);
}

/* HDF5 does not report why a write failed, so this tests the free space
 * beforehand. */
static hiss_status try_space(hs_file *file, size_t bytes, hiss_error *err)
{
    int fd = open(file->scratch, O_WRONLY | O_CLOEXEC);
    int fault = fd < 0 ? errno : posix_fallocate(fd, 0, (off_t)bytes);

    if (fd >= 0)
        close(fd);
    if (fault)
        return hs_fail(err, HISS_EIO, "%s: writing failed: %s", file->path,
                       strerror(fault));
    return HISS_OK;
}

/* A request to write a file. */
struct order {
    const hs_output *out;
    const char *scratch;
    const char *path; /* for messages */
};

static hiss_status make_file(const void *order, hiss_error *err)
{
    const struct order *o = order;
    struct making m = {.out = o->out};

    did(&m, nc_create(o->scratch, NC_NETCDF4 | NC_CLOBBER, &m.file));
    if (m.fault == NC_NOERR) {
        int closed;

        fill(&m);
        closed = nc_close(m.file);
        did(&m, closed);
    }
    if (m.fault == NC_NOERR)
        return hs_seal_add(o->scratch, o->path, err);
    if (m.fault == NC_ENOMEM)
        return hs_fail_memory(err);
    return hs_fail(err, HISS_EIO, "%s: writing failed: %s", o->path,
                   nc_strerror(m.fault));
}

/* Runs in a child process: without memory or disk space HDF5 crashes, at once
 * or at exit, and the draws must survive that. */
static hiss_status netcdf_write(const hs_output *out, const char *path,
                                bool replace, hiss_error *err)
{
    struct order order = {.out = out, .path = path};
    hs_file file;
    hiss_status rc;

    if (out->kept.samples > INT_MAX || out->warmup.samples > INT_MAX)
        return hs_fail(err, HISS_EUNSUP, "%s: more than 2^31 draws per chain",
                       path);
    HS_TRY(hs_file_reserve(&file, path, replace, err));
    order.scratch = file.scratch;
    rc = try_space(&file, bytes_of(out), err);
    if (rc == HISS_OK)
        rc = hs_apart_do(make_file, &order, path, err);
    if (rc == HISS_OK)
        return hs_file_commit(&file, err);
    hs_file_drop(&file);
    return rc;
}

/* --- reading ------------------------------------------------------------ */

struct opened {
    const char *path;
    int file;
    int posterior, stats; /* groups */
    int x;                /* variable */
};

static hiss_status broken(const struct opened *o, const char *what, int rc,
                          hiss_error *err)
{
    return hs_fail(err, HISS_EPARSE, "%s: %s: %s", o->path, what,
                   nc_strerror(rc));
}

/* Reads a text attribute of a group; *out is NULL if it is absent, else owned
 * by the caller. */
static hiss_status text_of(int group, const char *name, char **out,
                           hiss_error *err)
{
    nc_type type;
    size_t length;
    char *value = NULL;

    *out = NULL;
    if (nc_inq_att(group, NC_GLOBAL, name, &type, &length) != NC_NOERR)
        return HISS_OK;
    if (type == NC_STRING && length == 1) { /* the form that other tools
                                               write */
        if (nc_get_att_string(group, NC_GLOBAL, name, &value) == NC_NOERR) {
            *out = hs_strdup(value ? value : "");
            nc_free_string(1, &value);
            return *out ? HISS_OK : hs_fail_memory(err);
        }
        return HISS_OK;
    }
    if (type != NC_CHAR)
        return HISS_OK;
    *out = hs_alloc_array(length + 1, 1);
    if (!*out)
        return hs_fail_memory(err);
    if (nc_get_att_text(group, NC_GLOBAL, name, *out) != NC_NOERR) {
        hs_free(*out);
        *out = NULL;
    }
    return HISS_OK;
}

/* Checks that hiss wrote the file, in this layout. */
static hiss_status check_origin(const struct opened *o, hiss_error *err)
{
    char *tool, *version = NULL;
    hiss_status rc = text_of(o->posterior, "inference_library", &tool, err);
    int format = 0;

    if (rc == HISS_OK)
        rc = text_of(o->posterior, "inference_library_version", &version, err);
    if (rc == HISS_OK && (!tool || strcmp(tool, TOOL) != 0))
        rc = hs_fail(err, HISS_EPARSE,
                     "%s: this is no result of hiss: it was written by %s",
                     o->path, tool ? tool : "another tool");
    else if (rc == HISS_OK &&
             (nc_get_att_int(o->posterior, NC_GLOBAL, "hiss_format", &format) !=
                  NC_NOERR ||
              format != HS_RESULT_FORMAT))
        rc = hs_fail(err, HISS_EPARSE,
                     "%s: layout %d of hiss %s, this version reads layout %d",
                     o->path, format, version ? version : "(unknown)",
                     HS_RESULT_FORMAT);
    hs_free(tool);
    hs_free(version);
    return rc;
}

static hiss_status open_groups(struct opened *o, hiss_error *err)
{
    int rc = nc_inq_grp_ncid(o->file, "posterior", &o->posterior);

    if (rc != NC_NOERR)
        return hs_fail(err, HISS_EPARSE,
                       "%s: this is no result of hiss: it has no group "
                       "posterior",
                       o->path);
    HS_TRY(check_origin(o, err));
    rc = nc_inq_grp_ncid(o->file, "sample_stats", &o->stats);
    if (rc != NC_NOERR)
        return broken(o, "group sample_stats", rc, err);
    rc = nc_inq_varid(o->posterior, "x", &o->x);
    return rc == NC_NOERR ? HISS_OK : broken(o, "variable x", rc, err);
}

/* Shape and type of x, and memory for it. */
static hiss_status prepare(const struct opened *o, hs_loaded *in,
                           hiss_error *err)
{
    static const char *const names[] = {"chain", "draw", "coordinate"};
    size_t size[3] = {0};
    int dims[NC_MAX_VAR_DIMS], count = 0, accept;
    bool has_accept =
        nc_inq_varid(o->stats, "acceptance_rate", &accept) == NC_NOERR;
    hiss_element e;
    nc_type type;
    int rc = nc_inq_var(o->posterior, o->x, NULL, &type, &count, dims, NULL);

    if (rc != NC_NOERR || count != 3)
        return broken(o, "variable x", rc == NC_NOERR ? NC_EBADDIM : rc, err);
    for (int k = 0; k < 3; k++) {
        char name[NC_MAX_NAME + 1] = "";

        rc = nc_inq_dim(o->posterior, dims[k], name, &size[k]);
        if (rc != NC_NOERR || strcmp(name, names[k]) != 0)
            return broken(o, "dimensions of x", rc ? rc : NC_EBADDIM, err);
    }
    if (type != NC_BYTE && type != NC_SHORT && type != NC_FLOAT)
        return broken(o, "type of x", NC_EBADTYPE, err);
    e = type == NC_BYTE    ? HISS_INT8
        : type == NC_SHORT ? HISS_INT16
                           : HISS_FLOAT32;
    return hs_loaded_init(in, (int64_t)size[0], (int64_t)size[1],
                          (int64_t)size[2], e, has_accept, o->path, err);
}

/* A variable of chains and draws: NC_NOERR only if its shape fits. */
static int find_stat(const struct opened *o, const hs_loaded *in,
                     const char *name, int *id)
{
    int dims[NC_MAX_VAR_DIMS], count = 0;
    size_t size[2] = {0};
    int rc = nc_inq_varid(o->stats, name, id);

    if (rc == NC_NOERR)
        rc = nc_inq_var(o->stats, *id, NULL, NULL, &count, dims, NULL);
    for (int k = 0; k < 2 && rc == NC_NOERR; k++)
        rc = count == 2 ? nc_inq_dimlen(o->stats, dims[k], &size[k])
                        : NC_EBADDIM;
    if (rc == NC_NOERR &&
        (size[0] != (size_t)in->chains || size[1] != (size_t)in->samples))
        rc = NC_EBADDIM;
    return rc;
}

/* Marginals over every step; a file without them is a result all the same. */
static hiss_status read_marginal(const struct opened *o, hs_loaded *in,
                                 hiss_error *err)
{
    int group, id, dims[NC_MAX_VAR_DIMS], count = 0;
    size_t size = 0;

    if (nc_inq_grp_ncid(o->file, "constant_data", &group) != NC_NOERR ||
        nc_inq_varid(group, "marginal", &id) != NC_NOERR ||
        nc_inq_var(group, id, NULL, NULL, &count, dims, NULL) != NC_NOERR ||
        count != 1 || nc_inq_dimlen(group, dims[0], &size) != NC_NOERR)
        return HISS_OK;
    in->marginal = hs_alloc_array(size, sizeof *in->marginal);
    in->values = (int64_t)size;
    if (!in->marginal)
        return hs_fail_memory(err);
    if (nc_get_var_double(group, id, in->marginal) != NC_NOERR) {
        hs_free(in->marginal);
        in->marginal = NULL;
    }
    return HISS_OK;
}

static hiss_status take(const struct opened *o, hs_loaded *in, hiss_error *err)
{
    int id, rc = nc_get_var(o->posterior, o->x, in->x);

    if (rc != NC_NOERR)
        return broken(o, "x cannot be read, the file is damaged", rc, err);
    rc = find_stat(o, in, "lp", &id);
    if (rc == NC_NOERR)
        rc = nc_get_var_double(o->stats, id, in->lp);
    if (rc != NC_NOERR)
        return broken(o, "variable lp", rc, err);
    if (in->accept)
        rc = find_stat(o, in, "acceptance_rate", &id);
    if (rc == NC_NOERR && in->accept)
        rc = nc_get_var_float(o->stats, id, in->accept);
    if (rc != NC_NOERR)
        return broken(o, "variable acceptance_rate", rc, err);
    HS_TRY(read_marginal(o, in, err));
    HS_TRY(text_of(o->posterior, "manifest", &in->manifest, err));
    if (!in->manifest)
        return broken(o, "attribute manifest", NC_ENOTATT, err);
    return HISS_OK;
}

static hiss_status netcdf_read(hs_loaded *in, const char *path, hiss_error *err)
{
    struct opened o = {.path = path};
    int rc = nc_open(path, NC_NOWRITE, &o.file);
    hiss_status status;

    *in = (hs_loaded){0};
    if (rc > 0) /* of the system */
        return hs_fail(err, HISS_EPARSE, "%s: cannot be opened: %s", path,
                       nc_strerror(rc));
    if (rc != NC_NOERR)
        return hs_fail(err, HISS_EPARSE,
                       "%s: is no netCDF file, or it is cut short: %s", path,
                       nc_strerror(rc));
    status = open_groups(&o, err);
    if (status == HISS_OK)
        status = prepare(&o, in, err);
    if (status == HISS_OK)
        status = take(&o, in, err);
    nc_close(o.file);
    if (status != HISS_OK)
        hs_loaded_clear(in);
    return status;
}

const hs_sink hs_sink_netcdf = {
    .name = "netcdf",
    .suffixes = ".nc .netcdf",
    .summary = "netCDF-4 in the layout of ArviZ: posterior/x, "
               "sample_stats/lp, ...",
    .write = netcdf_write,
    .read = netcdf_read,
    .is_fragile = true,
    .library = nc_inq_libvers,
};
