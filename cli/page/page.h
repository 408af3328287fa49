/* page.h - the sections of `hiss report`, one file each. */
#ifndef HISS_CLI_PAGE_PAGE_H
#define HISS_CLI_PAGE_PAGE_H

#include <hiss/hiss.h>

#include <stdbool.h>
#include <stdio.h>

#include "cli/report/figures.h"

#define CLI_PAGE_CHAINS 16 /* shown by themselves */

typedef struct cli_page {
    FILE *to;
    const char *file; /* the result's name */
    const hiss_result *result;
    const hiss_model *model; /* or NULL */
    hiss_run_info info;
    const hiss_diagnosis *diagnosis;
    const hiss_modes *modes; /* or NULL */
    const hiss_exact *exact; /* or NULL */
    const char *no_model;    /* why there is none, or NULL */
    const cli_figures *figures;
} cli_page;

/* The verdict, its reasons, and what was run. */
void cli_page_verdict(const cli_page *p);
/* Traces of the energy in one picture, and ranks, chain by chain. */
void cli_page_energy(const cli_page *p);
/* Energy, magnetization and overlaps of a lattice, if it is one. */
bool cli_page_has_observables(const cli_page *p);
void cli_page_observables(const cli_page *p);
/* A map of the modes and who visits them. */
void cli_page_modes(const cli_page *p);
/* Probabilities with intervals. */
void cli_page_marginals(const cli_page *p);
/* Two phases, of multicanonical sampling. */
void cli_page_flat(const cli_page *p);
/* Acceptance, adaptation, exchanges of temperature levels. */
void cli_page_sampler(const cli_page *p);
/* How to do it again. */
void cli_page_repeat(const cli_page *p);

/* Takes the folders of the user's disk out of the text of the page. */
void cli_page_hide_folders(const cli_page *p, char *text);

#endif
