/* network_top.c - the lowest temperature whose truncated network brings draws
 * that are accepted. */
#include "run/schedule/network_top.h"

#include "base/error.h"
#include "base/poll.h"
#include "run/policy/policy.h"

#define HOTTEST 10.0 /* capacity: temperatures that are tried */
#define STRIDE  1.25 /* precision: from one of them to the next */

#define PERCENT 100.0 /* mathematics: of a share */

hiss_status hs_network_top_find(const hs_network **held, double *temperature,
                                const hs_model *m, hs_pilot_account *account,
                                hs_text *text, hiss_error *err)
{
    hs_poll poll = {hs_pilot_account_ask, account};

    for (double t = 1.0; t <= HOTTEST; t *= STRIDE) {
        const hs_network_request request = {.beta = 1.0 / t,
                                            .poll = &poll,
                                            .most =
                                                hs_policy(HS_WORK_PER_SECOND)};
        const hs_network_facts *f;

        HS_TRY(hs_network_hold(held, m, &request, err));
        f = hs_network_about(*held);
        account->energy_evals += f->sweeps;
        *temperature = t;
        if (f->accepted >= 0.5) {
            hs_text_line(text,
                         "a network of temperature %.3g with bonds up to %d: "
                         "%.0f %% of its draws are accepted",
                         t, f->bond, PERCENT * f->accepted);
            return HISS_OK;
        }
        hs_network_release(*held);
        *held = NULL;
    }
    return hs_fail(err, HISS_EUNSUP,
                   "sampler pt: no network of a temperature up to %g brings "
                   "draws that are accepted; leave reference=uniform",
                   HOTTEST);
}
