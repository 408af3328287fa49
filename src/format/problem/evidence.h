/* evidence.h - which coordinates are fixed, and where.
 *
 * Both fill at, [dim]: the index of a fixed coordinate in its states before
 * any conditioning, -1 where it is free; what hs_model_fix takes. */
#ifndef HS_FORMAT_PROBLEM_EVIDENCE_H
#define HS_FORMAT_PROBLEM_EVIDENCE_H

#include <hiss/status.h>

#include "base/read/reader.h"
#include "model/model.h"

/* A UAI evidence file: `k v_1 x_1 ... v_k x_k`, variables and states from 0,
 * lines mean nothing; or the same after the number of samples, which must be
 * 1; or nothing at all. */
hiss_status hs_evidence_read(int *at, const char *path, const hs_model *m,
                             hiss_error *err);

/* `3=1,x.7=-1`: coordinates from 1, as x.3 in outputs, and their values. */
hiss_status hs_evidence_parse(int *at, const char *text, const hs_model *m,
                              hiss_error *err);

/* Whether a file has words where numbers would be, and the file then: a pair of
 * a coordinate's name and a state's on each line.  at is -1 before. */
bool hs_evidence_has_names(hs_reader *in);
hiss_status hs_evidence_read_names(int *at, hs_reader *in, const hs_model *m,
                                   hiss_error *err);

#endif
