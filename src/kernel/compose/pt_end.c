/* pt_end.c - a hottest level that forgets. */
#include "kernel/compose/pt_end.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/exponential.h"
#include "kernel/compose/pt_levels.h"
#include "kernel/tempering.h"

hiss_status hs_pt_end_init(hs_pt_end *e, const hs_model *m, double beta,
                           hiss_error *err)
{
    const hs_network_request request = {.beta = beta};

    HS_TRY(hs_network_hold(&e->held, m, &request, err));
    HS_TRY(hs_network_scratch_create(&e->scratch, e->held, err));
    HS_TRY(hs_point_init(&e->y, m, err));
    e->now = hs_alloc_array((size_t)m->domain.dim, sizeof *e->now);
    /* ln q of a lane's present state costs as much as a proposal */
    e->every = 1 + (int)fmin(2.0 * hs_network_about(e->held)->draw_sweeps, 1e6);
    return e->now ? HISS_OK : hs_fail_memory(err);
}

void hs_pt_end_clear(hs_pt_end *e)
{
    hs_network_scratch_destroy(e->scratch);
    hs_network_release(e->held);
    hs_point_clear(&e->y);
    hs_free(e->now);
}

static void draw(hs_pt_end *e, const hs_tile *x, double *log_q)
{
    hs_network_address address = {.seed = x->rng.seed};

    for (int l = 0; l < HS_LANES; l++) {
        address.chain[l] = x->rng.chain[l];
        address.replica[l] = x->rng.replica[l];
        address.clock[l] = x->rng.clock;
    }
    hs_network_draw(e->held, e->scratch, &address, e->y.x, log_q);
    e->y.have = 0;
}

/* ln p^beta / q of the proposals, and its difference from that of the present
 * states. */
static hiss_status weigh(hs_pt_end *e, const hs_model *m, hs_tile *x,
                         double *weight, double *ratio)
{
    double log_q[HS_LANES], own_q[HS_LANES], u[HS_LANES];
    size_t bytes = (size_t)m->domain.dim * sizeof *e->now;

    draw(e, x, log_q);
    hs_network_energy(e->held, (const hs_index_row *)e->y.x, u);
    HS_TRY(hs_tile_evaluate(x, m, &e->y, HS_U));
    memcpy(e->now, x->at.x, bytes);
    hs_network_draw(e->held, e->scratch, NULL, e->now, own_q);
    hs_tile_count_sites(
        x, m, 2.0 * hs_network_about(e->held)->draw_sweeps * m->domain.dim);
    hs_tile_log_ratio(m, &x->tilt, &x->at, &e->y, ratio);
    for (int l = 0; l < HS_LANES; l++) {
        ratio[l] += own_q[l] - log_q[l];
        weight[l] = u[l] > -HUGE_VAL
                        ? u[l] - log_q[l] - hs_network_about(e->held)->log_z
                        : -HUGE_VAL;
    }
    return HISS_OK;
}

hiss_status hs_pt_end_renew(hs_pt_end *e, const hs_model *m, hs_tile *x,
                            const bool *wanted, bool is_first,
                            hs_pt_renewal *out)
{
    double ratio[HS_LANES], weight[HS_LANES];

    hs_tile_tick(x);
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    HS_TRY(weigh(e, m, x, weight, ratio));
    for (int l = 0; l < HS_LANES; l++) {
        if (is_first && weight[l] > -HUGE_VAL)
            ratio[l] = 0.0;
        if (!wanted[l])
            ratio[l] = -HUGE_VAL;
        out->weight[l] =
            weight[l] > -HUGE_VAL ? hs_exponential(weight[l]) : 0.0;
    }
    hs_tile_decide(x, ratio, out->accept);
    hs_tile_move(x, m, &e->y, out->accept);
    return HISS_OK;
}

bool hs_pt_has_end(const hs_kernel *k)
{
    const struct hs_pt *s = k->state;

    return s->reference == HS_TEMPERING_NETWORK;
}

hiss_status hs_pt_renew_end(hs_kernel *k, const hs_model *m, hs_tile *x)
{
    struct hs_pt *s = k->state;
    bool wanted[HS_LANES] = {false}, any = false;
    hs_pt_renewal r;

    if (k->steps % (uint64_t)s->end.every != 0)
        return HISS_OK;
    for (int l = 0; l < x->lanes; l++) {
        wanted[l] = x->level[l] == hs_tempering_ladder(k) - 1;
        any |= wanted[l];
    }
    if (!any)
        return HISS_OK;
    HS_TRY(hs_pt_end_renew(&s->end, m, x, wanted, x->is_warmup && k->steps == 0,
                           &r));
    for (int l = 0; l < x->lanes; l++) {
        if (!wanted[l])
            continue;
        k->lane[HS_PT_END_COUNT][l] += 1.0;
        k->lane[HS_PT_END_TAKEN][l] += r.accept[l];
        if (hs_tempering_ladder(k) == 1) { /* there are no exchanges */
            k->lane[HS_PROPOSED][l] += 1.0;
            k->lane[HS_ACCEPTED][l] += r.accept[l];
        }
        k->lane[HS_PT_END_SUM][l] += r.weight[l];
        k->lane[HS_PT_END_SQUARES][l] += r.weight[l] * r.weight[l];
    }
    return HISS_OK;
}

bool hs_tempering_weigh_end(const hs_kernel *k, hs_proposal_weights *sum)
{
    const struct hs_pt *s = k->state;
    const hs_network_facts *f;

    if (!hs_pt_has_end(k))
        return false;
    f = hs_network_about(s->end.held);
    sum->about.bond = f->bond;
    sum->about.largest = f->largest;
    sum->about.frontier = f->frontier;
    sum->about.layers = f->layers;
    sum->about.discarded = f->discarded;
    sum->log_scale = f->log_z;
    for (int l = 0; l < HS_LANES; l++) {
        sum->count += k->lane[HS_PT_END_COUNT][l];
        sum->sum += k->lane[HS_PT_END_SUM][l];
        sum->squares += k->lane[HS_PT_END_SQUARES][l];
    }
    if (f->missing > HS_NETWORK_MISSING)
        sum->squares = HUGE_VAL; /* the weights say nothing of a lost mode */
    return true;
}
