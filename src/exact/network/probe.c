/* probe.c - heat baths on tables, for sixteen chains side by side. */
#include "exact/network/probe.h"

#include <string.h>

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
    int64_t *start, *factor;   /* owned: the factors of each coordinate */
    double (*value)[HS_LANES]; /* owned, [most states] */
    hs_index_row *x;           /* borrowed */
};

/* Writes, for each lane, the index in the table of factor k where coordinate i
 * has its first value and the others their own; returns the stride of i. */
static int64_t find_entries(const struct baths *b, int64_t k, int i,
                            int64_t *entry)
{
    const hs_factors *f = b->f;
    int64_t stride = 1, apart = 1;

    for (int l = 0; l < HS_LANES; l++)
        entry[l] = f->table_at[k];
    for (int64_t s = f->scope_at[k + 1]; s-- > f->scope_at[k];) {
        int own = f->scope[s];

        if (own == i)
            apart = stride;
        else
            for (int l = 0; l < HS_LANES; l++)
                entry[l] += stride * b->x[own][l];
        stride *= f->states[own];
    }
    return apart;
}

/* Computes the log weights of the values of coordinate i, relative to the
 * largest. */
static void weigh(const struct baths *b, int i, const double *beta)
{
    const hs_factors *f = b->f;
    int states = f->states[i];
    int64_t entry[HS_LANES];

    memset(b->value, 0, (size_t)states * sizeof *b->value);
    for (int64_t n = b->start[i]; n < b->start[i + 1]; n++) {
        int64_t apart = find_entries(b, b->factor[n], i, entry);

        for (int v = 0; v < states; v++)
            for (int l = 0; l < HS_LANES; l++) {
                double log_p = f->table[entry[l] + v * apart];

                b->value[v][l] += beta[l] * (log_p > FORBID ? log_p : FORBID);
            }
    }
    for (int l = 0; l < HS_LANES; l++) {
        double most = b->value[0][l];

        for (int v = 1; v < states; v++)
            most = b->value[v][l] > most ? b->value[v][l] : most;
        for (int v = 0; v < states; v++)
            b->value[v][l] -= most;
    }
}

/* Turns log weights into weights.  Two values need one exponential, because the
 * larger one has weight 1. */
static void exponentiate(double (*value)[HS_LANES], int states)
{
    double smaller[HS_LANES];

    for (int v = 0; v < states && states != 2; v++)
        hs_exponentials(value[v], value[v]);
    if (states != 2)
        return;
    for (int l = 0; l < HS_LANES; l++)
        smaller[l] = value[0][l] + value[1][l]; /* one of them is 0 */
    hs_exponentials(smaller, smaller);
    for (int l = 0; l < HS_LANES; l++)
        for (int v = 0; v < 2; v++)
            value[v][l] = value[v][l] < 0.0 ? smaller[l] : 1.0;
}

static void draw(const struct baths *b, int i, const double *beta,
                 const uint32_t *word)
{
    int states = b->f->states[i];

    weigh(b, i, beta);
    exponentiate(b->value, states);
    for (int l = 0; l < HS_LANES; l++) {
        double sum = 0.0, u = word[l] * 0x1p-32;
        int at = 0;

        for (int v = 0; v < states; v++)
            sum += b->value[v][l];
        for (u *= sum; at + 1 < states && u >= b->value[at][l]; at++)
            u -= b->value[at][l];
        b->x[i][l] = (int16_t)at;
    }
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
    uint32_t word[4][HS_LANES];
    double beta[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        beta[l] = l >= FIRST_ONES ? 1.0 : heated;
    for (int i = 0; i < b->f->dim; i++) {
        for (int l = 0; l < HS_LANES && i % 4 == 0; l++) {
            uint32_t four[4];

            hs_rng_block(0, HS_PILOT_CHAIN + (uint32_t)l, 0, clock,
                         HS_DRAW_PROBE, (uint32_t)i / 4, four);
            for (int k = 0; k < 4; k++)
                word[k][l] = four[k];
        }
        if (b->f->states[i] > 1)
            draw(b, i, beta, word[i % 4]);
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
