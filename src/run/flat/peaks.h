/* peaks.h - whether numbers have two peaks that are far apart. */
#ifndef HS_RUN_FLAT_PEAKS_H
#define HS_RUN_FLAT_PEAKS_H

#include <stdbool.h>

/* Sorts u. Infinite numbers are left out. */
bool hs_has_two_peaks(double *u, int count);

#endif
