/* site.c - one coordinate in all lanes: heat bath and Metropolis. */
#include "lanes/lanes.h"
#include "lanes/vec/softmax.h"
#include "lanes/vec/vec.h"

void HS_NAME(draw_value)(const float (*logits)[HS_LANES], int states,
                         const uint32_t *k, const uint32_t *more,
                         float (*scratch)[HS_LANES], int16_t *to);
void HS_NAME(metropolis_value)(const float (*logits)[HS_LANES], int states,
                               const int16_t *x, const uint32_t *k,
                               const uint32_t *a,
                               const uint32_t (*more)[HS_LANES], float most,
                               int16_t *to);

HS_INLINE vf uniform_at(const uint32_t *words, int l)
{
    vu w;

    memcpy(&w, words + l, sizeof w);
    return vf_uniform(w);
}

static __attribute__((noinline)) void draw_many(const float (*logits)[HS_LANES],
                                                int states, const uint32_t *k,
                                                const uint32_t *more,
                                                float (*scratch)[HS_LANES],
                                                int16_t *to)
{
    HS_EACH_PART(l)
    vi_store_index(to + l,
                   softmax_many(logits, states, l, scratch, k + l, more + l));
}

void HS_NAME(draw_value)(const float (*logits)[HS_LANES], int states,
                         const uint32_t *k, const uint32_t *more,
                         float (*scratch)[HS_LANES], int16_t *to)
{
    if (states > HS_FEW) {
        draw_many(logits, states, k, more, scratch, to);
        return;
    }
    HS_EACH_PART(l)
    {
        vf max;
        vf sum = softmax_partial(logits, states, l, scratch, &max);

        vi_store_index(to + l, softmax_index((const float(*)[HS_LANES])scratch,
                                             states, l, sum, uniform_at(k, l)));
    }
}

/* For many values: draws each of the others with equal probability to 2^-49,
 * and u with all digits of a float, however small. */
static __attribute__((noinline)) void metropolis_many(
    const float (*logits)[HS_LANES], int states, const int16_t *x,
    const uint32_t *k, const uint32_t *a, const uint32_t (*more)[HS_LANES],
    float most, int16_t *to)
{
    float u[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        u[l] = (float)hs_uniform_tiny(a[l], more[1][l]) / most;
    HS_EACH_PART(l)
    vf_store(u + l, vf_log(vf_load(u + l)));
    for (int l = 0; l < HS_LANES; l++) {
        int there = (int)(hs_uniform_long(k[l], more[0][l]) * (states - 1));
        float gain;

        there += there >= x[l];
        gain = logits[there][l] - logits[x[l]][l];
        gain = most < 1.0f && gain > 0.0f ? 0.0f : gain;
        to[l] = u[l] < gain ? (int16_t)there : x[l];
    }
}

void HS_NAME(metropolis_value)(const float (*logits)[HS_LANES], int states,
                               const int16_t *x, const uint32_t *k,
                               const uint32_t *a,
                               const uint32_t (*more)[HS_LANES], float most,
                               int16_t *to)
{
    if (states > HS_FEW) {
        metropolis_many(logits, states, x, k, a, more, most, to);
        return;
    }
    HS_EACH_PART(l)
    {
        vi from = vi_load_index(x + l), there;
        vf here = vf_set(0.0f), would = here;
        vf log_u = vf_log(uniform_at(a, l) / most), gain;

        if (states == 1) { /* there is no other value */
            vi_store_index(to + l, from);
            continue;
        }
        /* one of the other states - 1 values, by skipping the present one */
        there =
            __builtin_convertvector(uniform_at(k, l) * (float)(states - 1), vi);
        there = vi_select(vi_less(there, vi_set(states - 1)), there,
                          vi_set(states - 2));
        there = there + vi_of(vm_not(vi_less(there, from)));
        for (int v = 0; v < states; v++) {
            vf logit = vf_load(&logits[v][l]);

            here = vf_select(vi_equal(from, vi_set(v)), logit, here);
            would = vf_select(vi_equal(there, vi_set(v)), logit, would);
        }
        gain = would - here;
        if (most < 1.0f)
            gain = vf_select(vf_less(gain, vf_set(0.0f)), gain, vf_set(0.0f));
        vi_store_index(to + l, vi_select(vf_less(log_u, gain), there, from));
    }
}
