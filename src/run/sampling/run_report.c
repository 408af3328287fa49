/* run_report.c - counts and tuned values of the kernels, over all chains. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "run/chain/tuning.h"
#include "run/sampling/run.h"

#define LEAST 30.0 /* weighted draws needed for an error of log Z */
/* rounding error of sums over the model, relative to log Z */
#define ROUNDING 1e-13

/* Returns the counter of that name, adding it if necessary; a second kernel of
 * one name gets "#2". */
static hs_counter *counter_at(hs_run *run, int number, const char *name)
{
    hs_counter *c;
    int same = 1;

    if (number >= HS_COUNTERS_MAX)
        return NULL;
    c = &run->counter[number];
    if (number < run->counters)
        return c;
    for (int i = 0; i < number; i++) {
        size_t n = strlen(name);

        same +=
            strncmp(run->counter[i].name, name, n) == 0 &&
            (run->counter[i].name[n] == '\0' || run->counter[i].name[n] == '#');
    }
    if (same > 1)
        snprintf(c->name, sizeof c->name, "%s#%d", name, same);
    else
        snprintf(c->name, sizeof c->name, "%s", name);
    run->counters = number + 1;
    return c;
}

/* Depth first; the outermost kernel of replicas counts over all levels, the
 * others at the target. */
static void count_tree(hs_run *run, const hs_group *g, const hs_kernel *k,
                       const hs_tile *t, int *number)
{
    const char *name = k->type->counter ? k->type->counter : k->type->name;
    bool has_own = k->type->counter || k->children == 0;

    if (has_own) {
        hs_counter *c = counter_at(run, *number, name);

        ++*number;
        if (c)
            c->counted = hs_kernel_counts(k->type);
        for (int l = 0; c && l < t->lanes; l++)
            if (k->type->couple || hs_group_law(g, t, l) == 0) {
                c->proposed += k->lane[HS_PROPOSED][l];
                c->accepted += k->lane[HS_ACCEPTED][l];
            }
    }
    for (int i = 0; i < k->children; i++)
        count_tree(run, g, k->child[i], t, number);
}

/* Returns the tuned values of one lane; NULL if there are none or memory is
 * short. */
static char *tuning_of(const hs_kernel *k, int lane)
{
    hs_text text = {0};

    hs_tuning_of(k, lane, 0, &text);
    return text.length > 0 ? hs_text_take(&text) : NULL;
}

/* Counts the decisions of a tree at one lane, without exchanges. */
static void count_level(const hs_kernel *k, int lane, hs_level *level)
{
    const double(*count)[HS_LANES] = (const double(*)[HS_LANES])k->lane;

    if (k->type->couple) {
        level->swaps += count[HS_PROPOSED][lane];
        level->swapped += count[HS_ACCEPTED][lane];
    } else if (k->type->counter || k->children == 0) {
        level->proposed += count[HS_PROPOSED][lane];
        level->accepted += count[HS_ACCEPTED][lane];
    }
    for (int i = 0; i < k->children; i++)
        count_level(k->child[i], lane, level);
}

/* Reports each level; omitted without memory. */
static void report_levels(hs_run *run, hs_group *const *group, int groups)
{
    int replicas = group[0]->replicas, laws = group[0]->laws;

    run->level = hs_alloc_array((size_t)laws, sizeof *run->level);
    run->levels = run->level ? laws : 0;
    for (int g = 0; g < groups; g++)
        for (int c = 0; c < group[g]->chains; c++)
            for (int j = 0; j < replicas && run->level; j++) {
                int lane;
                const hs_tile *t = hs_group_at_level(group[g], c, j, &lane);
                const hs_kernel *k = group[g]->kernel[t - group[g]->tile];

                count_level(k, lane, &run->level[j < laws ? j : 0]);
                if (g > 0 || c > 0 || j >= laws)
                    continue;
                run->level[j].temperature = 1.0 / (double)t->tilt.beta[lane];
                run->level[j].tuning = tuning_of(k, lane);
            }
}

/* Z is the mean of the weights; its error follows from their spread.  With
 * fewer than LEAST effective proposals the spread is not reliable. */
static void report_weights(hs_run *run, const hs_proposal_weights *w)
{
    hiss_network_weights *to = &run->network;
    double spread = w->count * w->squares / (w->sum * w->sum) - 1.0;

    *to = w->about;
    to->proposals = w->count;
    to->effective = w->sum * w->sum / (w->count * w->squares);
    to->log_z = w->log_scale + log(w->sum / w->count);
    to->log_z_se = to->effective * w->count >= LEAST
                       ? sqrt(fmax(spread, 0.0) / (w->count - 1.0)) +
                             ROUNDING * fabs(to->log_z)
                       : (double)NAN;
}

static void find_weights(hs_run *run, hs_group *const *group, int groups)
{
    hs_proposal_weights w = {0};
    double proposed = 0.0, accepted = 0.0;

    for (int g = 0; g < groups; g++)
        for (int i = 0; i < group[g]->tiles; i++) {
            hs_kernel *k;

            for (int n = 0; (k = hs_kernel_node(group[g]->kernel[i], n)); n++) {
                double before = w.count;

                if (k->type->weigh)
                    k->type->weigh(k, &w);
                if (!(w.count > before))
                    continue;
                for (int l = 0; l < group[g]->tile[i].lanes; l++) {
                    proposed += k->lane[HS_PROPOSED][l];
                    accepted += k->lane[HS_ACCEPTED][l];
                }
            }
        }
    if (!(w.count > 0.0) || !(w.sum > 0.0))
        return;
    w.about.acceptance = proposed > 0.0 ? accepted / proposed : (double)NAN;
    report_weights(run, &w);
}

void hs_run_report(hs_run *run, hs_group *const *group, int groups)
{
    hs_text tuning = {0};

    report_levels(run, group, groups);
    find_weights(run, group, groups);
    for (int g = 0; g < groups; g++)
        for (int i = 0; i < group[g]->tiles; i++) {
            int number = 0;

            count_tree(run, group[g], group[g]->kernel[i], &group[g]->tile[i],
                       &number);
        }
    hs_tuning_levels(group[0], 0, &tuning);
    if (tuning.length > 0)
        run->tuning = hs_text_take(&tuning);
}
