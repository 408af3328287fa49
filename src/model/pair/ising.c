/* ising.c - the periodic Ising lattice in two or three dimensions.
 *
 *     U(s) = beta sum_<ij> s_i s_j + field sum_i s_i,   s = +-1,
 * each periodic bond once, so that side 2 has them doubled.  In two
 * dimensions without a field <U> / beta is Kaufman's energy. */
#include <stddef.h>

#include "base/error.h"
#include "model/model.h"
#include "model/pair/ising_sparse.h"
#include "model/pair/lattice.h"
#include "model/sparse.h"

struct ising_options {
    int side;
    double beta, field;
    int dims;
};

#define AT(field) offsetof(struct ising_options, field)
static const hs_option ising_options[] = {
    {"side", HS_INTEGER, AT(side), NULL, "[2,32767]", "sites along an edge"},
    {"beta", HS_REAL, AT(beta), NULL, "[-1e6,1e6]", "coupling of a bond"},
    {"field", HS_REAL, AT(field), "0", "[-1e6,1e6]", "field on every spin"},
    {"dims", HS_INTEGER, AT(dims), "2", "[2,3]", "dimensions"},
    {0},
};

static hiss_status ising_create(hs_model **out, const void *options,
                                hiss_error *err)
{
    const struct ising_options *o = options;
    hs_sparse j;

    HS_TRY(hs_lattice_init(&j, o->side, o->dims, o->beta, false, err));
    if (o->field != 0.0)
        HS_TRY(hs_sparse_fill_field(&j, o->field, err));
    return hs_ising_create(out, &(hs_ising){.kind = HISS_SPIN}, &j, err);
}

const hs_model_type hs_model_ising = {
    .name = "ising",
    .summary = "periodic Ising lattice, 2 or 3 dimensions (spin)",
    .size = sizeof(struct ising_options),
    .options = ising_options,
    .create = ising_create,
};
