/* evaluations.c - the two tables of energy evaluations, by the paper's
 * formulas and as spent by the library's counters.
 *
 * Paper: a gradient step costs 4 calls of U, the Metropolis step of a jump 2:
 *     base   N Ns S 4
 *     HiSS   N Ns G (2 + 4 L)
 *     PT     N Ns K S 4 + floor(Ns S / I) N (K - 1) 2
 * Here a state carries its U and its gradient, so a step costs one evaluation
 * of each, of the proposal; a sweep 1 + L; an exchange nothing. */
#include <stdlib.h>
#include <string.h>

#include "cli/print/interrupt.h"
#include "paper/support/figure.h"

#define LADDER "ladder=[1,10,100,1000,10000]"

struct setting {
    const char *prefix; /* prefix of the metrics */
    const char *model;
    int chains, samples; /* N, Ns */
    int steps;           /* S */
    int sweeps, refine;  /* G, L */
    int levels, every;   /* K, I */
};

static const struct setting settings[] = {
    {"bernoulli", "bernoulli4", 10, 1000, 10, 5, 2, 5, 4},
    {"ising", "cross(side=3,diagonal=kept)", 5, 2500, 20, 10, 2, 5, 2},
};

static const struct {
    const char *name, *title;
    double printed[2];
} samplers[] = {
    {"gwg", "GWG", {4.0e5, 1.00e6}},   {"dmala", "DMALA", {4.0e5, 1.00e6}},
    {"acs", "ACS", {4.0e5, 1.00e6}},   {"pt", "PT", {2.2e6, 6.00e6}},
    {"hiss", "HiSS", {5.0e5, 1.25e6}},
};

enum {
    COUNT = sizeof samplers / sizeof *samplers,
    SETTINGS = sizeof settings / sizeof *settings,
    KINDS = 3 /* by the paper, of U, of its gradient */
};

static double paper_count(const struct setting *s, const char *sampler)
{
    double samples = (double)s->chains * s->samples;

    if (strcmp(sampler, "hiss") == 0)
        return samples * s->sweeps * (2 + 4 * s->refine);
    if (strcmp(sampler, "pt") == 0)
        return samples * s->levels * s->steps * 4 +
               floor((double)s->samples * s->steps / s->every) * s->chains *
                   (s->levels - 1) * 2;
    return samples * s->steps * 4;
}

/* The spec of a sampler at a setting; free() it. */
static char *spec_of(const struct setting *s, const char *sampler)
{
    if (strcmp(sampler, "hiss") == 0)
        return cli_text("hiss(eta=4,sweeps=%d,steps=%d,inner=dmala(alpha=0.2))",
                        s->sweeps, s->refine);
    if (strcmp(sampler, "pt") == 0)
        return cli_text("pt(base=dmala(alpha=0.2)," LADDER ",swap_every=%d)",
                        s->every);
    if (strcmp(sampler, "acs") == 0)
        return cli_text("acs(tune=no,alpha=0.2,cycle=4,hold=%d)", s->steps);
    if (strcmp(sampler, "dmala") == 0)
        return cli_text("dmala(alpha=0.2)");
    return cli_text("%s", sampler);
}

static int spend(paper_run *run, const struct setting *s, const char *sampler,
                 const char *spec, hiss_run_info *info)
{
    hiss_model *model = NULL;
    hiss_sampler *made = NULL;
    hiss_result *result = NULL;
    hiss_settings how;
    hiss_error err = {0};
    hiss_status status;

    hiss_settings_init(&how);
    how.chains = s->chains;
    how.samples = s->samples;
    how.warmup = 0;
    how.thin = strcmp(sampler, "hiss") == 0 ? 1 : s->steps;
    how.seed = run->seed;
    how.threads = run->threads;
    how.device = run->device;
    how.progress = paper_pace_progress;
    how.context = run->pace;
    status = hiss_model_create(&model, s->model, &err);
    if (status == HISS_OK)
        status = hiss_sampler_create(&made, spec, &err);
    if (status == HISS_OK)
        status = hiss_sample(&result, model, made, &how, &err);
    if (status == HISS_OK)
        hiss_result_info(result, info);
    hiss_result_destroy(result);
    hiss_sampler_destroy(made);
    hiss_model_destroy(model);
    if (cli_interrupt_signal())
        return CLI_SIGNAL + cli_interrupt_signal();
    return status == HISS_OK ? CLI_DONE : cli_fail_status(status, &err);
}

static void put(paper_run *run, const char *row, const char *prefix,
                const char *what, double count, double printed,
                const char *command)
{
    char *metric = cli_text("%s_%s", prefix, what);
    paper_value value = PAPER_VALUE(count);

    value.se = 0;
    value.paper = printed;
    value.command = command;
    paper_put(run, row, metric, value);
    free(metric);
}

static int count_one(paper_run *run, const struct setting *s, int i,
                     double printed, double counts[KINDS])
{
    const char *name = samplers[i].name;
    char *spec = spec_of(s, name), *command;
    hiss_run_info info = HISS_INIT(hiss_run_info);
    int code = spend(run, s, name, spec, &info);

    command = cli_text("hiss sample '%s' --sampler '%s' --chains %d --samples "
                       "%d --thin %lld --warmup 0 --seed %llu --json",
                       s->model, spec, s->chains, s->samples,
                       (long long)info.thin, (unsigned long long)run->seed);
    counts[0] = paper_count(s, name);
    counts[1] = info.energy_evals;
    counts[2] = info.gradient_evals;
    put(run, name, s->prefix, "paper_count", counts[0], printed, NULL);
    put(run, name, s->prefix, "energy_evals", counts[1], NAN, command);
    put(run, name, s->prefix, "gradient_evals", counts[2], NAN, command);
    free(command);
    free(spec);
    return code;
}

static int draw(paper_run *run, double counts[COUNT][KINDS], const char *name,
                const char *title)
{
    static const char *const kinds[KINDS] = {"paper's counting", "U, spent",
                                             "gradient, spent"};
    static const paper_color colors[KINDS] = {PAPER_GRAY, PAPER_BLUE,
                                              PAPER_ORANGE};
    static const cli_chart_tick names[] = {
        {1, "GWG"}, {2, "DMALA"}, {3, "ACS"}, {4, "PT"}, {5, "HiSS"}};
    paper_figure figure = {
        .name = name,
        .title = title,
        .caption = "Evaluations of one run of all chains: what the paper's "
                   "formulas count, and what is spent.",
        .x = {.has_low = true,
              .low = 0.5,
              .has_high = true,
              .high = 5.5,
              .ticks = names,
              .tick_count = 5},
        .y = {.label = "evaluations",
              .is_log = true,
              .has_low = true,
              .low = 1e4,
              .has_high = true,
              .high = 1e7},
        .wide = 0.24,
    };
    double x[COUNT], y[COUNT];

    for (int k = 0; k < KINDS; k++) {
        for (int i = 0; i < COUNT; i++) {
            x[i] = i + 1 + 0.26 * (k - 1);
            y[i] = counts[i][k];
        }
        paper_figure_add(&figure, kinds[k], CLI_CHART_BARS, colors[k], x, y,
                         NULL, COUNT);
    }
    return paper_figure_draw(&figure, run);
}

static int run_evaluations(paper_run *run)
{
    static const char *const names[SETTINGS] = {"evaluations-bernoulli",
                                                "evaluations-ising"};
    static const char *const titles[SETTINGS] = {"Evaluations, Bernoulli",
                                                 "Evaluations, Ising"};
    double counts[COUNT][KINDS];
    int code = CLI_DONE;

    paper_pace_plan(run->pace, SETTINGS * COUNT);
    for (int s = 0; s < SETTINGS && code == CLI_DONE; s++) {
        for (int i = 0; i < COUNT && code == CLI_DONE; i++) {
            paper_put_title(run, samplers[i].name, samplers[i].title);
            paper_pace_part(run->pace, "evaluations", samplers[i].title, 1);
            code = count_one(run, &settings[s], i, samplers[i].printed[s],
                             counts[i]);
        }
        if (code == CLI_DONE)
            code = draw(run, counts, names[s], titles[s]);
    }
    return code;
}

const paper_experiment paper_experiment_evaluations = {
    .name = "evaluations",
    .title = "Energy evaluations",
    .about = "Both tables of the paper by its formulas (4 calls of U per "
             "gradient step, 2 per Metropolis step of a jump), and what one "
             "run of the same settings spends here, where a point is evaluated "
             "once. The Ising table follows with N = 5 chains, 2500 samples "
             "and a swap every 2 steps.",
    .seconds = {1, 1},
    .revision = 1,
    .run = run_evaluations,
};
