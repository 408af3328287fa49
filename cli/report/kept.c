/* kept.c - prints a verdict of `hiss verify`. */
#include "cli/report/kept.h"

#include <math.h>
#include <stdio.h>

#include "cli/print/json.h"
#include "cli/print/table.h"
#include "cli/print/terminal.h"
#include "cli/report/warnings.h"

enum {
    FLOWS = 8, /* most states named in the text */
};

static const double P_UNSURE = 1e-4, P_HOPELESS = 1e-8;

static const char *const verdicts[] = {
    [HISS_BROKEN] = "broken",
    [HISS_KEPT] = "kept",
    [HISS_UNDECIDED] = "undecided",
};

static void judge(const hiss_verify_result *r, cli_warnings *warnings)
{
    if (!r->claims_exact)
        cli_warnings_add(warnings, "the sampler is not exact: it does not "
                                   "claim to keep the law");
    if (r->verdict == HISS_UNDECIDED)
        cli_warnings_add(
            warnings,
            "not enough movement to decide: a share of %.3g of %lld replicates "
            "moved%s, and a sampler that does not move passes; "
            "take more --replicates, more --steps, or options "
            "with which it moves",
            r->moved, (long long)r->replicates,
            r->moved < 0.5 ? "" : ", hardly any of them to another U");
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
        cli_json_put_real(object, "change", test.change);
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
    cli_json_put_text(o, "device", r->device);
    cli_json_put_text(o, "reason", hiss_verdict_reason(verdict));
}

static json_t *flows_json(const cli_kept *k)
{
    json_t *array = cli_json_array();
    hiss_verify_flow flow = HISS_INIT(hiss_verify_flow);

    for (int n = 0; hiss_verdict_flow(k->verdict, n, &flow); n++) {
        json_t *object = cli_json_object(), *state = cli_json_array();

        for (int i = 0; i < hiss_model_dim(k->model); i++)
            cli_json_add(state, cli_json_number(flow.values[i]));
        cli_json_put(object, "state", state);
        cli_json_put_real(object, "p", flow.p);
        cli_json_put_real(object, "entered", flow.entered);
        cli_json_put_real(object, "left", flow.left);
        cli_json_put_real(object, "z", flow.z);
        cli_json_put_whole(object, "steps", flow.steps);
        cli_json_add(array, object);
    }
    return array;
}

/* Writes the keys of a user's kernel. */
static void put_kernel(json_t *o, const cli_kept *k,
                       const hiss_verify_result *r)
{
    json_t *twin;

    cli_json_put_text(o, "kernel", k->kernel);
    cli_json_put_whole(o, "calls", r->calls);
    cli_json_put_whole(o, "singles", r->singles);
    cli_json_put_bool(o, "memory", r->has_memory != 0);
    if (!k->sampler)
        return;
    twin = cli_json_object();
    cli_json_put_real(twin, "p_value", r->twin_p_value);
    cli_json_put_text(twin, "gap", r->twin_gap);
    cli_json_put(o, "transitions", twin);
}

static void print_json(const cli_kept *k, const hiss_verify_result *r,
                       const cli_warnings *w)
{
    json_t *o = cli_json_object(), *warnings = cli_json_array();

    for (int n = 0; n < w->count; n++)
        cli_json_add(warnings, cli_json_text(w->at[n]));
    cli_json_put_text(o, "version", hiss_version());
    cli_json_put_text(o, "model", hiss_model_name(k->model));
    cli_json_put_text(o, "reads_as", hiss_model_reads_as(k->model));
    cli_json_put_text(o, "sampler",
                      k->sampler ? hiss_sampler_spec(k->sampler) : NULL);
    if (k->kernel)
        put_kernel(o, k, r);
    put_result(o, k->verdict, r);
    cli_json_put(o, "flows", flows_json(k));
    cli_json_put(o, "tests", tests_json(k->verdict));
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

/* Prints states that gain and lose, and the reason. */
static void print_reason(const cli_kept *k)
{
    static const cli_column columns[] = {
        {"", true, false, 0},      {"state", true, true, 0},
        {"law", false, false, 0},  {"entered", false, false, 1},
        {"left", false, false, 1}, {"change", false, false, 0},
        {"z", false, false, 1},
    };
    const char *reason = hiss_verdict_reason(k->verdict);
    int width = cli_terminal_table_width();
    hiss_verify_flow flow = HISS_INIT(hiss_verify_flow);
    cli_table table;

    if (reason) {
        printf("\nwhy: ");
        cli_terminal_wrap(stdout, reason, 5, 5, width ? width : 100);
    }
    if (!hiss_verdict_flow(k->verdict, 0, &flow))
        return;
    cli_table_init(&table, columns, 7);
    for (int n = 0; n < FLOWS && hiss_verdict_flow(k->verdict, n, &flow); n++) {
        char text[128];
        int used = 0, room = (int)sizeof text;

        for (int i = 0; i < hiss_model_dim(k->model) && used + 16 < room; i++)
            used += snprintf(text + used, (size_t)(room - used), "%s%.4g",
                             i ? " " : "", flow.values[i]);
        cli_table_cell(&table, "%s", flow.z > 0.0 ? "gains" : "loses");
        cli_table_cell(&table, "%s", text);
        cli_table_cell(&table, "%.4g", flow.p);
        cli_table_cell(&table, "%.4g", flow.entered);
        cli_table_cell(&table, "%.4g", flow.left);
        cli_table_cell(&table, "%+.2g", flow.entered - flow.left);
        cli_table_cell(&table, "%+.1f", flow.z);
    }
    putchar('\n');
    cli_table_print(&table, 0);
    cli_table_clear(&table);
}

static void print_twin(const cli_kept *k, const hiss_verify_result *r)
{
    if (!k->kernel || !k->sampler)
        return;
    printf("transitions: %s those of %s, p = %.3g\n",
           r->twin_p_value <= P_UNSURE ? "NOT" : "as",
           hiss_sampler_spec(k->sampler), r->twin_p_value);
    if (r->twin_gap && r->twin_p_value <= P_UNSURE)
        printf("    furthest apart %s\n", r->twin_gap);
}

static void print_head(const cli_kept *k, const hiss_verify_result *r)
{
    printf("model       %s, %.10g states\n", hiss_model_name(k->model),
           r->states);
    if (k->kernel)
        printf("kernel      %s\n", k->kernel);
    else
        printf("sampler     %s%s\n", hiss_sampler_spec(k->sampler),
               r->claims_exact ? "" : " (NOT EXACT)");
    if (r->tuning)
        printf("tuned       %s\n", r->tuning);
    printf("replicates  %lld, %.4f of them moved\n", (long long)r->replicates,
           r->moved);
    if (r->period > 1)
        printf("cycle       %lld steps, begun at %lld phases\n",
               (long long)r->period, (long long)r->phases);
    printf("in a row    %lld chains, %lld steps each, %lld %s\n",
           (long long)r->chains, (long long)r->steps, (long long)r->clocks,
           k->kernel ? "batches" : "clocks in common");
    if (r->singles > 0)
        printf("alone       %lld states, one at a time, %lld steps each\n",
               (long long)r->singles, (long long)r->steps);
}

static void print_text(const cli_kept *k, const hiss_verify_result *r,
                       const cli_warnings *w)
{
    print_head(k, r);
    print_tests(k->verdict);
    print_verdict(k->verdict, r);
    print_twin(k, r);
    print_reason(k);
    for (int n = 0; n < w->count; n++)
        printf("warning: %s\n", w->at[n]);
}

/* Transitions that differ from those claimed are a failed check, too. */
static int code_of(const hiss_verify_result *r)
{
    if (r->verdict == HISS_BROKEN || r->twin_p_value <= P_UNSURE)
        return CLI_CHECK_FAILED;
    return r->verdict == HISS_KEPT ? CLI_DONE : CLI_UNDECIDED;
}

int cli_kept_print(const cli_kept *k, bool is_json)
{
    cli_warnings warnings = {0};
    hiss_verify_result r = HISS_INIT(hiss_verify_result);

    hiss_verdict_result(k->verdict, &r);
    judge(&r, &warnings);
    if (is_json)
        print_json(k, &r, &warnings);
    else
        print_text(k, &r, &warnings);
    cli_warnings_clear(&warnings);
    return code_of(&r);
}
