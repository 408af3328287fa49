/* network.h - the data and the predictions of a `bnn` model.
 *
 * A draw of such a model is a network.  Its quality shows on cases that are not
 * in U. */
#ifndef HISS_NETWORK_H
#define HISS_NETWORK_H

#include <stdint.h>

#include <hiss/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hiss_model hiss_model;

/** Parts of the data; there will never be more than three. */
typedef enum hiss_part {
    HISS_FITTED = 0,     /**< the cases in U */
    HISS_VALIDATION = 1, /**< training cases that were set aside */
    HISS_TEST = 2,
    HISS_PARTS = 3
} hiss_part;

/** The shape of a network and of its data. */
typedef struct hiss_network {
    size_t size; /**< sizeof(hiss_network) */
    int inputs;
    int hidden;
    int cases[HISS_PARTS];
} hiss_network;

/** Reads its shape; 0 (false) if the model is not a network. */
HISS_API int hiss_model_network(const hiss_model *model, hiss_network *out);

/** Inputs of all cases of a part, [cases][inputs + 1], the last one 1.
 * Borrowed from the model, which is a network. */
HISS_API const float *hiss_network_inputs(const hiss_model *model,
                                          hiss_part part);
/** Targets of all cases of a part, [cases].  Borrowed likewise. */
HISS_API const float *hiss_network_targets(const hiss_model *model,
                                           hiss_part part);

/** 
 * Predictions of networks for the cases of a part: f between 0 and 1.
 *
 * @param states  [count][dim] bits, as hiss_result_draws has them
 * @param out     [count][cases]
 * @return HISS_OK; HISS_EARG when the model is no network or a state is not
 *         of bits; HISS_ENOMEM
 */
HISS_API hiss_status hiss_network_predict(const hiss_model *model,
                                          hiss_part part, const int8_t *states,
                                          int64_t count, float *out,
                                          hiss_error *err);

/** 
 * The same on a device: `cpu`, `cuda`, `cuda:N`, `auto`, as in hiss_settings;
 * NULL is cpu.  A GPU rounds differently: f is the same within 1e-5.
 *
 * @return as above; HISS_EUNSUP when there is no such device
 */
HISS_API hiss_status hiss_network_predict_on(const hiss_model *model,
                                             const char *device, hiss_part part,
                                             const int8_t *states,
                                             int64_t count, float *out,
                                             hiss_error *err);

#ifdef __cplusplus
}
#endif
#endif
