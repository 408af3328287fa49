/* scheme_start.c - what a scheme gives to the groups of a run. */
#include "run/pilot/scheme.h"

void hs_scheme_attach(const hs_scheme *s, hs_group *g)
{
    for (int i = 0; i < g->tiles; i++)
        hs_kernel_attach(g->kernel[i], s->library);
    hs_pilot_apply(&s->pilot, g);
}

bool hs_scheme_start(const hs_scheme *s, hs_group *g, int first_chain)
{
    size_t dim = (size_t)g->model->domain.dim;

    for (int c = 0; s->start && c < g->chains; c++)
        for (int r = 0; r < g->replicas; r++) {
            int at = ((first_chain + c) * g->replicas + r) % HS_STARTS;

            hs_group_set(g, c, r, s->start + (size_t)at * dim);
        }
    return s->start != NULL;
}
