/* spread.c - strands, where lanes would be idle. */
#include "run/pilot/spread.h"

#include <math.h>

#include "base/lane.h"
#include "run/account/warmup.h"
#include "run/policy/policy.h"

#define MOST   4    /* strands: what tells chains apart is divided by them */
#define ENOUGH 0.8  /* of the effective draws, for half of the time or less */
#define OFF    0.02 /* more steps or fewer than is thought */

/* x + x^2 + x^3 + ... */
static double later(double x)
{
    return x / (1.0 - x);
}

/* Draws a step apart are of the same strand as often as replicas.c says.  Rho
 * and what does so go as powers of the distance, and so does their product. */
double hs_spread_worth(double steps, double tau, const hs_keeping *kept,
                       int strands)
{
    double made = steps / strands, apart = hs_keeping_apart(kept, made);
    double rho = (tau - 1.0) / (tau + 1.0), same = 1.0 / strands;
    double change = strands > 2 ? -1.0 / (strands - 1) : 0.0;

    return made / apart /
           (1.0 + 2.0 * same * later(pow(rho, apart)) +
            2.0 * (1.0 - same) * later(pow(change * rho, apart)));
}

/* Strands of a chain for which there are lanes, where evaluations are shared
 * among all chains; else a chain does not depend on how many others there
 * are. */
static int free_lanes(const hs_pilot_account *account)
{
    int strands = MOST;

    if (account->is_open && account->chains > 0)
        strands = HS_LANES / account->chains;
    return strands < MOST ? strands : MOST;
}

/* What a run that evaluations alone end has of effective draws among those that
 * it keeps, though a step costs this many times what is thought; its warm-up is
 * longer if more draws are kept then, as in run/sampling/rounds.c. */
static double worth_of(const hs_spread_request *r,
                       const hs_pilot_account *account, double tau, int strands,
                       double times)
{
    hs_keeping one = {(double)account->draws,
                      fmax((double)account->draws, (double)account->room)};
    hs_keeping all_of = {strands * one.draws, strands * one.room};
    double left = hs_pilot_account_left(account), all = left / r->cost / times;
    double share = hs_warmup_share(left, strands * r->cost / r->brought);
    double least = (1.0 - hs_policy(HS_WARMUP_SHARE)) * all,
           most = (1.0 - share) * all;

    return hs_spread_worth(hs_warmup_steps(most, least, &all_of), tau, &one,
                           strands);
}

/* Both of what is slowest, as the trial has it, and of what every step makes
 * anew, such as the mode where all jumps are accepted. */
static bool are_free(const hs_spread_request *r,
                     const hs_pilot_account *account, int strands)
{
    double slow = fmax(1.0 / r->brought, 1.0);
    bool are = account->is_open && account->draws > 0 && r->cost > 0.0 &&
               hs_pilot_account_left(account) > 0.0;

    for (int n = 0; n < 6 && are; n++) {
        double tau = n % 2 ? slow : 1.0, times = 1.0 + OFF * (n / 2 - 1);

        are = worth_of(r, account, tau, strands, times) >=
              ENOUGH * worth_of(r, account, tau, 1, times);
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
        out, &hs_kernel_replicas,
        (hs_setting[]){{"base", .sampler = s},
                       strands == MOST /* which is the default */
                           ? (hs_setting){0}
                           : (hs_setting){"count", .number = strands},
                       {0}},
        err);
    hs_sampler_release(s);
    return rc;
}
