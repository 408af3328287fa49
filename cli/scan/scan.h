/* scan.h - observables against beta: a table, JSON, CSV, a figure. */
#ifndef HISS_CLI_SCAN_SCAN_H
#define HISS_CLI_SCAN_SCAN_H

#include <hiss/hiss.h>

#include <jansson.h>
#include <stdbool.h>

#include "cli/report/observables.h"

typedef struct cli_scan {
    const hiss_model *model; /* borrowed, at the coldest temperature; like
                                beta */
    const double *beta;      /* [count] */
    int count;
    cli_observables *at; /* owned, [count]: the same observables at every
                            beta */
    hiss_run_info info;
    const char *sampler; /* borrowed */
} cli_scan;

/* Whether `path` ends in `suffix`, such as ".svg". */
bool cli_scan_is_named(const char *path, const char *suffix);

json_t *cli_scan_json(const cli_scan *scan);
void cli_scan_print(const cli_scan *scan);
/* Return the text of a CSV or an SVG file; free() it. */
char *cli_scan_csv(const cli_scan *scan);
char *cli_scan_figure(const cli_scan *scan);

#endif
