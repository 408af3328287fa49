/* load.c - a result file, and the model that it was drawn from.
 *
 * A model is recognized by its energies: U of some draws must equal the stored
 * lp. */
#include "cli/files/load.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/files/open.h"
#include "cli/files/standard.h"

enum {
    DRAWS_COMPARED = 16
};

/* Messages name standard input, not its temporary file. */
static void rename_kept(hiss_error *err, const char *kept)
{
    size_t length = strlen(kept);
    char *rest;

    if (strncmp(err->message, kept, length) != 0)
        return;
    rest = cli_text("standard input%s", err->message + length);
    snprintf(err->message, sizeof err->message, "%s", rest);
    free(rest);
}

int cli_load_result(const char *path, hiss_result **out)
{
    hiss_error err = {0};
    char *kept = NULL;
    hiss_status status;

    *out = NULL;
    if (cli_is_standard(path) && cli_standard_result(&kept) != CLI_DONE)
        return CLI_BAD_CALL;
    status = hiss_result_read(out, kept ? kept : path, &err);
    if (kept) {
        cli_standard_remove(kept);
        rename_kept(&err, kept);
    }
    free(kept);
    return status == HISS_OK ? CLI_DONE : cli_fail_status(status, &err);
}

/* Up to rounding, because some models sum in single precision. */
static bool is_near(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-3 * (1 + fabs(a));
}

/* Whether the model gives the draws their stored energies. */
static char *compare(const hiss_result *result, const hiss_model *model)
{
    const double *lp = hiss_result_lp(result);
    hiss_run_info info = HISS_INIT(hiss_run_info);
    double *state;
    char *why = NULL;

    hiss_result_info(result, &info);
    if (hiss_model_dim(model) != info.dim)
        return cli_text("it has %d coordinates, the draws have %d",
                        hiss_model_dim(model), info.dim);
    state = cli_alloc((size_t)info.dim, sizeof *state);
    for (int k = 0; k < DRAWS_COMPARED && !why; k++) {
        int64_t n = k * info.chains * info.samples / DRAWS_COMPARED;
        double u = NAN;

        hiss_result_draw(result, (int)(n / info.samples), n % info.samples,
                         state);
        if (hiss_model_energy(model, state, &u, NULL) != HISS_OK ||
            !is_near(u, lp[n]))
            why = cli_text("it gives a draw log p = %.10g, where the file says "
                           "%.10g",
                           u, lp[n]);
    }
    free(state);
    return why;
}

int cli_load_model(const hiss_result *result, const cli_given *given,
                   hiss_model **out, char **why)
{
    const char *const plugins[] = {given->plugin, NULL};
    const hiss_given words = {.size = sizeof words,
                              .model = given->model,
                              .evidence = given->evidence,
                              .plugins = plugins};
    hiss_error err = {0};
    hiss_status status = hiss_result_model(out, result, &words, &err);
    char *odd = status == HISS_OK ? compare(result, *out) : NULL;

    *why = NULL;
    if (status == HISS_OK && !odd)
        return CLI_DONE;
    if (odd)
        *why = cli_text("%s is not the model of the draws: %s",
                        given->model ? given->model
                                     : hiss_result_text(result, "word"),
                        odd);
    else
        *why = cli_text("%s", err.message);
    free(odd);
    hiss_model_destroy(*out);
    *out = NULL;
    if (!given->model && !given->evidence && status != HISS_EREFUSED)
        return CLI_DONE;
    return cli_fail(CLI_BAD_CALL, "%s", *why);
}

char *cli_load_file(const hiss_model *model)
{
    return realpath(hiss_model_name(model), NULL);
}

void cli_load_tell(const char *result, const hiss_model *model)
{
    char *file = cli_load_file(model), *whole = realpath(result, NULL);
    char *end = file ? strrchr(file, '/') : NULL;
    size_t length = end ? (size_t)(end - file) + 1 : 0;

    if (end && whole &&
        (strncmp(file, whole, length) != 0 || strchr(whole + length, '/')))
        cli_note("the model is %s, by its SHA-256", file);
    free(file);
    free(whole);
}

hiss_status cli_load_describe(hiss_result *result, const cli_common *arguments,
                              hiss_error *err)
{
    char *line = cli_open_line(arguments);
    char *folder =
        arguments->folder ? cli_text("%s", arguments->folder) : getcwd(NULL, 0);
    hiss_status status = hiss_result_put(result, "command", line, err);

    if (!folder && errno == ENOMEM)
        status = HISS_ENOMEM;
    if (status == HISS_OK)
        status = hiss_result_put(result, "word", arguments->words[0], err);
    if (status == HISS_OK)
        status = hiss_result_put(result, "folder", folder, err);
    if (status == HISS_OK)
        status = hiss_result_put(result, "evidence", arguments->evidence, err);
    if (status == HISS_OK)
        status = hiss_result_put(result, "fix", arguments->fix, err);
    if (status == HISS_OK)
        status =
            hiss_result_put(result, "model_format", arguments->format, err);
    if (status == HISS_OK && arguments->evidence)
        status = hiss_result_add_input(result, arguments->evidence, err);
    free(line);
    free(folder);
    return status;
}

char *cli_load_sampler(const hiss_result *result)
{
    const char *name = hiss_result_text(result, "sampler");
    hiss_run_info info = HISS_INIT(hiss_run_info);

    hiss_result_info(result, &info);
    return cli_text("%s%s", name ? name : "",
                    info.is_exact ? "" : " (NOT EXACT)");
}
