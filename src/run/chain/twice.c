/* twice.c - tests whether a model gives equal states equal U. */
#include "run/chain/twice.h"

#include <math.h>

#include "base/error.h"

#define ROUNDING 1e-4 /* relative to U, and to 1 */
#define FEW      4    /* states before a run, because they may be expensive */

static void turn(const hs_model *m, hs_point *p, int lanes)
{
    for (int i = 0; i < m->domain.dim; i++)
        for (int l = 0; l < lanes / 2; l++) {
            int16_t x = p->x[i][l];

            p->x[i][l] = p->x[i][lanes - 1 - l];
            p->x[i][lanes - 1 - l] = x;
        }
    p->have = 0;
}

static void compare(hs_twice *t, double a, double b)
{
    double apart = a == b ? 0.0 : fabs(a - b);
    double allowed = ROUNDING * (1.0 + fabs(a));

    if (!(a < HUGE_VAL) || !(b < HUGE_VAL))
        return; /* NaN or infinity: the run will report the place */
    if (!(apart <= allowed))
        t->is_function = false;
    if (!(apart <= t->apart)) {
        t->apart = apart;
        t->allowed = allowed;
        t->first = a;
        t->second = b;
    }
}

hiss_status hs_model_twice(const hs_model *m, hs_point *p, int lanes,
                           hs_twice *out, hiss_error *err)
{
    double u[HS_LANES];

    *out = (hs_twice){.is_function = true, .states = lanes};
    for (int pass = 0; pass < 3; pass++) {
        hiss_status rc;

        p->have = 0;
        p->lanes = pass == 2 ? lanes / 2 : lanes;
        rc = hs_model_evaluate(m, p, HS_U);
        if (rc != HISS_OK)
            return hs_fail_model(err, rc, m, &p->fault, "at a draw");
        for (int l = 0; l < p->lanes; l++)
            if (pass == 0)
                u[l] = p->u[l];
            else
                compare(out, u[pass == 1 ? lanes - 1 - l : l], p->u[l]);
        turn(m, p, lanes);
    }
    return HISS_OK;
}

hiss_status hs_model_check_function(const hs_model *m, hiss_error *err)
{
    hiss_error own = {0};
    hs_point p;
    hs_twice t;
    hiss_status rc;

    if (m->domain.is_tour)
        return HISS_OK;
    HS_TRY(hs_point_init(&p, m, err));
    for (int i = 0; i < m->domain.dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            p.x[i][l] =
                (int16_t)((l / 4 + i * (l % 4 + 1)) % m->domain.states[i]);
    rc = hs_model_twice(m, &p, FEW, &t, &own);
    hs_point_clear(&p);
    if (rc == HISS_EPLUGIN && err)
        *err = own;
    if (rc == HISS_EPLUGIN)
        return rc;
    if (rc != HISS_OK || t.is_function)
        return HISS_OK;
    return hs_fail(err, HISS_EARG,
                   "model %s: log p of one state is %.9g and then %.9g: it is "
                   "no function of the state; is dropout on, or a minibatch "
                   "drawn?",
                   m->name, t.first, t.second);
}
