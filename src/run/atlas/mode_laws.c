/* mode_laws.c - finds the modes and learns the distribution of each. */
#include "run/atlas/mode_laws.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "run/atlas/conditionals.h"
#include "run/atlas/mode_masses.h"
#include "run/policy/policy.h"

#define ROOM 8 /* capacity: modes at first */

/* --- modes of pilot chains ------------------------------------------------ */

/* Shares of all values in a lane. */
static void shares(const hs_pilot_chains *c, int lane, float *out)
{
    size_t at = (size_t)lane * (size_t)c->values;

    for (int v = 0; v < c->values; v++)
        out[v] = (c->count[0][at + (size_t)v] + c->count[1][at + (size_t)v]) /
                 (2.0f * (float)c->steps);
}

/* Adds `own` to a mean, which then has `size` lanes. */
static void add_to_mean(float *mean, const float *own, int values, int size)
{
    for (int v = 0; v < values; v++)
        mean[v] += (own[v] - mean[v]) / (float)size;
}

/* Half the squared distance of two vectors of shares, or something above
 * `most`. */
static double distance(const float *a, const float *b, int values, double most)
{
    double sum = 0.0;

    for (int v = 0; v < values && sum <= 2.0 * most; v++) {
        double off = (double)a[v] - (double)b[v];

        sum += off * off;
    }
    return 0.5 * sum;
}

/* The nearest of `count` means, and its distance; that of mean `self` counts
 * `scale` times. */
static int nearest_mean(const float *own, const float *mean, int count,
                        int values, int self, double scale, double *nearest)
{
    int at = 0;

    *nearest = HUGE_VAL;
    for (int k = 0; k < count; k++) {
        double off =
            (k == self ? scale : 1.0) *
            distance(own, mean + (size_t)k * (size_t)values, values, *nearest);

        if (off < *nearest) {
            *nearest = off;
            at = k;
        }
    }
    return at;
}

/* The distance between a chain and others of its mode that chance explains:
 * half the distance between its two halves, which are half as long. */
static double noise_of(const hs_pilot_chains *c, int lane)
{
    size_t first = (size_t)lane * (size_t)c->values;

    return 0.5 *
           distance(c->count[0] + first, c->count[1] + first, c->values,
                    HUGE_VAL) /
           ((double)c->steps * (double)c->steps);
}

/* Renumbers modes by falling size. */
static void rank_modes(int *of, int lanes, const int *size, int modes,
                       int *rank)
{
    for (int k = 0; k < modes; k++) {
        rank[k] = 0;
        for (int o = 0; o < modes; o++)
            rank[k] += size[o] > size[k] || (size[o] == size[k] && o < k);
    }
    for (int l = 0; l < lanes; l++)
        of[l] = rank[of[l]];
}

/* Modes on the way. */
struct split {
    int modes, room;
    float *centre; /* owned, [room][values]: mean shares */
    double *noise; /* owned, [lanes] */
    int *size;     /* owned, [lanes] */
    int *rank;     /* owned, [lanes] */
    float *own;    /* owned, [values]: shares of the present lane */
};

/* Room for one more mode. */
static bool grow(struct split *s, size_t values)
{
    int room = s->room ? 2 * s->room : ROOM;
    float *centre;

    if (s->modes < s->room)
        return true;
    centre = hs_realloc_array(s->centre, (size_t)s->room * values,
                              (size_t)room * values, sizeof *centre);
    if (!centre)
        return false;
    s->centre = centre;
    s->room = room;
    return true;
}

/* Returns the mode of a lane, a new one if it is far from all; -1 if memory is
 * short. */
static int place(struct split *s, const hs_pilot_chains *c, int lane)
{
    size_t values = (size_t)c->values;
    double nearest, chance = noise_of(c, lane);
    int at;

    shares(c, lane, s->own);
    at =
        nearest_mean(s->own, s->centre, s->modes, c->values, -1, 1.0, &nearest);
    if (!(nearest <
          1.0 + 0.5 * hs_policy(HS_MODE_DISTANCE) * (chance + s->noise[at]))) {
        if (!grow(s, values))
            return -1;
        at = s->modes++;
    }
    s->size[at]++;
    s->noise[at] += (chance - s->noise[at]) / s->size[at];
    add_to_mean(s->centre + (size_t)at * values, s->own, c->values,
                s->size[at]);
    return at;
}

int hs_mode_laws_split(const hs_pilot_chains *c, int *of)
{
    size_t lanes = (size_t)c->lanes;
    struct split s = {0};
    bool is_done;

    s.own = hs_alloc_array((size_t)c->values, sizeof *s.own);
    s.noise = hs_alloc_array(lanes, sizeof *s.noise);
    s.size = hs_alloc_array(lanes, sizeof *s.size);
    s.rank = hs_alloc_array(lanes, sizeof *s.rank);
    is_done = s.own && s.noise && s.size && s.rank;
    for (int l = 0; is_done && l < c->lanes; l++) {
        of[l] = place(&s, c, l);
        is_done = of[l] >= 0;
    }
    if (is_done)
        rank_modes(of, c->lanes, s.size, s.modes, s.rank);
    hs_free(s.own);
    hs_free(s.noise);
    hs_free(s.size);
    hs_free(s.rank);
    hs_free(s.centre);
    return is_done ? s.modes : 0;
}

/* --- laws --------------------------------------------------------------- */

/* Chains of a mode take turns starting where its pilot chains ended. */
static void take_over(hs_pilot_chains *to, const hs_pilot_chains *from,
                      const int *of, int modes)
{
    size_t bytes = (size_t)from->dim * sizeof *from->state;
    int next[HS_LIBRARY_MAX] = {0};

    for (int l = 0; l < to->lanes; l++) {
        int mode = l % modes, at = next[mode];

        while (of[at] != mode)
            at = (at + 1) % from->lanes;
        next[mode] = (at + 1) % from->lanes;
        memcpy(to->state + (size_t)l * (size_t)to->dim,
               from->state + (size_t)at * (size_t)from->dim, bytes);
    }
}

hiss_status hs_mode_laws_sketch(hs_library **out, const hs_pilot_chains *c,
                                const int *of, int modes, const hs_domain *d,
                                hiss_error *err)
{
    int most = hs_library_most(d);
    double *sum = hs_alloc_array((size_t)c->values, sizeof *sum);
    hiss_status rc = sum ? HISS_OK : hs_fail_memory(err);

    *out = NULL;
    if (rc == HISS_OK)
        rc = hs_library_create(out, d, modes < most ? modes : most, err);
    for (int k = 0; rc == HISS_OK && k < (*out)->modes; k++) {
        hs_pilot_chains_sum(c, of, k, sum);
        hs_library_learn(*out, d, k, sum, 1.0);
    }
    if (rc == HISS_OK)
        hs_library_weigh(*out, NULL);
    hs_free(sum);
    return rc;
}

/* Centres of groups of chains: lane l < lanes began in group l % groups. */
struct groups {
    int count, lanes;
    float *centre; /* owned, [count][values]: mean shares */
    float *own;    /* owned, [values]: shares of a lane */
    int *size;     /* owned, [count] */
};

static void groups_clear(struct groups *g)
{
    hs_free(g->centre);
    hs_free(g->own);
    hs_free(g->size);
}

static bool groups_init(struct groups *g, const hs_pilot_chains *c, int count,
                        int lanes)
{
    size_t values = (size_t)c->values;

    *g = (struct groups){.count = count, .lanes = lanes};
    g->centre = hs_alloc_array((size_t)count * values, sizeof *g->centre);
    g->own = hs_alloc_array(values, sizeof *g->own);
    g->size = hs_alloc_array((size_t)count, sizeof *g->size);
    if (!g->centre || !g->own || !g->size) {
        groups_clear(g);
        return false;
    }
    for (int l = 0; l < lanes; l++) {
        int k = l % count;

        shares(c, l, g->own);
        add_to_mean(g->centre + (size_t)k * values, g->own, c->values,
                    ++g->size[k]);
    }
    return true;
}

/* The group that a lane is nearest to.  A group of n is nearer to its own lanes
 * than to others by (1 - 1/n)^2: alone says whether that is taken out. */
static int nearest_group(const struct groups *g, const hs_pilot_chains *c,
                         int lane, bool alone)
{
    bool is_own = alone && lane < g->lanes;
    int self = is_own ? lane % g->count : -1;
    double n = is_own ? g->size[self] : 2.0, scale = n / (n - 1.0), nearest;

    shares(c, lane, g->own);
    return nearest_mean(g->own, g->centre, g->count, c->values, self,
                        scale * scale, &nearest);
}

/* Moves every lane to the nearest group; returns false if one would be
 * empty. */
static bool settle_in(const struct groups *g, const hs_pilot_chains *c, int *of)
{
    bool is_whole = true;

    for (int k = 0; k < g->count; k++)
        g->size[k] = 0;
    for (int l = 0; l < c->lanes; l++) {
        of[l] = nearest_group(g, c, l, false);
        g->size[of[l]]++;
    }
    for (int k = 0; k < g->count; k++)
        is_whole = is_whole && g->size[k] > 0;
    return is_whole;
}

/* The lanes began in mode l % modes.  If a second split finds many more modes,
 * it sees the noise of slow chains.  Every lane goes to the nearest of its
 * first modes; none may be left empty. */
static bool settle(const hs_pilot_chains *c, int modes, int *of)
{
    struct groups g;

    if (!groups_init(&g, c, modes, c->lanes))
        return false;
    if (!settle_in(&g, c, of))
        for (int l = 0; l < c->lanes; l++)
            of[l] = l % modes;
    groups_clear(&g);
    return true;
}

bool hs_mode_laws_hold(const hs_pilot_chains *c, int groups, int lanes, int *of)
{
    int stayed = 0;
    bool holds = false;
    struct groups g;

    if (groups < 2 || lanes <= hs_policy_count(HS_MIN_CHAINS) / 2 * groups ||
        !groups_init(&g, c, groups, lanes))
        return false;
    for (int l = 0; l < lanes; l++)
        stayed += nearest_group(&g, c, l, true) == l % groups;
    if (stayed >= hs_policy(HS_GROUP_STAYS) * lanes) {
        int *new = hs_alloc_array((size_t)c->lanes, sizeof *new);

        holds = new &&settle_in(&g, c, new);
        if (holds)
            memcpy(of, new, (size_t)c->lanes * sizeof *of);
        hs_free(new);
    }
    groups_clear(&g);
    return holds;
}

/* --- trees or products --------------------------------------------------- */

/* The fraction of accepted jumps, from the present states. */
static hiss_status try_jumps(double *accepted, const hs_library *b,
                             const hs_pilot_chains *from, const hs_model *m,
                             const hs_sampler *bridge, uint32_t first_chain,
                             int jumps, hs_pilot_account *account,
                             hiss_error *err)
{
    hs_pilot_walk run = {.sampler = bridge,
                         .library = b,
                         .first_chain = first_chain,
                         .steps = jumps / 2};
    hs_pilot_chains c;
    hiss_status rc;

    HS_TRY(hs_pilot_chains_init(&c, m, from->lanes, err));
    memcpy(c.state, from->state,
           (size_t)c.lanes * (size_t)c.dim * sizeof *c.state);
    rc = hs_pilot_chains_count(&c, m, &run, account, err);
    *accepted = c.proposed > 0.0 ? c.taken / c.proposed : 0.0;
    hs_pilot_chains_clear(&c);
    return rc;
}

/* The same chains jump with both: trees stay if more of their jumps are
 * accepted, beyond two standard errors. */
static hiss_status choose_trees(hs_library *b, const hs_pilot_chains *c,
                                const hs_model *m,
                                const hs_pilot_request *request,
                                hs_pilot_account *account, hiss_error *err)
{
    hs_mode_trees *trees = b->trees;
    int each = hs_policy_steps(request->budget / c->lanes) / 2;
    double mean, chance;
    hs_sampler *bridge;
    hiss_status rc;

    HS_TRY(hs_sampler_make(&bridge, &hs_kernel_bridge, NULL, err));
    rc = try_jumps(&trees->accepted, b, c, m, bridge, request->first_chain,
                   each, account, err);
    b->trees = NULL;
    if (rc == HISS_OK)
        rc = try_jumps(&trees->as_product, b, c, m, bridge,
                       request->first_chain, each, account, err);
    hs_sampler_release(bridge);
    mean = 0.5 * (trees->accepted + trees->as_product);
    chance = sqrt(2.0 * mean * (1.0 - mean) / ((double)each * c->lanes));
    if (trees->accepted > trees->as_product + 2.0 * chance)
        b->trees = trees;
    else
        hs_mode_trees_destroy(trees);
    return rc;
}

/* Rounds of doubling length; each uses what the one before has learned. */
static hiss_status improve(hs_library **b, hs_pilot_chains *c, const int *of,
                           const hs_model *m, const hs_pilot_request *request,
                           hs_pilot_account *account, hiss_error *err)
{
    hs_pilot_request part = *request;
    double first = 1.0 / (1 + 2); /* the second round is twice as long */

    for (int n = 0; n < 2 && (*b)->trees; n++) {
        hs_library *next;
        hiss_status rc;

        part.budget = (n + 1) * first * request->more;
        part.first_chain += (uint32_t)c->lanes;
        HS_TRY(hs_library_create(&next, &m->domain, (*b)->modes, err));
        rc = hs_conditionals_learn(next, *b, c, of, m, &part, account, err);
        if (rc != HISS_OK) {
            hs_library_destroy(next);
            return rc;
        }
        hs_library_destroy(*b);
        *b = next;
    }
    return HISS_OK;
}

/* --- all of it ----------------------------------------------------------- */

/* Two apparent modes may turn out to be one after a longer walk. */
static hiss_status learn(hs_library **out, hs_pilot_chains *c, int *of,
                         int modes, const hs_model *m,
                         const hs_pilot_request *request,
                         hs_pilot_account *account, hiss_error *err)
{
    double before = hs_pilot_account_spent(account);
    hs_pilot_walk run = {
        .sampler = request->base,
        .first_chain = request->first_chain,
        .discard = hs_policy_count(HS_MIN_STEPS) / 2,
        .steps = hs_policy_steps(0.5 * hs_policy(HS_LEARN_WALK_SHARE) *
                                 request->budget / c->lanes)};
    hs_pilot_request part = *request;
    int kept;

    HS_TRY(hs_pilot_chains_count(c, m, &run, account, err));
    kept = hs_mode_laws_split(c, of);
    if (kept > 0 && kept < modes && hs_mode_laws_hold(c, modes, c->lanes, of))
        kept = modes;
    if (kept == 0 || (kept > 2.0 * modes && !settle(c, modes, of)))
        return hs_fail_memory(err);
    kept = kept > 2.0 * modes ? modes : kept;
    if (kept == 1 && !request->takes_one)
        return HISS_OK;
    HS_TRY(hs_library_create(out, &m->domain, kept, err));
    part.first_chain += (uint32_t)c->lanes;
    part.budget = (1.0 - hs_policy(HS_LEARN_WALK_SHARE)) * request->budget -
                  (hs_pilot_account_spent(account) - before);
    HS_TRY(hs_conditionals_learn(*out, NULL, c, of, m, &part, account, err));
    part.first_chain += 2 * (uint32_t)c->lanes;
    if (request->takes_one) { /* a reference consists of products */
        hs_mode_trees_destroy((*out)->trees);
        (*out)->trees = NULL;
    }
    if ((*out)->trees) {
        double spent = hs_pilot_account_spent(account);

        HS_TRY(improve(out, c, of, m, &part, account, err));
        before += hs_pilot_account_spent(account) - spent;
    }
    if (kept == 1) {
        hs_library_weigh(*out, NULL);
        return HISS_OK;
    }
    part.first_chain += (uint32_t)((1 + 2) * c->lanes);
    part.budget = ((*out)->trees ? 1.0 - hs_policy(HS_LEARN_WALK_SHARE) : 1.0) *
                      request->budget -
                  (hs_pilot_account_spent(account) - before);
    HS_TRY(hs_mode_masses_weigh(*out, c, of, m, &part, account, err));
    if ((*out)->trees) {
        part.first_chain += 2 * (uint32_t)c->lanes;
        part.budget =
            request->budget - (hs_pilot_account_spent(account) - before);
        HS_TRY(choose_trees(*out, c, m, &part, account, err));
    }
    return hs_library_cut(*out, m, err);
}

hiss_status hs_mode_laws_learn(hs_library **out, const hs_pilot_chains *c,
                               const int *of, int modes, const hs_model *m,
                               const hs_pilot_request *request,
                               hs_pilot_account *account, hiss_error *err)
{
    double chains = /* which each make MAX_STEPS steps */
        request->budget / (hs_policy(HS_MAX_STEPS) * fmax(c->cost, 1.0));
    int lanes = (int)fmin(chains, hs_policy(HS_SAMPLES));
    int kept = (int)fmin(fmin(chains, hs_library_most(&m->domain)), modes);
    hs_pilot_chains pilots;
    int *own;
    hiss_status rc;

    *out = NULL;
    lanes -= lanes % HS_GROUP_CHAINS;
    if (lanes == 0 || kept < (request->takes_one ? 1 : 2))
        return HISS_OK;
    while (lanes < kept)
        lanes += HS_GROUP_CHAINS;
    HS_TRY(hs_pilot_chains_init(&pilots, m, lanes, err));
    own = hs_alloc_array((size_t)lanes, sizeof *own);
    rc = own ? HISS_OK : hs_fail_memory(err);
    if (rc == HISS_OK) {
        take_over(&pilots, c, of, kept);
        rc = learn(out, &pilots, own, kept, m, request, account, err);
    }
    hs_pilot_chains_clear(&pilots);
    hs_free(own);
    if (rc != HISS_OK) {
        hs_library_destroy(*out);
        *out = NULL;
    }
    return rc;
}
