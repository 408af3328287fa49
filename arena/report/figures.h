/* figures.h - the pictures of the page, as SVG. */
#ifndef HISS_ARENA_REPORT_FIGURES_H
#define HISS_ARENA_REPORT_FIGURES_H

#include "arena/report/report.h"

/* So many digits, without exponents where these are many: "0.123", "45.6",
 * "12300"; "-" for NaN. */
void arena_put_number(FILE *to, double number, int digits);

/* Effective draws of all contestants on one target in one race: known means as
 * a dot, DISCS' definition as a ring. */
void arena_figure_race(const arena_report *r, FILE *to, const arena_entry *e,
                       arena_race race);

/* All targets and contestants: the darker, the nearer to the best. */
void arena_figure_map(const arena_report *r, FILE *to, arena_race race);

/* DISCS' ESS against that by known means, a dot for every row. */
void arena_figure_fooled(const arena_report *r, FILE *to);

#endif
