/* block.c - tables over a few coordinates, one entry per row, in all lanes.
 *
 * Entries are logarithms.  A block of coordinates is drawn by adding tables and
 * by summing a table over one coordinate (kernel/gibbs/block.h). */
#include "lanes/lanes.h"
#include "lanes/vec/vec.h"

void HS_NAME(block_add_table)(const double *table, const int32_t *offset,
                              int entries, const float *beta,
                              float (*out)[HS_LANES]);
void HS_NAME(block_add_rows)(const float (*rows)[HS_LANES],
                             const int32_t *offset, int entries,
                             float (*out)[HS_LANES]);
void HS_NAME(block_reduce)(const float (*in)[HS_LANES], int states, int groups,
                           float (*out)[HS_LANES]);

void HS_NAME(block_add_table_wide)(const double *table, const int32_t *offset,
                                   int entries, const float *beta,
                                   double (*out)[HS_LANES]);
void HS_NAME(block_add_rows_wide)(const double (*rows)[HS_LANES],
                                  const int32_t *offset, int entries,
                                  double (*out)[HS_LANES]);
void HS_NAME(block_reduce_wide)(const double (*in)[HS_LANES], int states,
                                int groups, double (*out)[HS_LANES]);

void HS_NAME(block_add_table)(const double *table, const int32_t *offset,
                              int entries, const float *beta,
                              float (*out)[HS_LANES])
{
    HS_EACH_PART(l)
    {
        vf b = vf_load(beta + l);

        for (int e = 0; e < entries; e++) {
            vf entry = vf_set((float)table[offset[e]]);

            vf_store(&out[e][l], vf_fma(b, entry, vf_load(&out[e][l])));
        }
    }
}

void HS_NAME(block_add_rows)(const float (*rows)[HS_LANES],
                             const int32_t *offset, int entries,
                             float (*out)[HS_LANES])
{
    HS_EACH_PART(l)
    {
        for (int e = 0; e < entries; e++)
            vf_store(&out[e][l],
                     vf_load(&out[e][l]) + vf_load(&rows[offset[e]][l]));
    }
}

/* ln(e^a + e^b).  If both are impossible, their difference NaN is replaced by
 * -86, which leaves -infinity. */
HS_INLINE vf log_sum_of_two(vf a, vf b)
{
    vf less = vf_min(a, b) - vf_max(a, b);

    return vf_max(a, b) + vf_log_normal(1.0f + vf_exp_negative(less));
}

/* Sums many entries in double, so that light ones count beside a heavy one. */
static vf sum_many(const float (*in)[HS_LANES], int states, int l, vf floor)
{
    vd sum = vd_of(vf_set(0.0f));

    for (int v = 0; v < states; v++)
        sum = vd_add(sum, vd_of(vf_exp(vf_load(&in[v][l]) - floor)));
    return vf_of_vd(sum);
}

HS_INLINE vf log_sum(const float (*in)[HS_LANES], int states, int l)
{
    vf most = vf_load(&in[0][l]), sum = vf_set(0.0f), floor;

    for (int v = 1; v < states; v++)
        most = vf_max(most, vf_load(&in[v][l]));
    floor = vf_max(most, vf_set(-3.0e38f));
    if (states > HS_FEW)
        sum = sum_many(in, states, l, floor);
    else
        for (int v = 0; v < states; v++)
            sum = sum + vf_exp(vf_load(&in[v][l]) - floor);
    return most + vf_log_normal(vf_max(sum, vf_set(1.0f)));
}

/* Works relative to the largest entry, which keeps the significant digits. */
void HS_NAME(block_reduce)(const float (*in)[HS_LANES], int states, int groups,
                           float (*out)[HS_LANES])
{
    HS_EACH_PART(l)
    {
        vf most = vf_set(-3.0e38f);

        for (int g = 0; g < groups; g++) {
            const float(*from)[HS_LANES] = in + (int64_t)g * states;
            vf sum = states == 2 ? log_sum_of_two(vf_load(&from[0][l]),
                                                  vf_load(&from[1][l]))
                                 : log_sum(from, states, l);

            vf_store(&out[g][l], sum);
            most = vf_max(most, sum);
        }
        for (int g = 0; g < groups; g++)
            vf_store(&out[g][l], vf_load(&out[g][l]) - most);
    }
}

void HS_NAME(block_add_table_wide)(const double *table, const int32_t *offset,
                                   int entries, const float *beta,
                                   double (*out)[HS_LANES])
{
    HS_EACH_PART(l)
    {
        vd b = vd_of(vf_load(beta + l));

        for (int e = 0; e < entries; e++)
            vd_store(&out[e][l], vd_add(vd_load(&out[e][l]),
                                        vd_scale(b, table[offset[e]])));
    }
}

void HS_NAME(block_add_rows_wide)(const double (*rows)[HS_LANES],
                                  const int32_t *offset, int entries,
                                  double (*out)[HS_LANES])
{
    HS_EACH_PART(l)
    {
        for (int e = 0; e < entries; e++)
            vd_store(&out[e][l],
                     vd_add(vd_load(&out[e][l]), vd_load(&rows[offset[e]][l])));
    }
}

/* Entries too small for a float beside the largest count as 0. */
HS_INLINE vd log_sum_wide(const double (*in)[HS_LANES], int states, int l)
{
    vd most = vd_load(&in[0][l]), floor;
    vf sum = vf_set(0.0f);

    for (int v = 1; v < states; v++)
        most = vd_max(most, vd_load(&in[v][l]));
    floor = vd_max(most, vd_set(-1e300));
    for (int v = 0; v < states; v++)
        sum = sum + vf_exp(vf_round(vd_sub(vd_load(&in[v][l]), floor)));
    return vd_add(most, vd_of(vf_log_normal(vf_max(sum, vf_set(1.0f)))));
}

void HS_NAME(block_reduce_wide)(const double (*in)[HS_LANES], int states,
                                int groups, double (*out)[HS_LANES])
{
    HS_EACH_PART(l)
    {
        vd most = vd_set(-1e300);

        for (int g = 0; g < groups; g++) {
            vd sum = log_sum_wide(in + (int64_t)g * states, states, l);

            vd_store(&out[g][l], sum);
            most = vd_max(most, sum);
        }
        for (int g = 0; g < groups; g++)
            vd_store(&out[g][l], vd_sub(vd_load(&out[g][l]), most));
    }
}
