/* price.c - estimates the cost of a network: plans its layers along trains that
 * have variables and no tensors, with every bond at the limit. */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "exact/network/layer.h"
#include "exact/network/line.h"
#include "exact/network/network.h"

/* Adds the cost of the last planned layer.  Both sweeps multiply about three
 * times by a bond that has grown. */
static void add_layer(hs_network_price *price, const hs_layers *l, int bond)
{
    double size = bond, before = 1.0;

    for (int p = 0; p < l->places; p++) {
        const hs_layer_place *place = &l->place[p];
        double grown = fmax(before, l->width[p]) * size;

        before = l->width[p];
        if (place->above >= 0)
            price->draw += 2.0 * size * size * l->f->states[place->above];
        if (place->below < 0 || (place->below == place->above && grown == size))
            continue;
        price->set_up +=
            3.0 * grown * grown * grown * l->f->states[place->below];
        price->bytes +=
            size * size * l->f->states[place->below] * sizeof(double);
    }
}

/* Lists the variables of the train below. */
static hiss_status step_down(const hs_layers *l, hs_train *t, hiss_error *err)
{
    t->count = 0;
    for (int p = 0; p < l->places; p++)
        if (l->place[p].below >= 0)
            HS_TRY(hs_train_append(t, l->place[p].below, NULL, err));
    return HISS_OK;
}

static hiss_status add_layers(hs_network_price *price, hs_layers *l, int bond,
                              hiss_error *err)
{
    hs_train t = {0};
    hiss_status rc = HISS_OK;

    for (int end = l->count, size = 1; end > 0 && rc == HISS_OK;) {
        hs_layers_choose(l, &t, end, size, HS_LAYERS_GROWTH);
        add_layer(price, l, bond);
        size = l->end - l->first;
        end = l->first;
        rc = step_down(l, &t, err);
    }
    hs_train_clear(&t);
    return rc;
}

hiss_status hs_network_weigh(hs_network_price *price, const hs_model *m,
                             int bond, hiss_error *err)
{
    hs_factors all, f = {0};
    hs_line line = {0};
    hs_layers l;
    hiss_status rc;

    *price = (hs_network_price){0, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    if (!m->ops->factors || m->is_dense)
        return HISS_OK;
    HS_TRY(m->ops->factors(m, &all, err));
    rc = hs_factors_slice(&f, &all, NULL, err);
    hs_factors_clear(&all);
    if (rc == HISS_OK)
        rc = hs_line_init(&line, &f, err);
    if (rc == HISS_OK) {
        *price = (hs_network_price){.frontier = line.frontier};
        rc = hs_layers_init(&l, &f, line.order, line.count, err);
        line.order = NULL; /* taken over */
    }
    if (rc == HISS_OK) {
        rc = add_layers(price, &l, bond, err);
        hs_layers_clear(&l);
    }
    hs_line_clear(&line);
    hs_factors_clear(&f);
    return rc;
}
