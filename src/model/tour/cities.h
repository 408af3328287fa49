/* cities.h - the distribution of closed tours: short ones are likely. */
#ifndef HS_MODEL_TOUR_CITIES_H
#define HS_MODEL_TOUR_CITIES_H

#include <stdbool.h>

#include <hiss/status.h>

#include "model/model.h"
#include "model/tour/tsplib.h"

typedef enum hs_tour_form {
    HS_TOUR_PERMUTATION,
    HS_TOUR_ONEHOT,
} hs_tour_form;

typedef struct hs_tour_law {
    bool rounded; /* TSPLIB's rounded distances, else real ones */
    double temperature;
    int form; /* hs_tour_form */
} hs_tour_law;

/* Copies `name`.  The cities are not used afterwards. */
hiss_status hs_build_tours(hs_model **out, const char *name,
                           const hs_cities *cities, const hs_tour_law *law,
                           hiss_error *err);

#endif
