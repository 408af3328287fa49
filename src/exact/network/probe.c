/* probe.c - heat baths on tables, for sixteen chains side by side. */
#include "exact/network/probe.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/exponential.h"
#include "base/random/rng.h"

#define HEATED 24 /* sweeps before the target's temperature */
enum {
    FIRST_ONES = HS_LANES - 2
};

/* log p of an impossible entry, so that chains can pass it */
#define FORBID (-60.0)

struct baths {
    const hs_factors *f;
    int64_t *start, *factor; /* owned: the factors of each coordinate */
    double *value;           /* owned, [most states] */
    hs_index_row *x;         /* borrowed */
};

/* Computes the log weights of the values of coordinate i in a lane, given the
 * others; returns the largest. */
static double weigh(const struct baths *b, int i, int lane, double beta)
{
    const hs_factors *f = b->f;
    double most = -HUGE_VAL;

    for (int v = 0; v < f->states[i]; v++)
        b->value[v] = 0.0;
    for (int64_t n = b->start[i]; n < b->start[i + 1]; n++) {
        int64_t k = b->factor[n], entry = 0, stride = 1;

        for (int64_t s = f->scope_at[k + 1]; s-- > f->scope_at[k];) {
            int own = f->scope[s];

            if (own != i)
                entry += stride * b->x[own][lane];
            stride *= f->states[own];
        }
        stride = 1;
        for (int64_t s = f->scope_at[k + 1] - 1; f->scope[s] != i; s--)
            stride *= f->states[f->scope[s]];
        for (int v = 0; v < f->states[i]; v++)
            b->value[v] +=
                beta *
                fmax(FORBID, f->table[f->table_at[k] + entry + v * stride]);
    }
    for (int v = 0; v < f->states[i]; v++)
        most = fmax(most, b->value[v]);
    return most;
}

static void draw(const struct baths *b, int i, int lane, double beta, double u)
{
    int states = b->f->states[i], v = 0;
    double most = weigh(b, i, lane, beta), sum = 0.0;

    for (int s = 0; s < states; s++) {
        b->value[s] = hs_exponential(b->value[s] - most);
        sum += b->value[s];
    }
    for (u *= sum; v + 1 < states && u >= b->value[v]; v++)
        u -= b->value[v];
    b->x[i][lane] = (int16_t)v;
}

/* Two lanes begin with all coordinates at their first or last value and are
 * never hot, because ordered models hardly reach these states from random
 * ones. */
static void begin(const struct baths *b)
{
    for (int i = 0; i < b->f->dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            b->x[i][l] = l == FIRST_ONES ? 0 : (int16_t)(b->f->states[i] - 1);
}

/* beta 0 gives random states. */
static void sweep(const struct baths *b, uint64_t clock, double heated)
{
    uint32_t word[4] = {0};

    for (int l = 0; l < HS_LANES; l++) {
        double beta = l >= FIRST_ONES ? 1.0 : heated;

        for (int i = 0; i < b->f->dim; i++) {
            if (i % 4 == 0)
                hs_rng_block(0, HS_PILOT_CHAIN + (uint32_t)l, 0, clock,
                             HS_DRAW_PROBE, (uint32_t)i / 4, word);
            if (b->f->states[i] > 1)
                draw(b, i, l, beta, word[i % 4] * 0x1p-32);
        }
    }
}

hiss_status hs_probe_states(hs_index_row *x, const hs_factors *f,
                            const hs_poll *poll, hiss_error *err)
{
    struct baths b = {.f = f, .x = x};
    int most = 1;
    hiss_status rc = HISS_OK;

    for (int i = 0; i < f->dim; i++)
        most = f->states[i] > most ? f->states[i] : most;
    b.value = hs_alloc_array((size_t)most, sizeof *b.value);
    if (!b.value || hs_factors_index(f, &b.start, &b.factor, NULL) != HISS_OK)
        rc = hs_fail_memory(err);
    if (rc == HISS_OK)
        begin(&b);
    for (int n = 0; rc == HISS_OK && n < HS_PROBE_SWEEPS; n++) {
        sweep(&b, (uint64_t)n, n < HEATED ? (double)n / HEATED : 1.0);
        if (hs_poll_stops(poll))
            rc = hs_fail(err, HISS_ESTOP, "stopped on request");
    }
    hs_free(b.start);
    hs_free(b.factor);
    hs_free(b.value);
    return rc;
}
