/* keeping.h - the storage plan: how far apart the kept draws of an open-ended
 * run are.
 *
 * How many steps it makes is not known beforehand.  Its store drops every
 * second draw when it is full, and of those that it has at the end every so
 * many are left. */
#ifndef HS_RUN_ACCOUNT_KEEPING_H
#define HS_RUN_ACCOUNT_KEEPING_H

#include <math.h>

typedef struct hs_keeping {
    double draws; /* that are left of a chain, at most; 1 or more */
    double room;  /* capacity of the store meanwhile: as many, or more */
} hs_keeping;

/* Steps from one draw to the next in the store, after so many. */
static inline double hs_keeping_halved(const hs_keeping *k, double steps)
{
    double apart = 1.0;

    while (floor(steps / apart) > k->room)
        apart *= 2.0;
    return apart;
}

/* The same of the draws that are left at the end. */
static inline double hs_keeping_apart(const hs_keeping *k, double steps)
{
    double halved = hs_keeping_halved(k, steps);

    return halved * fmax(ceil(floor(steps / halved) / k->draws), 1.0);
}

/* About the most steps whose draws are nearer than those of so many; 0: they
 * are next to each other already. */
static inline double hs_keeping_fit(const hs_keeping *k, double steps)
{
    double halved = hs_keeping_halved(k, steps);
    double every = ceil(floor(steps / halved) / k->draws);

    if (every > 1.0)
        return halved * (every - 1.0) * k->draws;
    return halved > 1.0 ? 0.5 * halved * k->room : 0.0;
}

#endif
