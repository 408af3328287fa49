/* draws.c - judges the draws by rules on their columns.  hiss/diagnose.h has
 * the limits. */
#include <math.h>

#include "base/number.h"
#include "verdict/verdict.h"

#define ENOUGH 1.5 /* times the smallest sufficient number */
/* of the jumps: with fewer the chain does not cross between modes */
#define JUMP_MIN 1e-3

static void judge_law(hiss_diagnosis *d, const hs_evidence *e)
{
    if (e->result->run.info.is_exact)
        return;
    hs_find(d, "law", HISS_DOUBT, NAN, NAN,
            "the sampler is not exact: its draws follow another law than the "
            "model's");
    hs_find_need(d, HISS_NEED_LAW, 0.0);
}

/* Judges the values of U from another program, which hiss_result_adopt has
 * compared. */
static void judge_energies(hiss_diagnosis *d, const hs_evidence *e)
{
    const char *right = hiss_result_text(e->result, "lp_agrees");
    const char *wrong = hiss_result_text(e->result, "lp_differs");

    if (right || wrong)
        hs_find(d, "energies", wrong ? HISS_FAILED : HISS_PASSED, NAN, NAN,
                "%s", wrong ? wrong : right);
}

static void judge_length(hiss_diagnosis *d, const hs_evidence *e)
{
    const hiss_run_info *info = &e->result->run.info;
    bool has_fresh = e->model && e->set->probe > 0;

    if (info->samples < HISS_DRAWS_MIN) {
        hs_find(d, "length", HISS_FAILED, (double)info->samples, HISS_DRAWS_MIN,
                info->samples == 1
                    ? "%lld draw per chain is too few to judge"
                    : "%lld draws per chain are too few to judge",
                (long long)info->samples);
        hs_find_need(d, HISS_NEED_DRAWS, HISS_ESS_DOUBT);
    }
    if (info->chains == 1) {
        hs_find(d, "chains", has_fresh ? HISS_PASSED : HISS_DOUBT, 1, 2,
                "one chain cannot tell whether it misses a mode%s",
                has_fresh ? "; fresh chains are asked instead" : "");
        if (!has_fresh)
            hs_find_need(d, HISS_NEED_CHAINS, 0.0);
    }
}

/* Judges coordinates that no chain moves. */
static void judge_movement(hiss_diagnosis *d, const hs_evidence *e)
{
    const hs_columns *c = e->columns;
    int coordinates = 0, stuck = 0, constant = 0;

    for (int n = 0; n < c->count; n++) {
        const hs_examined *x = &c->at[n];

        if (x->of != HS_OF_COORDINATE && x->of != HS_OF_LABEL)
            continue;
        coordinates++;
        stuck += x->column.state == HISS_STUCK;
        constant += x->column.state == HISS_CONSTANT;
    }
    if (stuck > 0) {
        hs_find(d, "movement", HISS_FAILED, stuck, 0,
                "%d of %d coordinates are stuck: no chain moves them, and "
                "chains disagree",
                stuck, coordinates);
        hs_find_need(d, HISS_NEED_MODES, 0.0);
    } else {
        hs_find(d, "movement", HISS_PASSED, 0, 0,
                "no coordinate is stuck; %d of %d never changed, in any chain",
                constant, coordinates);
    }
}

static hiss_outcome mixing_of(const hs_examined *x, int columns)
{
    double p = x->agree.p * columns; /* Bonferroni */
    double rhat = x->column.rhat;

    if (x->column.state != HISS_VARIES || !(p < HISS_CHANCE_DOUBT))
        return HISS_PASSED;
    if (rhat > HISS_RHAT_FAILED && !hs_column_is_derived(x))
        return HISS_FAILED;
    return rhat > HISS_RHAT_DOUBT || isnan(rhat) ? HISS_DOUBT : HISS_PASSED;
}

static int gravity(hiss_outcome o)
{
    return o == HISS_FAILED ? 2 : o == HISS_DOUBT ? 1 : 0;
}

hiss_outcome hs_worst_mixing(const hs_columns *c, int *worst)
{
    hiss_outcome found = HISS_PASSED;
    double rhat = 0.0;

    *worst = 0;
    for (int n = 0; n < c->count; n++) {
        hiss_outcome o = mixing_of(&c->at[n], c->count);
        double own = c->at[n].column.rhat;

        if (gravity(o) < gravity(found))
            continue;
        if (gravity(o) > gravity(found) || own > rhat) {
            *worst = n;
            rhat = isnan(own) ? 0.0 : own;
        }
        found = o;
    }
    return found;
}

static void tell_mixed(hiss_diagnosis *d, const hs_columns *c,
                       const hs_examined *x, const char *name)
{
    double rhat = x->column.rhat;

    if (isnan(rhat))
        hs_find(d, "mixing", HISS_PASSED, rhat, HISS_RHAT_DOUBT,
                "none of %d columns varies: there is nothing to compare",
                c->count);
    else if (rhat <= HISS_RHAT_DOUBT)
        hs_find(d, "mixing", HISS_PASSED, rhat, HISS_RHAT_DOUBT,
                "the chains agree in all %d columns: largest R-hat %.3f, at "
                "%s",
                c->count, rhat, name);
    else
        hs_find(d, "mixing", HISS_PASSED, rhat, HISS_RHAT_DOUBT,
                "the chains agree: the largest of %d differences, R-hat %.3f "
                "at %s, is within chance",
                c->count, rhat, name);
}

static void judge_mixing(hiss_diagnosis *d, const hs_evidence *e)
{
    const hs_columns *c = e->columns;
    char name[HS_COLUMN_TEXT];
    int worst;
    hiss_outcome outcome = hs_worst_mixing(c, &worst);
    const hs_examined *x = &c->at[worst];

    hs_column_name(c, x, &e->result->domain, name);
    if (outcome == HISS_PASSED) {
        tell_mixed(d, c, x, name);
        return;
    }
    hs_find(d, "mixing", outcome, x->column.rhat, HISS_RHAT_DOUBT,
            "the chains differ at %s: R-hat %.3f; probability by chance, "
            "allowing for %d columns: %.0e",
            name, x->column.rhat, c->count, fmax(x->agree.p * c->count, 1e-99));
    hs_find_need(d, HISS_NEED_MODES, 0.0);
}

/* The ESS that a column needs.  Rare values and derived columns, which show
 * slow modes most, need less than the others.  So do coordinates that only a
 * symmetry flips and nothing else depends on. */
static double ess_limit(const hs_evidence *e, const hs_examined *x)
{
    bool is_fixed = (x->of == HS_OF_COORDINATE || x->of == HS_OF_LABEL) &&
                    e->invariance->fixed > 0 &&
                    e->invariance->is_fixed[x->index];

    if (x->minority < HISS_RARE)
        return HISS_ESS_FAILED;
    return hs_column_is_derived(x) || x->of == HS_OF_TERM || is_fixed
               ? HISS_ESS_DERIVED
               : HISS_ESS_DOUBT;
}

/* Judges the column that is farthest below its limit, or least above it. */
static void judge_effective(hiss_diagnosis *d, const hs_evidence *e)
{
    const hs_columns *c = e->columns;
    double least = HUGE_VAL;
    int worst = -1;
    hiss_outcome outcome;
    char name[HS_COLUMN_TEXT];
    double ess;

    for (int n = 0; n < c->count; n++) {
        const hs_examined *x = &c->at[n];
        double ratio = x->column.ess_bulk / ess_limit(e, x);

        if (x->column.state == HISS_VARIES && ratio < least) {
            least = ratio;
            worst = n;
        }
    }
    if (worst < 0)
        return; /* nothing varies */
    ess = c->at[worst].column.ess_bulk;
    outcome = least >= 1.0 ? HISS_PASSED
              : ess < HISS_ESS_FAILED && !(c->at[worst].minority < HISS_RARE) &&
                      !hs_column_is_derived(&c->at[worst])
                  ? HISS_FAILED
                  : HISS_DOUBT;
    hs_column_name(c, &c->at[worst], &e->result->domain, name);
    hs_find(d, "effective draws", outcome, ess, ess_limit(e, &c->at[worst]),
            "%s %.0f effective draws, at %s",
            outcome == HISS_PASSED ? "at least" : "only", ess, name);
    if (outcome != HISS_PASSED)
        hs_find_need(d, HISS_NEED_DRAWS, ENOUGH / least);
}

/* Reports a symmetry and the marginals that it fixes. */
static void tell_symmetry(hiss_diagnosis *d, const hs_evidence *e)
{
    const hs_invariance *v = e->invariance;

    if (v->fixed == 0)
        return;
    hs_find(d, "symmetry", HISS_PASSED, v->fixed, NAN,
            "log p does not change when %s: %s%d marginals are fixed by that "
            "and count for nothing; log p%s and modes are checked",
            v->flips && v->renames ? "values are flipped and labels renamed"
            : v->flips             ? "values are flipped"
                                   : "labels are renamed",
            v->open == 0 ? "all " : "", v->fixed,
            e->terms->count > 0 ? ", terms" : "");
}

/* Judges what the run's own pilot found but the run has not seen. */
static void judge_pilot(hiss_diagnosis *d, const hs_evidence *e)
{
    const char *doubt = hiss_result_text(e->result, "doubt");

    if (!doubt)
        return;
    hs_find(d, "pilot", HISS_DOUBT, NAN, NAN, "%s", doubt);
    hs_find_need(d, HISS_NEED_MODES, 0.0);
}

/* Returns "", or " (from 400 of 3200 draws)". */
static void part_of(const hs_evidence *e, char text[64])
{
    const hiss_run_info *info = &e->result->run.info;

    text[0] = '\0';
    if (e->modes->ended == HISS_ENDED_TIME)
        hs_snprintf(text, 64, " (from %lld of %lld draws, by the work limit)",
                    (long long)e->modes->chains * e->modes->looked,
                    (long long)info->chains * info->samples);
}

static void tell_modes(hiss_diagnosis *d, const hs_evidence *e)
{
    char part[64];
    const hs_modes *s = e->modes;
    int64_t found = 0;

    if (!s && e->model && e->result->run.info.samples > 0) {
        hs_find(d, "modes", HISS_UNCHECKED, NAN, NAN,
                "modes were not checked: the limit leaves too little for "
                "it");
        hs_find_more(d, e);
        return;
    }
    if (!s) {
        hs_find(d, "modes", HISS_SKIPPED, NAN, NAN,
                "modes were not checked: the model is not available");
        return;
    }
    part_of(e, part);
    while (found < s->table.used && s->table.mode[found].draws > 0)
        found++;
    hs_find(
        d, "modes", HISS_PASSED, (double)found, NAN,
        "%lld mode%s%s in %d%s group%s, the heaviest with %.3f of the draws; "
        "%.3g changes of mode per 1000 draws",
        (long long)found, found == 1 ? "" : "s", part, s->clusters,
        s->clusters == HS_CLUSTERS_MAX ? " or more" : "",
        s->clusters == 1 ? "" : "s", s->table.mode[0].mass,
        1000.0 * (double)s->transitions /
            ((double)s->chains * (double)(s->looked > 1 ? s->looked - 1 : 1)));
}

/* --- all of them -------------------------------------------------------- */

void hs_judge_draws(hiss_diagnosis *d, const hs_evidence *e)
{
    judge_law(d, e);
    judge_energies(d, e);
    judge_length(d, e);
    judge_movement(d, e);
    hs_judge_copies(d, e);
    judge_mixing(d, e);
    judge_effective(d, e);
    judge_pilot(d, e);
    if (!e->set->quick)
        tell_modes(d, e);
    tell_symmetry(d, e);
}

static void judge_frozen(hiss_diagnosis *d, const hs_evidence *e)
{
    const hiss_column *u = &e->columns->at[0].column;

    if (u->still == 0 || u->state == HISS_CONSTANT)
        return;
    hs_find(d, "frozen chains", HISS_DOUBT, u->still, 0,
            "%d of %d chains never changed their log p: they are frozen",
            u->still, e->result->run.info.chains);
    hs_find_need(d, HISS_NEED_MODES, 0.0);
}

static void judge_jumps(hiss_diagnosis *d, const hs_evidence *e)
{
    const hs_run *run = &e->result->run;

    for (int n = 0; n < run->counters; n++) {
        const hs_counter *c = &run->counter[n];
        double rate = c->accepted / c->proposed;

        if (c->counted != HISS_COUNTED_JUMPS || !(rate < JUMP_MIN))
            continue;
        hs_find(d, "jumps", HISS_DOUBT, rate, JUMP_MIN,
                "%s was accepted in %.2g of its tries: jumps do not cross "
                "between modes",
                c->name, rate);
        hs_find_need(d, HISS_NEED_MODES, 0.0);
    }
}

/* A search for missed modes would distinguish constant from stuck. */
static void judge_constant(hiss_diagnosis *d, const hs_evidence *e)
{
    const hs_columns *c = e->columns;
    int constant = 0;

    for (int n = 1; n < c->count; n++)
        constant += c->at[n].column.state == HISS_CONSTANT;
    if (constant > 0 && !d->is_proved)
        hs_find(d, "constant", HISS_UNCHECKED, constant, 0,
                "%d of %d coordinates never changed; they may be certain, or "
                "all chains in one mode",
                constant, c->count - 1);
}

static void judge_end(hiss_diagnosis *d, const hs_evidence *e)
{
    if (e->result->run.info.ended != HISS_ENDED_ESS)
        return;
    hs_find(d, "end", HISS_DOUBT, (double)e->result->run.info.samples, NAN,
            "--ess is out of reach and was given up after %lld draws per "
            "chain: at this rate it takes more than 10^9 steps",
            (long long)e->result->run.info.samples);
    hs_find_need(d, HISS_NEED_MODES, 0.0);
}

void hs_judge_quickly(hiss_diagnosis *d, const hs_evidence *e)
{
    judge_end(d, e);
    judge_frozen(d, e);
    judge_jumps(d, e);
    judge_constant(d, e);
}
