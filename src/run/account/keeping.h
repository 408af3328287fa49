/* keeping.h - the storage plan: the spacing of the kept draws of an open-ended
 * run.
 *
 * The number of its steps is not known beforehand.  When its store is full, it
 * drops every second draw.  At the end it keeps every n-th draw of the store,
 * so that the requested number is left. */
#ifndef HS_RUN_ACCOUNT_KEEPING_H
#define HS_RUN_ACCOUNT_KEEPING_H

#include <math.h>

typedef struct hs_keeping {
    double draws; /* most draws of a chain to keep at the end; 1 or more */
    double room;  /* capacity of the store meanwhile: as many, or more */
} hs_keeping;

/* Steps between the draws in the store, after this many steps. */
static inline double hs_keeping_halved(const hs_keeping *k, double steps)
{
    double apart = 1.0;

    while (floor(steps / apart) > k->room)
        apart *= 2.0;
    return apart;
}

/* Steps between the draws that are kept at the end. */
static inline double hs_keeping_apart(const hs_keeping *k, double steps)
{
    double halved = hs_keeping_halved(k, steps);

    return halved * fmax(ceil(floor(steps / halved) / k->draws), 1.0);
}

/* About the largest number of steps whose draws are closer together than those
 * of `steps`; 0 if these are adjacent already. */
static inline double hs_keeping_fit(const hs_keeping *k, double steps)
{
    double halved = hs_keeping_halved(k, steps);
    double every = ceil(floor(steps / halved) / k->draws);

    if (every > 1.0)
        return halved * (every - 1.0) * k->draws;
    return halved > 1.0 ? 0.5 * halved * k->room : 0.0;
}

#endif
