/* hidden.c - hidden units of a Boltzmann machine beside one visible unit.
 *
 * A unit is on with p = sigma(a) and off with q = 1 - p, both precise to the
 * last digit, and softplus(a + w) - softplus(a) = ln(q + p e^w). The factors of
 * up to BLOCK units share one logarithm: their product has an error of at most
 * 1e-6, and is at most e^BOUND if their |w| add up to less than BOUND. Blocks
 * with larger weights are handled unit by unit. */
#include "lanes/lanes.h"
#include "lanes/vec/vec.h"

void HS_NAME(hidden_odds)(int units, const float (*a)[HS_LANES],
                          float (*on)[HS_LANES], float (*off)[HS_LANES]);
void HS_NAME(hidden_move)(int units, const float *w, const float *step,
                          float (*a)[HS_LANES], float (*on)[HS_LANES],
                          float (*off)[HS_LANES]);
void HS_NAME(hidden_change)(int units, const float *w, const int16_t *x,
                            const float (*a)[HS_LANES],
                            const float (*on)[HS_LANES],
                            const float (*off)[HS_LANES], double *sum);

#define BLOCK 16
#define BOUND 80.0f

/* With e = exp(-|a|): divides 1 or e by 1 + e. */
HS_INLINE void odds(vf a, float *on, float *off)
{
    vf one = vf_set(1.0f), e = vf_exp(-vf_abs(a)), all = one + e;
    vm is_up = vf_less(vf_set(0.0f), a);

    vf_store(on, vf_select(is_up, one, e) / all);
    vf_store(off, vf_select(is_up, e, one) / all);
}

void HS_NAME(hidden_odds)(int units, const float (*a)[HS_LANES],
                          float (*on)[HS_LANES], float (*off)[HS_LANES])
{
    for (int j = 0; j < units; j++)
        HS_EACH_PART(l)
    odds(vf_load(a[j] + l), on[j] + l, off[j] + l);
}

void HS_NAME(hidden_move)(int units, const float *w, const float *step,
                          float (*a)[HS_LANES], float (*on)[HS_LANES],
                          float (*off)[HS_LANES])
{
    for (int j = 0; j < units; j++)
        HS_EACH_PART(l)
        {
            vf moved = vf_load(a[j] + l) + vf_set(w[j]) * vf_load(step + l);

            vf_store(a[j] + l, moved);
            odds(moved, on[j] + l, off[j] + l);
        }
}

HS_INLINE vf softplus(vf a)
{
    vf zero = vf_set(0.0f), e = vf_exp(-vf_abs(a));

    return vf_log(vf_set(1.0f) + e) + vf_max(a, zero);
}

static void unit_by_unit(int count, const float *w, const int16_t *x,
                         const float (*a)[HS_LANES], double *sum)
{
    for (int j = 0; j < count; j++)
        HS_EACH_PART(l)
        {
            vf here = vf_load(a[j] + l), step = vf_set(w[j]);
            vm is_one = vf_less(vf_set(0.0f), vf_of(vi_load_index(x + l)));

            step = vf_select(is_one, -step, step);
            vd_accumulate(sum + l, softplus(here + step) - softplus(here));
        }
}

static void by_product(int count, const float *w, const int16_t *x,
                       const float (*on)[HS_LANES],
                       const float (*off)[HS_LANES], double *sum)
{
    float padded[BLOCK] = {0}, up[BLOCK], down[BLOCK];

    for (int j = 0; j < count; j++)
        padded[j] = w[j];
    HS_EACH_PART(l)
    {
        vf_store(up + l, vf_exp(vf_load(padded + l)));
        vf_store(down + l, vf_exp(-vf_load(padded + l)));
    }
    HS_EACH_PART(l)
    {
        vm is_one = vf_less(vf_set(0.0f), vf_of(vi_load_index(x + l)));
        vf product = vf_set(1.0f);

        for (int j = 0; j < count; j++) {
            vf factor = vf_select(is_one, vf_set(down[j]), vf_set(up[j]));

            product =
                product * (vf_load(off[j] + l) + vf_load(on[j] + l) * factor);
        }
        vd_accumulate(sum + l, vf_log(product));
    }
}

void HS_NAME(hidden_change)(int units, const float *w, const int16_t *x,
                            const float (*a)[HS_LANES],
                            const float (*on)[HS_LANES],
                            const float (*off)[HS_LANES], double *sum)
{
    for (int j = 0; j < units; j += BLOCK) {
        int count = units - j < BLOCK ? units - j : BLOCK;
        float size = 0.0f;

        for (int k = j; k < j + count; k++)
            size += w[k] < 0.0f ? -w[k] : w[k];
        if (size < BOUND)
            by_product(count, w + j, x, on + j, off + j, sum);
        else
            unit_by_unit(count, w + j, x, a + j, sum);
    }
}
