/* softmax.c - one draw from many logits per lane, with sums in double.
 *
 * The draw and the total add in the same order, so a row of probability 0 is
 * never drawn. */
#include "lanes/vec/softmax.h"

#include "lanes/lanes.h"

void HS_NAME(softmax_sum)(const float (*logits)[HS_LANES], int rows, float *max,
                          double *sum);
void HS_NAME(softmax_pick)(const float (*logits)[HS_LANES], int rows,
                           const float *max, const double *sum, const double *u,
                           int32_t *row, float *logit);
void HS_NAME(softmax_weights)(const float (*logits)[HS_LANES], int rows,
                              const float *max, float (*weight)[HS_LANES],
                              double *sum);

void HS_NAME(softmax_sum)(const float (*logits)[HS_LANES], int rows, float *max,
                          double *sum)
{
    HS_EACH_PART(l)
    {
        vf m = vf_load(&logits[0][l]);
        vd total = vd_of(vf_set(0.0f));

        for (int r = 1; r < rows; r++)
            m = vf_max(m, vf_load(&logits[r][l]));
        /* if nothing is possible: e^(-inf - 0) = 0, a total of 0 */
        m = vf_max(m, vf_set(-3.0e38f));
        for (int r = 0; r < rows; r++)
            total = vd_add(total, vd_of(vf_exp(vf_load(&logits[r][l]) - m)));
        vf_store(max + l, m);
        vd_store(sum + l, total);
    }
}

void HS_NAME(softmax_weights)(const float (*logits)[HS_LANES], int rows,
                              const float *max, float (*weight)[HS_LANES],
                              double *sum)
{
    HS_EACH_PART(l)
    {
        vf m = vf_load(max + l);
        vd total = vd_of(vf_set(0.0f));

        for (int r = 0; r < rows; r++) {
            vf w = vf_exp(vf_load(&logits[r][l]) - m);

            vf_store(&weight[r][l], w);
            total = vd_add(total, vd_of(w));
        }
        vd_store(sum + l, total);
    }
}

/* One lane after the other, because the scan stops at the drawn row. */
void HS_NAME(softmax_pick)(const float (*logits)[HS_LANES], int rows,
                           const float *max, const double *sum, const double *u,
                           int32_t *row, float *logit)
{
    double target[HS_LANES];

    for (int l = 0; l < HS_LANES; l++) {
        target[l] = u[l] * sum[l];
        row[l] = 0;
    }
    HS_EACH_PART(l)
    {
        vf m = vf_load(max + l);
        vd total = vd_of(vf_set(0.0f)), goal = vd_load(target + l);
        vi index = vi_set(0);

        for (int r = 0; r < rows - 1; r++) {
            double running[HS_WIDTH], wanted[HS_WIDTH];

            total = vd_add(total, vd_of(vf_exp(vf_load(&logits[r][l]) - m)));
            vd_store(running, total);
            vd_store(wanted, goal);
            for (int j = 0; j < HS_WIDTH; j++)
                index[j] += running[j] <= wanted[j];
        }
        memcpy(row + l, &index, sizeof index);
    }
    for (int l = 0; l < HS_LANES; l++)
        logit[l] = logits[row[l]][l];
}
