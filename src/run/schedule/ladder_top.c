/* ladder_top.c - how hot tempering needs to be. */
#include "run/schedule/ladder_top.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "run/policy/policy.h"

#define NOTES 64 /* capacity: of a half of a trial, about */
#define LEAST 3  /* mathematics: both ends, and one between */

struct search {
    hs_ladder *l;
    const hs_model *m;
    const hs_ladder_top_request *request;
    hs_pilot_account *account;
    double *fresh; /* owned, [levels]: forgotten per step, -1: not measured */
    double each;   /* evaluations of a trial */
    int trials;
    int cold;      /* the hottest level that was not seen to forget, */
    double unseen; /* upper bound of what it forgets per step */
};

static int chains_of_trial(void)
{
    return 2 * hs_policy_count(HS_MIN_CHAINS);
}

/* Measures how fast a level forgets its state, per step; 0 if that was not
 * seen. */
static hiss_status measure(struct search *s, int level, double budget,
                           hiss_error *err)
{
    const hs_ladder_top_request *r = s->request;
    uint32_t chain = r->first_chain + (uint32_t)(s->trials++ * HS_GROUP_CHAINS);
    double still = 1.0 - hs_policy(HS_AGREEMENT);
    int chains = chains_of_trial();
    hs_trial t;
    hiss_status rc;

    HS_TRY(hs_trial_init(&t, s->m, r->base, NULL, &r->from, s->account->seed,
                         chain, chains, err));
    hs_group_heat(t.group, 1.0 / s->l->temperature[level]);
    t.every = 1 + (int)(budget / (chains * 2.0 * NOTES));
    rc = hs_trial_run(&t, budget, NULL, s->account, err);
    if (rc == HISS_OK)
        s->fresh[level] = t.discord > 0.0 && t.discord < still
                              ? (1.0 - t.discord) / (t.discord * t.steps)
                              : 0.0;
    if (rc == HISS_OK && s->fresh[level] == 0.0)
        s->unseen = t.steps > 0 ? (1.0 - still) / (still * t.steps) : 0.0;
    hs_trial_clear(&t);
    return rc;
}

/* Finds the coldest level that visibly forgets its state, by bisection.  The
 * next colder one gets a longer trial, because all colder levels together may
 * forget as much. */
static hiss_status search(struct search *s, hiss_error *err)
{
    int hot = s->l->levels - 1;

    HS_TRY(measure(s, hot, s->each, err));
    s->cold = 0;
    while (s->fresh[hot] > 0.0 && hot - s->cold > 1) {
        int level = (s->cold + hot) / 2;

        HS_TRY(measure(s, level, s->each, err));
        if (s->fresh[level] > 0.0)
            hot = level;
        else
            s->cold = level;
    }
    return s->fresh[hot] > 0.0 ? measure(s, s->cold, 2.0 * s->each, err)
                               : HISS_OK;
}

/* The ratio of the forgetting rates of neighboring levels, from the measured
 * ones.  The hottest is excluded, because there moves may forget everything at
 * once. */
static double growth(const double *fresh, int levels)
{
    int first = 0, last = levels - 2;

    while (first < levels && !(fresh[first] > 0.0))
        first++;
    while (last > first && !(fresh[last] > 0.0))
        last--;
    if (last <= first)
        last = levels - 1;
    return last > first && fresh[last] > fresh[first]
               ? pow(fresh[last] / fresh[first], 1.0 / (last - first))
               : 1.0;
}

/* Extrapolates to colder levels: their rates fall by the same factor, and stay
 * below what a trial would have shown. */
static void extrapolate(const struct search *s)
{
    double factor = growth(s->fresh, s->l->levels);
    double most = s->fresh[s->cold] > 0.0 ? s->fresh[s->cold] : s->unseen;

    for (int j = s->cold; j >= 0; j--) {
        s->fresh[j] = most;
        most = factor > 1.0 ? most / factor : 0.0;
    }
}

/* Interpolates geometrically between measured levels. */
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

/* Returns the number of levels, at least `levels`, that fills the lanes of the
 * tiles of a group: idle lanes take time as well. */
static int filled(int chains, int levels)
{
    int beside =
        chains > 0 && chains < HS_GROUP_CHAINS ? chains : HS_GROUP_CHAINS;
    int tiles = (beside * levels + HS_LANES - 1) / HS_LANES;

    return tiles * HS_LANES / beside;
}

/* A candidate ladder: `levels` levels up to level `top` of the old one. */
struct rung {
    int top, levels;
    double cost; /* evaluations of a fresh state, */
    double both; /* geometric mean of that and of the cost in lanes */
};

/* Interpolates a value at a fractional level. */
static double between(const double *value, double at)
{
    int j = (int)at;

    return at > j ? value[j] + (at - j) * (value[j + 1] - value[j]) : value[j];
}

/* Levels in between share a rejection among them. */
static struct rung weigh(const struct search *s, int top, int levels)
{
    double share = (double)top / (levels - 1), trip = 2.0, forgotten = 0.0;
    struct rung out = {top, levels, HUGE_VAL, HUGE_VAL};

    for (int j = 0; j < levels; j++)
        forgotten += between(s->fresh, (double)top * j / (levels - 1));
    for (int j = 0; j < top; j++) {
        double r = s->l->rejection[j];

        trip += r < 1.0 ? 2.0 * r / (1.0 - share * r) : HUGE_VAL;
    }
    if (!(forgotten > 0.0) || !(trip < HUGE_VAL))
        return out;
    out.cost = levels * (hs_policy(HS_TOP_DRAG) * trip + 1.0 / forgotten);
    out.both =
        out.cost * sqrt((double)filled(s->account->chains, levels) / levels);
    return out;
}

/* Returns the less expensive of two ladders: the levels as they are, or with
 * more levels in between if lanes would be idle. */
static struct rung weigh_top(const struct search *s, int top)
{
    int more = filled(s->account->chains, top + 1);
    struct rung plain = weigh(s, top, top + 1), full;

    if (more > s->l->levels)
        return plain;
    full = weigh(s, top, more);
    return full.both < plain.both ? full : plain;
}

/* Returns the coldest of the ladders that are about as good as the best: if
 * states are forgotten fast everywhere, replicas near the target are better. */
static struct rung cheapest(const struct search *s)
{
    struct rung best = {.top = s->l->levels - 1,
                        .levels = s->l->levels,
                        .cost = HUGE_VAL,
                        .both = HUGE_VAL};
    double tie = 1.0 - hs_policy(HS_AGREEMENT);

    for (int top = LEAST - 1; top < s->l->levels; top++) {
        struct rung next = weigh_top(s, top);

        best = next.both < best.both ? next : best;
    }
    for (int top = LEAST - 1; top < best.top; top++) {
        struct rung next = weigh_top(s, top);

        if (tie * next.both <= best.both)
            return next;
    }
    return best;
}

/* Moves the levels in place, from the top, so that old values are read
 * first. */
static void keep(hs_ladder *l, const struct rung *to)
{
    double sum = 0.0;

    for (int j = to->levels - 1; j > 0; j--) {
        double at = (double)to->top * j / (to->levels - 1);
        int below = (int)at;
        double beta = 1.0 / l->temperature[below];

        if (at > below)
            beta += (at - below) * (1.0 / l->temperature[below + 1] - beta);
        l->temperature[j] = at > below ? 1.0 / beta : l->temperature[below];
    }
    for (int j = 1; j + 1 < to->levels; j++) {
        double near = hs_ladder_rounded(l->temperature[j]);

        if (near > l->temperature[j - 1] && near < l->temperature[j + 1])
            l->temperature[j] = near;
    }
    for (int j = 0; j < to->top; j++)
        sum += l->rejection[j];
    for (int j = 0; to->levels > to->top + 1 && j + 1 < to->levels; j++)
        l->rejection[j] = sum / (to->levels - 1);
    l->levels = to->levels;
    l->barrier = sum;
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
    s.each = request->budget / (2.0 + 2.0 + log2(l->levels));
    if (s.each < 2.0 * hs_policy(HS_SAMPLES) * chains_of_trial())
        return HISS_OK;
    s.fresh = hs_alloc_array((size_t)l->levels, sizeof *s.fresh);
    if (!s.fresh)
        return hs_fail_memory(err);
    for (int j = 0; j < l->levels; j++)
        s.fresh[j] = -1.0;
    rc = search(&s, err);
    if (rc == HISS_OK && s.fresh[l->levels - 1] > 0.0) {
        struct rung best, all;

        extrapolate(&s);
        interpolate(s.fresh, l->levels);
        all = weigh(&s, l->levels - 1, l->levels);
        best = cheapest(&s);
        if (best.cost < HUGE_VAL && all.cost < HUGE_VAL)
            *gain = all.cost / best.cost;
        keep(l, &best);
    }
    hs_free(s.fresh);
    return rc;
}
