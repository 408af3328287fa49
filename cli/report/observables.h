/* observables.h - the user's observables of every draw, with diagnostics. */
#ifndef HISS_CLI_REPORT_OBSERVABLES_H
#define HISS_CLI_REPORT_OBSERVABLES_H

#include <hiss/hiss.h>

#include <jansson.h>

typedef struct cli_observable {
    char *text; /* owned */
    hiss_column column;
} cli_observable;

typedef struct cli_observables {
    cli_observable *at; /* owned */
    int count;
} cli_observables;

/* Expressions separated by ;, or NULL for those of a lattice.  The model, which
 * may be NULL, gives the bonds.  Returns the exit code, 0 on success. */
int cli_observables_init(cli_observables *o, const hiss_result *result,
                         const hiss_model *model, const char *text);
/* Checks that draws of this many chains have each of them; returns the exit
 * code. */
int cli_observables_check(const hiss_model *model, int chains,
                          const char *text);
void cli_observables_clear(cli_observables *o);

json_t *cli_observables_json(const cli_observables *o);
/* Prints a table of the first ones, or nothing if there are none. */
void cli_observables_print(const cli_observables *o, int most);

#endif
