/* copies.c - detects chains with the same draws: a file given twice, or a
 * program that starts all chains with one seed.
 *
 * Their effective draws count several times, and R-hat is 1.  Chains that
 * hardly move may agree by chance, so a copy must have changed CHANGES_MIN
 * times. */
#include <string.h>

#include "verdict/verdict.h"

#define CHANGES_MIN 32
#define CHAINS_MAX  1024 /* most chains compared with each other */

static int64_t changes_of(const hs_store *s, int chain, int64_t samples)
{
    int64_t changes = 0;

    for (int64_t n = 1; n < samples && changes < CHANGES_MIN; n++)
        changes +=
            memcmp(hs_store_row(s, chain, n), hs_store_row(s, chain, n - 1),
                   hs_store_row_bytes(s)) != 0;
    return changes;
}

void hs_judge_copies(hiss_diagnosis *d, const hs_evidence *e)
{
    const hs_store *s = &e->result->run.store;
    int64_t samples = e->result->run.info.samples;
    size_t bytes = (size_t)samples * hs_store_row_bytes(s);

    for (int b = 1; b < s->chains && b < CHAINS_MAX; b++)
        for (int a = 0; a < b; a++) {
            if (samples < 2 ||
                memcmp(hs_store_row(s, a, 0), hs_store_row(s, b, 0), bytes) !=
                    0 ||
                changes_of(s, a, samples) < CHANGES_MIN)
                continue;
            d->has_copies = true;
            hs_find(d, "copies", HISS_FAILED, 0.0, 1.0,
                    "chains %d and %d have the same %lld draws: was a file "
                    "given twice, or a seed?",
                    a + 1, b + 1, (long long)samples);
            return;
        }
}
