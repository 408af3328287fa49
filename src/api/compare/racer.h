/* racer.h - one sampler of a comparison: repetitions at a fixed cost.
 *
 * It is one run with repetitions x chains chains; each block of `chains` is a
 * repetition.  All samplers of a comparison begin with the same states. */
#ifndef HS_API_COMPARE_RACER_H
#define HS_API_COMPARE_RACER_H

#include <hiss/compare.h>

#include "api/compare/distance.h"
#include "api/compare/race_watch.h"

enum {
    HS_RACES = 3,      /* number of values of hiss_race */
    HS_RACE_POINTS = 8 /* points of a curve */
};

typedef struct hs_racer {
    hiss_racer summary;
    double *values; /* owned: the values of all figures */
    hiss_race_point curve[HS_RACE_POINTS];
} hs_racer;

/* Finds the sampler in "10*SPEC" or SPEC, inside the same text, and the number
 * of its steps per draw. */
hiss_status hs_racer_spec(const char *word, const char **spec, int64_t *thin,
                          hiss_error *err);

/* Runs it and stores the outcome; `word` must outlive the racer. */
hiss_status hs_racer_run(hs_racer *racer, const char *word, hiss_race race,
                         const hiss_model *model, hs_distance *distance,
                         hs_race_watch *watch, hiss_error *err);
void hs_racer_clear(hs_racer *racer);

#endif
