/* tsp.c - tours through 14 cities: the paper's table in its one-hot form, the
 * same law on permutations, the study of eta, and larger problems.
 *
 * In the paper's form a state is a city for each position, and what is no tour
 * is rejected.  mean_cost is the mean length of all samples, which has an
 * exact value at T = 1 (cities.h); distinct_cost is the paper's "cost", the
 * mean over the distinct tours (tours.h).  A repetition is one chain. */
#include <stdlib.h>
#include <string.h>

#include "cli/print/interrupt.h"
#include "paper/experiments/cities.h"
#include "paper/experiments/landscape.h"
#include "paper/experiments/tours.h"
#include "paper/support/data.h"
#include "paper/support/figure.h"
#include "paper/support/random.h"

#define EIL14 "tsp/eil14.tsp"
#define FORM  "onehot"
#define KEYS  "permutation"
/* The paper's: 40 steps per sample, or 10 sweeps of 1 + 4. */
#define ETA_ONEHOT(eta)                                                        \
  {                                                                            \
    "onehot_eta_" #eta, "one-hot, eta = " #eta, FORM,                          \
        "hiss(eta=" #eta ",sweeps=10,steps=4,inner=dmala(alpha=1e-4))", 1, 90, \
        0                                                                      \
  }
#define ETA_KEYS(eta)                                                          \
  {                                                                            \
    "keys_eta_" #eta, "keys, eta = " #eta, KEYS,                               \
        "hiss(eta=" #eta ",sweeps=90,inner=tour,steps=0,block=0)", 1, 90, 20   \
  }

static const paper_row rows[] = {
    {"gwg", "GWG", FORM, "gwg", 40, 80, 0},
    {"dmala", "DMALA", FORM, "dmala(alpha=0.02)", 40, 80, 0},
    {"acs", "ACS", FORM, "acs(tune=no,alpha=0.1,cycle=1,hold=40)", 40, 80, 0},
    {"pt", "PT on DMALA", FORM,
     "pt(base=dmala(alpha=0.02),ladder=[1,10,100,1000,10000])", 40, 400, 0},
    {"hiss", "HiSS", FORM,
     "hiss(eta=2,sweeps=10,steps=4,inner=dmala(alpha=0.02))", 1, 90, 0},
    {"dmala_tuned", "DMALA, tuned", FORM, "dmala(alpha=auto)", 45, 90, 20000},
    {"onehot", "HiSS, two positions noised", FORM,
     "hiss(eta=2,sweeps=90,steps=0,block=2)", 1, 60, 20},
    {"permutation", "2-opt and HiSS on keys", KEYS,
     "mix(tour,hiss(eta=1,inner=tour,steps=0,block=3))", 90, 60, 2000},
    {"permutation_tour", "2-opt and or-opt alone", KEYS, "tour", 90, 60, 2000},
    {"permutation_keys", "HiSS on keys alone", KEYS,
     "hiss(eta=auto,inner=tour,steps=0,block=3)", 90, 60, 2000},
    {"permutation_pt", "PT on 2-opt", KEYS,
     "pt(base=tour,levels=8,max_temperature=40)", 11, 60, 500},
    ETA_ONEHOT(0.1),
    ETA_ONEHOT(0.15),
    ETA_ONEHOT(0.2),
    ETA_ONEHOT(0.3),
    ETA_ONEHOT(0.5),
    ETA_ONEHOT(1),
    ETA_ONEHOT(2),
    ETA_ONEHOT(5),
    ETA_ONEHOT(10),
    ETA_KEYS(0.01),
    ETA_KEYS(0.02),
    ETA_KEYS(0.05),
    ETA_KEYS(0.1),
    ETA_KEYS(0.2),
    ETA_KEYS(0.5),
    ETA_KEYS(1),
    ETA_KEYS(2),
    ETA_KEYS(5),
    {0},
};

static const double onehot_etas[] = {0.1, 0.15, 0.2, 0.3, 0.5, 1, 2, 5, 10};
static const double keys_etas[] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5};

enum {
    COUNT = sizeof rows / sizeof *rows - 1,
    ETAS = sizeof onehot_etas / sizeof *onehot_etas,
    FIRST_ONEHOT = COUNT - 2 * ETAS,
    FIRST_KEYS = COUNT - ETAS,
    RANDOM_TOURS = 20000,
    SWEEPS = 100000, /* of the paper's chain of HiSS */
    DESCENTS = 20000,
    SEARCHES = 10
};

#define TSPLIB "TSPLIB95, comopt.ifi.uni-heidelberg.de/software/TSPLIB95"

static const paper_file files[] = {
    {EIL14, "the first 14 cities of eil51 of " TSPLIB,
     "52086b99a5ee2fc2ab09b0bc0e086a0dce3f5baaa721f4fd521d39f6a367b07d", NULL},
    {"tsp/eil51.tsp", TSPLIB,
     "66c05ad077ffd64d5778e358bbd16be049f8c8ae880cbd24f034487331d1ccce", NULL},
    {"tsp/berlin52.tsp", TSPLIB,
     "8496a5838133e3c3eb25a9fa8893b1ac302593fc8dc325350643a0cabd8abadc", NULL},
    {0},
};

/* Searched for the best tour, in TSPLIB's own distances where those are what
 * its optimum is known for. */
static const struct problem {
    const char *name, *title, *file, *options;
    double optimum, evals;
} problems[] = {
    {"eil14", "eil14, best tour", EIL14, "", 191.850297, 2e4},
    {"eil51", "eil51, best tour", "tsp/eil51.tsp", ",rounded=yes", 426, 1e6},
    {"berlin52", "berlin52, best tour", "tsp/berlin52.tsp", ",rounded=yes",
     7542, 1e6},
};

enum {
    PROBLEMS = sizeof problems / sizeof *problems
};

/* What is put of a row, by repetition. */
enum {
    MEAN_COST,
    BEST_COST,
    DISTINCT_COST,
    PMC,
    JACCARD,
    UNIQUE,
    METRICS
};

static const char *const metric_names[METRICS] = {
    "mean_cost", "best_cost", "distinct_cost", "pmc", "jaccard", "unique"};

/* By the rows gwg, dmala, acs, pt, hiss; what the paper calls cost is over
 * distinct tours. */
static const double printed[5][METRICS] = {
    {NAN, NAN, 370.7086, 27, 0.5555, 2},
    {NAN, NAN, 339.0111, 84.2444, 0.1483, 10},
    {NAN, NAN, 382.8639, 105, 0.0370, 2},
    {NAN, NAN, 337.1584, 80.4167, 0.1402, 9},
    {NAN, NAN, 277.9008, 103.0727, 0.0990, 11},
};

struct study {
    paper_cities cities;
    paper_tour_law law;
    paper_mean found[COUNT][METRICS];
};

/* --- one row ------------------------------------------------------------- */

/* The numbers of one chain. */
static void measure(const paper_draws *draws, const paper_cities *cities,
                    int chain, double *out)
{
    int n = draws->info.dim, tour[PAPER_CITIES_MAX];
    int first = hiss_result_kind(draws->result, 0) == HISS_PERMUTATION;
    int64_t samples = draws->info.samples;
    const int8_t *x = hiss_result_draws(draws->result);
    double sum = 0, sum_distinct = 0, best = INFINITY;
    paper_tours tours;

    x += (size_t)chain * (size_t)samples * (size_t)n;
    paper_tours_init(&tours, n);
    for (int64_t t = 0; t < samples; t++, x += n) {
        double length;

        for (int i = 0; i < n; i++)
            tour[i] = x[i] - first;
        length = paper_cities_length(cities, tour);
        sum += length;
        best = fmin(best, length);
        if (paper_tours_add(&tours, tour))
            sum_distinct += length;
    }
    out[MEAN_COST] = sum / (double)samples;
    out[BEST_COST] = best;
    out[DISTINCT_COST] = sum_distinct / tours.count;
    out[UNIQUE] = tours.count;
    paper_tours_pairs(&tours, &out[PMC], &out[JACCARD]);
    paper_tours_clear(&tours);
}

/* Over the repetitions that have the number: a chain that never moved has no
 * pairs of tours. */
static paper_mean mean_of(const double *values, int repetitions, int metric)
{
    double *own = cli_alloc((size_t)repetitions, sizeof *own);
    paper_mean mean = {NAN, NAN, NAN, 0};
    int count = 0;

    for (int r = 0; r < repetitions; r++)
        if (!isnan(values[r * METRICS + metric]))
            own[count++] = values[r * METRICS + metric];
    if (count > 0)
        mean = paper_mean_of(own, count);
    free(own);
    return mean;
}

static void put_gap(paper_run *run, const char *row, paper_mean best,
                    double optimum)
{
    best.mean = 100 * (best.mean / optimum - 1) + 0.0; /* no -0 */
    best.se *= 100 / optimum;
    best.std *= 100 / optimum;
    paper_put_mean(run, row, "gap", best, NULL);
}

static int put_row(paper_run *run, struct study *s, int number,
                   const char *model)
{
    int repetitions = paper_run_size(run)->repetitions;
    double *values = cli_alloc((size_t)repetitions * METRICS, sizeof *values);
    paper_row row = rows[number];
    paper_draws draws;
    int code;

    row.model = model;
    code = paper_draws_make(&draws, run, &row);
    for (int r = 0; code == CLI_DONE && r < repetitions; r++)
        measure(&draws, &s->cities, r, values + (size_t)r * METRICS);
    for (int m = 0; code == CLI_DONE && m < METRICS; m++) {
        s->found[number][m] = mean_of(values, repetitions, m);
        paper_put_mean(run, row.name, metric_names[m], s->found[number][m],
                       &draws);
        if (number < 5)
            paper_put_printed(run, row.name, metric_names[m],
                              printed[number][m]);
    }
    if (code == CLI_DONE) {
        double jumps = paper_draws_acceptance(&draws, "jump");

        put_gap(run, row.name, s->found[number][BEST_COST], s->law.shortest);
        if (!isnan(jumps))
            paper_put_exact(run, row.name, "jump_acceptance", jumps);
    }
    paper_draws_clear(&draws);
    free(values);
    return code;
}

/* --- references ---------------------------------------------------------- */

static double random_tour(paper_random *random, const paper_cities *cities,
                          int *tour)
{
    for (int i = 0; i < cities->count; i++) {
        int j = (int)(paper_random_uniform(random) * (i + 1));

        tour[i] = tour[j];
        tour[j] = i;
    }
    return paper_cities_length(cities, tour);
}

static void put_random(paper_run *run, const paper_cities *cities)
{
    double *length = cli_alloc(RANDOM_TOURS, sizeof *length), best = INFINITY;
    int tour[PAPER_CITIES_MAX];
    paper_random random;

    paper_random_init(&random, run->seed, 14);
    for (int t = 0; t < RANDOM_TOURS; t++) {
        length[t] = random_tour(&random, cities, tour);
        best = fmin(best, length[t]);
    }
    paper_put_title(run, "random", "Random tours");
    paper_put_mean(run, "random", "mean_cost",
                   paper_mean_of(length, RANDOM_TOURS), NULL);
    paper_put_exact(run, "random", "best_cost", best);
    free(length);
}

/* As many random tours as a chain of HiSS has sweeps; only the records, each
 * shorter than all before it, are noted. */
static void put_records(paper_run *run, const paper_cities *cities)
{
    int repetitions = paper_run_size(run)->repetitions;
    double *values = cli_alloc((size_t)repetitions * METRICS, sizeof *values);
    int tour[PAPER_CITIES_MAX];
    paper_random random;

    paper_random_init(&random, run->seed, 15);
    for (int r = 0; r < repetitions; r++) {
        double *out = values + (size_t)r * METRICS, best = INFINITY, sum = 0;
        paper_tours records;

        paper_tours_init(&records, cities->count);
        for (int t = 0; t < SWEEPS; t++) {
            double length = random_tour(&random, cities, tour);

            if (length >= best)
                continue;
            best = length;
            sum += length;
            paper_tours_add(&records, tour);
        }
        out[MEAN_COST] = NAN;
        out[BEST_COST] = best;
        out[DISTINCT_COST] = sum / records.count;
        out[UNIQUE] = records.count;
        paper_tours_pairs(&records, &out[PMC], &out[JACCARD]);
        paper_tours_clear(&records);
    }
    paper_put_title(run, "random_search", "Records of 100,000 random tours");
    for (int m = BEST_COST; m < METRICS; m++)
        paper_put_mean(run, "random_search", metric_names[m],
                       mean_of(values, repetitions, m), NULL);
    free(values);
}

static void put_exact(paper_run *run, const struct study *s)
{
    paper_put_title(run, "exact", "Exact");
    paper_put_exact(run, "exact", "mean_cost", s->law.mean);
    paper_put_exact(run, "exact", "best_cost", s->law.shortest);
    paper_put_exact(run, "exact", "best_share", s->law.best_share);
}

/* The landscape of the paper's first figure. */
static void put_landscape(paper_run *run, const paper_cities *cities)
{
    paper_landscape found;

    paper_landscape_find(cities, run->seed, DESCENTS, &found);
    paper_put_title(run, "landscape", "2-opt descents from random tours");
    paper_put_exact(run, "landscape", "local_optima", found.optima);
    paper_put_exact(run, "landscape", "share_in_the_shortest",
                    found.best_found);
    paper_put_exact(run, "landscape", "shortest", found.shortest);
    paper_put_exact(run, "landscape", "second_shortest", found.second);
    paper_put_exact(run, "landscape", "rise_out_of_the_shortest", found.rise);
}

/* --- searches and pictures ----------------------------------------------- */

static int draw_tour(paper_run *run, const struct problem *p,
                     const paper_cities *cities, const double *tour)
{
    double x[PAPER_CITIES_MAX + 1], y[PAPER_CITIES_MAX + 1];
    char *name = cli_text("tsp-%s", p->name);
    char *title = cli_text("The best tour of %s", p->name);
    paper_figure figure = {
        .name = name,
        .title = title,
        .caption = "The shortest closed tour that hiss optimize found.",
        .is_map = true,
    };
    int n = cities->count, code;

    for (int i = 0; i <= n; i++) {
        int city = (int)tour[i % n] - 1;

        x[i] = cities->x[city];
        y[i] = cities->y[city];
    }
    paper_figure_add(&figure, "tour", CLI_CHART_LINE, PAPER_BLUE, x, y, NULL,
                     n + 1);
    paper_figure_add(&figure, "cities", CLI_CHART_POINTS, PAPER_ORANGE, x, y,
                     NULL, n);
    code = paper_figure_draw(&figure, run);
    free(name);
    free(title);
    return code;
}

static int search(paper_run *run, const struct problem *p, double *length,
                  double *tour)
{
    char *path = paper_data_path(p->file);
    char *spec = cli_text("tsp(\"%s\"%s)", path, p->options);
    hiss_optimize_settings settings;
    hiss_optimum *found = NULL;
    hiss_model *model = NULL;
    hiss_error err = {0};
    hiss_status status = hiss_model_create(&model, spec, &err);
    double best = INFINITY;

    hiss_optimize_settings_init(&settings);
    settings.evals = p->evals;
    settings.threads = run->threads;
    for (int k = 0; k < SEARCHES && status == HISS_OK; k++) {
        hiss_search_info info = HISS_INIT(hiss_search_info);

        settings.seed = run->seed + (uint64_t)k;
        status = hiss_optimize(&found, model, &settings, &err);
        if (status != HISS_OK)
            break;
        hiss_optimum_info(found, &info);
        length[k] = info.objective;
        if (length[k] < best)
            hiss_optimum_solution(found, 0, tour, NULL, NULL);
        best = fmin(best, length[k]);
        hiss_optimum_destroy(found);
    }
    hiss_model_destroy(model);
    free(spec);
    free(path);
    return status == HISS_OK ? CLI_DONE : cli_fail_status(status, &err);
}

static int put_search(paper_run *run, const struct problem *p)
{
    double length[SEARCHES], tour[PAPER_CITIES_MAX];
    char *path = paper_data_path(p->file);
    paper_cities *cities = cli_alloc(1, sizeof *cities);
    int hits = 0, code;

    paper_pace_part(run->pace, run->experiment->name, p->title, 60);
    code = paper_cities_read(cities, path);
    if (code == CLI_DONE)
        code = search(run, p, length, tour);
    if (code == CLI_DONE && paper_pace_show(run->pace, 1))
        code = CLI_SIGNAL + cli_interrupt_signal();
    if (code == CLI_DONE) {
        paper_mean mean = paper_mean_of(length, SEARCHES);

        for (int k = 0; k < SEARCHES; k++)
            hits += length[k] < p->optimum + 1e-3;
        paper_put_title(run, p->name, p->title);
        paper_put_mean(run, p->name, "best_cost", mean, NULL);
        put_gap(run, p->name, mean, p->optimum);
        paper_put_exact(run, p->name, "optimum", p->optimum);
        paper_put_exact(run, p->name, "searches_that_found_it", hits);
        paper_put_exact(run, p->name, "evaluations_of_each", p->evals);
        code = draw_tour(run, p, cities, tour);
    }
    free(cities);
    free(path);
    return code;
}

/* --- the study of eta ---------------------------------------------------- */

static int draw_etas(paper_run *run, const struct study *s, int metric,
                     const char *name, const char *title, const char *caption,
                     const char *label)
{
    paper_figure figure = {.name = name,
                           .title = title,
                           .caption = caption,
                           .x = {.label = "\u03b7", .is_log = true},
                           .y = {.label = label}};
    double y[2][ETAS], se[2][ETAS];

    for (int e = 0; e < ETAS; e++)
        for (int form = 0; form < 2; form++) {
            int row = (form ? FIRST_KEYS : FIRST_ONEHOT) + e;

            y[form][e] = s->found[row][metric].mean;
            se[form][e] = s->found[row][metric].se;
        }
    paper_figure_add(&figure, "one-hot, the paper's form", CLI_CHART_POINTS,
                     PAPER_ORANGE, onehot_etas, y[0], se[0], ETAS);
    paper_figure_add(&figure, "random keys", CLI_CHART_POINTS, PAPER_BLUE,
                     keys_etas, y[1], se[1], ETAS);
    if (metric == MEAN_COST)
        paper_figure_add_level(&figure, "exact", s->law.mean, 0.01, 10);
    return paper_figure_draw(&figure, run);
}

static int draw_study(paper_run *run, const struct study *s)
{
    int code = draw_etas(
        run, s, MEAN_COST, "tsp-eta-cost", "Mean length against eta",
        "Noise on all positions (one-hot, with four frozen steps of DMALA as "
        "in the paper) or on all keys, the same number of evaluations of U or "
        "its gradient. Bars are standard errors over chains.",
        "mean length");

    if (code == CLI_DONE)
        code = draw_etas(run, s, PMC, "tsp-eta-pmc",
                         "Pairwise mismatches against eta",
                         "PMC over the distinct tours of a chain, as the paper "
                         "plots it; 105 is the most.",
                         "PMC");
    if (code == CLI_DONE)
        code = draw_etas(run, s, JACCARD, "tsp-eta-jaccard",
                         "Jaccard similarity against eta",
                         "Directed edges that two distinct tours of a chain "
                         "share, as the paper plots it.",
                         "Jaccard similarity");
    if (code == CLI_DONE)
        code = draw_etas(run, s, UNIQUE, "tsp-eta-unique",
                         "Distinct tours against eta",
                         "Tours seen by a chain, rotations and reflections "
                         "being tours of their own. One-hot noise meets most "
                         "where it changes two or three positions at a time.",
                         "distinct tours");
    return code;
}

/* --- all of it ----------------------------------------------------------- */

static int run_tsp(paper_run *run)
{
    struct study *s = cli_alloc(1, sizeof *s);
    char *path = paper_data_path(EIL14);
    char *onehot = cli_text("tsp(\"%s\",form=onehot)", path);
    char *permutation = cli_text("tsp(\"%s\")", path);
    int code = paper_cities_read(&s->cities, path);

    if (code == CLI_DONE && s->cities.count > PAPER_EXACT_MAX)
        code = cli_fail(CLI_BAD_CALL, "%s: expected 14 cities, found %d", path,
                        s->cities.count);
    if (code == CLI_DONE) {
        paper_cities_law(&s->cities, &s->law);
        put_exact(run, s);
        put_random(run, &s->cities);
        put_records(run, &s->cities);
        put_landscape(run, &s->cities);
        paper_pace_plan(run->pace, paper_rows_work(rows) + 60 * PROBLEMS);
    }
    for (int r = 0; r < COUNT && code == CLI_DONE; r++)
        code = put_row(run, s, r,
                       strcmp(rows[r].model, FORM) == 0 ? onehot : permutation);
    for (int p = 0; p < PROBLEMS && code == CLI_DONE; p++)
        code = put_search(run, &problems[p]);
    if (code == CLI_DONE)
        code = draw_study(run, s);
    free(onehot);
    free(permutation);
    free(path);
    free(s);
    return code;
}

const paper_experiment paper_experiment_tsp = {
    .name = "tsp",
    .title = "Tours through 14 cities",
    .about =
        "eil14, the first 14 cities of TSPLIB's eil51, at T = 1 with real "
        "distances. The first five rows have the paper's form and settings: a "
        "city for each position, what is no tour is rejected, alpha = 0.02, "
        "eta = 2, G = 10, L = 4, 40 steps per sample for the others. ACS alone "
        "has the constant step 0.2, which max(2 alpha, 0.2) in the published "
        "schedule makes of alpha = 0.02. Its "
        "published code divides the logits of DMALA by their standard "
        "deviation and repairs what is no tour, which the text does not "
        "mention; here is the text. mean_cost is over all samples and has an "
        "exact value; distinct_cost, over the distinct tours of a chain, is "
        "what the paper calls cost. best_cost is the shortest of a chain and "
        "gap its distance from the optimum in percent. PMC, Jaccard and the "
        "number of distinct tours follow the paper; a chain that never moved "
        "has no pairs to compare. permutation is the same law on tours: "
        "2-opt moves mixed with HiSS on random keys.",
    .seconds = {400, 50},
    .rows = rows,
    .size = {{1, 16, 10000}, {1, 16, 1000}},
    .revision = 2,
    .run = run_tsp,
    .files = files,
};
