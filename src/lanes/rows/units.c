/* units.c - layers of units that are on or off.
 *
 * A product with 0 or 1 is exact, so w x + sum has the bits of a fused
 * multiply-add, which is used if available.  Sums run over the inputs in order.
 * So the bits are the same under every instruction set and, unlike those of a
 * BLAS, on every machine.  BLOCK rows at a time stay in registers: each product
 * loads one input and one weight. */
#include "lanes/lanes.h"
#include "lanes/vec/vec.h"

void HS_NAME(units_sum)(int rows, int inner, const float *w, const float *bias,
                        const float (*x)[HS_LANES], float (*out)[HS_LANES]);
void HS_NAME(units_sum_transposed)(int rows, int inner, const float *w,
                                   const float *bias,
                                   const float (*x)[HS_LANES],
                                   float (*out)[HS_LANES]);
void HS_NAME(units_draw)(int units, const float (*odds)[HS_LANES],
                         const uint32_t (*words)[HS_LANES],
                         float (*on)[HS_LANES]);
void HS_NAME(units_energy)(int units, const float (*a)[HS_LANES], double *sum);

#define BLOCK  (HS_WIDTH == 16 ? 16 : 8)
#define INPUTS 32
#define FACTOR 16 /* most units whose factors 1 + e^-|a| <= 2 are multiplied */

HS_INLINE vf plus_product(vf sum, float w, vf x)
{
#ifdef __FMA__
    return vf_fma(vf_set(w), x, sum);
#else
    return vf_set(w) * x + sum;
#endif
}

/* Adds inputs from to upto of rows first to first + count.  The sums begin with
 * the bias or with the values in out.  The weight of row r and input k is w[r *
 * row + k * input]. */
HS_INLINE void sum_part(int first, int count, int from, int upto,
                        const float *w, size_t row, size_t input,
                        const float *bias, const float (*x)[HS_LANES],
                        float (*out)[HS_LANES])
{
    w += (size_t)first * row;
    HS_EACH_PART(l)
    {
        vf sum[BLOCK];

        for (int r = 0; r < count; r++)
            sum[r] =
                from ? vf_load(out[first + r] + l) : vf_set(bias[first + r]);
        for (int k = from; k < upto; k++) {
            const float *here = w + (size_t)k * input;
            vf at = vf_load(x[k] + l);

            for (int r = 0; r < count; r++)
                sum[r] = plus_product(sum[r], here[(size_t)r * row], at);
        }
        for (int r = 0; r < count; r++)
            vf_store(out[first + r] + l, sum[r]);
    }
}

/* Rows are apart in memory: with more than 8 there are not enough registers for
 * their addresses. */
void HS_NAME(units_sum)(int rows, int inner, const float *w, const float *bias,
                        const float (*x)[HS_LANES], float (*out)[HS_LANES])
{
    size_t row = (size_t)inner;
    int r = 0;

    for (; r + 8 <= rows; r += 8)
        sum_part(r, 8, 0, inner, w, row, 1, bias, x, out);
    for (; r < rows; r++)
        sum_part(r, 1, 0, inner, w, row, 1, bias, x, out);
}

/* Handles INPUTS inputs at a time; their weights are adjacent and stay in the
 * cache. */
void HS_NAME(units_sum_transposed)(int rows, int inner, const float *w,
                                   const float *bias,
                                   const float (*x)[HS_LANES],
                                   float (*out)[HS_LANES])
{
    size_t input = (size_t)rows;

    for (int from = 0; from < inner || from == 0; from += INPUTS) {
        int upto = from + INPUTS < inner ? from + INPUTS : inner, r = 0;

        for (; r + BLOCK <= rows; r += BLOCK)
            sum_part(r, BLOCK, from, upto, w, 1, input, bias, x, out);
        for (; r < rows; r++)
            sum_part(r, 1, from, upto, w, 1, input, bias, x, out);
    }
}

/* The rarer of the two states has probability e / (1 + e), e = e^-|odds|,
 * precise to the last digit, and a uniform below it selects that state.  The
 * uniform is inverted if the unit is likely on, so that the unit is on for u <
 * sigma(odds). */
void HS_NAME(units_draw)(int units, const float (*odds)[HS_LANES],
                         const uint32_t (*words)[HS_LANES],
                         float (*on)[HS_LANES])
{
    vf one = vf_set(1.0f), zero = vf_set(0.0f);

    for (int j = 0; j < units; j++)
        HS_EACH_PART(l)
        {
            vf a = vf_load(odds[j] + l), e = vf_exp(-vf_abs(a));
            vm is_up = vf_less(zero, a);
            vi word, turned;
            vf rare, usual;

            memcpy(&word, words[j] + l, sizeof word);
            turned = vi_select(is_up, ~word, word);
            usual = vf_select(is_up, one, zero);
            rare = one - usual;
            vf_store(on[j] + l,
                     vf_select(vf_less(vf_uniform((vu)turned), e / (one + e)),
                               rare, usual));
        }
}

/* ln(1 + e^a) = max(a, 0) + ln(1 + e^-|a|); FACTOR factors share one
 * logarithm. */
void HS_NAME(units_energy)(int units, const float (*a)[HS_LANES], double *sum)
{
    for (int first = 0; first < units; first += FACTOR) {
        int last = first + FACTOR < units ? first + FACTOR : units;

        HS_EACH_PART(l)
        {
            vf product = vf_set(1.0f);

            for (int j = first; j < last; j++) {
                vf at = vf_load(a[j] + l);

                product = product * (vf_set(1.0f) + vf_exp(-vf_abs(at)));
                vd_accumulate(sum + l, vf_max(at, vf_set(0.0f)));
            }
            vd_accumulate(sum + l, vf_log(product));
        }
    }
}
