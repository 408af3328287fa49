/* labels_plan.c - neighbors of sites, and groups of sites of a scan. */
#include "kernel/gibbs/sweeps/labels_plan.h"

#include "base/alloc.h"
#include "base/error.h"

static int degree_of(const hs_sparse *j)
{
    int most = 0;

    for (int i = 0; i < j->dim; i++) {
        int own = (int)(j->start[i + 1] - j->start[i]);

        most = own > most ? own : most;
    }
    return most;
}

bool hs_labels_apply(const hs_model *m)
{
    const hs_label_form *g = hs_model_structure(m, HS_STRUCTURE_LABELS);

    return g && g->states <= HS_FEW && g->j->uniform != 0.0f && !g->j->field &&
           g->j->start[g->j->dim] > 0 && degree_of(g->j) <= HS_DEGREE_MAX;
}

static void fill_places(hs_labels *g)
{
    for (int i = 0; i < g->dim; i++) {
        int64_t first = g->j->start[i], end = g->j->start[i + 1];

        for (int k = 0; k < g->degree; k++)
            g->place[(int64_t)i * g->degree + k] =
                first + k < end ? g->j->column[first + k] : g->dim;
    }
}

/* Finds the groups of the scan and the group of each position; with NULL for
 * `group` only counts. */
static int find_groups(const hs_labels *g, const int *order, int *in,
                       hs_label_group *group)
{
    int groups = 0, count = 0;

    for (int i = 0; i < g->dim; i++)
        in[i] = -1;
    for (int n = 0; n < g->dim; n++) {
        int i = order ? order[n] : n;
        bool is_new = n == 0 || count == HS_LANES;

        for (int64_t e = g->j->start[i]; e < g->j->start[i + 1]; e++)
            is_new = is_new || in[g->j->column[e]] == groups - 1;
        if (is_new) {
            if (group)
                group[groups].first = n;
            groups++;
            count = 0;
        }
        in[i] = groups - 1;
        count++;
        if (group)
            group[groups - 1].count = count;
    }
    return groups;
}

/* Unused slots have the places of the last. */
static void fill_group(hs_labels *g, hs_label_group *b, const int *order,
                       const int *position)
{
    b->runs = 0;
    for (int k = 0; k < g->degree; k++) {
        int *place = g->group_place + b->place + (int64_t)k * HS_LANES;
        bool is_run = true;

        for (int s = 0; s < HS_LANES; s++) {
            int n = b->first + (s < b->count ? s : b->count - 1);
            int i = order ? order[n] : n;
            int other = g->place[(int64_t)i * g->degree + k];

            place[s] = other < g->dim ? position[other] : g->dim;
            is_run = is_run && (s >= b->count || place[s] == place[0] + s);
        }
        b->runs |= (unsigned)(is_run && place[0] < g->dim) << k;
    }
}

static hiss_status make_groups(hs_labels *g, const int *order, hiss_error *err)
{
    int *position = hs_alloc_array((size_t)g->dim, sizeof *position);
    size_t places;

    if (!position)
        return hs_fail_memory(err);
    g->groups = find_groups(g, order, position, NULL);
    places = (size_t)g->groups * (size_t)g->degree * HS_LANES;
    g->group = hs_alloc_array((size_t)g->groups, sizeof *g->group);
    g->group_place = hs_alloc_array(places, sizeof *g->group_place);
    if (!g->group || !g->group_place) {
        hs_free(position);
        return hs_fail_memory(err);
    }
    find_groups(g, order, position, g->group);
    for (int n = 0; n < g->dim; n++)
        position[order ? order[n] : n] = n;
    for (int n = 0; n < g->groups; n++) {
        g->group[n].place = (int64_t)n * g->degree * HS_LANES;
        fill_group(g, &g->group[n], order, position);
    }
    hs_free(position);
    return HISS_OK;
}

hiss_status hs_labels_init(hs_labels *g, const hs_model *m, bool has_groups,
                           hiss_error *err)
{
    const hs_label_form *form = hs_model_structure(m, HS_STRUCTURE_LABELS);

    *g = (hs_labels){.j = form->j,
                     .dim = m->domain.dim,
                     .states = form->states,
                     .degree = degree_of(form->j)};
    g->place =
        hs_alloc_array((size_t)g->dim * (size_t)g->degree, sizeof *g->place);
    if (!g->place)
        return hs_fail_memory(err);
    fill_places(g);
    return has_groups ? make_groups(g, m->order, err) : HISS_OK;
}

void hs_labels_clear(hs_labels *g)
{
    hs_free(g->place);
    hs_free(g->group);
    hs_free(g->group_place);
    *g = (hs_labels){0};
}
