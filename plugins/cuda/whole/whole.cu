/* whole.cu - which products make U and gradient. */
#include "cuda/whole/whole.h"

#include "cuda/next.h"

hiss_status hs_whole_build(hs_whole_model *m, hs_card_memory *memory,
                           const hs_device_plan *plan, const hs_domain *domain,
                           int number, hiss_error *err)
{
    m->form = plan->model.energy;
    if (m->form == HS_DEVICE_FUNCTION)
        return hs_card_function_build(&m->function, memory, plan, domain,
                                      number, err);
    if (m->form == HS_DEVICE_NETWORK)
        return hs_card_network_build(&m->network, memory, &plan->model.network,
                                     plan->tiles, plan->lanes, err);
    if (m->form == HS_DEVICE_DENSE)
        return hs_card_pairs_build(&m->dense, memory, &plan->model.dense,
                                   plan->model.offset, plan->tiles, err);
    return hs_card_units_build(&m->dense, memory, &plan->model.units,
                               plan->tiles, err);
}

void hs_whole_clear(hs_whole_model *m)
{
    if (m->function.event)
        cudaEventDestroy(m->function.event);
}

hiss_status hs_whole_check(const hs_whole_model *m, const uint32_t *chain,
                           hiss_error *err)
{
    return m->form == HS_DEVICE_FUNCTION
               ? hs_card_function_check(&m->function, chain, err)
               : HISS_OK;
}

int hs_whole_has_failed(const hs_whole_model *m)
{
    return m->form == HS_DEVICE_FUNCTION && m->function.state->code;
}

/* U comes with the gradient. */
void hs_whole_evaluate(const hs_whole_model *m, const hs_card_point *p,
                       int want)
{
    float *gradient = want & HS_CARD_GRAD ? &p->grad[0][0] : NULL;

    if (m->form == HS_DEVICE_NETWORK)
        hs_card_network_evaluate(&m->network, &p->x[0][0], &p->u[0][0],
                                 gradient);
    else if (m->form == HS_DEVICE_FUNCTION)
        hs_card_function_evaluate(&m->function, &p->x[0][0], &p->u[0][0],
                                  gradient);
    else
        hs_card_dense_evaluate(&m->dense, &p->x[0][0], &p->u[0][0], gradient);
}

#define EIGHT 8 /* lanes of a coordinate, a thread's: states of 16 bytes */

HS_ON_CARD void copy_sixteen(void *to, const void *from)
{
    uint32_t word[4];

    hs_load_four((const uint32_t *)from, word);
    hs_store_four(word, (uint32_t *)to);
}

/* A number of 32 bits divides ten times as fast, and cells of which there is a
 * gradient in the memory of a card have one. */
HS_KERNEL void move(hs_card_group g, hs_card_work w)
{
    int64_t n = EIGHT * hs_card_thread();
    uint32_t each = (uint32_t)g.model.dim * (HS_LANES / EIGHT);
    int16_t *x = w.at.x[0], *y = w.y.x[0];
    float *row = w.at.grad[0], *next = w.y.grad[0];
    const uint8_t *accept;
    int taken = 0;

    HS_WAIT();
    if (n >= hs_card_lanes(&g) * g.model.dim)
        return;
    accept = &w.accept[(uint32_t)hs_card_thread() / each][n % HS_LANES];
    for (int l = 0; l < EIGHT; l++)
        taken += accept[l];
    if (taken == EIGHT) {
        copy_sixteen(&x[n], &y[n]);
        copy_sixteen(&row[n], &next[n]);
        copy_sixteen(&row[n + 4], &next[n + 4]);
        return;
    }
    for (int l = 0; l < EIGHT; l++)
        if (accept[l]) {
            x[n + l] = y[n + l];
            row[n + l] = next[n + l];
        }
}

void hs_whole_move(const hs_card_group *g, const hs_card_work *w)
{
    HS_NEXT(move, hs_card_lanes(g) * g->model.dim / EIGHT, *g, *w);
}
