/* mode_look.c - searches for the modes of a result within a work limit. */
#include "cli/report/mode_look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print/fail.h"
#include "cli/print/progress.h"

enum {
    DIM_MAX = 4096 /* most coordinates for a quick search */
};

static const double QUICK = 1, OF_RUN = 0.5; /* priced seconds, and share of the
                                                run's */

int cli_mode_depth_read(const cli_command *command, const char *word,
                        cli_mode_depth usual, cli_mode_depth *out)
{
    static const char *const words[] = {"no", "quick", "full"};

    *out = usual;
    if (!word)
        return CLI_DONE;
    for (int n = 0; n < 3; n++)
        if (strcmp(word, words[n]) == 0) {
            *out = (cli_mode_depth)n;
            return CLI_DONE;
        }
    return cli_usage_fail(command, "--modes: '%.64s' is not no, quick or full",
                          word);
}

/* In priced seconds, so that no clock decides how many draws are checked. */
static double work_for(const cli_mode_look *look, const hiss_run_info *info)
{
    double own = OF_RUN * info->seconds;

    if (look->depth == CLI_MODES_FULL)
        return look->work;
    return own > QUICK ? own : QUICK;
}

static void tell(cli_mode_look *look, const hiss_run_info *info)
{
    hiss_ended ended = hiss_modes_ended(look->modes);
    long long all = (long long)info->chains * info->samples;

    if (ended != HISS_ENDED_DONE)
        look->note = cli_text(
            "from %lld of %lld draws%s",
            (long long)info->chains * hiss_modes_looked(look->modes), all,
            ended == HISS_ENDED_TIME ? ", by the work limit" : "");
}

hiss_status cli_mode_look_make(cli_mode_look *look, hiss_error *err)
{
    hiss_run_info info = HISS_INIT(hiss_run_info);
    hiss_modes_settings settings;
    cli_progress progress;
    hiss_status status;

    hiss_result_info(look->result, &info);
    if (look->depth == CLI_MODES_NO)
        return HISS_OK;
    if (look->depth == CLI_MODES_QUICK && info.dim > DIM_MAX) {
        look->note = cli_text("no search: %d coordinates are too many to "
                              "do it quickly (--modes full)",
                              info.dim);
        return HISS_OK;
    }
    fflush(stdout); /* a signal may end the process here */
    hiss_modes_settings_init(&settings);
    settings.seconds = look->seconds;
    settings.work = work_for(look, &info);
    settings.is_full = look->depth == CLI_MODES_FULL;
    cli_progress_begin(&progress, "modes", look->is_quiet);
    settings.progress = cli_progress_show;
    settings.context = &progress;
    status = hiss_modes_look(&look->modes, look->result, look->model,
                             look->exact, &settings, err);
    cli_progress_end(&progress);
    if (status == HISS_ESTOP) {
        look->note = cli_text("no search: the work limit leaves too little");
        return HISS_OK;
    }
    if (status == HISS_OK)
        tell(look, &info);
    return status;
}

void cli_mode_look_clear(cli_mode_look *look)
{
    hiss_modes_destroy(look->modes);
    free(look->note);
    look->modes = NULL;
    look->note = NULL;
}
