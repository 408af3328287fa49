/* lattice.c - the bonds of a periodic square or cubic lattice. */
#include "model/lattice.h"

#include "base/alloc.h"
#include "base/error.h"
#include "model/sparse.h"

hiss_status hs_lattice_init(hs_sparse *j, int side, int dims, double value,
                            hiss_error *err)
{
    int64_t sites = 1;
    int64_t count = 0;
    hs_bond *bond;
    hiss_status rc;

    for (int d = 0; d < dims; d++) {
        sites *= side;
        if (sites > HS_LATTICE_SITES_MAX)
            return hs_fail(err, HISS_ELIMIT,
                           "side %d in %d dimensions is more than %d sites",
                           side, dims, HS_LATTICE_SITES_MAX);
    }
    bond = hs_alloc_array((size_t)sites, (size_t)dims * sizeof *bond);
    if (!bond)
        return hs_fail_memory(err);
    for (int i = 0; i < sites; i++)
        for (int64_t stride = 1; stride < sites; stride *= side) {
            int at = (int)(i / stride % side);
            int64_t next = at + 1 < side ? i + stride : i - at * stride;

            bond[count++] = (hs_bond){i, (int)next, value};
        }
    rc = hs_sparse_init(j, (int)sites, bond, count, NULL, err);
    hs_free(bond);
    return rc;
}
