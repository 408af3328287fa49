/* evidence.h - which coordinates are fixed, and at which values.
 *
 * Both functions fill at, [dim]: the index of a fixed coordinate in its states
 * before any conditioning, or -1 if free; the argument of hs_model_fix. */
#ifndef HS_FORMAT_PROBLEM_EVIDENCE_H
#define HS_FORMAT_PROBLEM_EVIDENCE_H

#include <hiss/status.h>

#include "base/read/reader.h"
#include "model/model.h"

/* Reads a UAI evidence file: `k v_1 x_1 ... v_k x_k`, variables and states from
 * 0, lines without meaning; or the same after the number of samples, which must
 * be 1; or an empty file. */
hiss_status hs_evidence_read(int *at, const char *path, const hs_model *m,
                             hiss_error *err);

/* Reads `3=1,x.7=-1`: coordinates from 1, like x.3 in outputs, and their
 * values. */
hiss_status hs_evidence_parse(int *at, const char *text, const hs_model *m,
                              hiss_error *err);

/* Whether a file has words instead of numbers; and the reader of such a file,
 * with the names of a coordinate and of a state on each line.  at must be -1
 * before. */
bool hs_evidence_has_names(hs_reader *in);
hiss_status hs_evidence_read_names(int *at, hs_reader *in, const hs_model *m,
                                   hiss_error *err);

#endif
