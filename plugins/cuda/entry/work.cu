/* work.cu - the memory of steps beside the lanes themselves. */
#include "cuda/entry/work.h"

/* What some node needs. */
typedef struct needs {
    int y, terms, gwg, site_counts, ranks, aside, phi, slope, factors;
} needs;

static needs needs_of(const hs_device_plan *plan)
{
    needs n = {0, 0, 0, 0, 0, 0, 0, 0, 0};

    for (int i = 0; i < plan->nodes; i++) {
        const hs_device_sampler *s = &plan->node[i];
        int is_langevin = s->step == HS_DEVICE_LANGEVIN;
        int is_hiss = s->step == HS_DEVICE_HISS;

        n.gwg |= s->step == HS_DEVICE_GWG;
        n.y |= is_langevin || is_hiss || s->step == HS_DEVICE_GWG;
        n.terms |= n.gwg || (is_langevin && s->path <= HS_DEVICE_ODDS);
        n.site_counts |= is_langevin && s->path == HS_DEVICE_REGULAR;
        n.ranks |= is_hiss && s->block < plan->model.dim;
        n.aside |= is_hiss && s->is_palindrome;
        n.factors |= is_hiss && s->inner == HS_DEVICE_TILT_FACTORS;
        n.phi |= is_hiss && s->inner != HS_DEVICE_TILT_FACTORS;
        n.slope |= is_hiss && s->inner == HS_DEVICE_SLOPE;
    }
    return n;
}

#define PUT(to, rows)                                                          \
  PASS(hs_card_put(memory, &(to), NULL, rows, sizeof *(to), err))

static hiss_status put_tilt(hs_card_tilt *t, hs_card_memory *memory,
                            const hs_device_plan *plan, const needs *n,
                            hiss_error *err)
{
    const hs_domain *d = &plan->model.domain;
    int64_t tiles = plan->tiles;

    t->rows = d->is_pair ? d->dim : d->value_count;
    PUT(t->phi, n->phi ? tiles * t->rows : 0);
    PUT(t->slope, n->slope ? 2 * tiles * t->rows : 0);
    PUT(t->factor, n->factors ? tiles * d->dim : 0);
    PUT(t->was, n->factors ? tiles * d->dim : 0);
    PUT(t->root, n->factors ? tiles : 0);
    return HISS_OK;
}

hiss_status hs_card_put_work(hs_card_walk *w, hs_card_memory *memory,
                             const hs_device_plan *plan, hiss_error *err)
{
    const hs_domain *d = &plan->model.domain;
    hs_card_work *k = &w->work;
    int64_t tiles = plan->tiles;
    needs n = needs_of(plan);
    int64_t terms;

    w->nodes = plan->nodes;
    for (int i = 0; i < plan->nodes; i++)
        w->node[i] = plan->node[i];
    k->at.x = w->group->lanes.x;
    k->at.u = w->group->lanes.u;
    k->blocks = (d->dim + w->group->span - 1) / w->group->span;
    k->terms = d->is_pair ? (d->dim + 3) / 4 : d->dim;
    k->logits = d->is_pair ? d->dim : d->value_count;
    terms = n.terms ? tiles * k->terms : 0;
    PUT(k->y.x, n.y ? tiles * d->dim : 0);
    PUT(k->y.u, n.y ? tiles : 0);
    if (hs_device_is_whole(plan->model.energy)) {
        PUT(k->at.grad, tiles * d->rows);
        PUT(k->y.grad, tiles * d->rows);
        PUT(k->arrived, tiles);
    }
    PUT(k->accept, n.y ? tiles : 0);
    PUT(k->forward, terms);
    PUT(k->reverse, terms);
    PUT(k->bend, n.phi ? terms : 0);
    PUT(k->part, n.terms ? tiles * k->blocks : 0);
    PUT(k->moved, n.terms ? tiles * k->blocks : 0);
    PUT(k->logit, n.gwg ? tiles * k->logits : 0);
    PUT(k->row, n.gwg ? tiles : 0);
    PUT(k->log_q, n.gwg ? tiles : 0);
    PUT(k->kept, n.aside ? tiles * d->dim : 0);
    PUT(k->rank, n.ranks ? d->dim : 0);
    PUT(k->site_counts, n.site_counts ? tiles * 2 * HS_CARD_ENTRIES : 0);
    return put_tilt(&w->tilt, memory, plan, &n, err);
}

hiss_status hs_card_put_lattice(hs_card_walk *w, hs_card_memory *memory,
                                const hs_device_model *m, size_t shared,
                                void **owned, hiss_error *err)
{
    hs_card_lattice from, *to = &w->lattice;

    hs_card_lattice_plan(&from, m, shared);
    *owned = from.window;
    if (from.groups == 0)
        return HISS_OK;
    *to = from;
    PASS(hs_card_put(memory, &to->window, from.window,
                     (int64_t)from.groups * from.degree, sizeof *from.window,
                     err));
    PASS(hs_card_put(memory, &to->stray, from.stray, from.strays,
                     sizeof *from.stray, err));
    return hs_card_put(memory, &to->start, from.start, from.groups + 1,
                       sizeof *from.start, err);
}
