/* prices.c - the table of prices: what steps cost, kernel by kernel.
 *
 *     bench_prices fit FILE     measures, fits, writes src/run/price/price.def
 *     bench_prices table FILE   the same of what fit said on stderr, from stdin
 *     bench_prices check        predicted beside measured, on other models
 *     [kernel=NAME] [model=TEXT] narrow both down, for a look
 *
 * `make bench-prices` does one after the other.  Times are of the process, the
 * median of several repetitions.  A processor that others use is up to twice
 * slower for some seconds: a loop that is the same every time is timed beside
 * every repetition, which counts as if the loop had been as fast as it was at
 * best.  Sixteen chains, one thread.  Of functions evaluations are counted. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/object/objects.h"
#include "kernel/library.h"
#include "lanes/lanes.h"
#include "price_fit.h"
#include "price_models.h"
#include "run/chain/group.h"
#include "run/price/price.h"

#include "clock.h"

#define EVALUATION 1e6  /* nanoseconds that a function's is said to take */
#define BATCH      3e-3 /* seconds */
#define REPEATS    7
#define LOOP       100    /* passes */
#define LONGEST    0.5    /* seconds of a step, beyond which it is left out */
#define TUNING     48     /* steps */
#define STRIDE     16     /* steps in one call of a kernel that packs */
#define TILTED     "tilt" /* replaced by the form of the tilt */

/* What a row is measured by: the part of a step that it is, as
 * (spec - less) / visits. */
struct probe {
    const char *kernel, *variant, *spec, *less;
    int visits, modes;
};

#define UNDER(name)                                                            \
  {                                                                            \
      #name,                                                                   \
      TILTED,                                                                  \
      "hiss(eta=1,steps=8,inner=" #name ")",                                   \
      "hiss(eta=1,steps=0)",                                                   \
      8,                                                                       \
      0},                                                                      \
  {                                                                            \
#    name, TILTED, "hiss(eta=1,kernel=gaussian,steps=8,inner=" #    name ")",  \
        "hiss(eta=1,kernel=gaussian,steps=0)", 8, 0                            \
  }
#define PLAIN(name)                                                            \
  {                                                                            \
#    name, "plain", #    name, NULL, 1, 0                                      \
  }
static const struct probe probes[] = {
    PLAIN(gibbs),
    {"gibbs", "random", "gibbs(scan=random)", NULL, 1, 0},
    {"gibbs", "packed", "gibbs(packed=yes)", NULL, 1, 0},
    UNDER(gibbs),
    PLAIN(metropolis),
    PLAIN(chromatic),
    PLAIN(hamming),
    PLAIN(blocks),
    {"blocks", "plain", "blocks(table=64)", NULL, 1, 0},
    PLAIN(independent),
    {"network", "plain", "network(bond=4)", NULL, 1, 0},
    {"network", "plain", "network(bond=16)", NULL, 1, 0},
    PLAIN(cluster),
    PLAIN(hidden),
    PLAIN(tour),
    {"tour", "plain", "pt(base=tour,levels=4)", NULL, 1, 0},
    PLAIN(dmala),
    UNDER(dmala),
    PLAIN(dula),
    PLAIN(acs),
    PLAIN(dlmc),
    PLAIN(ab),
    PLAIN(gwg),
    PLAIN(informed),
    PLAIN(pas),
    PLAIN(pafs),
    PLAIN(jumps),
    PLAIN(tgs),
    PLAIN(tabu),
    {"mtm", "plain", "mtm(tries=2)", NULL, 1, 0},
    {"mtm", "plain", "mtm(tries=8)", NULL, 1, 0},
    {"mtm", "plain", "mtm(tries=30)", NULL, 1, 0},
    {"mtm", "all", "mtm(tries=40)", NULL, 1, 0},
    {"mtm", "all", "mtm(tries=80)", NULL, 1, 0},
    {"hiss", "plain", "hiss(eta=1,steps=0)", NULL, 1, 0},
    {"edlp", "plain", "edlp(inner=gibbs)", "gibbs", 1, 0},
    {"bridge", "plain", "bridge", NULL, 1, 2},
    {"bridge", "plain", "bridge", NULL, 1, 12},
    {"bridge", "plain", "bridge", NULL, 1, 100},
    {"bridge", "components", "bridge(components=1)", NULL, 1, 12},
    {"pt", "plain", "pt(base=gibbs,levels=4)", "gibbs", 1, 0},
    {"pt", "houdayer", "pt(base=gibbs,levels=4,houdayer=1)",
     "pt(base=gibbs,levels=4)", 1, 0},
    {"pt", "reference", "pt(base=gibbs,levels=2,reference=modes,path=[0.5,0])",
     "pt(base=gibbs,levels=4)", 1, 2},
    {"pt", "reference", "pt(base=gibbs,levels=2,reference=modes,path=[0.5,0])",
     "pt(base=gibbs,levels=4)", 1, 40},
    {"pt", "network", "pt(base=gibbs,levels=2,reference=network)",
     "pt(base=gibbs,levels=2)", 1, 0},
    {"pthr", "plain", "pthr(base=gibbs,levels=4,clusters=1000000)", "gibbs", 1,
     0},
    {"pthr", "clusters", "pthr(base=gibbs,levels=4)",
     "pthr(base=gibbs,levels=4,clusters=1000000)", 1, 0},
    {"replicas", "plain", "replicas(base=gibbs)", "gibbs", 1, 0},
    {"multicanonical", "plain",
     "multicanonical(base=gibbs,range=[-1000,1000],slopes=[0,0.5,1])", "gibbs",
     1, 0},
};

/* What is compared with predictions: trees as they are used. */
static const struct probe checks[] = {
    {.spec = "gibbs"},
    {.spec = "gibbs(scan=random)"},
    {.spec = "gibbs(packed=yes)"},
    {.spec = "metropolis"},
    {.spec = "chromatic"},
    {.spec = "hamming(block=6)"},
    {.spec = "blocks"},
    {.spec = "blocks(table=256)"},
    {.spec = "independent"},
    {.spec = "network(bond=8)"},
    {.spec = "cluster"},
    {.spec = "hidden"},
    {.spec = "tour"},
    {.spec = "dmala"},
    {.spec = "dula"},
    {.spec = "acs"},
    {.spec = "dlmc"},
    {.spec = "ab"},
    {.spec = "gwg"},
    {.spec = "informed"},
    {.spec = "pas(length=5)"},
    {.spec = "pafs"},
    {.spec = "jumps"},
    {.spec = "tgs"},
    {.spec = "tabu"},
    {.spec = "mtm(tries=12)"},
    {.spec = "hiss(eta=.7,steps=2)"},
    {.spec = "hiss(eta=.7,steps=3,inner=gibbs)"},
    {.spec = "edlp(inner=dmala)"},
    {.spec = "bridge", .modes = 30},
    {.spec = "sequence(gibbs,bridge)", .modes = 6},
    {.spec = "mix(gibbs,bridge,weights=[3,1])", .modes = 6},
    {.spec = "sequence(gibbs,cluster)"},
    {.spec = "pt(base=gibbs,levels=8)"},
    {.spec = "pt(base=dmala,levels=6)"},
    {.spec = "pt(base=gibbs,levels=8,houdayer=5)"},
    {.spec = "pt(base=blocks(table=256),levels=4)"},
    {.spec = "pt(base=gibbs,levels=3,reference=modes,path=[0.6,0.2,0])",
     .modes = 10},
    {.spec = "pthr(base=gibbs,levels=6)"},
    {.spec = "pt(base=tour,levels=4)"},
    {.spec = "replicas(base=gibbs,count=8)"},
    {.spec = "multicanonical(base=gibbs,range=[-500,500],slopes=[0,0.4,1])"},
};

/* --- steps ---------------------------------------------------------------- */

/* Modes at random states, equally likely. */
static hs_library *make_library(const hs_model *m, int modes)
{
    hs_library *b = NULL;
    const hs_domain *d = &m->domain;
    int16_t *state = malloc(sizeof *state * (size_t)d->dim);
    uint64_t seed = 5;

    if (d->is_tour || modes > hs_library_most(d) ||
        hs_library_create(&b, d, modes, NULL) != HISS_OK) {
        free(state);
        return NULL;
    }
    for (int k = 0; k < modes; k++) {
        for (int i = 0; i < d->dim; i++)
            state[i] = (int16_t)(bench_draw(&seed) % (uint32_t)d->states[i]);
        hs_library_state(b, d, k, state, NULL);
    }
    hs_library_weigh(b, NULL);
    hs_library_cut(b, m, NULL);
    free(state);
    return b;
}

/* A group that is ready to be timed; NULL: the sampler is not for the model. */
static hs_group *make_group(const hs_model *m, const char *spec,
                            const hs_library *library)
{
    hs_sampler *s = NULL;
    hs_group *g = NULL;
    hiss_error err = {0};
    double start = bench_cpu();
    hiss_status rc = hs_sampler_parse(&s, spec, &err);

    if (rc != HISS_OK)
        fprintf(stderr, "%s: %s\n", spec, err.message);
    if (rc == HISS_OK)
        rc = hs_group_create(&g, m, s, 1, 0, HS_LANES, &err);
    for (int i = 0; rc == HISS_OK && library && i < g->tiles; i++)
        hs_kernel_attach(g->kernel[i], library);
    if (rc == HISS_OK)
        rc = hs_group_start(g, false, &err);
    if (rc == HISS_OK)
        hs_group_tune(g, TUNING);
    for (int n = 0; rc == HISS_OK && n < TUNING; n++)
        if (bench_cpu() - start < 0.2 * LONGEST)
            rc = hs_group_step(g, &err);
    if (rc == HISS_OK)
        hs_group_freeze(g);
    hs_sampler_release(s);
    if (rc == HISS_OK)
        return g;
    if (rc != HISS_EUNSUP && rc != HISS_EARG && rc != HISS_ENOMEM)
        fprintf(stderr, "%s: %s\n", spec, err.message);
    hs_group_destroy(g);
    return NULL;
}

static double walk(hs_group *g, int64_t steps)
{
    double start = bench_cpu();
    int64_t stride = hs_group_walks(g) ? STRIDE : 1;

    for (int64_t n = 0; n < steps; n++)
        if (hs_group_stride(g, stride, NULL) != HISS_OK)
            return -1.0;
    return (bench_cpu() - start) / (double)stride;
}

/* Of which nobody knows the time. */
static int is_function(const hs_model *m)
{
    return !m->ops->work;
}

/* Of all chains with all replicas, per tile. */
static double count_evals(hs_group *g)
{
    double before = hs_group_spent(g), evals;

    for (int n = 0; n < TUNING; n++)
        hs_group_step(g, NULL);
    evals = (hs_group_spent(g) - before) / TUNING;
    return EVALUATION * evals / g->replicas;
}

/* Seconds of a loop of vector arithmetic, some tenths of a millisecond. */
static double time_loop(void)
{
    static float x[64][HS_LANES];
    double start = bench_cpu();

    for (int n = 0; n < LOOP; n++)
        for (int i = 0; i < 64; i++) {
            for (int l = 0; l < HS_LANES; l++)
                x[i][l] = -0.01f * (float)(i + l + n % 3);
            hs_lanes()->exp(x[i], x[i]);
        }
    return bench_cpu() - start;
}

static double fastest_loop(void)
{
    static double best = HUGE_VAL;

    for (int n = 0; n < (best < HUGE_VAL ? 1 : 2000); n++)
        best = fmin(best, time_loop());
    return best;
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Seconds of so many steps of a processor that is left alone. */
static double time_quietly(hs_group *g, int64_t steps, int repeats)
{
    double at[REPEATS], best = fastest_loop();

    for (int n = 0; n < repeats; n++) {
        double loop = time_loop();

        at[n] = walk(g, steps);
        at[n] *= 2.0 * best / (loop + time_loop());
    }
    qsort(at, (size_t)repeats, sizeof *at, ascending);
    return at[repeats / 2];
}

/* Nanoseconds of a step of a tile; negative: it takes too long. */
static double time_step(hs_group *g)
{
    double best, once;
    int64_t steps = 1;

    if (is_function(g->model))
        return count_evals(g);
    once = best = walk(g, 1);
    if (best < 0.0 || best > LONGEST)
        return -1.0;
    while (once < BATCH && steps < 1 << 20) {
        steps = once > 1e-5 ? (int64_t)((double)steps * 1.3 * BATCH / once) + 1
                            : 8 * steps;
        once = walk(g, steps);
    }
    best = time_quietly(g, steps, once > 3.0 * BATCH ? 3 : REPEATS);
    return 1e9 * best / (double)steps / g->tiles;
}

/* --- fitting -------------------------------------------------------------- */

static const char *form_name(const hs_kernel *k)
{
    static const char *const name[] = {"plain", "phi", "slope", "factors"};

    return name[k->type->tilts ? k->type->tilts(k) : HS_TILT_FLAT];
}

/* The part of a kernel's work that a row prices; 0 (false): it has none. */
static int find_part(hs_kernel *root, const hs_model *m, const char *kernel,
                     const char *variant, hs_work *out)
{
    hs_kernel *k;

    for (int n = 0; (k = hs_kernel_node(root, n)); n++) {
        hs_work part[HS_WORK_PARTS] = {{.times = 1.0}};
        int parts;

        if (strcmp(k->type->name, kernel) != 0)
            continue;
        parts = k->type->work ? k->type->work(k, m, part) : 1;
        for (int i = 0; i < parts; i++) {
            const char *own = part[i].variant ? part[i].variant : "plain";

            *out = part[i];
            if (strcmp(own, variant) == 0 ||
                (!part[i].variant && strcmp(variant, TILTED) == 0))
                return part[i].times > 0.0;
        }
    }
    return 0;
}

static void add_sample(const struct probe *p, const char *variant,
                       const hs_model *m, const hs_work *part, double total,
                       double less)
{
    const hs_domain *d = &m->domain;
    hs_model_work w = hs_model_work_of(m);
    double times = p->visits * part->times;
    double cost = total > less ? total - less : 0.0;
    price_sample s = {
        .unit = {1.0, d->dim, d->value_count - d->dim, w.terms, part->amount},
        .cost = cost / times,
        .weight = times / total};

    snprintf(s.kernel, sizeof s.kernel, "%s", p->kernel);
    snprintf(s.variant, sizeof s.variant, "%s", variant);
    snprintf(s.family, sizeof s.family, "%s", w.family);
    price_table_add(&s);
    price_table_print(stderr, &s);
}

/* A group of the sampler, timed; spec may be NULL. */
static double time_of(const hs_model *m, const char *spec,
                      const hs_library *library)
{
    hs_group *g = spec ? make_group(m, spec, library) : NULL;
    double ns = g ? time_step(g) : 0.0;

    hs_group_destroy(g);
    return ns;
}

static void measure(const hs_model *m, const struct probe *p)
{
    hs_library *library = p->modes ? make_library(m, p->modes) : NULL;
    hs_group *g = make_group(m, p->spec, library);
    hs_work part;
    double total, less;

    if (g && (library || !p->modes) &&
        find_part(g->kernel[0], m, p->kernel, p->variant, &part)) {
        const char *variant = strcmp(p->variant, TILTED) == 0
                                  ? form_name(g->kernel[0])
                                  : p->variant;

        total = time_step(g);
        less = time_of(m, p->less, library);
        if (total > 0.0 && less >= 0.0)
            add_sample(p, variant, m, &part, total, less);
    }
    hs_group_destroy(g);
    hs_library_destroy(library);
}

/* The unit of functions, and of kernels without a row. */
static void measure_evaluation(const hs_model *m)
{
    struct probe p = {.kernel = "evaluation", .visits = 1};
    hs_work part = {.times = 1.0};
    hs_group *g = make_group(m, m->domain.is_tour ? "tour" : "gibbs", NULL);
    double best = HUGE_VAL;

    if (g && is_function(m))
        best = EVALUATION;
    for (int n = 0; g && best != EVALUATION && n < REPEATS; n++) {
        double start = bench_cpu();
        int64_t done = 0;

        for (; bench_cpu() - start < BATCH; done++) {
            g->tile[0].at.have = 0;
            hs_model_evaluate(m, &g->tile[0].at, HS_U);
        }
        best = fmin(best, 1e9 * (bench_cpu() - start) / (double)done);
    }
    if (g)
        add_sample(&p, "plain", m, &part, best, 0.0);
    hs_group_destroy(g);
}

/* --- both ----------------------------------------------------------------- */

static const char *only_kernel, *only_model;

/* The model, if it is asked for. */
static hiss_model *open_model(const price_model *p)
{
    hiss_model *m = NULL;
    hiss_error err = {0};

    if (only_model && !strstr(p->name, only_model))
        return NULL;
    if (p->make(&m, p, &err) != HISS_OK)
        fprintf(stderr, "%s: %s\n", p->name, err.message);
    return m;
}

static int fit(const char *path)
{
    for (const price_model *p = price_models; p->name; p++) {
        hiss_model *m = p->is_held ? NULL : open_model(p);

        if (!m)
            continue;
        fprintf(stderr, "%s (%s)\n", p->name,
                hs_model_work_of(m->model).family);
        measure_evaluation(m->model);
        for (size_t n = 0; n < sizeof probes / sizeof *probes; n++)
            if (!only_kernel || strcmp(probes[n].kernel, only_kernel) == 0)
                measure(m->model, &probes[n]);
        hiss_model_destroy(m);
        if (price_table_write(path) != 0) /* what there is, if it is stopped */
            return 1;
    }
    return 0;
}

/* --- checking ------------------------------------------------------------- */

static struct {
    int all, good, fair;
    double worst;
} seen;

static void compare(const char *name, const hs_model *m, const struct probe *p)
{
    hs_library *library = p->modes ? make_library(m, p->modes) : NULL;
    hs_group *g = library || !p->modes ? make_group(m, p->spec, library) : NULL;
    double measured = g ? time_step(g) : 0.0;

    if (measured > 0.0) {
        double price = hs_price_step(g->kernel[0], m);
        double ratio = price / measured;
        double off = ratio > 1.0 ? ratio : 1.0 / ratio;

        printf("%-34s %-12s %-36s %11.0f %11.0f %6.2f\n", name,
               hs_model_work_of(m).family, p->spec, measured, price, ratio);
        fflush(stdout);
        seen.all++;
        seen.good += off <= 1.5;
        seen.fair += off <= 2.5;
        seen.worst = off > seen.worst ? off : seen.worst;
    }
    hs_group_destroy(g);
    hs_library_destroy(library);
}

static int check(void)
{
    printf("%-34s %-12s %-36s %11s %11s %6s\n", "model", "family", "sampler",
           "measured ns", "price ns", "ratio");
    for (const price_model *p = price_models; p->name; p++) {
        hiss_model *m = p->is_held ? open_model(p) : NULL;

        if (!m)
            continue;
        for (size_t n = 0; n < sizeof checks / sizeof *checks; n++)
            if (!only_kernel || strstr(checks[n].spec, only_kernel))
                compare(p->name, m->model, &checks[n]);
        hiss_model_destroy(m);
    }
    printf("%d prices: %d within 1.5, %d within 2.5, the worst off by %.2f\n",
           seen.all, seen.good, seen.fair, seen.worst);
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int is_fit = strcmp(what, "fit") == 0 && argc > 2;

    for (int n = 2; n < argc; n++) {
        if (strncmp(argv[n], "kernel=", 7) == 0)
            only_kernel = argv[n] + 7;
        if (strncmp(argv[n], "model=", 6) == 0)
            only_model = argv[n] + 6;
    }
    if (is_fit)
        return fit(argv[2]);
    if (strcmp(what, "table") == 0 && argc > 2)
        return price_table_read(stdin) || price_table_write(argv[2]);
    if (strcmp(what, "check") == 0)
        return check();
    fprintf(stderr, "usage: bench_prices fit FILE | table FILE | check "
                    "[kernel=NAME] [model=TEXT]\n");
    return 2;
}
