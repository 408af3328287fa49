/* arviz.h - netCDF files written by ArviZ or xarray. */
#ifndef HS_SINK_ARVIZ_H
#define HS_SINK_ARVIZ_H

#include "sink/sink.h"

/* Reads only.  Every variable of the group `posterior` (or of the file) over
 * chain and draw gives coordinates, in the order of the file.  lp is
 * sample_stats/lp, or NaN.  The manifest is "{}".  It is not listed among the
 * sinks, because its files are not results of hiss. */
extern const hs_sink hs_sink_arviz;

#endif
