/* potts.c - the periodic Potts lattice in two or three dimensions.
 *
 *     U(x) = beta sum_<ij> [x_i = x_j] + field sum_i [x_i = 0],
 * each periodic bond once, so that side 2 has them doubled.  Linear in each
 * one-hot coordinate: the rows are exact.  With two states and no field it is
 * the Ising lattice at beta / 2, up to a constant. */
#include <stddef.h>

#include "base/alloc.h"
#include "base/error.h"
#include "lanes/lanes.h"
#include "model/lattice.h"
#include "model/model.h"
#include "model/sparse.h"

struct potts {
    hs_model base;
    hs_sparse j;
    int states;
};

struct potts_options {
    int side, states;
    double beta, field;
    int dims;
};

#define AT(field) offsetof(struct potts_options, field)
static const hs_option potts_options[] = {
    {"side", HS_INTEGER, AT(side), NULL, "[2,32767]", "sites along an edge"},
    {"states", HS_INTEGER, AT(states), NULL, "[2,32767]", "labels of a site"},
    {"beta", HS_REAL, AT(beta), NULL, "[-1e6,1e6]", "coupling of a bond"},
    {"field", HS_REAL, AT(field), "0", "[-1e6,1e6]", "field on label 0"},
    {"dims", HS_INTEGER, AT(dims), "2", "[2,3]", "dimensions"},
    {0},
};

static void potts_rows(const hs_model *base, const hs_point *p, int first,
                       int last, hs_float_row *out, double *u)
{
    const struct potts *m = (const struct potts *)base;

    hs_lanes()->potts_rows(&m->j, m->states, first, last,
                           (const hs_index_row *)p->x, out, u);
}

static void potts_destroy(hs_model *base)
{
    hs_sparse_clear(&((struct potts *)base)->j);
}

static const hs_model_ops potts_ops = {
    .rows = potts_rows,
    .destroy = potts_destroy,
};

static hiss_status set_field(struct potts *m, double field, hiss_error *err)
{
    if (field == 0.0)
        return HISS_OK;
    m->j.field = hs_alloc_array((size_t)m->j.dim,
                                (size_t)m->states * sizeof *m->j.field);
    if (!m->j.field)
        return hs_fail_memory(err);
    for (int i = 0; i < m->j.dim; i++)
        m->j.field[(size_t)i * (size_t)m->states] = (float)field;
    return HISS_OK;
}

static hiss_status potts_create(hs_model **out, const void *options,
                                hiss_error *err)
{
    const struct potts_options *o = options;
    struct potts *m = hs_alloc_array(1, sizeof *m);
    hiss_status rc;

    if (!m)
        return hs_fail_memory(err);
    m->base.ops = &potts_ops;
    m->base.exact_rows = true;
    m->states = o->states;
    rc = hs_lattice_init(&m->j, o->side, o->dims, o->beta, err);
    if (rc == HISS_OK)
        rc = set_field(m, o->field, err);
    if (rc == HISS_OK)
        rc = hs_domain_init(&m->base.domain, HISS_CATEGORICAL, m->j.dim,
                            o->states, err);
    if (rc == HISS_OK)
        rc = hs_sparse_order(&m->base.order, &m->j, err);
    if (rc != HISS_OK) {
        hs_model_destroy(&m->base);
        return rc;
    }
    *out = &m->base;
    return HISS_OK;
}

const hs_model_type hs_model_potts = {
    .name = "potts",
    .summary = "periodic Potts lattice, 2 or 3 dimensions (categorical)",
    .size = sizeof(struct potts_options),
    .options = potts_options,
    .create = potts_create,
};
