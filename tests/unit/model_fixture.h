/* model_fixture.h - small instances of every built-in model, and the
 * relaxation of U that each one's gradient belongs to, computed here on its
 * own in double. */
#ifndef HS_TESTS_MODEL_FIXTURE_H
#define HS_TESTS_MODEL_FIXTURE_H

#include "model/model.h"

/* rows: one number per numeric coordinate, one-hot entries per label. */
typedef double (*relaxed_function)(const double *rows);

typedef struct instance {
    const char *spec;
    relaxed_function relaxed; /* NULL: the gradient is not of a relaxation */
} instance;

extern const instance instances[]; /* ends with a NULL spec */

/* Creates the model or fails the test. */
hs_model *fixture_model(const char *spec);

/* The documented address of random parameters: sign and uniform number of
 * entry `entry` of part `part`. */
void fixture_draw(uint64_t seed, int part, int entry, double *sign, double *u);

/* A table of mixed kinds with one impossible state, written once. */
const char *fixture_table(void);
void fixture_remove(void);

/* Random indices in all lanes; nothing is valid afterwards. */
void fixture_scatter(const hs_model *m, hs_point *p, uint64_t *seed);

/* The values that lane l stands on, as rows. */
void fixture_rows(const hs_model *m, const hs_point *p, int l, double *rows);

#endif
