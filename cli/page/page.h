/* page.h - the sections of `hiss report`, one file each. */
#ifndef HISS_CLI_PAGE_PAGE_H
#define HISS_CLI_PAGE_PAGE_H

#include <hiss/hiss.h>

#include <stdbool.h>
#include <stdio.h>

#include "cli/report/figures.h"

#define CLI_PAGE_CHAINS 16 /* chains shown individually */

typedef struct cli_page {
    FILE *to;
    const char *file; /* the result's name */
    const hiss_result *result;
    const hiss_model *model; /* or NULL */
    hiss_run_info info;
    const hiss_diagnosis *diagnosis;
    const hiss_modes *modes; /* or NULL */
    const hiss_exact *exact; /* or NULL */
    const char *no_model;    /* why there is no model, or NULL */
    const cli_figures *figures;
} cli_page;

/* Writes the verdict, its reasons, and the run. */
void cli_page_verdict(const cli_page *p);
/* Writes traces of the energy in one picture, and ranks by chain. */
void cli_page_energy(const cli_page *p);
/* Writes energy, magnetization and overlaps if the model is a lattice. */
bool cli_page_has_observables(const cli_page *p);
void cli_page_observables(const cli_page *p);
/* Writes a map of the modes and the chains that visit them. */
void cli_page_modes(const cli_page *p);
/* Writes probabilities with intervals. */
void cli_page_marginals(const cli_page *p);
/* Writes the two phases of multicanonical sampling. */
void cli_page_flat(const cli_page *p);
/* Writes acceptance, adaptation, exchanges of temperature levels. */
void cli_page_sampler(const cli_page *p);
/* Writes how to repeat the run. */
void cli_page_repeat(const cli_page *p);

/* Removes the folders of the user's disk from the text of the page. */
void cli_page_hide_folders(const cli_page *p, char *text);

#endif
