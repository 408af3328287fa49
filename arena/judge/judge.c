/* judge.c - what the classes of draws say, when their means are known.
 *
 * The effective sample size of a class of known mean p and variance v is
 *     ESS = N v / (b mean (m - p)^2)
 * over the means m of batches of b draws, b so long that a batch has about
 * PER_BATCH effective draws (at most a chain); classes of one target are
 * pooled.  Where a mode is missed its batches are chains: what is left out is
 * left out of every batch, and more of them would make it look small. */
#include "arena/judge/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PER_BATCH 20.0
#define BATCHES   64    /* of a chain at most */
#define Z_MAX     999.0 /* that is written */
#define Z_WRONG   3.5
#define MODE      (0.02 - 1e-9) /* mass of a class that has to be visited */
#define STILL     1e-6          /* variance of a class that says nothing */

float *judge_classify(const instance *at, const hiss_result *r)
{
    hiss_run_info info = HISS_INIT(hiss_run_info);
    double out[TARGET_CLASSES], *x;
    size_t classes = (size_t)at->classes, count;
    float *f;

    hiss_result_info(r, &info);
    count = CHAINS * (size_t)info.samples;
    x = malloc(sizeof *x * (size_t)info.dim);
    f = malloc(sizeof *f * count * classes);
    for (size_t n = 0; x && f && n < count; n++) {
        hiss_result_draw(r, (int)(n / (size_t)info.samples),
                         (int64_t)(n % (size_t)info.samples), x);
        at->classify(at, x, out);
        for (size_t k = 0; k < classes; k++)
            f[n * classes + k] = (float)out[k];
    }
    if (!x) {
        free(f);
        f = NULL;
    }
    free(x);
    return f;
}

/* Of `count` draws from `first` on, by class. */
static void means_of(const instance *at, const float *f, int64_t first,
                     int64_t count, double *mean)
{
    for (int k = 0; k < at->classes; k++)
        mean[k] = 0.0;
    for (int64_t n = first; n < first + count; n++)
        for (int k = 0; k < at->classes; k++)
            mean[k] += (double)f[n * at->classes + k];
    for (int k = 0; k < at->classes; k++)
        mean[k] /= (double)count;
}

/* Sum over classes of the squared errors of batch means, and their number. */
static double batch_error(const instance *at, const float *f, int64_t draws,
                          int64_t batches)
{
    int64_t length = draws / batches;
    double sum = 0.0, mean[TARGET_CLASSES];

    for (int c = 0; c < CHAINS; c++)
        for (int64_t b = 0; b < batches; b++) {
            means_of(at, f, c * draws + b * length, length, mean);
            for (int k = 0; k < at->classes; k++)
                sum += (mean[k] - at->mean[k]) * (mean[k] - at->mean[k]);
        }
    return sum / (double)(CHAINS * batches) * (double)length;
}

static double effective(const instance *at, const float *f, int64_t draws,
                        int64_t most)
{
    double variance = 0.0, all = (double)(CHAINS * draws), ess;
    int64_t batches = 1;

    for (int k = 0; k < at->classes; k++)
        variance += at->variance[k];
    ess = all * variance / batch_error(at, f, draws, 1);
    while (batches < most && batches < draws / 8 &&
           ess / CHAINS > PER_BATCH * 2.0 * (double)batches) {
        batches *= 2;
        ess = all * variance / batch_error(at, f, draws, batches);
    }
    return ess;
}

/* How many classes were never visited. */
static int count_missed(const instance *at, const float *f, int64_t draws)
{
    int missed = 0;

    for (int k = 0; k < at->classes && !at->of->is_energy; k++) {
        double least = 1.0, most = 0.0, p = at->mean[k];

        for (int64_t n = 0; n < CHAINS * draws; n++) {
            least = fmin(least, (double)f[n * at->classes + k]);
            most = fmax(most, (double)f[n * at->classes + k]);
        }
        if (p >= MODE && most < 0.5)
            missed++;
        else if (!at->of->is_disjoint && 1.0 - p >= MODE && least > 0.5)
            missed++; /* the other value of a coordinate */
    }
    return missed;
}

void judge_draws(const instance *at, const float *f, int64_t draws, trial *out)
{
    for (int c = 0; c < CHAINS; c++)
        for (int64_t n = 0; n < draws; n++)
            for (int k = 0; k < at->classes; k++)
                out->mass[c][k] +=
                    (double)f[(c * draws + n) * at->classes + k] /
                    (double)draws;
    if (draws < 1)
        return;
    out->missed = count_missed(at, f, draws);
    out->ess =
        effective(at, f, draws, at->of->peers && out->missed ? 1 : BATCHES);
}

/* The z that the largest of so many classes exceeds as seldom as one class
 * exceeds Z_WRONG. */
static double limit_of(int classes)
{
    double low = Z_WRONG, high = 8.0;

    while (high - low > 1e-6) {
        double z = 0.5 * (low + high);

        if (classes * erfc(z / sqrt(2.0)) > erfc(Z_WRONG / sqrt(2.0)))
            low = z;
        else
            high = z;
    }
    return low;
}

/* When a class is wrong: so many standard errors off, so far, although the
 * draws say of themselves that they are worth so many. */
struct rule {
    double z, gap, ess;
};

static int is_class_wrong(const instance *at, int k, const double *column,
                          int64_t draws, const struct rule *rule)
{
    hiss_column c = HISS_INIT(hiss_column);
    double se, off;

    if (hiss_describe(column, CHAINS, draws, &c, NULL) != HISS_OK ||
        c.state != HISS_VARIES || c.ess_bulk < rule->ess)
        return 0;
    /* The variance is known; how many draws it is to be divided by is what the
     * draws say of themselves. */
    se = fmax(c.mcse, c.mcse * sqrt(at->variance[k]) / c.sd);
    se = sqrt(se * se + at->mean_se * at->mean_se);
    off = fabs(c.mean - at->mean[k]);
    if (off <= rule->z * se || off <= rule->gap)
        return 0;
    if (getenv("BENCH_VERBOSE"))
        fprintf(stderr, "  class %d is %.4f +- %.4f and should be %.4f\n", k,
                c.mean, se, at->mean[k]);
    return 1;
}

static int is_wrong(const instance *at, const float *f, int64_t draws,
                    const struct rule *rule)
{
    double *column = malloc(sizeof *column * (size_t)(CHAINS * draws));
    double mean[TARGET_CLASSES];
    int found = 0;

    means_of(at, f, 0, CHAINS * draws, mean);
    for (int k = 0; column && k < at->classes && !found; k++) {
        if (at->variance[k] < STILL || fabs(mean[k] - at->mean[k]) < rule->gap)
            continue;
        for (int64_t n = 0; n < CHAINS * draws; n++)
            column[n] = (double)f[n * at->classes + k];
        found = is_class_wrong(at, k, column, draws, rule);
    }
    free(column);
    return found;
}

int judge_is_wrong(const instance *at, const float *f, int64_t draws,
                   const trial *run)
{
    struct rule rule = {.z = limit_of(at->classes)};

    return run->missed > 0 || is_wrong(at, f, draws, &rule);
}

int judge_is_surely_wrong(const instance *at, const float *f, int64_t draws)
{
    static const struct rule rule = {.z = 6.0, .gap = 0.01, .ess = 50.0};

    return is_wrong(at, f, draws, &rule);
}

/* Mean and squared standard error of a mass, over the chains of all runs. */
static void mass_of(const trial *run, int runs, int k, double *mean,
                    double *square)
{
    double n = (double)runs * CHAINS;

    *mean = *square = 0.0;
    for (int s = 0; s < runs; s++)
        for (int c = 0; c < CHAINS; c++)
            *mean += run[s].mass[c][k] / n;
    for (int s = 0; s < runs; s++)
        for (int c = 0; c < CHAINS; c++)
            *square += (run[s].mass[c][k] - *mean) *
                       (run[s].mass[c][k] - *mean) / (n * (n - 1.0));
}

/* U is brought to mean 1/2 and variance 1/4, that of an even chance. */
static float *classify_energy(const instance *at, const double *u,
                              int64_t draws)
{
    float *f = malloc(sizeof *f * (size_t)(CHAINS * draws));

    for (int64_t n = 0; f && n < CHAINS * draws; n++)
        f[n] = (float)(0.5 + 0.5 * (u[n] - at->u.mean) / sqrt(at->u.variance));
    return f;
}

double judge_energy(const instance *at, const double *u, int64_t draws,
                    int *is_off)
{
    instance one = {.of = at->of, .classes = 1};
    double ess = (double)NAN;
    float *f = NULL;

    one.mean[0] = 0.5;
    one.variance[0] = 0.25;
    *is_off = 0;
    if (at->u.variance > 0.0 && draws > 0) {
        one.mean_se = 0.5 * at->u.se / sqrt(at->u.variance);
        f = classify_energy(at, u, draws);
    }
    if (f) {
        ess = effective(&one, f, draws, BATCHES);
        *is_off = judge_is_surely_wrong(&one, f, draws);
    }
    free(f);
    return ess;
}

double judge_mass_error(const instance *at, const trial *run, int runs)
{
    double pooled = 0.0, mean, square, worst = 0.0;

    for (int k = 0; k < at->classes; k++) {
        if (at->variance[k] < STILL)
            continue;
        mass_of(run, runs, k, &mean, &square);
        pooled += square / (at->variance[k] * at->classes);
    }
    for (int k = 0; k < at->classes; k++) {
        double z;

        if (at->variance[k] < STILL)
            continue;
        mass_of(run, runs, k, &mean, &square);
        if (square < 1e-20 && fabs(mean - at->mean[k]) < MODE)
            continue; /* too rare for these draws */
        if (at->of->is_alike)
            square = pooled * at->variance[k];
        square += at->mean_se * at->mean_se;
        z = fabs(mean - at->mean[k]) / sqrt(square); /* stuck: no spread */
        worst = z > worst ? z : worst;
    }
    return worst < Z_MAX ? worst : Z_MAX;
}

double judge_distance(const instance *at, const trial *run)
{
    double sum = 0.0;

    for (int k = 0; k < at->classes; k++) {
        double mass = 0.0;

        for (int c = 0; c < CHAINS; c++)
            mass += run->mass[c][k] / CHAINS;
        sum += fabs(mass - at->mean[k]);
    }
    return 0.5 * sum;
}
