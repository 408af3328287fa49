/* domain.h - the finite product space of a model.
 *
 * A state is stored as indices: coordinate i holds 0 .. states[i]-1, and
 * values[value[i] + index] is the number that the index stands for (for a
 * categorical coordinate the label itself).  A gradient has one row per numeric
 * coordinate and states[i] rows per categorical one (the one-hot relaxation);
 * row[i] is the first.
 *
 * A domain whose coordinates are all two-valued numbers with the same two
 * values (all binary, all spin) is a *pair domain*: value = low + gap * index,
 * and kernels take a short path.  (Where rounding spoils that sum, as for -1
 * and 0.1, it is an ordinary ordinal domain.)
 *
 * A *tour domain* is a permutation: coordinate i is the city at position i of a
 * closed tour, cities are numbered from 1, and every city occurs once. It has
 * as many states as coordinates and no coordinates of another kind.  Most
 * kernels cannot move it (kernel.h). States that are no tour have U =
 * -infinity, so code that enumerates all states needs no special case. */
#ifndef HS_BASE_STATE_DOMAIN_H
#define HS_BASE_STATE_DOMAIN_H

#include <stdbool.h>
#include <stdint.h>

#include <hiss/kind.h>
#include <hiss/status.h>

#define HS_STATES_MAX 32767 /* an index is an int16_t */
#define HS_NAME_MAX   255   /* bytes of a name */

typedef struct hs_domain {
    int dim;
    int rows;        /* rows of a gradient */
    int value_count; /* sum of states[i]: rows of a general tilt */
    int states_max;
    hiss_kind *kind; /* owned, [dim] */
    int *states;     /* owned, [dim] */
    int *row;        /* owned, [dim + 1] */
    int *value;      /* owned, [dim + 1] */
    float *values;   /* owned, [value_count], ascending per coordinate */
    bool is_pair;
    bool is_tour;
    float low, gap; /* values of a pair domain */
    /* Names of coordinates and their values from a file, such as "Burglary" and
     * "true", valid UTF-8 without control characters. */
    char **names;       /* owned, [dim], each owned; NULL: they have none */
    char **state_names; /* owned, [value_count], each owned; NULL: none */
} hs_domain;

/* dim coordinates of one kind.  states is the number of labels (categorical) or
 * of levels 0..states-1 (ordinal); it is 2 for binary and spin. */
hiss_status hs_domain_init(hs_domain *d, hiss_kind kind, int dim, int states,
                           hiss_error *err);

/* Coordinates of different kinds.  levels is NULL, or the values of all ordinal
 * coordinates in order. */
hiss_status hs_domain_init_mixed(hs_domain *d, int dim, const hiss_kind *kind,
                                 const int *states, const double *levels,
                                 hiss_error *err);
void hs_domain_clear(hs_domain *d);

/* Makes a deep copy. */
hiss_status hs_domain_clone(hs_domain *out, const hs_domain *d,
                            hiss_error *err);

/* Names the coordinates, and their values one coordinate after the other;
 * either may be NULL.  Names are copied, made printable and cut to HS_NAME_MAX
 * bytes.  Earlier names are dropped.  HISS_EARG if two coordinates, or two
 * values of one, have the same name. */
hiss_status hs_domain_name(hs_domain *d, char *const *names,
                           char *const *states, hiss_error *err);

/* Return the name of coordinate i, or "x.4" written to room; and the name of a
 * value, or its number. */
const char *hs_domain_coordinate(const hs_domain *d, int i,
                                 char room[HS_NAME_MAX + 1]);
const char *hs_domain_state(const hs_domain *d, int i, int index,
                            char room[HS_NAME_MAX + 1]);

/* Copies the names of a domain with the same coordinates.  A coordinate with
 * at[i] >= 0 has only the value of that index here. */
hiss_status hs_domain_inherit(hs_domain *d, const hs_domain *from,
                              const int *at, hiss_error *err);

/* Number of states, or +infinity past 2^62: double, for limits. */
double hs_domain_size(const hs_domain *d);

/* The number of states that the kinds allow: dim!  for a tour domain; infinite
 * only past 10^308. */
double hs_domain_count(const hs_domain *d);

/* The narrowest gap between neighboring values of a numeric coordinate, which
 * is the unit of step sizes; 1 if all are labels. */
double hs_domain_gap(const hs_domain *d);

/* The widest gap between neighboring values of a numeric coordinate if another
 * coordinate's is less than half of it, so that no single step size fits both;
 * else 0. */
double hs_domain_far_gap(const hs_domain *d);

/* The indices of a state's values, which must be values of the domain. */
void hs_domain_indices(const hs_domain *d, const double *values,
                       int16_t *state);

/* Coordinates in which two states differ. */
static inline int hs_states_apart(const int16_t *a, const int16_t *b, int dim)
{
    int count = 0;

    for (int i = 0; i < dim; i++)
        count += a[i] != b[i];
    return count;
}

const char *hs_kind_name(hiss_kind kind);

/* Whether values are names, not numbers, so that means are meaningless. */
static inline bool hs_kind_is_label(hiss_kind kind)
{
    return kind == HISS_CATEGORICAL || kind == HISS_PERMUTATION;
}

#endif
