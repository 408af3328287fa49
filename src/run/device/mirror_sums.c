/* mirror_sums.c - moves the marginals of a mirror to a GPU and back. */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "run/device/mirror_own.h"

#define AT_ONCE ((size_t)1 << 20) /* numbers moved together */

static hiss_status move_some(hs_mirror *m, bool is_up, const hs_device_sums *s,
                             hiss_error *err)
{
    return is_up ? m->device->write_sums(m->group, s, err)
                 : m->device->read_sums(m->group, s, err);
}

/* Moves totals of groups first to last - 1 by way of `all`, [tiles][sums],
 * because one transfer takes as long as that of many tiles. */
static hiss_status move_totals(hs_mirror *m, bool is_up, int first, int last,
                               double *all, hiss_error *err)
{
    const hs_group *end = m->state[last - 1].group;
    hs_device_sums s = {.tile = hs_mirror_tile(m, first, 0), .total = all};

    s.tiles = hs_mirror_tile(m, last - 1, end->tiles) - s.tile;
    if (!is_up)
        HS_TRY(move_some(m, is_up, &s, err));
    for (int g = first; g < last; g++) {
        const hs_marginals *t = &m->state[g].marginals;
        size_t sums = (size_t)t->sums;
        size_t bytes = (size_t)m->state[g].group->tiles * sums * sizeof *all;
        double *own = all + (size_t)(hs_mirror_tile(m, g, 0) - s.tile) * sums;

        memcpy(is_up ? own : t->sum, is_up ? t->sum : own, bytes);
    }
    return is_up ? move_some(m, is_up, &s, err) : HISS_OK;
}

/* Moves the totals of one group directly; a large group needs no others. */
static hiss_status move_own(hs_mirror *m, bool is_up, int g, hiss_error *err)
{
    hs_device_sums s = {.tile = hs_mirror_tile(m, g, 0),
                        .tiles = m->state[g].group->tiles,
                        .total = m->state[g].marginals.sum};

    return move_some(m, is_up, &s, err);
}

static hiss_status move_all_totals(hs_mirror *m, bool is_up, hiss_error *err)
{
    size_t one = (size_t)m->each * (size_t)m->state[0].marginals.sums;
    int each = (int)(AT_ONCE / one);
    double *all;
    hiss_status rc = HISS_OK;

    for (int g = 0; each < 2 && g < m->groups; g++)
        HS_TRY(move_own(m, is_up, g, err));
    if (each < 2)
        return HISS_OK;
    each = each < m->groups ? each : m->groups;
    all = hs_alloc_array((size_t)each * one, sizeof *all);
    if (!all)
        return hs_fail_memory(err);
    for (int g = 0; rc == HISS_OK && g < m->groups; g += each)
        rc = move_totals(m, is_up, g,
                         g + each < m->groups ? g + each : m->groups, all, err);
    hs_free(all);
    return rc;
}

hiss_status hs_mirror_move_sums(hs_mirror *m, bool is_up, hiss_error *err)
{
    if (!m->rows)
        return HISS_OK;
    for (int g = 0; g < m->groups; g++) {
        const hs_marginals *t = &m->state[g].marginals;
        hs_device_sums s = {.tile = hs_mirror_tile(m, g, 0),
                            .tiles = m->state[g].group->tiles,
                            .recent = t->recent};

        if (t->pending == 0)
            continue;
        m->has_recent = true;
        HS_TRY(move_some(m, is_up, &s, err));
    }
    return move_all_totals(m, is_up, err);
}

hiss_status hs_mirror_fold(hs_mirror *m, hiss_error *err)
{
    for (int g = 0; g < m->groups; g++) {
        hs_marginals *t = &m->state[g].marginals;

        t->pending = 0;
        if (m->has_recent)
            memset(t->recent, 0,
                   (size_t)m->state[g].group->tiles * (size_t)t->rows *
                       sizeof *t->recent);
    }
    m->has_recent = false;
    return m->rows ? m->device->fold(m->group, err) : HISS_OK;
}
