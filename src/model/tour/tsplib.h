/* tsplib.h - cities and their distances from a TSPLIB file. */
#ifndef HS_MODEL_TOUR_TSPLIB_H
#define HS_MODEL_TOUR_TSPLIB_H

#include <stdbool.h>

#include <hiss/status.h>

#include "base/read/reader.h"

typedef enum hs_metric {
    HS_EUC_2D,
    HS_CEIL_2D,
    HS_GEO,
    HS_ATT,
    HS_EXPLICIT,
} hs_metric;

typedef struct hs_cities {
    int count;
    hs_metric metric;
    double *x, *y;  /* owned, [count]; NULL if explicit */
    double *weight; /* owned, [count * count], symmetric, if explicit */
} hs_cities;

/* On failure *out is empty. */
hiss_status hs_tsplib_read(hs_cities *out, hs_reader *in, hiss_error *err);
void hs_cities_clear(hs_cities *c);

/* The distance, rounded as in TSPLIB or before rounding. */
double hs_cities_distance(const hs_cities *c, int i, int j, bool rounded);

#endif
