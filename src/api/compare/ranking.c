/* ranking.c - the winner of a race, and its p-value.
 *
 * The score is the distance from the distribution if that is known.  Otherwise
 * it is the effective draws for the price, and a sampler that does not keep the
 * distribution cannot win, however much it moves. */
#include "api/compare/ranking.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "diag/tests/repetitions.h"

#define SURE 0.05

/* Writes the score of each repetition; less is better.  Returns its mean. */
static double put_scores(const hiss_racer *racer, bool is_law_known,
                         double *score)
{
    double price = racer->race == HISS_RACE_TIME    ? racer->seconds
                   : racer->race == HISS_RACE_EVALS ? racer->evals
                                                    : 1.0;
    double sum = 0.0;

    for (int r = 0; r < racer->repetitions; r++) {
        double ess = racer->ess.values[r];

        score[r] = is_law_known                     ? racer->distance.values[r]
                   : !racer->is_exact || isnan(ess) ? (double)INFINITY
                                                    : -ess / price;
        sum += score[r];
    }
    return sum / racer->repetitions;
}

/* Index of the first smallest mean, without `without`. */
static int smallest(const double *mean, int count, int without)
{
    int best = -1;

    for (int n = 0; n < count; n++)
        if (n != without && (best < 0 || mean[n] < mean[best]))
            best = n;
    return best;
}

static hiss_race_verdict judge(double best, double next, double p_value)
{
    return !isfinite(best)   ? HISS_RACE_NONE
           : !isfinite(next) ? HISS_RACE_ALONE
           : p_value <= SURE ? HISS_RACE_SURE
                             : HISS_RACE_UNSURE;
}

hiss_status hs_ranking_decide(hiss_race_outcome *out, hs_racer *racers,
                              int count, bool is_law_known, hiss_error *err)
{
    int repetitions = racers[0].summary.repetitions, best, next;
    double *mean = hs_alloc_array((size_t)count, sizeof *mean);
    double *score =
        hs_alloc_array((size_t)count * (size_t)repetitions, sizeof *score);
    hiss_status rc = mean && score ? HISS_OK : hs_fail_memory(err);

    if (rc == HISS_OK) {
        for (int n = 0; n < count; n++)
            mean[n] = put_scores(&racers[n].summary, is_law_known,
                                 score + (int64_t)n * repetitions);
        best = smallest(mean, count, -1);
        next = smallest(mean, count, best);
        for (int n = 0; n < count; n++) {
            racers[n].summary.is_best = n == best;
            racers[n].summary.p_value =
                n == best
                    ? (double)NAN
                    : hs_repetitions_p(score + (int64_t)n * repetitions,
                                       score + (int64_t)best * repetitions,
                                       repetitions);
        }
        *out = (hiss_race_outcome){.size = sizeof *out,
                                   .best = &racers[best].summary,
                                   .next = &racers[next].summary,
                                   .p_value = racers[next].summary.p_value};
        out->verdict = judge(mean[best], mean[next], out->p_value);
    }
    hs_free(mean);
    hs_free(score);
    return rc;
}
