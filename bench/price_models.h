/* price_models.h - models that prices are measured on, and others that they are
 * compared with. */
#ifndef BENCH_PRICE_MODELS_H
#define BENCH_PRICE_MODELS_H

#include <hiss/hiss.h>

typedef struct price_model {
    const char *name;
    int is_held; /* not fitted: prices are compared with it */
    /* Makes it from the numbers, or from the spec. */
    hiss_status (*make)(hiss_model **out, const struct price_model *of,
                        hiss_error *err);
    int size[4];
    const char *spec;
} price_model;

extern const price_model price_models[]; /* ends with a NULL name */

#endif
