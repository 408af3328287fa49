/* npy.h - numpy arrays: a header in Python notation, then the numbers. */
#ifndef HS_FORMAT_PARTS_NPY_H
#define HS_FORMAT_PARTS_NPY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <hiss/status.h>

#define HS_NPY_DIMS 3

typedef struct hs_npy {
    int dims;        /* 0 to HS_NPY_DIMS */
    int64_t size[3]; /* 1 for missing dimensions */
    double *value;   /* owned, row by row for any order of the file */
} hs_npy;

/* Reads a whole file, with up to `most` dimensions; `what` begins every
 * message. */
hiss_status hs_npy_parse(hs_npy *out, const unsigned char *text, size_t length,
                         int most, const char *what, hiss_error *err);

/* Reads a whole .npy, which may be gzip. */
hiss_status hs_npy_read(hs_npy *out, const char *path, int most,
                        hiss_error *err);
void hs_npy_clear(hs_npy *a);

#endif
