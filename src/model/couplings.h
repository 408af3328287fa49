/* couplings.h - the pair form of a model, for cluster moves:
 *
 * U(x) = constant + sum_e w_e [x_i = x_j] + sum_i field_i(x_i)
 *
 * with every pair e = (i, j) once.  Every table of two two-valued coordinates
 * has this form, and so do tables of more values that are constant but for
 * their diagonal. */
#ifndef HS_MODEL_COUPLINGS_H
#define HS_MODEL_COUPLINGS_H

#include <stdint.h>

#include <hiss/status.h>

#include "model/model.h"

typedef struct hs_coupling {
    int i, j; /* i < j */
    float w;
} hs_coupling;

typedef struct hs_couplings {
    int64_t bonds;
    hs_coupling *bond; /* owned, [bonds]; without those of w = 0 */
    double *field;     /* owned, [domain.value_count] */
    bool has_fields;   /* some field is not constant */
} hs_couplings;

/* HISS_EUNSUP if the model does not have this form. */
hiss_status hs_couplings_init(hs_couplings *c, const hs_model *m,
                              hiss_error *err);
void hs_couplings_clear(hs_couplings *c);

#endif
