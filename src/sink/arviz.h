/* arviz.h - netCDF files that ArviZ, or xarray, has written for others. */
#ifndef HS_SINK_ARVIZ_H
#define HS_SINK_ARVIZ_H

#include "sink/sink.h"

/* Reads only: every variable of the group `posterior` (or of the file) over
 * chain and draw is so many coordinates, in the order of the file; lp is
 * sample_stats/lp, NaN where there is none; the manifest is "{}".  Not listed
 * among the sinks: its files are no results of hiss. */
extern const hs_sink hs_sink_arviz;

#endif
