/* chains.c - the default number of chains.
 *
 * A tile has sixteen lanes, and on a built-in model a step of all of them costs
 * about as much as a step of one.  A function or a plug-in is called for every
 * state, so its default is four chains: the fewest for which R-hat detects one
 * that differs.  The same holds if sixteen would take more than BYTES_MAX. */
#include "api/object/objects.h"
#include "base/lane.h"
#include "run/chain/store.h"

#define FEW       4
#define BYTES_MAX (double)(256 << 20)
/* Assumed numbers of stored draws; the default does not depend on other
 * settings. */
#define DRAWS    1000 /* draws per chain: the default of the command */
#define REPLICAS 16   /* replicas per chain, as in a tempered run */

int hs_default_chains(const hs_model *m, int runs)
{
    int chains = runs * HS_LANES;
    double states = (double)runs * REPLICAS * (double)hs_point_bytes(m);
    double room = BYTES_MAX - states;

    if (m->is_user || room <= 0.0 ||
        hs_store_capacity(&m->domain, chains, room, DRAWS) < DRAWS)
        return FEW;
    return HS_LANES;
}

int hiss_default_chains(const hiss_model *model)
{
    return model ? hs_default_chains(model->model, 1) : 0;
}
