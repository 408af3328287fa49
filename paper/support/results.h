/* results.h - what has been found so far: results.json and state.json.
 *
 * results.json  {experiment: {row: {metric: {mean, se, std, repetitions, paper,
 *               evaluations, command}}}}, merged over calls
 * state.json    {experiments: {name: {settings, version, instructions, command,
 *               quick, seconds, processor_seconds, threads, repetitions,
 *               chains, samples, left_out, titles: {row: text},
 *               figures: [{name, title, caption}]}}}
 * A finished experiment replaces its former self in both. */
#ifndef HISS_PAPER_SUPPORT_RESULTS_H
#define HISS_PAPER_SUPPORT_RESULTS_H

#include <jansson.h>
#include <stdbool.h>

#include "cli/files/folder.h"

#define PAPER_STATE   "state.json"
#define PAPER_RESULTS "results.json"
#define PAPER_REPORT  "report.html"
#define PAPER_DATA    "data"    /* the numbers of the figures */
#define PAPER_FIGURES "figures" /* the figures as SVG */

typedef struct paper_results {
    json_t *data;  /* owned: results.json */
    json_t *state; /* owned: the experiments of state.json */
} paper_results;

/* Reads both files, if there are any; broken ones are CLI_BAD_CALL, unless
 * is_forced, which begins anew. */
int paper_results_load(paper_results *results, const cli_folder *folder,
                       bool is_forced);
void paper_results_clear(paper_results *results);

/* Writes state.json alone: from then on the folder is known as ours. */
int paper_results_claim(const paper_results *results, const cli_folder *folder);

/* Writes both, experiments in their order. */
int paper_results_save(const paper_results *results, const cli_folder *folder);

/* Takes over rows and state. */
void paper_results_put(paper_results *results, const char *experiment,
                       json_t *rows, json_t *state);

bool paper_results_has(const paper_results *results, const char *experiment,
                       const char *settings);

/* The part of a finished experiment that was not run, and why; borrowed, or
 * NULL. */
const char *paper_results_left_out(const paper_results *results,
                                   const char *experiment);

/* {mean, se, ...} of a metric, borrowed, or NULL. */
json_t *paper_results_metric(const json_t *data, const char *experiment,
                             const char *row, const char *metric);
/* A number of it, NaN when there is none. */
double paper_results_number(const json_t *metric, const char *key);
double paper_results_mean(const json_t *data, const char *experiment,
                          const char *row, const char *metric);
double paper_results_se(const json_t *data, const char *experiment,
                        const char *row, const char *metric);

#endif
