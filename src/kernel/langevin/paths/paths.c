/* paths.c - the table of Langevin paths, and the choice among them. */
#include "kernel/langevin/paths/paths.h"

#include "base/alloc.h"

#define HS_LANGEVIN_PATH(name)                                                 \
  extern const hs_langevin_path hs_langevin_path_##name;
#include "kernel/langevin/paths/paths.def"
#undef HS_LANGEVIN_PATH

const hs_langevin_path *const hs_langevin_paths[] = {
#define HS_LANGEVIN_PATH(name) &hs_langevin_path_##name,
#include "kernel/langevin/paths/paths.def"
#undef HS_LANGEVIN_PATH
    NULL,
};

const hs_langevin_path *const *hs_langevin_extra;

static const hs_path *choose_in(const hs_langevin_path *const *paths,
                                const hs_model *m, hs_tilt_form form,
                                bool is_half)
{
    for (; paths && *paths; paths++)
        if ((*paths)->applies(m, form, is_half))
            return &(*paths)->base;
    return NULL;
}

const hs_path *hs_langevin_choose(const hs_model *m, hs_tilt_form form,
                                  bool is_half)
{
    const hs_path *path = choose_in(hs_langevin_extra, m, form, is_half);

    return path ? path : choose_in(hs_langevin_paths, m, form, is_half);
}

hiss_status hs_proposal_arrive(hs_proposal *p)
{
    p->y->have = HS_U | HS_GRAD;
    hs_tile_count(p->x, HS_U | HS_GRAD);
    return p->moved ? hs_tile_check(p->x, p->y) : HISS_OK;
}

hs_float_row *hs_path_buffer(const hs_domain *d)
{
    int most = 0;

    for (int first = 0; first < d->dim; first += HS_PATH_BLOCK) {
        int last =
            d->dim - first < HS_PATH_BLOCK ? d->dim : first + HS_PATH_BLOCK;
        int rows = d->row[last] - d->row[first];

        most = rows > most ? rows : most;
    }
    return hs_alloc_array((size_t)most, sizeof(hs_float_row));
}
