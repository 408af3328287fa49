/* price_fit.c - least squares without negative coefficients, by trying all
 * subsets of units: there are 31. */
#include "price_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIMPLER 1.25 /* a unit more must lessen the squares by so much */
#define ROUNDS  5
#define EXACT   1e-9 /* mean squared errors that count as none */

/* Gauss with pivots; 0 (false) if it is singular. */
static int solve(int n, double (*a)[PRICE_UNITS + 1])
{
    for (int c = 0; c < n; c++) {
        int pivot = c;

        for (int r = c + 1; r < n; r++)
            if (fabs(a[r][c]) > fabs(a[pivot][c]))
                pivot = r;
        if (fabs(a[pivot][c]) < 1e-9)
            return 0;
        for (int k = 0; k <= n; k++) {
            double swap = a[c][k];

            a[c][k] = a[pivot][k];
            a[pivot][k] = swap;
        }
        for (int r = 0; r < n; r++) {
            double factor = a[r][c] / a[c][c];

            for (int k = c; r != c && k <= n; k++)
                a[r][k] -= factor * a[c][k];
        }
    }
    for (int r = 0; r < n; r++)
        a[r][n] /= a[r][r];
    return 1;
}

/* Mean squared error of the best prices of a subset; negative: none is right.
 * Units are scaled by `scale`, so that pivots can be compared. */
static double try_subset(const price_sample *s, int count, unsigned subset,
                         const double *scale, double *price)
{
    double a[PRICE_UNITS][PRICE_UNITS + 1] = {{0}}, sum = 0.0;
    int unit[PRICE_UNITS], n = 0;

    for (int u = 0; u < PRICE_UNITS; u++)
        if (subset >> u & 1)
            unit[n++] = u;
    for (int k = 0; k < count; k++)
        for (int r = 0; r < n; r++) {
            double w = s[k].weight,
                   own = w * s[k].unit[unit[r]] * scale[unit[r]];

            for (int c = 0; c < n; c++)
                a[r][c] += own * w * s[k].unit[unit[c]] * scale[unit[c]];
            a[r][n] += own * w * s[k].cost;
        }
    if (!solve(n, a))
        return -1.0;
    memset(price, 0, PRICE_UNITS * sizeof *price);
    for (int r = 0; r < n; r++) {
        if (a[r][n] < 0.0)
            return -1.0;
        price[unit[r]] = a[r][n] * scale[unit[r]];
    }
    for (int k = 0; k < count; k++) {
        double error = -s[k].cost;

        for (int u = 0; u < PRICE_UNITS; u++)
            error += price[u] * s[k].unit[u];
        sum += error * s[k].weight * error * s[k].weight;
    }
    return sum / count;
}

static void fit_once(const price_sample *s, int count, double *price)
{
    double scale[PRICE_UNITS] = {0}, best = HUGE_VAL;

    memset(price, 0, PRICE_UNITS * sizeof *price);
    for (int u = 0; u < PRICE_UNITS; u++) {
        for (int k = 0; k < count; k++)
            scale[u] += s[k].weight * s[k].unit[u] / count;
        scale[u] = scale[u] > 0.0 ? 1.0 / scale[u] : 0.0;
    }
    for (unsigned subset = 1; subset < 1u << PRICE_UNITS; subset++) {
        double found[PRICE_UNITS], error;
        int units = __builtin_popcount(subset);

        if (units > count || (count == 1 && subset == 1))
            continue;
        error = try_subset(s, count, subset, scale, found);
        if (error < 0.0)
            continue;
        error = (error + EXACT) * pow(SIMPLER, units);
        if (error < best) {
            best = error;
            memcpy(price, found, sizeof found);
        }
    }
}

/* Relative errors count what is too dear more than what is too cheap: of 2 and
 * 1/2 the squares are 1 and 1/4.  Weighed by sqrt(measured / predicted) both
 * are equal, which is done some times in turn. */
void price_fit(const price_sample *s, int count, double *price)
{
    price_sample *own = malloc(sizeof *own * (size_t)count);

    fit_once(s, count, price);
    for (int round = 0; own && round < ROUNDS; round++) {
        for (int k = 0; k < count; k++) {
            double total = 1.0 / s[k].weight, now = total - s[k].cost;

            for (int u = 0; u < PRICE_UNITS; u++)
                now += price[u] * s[k].unit[u];
            own[k] = s[k];
            own[k].weight *= sqrt(fmin(fmax(total / now, 0.1), 10.0));
        }
        fit_once(own, count, price);
    }
    free(own);
}
