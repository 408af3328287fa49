/* race.c - one sampler of a race. */
#include "cli/compare/race.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/paired.h"
#include "cli/files/open.h"
#include "cli/print/fail.h"
#include "cli/print/interrupt.h"
#include "cli/print/progress.h"
#include "cli/print/state.h"

enum {
    DRAWS_MAX = 65536, /* kept per chain, then thinned */
    THIN_MAX = 1000000000,
    COLUMNS_MIN = 8,
    COLUMNS_MAX = 64
};

static const double VALUES_MAX = 2e7; /* in columns whose ESS is computed */

const char *cli_race_spec(const char *word, int64_t *thin)
{
    const char *star = strchr(word, '*');
    char *end;

    *thin = 1;
    if (*word < '0' || *word > '9')
        return word;
    *thin = strtoll(word, &end, 10);
    if (*thin >= 1 && *thin <= THIN_MAX && end + strspn(end, " \t") == star)
        return star + 1 + strspn(star + 1, " \t");
    cli_fail(CLI_BAD_CALL,
             "%s: expected a sampler, or as in 10*gibbs the steps per draw "
             "and a sampler",
             word);
    return NULL;
}

bool cli_race_is_on(const cli_race_settings *set, cli_race_by by)
{
    return by == CLI_BY_EVALS  ? set->evals > 0
           : by == CLI_BY_TIME ? set->seconds > 0
                               : set->samples > 0;
}

static int draw(hiss_result **out, const hiss_model *model,
                const hiss_sampler *sampler, const cli_race_settings *set,
                const cli_racer *racer)
{
    cli_progress progress;
    hiss_settings settings;
    hiss_error err = {0};
    hiss_status status;
    hiss_run_info info = HISS_INIT(hiss_run_info);

    hiss_settings_init(&settings);
    settings.chains = set->chains * set->repetitions;
    settings.samples = racer->by == CLI_BY_DRAWS ? set->samples : 0;
    settings.samples_most = DRAWS_MAX;
    settings.thin = racer->thin;
    settings.warmup = set->warmup;
    settings.seed = set->seed;
    settings.threads = set->threads;
    if (racer->by == CLI_BY_TIME)
        settings.time_limit = set->seconds * set->repetitions;
    else if (racer->by == CLI_BY_EVALS)
        settings.evals = set->evals * set->repetitions;
    cli_progress_begin(&progress, "racing", set->is_quiet);
    settings.progress = cli_progress_show;
    settings.context = &progress;
    status = hiss_sample(out, model, sampler, &settings, &err);
    cli_progress_end(&progress);
    if (status != HISS_OK && status != HISS_ESTOP)
        return cli_fail_status(status, &err);
    if (cli_interrupt_signal())
        return cli_fail(CLI_SIGNAL + cli_interrupt_signal(),
                        "stopped, the race is not over");
    hiss_result_info(*out, &info);
    if (info.samples < 8)
        return cli_fail(
            CLI_BAD_CALL,
            "%s: %lld draws per chain are too few: raise --evals, --time or "
            "--samples, or lower --chains",
            hiss_sampler_spec(sampler), (long long)info.samples);
    return CLI_DONE;
}

/* ESS of one repetition's part of a column; infinite when it is constant. */
static hiss_status block_ess(const double *column, const hiss_run_info *info,
                             int repetition, int chains, double *ess,
                             hiss_error *err)
{
    hiss_column c = HISS_INIT(hiss_column);
    hiss_status status =
        hiss_describe(column + (int64_t)repetition * chains * info->samples,
                      chains, info->samples, &c, err);

    *ess = c.state == HISS_VARIES     ? c.ess_bulk
           : c.state == HISS_CONSTANT ? (double)INFINITY
                                      : 0;
    return status;
}

/* The smallest ESS of U and evenly spaced coordinates. */
static hiss_status measure_ess(cli_racer *racer, const hiss_result *result,
                               const cli_race_settings *set, hiss_error *err)
{
    hiss_run_info info = HISS_INIT(hiss_run_info);
    hiss_status status = HISS_OK;
    double *column, most;
    int count;

    hiss_result_info(result, &info);
    most = VALUES_MAX / ((double)info.chains * (double)info.samples);
    most = most < COLUMNS_MIN ? COLUMNS_MIN : most;
    most = most > COLUMNS_MAX ? COLUMNS_MAX : most;
    count = info.dim < most ? info.dim : (int)most;
    column =
        cli_alloc((size_t)info.chains * (size_t)info.samples, sizeof *column);
    for (int r = 0; r < set->repetitions; r++)
        racer->ess[r] = INFINITY;
    for (int n = -1; n < count && status == HISS_OK; n++) {
        hiss_result_column(
            result, n < 0 ? -1 : (int)((int64_t)n * info.dim / count), column);
        for (int r = 0; r < set->repetitions && status == HISS_OK; r++) {
            double ess;

            status = block_ess(column, &info, r, set->chains, &ess, err);
            racer->ess[r] = ess < racer->ess[r] ? ess : racer->ess[r];
        }
    }
    for (int r = 0; r < set->repetitions; r++)
        if (isinf(racer->ess[r]))
            racer->ess[r] = NAN; /* nothing moved, nothing had to */
    free(column);
    return status;
}

/* The distance from the law after each share of the draws. */
static void measure_error(cli_racer *racer, const hiss_result *result,
                          cli_law *law, const cli_race_settings *set)
{
    hiss_run_info info = HISS_INIT(hiss_run_info);
    double all;

    hiss_result_info(result, &info);
    all = (double)info.warmup + (double)info.samples * (double)info.thin;
    for (int r = 0; r < set->repetitions; r++)
        racer->error[r] = racer->cover[r] = NAN;
    for (int k = 0; k < CLI_RACE_POINTS; k++) {
        int64_t n = info.samples >> (CLI_RACE_POINTS - 1 - k);
        double steps = (double)info.warmup + (double)n * (double)info.thin;

        racer->curve[k] = racer->curve_se[k] = NAN;
        racer->curve_evals[k] = racer->evals * steps / all;
        if (!cli_law_metric(law) || n == 0)
            continue;
        for (int r = 0; r < set->repetitions; r++) {
            racer->error[r] =
                cli_law_distance(law, result, r * set->chains, set->chains, n);
            if (law->has_states)
                racer->cover[r] = law->seen / cli_state_count(law->model);
        }
        cli_mean(racer->error, set->repetitions, &racer->curve[k],
                 &racer->curve_se[k]);
    }
}

int cli_race_run(cli_racer *racer, const char *word, const hiss_model *model,
                 cli_law *law, const cli_race_settings *set)
{
    size_t repetitions = (size_t)set->repetitions;
    const char *spec = cli_race_spec(word, &racer->thin);
    hiss_sampler *sampler = NULL;
    hiss_result *result = NULL;
    hiss_error err = {0};
    hiss_run_info info = HISS_INIT(hiss_run_info);
    hiss_status status;
    int code = spec ? cli_open_sampler(spec, NULL, &sampler) : CLI_BAD_CALL;

    if (code == CLI_DONE)
        code = draw(&result, model, sampler, set, racer);
    if (code == CLI_DONE) {
        hiss_result_info(result, &info);
        racer->sampler = cli_text("%s", word);
        racer->is_exact = info.is_exact != 0;
        racer->evals =
            (info.energy_evals + info.gradient_evals) / set->repetitions;
        racer->seconds = info.seconds / set->repetitions;
        racer->draws = info.samples;
        racer->error = cli_alloc(repetitions, sizeof *racer->error);
        racer->cover = cli_alloc(repetitions, sizeof *racer->cover);
        racer->ess = cli_alloc(repetitions, sizeof *racer->ess);
        measure_error(racer, result, law, set);
        status = measure_ess(racer, result, set, &err);
        if (status != HISS_OK)
            code = cli_fail_status(status, &err);
    }
    hiss_result_destroy(result);
    hiss_sampler_destroy(sampler);
    return code;
}

void cli_racer_clear(cli_racer *racer)
{
    free(racer->sampler);
    free(racer->error);
    free(racer->cover);
    free(racer->ess);
    *racer = (cli_racer){0};
}
