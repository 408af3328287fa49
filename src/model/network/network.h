/* network.h - networks of one hidden layer whose weights are all -1 or 1.
 *
 *     a_nj = c_j + sum_i z_ni V_ij,   o_n = b + sum_j w_j tanh a_nj
 *     f_n = 1 / (1 + exp(-o_n)),   U = -scale sum_n (f_n - y_n)^2 - lambda k
 * over the fitted cases n, with k the number of weights at +1.  A coordinate
 * is a bit x of one weight s = 2x - 1, in the order V (input by input, `hidden`
 * each), c, w, b: dim = (inputs + 2) hidden + 1. */
#ifndef HS_MODEL_NETWORK_NETWORK_H
#define HS_MODEL_NETWORK_NETWORK_H

#include <hiss/status.h>

#include "model/data/dataset.h"
#include "model/model.h"

/* Most weights of a model. */
#define HS_NETWORK_DIM_MAX 16777216

typedef struct hs_network_options {
    int hidden;
    double scale;
    double lambda;
} hs_network_options;

/* Takes ownership of the tables of `data`, also on failure. */
hiss_status hs_network_create(hs_model **out, hs_dataset *data,
                              const hs_network_options *options,
                              hiss_error *err);

/* The data of a network, borrowed; NULL for any other model. */
const hs_dataset *hs_network_data(const hs_model *m);
int hs_network_hidden(const hs_model *m);

/* Computes f of every case of a part, in all 16 lanes of p, whose states stay
 * while the rest is overwritten; out is [cases of the part][HS_LANES]. */
void hs_network_predict(const hs_model *m, hs_point *p, hs_dataset_part part,
                        float (*out)[HS_LANES]);

#endif
