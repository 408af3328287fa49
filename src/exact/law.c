/* law.c - an enumerated distribution at any temperature, and exact draws. */
#include "exact/law.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/random/rng.h"

#define NEVER 100.0 /* e^-100: such a state is never drawn in practice */

/* ln of a weight, up to a constant. */
static double exponent(const hs_exact *e, int64_t n, double beta,
                       const double *own)
{
    if (e->u[n] == -HUGE_VAL)
        return -HUGE_VAL;
    return beta * (e->u[n] - e->max_u) + (own ? own[n] : 0.0);
}

static double weight(double exponent, double top)
{
    return exponent - top > -NEVER || exponent == top ? exp(exponent - top)
                                                      : 0.0;
}

hiss_status hs_law_init(hs_law *law, const hs_exact *e, double beta,
                        hiss_error *err)
{
    return hs_law_init_weighed(law, e, beta, NULL, err);
}

hiss_status hs_law_init_weighed(hs_law *law, const hs_exact *e, double beta,
                                const double *own, hiss_error *err)
{
    double sum = 0.0, upto = 0.0, top = -HUGE_VAL;

    *law = (hs_law){.states = e->states};
    law->p = hs_alloc_array((size_t)e->states, sizeof *law->p);
    law->upto = hs_alloc_array((size_t)e->states, sizeof *law->upto);
    if (!law->p || !law->upto) {
        hs_law_clear(law);
        return hs_fail_memory(err);
    }
    for (int64_t n = 0; n < e->states; n++)
        top = fmax(top, exponent(e, n, beta, own));
    for (int64_t n = 0; n < e->states; n++)
        sum += weight(exponent(e, n, beta, own), top);
    for (int64_t n = 0; n < e->states; n++) {
        law->p[n] = weight(exponent(e, n, beta, own), top) / sum;
        upto += law->p[n];
        law->upto[n] = upto;
    }
    return HISS_OK;
}

void hs_law_clear(hs_law *law)
{
    hs_free(law->p);
    hs_free(law->upto);
    *law = (hs_law){0};
}

int64_t hs_law_possible(const hs_law *law)
{
    int64_t count = 0;

    for (int64_t n = 0; n < law->states; n++)
        count += law->p[n] > 0.0;
    return count;
}

/* The first n with upto[n] > target has positive probability, because an
 * impossible state does not raise the sum.  The target is below the last
 * sum. */
int64_t hs_law_draw(const hs_law *law, uint64_t seed, uint32_t chain,
                    uint32_t replica)
{
    int64_t low = 0, high = law->states - 1;
    uint32_t word[4];
    double target;

    hs_rng_block(seed, chain, replica, 0, HS_DRAW_EXACT, 0, word);
    target = hs_uniform_long(word[0], word[1]) * law->upto[high];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;

        if (law->upto[middle] > target)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
