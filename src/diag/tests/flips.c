/* flips.c - counts how often each of many indicators rises and falls. */
#include "diag/tests/flips.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

#define PLANES 8 /* bits of a count before it is carried to `count` */

enum {
    UP,
    DOWN,
    WAYS
};

hiss_status hs_flips_init(hs_flips *f, int features, int cells, hiss_error *err)
{
    *f = (hs_flips){.features = features,
                    .words = hs_flips_words(features),
                    .cells = cells};
    f->plane =
        hs_alloc_array((size_t)f->words * WAYS * PLANES, sizeof *f->plane);
    f->count = hs_alloc_array((size_t)cells * (size_t)features * WAYS,
                              sizeof *f->count);
    return f->plane && f->count ? HISS_OK : hs_fail_memory(err);
}

void hs_flips_clear(hs_flips *f)
{
    hs_free(f->plane);
    hs_free(f->count);
    *f = (hs_flips){0};
}

static void carry(hs_flips *f)
{
    int64_t *count = f->count + (int64_t)f->cell * f->features * WAYS;

    for (int i = 0; f->pending > 0 && i < f->words * WAYS * PLANES; i++) {
        int word = i / (WAYS * PLANES), way = i / PLANES % WAYS;

        for (uint64_t left = f->plane[i]; left; left &= left - 1) {
            int bit = 64 * word + __builtin_ctzll(left);

            count[bit * WAYS + way] += INT64_C(1) << i % PLANES;
        }
        f->plane[i] = 0;
    }
    f->pending = 0;
}

static void add_bits(uint64_t *plane, uint64_t bits)
{
    for (; bits; plane++) {
        uint64_t both = *plane & bits;

        *plane ^= bits;
        bits = both;
    }
}

void hs_flips_add(hs_flips *f, int cell, const uint64_t *before,
                  const uint64_t *after)
{
    if (cell != f->cell || f->pending == (1 << PLANES) - 1)
        carry(f);
    f->cell = cell;
    f->pending++;
    for (int w = 0; w < f->words; w++) {
        uint64_t *plane = f->plane + w * WAYS * PLANES;

        add_bits(plane + UP * PLANES, after[w] & ~before[w]);
        add_bits(plane + DOWN * PLANES, before[w] & ~after[w]);
    }
}

void hs_flips_merge(hs_flips *f, hs_flips *other)
{
    int64_t counts = (int64_t)f->cells * f->features * WAYS;

    carry(f);
    carry(other);
    for (int64_t i = 0; i < counts; i++)
        f->count[i] += other->count[i];
}

void hs_flips_total(hs_flips *f, int feature, int64_t *up, int64_t *down)
{
    carry(f);
    *up = *down = 0;
    for (int c = 0; c < f->cells; c++) {
        const int64_t *count =
            f->count + ((int64_t)c * f->features + feature) * WAYS;

        *up += count[UP];
        *down += count[DOWN];
    }
}

double hs_flips_spread(hs_flips *f, int feature, int64_t *df)
{
    double sum = 0.0;

    carry(f);
    *df = 0;
    for (int c = 0; c < f->cells; c++) {
        const int64_t *count =
            f->count + ((int64_t)c * f->features + feature) * WAYS;
        double n = (double)(count[UP] + count[DOWN]);
        double d = (double)(count[UP] - count[DOWN]);

        if (n > 0.0) {
            sum += d * d / n;
            ++*df;
        }
    }
    return sum;
}
