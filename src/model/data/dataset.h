/* dataset.h - cases to learn from: inputs and a target between 0 and 1, in
 * three parts.
 *
 * U is a function of the fitted cases.  Validation cases are set aside from the
 * training cases to choose settings by.  Test cases are for reports only. */
#ifndef HS_MODEL_DATA_DATASET_H
#define HS_MODEL_DATA_DATASET_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

#include "base/read/csv.h"

typedef enum hs_dataset_part {
    HS_FITTED,
    HS_VALIDATION,
    HS_TEST,
    HS_PARTS
} hs_dataset_part;

/* Each row of inputs ends with a 1, whose weight is the bias. */
typedef struct hs_cases {
    int count;
    float *input;  /* owned, [count][inputs + 1] */
    float *target; /* owned, [count] */
} hs_cases;

typedef struct hs_dataset {
    int inputs;
    hs_cases part[HS_PARTS];
    char *note; /* owned, or NULL: a note for the user */
} hs_dataset;

void hs_dataset_clear(hs_dataset *data);

/* --- while it is being read ---------------------------------------------- */

#define HS_CASES_MAX 10000000

/* A column's name and its place, for messages. */
typedef struct hs_heading {
    char *name; /* owned */
    int64_t line, column;
} hs_heading;

/* A table of numbers from a file, row after row. */
typedef struct hs_raw {
    int inputs;          /* columns */
    int rows;            /* so far */
    int room;            /* allocated rows */
    double *input;       /* owned, [room][inputs] */
    double *target;      /* owned, [room] */
    int *order;          /* owned, [rows]: training rows, then test rows */
    int test;            /* test rows */
    char *name;          /* owned: of the file */
    hs_heading *heading; /* owned, [inputs], or NULL */
    char *note;          /* owned, or NULL */
} hs_raw;

hiss_status hs_raw_init(hs_raw *raw, const char *name, int inputs,
                        hiss_error *err);
void hs_raw_clear(hs_raw *raw);

/* Adds one row of zeros. */
hiss_status hs_raw_add(hs_raw *raw, double **input, double **target,
                       hiss_error *err);

/* The order is numpy's RandomState(seed).permutation(rows).  Its first
 * ceil(share * rows) rows are for testing, as in scikit-learn.  With is_head
 * its first floor((1 - share) * rows) are for training instead. */
hiss_status hs_raw_split(hs_raw *raw, uint32_t seed, double share, bool is_head,
                         hiss_error *err);
/* The last `test` rows are for testing; the others are shuffled. */
hiss_status hs_raw_split_last(hs_raw *raw, uint32_t seed, int test,
                              hiss_error *err);

/* Largest magnitude of a number: sums of many stay finite. */
#define HS_INPUT_MAX 1e30
hiss_status hs_raw_real(hs_csv *in, int field, double *value, hiss_error *err);

/* Maps the range of the targets to [0,1]; fails if the range is empty. */
hiss_status hs_raw_scale_target(hs_raw *raw, hiss_error *err);

typedef struct hs_shaping {
    double validation;   /* share of the training rows, taken from their end */
    bool is_standard;    /* scale inputs to mean 0, deviation 1 over fitted
                            rows */
    bool keeps_constant; /* a constant column becomes 0; otherwise it is an
                            error */
} hs_shaping;

/* Makes the parts of a data set. */
hiss_status hs_dataset_shape(hs_dataset *out, hs_raw *raw,
                             const hs_shaping *shaping, hiss_error *err);

/* --- where data come from ------------------------------------------------ */

/* Reads a CSV file with a header: `target` names a column, all others are
 * inputs.  Does not split it. */
hiss_status hs_raw_read_csv(hs_raw *out, const char *path, const char *target,
                            bool is_scaled, hiss_error *err);

/* The paper's data sets, "wdbc", "compas", "hiv" and "blog", split as in the
 * paper.  folder NULL means $HISS_DATA, or ./data. */
bool hs_known_exists(const char *name);
#define HS_KNOWN_WORDS "wdbc|compas|hiv|blog"
hiss_status hs_known_read(hs_raw *out, const char *name, const char *folder,
                          hiss_error *err);

#endif
