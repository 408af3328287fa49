/* draws.h - draws of other programs, read from their files.
 *
 *   .csv with or without header; `lp__`, `lp`, `log_prob` or `energy` is the
 *          program's U, `chain` (or `.chain`) its chain.  Other columns that
 *          end in __, `draw`, `iteration` and lines that begin with # are
 *          ignored.  All others are coordinates, by the numbers in their
 *          names if these are one name with all numbers (x.1, x.2, ...),
 *          else in order.  This covers Stan.  One column more, called
 *          `count`, `counts` or `num_occurrences`, counts the draws of a line.
 *   .npy (draw, coordinate) or (chain, draw, coordinate)
 *   .npz the same as x, draws, samples, states or posterior, or as the
 *          only array; optionally lp, log_prob or energy
 *   .json a SampleSet of dimod, whose unordered reads are shuffled
 *
 * Not here: netCDF (sink/arviz.c), and the values of coordinates. */
#ifndef HS_FORMAT_DRAWS_DRAWS_H
#define HS_FORMAT_DRAWS_DRAWS_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/status.h>

typedef struct hs_drawn {
    int64_t chains, samples, dim;
    double *x;  /* owned, [chain][draw][dim] */
    double *lp; /* owned, [chain][draw], or NULL */
} hs_drawn;

/* Expects dim coordinates.  HISS_EPARSE with the place. */
hiss_status hs_drawn_read_csv(hs_drawn *out, const char *path, int dim,
                              hiss_error *err);
hiss_status hs_drawn_read_numpy(hs_drawn *out, const char *path, int dim,
                                hiss_error *err);
hiss_status hs_drawn_read_sampleset(hs_drawn *out, const char *path, int dim,
                                    hiss_error *err);
/* Replaces states, as one chain, by as many draws of each as it was counted, in
 * random order and up to four chains. */
hiss_status hs_drawn_repeat(hs_drawn *d, const int64_t *times, const char *path,
                            hiss_error *err);
void hs_drawn_clear(hs_drawn *d);

/* Whether a column has a common name of U, or of -U. */
bool hs_drawn_is_energy(const char *name);

#endif
