/* ladder_top.c - how hot tempering needs to be. */
#include "run/survey/ladder_top.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"

#define CHAINS 8   /* of a trial */
#define STEPS  128 /* of a trial at least: shorter ones say too little */
#define NOTES  64  /* of a half of a trial, about */
#define STILL  0.9 /* D above which nothing is seen to be forgotten */
#define LEAST  3   /* levels that are left */
/* Round trips that a fresh state takes: exchanges carry states of a glass on
 * that are alike for long. */
#define DRAG 8.0

struct search {
    hs_ladder *l;
    const hs_model *m;
    const hs_ladder_top_request *request;
    hs_pilot_account *account;
    double *fresh; /* owned, [levels]: forgotten per step, -1: not measured */
    double each;   /* evaluations of a trial */
    int trials;
};

/* How much of itself a level forgets in a step, by trial; 0: not seen to. */
static hiss_status measure(struct search *s, int level, hiss_error *err)
{
    const hs_ladder_top_request *r = s->request;
    uint32_t chain = r->first_chain + (uint32_t)(s->trials++ * HS_GROUP_CHAINS);
    hs_trial t;
    hiss_status rc;

    HS_TRY(hs_trial_init(&t, s->m, r->base, NULL, &r->from, s->account->seed,
                         chain, CHAINS, err));
    hs_trial_heat(&t, s->l->temperature[level]);
    t.every = 1 + (int)(s->each / (CHAINS * 2.0 * NOTES));
    rc = hs_trial_run(&t, s->each, NULL, s->account, err);
    if (rc == HISS_OK)
        s->fresh[level] = t.discord > 0.0 && t.discord < STILL
                              ? (1.0 - t.discord) / (t.discord * t.steps)
                              : 0.0;
    hs_trial_clear(&t);
    return rc;
}

/* The coldest level that is seen to forget: trials by halves. */
static hiss_status search(struct search *s, hiss_error *err)
{
    int cold = 0, hot = s->l->levels - 1;

    HS_TRY(measure(s, hot, err));
    s->fresh[cold] = 0.0; /* or there would be no tempering */
    while (s->fresh[hot] > 0.0 && hot - cold > 1) {
        int level = (cold + hot) / 2;

        HS_TRY(measure(s, level, err));
        if (s->fresh[level] > 0.0)
            hot = level;
        else
            cold = level;
    }
    return HISS_OK;
}

/* What lies between two levels that were measured grows by the same factor. */
static void interpolate(double *fresh, int levels)
{
    for (int last = 0, j = 1; j < levels; j++) {
        if (fresh[j] < 0.0)
            continue;
        for (int i = last + 1; i < j; i++)
            fresh[i] = fresh[last] > 0.0
                           ? fresh[last] * pow(fresh[j] / fresh[last],
                                               (i - last) / (double)(j - last))
                           : 0.0;
        last = j;
    }
}

/* The number of levels with which fresh states cost least, and how many times
 * less than with all. */
static int cheapest(const hs_ladder *l, const double *fresh, double *gain)
{
    double trip = 2.0, forgotten = 0.0, least = HUGE_VAL, cost = HUGE_VAL;
    int best = l->levels;

    for (int k = 0; k < l->levels; k++) {
        double r = k > 0 ? l->rejection[k - 1] : 0.0;

        forgotten += fresh[k];
        trip += r < 1.0 ? 2.0 * r / (1.0 - r) : HUGE_VAL;
        cost = forgotten > 0.0 ? (k + 1) * (DRAG * trip + 1.0 / forgotten)
                               : HUGE_VAL;
        if (k + 1 >= LEAST && cost < least) {
            least = cost;
            best = k + 1;
        }
    }
    *gain = least < HUGE_VAL && cost < HUGE_VAL ? cost / least : 1.0;
    return best;
}

static void keep(hs_ladder *l, int levels)
{
    l->levels = levels;
    l->barrier = 0.0;
    for (int j = 0; j + 1 < levels; j++)
        l->barrier += l->rejection[j];
}

hiss_status hs_ladder_top_lower(hs_ladder *l, const hs_model *m,
                                const hs_ladder_top_request *request,
                                hs_pilot_account *account, double *gain,
                                hiss_error *err)
{
    struct search s = {.l = l, .m = m, .request = request, .account = account};
    hiss_status rc;

    *gain = 1.0;
    if (l->levels <= LEAST)
        return HISS_OK;
    s.each = request->budget / (2.0 + log2(l->levels));
    if (s.each < STEPS * CHAINS)
        return HISS_OK;
    s.fresh = hs_alloc_array((size_t)l->levels, sizeof *s.fresh);
    if (!s.fresh)
        return hs_fail_memory(err);
    for (int j = 0; j < l->levels; j++)
        s.fresh[j] = -1.0;
    rc = search(&s, err);
    if (rc == HISS_OK && s.fresh[l->levels - 1] > 0.0) {
        interpolate(s.fresh, l->levels);
        keep(l, cheapest(l, s.fresh, gain));
    }
    hs_free(s.fresh);
    return rc;
}
