/* verify.c - `hiss verify`: does a sampler keep the distribution? */
#include <hiss/hiss.h>

#include <stdlib.h>
#include <string.h>

#include "cli/args/option.h"
#include "cli/commands/commands.h"
#include "cli/files/kernel_pipe.h"
#include "cli/files/open.h"
#include "cli/files/output.h"
#include "cli/files/standard.h"
#include "cli/print/interrupt.h"
#include "cli/print/progress.h"
#include "cli/report/kept.h"

struct arguments {
    cli_common common;
    const char *sampler, *kernel, *pairs, *device;
    const char *kernel_format;
    int64_t replicates, steps, batch, calls;
    double kernel_time;
};

#define AT(field) offsetof(struct arguments, field)

/* Smallest number of replicates of an early test, and its level. */
static const int64_t FEWEST = 5000;
static const double EARLY = 1e-5;

static const cli_option options[] = {
    {"sampler", 0, CLI_TEXT, AT(sampler), NULL, 0, 0,
     "SPEC  what to test; hiss list samplers"},
    {"kernel", 0, CLI_TEXT, AT(kernel), NULL, 0, 0,
     "COMMAND  test a program of your own, states through its standard "
     "streams; with --sampler its transitions are compared with those"},
    {"replicates", 0, CLI_LONG, AT(replicates), "1000000", 1, 2000000000,
     "N  exact draws that the sampler is applied to"},
    {"steps", 0, CLI_LONG, AT(steps), "0", 0, 65536,
     "N  steps in a row that chains with common clocks make; 0: 16 to 64"},
    CLI_GIVEN_OPTIONS,
    {"kernel-format", 0, CLI_TEXT, AT(kernel_format), "binary", 0, 0,
     "FORMAT  binary or text: of the states to and from COMMAND"},
    {"kernel-time", 0, CLI_SECONDS, AT(kernel_time), "60s", 0, 0,
     "TIME  that it may take for one call"},
    {"batch", 0, CLI_LONG, AT(batch), "0", 0, 2000000000,
     "N  states of one call of COMMAND, at most; 0: a sixteenth of the "
     "replicates, and 65536"},
    {"calls", 0, CLI_LONG, AT(calls), "40000", 0, 100000000,
     "N  calls of COMMAND with one state each; 0: none"},
    {"device", 0, CLI_TEXT, AT(device), NULL, 0, 0,
     "DEVICE  who makes the steps: cpu (as usual), cuda, cuda:N, or auto"},
    {"pairs", 0, CLI_TEXT, AT(pairs), NULL, 0, 0,
     "FILE  write the counts of transitions, CSV: from,to,count"},
    {0},
};

/* A kernel that wrote too much is detected when it ends. */
static hiss_status check_kernel(const struct arguments *a,
                                const hiss_model *model,
                                const hiss_sampler *sampler,
                                const hiss_verify_settings *settings,
                                hiss_verdict **out, hiss_error *err)
{
    cli_kernel_pipe pipe = {.is_text = strcmp(a->kernel_format, "text") == 0,
                            .seconds = a->kernel_time};
    hiss_kernel kernel = {.size = sizeof kernel,
                          .name = "the kernel",
                          .apply = cli_kernel_pipe_apply,
                          .context = &pipe};
    hiss_error end = {0};
    hiss_status status;

    if (!cli_kernel_pipe_open(&pipe, a->kernel, err))
        return err->status;
    status = hiss_verify_kernel(out, model, &kernel, sampler, settings, err);
    if (!cli_kernel_pipe_close(&pipe, status == HISS_OK, &end)) {
        *err = end;
        status = end.status;
    }
    return status;
}

/* Fewer replicates detect a large error, so a hundredth and a tenth of them are
 * tested first.  EARLY is so small that the three tests together keep the
 * false-alarm rate of the last. */
static hiss_status check_in_stages(const hiss_model *model,
                                   const hiss_sampler *sampler,
                                   const hiss_verify_settings *settings,
                                   hiss_verdict **out, hiss_error *err)
{
    hiss_status status = HISS_OK;

    for (int64_t part = 100; part > 1 && status == HISS_OK; part /= 10) {
        hiss_verify_result r = HISS_INIT(hiss_verify_result);
        hiss_verify_settings few = *settings;

        few.replicates = settings->replicates / part;
        if (few.replicates < FEWEST || settings->pairs)
            continue;
        status = hiss_verify(out, model, sampler, &few, err);
        if (status != HISS_OK)
            return status;
        hiss_verdict_result(*out, &r);
        if (r.verdict == HISS_BROKEN && r.p_value <= EARLY)
            return HISS_OK;
        hiss_verdict_destroy(*out);
        *out = NULL;
    }
    return hiss_verify(out, model, sampler, settings, err);
}

static int check(const struct arguments *a, const hiss_model *model,
                 const hiss_sampler *sampler, hiss_verdict **out)
{
    hiss_verify_settings settings;
    cli_progress progress;
    bool is_standard = cli_is_standard(a->pairs);
    char *kept = is_standard ? cli_standard_begin() : NULL;
    hiss_error err = {0};
    hiss_status status;
    int code = CLI_DONE;

    if (is_standard && !kept)
        return CLI_FAULT;
    hiss_verify_settings_init(&settings);
    settings.replicates = a->replicates;
    settings.steps = a->steps;
    settings.seed = (uint64_t)a->common.seed;
    settings.threads = a->common.threads;
    settings.pairs = kept ? kept : a->pairs;
    settings.replace = a->common.force;
    settings.device = a->device;
    settings.progress = cli_progress_show;
    settings.context = &progress;
    cli_progress_begin(&progress, "verifying", a->common.quiet);
    cli_interrupt_defer(a->common.quiet);
    settings.batch = a->batch;
    settings.calls = a->calls;
    status = a->kernel ? check_kernel(a, model, sampler, &settings, out, &err)
                       : check_in_stages(model, sampler, &settings, out, &err);
    cli_progress_end(&progress);
    if (kept && status == HISS_OK)
        code = cli_standard_end(kept);
    else if (kept)
        cli_standard_remove(kept);
    free(kept);
    if (status == HISS_ESTOP && cli_interrupt_signal())
        return cli_fail(CLI_SIGNAL + cli_interrupt_signal(),
                        "stopped, there is no verdict");
    return status == HISS_OK ? code : cli_fail_status(status, &err);
}

static int check_call(const struct arguments *a)
{
    if (!a->sampler && !a->kernel)
        return cli_usage_fail(&cli_command_verify,
                              "verify: --sampler SPEC is missing, or --kernel "
                              "COMMAND");
    if (strcmp(a->kernel_format, "binary") != 0 &&
        strcmp(a->kernel_format, "text") != 0)
        return cli_usage_fail(&cli_command_verify,
                              "verify: --kernel-format is '%s', expected "
                              "binary or text",
                              a->kernel_format);
    return CLI_DONE;
}

static int run_verify(const void *arguments)
{
    const struct arguments *a = arguments;
    hiss_model *model = NULL;
    hiss_sampler *sampler = NULL;
    hiss_verdict *verdict = NULL;
    int code = check_call(a);

    if (code == CLI_DONE)
        code = cli_standard_claim(&a->common, a->pairs, ".csv");
    if (code == CLI_DONE && a->pairs)
        code = cli_output_check(a->pairs, a->common.force);
    if (code == CLI_DONE && a->sampler)
        code = cli_open_sampler(a->sampler, NULL, &sampler);
    if (code == CLI_DONE)
        code = cli_open_model(&a->common, &model);
    if (code == CLI_DONE)
        code = check(a, model, sampler, &verdict);
    if (code == CLI_DONE) {
        cli_open_note(&a->common, model);
        code = cli_kept_print(&(cli_kept){model, sampler, a->kernel, verdict},
                              a->common.json);
    }
    hiss_verdict_destroy(verdict);
    hiss_sampler_destroy(sampler);
    hiss_model_destroy(model);
    return code;
}

const cli_command cli_command_verify = {
    .name = "verify",
    .words = "MODEL",
    .least_words = 1,
    .most_words = 1,
    .summary = "is the law of a small model kept by a sampler?",
    .about = "Draws states exactly from MODEL, which must be small enough to "
             "be enumerated, and applies the sampler: once to each; then "
             "several times in a row to chains that have their clocks, and so "
             "their shared random choices, in common, as in a run. Where "
             "states end is compared with the law by a chi-square test, and "
             "with where they began by paired tests of U, of all marginals "
             "and of all pairs. The p-value is corrected for the number of "
             "tests; at p <= 1e-4 the law is not kept. Where too little "
             "moved, the law is undecided. Exit code 0 when it is "
             "kept, 4 when it is undecided, 1 when it is not kept.\n"
             "The counts of (x,x') are compared with those of (x',x) as well, "
             "whether the sampler claims to be reversible or not.\n"
             "With --kernel the transitions are those of a program of your "
             "own, in any language: for each call it reads a line \"N DIM "
             "SEED\" and N states of DIM values, and writes N states "
             "(docs/judge.md has examples). It is also called with one state "
             "at a time, which finds adaptation that never ends. The report "
             "says which states gain and lose mass, and why.",
    .examples =
        "  hiss verify bernoulli4 --sampler 'hiss(eta=4,inner=gwg)'\n"
        "  hiss verify 'ising(side=3,beta=0.4)' --sampler 'dula(alpha=4)'\n"
        "  hiss verify 'ising(side=3,beta=0.4)' --kernel 'python3 mine.py' "
        "--sampler gwg\n",
    .options = options,
    .size = sizeof(struct arguments),
    .run = run_verify,
};
