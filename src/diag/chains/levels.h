/* levels.h - the distinct values of a column, sorted and counted.
 *
 * They give ranks, order statistics and quantiles. Draws of discrete
 * coordinates have few distinct values, so a column of n draws costs O(n). A
 * column with many values (the energy) is sorted. */
#ifndef HS_DIAG_CHAINS_LEVELS_H
#define HS_DIAG_CHAINS_LEVELS_H

#include <hiss/status.h>
#include <stdint.h>

typedef struct hs_levels {
    double *value;  /* owned; count values, ascending */
    int64_t *below; /* owned; draws smaller than value[i]; below[count] = n */
    int64_t count;
} hs_levels;

/* Counts the n >= 1 numbers of x, none of them NaN.  HISS_ENOMEM leaves l
 * cleared. */
hiss_status hs_levels_init(hs_levels *l, const double *x, int64_t n,
                           hiss_error *err);
/* The same, and writes the level of every number to at [n]. */
hiss_status hs_levels_init_ranked(hs_levels *l, const double *x, int64_t n,
                                  int64_t *at, hiss_error *err);
void hs_levels_clear(hs_levels *l);

/* The index of v, which must be one of the values. */
int64_t hs_levels_find(const hs_levels *l, double v);

/* The k-th smallest draw, k from 0. */
double hs_levels_order(const hs_levels *l, int64_t k);

/* Linear interpolation between order statistics (type 7 of Hyndman and Fan,
 * as R and ArviZ), 0 <= p <= 1. */
double hs_levels_quantile(const hs_levels *l, double p);

double hs_levels_median(const hs_levels *l);

/* Blom's normal score of value[i]: the normal quantile of
 * (r - 3/8) / (n + 1/4), with r its average rank, from 1. */
double hs_levels_score(const hs_levels *l, int64_t i);

/* The same score for a value with this many draws below it, and at most equal
 * to it, of n. */
double hs_levels_score_of(int64_t below, int64_t at_most, int64_t n);

/* Replaces the n numbers of x, none NaN, by their normal scores. */
hiss_status hs_normal_scores(double *x, int64_t n, hiss_error *err);

#endif
