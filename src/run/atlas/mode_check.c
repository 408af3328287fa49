/* mode_check.c - what a pilot knew about modes, against what a run has seen.
 *
 * Two signs of trouble: a mode that should be seen and was not, and draws in
 * modes that were not known, which jumps between known ones do not reach. */
#include "run/atlas/mode_check.h"

#include <math.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/number.h"
#include "run/policy/policy.h"

/* Shares each draw among the modes in proportion to their distributions, w_k
 * q_k(x) / sum_j w_j q_j(x).  Two nearly equal modes each get a part.  If two
 * distributions cover the same states, the worse fit gets next to nothing, as
 * with its own chains.  Unknown draws come last.  Returns the number of draws
 * counted. */
static int64_t count(const hs_store *s, int64_t samples, const hs_domain *d,
                     const hs_library *known, double *values, int16_t *state,
                     double *seen)
{
    double room = hs_policy(HS_MODES_WORK) / ((double)d->dim * known->modes);
    int64_t most = room > hs_policy_count(HS_MAX_COMPARED)
                       ? hs_policy_count(HS_MAX_COMPARED)
                   : room > hs_policy_count(HS_SAMPLES)
                       ? (int64_t)room
                       : hs_policy_count(HS_SAMPLES);
    int64_t total = s->chains * samples, stride = total / most + 1, n = 0;
    double share[HS_LIBRARY_MAX];

    for (int64_t draw = 0; draw < total; draw += stride, n++) {
        hs_store_state(s, d, (int)(draw / samples), draw % samples, values,
                       state);
        if (!hs_library_shares(known, d, state, share)) {
            seen[known->modes] += 1.0;
            continue;
        }
        for (int k = 0; k < known->modes; k++)
            seen[k] += share[k];
    }
    return n;
}

static char *judge(const hs_library *known, const double *seen, int64_t n,
                   const hs_mode_claim *claim)
{
    double missed = 0.0, alien = seen[known->modes] / (double)n;
    double part = claim->reaches_more ? 1.0 - alien : 1.0;
    double least =
        hs_policy(HS_NEGLIGIBLE) / fmax(part, hs_policy(HS_NEGLIGIBLE));
    char text[256] = "";
    int modes = 0;

    for (int k = 0; k < known->modes; k++)
        if (claim->knows_all && known->weight[k] * known->held[k] > least &&
            seen[k] < hs_policy(HS_NEGLIGIBLE) * known->weight[k] *
                          known->held[k] * part * (double)n &&
            known->log_error[k] < 0.5 /* else it is unknown */) {
            missed += known->weight[k];
            modes++;
        }
    if (modes > 0)
        hs_snprintf(
            text, sizeof text,
            "the pilot found %d mode%s of mass about %.2g that the run "
            "never visited: do not trust the draws; run longer, or with "
            "another seed",
            modes, modes > 1 ? "s" : "", missed);
    else if (claim->knows_all && claim->jumps_only &&
             alien > hs_policy(HS_NEGLIGIBLE))
        hs_snprintf(
            text, sizeof text,
            "%.2g of the draws are in modes that the pilot did not know, "
            "and there may be more: do not trust their masses; run "
            "longer, or with another seed",
            alien);
    return *text ? hs_strdup(text) : NULL;
}

char *hs_mode_check(const hs_store *store, int64_t samples, const hs_model *m,
                    const hs_library *known, const hs_mode_claim *claim)
{
    const hs_domain *d = &m->domain;
    double *values = hs_alloc_array((size_t)d->dim, sizeof *values);
    int16_t *state = hs_alloc_array((size_t)d->dim, sizeof *state);
    double seen[HS_LIBRARY_MAX + 1] = {0};
    char *text = NULL;

    if (values && state) {
        int64_t n = count(store, samples, d, known, values, state, seen);

        if (n >= hs_policy_count(HS_SAMPLES))
            text = judge(known, seen, n, claim);
    }
    hs_free(values);
    hs_free(state);
    return text;
}
