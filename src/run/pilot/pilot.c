/* pilot.c - values for `auto` options, found once and then frozen. */
#include "run/pilot/pilot.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/random/streams.h"
#include "run/chain/fingerprint.h"
#include "run/chain/tuning.h"
#include "run/pilot/card_pilot.h"
#include "run/policy/policy.h"
#include "run/walk/advance.h"

/* The tuned values of every level, for kernels that made this many steps; NULL
 * if there are none. */
static hiss_status describe(const hs_group *g, uint64_t steps, char **out,
                            hiss_error *err)
{
    hs_text all = {0};

    hs_tuning_levels(g, steps, &all);
    if (all.length == 0 && !all.failed)
        return HISS_OK;
    *out = hs_text_take(&all);
    return *out ? HISS_OK : hs_fail_memory(err);
}

/* The number of pilot chains: fewer for more levels, so that a pilot costs no
 * more than a run. */
static int chains_for(int replicas)
{
    int chains = hs_policy_count(HS_SAMPLES) / replicas,
        fewest = hs_policy_count(HS_MIN_CHAINS);

    return chains < fewest            ? fewest
           : chains < HS_GROUP_CHAINS ? chains
                                      : HS_GROUP_CHAINS;
}

static void count(const hs_group *g, hs_pilot_account *account)
{
    double energy, gradient;

    hs_group_evals(g, &energy, &gradient);
    account->energy_evals += energy * g->chains;
    account->gradient_evals += gradient * g->chains;
}

/* Counts the evaluations before a step that is never made. */
static void count_setup(const hs_group *g, hs_pilot_account *account)
{
    const hs_kernel *k;

    for (int i = 0; i < g->tiles; i++)
        for (int n = 0; (k = hs_kernel_node(g->kernel[i], n)); n++) {
            account->energy_evals += k->setup_energies;
            account->gradient_evals += k->setup_gradients;
        }
}

/* Far from every mode steps of another length are best than in them. */
static hiss_status start(hs_group *g, const hs_pilot_found *found,
                         const hs_pilot_account *account, hiss_error *err)
{
    size_t dim = (size_t)g->model->domain.dim;

    if (!found->start)
        return hs_group_start_given(g, account->given, account->given_count,
                                    err);
    for (int c = 0; c < g->chains; c++)
        for (int r = 0; r < g->replicas; r++)
            hs_group_set(g, c, r,
                         found->start +
                             (size_t)((c * g->replicas + r) % found->starts) *
                                 dim);
    return HISS_OK;
}

/* If the time is over, uses the results so far; *made is its number of
 * steps. */
static hiss_status tune(hs_group *g, const hs_pilot_found *found, int64_t steps,
                        hs_pilot_account *account, int64_t *made,
                        hiss_error *err)
{
    hs_pilot_mark before = hs_pilot_account_mark(account);
    hiss_status rc = start(g, found, account, err);
    bool is_done = false;

    *made = 0;
    hs_group_tune(g, steps);
    if (rc == HISS_OK)
        rc = hs_card_pilot_tune(g, steps, account, made, &is_done, err);
    for (; rc == HISS_OK && !is_done && *made < steps; ++*made) {
        HS_TRY(hs_group_step(g, err));
        hs_group_pool(g);
        rc = hs_advance_pay(g, before, account, err);
    }
    if (is_done)
        count(g, account);
    hs_group_freeze(g);
    return account->is_late ? HISS_OK : rc;
}

/* Is there anything to tune, and how many chains would share it? */
static hiss_status look_at(const hs_model *m, const hs_sampler *sampler,
                           hs_pilot_account *account, bool *has_any,
                           int *chains, hiss_error *err)
{
    hs_group *g;
    char *text = NULL;
    hiss_status rc;

    HS_TRY(hs_group_create(&g, m, sampler, 0, hs_stream(HS_STREAM_WARMUP, 0), 1,
                           err));
    count_setup(g, account);
    rc = describe(g, 0, &text, err);
    *has_any = text != NULL;
    *chains = chains_for(g->replicas);
    hs_free(text);
    hs_group_destroy(g);
    return rc;
}

/* The chains and steps that the evaluations allow, by the cost of one step of
 * one chain.  Reduces the chains before it goes below TUNE_MIN_STEPS steps; 0
 * steps: no pilot. */
static hiss_status afford(const hs_model *m, const hs_sampler *sampler,
                          const hs_pilot_found *found,
                          hs_pilot_account *account, int *chains,
                          int64_t *steps, hiss_error *err)
{
    double before = hs_pilot_account_spent(account), cost, left;
    hs_group *g = NULL;
    hiss_status rc;

    if (!(account->tuning > 0.0))
        return HISS_OK;
    HS_TRY(hs_group_create(&g, m, sampler, account->seed,
                           hs_stream(HS_STREAM_WARMUP, 0), 1, err));
    hs_group_attach(g, found->library);
    rc = start(g, found, account, err);
    if (rc == HISS_OK)
        rc = hs_group_step(g, err);
    if (rc == HISS_OK)
        count(g, account);
    hs_group_destroy(g);
    HS_TRY(rc);
    cost = hs_pilot_account_spent(account) - before;
    left = account->tuning - cost;
    while (*chains > 1 && left < hs_policy_count(HS_MIN_STEPS) * cost * *chains)
        --*chains;
    if (left < (double)*steps * cost * *chains)
        *steps = left < hs_policy_count(HS_MIN_STEPS) * cost * *chains
                     ? 0
                     : (int64_t)(left / (cost * *chains));
    return HISS_OK;
}

hiss_status hs_pilot_init(hs_pilot *p, const hs_model *m,
                          const hs_sampler *sampler,
                          const hs_pilot_found *found,
                          hs_pilot_account *account, hiss_error *err)
{
    int64_t steps = hs_policy_count(HS_TUNE_STEPS), made;
    bool has_any;
    int chains;
    hiss_status rc;

    *p = (hs_pilot){0};
    HS_TRY(look_at(m, sampler, account, &has_any, &chains, err));
    if (!has_any)
        return HISS_OK;
    rc = hs_pilot_account_report(account, err);
    p->is_cut = account->is_late;
    if (rc != HISS_OK)
        return p->is_cut ? HISS_OK : rc;
    if (account->steps > 0 && account->steps < steps)
        steps = account->steps;
    HS_TRY(afford(m, sampler, found, account, &chains, &steps, err));
    if (steps == 0)
        return HISS_OK;
    HS_TRY(hs_group_create(&p->group, m, sampler, account->seed,
                           hs_stream(HS_STREAM_WARMUP, 0), chains, err));
    hs_group_attach(p->group, found->library);
    rc = tune(p->group, found, steps, account, &made, err);
    if (rc == HISS_OK)
        rc = describe(p->group, 1, &p->text, err);
    if (rc != HISS_OK || (made < steps && made < hs_policy_count(HS_MIN_STEPS)))
        hs_pilot_clear(p);
    p->steps = made;
    p->is_cut = rc == HISS_OK && made < steps;
    return rc;
}

void hs_pilot_clear(hs_pilot *p)
{
    hs_group_destroy(p->group);
    hs_free(p->text);
    *p = (hs_pilot){0};
}

static uint64_t mix_columns(const hs_kernel *k, uint64_t h)
{
    h = hs_fingerprint_mix(h, k->lane, (size_t)k->columns * sizeof *k->lane);
    for (int i = 0; i < k->children; i++)
        h = mix_columns(k->child[i], h);
    return h;
}

uint64_t hs_pilot_fingerprint(const hs_pilot *p, uint64_t before)
{
    for (int i = 0; p->group && i < p->group->tiles; i++)
        before = mix_columns(p->group->kernel[i], before);
    return before;
}

static void copy_lane(hs_kernel *to, int lane, const hs_kernel *from, int other)
{
    for (int c = HS_OWN_COLUMNS; c < to->columns; c++)
        to->lane[c][lane] = from->lane[c][other];
    for (int i = 0; i < to->children; i++)
        copy_lane(to->child[i], lane, from->child[i], other);
}

/* All chains of the pilot have the same, so its first one is copied. */
static void apply(const hs_pilot *p, int level, hs_kernel *k, int lane)
{
    int other;
    const hs_tile *t = hs_group_at_level(p->group, 0, level, &other);

    copy_lane(k, lane, p->group->kernel[t - p->group->tile], other);
}

/* idle lanes as well */
void hs_pilot_apply(const hs_pilot *p, int level, hs_group *g)
{
    for (int i = 0; p->group && i < g->tiles; i++)
        for (int l = 0; l < HS_LANES; l++)
            apply(p, level < 0 ? g->tile[i].level[l] : level, g->kernel[i], l);
}
