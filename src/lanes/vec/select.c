/* select.c - accepts proposals by a masked select. */
#include "lanes/lanes.h"
#include "lanes/vec/bytes.h"
#include "lanes/vec/vec.h"

void HS_NAME(count_index)(const float *weight, int rows,
                          const int16_t (*x)[HS_LANES], hs_byte_row *count);

void HS_NAME(select_index)(const int32_t *accept, int rows,
                           const int16_t (*y)[HS_LANES],
                           int16_t (*x)[HS_LANES]);
void HS_NAME(select_float)(const int32_t *accept, int rows,
                           const float (*y)[HS_LANES], float (*x)[HS_LANES]);

void HS_NAME(select_index)(const int32_t *accept, int rows,
                           const int16_t (*y)[HS_LANES], int16_t (*x)[HS_LANES])
{
    int16_t mask[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        mask[l] = accept[l] ? -1 : 0;
    for (int i = 0; i < rows; i++)
        for (int l = 0; l < HS_LANES; l++)
            x[i][l] = (int16_t)((y[i][l] & mask[l]) | (x[i][l] & ~mask[l]));
}

void HS_NAME(select_float)(const int32_t *accept, int rows,
                           const float (*y)[HS_LANES], float (*x)[HS_LANES])
{
    HS_EACH_PART(l)
    {
        vi taken;
        vm mask;

        memcpy(&taken, accept + l, sizeof taken);
        mask = vm_of(taken);
        for (int i = 0; i < rows; i++)
            vf_store(&x[i][l],
                     vf_select(mask, vf_load(&y[i][l]), vf_load(&x[i][l])));
    }
}

void HS_NAME(count_index)(const float *weight, int rows,
                          const int16_t (*x)[HS_LANES], hs_byte_row *count)
{
    vbyte mask;

    for (int l = 0; l < HS_LANES; l++)
        mask[l] = weight[l] != 0.0f ? 0xff : 0;
    for (int r = 0; r < rows; r++)
        vbyte_store(count[r],
                    vbyte_load(count[r]) + (vbyte_narrow(x[r]) & mask));
}
