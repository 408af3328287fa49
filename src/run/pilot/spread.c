/* spread.c - strands, where lanes would be idle. */
#include "run/pilot/spread.h"

#include <math.h>

#include "base/lane.h"

#define MOST   4    /* strands: what tells chains apart is divided by them */
#define ENOUGH 0.9  /* of the effective draws, for less time */
#define WALK   0.8  /* of a run's evaluations come after its warm-up, */
#define OFF    0.02 /* or so much more or less of that */

double hs_spread_worth(double steps, double tau, double kept, int strands)
{
    double made = steps / strands, apart = fmax(ceil(made / kept), 1.0);
    double rho = pow((tau - 1.0) / (tau + 1.0), apart);

    return made / apart / (1.0 + 2.0 * rho / ((1.0 - rho) * strands));
}

/* Strands of a chain for which there are lanes. */
static int free_lanes(const hs_pilot_account *account)
{
    int strands = account->chains > 0 ? HS_LANES / account->chains : MOST;

    return strands < MOST ? strands : MOST;
}

/* Whether a run that evaluations alone end has as many effective draws
 * with them, among those that it keeps, though it makes a few steps more or
 * fewer than is thought: one too many, and half of the draws are left out. */
static bool are_free(const hs_spread_request *r,
                     const hs_pilot_account *account, int strands)
{
    double tau = fmax(1.0 / r->brought, 1.0), kept = (double)account->draws;
    double made = WALK * hs_pilot_account_left(account) / r->cost;
    bool are = account->is_open && kept > 0.0 && r->cost > 0.0 && made > 0.0;

    for (int n = -1; n <= 1 && are; n++) {
        double steps = (1.0 + OFF * n) * made;

        are = hs_spread_worth(steps, tau, kept, strands) >=
              ENOUGH * hs_spread_worth(steps, tau, kept, 1);
    }
    return are;
}

static void say(const hs_spread_request *r, int strands, hs_text *text)
{
    const char *many = strands == 4 ? "four" : strands == 3 ? "three" : "two";

    if (r->brought < r->fresh)
        hs_text_line(text, "a step brings %.2g draws", r->brought);
    else
        hs_text_line(text, "more draws are made than kept");
    hs_text_print(text, ": %s replicas of every chain (strands)", many);
}

hiss_status hs_spread_out(hs_sampler **out, hs_sampler *s,
                          const hs_spread_request *request,
                          const hs_pilot_account *account, hs_text *text,
                          hiss_error *err)
{
    int strands = free_lanes(account);
    hiss_status rc;

    while (strands > 1 && !(request->brought < request->fresh) &&
           !are_free(request, account, strands))
        strands--;
    *out = s;
    if (strands < 2 || s->type->is_outermost)
        return HISS_OK;
    say(request, strands, text);
    rc = hs_sampler_make(
        out, &hs_kernel_strands,
        (hs_setting[]){{"base", .sampler = s},
                       strands == MOST /* which is the default */
                           ? (hs_setting){0}
                           : (hs_setting){"count", .number = strands},
                       {0}},
        err);
    hs_sampler_release(s);
    return rc;
}
