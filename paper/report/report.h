/* report.h - report.html and summary.md, made from results.json, state.json
 * and the figures alone. */
#ifndef HISS_PAPER_REPORT_REPORT_H
#define HISS_PAPER_REPORT_REPORT_H

#include "cli/files/folder.h"
#include "paper/support/results.h"

/* One self-contained page. */
int paper_report_write(const cli_folder *folder, const paper_results *results);

/* The same in short, as Markdown. */
int paper_summary_write(const cli_folder *folder, const paper_results *results);

#endif
