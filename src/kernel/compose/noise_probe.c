/* noise_probe.c - scales and sizes of blocks that tune=jump tries. */
#include "kernel/compose/noise_probe.h"

#include <math.h>

/* Scales: LOW 2^(n/2), in units of the gap of values. */
#define TRIED 10
#define LOW   0.1
#define STEP  0.34657359027997264 /* ln 2 / 2 */

/* Coordinates noised that block=auto tries, up to HS_BLOCKS_RANKED; 0: all. */
static const int SIZES[] = {0, 4, 16};
#define SIZES_TRIED ((int)(sizeof SIZES / sizeof *SIZES))

int hs_probe_count(bool has_sizes)
{
    return has_sizes ? TRIED * SIZES_TRIED : TRIED;
}

double hs_probe_least(void)
{
    return log(LOW);
}

double hs_probe_scale(int probe)
{
    return STEP * (probe % TRIED);
}

double hs_probe_size(int probe, int dim)
{
    int size = SIZES[probe / TRIED];

    return size == 0 || size > dim ? dim : size;
}

void hs_probe_note(double (*sum)[HS_LANES], double *count, int probes,
                   const float *acceptance, const float *far)
{
    for (int l = 0; l < HS_LANES; l++) {
        int n = (int)fmod(count[l], probes);
        double round = floor(count[l] / probes) + 1.0;

        sum[n][l] +=
            round * round * round * (double)acceptance[l] * (double)far[l];
        count[l] += 1.0;
    }
}

int hs_probe_best(const double (*sum)[HS_LANES], int probes, int lane)
{
    int best = 0;

    for (int n = 1; n < probes; n++)
        if (sum[n][lane] > sum[best][lane])
            best = n;
    return best;
}
