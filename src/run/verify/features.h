/* features.h - the quantities of a state compared before and after.
 *
 * Indicators are one bit each for every state of an enumerated model:
 *     tails      U above the quantiles 1/8 ... 7/8 of its law
 *     marginals  a coordinate has this value; with many values, one of a range
 *     pairs      two coordinates of two values agree; of more values, both lie
 *                in given thirds, or have the same index
 * and U itself, clipped at four standard deviations so that its differences are
 * bounded, in whole numbers so that sums do not depend on their order.
 *
 * These tests need no assumption about a distribution: for any function f of
 * the state, a sampler that keeps the distribution has E f(after) = E
 * f(before).  A model of at most 2^20 states has at most 20 coordinates that
 * can move, so that all pairs are compared. */
#ifndef HS_RUN_VERIFY_FEATURES_H
#define HS_RUN_VERIFY_FEATURES_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "exact/law.h"

#define HS_ENERGY_TOP 16384 /* values of clipped U are 0 ..  this */

typedef enum hs_feature_kind {
    HS_TAIL,
    HS_MARGINAL,
    HS_PAIR,
    HS_FEATURE_KINDS
} hs_feature_kind;

/* Indices low ..  high of a coordinate. */
typedef struct hs_range {
    int coordinate;
    int low, high;
} hs_range;

typedef struct hs_feature {
    hs_feature_kind kind;
    bool is_equal; /* of a pair: the same index, whichever it is */
    hs_range one, other;
    double above; /* start of a tail */
    double share; /* share of a tail: its probability at level 0 */
} hs_feature;

/* U of one level in whole numbers. */
typedef struct hs_energy_scale {
    double low, scale;
    double sd; /* of the whole numbers under the distribution; 0 if U is
                  constant */
} hs_energy_scale;

typedef struct hs_features {
    const hs_exact *exact; /* borrowed */
    hs_feature *at;        /* owned, [count], by kind */
    int count, room;
    int first[HS_FEATURE_KINDS + 1];
    int words;
    uint64_t *bits;         /* owned, [states][words] */
    hs_energy_scale *gauge; /* owned, [levels] */
    int levels;
} hs_features;

hiss_status hs_features_init(hs_features *f, const hs_exact *e,
                             const hs_law *law, int levels, hiss_error *err);
void hs_features_clear(hs_features *f);

static inline const uint64_t *hs_features_of(const hs_features *f, uint32_t n)
{
    return f->bits + (int64_t)n * f->words;
}

/* U of a state in whole numbers, at level j. */
int hs_features_scale_at(const hs_energy_scale *g, double u);

/* Writes "x.3 = 1", "x.1 = x.2", "U > 4.2". */
void hs_feature_name(const hs_features *f, int number, char *text, size_t size);

#endif
