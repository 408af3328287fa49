/* afterwards.c - what saving and summing up draws will cost.
 *
 * The unit is the time in which this machine describes a value of a column,
 * which is measured.  The other costs relative to it were measured on lattices,
 * labels and mixtures of 20 to 90000 coordinates
 * (docs/measurements/speed.md). */
#include "cli/answer/afterwards.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#define CHAINS  16
#define SAMPLES 256
#define COLUMNS 1000 /* most coordinates of a summary */

#define DESCRIBE 4.0  /* units for a value of these columns, */
#define VALUE    1.0  /* for every value: memory, observables, netCDF or npz, */
#define LABEL    12.0 /* for a label more: clusters of equal labels, ranks, */
#define TEXT     3.0  /* and for a value as text or in an expression more */

static double processor_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Describes some bits; the fastest of three times. */
static double measure(void)
{
    double value[CHAINS * SAMPLES], least = 1.0;
    uint64_t word = 1;

    for (int n = 0; n < CHAINS * SAMPLES; n++) {
        word = word * 6364136223846793005u + 1442695040888963407u;
        value[n] = (double)(word >> 63);
    }
    for (int n = 0; n < 3; n++) {
        hiss_column column = HISS_INIT(hiss_column);
        double begun = processor_seconds(), took;

        hiss_describe(value, CHAINS, SAMPLES, &column, NULL);
        took = processor_seconds() - begun;
        least = took < least ? took : least;
    }
    return least / (CHAINS * SAMPLES);
}

static bool is_text(const char *path)
{
    const char *end = path ? strrchr(path, '.') : NULL;

    return path &&
           (!end || (strcmp(end, ".nc") != 0 && strcmp(end, ".npz") != 0));
}

double cli_afterwards(const hiss_model *model, const char *output,
                      const char *observable)
{
    int dim = hiss_model_dim(model);
    int columns = dim < COLUMNS ? dim : COLUMNS;
    double units = DESCRIBE * columns + VALUE * dim;

    if (hiss_model_kind(model, 0) == HISS_CATEGORICAL)
        units += LABEL * dim;
    if (is_text(output))
        units += TEXT * dim;
    if (observable)
        units += TEXT * dim;
    return units * measure();
}
