/* twice.c - tests whether the model is a function of its state.
 *
 * A function of the user may violate this: dropout is on, or every call uses
 * another minibatch.  Then no sampler draws from any distribution.  So some
 * states of the run are evaluated again, in other batches and in another order,
 * and log p must be the same up to rounding. */
#include <math.h>

#include "run/chain/twice.h"
#include "verdict/states/seen_draws.h"
#include "verdict/verdict.h"

static hiss_status ask(const hs_evidence *e, hs_twice *out, hiss_error *err)
{
    const hs_model *m = e->model->model;
    hs_point p;
    hs_seen some = {0};
    hiss_status rc = hs_point_init(&p, m, err);

    if (rc == HISS_OK)
        rc = hs_seen_init(&some, e->result, HS_LANES, err);
    for (int l = 0; rc == HISS_OK && l < HS_LANES; l++)
        hs_point_write(&p, m->domain.dim, l,
                       some.state + l % some.count * m->domain.dim);
    if (rc == HISS_OK)
        rc = hs_model_twice(m, &p, HS_LANES, out, err);
    hs_point_clear(&p);
    hs_seen_clear(&some);
    return rc;
}

hiss_status hs_judge_twice(hiss_diagnosis *d, const hs_evidence *e,
                           hiss_error *err)
{
    hs_twice t;

    if (!e->model || !e->model->model->is_user ||
        e->result->run.info.samples < 1)
        return HISS_OK;
    HS_TRY(ask(e, &t, err));
    if (t.is_function)
        hs_find(d, "function", HISS_PASSED, t.apart, t.allowed,
                "the model gives the same states the same log p twice, but for "
                "a rounding of %.2g (%d states, in other batches and orders)",
                t.apart, t.states);
    else
        hs_find(d, "function", HISS_FAILED, t.apart, t.allowed,
                "the model gave one state log p = %.9g and then %.9g: it is "
                "not a function of the state.  Is dropout on, or a minibatch "
                "drawn?",
                t.first, t.second);
    return HISS_OK;
}
