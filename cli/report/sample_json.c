/* sample_json.c - the JSON of `hiss sample`; programs rely on its keys. */
#include "cli/report/report.h"

#include "cli/print/json.h"
#include "cli/print/objective.h"
#include "cli/report/columns.h"
#include "cli/report/mode_list.h"
#include "cli/report/tempering.h"

static json_t *evaluations(const hiss_run_info *info)
{
    json_t *object = cli_json_object();

    cli_json_put_number(object, "energy", info->energy_evals);
    cli_json_put_number(object, "gradient", info->gradient_evals);
    return object;
}

static json_t *acceptance(const hiss_result *result)
{
    json_t *object = cli_json_object();
    const char *name;
    double rate;

    for (int n = 0; hiss_result_acceptance(result, n, &name, &rate); n++)
        cli_json_put_real(object, name, rate);
    return object;
}

static json_t *energy(const cli_figures *figures)
{
    const hiss_column *column = &figures->energy;
    json_t *object = cli_json_object();

    cli_json_put_real(object, "mean", column->mean);
    cli_json_put_real(object, "max", figures->energy_max);
    cli_json_put_real(object, "sd", column->sd);
    cli_json_put_real(object, "mcse", column->mcse);
    cli_json_put_real(object, "ess_bulk", column->ess_bulk);
    cli_json_put_real(object, "ess_tail", column->ess_tail);
    cli_json_put_real(object, "rhat", column->rhat);
    cli_json_put_text(object, "state", cli_column_word(column->state, false));
    return object;
}

/* Writes log p, also under its old name, and the objective that follows from
 * it. */
static void put_log_p(json_t *o, const cli_report *report)
{
    cli_objective in = cli_objective_of(report->model);

    cli_json_put(o, "log_p", energy(&report->figures));
    cli_json_put(o, "energy", energy(&report->figures));
    cli_objective_put(o, &in, hiss_model_beta(report->model));
    cli_json_put(o, "objective",
                 cli_column_objective(&in, &report->figures.energy,
                                      report->figures.energy_max));
}

static json_t *coordinate_states(const cli_figures *figures)
{
    json_t *object = cli_json_object();

    cli_json_put_whole(object, "varying", figures->varying);
    cli_json_put_whole(object, "certain", figures->certain);
    cli_json_put_whole(object, "constant", figures->constant);
    cli_json_put_whole(object, "stuck", figures->stuck);
    return object;
}

static json_t *texts(const cli_warnings *warnings)
{
    json_t *array = cli_json_array();

    for (int w = 0; w < warnings->count; w++)
        cli_json_add(array, cli_json_text(warnings->at[w]));
    return array;
}

/* Writes a text of the library, or null. */
static void put_free(json_t *object, const char *key, char *text)
{
    cli_json_put_text(object, key, text);
    hiss_free(text);
}

const char *cli_report_ended(hiss_ended ended)
{
    switch (ended) {
    case HISS_ENDED_DONE:
        return "done";
    case HISS_ENDED_STOPPED:
        return "stopped";
    case HISS_ENDED_EVALS:
        return "evals";
    case HISS_ENDED_TIME:
        return "time";
    case HISS_ENDED_ESS:
        return "ess";
    }
    return "";
}

void cli_report_json(const cli_report *report)
{
    const hiss_run_info *info = &report->info;
    const cli_figures *figures = &report->figures;
    json_t *o = cli_json_object();

    cli_json_put_text(o, "version", hiss_version());
    cli_json_put_text(o, "model", hiss_model_name(report->model));
    cli_json_put_text(o, "reads_as", hiss_model_reads_as(report->model));
    cli_json_put_text(o, "sampler", hiss_sampler_spec(report->sampler));
    cli_json_put_bool(o, "exact", info->is_exact != 0);
    cli_json_put_whole(o, "dim", info->dim);
    cli_json_put_whole(o, "chains", info->chains);
    cli_json_put_whole(o, "replicas", info->replicas);
    cli_json_put_whole(o, "samples", info->samples);
    cli_json_put_whole(o, "warmup", info->warmup);
    cli_json_put_whole(o, "thin", info->thin);
    cli_json_put_whole(o, "seed", (int64_t)info->seed);
    cli_json_put_whole(o, "threads", info->threads);
    cli_json_put_text(o, "device", hiss_result_device(report->result));
    cli_json_put_whole(o, "ranks", info->ranks);
    cli_json_put_text(o, "isa", hiss_isa());
    cli_json_put_real(o, "seconds", info->seconds);
    cli_json_put_text(o, "ended", cli_report_ended(info->ended));
    cli_json_put(o, "evals", evaluations(info));
    cli_json_put(o, "accept", acceptance(report->result));
    cli_json_put_text(o, "tuning", hiss_result_tuning(report->result));
    cli_tempering_json(o, report->result);
    put_log_p(o, report);
    cli_json_put_real(o, "ess_min", figures->ess_min);
    cli_json_put_real(o, "rhat_max", figures->rhat_max);
    cli_json_put_whole(o, "coordinates_checked", figures->count);
    cli_json_put(o, "coordinate_states", coordinate_states(figures));
    cli_json_put(o, "observables", cli_observables_json(&report->observables));
    cli_json_put_text(o, "note", hiss_model_note(report->model));
    cli_json_put_text(o, "output", report->output);
    if (report->look.modes)
        cli_json_put(o, "modes",
                     cli_mode_list_json(report->look.modes, report->result));
    if (report->look.note)
        cli_json_put_text(o, "modes_note", report->look.note);
    cli_json_put(o, "warnings", texts(&report->warnings));
    cli_json_put_text(
        o, "verdict",
        hiss_opinion_word(hiss_diagnosis_opinion(figures->diagnosis)));
    cli_json_put_text(o, "advice", cli_warnings_advice(figures->diagnosis));
    put_free(o, "exact_answers",
             report->exact ? NULL
                           : hiss_advice_exact(report->result, report->model,
                                               HISS_SHELL));
    cli_json_print(o);
}
