/* numpy.c - draws as numpy arrays, alone or in an archive. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "format/draws/draws.h"
#include "format/parts/bytes.h"
#include "format/parts/npy.h"
#include "format/parts/zip.h"

/* Takes a name of an archive without its suffix. */
static bool is_draws(const char *name)
{
    static const char *const names[] = {"x.npy",         "draws.npy",
                                        "samples.npy",   "states.npy",
                                        "posterior.npy", NULL};

    for (int k = 0; names[k]; k++)
        if (strcmp(name, names[k]) == 0)
            return true;
    return false;
}

static bool is_energy(const char *name)
{
    size_t length = strlen(name);
    char bare[32];

    if (length < 5 || length - 4 >= sizeof bare ||
        strcmp(name + length - 4, ".npy") != 0)
        return false;
    snprintf(bare, sizeof bare, "%.*s", (int)(length - 4), name);
    return hs_drawn_is_energy(bare);
}

static hiss_status read_entry(hs_npy *out, hs_zip *zip, int number,
                              const char *path, hiss_error *err)
{
    unsigned char *text = NULL;
    char what[512];
    hiss_status rc;

    snprintf(what, sizeof what, "%.300s: array '%.128s'", path,
             zip->entry[number].name);
    rc = hs_zip_read(zip, number, &text, err);
    if (rc == HISS_OK)
        rc = hs_npy_parse(out, text, (size_t)zip->entry[number].size,
                          HS_NPY_DIMS, what, err);
    hs_free(text);
    return rc;
}

static hiss_status read_archive(hs_npy *x, hs_npy *lp, const char *path,
                                hiss_error *err)
{
    int at = -1, energy = -1;
    hs_zip zip;
    hiss_status rc = HISS_OK;

    HS_TRY(hs_zip_open(&zip, path, err));
    for (int e = zip.count - 1; e >= 0; e--) {
        if (is_draws(zip.entry[e].name))
            at = e;
        if (is_energy(zip.entry[e].name))
            energy = e;
    }
    at = at < 0 && zip.count == 1 ? 0 : at;
    if (at < 0)
        rc = hs_fail(err, HISS_EPARSE,
                     "%s: none of its %d arrays is called x, draws, samples, "
                     "states or posterior",
                     path, zip.count);
    if (rc == HISS_OK)
        rc = read_entry(x, &zip, at, path, err);
    if (rc == HISS_OK && energy >= 0)
        rc = read_entry(lp, &zip, energy, path, err);
    hs_zip_close(&zip);
    return rc;
}

static hiss_status shape(hs_drawn *out, hs_npy *x, hs_npy *lp, const char *path,
                         int dim, hiss_error *err)
{
    bool has_chains = x->dims == 3;
    int64_t last = x->dims > 0 ? x->size[x->dims - 1] : 0;

    if (x->dims < 2 || last != dim)
        return hs_fail(err, HISS_EPARSE,
                       "%s: an array of %d dimensions, the last of which has "
                       "%lld entries; expected (draw, %d) or (chain, draw, %d)",
                       path, x->dims, (long long)last, dim, dim);
    *out = (hs_drawn){.chains = has_chains ? x->size[0] : 1,
                      .samples = has_chains ? x->size[1] : x->size[0],
                      .dim = dim};
    if (out->chains < 1 || out->samples < 1)
        return hs_fail(err, HISS_EPARSE, "%s: there are no draws", path);
    if (lp->value &&
        lp->size[0] * lp->size[1] * lp->size[2] != out->chains * out->samples)
        return hs_fail(err, HISS_EPARSE,
                       "%s: there are %lld draws, and energies of %lld", path,
                       (long long)(out->chains * out->samples),
                       (long long)(lp->size[0] * lp->size[1] * lp->size[2]));
    out->x = x->value;
    out->lp = lp->value;
    x->value = lp->value = NULL;
    return HISS_OK;
}

hiss_status hs_drawn_read_numpy(hs_drawn *out, const char *path, int dim,
                                hiss_error *err)
{
    hs_npy x = {0}, lp = {0};
    char magic[4] = "";
    size_t got;
    hs_bytes in;
    hiss_status rc;

    *out = (hs_drawn){0};
    HS_TRY(hs_bytes_open(&in, path, err));
    rc = hs_bytes_some(&in, magic, sizeof magic, &got, err);
    hs_bytes_close(&in);
    if (rc == HISS_OK)
        rc = memcmp(magic, "PK\3\4", 4) == 0
                 ? read_archive(&x, &lp, path, err)
                 : hs_npy_read(&x, path, HS_NPY_DIMS, err);
    if (rc == HISS_OK)
        rc = shape(out, &x, &lp, path, dim, err);
    hs_npy_clear(&x);
    hs_npy_clear(&lp);
    return rc;
}
