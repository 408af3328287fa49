/* bnn_job.c - one run of one sampler on one data set, drawn and scored; and
 * how lambda and eta are chosen by such runs.
 *
 * The choice: a fifth of the training cases is set aside, 16 networks are
 * drawn given the others, and the value with the smallest squared error of the
 * ensemble on the cases set aside is taken.  First lambda by DMALA, then, at
 * that lambda, eta by HiSS.  Test cases are not used. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print/interrupt.h"
#include "cli/print/json.h"
#include "paper/networks/bnn.h"

enum {
    TIMES_MAX = 201, /* at which an ensemble is scored */
    TRIED_NETWORKS = 16,
    CARD_TRIED = 40, /* samples, and as many before them */
    REPLICAS = 4,
    REFINE = 5,
    DMALA = 1,
    HISS = 4
};

static const double LAMBDAS[] = {0, 0.01, 0.1, 0.001};
static const double ETAS[] = {0.1, 1, 0.005, 0.05, 0.2, 0.5, 2, 4, 5};

double bnn_number(const json_t *numbers, const char *name)
{
    const json_t *value = json_object_get(numbers, name);

    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* --- samplers ------------------------------------------------------------ */

char *bnn_sampler(int s, bool is_tuned, int thin, double eta)
{
    const char *alpha = is_tuned ? "auto" : "0.1";

    switch (s) {
    case 0:
        return cli_text("gwg");
    case BNN_GIBBS:
        return cli_text("gibbs");
    case DMALA:
        return cli_text("dmala(alpha=%s)", alpha);
    case 2:
        return is_tuned
                   ? cli_text("acs(tune=yes,cycle=4,hold=1)")
                   : cli_text("acs(tune=no,alpha=0.1,cycle=1,hold=%d)", thin);
    case 3:
        return is_tuned ? cli_text("pt(base=dmala(alpha=auto),levels=%d,"
                                   "max_temperature=20)",
                                   REPLICAS)
                        : cli_text("pt(base=dmala(alpha=0.1),levels=%d,"
                                   "max_temperature=1000,swap_every=20)",
                                   REPLICAS);
    default:
        return cli_text("hiss(eta=%g,sweeps=%d,steps=%d,inner=dmala(alpha=%s))",
                        eta, thin / REFINE, REFINE, alpha);
    }
}

int bnn_steps(int s, int thin)
{
    int each = thin / REPLICAS > 0 ? thin / REPLICAS : 1;

    return s == 3 ? each : s >= HISS ? 1 : thin;
}

/* --- one run ------------------------------------------------------------- */

static char *command_of(const bnn_job *job)
{
    return cli_text("hiss sample '%s' --sampler '%s' --chains %d --samples %d "
                    "--thin %d --warmup %d --seed %llu%s%s -o draws.nc",
                    job->model, job->sampler, job->networks,
                    job->samples / job->every, job->steps * job->every,
                    job->burn * job->steps, (unsigned long long)job->seed,
                    job->device ? " --device " : "",
                    job->device ? job->device : "");
}

static double acceptance_of(const hiss_result *result)
{
    const char *name;
    double rate, last = NAN;

    for (int k = 0; hiss_result_acceptance(result, k, &name, &rate); k++)
        if (hiss_result_counted(result, k) == HISS_COUNTED_STEPS)
            last = rate;
    return last;
}

static double jump_of(const hiss_result *result)
{
    const char *name;
    double rate;

    for (int k = 0; hiss_result_acceptance(result, k, &name, &rate); k++)
        if (hiss_result_counted(result, k) == HISS_COUNTED_JUMPS)
            return rate;
    return NAN;
}

static int put_numbers(const hiss_model *model, const hiss_result *result,
                       const bnn_job *job, json_t *out)
{
    double score[BNN_SCORES], rhat = NAN;
    hiss_column column = {.size = sizeof column, .mean = NAN, .rhat = NAN};
    char *command = command_of(job);
    hiss_run_info info = HISS_INIT(hiss_run_info);
    int code =
        bnn_score_draws(model, result, job->device, TIMES_MAX, score, &rhat);

    hiss_result_info(result, &info);
    hiss_result_energy(result, &column, NULL);
    for (int s = 0; s < BNN_SCORES; s++)
        cli_json_put_real(out, bnn_score_names[s], score[s]);
    cli_json_put_real(out, "samples", job->samples);
    cli_json_put_real(out, "burn_in", job->burn);
    cli_json_put_real(out, "acceptance", acceptance_of(result));
    cli_json_put_real(out, "jump_acceptance", jump_of(result));
    cli_json_put_real(out, "energy", column.mean);
    cli_json_put_real(out, "rhat", column.rhat);
    cli_json_put_real(out, "prediction_rhat", rhat);
    cli_json_put_real(out, "evaluations",
                      info.energy_evals + info.gradient_evals);
    cli_json_put_text(out, "command", command);
    free(command);
    return code;
}

/* The model of a job; reading data again takes as long as a short run. */
static hiss_status take_model(bnn_parts *parts, const char *spec,
                              hiss_error *err)
{
    if (parts->model && strcmp(parts->spec, spec) == 0)
        return HISS_OK;
    hiss_model_destroy(parts->model);
    free(parts->spec);
    parts->model = NULL;
    parts->spec = cli_text("%s", spec);
    return hiss_model_create(&parts->model, spec, err);
}

static int score(bnn_parts *parts, const hiss_result *result,
                 const bnn_job *job)
{
    json_t *out = cli_json_object();
    int code = put_numbers(parts->model, result, job, out);

    if (code == CLI_DONE)
        return bnn_parts_add(parts, job->part, out);
    json_decref(out);
    return code;
}

static int draw(bnn_parts *parts, paper_run *run, const bnn_job *job)
{
    hiss_sampler *sampler = NULL;
    hiss_result *result = NULL;
    hiss_settings settings;
    hiss_error err = {0};
    hiss_status status = take_model(parts, job->model, &err);
    int code = CLI_DONE;

    if (status == HISS_OK)
        status = hiss_sampler_create(&sampler, job->sampler, &err);
    hiss_settings_init(&settings);
    settings.chains = job->networks;
    settings.samples = job->samples / job->every;
    settings.thin = (int64_t)job->steps * job->every;
    settings.device = job->device;
    settings.warmup = (int64_t)job->burn * job->steps;
    settings.seed = job->seed;
    settings.threads = run->threads;
    settings.progress = paper_pace_progress;
    settings.context = run->pace;
    if (status == HISS_OK)
        status = hiss_sample(&result, parts->model, sampler, &settings, &err);
    if (cli_interrupt_signal())
        code = CLI_SIGNAL + cli_interrupt_signal();
    else if (status != HISS_OK)
        code = cli_fail_status(status, &err);
    else
        code = score(parts, result, job);
    hiss_result_destroy(result);
    hiss_sampler_destroy(sampler);
    return code;
}

const json_t *bnn_job_numbers(const bnn_parts *parts, const bnn_job *job)
{
    return bnn_parts_find(parts, job->part);
}

int bnn_job_run(bnn_parts *parts, paper_run *run, const bnn_job *job)
{
    paper_pace_part(run->pace, run->experiment->name, job->part, 1);
    return bnn_job_numbers(parts, job) ? CLI_DONE : draw(parts, run, job);
}

/* --- the choice ---------------------------------------------------------- */

static int lambdas_of(const paper_run *run)
{
    return run->mode == PAPER_QUICK ? 3
                                    : (int)(sizeof LAMBDAS / sizeof(double));
}

/* The paper's eta is tried, too. */
static int etas_of(const paper_run *run)
{
    return run->mode == PAPER_QUICK ? 2 : (int)(sizeof ETAS / sizeof(double));
}

int bnn_choices(const paper_run *run)
{
    return lambdas_of(run) + etas_of(run) + 1;
}

static int try_value(bnn_parts *parts, paper_run *run, const bnn_set *set,
                     int s, double lambda, double eta, double *error)
{
    bool is_card = run->mode == PAPER_CARD;
    int thin = set->thin[is_card ? PAPER_CARD : PAPER_QUICK];
    int more = run->mode == PAPER_QUICK ? 1 : 2;
    char *model =
        cli_text("bnn(data=%s,lambda=%g,validation=0.2)", set->name, lambda);
    char *sampler = bnn_sampler(s, true, thin, eta);
    char *part = s == HISS ? cli_text("%s: eta=%g", set->title, eta)
                           : cli_text("%s: lambda=%g", set->title, lambda);
    bnn_job job = {.part = part,
                   .model = model,
                   .sampler = sampler,
                   .networks = TRIED_NETWORKS,
                   .burn = is_card ? CARD_TRIED
                                   : more * ((set->burn[PAPER_QUICK] + 1) / 2),
                   .samples =
                       is_card ? CARD_TRIED
                               : more * ((set->samples[PAPER_QUICK] + 1) / 2),
                   .steps = bnn_steps(s, thin),
                   .every = 1,
                   .device = run->device,
                   .seed = run->seed};
    int code = bnn_job_run(parts, run, &job);

    *error = bnn_number(bnn_job_numbers(parts, &job),
                        bnn_score_names[BNN_VALIDATION_MSE]);
    free(model);
    free(sampler);
    free(part);
    return code;
}

int bnn_choose_lambda(bnn_parts *parts, paper_run *run, const bnn_set *set,
                      double *lambda)
{
    double least = INFINITY, error;
    int code = CLI_DONE;

    *lambda = 0;
    for (int k = 0; k < lambdas_of(run) && code == CLI_DONE; k++) {
        code = try_value(parts, run, set, DMALA, LAMBDAS[k], 0, &error);
        if (code == CLI_DONE && error < least) {
            least = error;
            *lambda = LAMBDAS[k];
        }
    }
    return code;
}

int bnn_choose_eta(bnn_parts *parts, paper_run *run, const bnn_set *set,
                   double lambda, double *eta)
{
    double least = INFINITY, error;
    int code = CLI_DONE;

    *eta = set->eta;
    for (int k = -1; k < etas_of(run) && code == CLI_DONE; k++) {
        double tried = k < 0 ? set->eta : ETAS[k];

        code = try_value(parts, run, set, HISS, lambda, tried, &error);
        if (code == CLI_DONE && error < least) {
            least = error;
            *eta = tried;
        }
    }
    return code;
}
