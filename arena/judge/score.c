/* score.c - what draws of a target are worth. */
#include "arena/judge/score.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/judge/discs.h"

#define ROOM   (1 << 24) /* coordinates of the kept draws of a chain */
#define SHARES (1 << 21) /* classes of the kept draws of a chain */
#define DRAWS  8192

/* Priced seconds that a verdict may take at least. */
static const double USUAL_WORK = 2.0;

void arena_score_init(arena_score *s)
{
    memset(s, 0, sizeof *s);
    s->evals = s->seconds = s->ess = s->energy = s->discs = (double)NAN;
    s->marginals = s->modes = s->log_z = s->log_z_se = (double)NAN;
    s->is_exact = s->opinion = s->keeps = -1;
}

int64_t arena_draws_most(const instance *at)
{
    int64_t room = ROOM / hiss_model_dim(at->model);
    int64_t shares = SHARES / at->classes, most = DRAWS;

    most = room < most ? room : most;
    return shares < most ? shares : most;
}

/* Mean over the coordinates of the total variation of their marginals. */
static double marginal_error(const instance *at, const hiss_result *r)
{
    int dim = hiss_model_dim(at->model), most = 2;
    double sum = 0.0, *truth, *share;

    for (int i = 0; i < dim; i++)
        if (hiss_model_states(at->model, i) > most)
            most = hiss_model_states(at->model, i);
    truth = malloc(sizeof *truth * 2 * (size_t)most);
    if (!truth)
        return (double)NAN;
    share = truth + most;
    for (int i = 0; i < dim; i++) {
        at->marginal(at, i, truth);
        hiss_result_marginal(r, i, share);
        for (int v = 0; v < hiss_model_states(at->model, i); v++)
            sum += 0.5 * fabs(share[v] - truth[v]) / dim;
    }
    free(truth);
    return sum;
}

/* Total variation of the masses of modes; what they leave of 1 is one more. */
static double mode_error(const instance *at, const trial *run)
{
    double sum = 0.0, rest = 0.0;

    for (int k = 0; k < at->modes; k++) {
        double mass = 0.0;

        for (int c = 0; c < CHAINS; c++)
            mass += run->mass[c][k] / CHAINS;
        sum += fabs(mass - at->mean[k]);
        rest += mass - at->mean[k];
    }
    return 0.5 * (sum + fabs(rest));
}

/* Draws are worth no more than they are for U. */
static void score_energy(const instance *at, const hiss_result *r,
                         int64_t draws, arena_score *s)
{
    int is_off;

    s->energy = fmin(judge_energy(at, hiss_result_lp(r), draws, &is_off),
                     CHAINS * (double)draws);
    if (at->u.variance > 0.0)
        s->ess = fmin(s->ess, s->energy);
    else
        s->energy = (double)NAN;
    s->is_wrong |= is_off;
}

int arena_score_draws(const instance *at, const hiss_result *r, arena_score *s)
{
    hiss_run_info info = HISS_INIT(hiss_run_info);
    trial *run = calloc(1, sizeof *run);
    float *f;

    hiss_result_info(r, &info);
    f = run ? judge_classify(at, r) : NULL;
    if (f && info.samples > 0) {
        judge_draws(at, f, info.samples, run);
        s->draws = (double)info.samples;
        /* signs that alternate have no error at all */
        s->ess = fmin(run->ess, CHAINS * (double)info.samples);
        s->missed = run->missed;
        s->is_wrong = judge_is_surely_wrong(at, f, info.samples);
        score_energy(at, r, info.samples, s);
        if (at->modes)
            s->modes = mode_error(at, run);
        if (at->marginal)
            s->marginals = marginal_error(at, r);
        s->discs = discs_ess(r);
    }
    free(f);
    free(run);
    return f != NULL;
}

/* The finding that says most against the draws. */
static void say_worst(const hiss_diagnosis *d, arena_score *s)
{
    hiss_finding f = HISS_INIT(hiss_finding);
    int worst = 0;

    for (int n = 0; hiss_diagnosis_finding(d, n, &f); n++) {
        int weight = f.is_wrong                 ? 3
                     : f.outcome == HISS_FAILED ? 2
                     : f.outcome == HISS_DOUBT || f.outcome == HISS_UNCHECKED
                         ? 1
                         : 0;

        if (weight <= worst)
            continue;
        worst = weight;
        snprintf(s->verdict, sizeof s->verdict, "%s: %s", f.name, f.text);
    }
}

void arena_score_verdict(const instance *at, const hiss_result *r,
                         double seconds, arena_score *s)
{
    hiss_diagnose_settings how;
    hiss_diagnosis *d = NULL;

    hiss_diagnose_settings_init(&how);
    how.threads = 1;
    how.effort = seconds / USUAL_WORK;
    if (hiss_diagnose(&d, r, at->model, &how, NULL) != HISS_OK)
        return;
    s->opinion = (int)hiss_diagnosis_opinion(d);
    say_worst(d, s);
    hiss_diagnosis_destroy(d);
}
