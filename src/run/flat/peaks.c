/* peaks.c - whether numbers have two peaks that are far apart.
 *
 * The sorted numbers are divided where the sum of squares within both parts is
 * least [Otsu 1979].  Halves of a normal distribution have means 2.6 of their
 * standard deviations apart, those of a uniform one 3.5. */
#include "run/flat/peaks.h"

#include <math.h>
#include <stdlib.h>

#include "run/policy/policy.h"

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static int keep_finite(double *u, int count)
{
    int kept = 0;

    for (int n = 0; n < count; n++)
        if (isfinite(u[n]))
            u[kept++] = u[n];
    return kept;
}

struct part {
    double sum, square;
    int count;
};

static double mean_of(const struct part *p)
{
    return p->sum / p->count;
}

/* Sum of squares about the mean. */
static double within(const struct part *p)
{
    return fmax(p->square - p->sum * p->sum / p->count, 0.0);
}

static void move(struct part *from, struct part *to, double x)
{
    from->sum -= x;
    from->square -= x * x;
    from->count--;
    to->sum += x;
    to->square += x * x;
    to->count++;
}

bool hs_has_two_peaks(double *u, int count)
{
    struct part low = {0}, high = {0};
    double least = HUGE_VAL, apart = 0.0, origin;
    int few;

    count = keep_finite(u, count);
    few = (int)ceil((2.0 * hs_policy(HS_NEGLIGIBLE)) * count);
    few = few < 2 ? 2 : few;
    if (count < 2 * few)
        return false;
    qsort(u, (size_t)count, sizeof *u, by_size);
    origin = u[count / 2]; /* keeps digits */
    for (int n = 0; n < count; n++)
        move(&(struct part){0}, &high, u[n] - origin);
    for (int n = 0; n < count - few; n++) {
        double both;

        move(&high, &low, u[n] - origin);
        if (low.count < few)
            continue;
        both = within(&low) + within(&high);
        if (both < least) {
            least = both;
            apart = mean_of(&high) - mean_of(&low);
        }
    }
    return apart > hs_policy(HS_FLATTEN_APART) * sqrt(least / count);
}
