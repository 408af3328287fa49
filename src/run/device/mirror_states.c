/* mirror_states.c - draws that come from a GPU, and its best states. */
#include <string.h>

#include "base/error.h"
#include "run/device/mirror_own.h"

/* --- draws ---------------------------------------------------------------- */

hiss_status hs_mirror_keep(hs_mirror *m, int slot, hiss_error *err)
{
    return m->device->keep(m->group, slot, err);
}

hiss_status hs_mirror_kept(hs_mirror *m, int slot, hs_device_draws *out,
                           hiss_error *err)
{
    return m->device->kept(m->group, slot, out, err);
}

double hs_mirror_accepted(const hs_mirror *m, const hs_device_draws *draws,
                          int group, int chain)
{
    const hs_group *g = m->state[group].group;
    size_t at = (size_t)m->plan.ladder.group_chains * (size_t)group;
    double proposed = 0.0, accepted = 0.0;
    int lane;
    const hs_tile *t = hs_group_at_level(g, chain, 0, &lane);
    hs_kernel *k = hs_mirror_stepper(g->kernel[t - g->tile]);

    hs_marginals_decisions(k, lane, &proposed, &accepted);
    for (int n = 0; n < m->plan.nodes; n++)
        if (hs_marginals_decides(hs_kernel_node(k, n)))
            accepted +=
                draws->changed[(size_t)n * (size_t)m->plan.ladder.chains + at +
                               (size_t)chain];
    return accepted;
}

double hs_mirror_proposed(const hs_mirror *m)
{
    double proposed = 0.0, accepted = 0.0;

    hs_marginals_decisions(hs_mirror_stepper(m->state[0].group->kernel[0]), 0,
                           &proposed, &accepted);
    return proposed;
}

/* --- a search ------------------------------------------------------------ */

hiss_status hs_mirror_keep_best(hs_mirror *m, double goal, hiss_error *err)
{
    return m->device->keep_best(m->group, goal, err);
}

hiss_status hs_mirror_find_hits(hs_mirror *m, bool *is_hit, hiss_error *err)
{
    HS_TRY(m->device->read(m->group, HS_DEVICE_BEST, err));
    for (int g = 0; g < m->groups; g++) {
        is_hit[g] = false;
        for (int l = 0; l < HS_LANES; l++)
            is_hit[g] |= m->lanes.hit[g][l] != 0;
    }
    return HISS_OK;
}

/* Moves the states of one tile. */
static hiss_status move_tile(hs_mirror *m, hs_device_states which, int tile,
                             int16_t (*x)[HS_LANES], bool is_up,
                             hiss_error *err)
{
    int64_t dim = m->model->domain.dim;

    for (int64_t at = 0; at < dim; at += m->lanes.rows) {
        int64_t rows = dim - at < m->lanes.rows ? dim - at : m->lanes.rows;
        int64_t first = (int64_t)tile * dim + at;

        if (is_up) {
            memcpy(m->lanes.x, x + at, (size_t)rows * sizeof *x);
            HS_TRY(m->device->write_states(m->group, which, first, rows, err));
        } else {
            HS_TRY(m->device->read_states(m->group, which, first, rows, err));
            memcpy(x + at, m->lanes.x, (size_t)rows * sizeof *x);
        }
    }
    return HISS_OK;
}

hiss_status hs_mirror_bring(hs_mirror *m, int group, const hs_mirror_best *best,
                            hiss_error *err)
{
    hs_tile *t = &m->state[group].group->tile[0];

    HS_TRY(m->device->read(m->group, HS_DEVICE_ENERGIES | HS_DEVICE_BEST, err));
    memcpy(t->at.u, m->lanes.u[group], sizeof t->at.u);
    t->at.have |= HS_U;
    memcpy(best->u, m->lanes.best[group], sizeof *m->lanes.best);
    for (int l = 0; l < HS_LANES; l++)
        best->is_hit[l] = m->lanes.hit[group][l] != 0;
    HS_TRY(move_tile(m, HS_DEVICE_PRESENT, group, t->at.x, false, err));
    return move_tile(m, HS_DEVICE_BEST_ONES, group, best->x, false, err);
}

hiss_status hs_mirror_return(hs_mirror *m, int group,
                             const hs_mirror_best *best, hiss_error *err)
{
    hs_tile *t = &m->state[group].group->tile[0];

    memcpy(m->lanes.best[group], best->u, sizeof *m->lanes.best);
    for (int l = 0; l < HS_LANES; l++)
        m->lanes.hit[group][l] = best->is_hit[l];
    HS_TRY(m->device->write(m->group, HS_DEVICE_BEST, err));
    HS_TRY(move_tile(m, HS_DEVICE_PRESENT, group, t->at.x, true, err));
    return move_tile(m, HS_DEVICE_BEST_ONES, group, best->x, true, err);
}
