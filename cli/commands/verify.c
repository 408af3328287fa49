/* verify.c - `hiss verify`: does a sampler keep the law?
 *
 * Exit code 1 says that it does not, or that it could not be decided. */
#include <hiss/hiss.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/args/option.h"
#include "cli/commands/commands.h"
#include "cli/files/open.h"
#include "cli/files/output.h"
#include "cli/files/standard.h"
#include "cli/print/interrupt.h"
#include "cli/print/json.h"
#include "cli/print/progress.h"
#include "cli/print/table.h"
#include "cli/report/warnings.h"

static const double P_UNSURE = 1e-4, P_HOPELESS = 1e-8;

static const char *const verdicts[] = {
    [HISS_BROKEN] = "broken",
    [HISS_KEPT] = "kept",
    [HISS_UNDECIDED] = "undecided",
};

struct arguments {
    cli_common common;
    const char *sampler, *pairs;
    int64_t replicates, steps;
};

#define AT(field) offsetof(struct arguments, field)

static const cli_option options[] = {
    {"sampler", 0, CLI_TEXT, AT(sampler), NULL, 0, 0,
     "SPEC  what to test; hiss list samplers"},
    {"replicates", 0, CLI_LONG, AT(replicates), "1000000", 1, 2000000000,
     "N  exact draws that the sampler is applied to"},
    {"steps", 0, CLI_LONG, AT(steps), "0", 0, 65536,
     "N  steps in a row that chains with common clocks make; 0: 4 to 64"},
    CLI_GIVEN_OPTIONS,
    {"pairs", 0, CLI_TEXT, AT(pairs), NULL, 0, 0,
     "FILE  write the counts of transitions, CSV: from,to,count"},
    {0},
};

static void judge(const hiss_verify_result *r, cli_warnings *warnings)
{
    if (!r->claims_exact)
        cli_warnings_add(warnings, "the sampler is not exact: it does not "
                                   "claim to keep the law");
    if (r->verdict == HISS_UNDECIDED)
        cli_warnings_add(
            warnings,
            "not enough movement to decide: %.3g of %lld replicates "
            "moved, and a sampler that does not move passes; "
            "take more --replicates, more --steps, or options "
            "with which it moves",
            r->moved, (long long)r->replicates);
    if (r->p_value > P_HOPELESS && r->p_value < P_UNSURE)
        cli_warnings_add(warnings, "the p-value is small but not hopeless: "
                                   "run once more with another --seed and "
                                   "ten times the --replicates");
}

static json_t *tests_json(const hiss_verdict *verdict)
{
    json_t *array = cli_json_array();
    hiss_verify_test test = HISS_INIT(hiss_verify_test);

    for (int n = 0; hiss_verdict_test(verdict, n, &test); n++) {
        json_t *object = cli_json_object();

        cli_json_put_text(object, "name", test.name);
        cli_json_put_real(object, "statistic", test.statistic);
        cli_json_put_number(object, "freedom", test.freedom);
        cli_json_put_real(object, "p_value", test.p_value);
        cli_json_put_whole(object, "steps", test.steps);
        cli_json_put_whole(object, "members", test.members);
        cli_json_put_text(object, "worst", *test.worst ? test.worst : NULL);
        cli_json_add(array, object);
    }
    return array;
}

static void put_result(json_t *o, const hiss_verdict *verdict,
                       const hiss_verify_result *r)
{
    json_t *reversible = cli_json_object();
    hiss_verify_test worst = HISS_INIT(hiss_verify_test);

    hiss_verdict_test(verdict, r->worst, &worst);
    cli_json_put_bool(reversible, "claimed", r->claims_reversible != 0);
    cli_json_put_real(reversible, "p_value", r->reversible_p_value);
    cli_json_put_bool(o, "exact", r->claims_exact != 0);
    cli_json_put_whole(o, "replicates", r->replicates);
    cli_json_put_number(o, "states", r->states);
    cli_json_put_real(o, "moved", r->moved);
    cli_json_put_real(o, "statistic", r->statistic);
    cli_json_put_number(o, "freedom", r->freedom);
    cli_json_put_real(o, "p_value", r->p_value);
    cli_json_put_text(o, "worst", worst.name);
    cli_json_put_text(o, "verdict", verdicts[r->verdict]);
    cli_json_put_bool(o, "invariant", r->is_invariant != 0);
    cli_json_put_real(o, "bias", r->bias);
    cli_json_put_real(o, "bias_error", r->bias_error);
    cli_json_put_real(o, "detectable", r->detectable);
    cli_json_put_whole(o, "period", r->period);
    cli_json_put_whole(o, "phases", r->phases);
    cli_json_put_whole(o, "steps", r->steps);
    cli_json_put_whole(o, "chains", r->chains);
    cli_json_put_whole(o, "clocks", r->clocks);
    cli_json_put(o, "reversible", reversible);
    cli_json_put_text(o, "tuning", r->tuning);
}

static void print_json(const hiss_model *model, const hiss_sampler *sampler,
                       const hiss_verdict *verdict, const hiss_verify_result *r,
                       const cli_warnings *w)
{
    json_t *o = cli_json_object(), *warnings = cli_json_array();

    for (int n = 0; n < w->count; n++)
        cli_json_add(warnings, cli_json_text(w->at[n]));
    cli_json_put_text(o, "version", hiss_version());
    cli_json_put_text(o, "model", hiss_model_name(model));
    cli_json_put_text(o, "sampler", hiss_sampler_spec(sampler));
    put_result(o, verdict, r);
    cli_json_put(o, "tests", tests_json(verdict));
    cli_json_put(o, "warnings", warnings);
    cli_json_print(o);
}

static void print_tests(const hiss_verdict *verdict)
{
    static const cli_column columns[] = {
        {"test", true, false, 0},       {"steps", false, false, 1},
        {"statistic", false, false, 1}, {"freedom", false, false, 2},
        {"p-value", false, false, 0},   {"of", false, false, 3},
        {"worst", true, true, 3},
    };
    hiss_verify_test test = HISS_INIT(hiss_verify_test);
    cli_table table;

    cli_table_init(&table, columns, 7);
    for (int n = 0; hiss_verdict_test(verdict, n, &test); n++) {
        cli_table_cell(&table, "%s", test.name);
        cli_table_cell(&table, "%lld", (long long)test.steps);
        cli_table_number(&table, test.statistic, 2);
        cli_table_number(&table,
                         test.freedom > 0.0 ? test.freedom : (double)NAN, 0);
        cli_table_cell(&table, "%.3g", test.p_value);
        cli_table_cell(&table, "%d", test.members);
        cli_table_cell(&table, "%s", test.worst);
    }
    putchar('\n');
    cli_table_print(&table, 0);
    putchar('\n');
    cli_table_clear(&table);
}

static void print_verdict(const hiss_verdict *verdict,
                          const hiss_verify_result *r)
{
    hiss_verify_test worst = HISS_INIT(hiss_verify_test);

    hiss_verdict_test(verdict, r->worst, &worst);
    if (r->verdict == HISS_BROKEN)
        printf("the law is NOT KEPT: p = %.3g by %s%s%s, %lld %s\n", r->p_value,
               worst.name, *worst.worst ? ", " : "", worst.worst,
               (long long)worst.steps, worst.steps == 1 ? "step" : "steps");
    else
        printf("the law is %s: p = %.3g\n",
               r->verdict == HISS_KEPT ? "kept" : "UNDECIDED", r->p_value);
    printf("one step moves the mean of U by %.2g +- %.2g sd\n", r->bias,
           r->bias_error);
    if (isfinite(r->detectable))
        printf("a sampler whose mean of U is off by %.2g sd would have been "
               "found\n",
               r->detectable);
    else
        printf("no bias would have been found\n");
    printf("reversible: %s, p = %.3g\n",
           r->claims_reversible ? "claimed" : "not claimed",
           r->reversible_p_value);
}

static void print_text(const hiss_model *model, const hiss_sampler *sampler,
                       const hiss_verdict *verdict, const hiss_verify_result *r,
                       const cli_warnings *w)
{
    printf("model       %s, %.10g states\n", hiss_model_name(model), r->states);
    printf("sampler     %s%s\n", hiss_sampler_spec(sampler),
           r->claims_exact ? "" : " (NOT EXACT)");
    if (r->tuning)
        printf("tuned       %s\n", r->tuning);
    printf("replicates  %lld, %.4f of them moved\n", (long long)r->replicates,
           r->moved);
    if (r->period > 1)
        printf("cycle       %lld steps, begun at %lld phases\n",
               (long long)r->period, (long long)r->phases);
    printf("in a row    %lld chains, %lld steps each, %lld clocks in common\n",
           (long long)r->chains, (long long)r->steps, (long long)r->clocks);
    print_tests(verdict);
    print_verdict(verdict, r);
    for (int n = 0; n < w->count; n++)
        printf("warning: %s\n", w->at[n]);
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
    settings.progress = cli_progress_show;
    settings.context = &progress;
    cli_progress_begin(&progress, "verifying", a->common.quiet);
    cli_interrupt_defer(a->common.quiet);
    status = hiss_verify(out, model, sampler, &settings, &err);
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

static int run_verify(const void *arguments)
{
    const struct arguments *a = arguments;
    cli_warnings warnings = {0};
    hiss_model *model = NULL;
    hiss_sampler *sampler = NULL;
    hiss_verdict *verdict = NULL;
    hiss_verify_result r = HISS_INIT(hiss_verify_result);
    int code = CLI_DONE;

    if (!a->sampler)
        return cli_usage_fail(&cli_command_verify,
                              "verify: --sampler SPEC is missing");
    code = cli_standard_claim(&a->common, a->pairs, ".csv");
    if (code == CLI_DONE && a->pairs)
        code = cli_output_check(a->pairs, a->common.force);
    if (code == CLI_DONE)
        code = cli_open_sampler(a->sampler, NULL, &sampler);
    if (code == CLI_DONE)
        code = cli_open_model(&a->common, &model);
    if (code == CLI_DONE)
        code = check(a, model, sampler, &verdict);
    if (code == CLI_DONE) {
        cli_open_note(&a->common, model);
        hiss_verdict_result(verdict, &r);
        judge(&r, &warnings);
        if (a->common.json)
            print_json(model, sampler, verdict, &r, &warnings);
        else
            print_text(model, sampler, verdict, &r, &warnings);
        code = r.is_invariant ? CLI_DONE : CLI_CHECK_FAILED;
    }
    cli_warnings_clear(&warnings);
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
             "kept, 1 otherwise.\n"
             "The counts of (x,x') are compared with those of (x',x) as well, "
             "whether the sampler claims to be reversible or not.",
    .examples =
        "  hiss verify bernoulli4 --sampler 'hiss(eta=4,inner=gwg)'\n"
        "  hiss verify 'ising(side=3,beta=0.4)' --sampler 'dula(alpha=4)'\n",
    .options = options,
    .size = sizeof(struct arguments),
    .run = run_verify,
};
