/* pairs.c - independent pairs: 2^(d/2) modes with known masses.
 *
 *     U(s) = sum_k coupling s_2k s_2k+1 + bias sum_i s_i,   s = 2x - 1.
 * With a strong coupling the two of a pair agree, and
 *     P(s_i = 1) = 1 / (1 + exp(-4 bias)) as coupling grows. */
#include <stddef.h>

#include "base/alloc.h"
#include "base/error.h"
#include "model/model.h"
#include "model/pair/ising_sparse.h"
#include "model/sparse.h"

struct pairs_options {
    int d;
    double coupling, bias;
};

#define AT(field) offsetof(struct pairs_options, field)
static const hs_option pairs_options[] = {
    {"d", HS_INTEGER, AT(d), NULL, "[2,16777216]", "coordinates, even"},
    {"coupling", HS_REAL, AT(coupling), "10", "[-1e6,1e6]", "within a pair"},
    {"bias", HS_REAL, AT(bias), "0.1", "[-1e6,1e6]", "field on every spin"},
    {0},
};

static hiss_status pairs_create(hs_model **out, const void *options,
                                hiss_error *err)
{
    const struct pairs_options *o = options;
    hs_sparse j = {0};
    hs_bond *bond;
    hiss_status rc;

    if (o->d % 2 != 0)
        return hs_fail(err, HISS_EARG,
                       "model pairs: d is %d, expected an even number", o->d);
    bond = hs_alloc_array((size_t)o->d / 2, sizeof *bond);
    if (!bond)
        return hs_fail_memory(err);
    for (int k = 0; k < o->d / 2; k++)
        bond[k] = (hs_bond){2 * k, 2 * k + 1, o->coupling};
    rc = hs_sparse_init(&j, o->d, bond, o->d / 2, NULL, err);
    hs_free(bond);
    if (rc != HISS_OK)
        return rc;
    HS_TRY(hs_sparse_fill_field(&j, o->bias, err));
    return hs_ising_create(
        out, &(hs_ising){.kind = HISS_BINARY, .has_spins = true}, &j, err);
}

const hs_model_type hs_model_pairs = {
    .name = "pairs",
    .summary = "independent strongly coupled pairs, 2^(d/2) modes (binary)",
    .size = sizeof(struct pairs_options),
    .options = pairs_options,
    .create = pairs_create,
};
