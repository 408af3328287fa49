/* sink.h - the interface of writers and readers of results.
 *
 * A writer is one table, listed in sinks.def; the suffix of the file chooses
 * it.  It gets a finished run as borrowed arrays and writes a file that appears
 * under its name only when it is complete (file.h).  Values are numbers of the
 * coordinate's kind, as in domain.h, never indices. */
#ifndef HS_SINK_SINK_H
#define HS_SINK_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hiss/result.h>
#include <hiss/status.h>

#include "base/state/domain.h"

/* Layout of result files; a reader refuses other numbers. */
#define HS_RESULT_FORMAT 2

/* Draws of one phase. */
typedef struct hs_draws {
    int64_t samples;     /* per chain; 0 if there are none */
    const void *x;       /* [chain][draw][dim] of the element */
    const double *lp;    /* [chain][draw]: U */
    const float *accept; /* [chain][draw]: acceptance rate, or NULL */
} hs_draws;

/* The data for a writer; all pointers are borrowed. */
typedef struct hs_output {
    const hs_domain *domain;
    const int *fixed_at;    /* [dim], or NULL: evidence, -1 where free */
    const int *full_states; /* [dim], or NULL: states without evidence */
    int chains;
    hiss_element element;
    hs_draws kept, warmup;
    const double *marginal; /* [domain->value_count] */
    const char *manifest;   /* JSON on one line */
    const char *comments;   /* lines "key: value", a short form of the
                               manifest */
    const char *version;    /* version of hiss */
    const char *created;    /* ISO 8601 */
    bool is_biased;         /* the draws have another distribution than the
                               model */
    double seconds;         /* seconds of sampling */
    int64_t warmup_steps, thin;
    uint64_t seed;
} hs_output;

/* A result read back; all owned. */
typedef struct hs_loaded {
    int chains, dim;
    int64_t samples;
    hiss_element element;
    void *x;       /* by base/read/bulk.h */
    size_t mapped; /* size for base/read/bulk.h */
    double *lp;
    float *accept;    /* or NULL */
    double *marginal; /* or NULL */
    int64_t values;   /* number of entries of marginal */
    char *manifest;
} hs_loaded;

typedef struct hs_sink {
    const char *name;
    const char *suffixes; /* ".nc .netcdf": blanks between */
    const char *summary;
    /* HISS_EARG if the file exists and may not be replaced, HISS_EUNSUP if the
     * format cannot express the data, HISS_EIO if writing failed. */
    hiss_status (*write)(const hs_output *out, const char *path, bool replace,
                         hiss_error *err);
    /* optional: HISS_EUNSUP if the format cannot express draws of this
     * domain */
    hiss_status (*check)(const hs_domain *d, const char *path, hiss_error *err);
    /* NULL if it cannot be read back.  HISS_EPARSE with the reason for a
     * truncated file, or one of another tool or version. */
    hiss_status (*read)(hs_loaded *in, const char *path, hiss_error *err);
    /* a damaged file can crash it: read it in a child process (apart.h) unless
     * its checksum is right (seal.h) */
    bool is_fragile;
    /* optional: the version of its library, first in a text */
    const char *(*library)(void);
} hs_sink;

extern const hs_sink *const hs_sinks[]; /* NULL-terminated */

/* Finds the writer for a file name; HISS_EARG if no suffix fits. */
hiss_status hs_sink_find(const hs_sink **out, const char *path,
                         hiss_error *err);

size_t hs_element_size(hiss_element e);
/* Returns number `index` of an array of that element. */
double hs_element_at(hiss_element e, const void *array, int64_t index);

/* Allocates draws for a reader that knows their shape: x, lp and, with
 * has_accept, accept.  HISS_EPARSE if the shape is impossible. */
hiss_status hs_loaded_init(hs_loaded *in, int64_t chains, int64_t samples,
                           int64_t dim, hiss_element e, bool has_accept,
                           const char *path, hiss_error *err);
void hs_loaded_clear(hs_loaded *in);

#endif
