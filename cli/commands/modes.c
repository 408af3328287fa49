/* modes.c - `hiss modes`: the local optima that the draws of a file reach. */
#include <hiss/hiss.h>

#include <stdio.h>
#include <stdlib.h>

#include "cli/args/option.h"
#include "cli/commands/commands.h"
#include "cli/files/load.h"
#include "cli/print/json.h"
#include "cli/report/mode_list.h"
#include "cli/report/mode_look.h"

static const double EXACT_MAX = 262144;
/* Seconds, or this share of the run's own time if that is longer. */
static const double TIME_USUAL = 10, OF_RUN = 0.5;

struct arguments {
    cli_common common;
    cli_given given;
    double time_limit;
    bool all;
};

#define AT(field) offsetof(struct arguments, field)

static const cli_option options[] = {
    CLI_LOAD_OPTIONS(AT(given)),
    {"time-limit", 0, CLI_SECONDS, AT(time_limit), NULL, 0, 0,
     "TIME  stop after TIME and report on the draws checked so far; "
     "without it hiss checks as many as its price table allows in 10 "
     "s, or in half of the time of the run if that is longer"},
    {"all", 0, CLI_FLAG, AT(all), NULL, 0, 0,
     "check every draw, however long it takes"},
    {0},
};

static bool is_small(const hiss_result *result)
{
    hiss_run_info info = HISS_INIT(hiss_run_info);
    double count = 1;

    hiss_result_info(result, &info);
    for (int i = 0; i < info.dim; i++)
        count *= hiss_result_states(result, i);
    return count <= EXACT_MAX;
}

static void print_json(const struct arguments *a, const cli_mode_look *look,
                       const hiss_result *result)
{
    const hiss_modes *modes = look->modes;
    json_t *o = cli_json_object();
    hiss_run_info info = HISS_INIT(hiss_run_info);

    hiss_result_info(result, &info);
    cli_json_put_text(o, "version", hiss_version());
    cli_json_put_text(o, "file", a->common.words[0]);
    cli_json_put_text(o, "sampler", hiss_result_text(result, "sampler"));
    cli_json_put_bool(o, "exact", info.is_exact != 0);
    cli_json_put_whole(o, "found", hiss_modes_found(modes));
    cli_json_put_real(o, "transitions_per_1000", hiss_modes_transitions(modes));
    cli_json_put(o, "modes", cli_mode_list_json(modes, result));
    if (look->note)
        cli_json_put_text(o, "modes_note", look->note);
    cli_json_print(o);
}

static void print_text(const cli_mode_look *look, const hiss_result *result)
{
    char *sampler = cli_load_sampler(result);
    hiss_run_info info = HISS_INIT(hiss_run_info);

    hiss_result_info(result, &info);
    printf("sampler   %s\n\n", sampler);
    cli_mode_list_print(look->modes, result);
    if (look->note)
        printf("modes: %s\n", look->note);
    if (!info.is_exact)
        printf("\nwarning: the sampler is not exact: shares are those of "
               "another law than the model's\n");
    free(sampler);
}

static int show(const struct arguments *a, const hiss_result *result,
                const hiss_model *model)
{
    hiss_error err = {0};
    hiss_exact *exact = NULL;
    hiss_run_info info = HISS_INIT(hiss_run_info);
    cli_mode_look look = {.result = result,
                          .model = model,
                          .depth = CLI_MODES_FULL,
                          .seconds = a->time_limit,
                          .is_quiet = a->common.quiet};
    hiss_status status = HISS_OK;

    hiss_result_info(result, &info);
    if (!a->all && !(look.seconds > 0))
        look.work = OF_RUN * info.seconds > TIME_USUAL ? OF_RUN * info.seconds
                                                       : TIME_USUAL;
    if (is_small(result))
        status = hiss_exact_create(&exact, model, a->common.threads, &err);
    look.exact = exact;
    if (status == HISS_OK)
        status = cli_mode_look_make(&look, &err);
    if (status == HISS_OK && a->common.json)
        print_json(a, &look, result);
    else if (status == HISS_OK)
        print_text(&look, result);
    cli_mode_look_clear(&look);
    hiss_exact_destroy(exact);
    return status == HISS_OK ? CLI_DONE : cli_fail_status(status, &err);
}

static int run_modes(const void *arguments)
{
    const struct arguments *a = arguments;
    hiss_result *result = NULL;
    hiss_model *model = NULL;
    char *why = NULL;
    int code = cli_load_result(a->common.words[0], &result);

    if (code == CLI_DONE) {
        code = cli_load_model(result, &a->given, &model, &why);
        if (model && !a->given.model && !a->common.quiet)
            cli_load_tell(a->common.words[0], model);
        if (model)
            code = show(a, result, model);
        else if (code == CLI_DONE)
            code = cli_fail(CLI_BAD_CALL, "modes need the model: %s", why);
    }
    hiss_model_destroy(model);
    hiss_result_destroy(result);
    free(why);
    return code;
}

const cli_command cli_command_modes = {
    .name = "modes",
    .words = "FILE",
    .least_words = 1,
    .most_words = 1,
    .summary = "the local optima that the draws of a result file belong to",
    .about = "Reads FILE, a .nc or .csv that hiss sample wrote, ascends every "
             "draw to its local optimum by best single changes, and lists the "
             "optima by their share of the draws: log p, error, agreement of "
             "the chains, distance from the heaviest. The model is the one "
             "that the file names, if its files are unchanged, or --model. "
             "For small models the exact mass stands beside it, and modes "
             "that no draw belongs to are listed too.",
    .examples = "  hiss modes run.nc\n"
                "  hiss modes run.nc --model grid.uai --json\n",
    .options = options,
    .size = sizeof(struct arguments),
    .run = run_modes,
};
