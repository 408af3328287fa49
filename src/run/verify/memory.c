/* memory.c - tests whether a kernel depends on states of earlier calls. */
#include "run/verify/memory.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/random/rng.h"
#include "base/random/streams.h"

#define PROBES  64   /* checked calls, of both kinds */
#define HISTORY 40   /* calls before each */
#define LOW     0.25 /* fraction of the mass */
/* states of a call; with more replicates, a thousandth of their number */
#define STATES_LEAST 64
#define STATES_MOST  1024

enum {
    MOVED,
    DISTANCE,
    FIGURES
};

struct probing {
    hs_foreign *f;
    hs_foreign_stage *probed;
    hs_foreign_desk desk;
    int64_t batch, drawn; /* so far */
    uint32_t top;
    double *low; /* owned, [states]: its cumulative distribution */
    bool is_top[PROBES];
    double figure[FIGURES][PROBES];
};

/* The lowest quarter of the distribution by U: at least one state. */
static hiss_status init_low(struct probing *s, hiss_error *err)
{
    const hs_exact *e = s->f->exact;
    const double *p = s->f->law->p;
    double low = INFINITY, high = -INFINITY, sum = 0.0;

    for (int64_t n = 0; n < e->states; n++)
        if (p[n] > 0.0) {
            low = fmin(low, e->u[n]);
            if (e->u[n] > high) {
                high = e->u[n];
                s->top = (uint32_t)n;
            }
        }
    for (int k = 0; k < 60; k++) { /* the largest bound with mass <= LOW */
        double middle = 0.5 * (low + high), mass = 0.0;

        for (int64_t n = 0; n < e->states; n++)
            mass += e->u[n] <= middle ? p[n] : 0.0;
        if (mass <= LOW)
            low = middle;
        else
            high = middle;
    }
    s->low = hs_alloc_array((size_t)e->states, sizeof *s->low);
    if (!s->low)
        return hs_fail_memory(err);
    for (int64_t n = 0; n < e->states; n++) {
        sum += e->u[n] <= low ? p[n] : 0.0;
        s->low[n] = sum;
    }
    for (int64_t n = 0; n < e->states; n++)
        s->low[n] /= sum;
    return HISS_OK;
}

static uint32_t draw_low(const struct probing *s, int64_t number)
{
    int64_t first = 0, last = s->f->exact->states - 1;
    double u =
        hs_uniform(hs_rng_word(s->f->set->seed, hs_stream(HS_STREAM_CHOICES, 0),
                               0, 0, HS_DRAW_EXACT, (uint32_t)number));

    while (first < last) {
        int64_t middle = first + (last - first) / 2;

        if (s->low[middle] > u)
            last = middle;
        else
            first = middle + 1;
    }
    return (uint32_t)first;
}

/* Makes one call with exact draws, or with equal states. */
static hiss_status call(struct probing *s, bool is_probe, bool is_top,
                        hiss_error *err)
{
    hs_foreign_desk *d = &s->desk;

    for (int64_t r = 0; r < s->batch; r++, s->drawn++) {
        d->before[r] =
            is_probe
                ? (uint32_t)hs_law_draw(
                      s->f->law, s->f->set->seed,
                      hs_stream(HS_STREAM_MEMORY_PROBES, (uint32_t)s->drawn), 0)
            : is_top ? s->top
                     : draw_low(s, s->drawn);
        d->now[r] = d->before[r];
        d->order[r] = (uint32_t)r;
    }
    return hs_foreign_apply(s->f, d, 0, s->batch, err);
}

static int changed(const hs_exact *e, uint32_t a, uint32_t b)
{
    int count = 0;

    for (int i = e->dim - 1; i >= 0; i--) {
        count += a % (uint32_t)e->radix[i] != b % (uint32_t)e->radix[i];
        a /= (uint32_t)e->radix[i];
        b /= (uint32_t)e->radix[i];
    }
    return count;
}

static hiss_status probe(struct probing *s, int number, hiss_error *err)
{
    const hs_foreign_desk *d = &s->desk;
    double moved = 0.0, distance = 0.0;

    for (int k = 0; k < HISTORY; k++)
        HS_TRY(call(s, false, s->is_top[number], err));
    HS_TRY(call(s, true, false, err));
    for (int64_t r = 0; r < s->batch; r++) {
        moved += d->before[r] != d->now[r];
        distance += changed(s->f->exact, d->before[r], d->now[r]);
    }
    s->figure[MOVED][number] = moved / (double)s->batch;
    s->figure[DISTANCE][number] = distance / (double)s->batch;
    return hs_foreign_count(s->probed, d, s->batch, number, PROBES, err);
}

/* Half of the probes are of either kind, in random order. */
static void choose_order(struct probing *s)
{
    for (int k = 0; k < PROBES; k++)
        s->is_top[k] = k < PROBES / 2;
    for (int k = PROBES - 1; k > 0; k--) {
        int j = hs_below(hs_rng_word(s->f->set->seed,
                                     hs_stream(HS_STREAM_CHOICES, 0), 1, 0,
                                     HS_DRAW_EXACT, (uint32_t)k),
                         k + 1);
        bool kept = s->is_top[k];

        s->is_top[k] = s->is_top[j];
        s->is_top[j] = kept;
    }
}

/* Wilcoxon's rank sum of two samples of the same size; ties share ranks. */
static double rank_z(const struct probing *s, const double *x)
{
    double sum = 0.0, ties = 0.0, n = PROBES, half = 0.5 * n;
    double variance;

    for (int i = 0; i < PROBES; i++) {
        double below = 0.0, equal = 0.0;

        for (int j = 0; j < PROBES; j++) {
            below += x[j] < x[i];
            equal += x[j] == x[i];
        }
        ties += equal * equal - 1.0; /* summed over ties: t^3 - t */
        sum += s->is_top[i] ? below + 0.5 * (equal + 1.0) : 0.0;
    }
    variance = half * half / 12.0 * (n + 1.0 - ties / (n * (n - 1.0)));
    return variance > 0.0 ? (sum - half * (n + 1.0) / 2.0) / sqrt(variance)
                          : 0.0;
}

static double mean_of(const struct probing *s, const double *x, bool is_top)
{
    double sum = 0.0;

    for (int k = 0; k < PROBES; k++)
        sum += s->is_top[k] == is_top ? x[k] : 0.0;
    return sum / (PROBES / 2);
}

static void test(const struct probing *s, hs_memory *out)
{
    *out = (hs_memory){.p = 1.0};
    for (int k = 0; k < FIGURES; k++) {
        double z = rank_z(s, s->figure[k]);

        if (k > 0 && fabs(z) <= fabs(out->z))
            continue;
        *out = (hs_memory){
            .p = fmin(1.0, FIGURES * erfc(fabs(z) / sqrt(2.0))),
            .z = z,
            .after_top = mean_of(s, s->figure[k], true),
            .after_low = mean_of(s, s->figure[k], false),
            .is_distance = k == DISTANCE,
        };
    }
}

hiss_status hs_memory_run(hs_memory *out, hs_foreign_stage *probed,
                          int64_t batch, hiss_error *err)
{
    hs_foreign *f = probed->common;
    struct probing s = {
        .f = f, .probed = probed, .batch = f->set->replicates / 1000};
    hiss_status rc = init_low(&s, err);

    s.batch = s.batch > STATES_LEAST ? s.batch : STATES_LEAST;
    s.batch = s.batch < STATES_MOST ? s.batch : STATES_MOST;
    s.batch = s.batch < batch ? s.batch : batch;
    *out = (hs_memory){.p = 1.0};
    choose_order(&s);
    probed->steps = 1;
    probed->replicates = PROBES * s.batch;
    probed->pool = probed->width = s.batch;
    if (rc == HISS_OK)
        rc = hs_foreign_begin(probed, PROBES, err);
    if (rc == HISS_OK)
        rc =
            hs_foreign_desk_init(&s.desk, s.batch, s.batch, f->exact->dim, err);
    for (int k = 0; k < PROBES && rc == HISS_OK; k++)
        rc = probe(&s, k, err);
    if (rc == HISS_OK)
        test(&s, out);
    hs_foreign_desk_clear(&s.desk);
    hs_free(s.low);
    return rc;
}
