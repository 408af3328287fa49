/* dataset_known.h - shared code of the readers of the paper's data sets. */
#ifndef HS_MODEL_DATA_DATASET_KNOWN_H
#define HS_MODEL_DATA_DATASET_KNOWN_H

#include "model/data/dataset.h"

#define HS_KNOWN_PATH  4096
#define HS_KNOWN_NAMES 3
#define HS_KNOWN_SEED  42  /* seed of most splits */
#define HS_KNOWN_TEST  0.2 /* share of test rows */

typedef struct hs_known_source {
    const char *names[HS_KNOWN_NAMES]; /* accepted file names, best first */
    const char *where;                 /* where to get it */
    const char *sha256;
} hs_known_source;

/* Reads and splits the set whose (first) file is `path`. */
typedef hiss_status hs_known_reader(hs_raw *out, const char *path,
                                    hiss_error *err);

hs_known_reader hs_known_wdbc, hs_known_compas, hs_known_hiv, hs_known_blog;

#endif
