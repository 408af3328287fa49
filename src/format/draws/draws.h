/* draws.h - draws of other programs, read from their files.
 *
 *     .csv   a header, or none; `lp__`, `lp`, `log_prob` or `energy` is what
 *            the program says of U, `chain` (or `.chain`) its chain; other
 *            columns that end in __, `draw` and `iteration` are passed over,
 *            lines that begin with # too; all others are coordinates, by the
 *            numbers in their names where these are one name with all numbers
 *            (x.1, x.2, ...), else in order.  So Stan's.
 *     .npy   (draw, coordinate) or (chain, draw, coordinate)
 *     .npz   the same as x, draws, samples, states or posterior, or as the only
 *            array; perhaps lp, log_prob or energy
 *     .json  a SampleSet of dimod; reads have no order, and are shuffled
 * Not here: netCDF (sink/arviz.c), and which values a coordinate has. */
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

/* dim coordinates are expected.  HISS_EPARSE with the place. */
hiss_status hs_drawn_read_csv(hs_drawn *out, const char *path, int dim,
                              hiss_error *err);
hiss_status hs_drawn_read_numpy(hs_drawn *out, const char *path, int dim,
                                hiss_error *err);
hiss_status hs_drawn_read_sampleset(hs_drawn *out, const char *path, int dim,
                                    hiss_error *err);
void hs_drawn_clear(hs_drawn *d);

/* Names that others have for U, or for -U. */
bool hs_drawn_is_energy(const char *name);

#endif
