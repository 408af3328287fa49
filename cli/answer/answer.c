/* answer.c - makes the model of a file, draws from it, and judges the draws.
 *
 * The verdict is that of `hiss diagnose`, with the same limits. */
#include "cli/answer/answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/files/open.h"
#include "cli/files/output.h"
#include "cli/print/progress.h"
#include "cli/print/state.h"
#include "cli/print/terminal.h"

/* From this many coordinates on a pilot would take longer than the run: with 10
 * 000 columns `auto` took more than 100 s and gibbs 8 s. */
#define MANY_COORDINATES 1000
/* The same for labels of all nodes: with 115 nodes and 15 groups `auto` took
 * more than 60 s and gibbs 3 s. */
#define MANY_LABELS 500.0

enum {
    SAMPLES_USUAL = 2000,
    SAMPLES_MANY = 500,
    LABEL = 17
};

static const double ENUMERATED = 1 << 20; /* most states */
static const double JUDGING = 30;         /* seconds of a diagnosis */

char *cli_answer_quote(const char *text)
{
    char *out = cli_alloc(2 * strlen(text) + 3, 1), *to = out;

    *to++ = '"';
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            *to++ = '\\';
        *to++ = *text;
    }
    *to = '"';
    return out;
}

/* Values of all coordinates together, which a sweep weighs. */
static double values_of(const hiss_model *model)
{
    return (double)hiss_model_dim(model) * hiss_model_states(model, 0);
}

static int draw(cli_answer *answer, const cli_question *q)
{
    bool is_large = hiss_model_dim(answer->model) > MANY_COORDINATES;
    bool is_labeled = hiss_model_kind(answer->model, 0) == HISS_CATEGORICAL;
    bool is_costly = is_labeled && values_of(answer->model) > MANY_LABELS;
    const char *spec = q->sampler              ? q->sampler
                       : is_large || is_costly ? "gibbs"
                                               : "auto";
    hiss_error err = {0};
    hiss_settings settings;
    hiss_status status;
    cli_progress progress;
    int code = cli_open_sampler(spec, NULL, &answer->sampler);

    if (code != CLI_DONE)
        return code;
    hiss_settings_init(&settings);
    settings.chains = q->chains;
    settings.samples = q->samples > 0 ? q->samples
                       : is_large     ? SAMPLES_MANY
                                      : SAMPLES_USUAL;
    settings.warmup = q->warmup;
    settings.seed = (uint64_t)q->common.seed;
    settings.threads = q->common.threads;
    settings.marginals = 1;
    cli_progress_begin(&progress, "sampling", q->common.quiet);
    settings.progress = cli_progress_show;
    settings.context = &progress;
    status = hiss_sample(&answer->result, answer->model, answer->sampler,
                         &settings, &err);
    cli_progress_end(&progress);
    if (status != HISS_OK)
        return cli_fail_status(status, &err);
    answer->info = HISS_INIT(hiss_run_info);
    hiss_result_info(answer->result, &answer->info);
    return CLI_DONE;
}

static int judge(cli_answer *answer, const cli_question *q)
{
    hiss_diagnose_settings settings;
    hiss_error err = {0};
    hiss_status status;
    cli_progress progress;

    hiss_diagnose_settings_init(&settings);
    settings.threads = q->common.threads;
    settings.seconds =
        answer->info.seconds > JUDGING ? answer->info.seconds : JUDGING;
    if (hiss_model_dim(answer->model) > MANY_COORDINATES) {
        settings.probe = 0; /* would cost as much as the run */
        settings.search = 0;
    }
    cli_progress_begin(&progress, "checking", q->common.quiet);
    settings.progress = cli_progress_show;
    settings.context = &progress;
    status = hiss_diagnose(&answer->diagnosis, answer->result, answer->model,
                           &settings, &err);
    cli_progress_end(&progress);
    return status == HISS_OK ? CLI_DONE : cli_fail_status(status, &err);
}

int cli_answer_make(cli_answer *answer, const cli_question *question,
                    const char *spec, bool may_enumerate)
{
    cli_common own = question->common;
    hiss_error err = {0};
    hiss_status status;
    int code = CLI_DONE;

    *answer = (cli_answer){0};
    own.words[0] = spec;
    own.format = NULL;
    if (question->figure)
        code = cli_output_check(question->figure, own.force);
    if (code == CLI_DONE)
        code = cli_open_model(&own, &answer->model);
    if (code != CLI_DONE)
        return code;
    if (may_enumerate && !question->sampler &&
        cli_state_count(answer->model) <= ENUMERATED) {
        status =
            hiss_exact_quick(&answer->exact, answer->model, own.threads, &err);
        if (status != HISS_OK)
            return cli_fail_status(status, &err);
    }
    if (!answer->exact)
        code = draw(answer, question);
    if (code == CLI_DONE && !answer->exact)
        code = judge(answer, question);
    if (code == CLI_DONE)
        cli_open_note(&own, answer->model);
    return code;
}

void cli_answer_clear(cli_answer *answer)
{
    hiss_diagnosis_destroy(answer->diagnosis);
    hiss_result_destroy(answer->result);
    hiss_sampler_destroy(answer->sampler);
    hiss_exact_destroy(answer->exact);
    hiss_model_destroy(answer->model);
}

char *cli_answer_name(const cli_answer *answer, int coordinate)
{
    const char *name = hiss_model_coordinate_name(answer->model, coordinate);

    return name ? cli_text("%s", name) : cli_text("x.%d", coordinate + 1);
}

static const char *verdict_of(const cli_answer *answer)
{
    return hiss_opinion_word(answer->exact
                                 ? HISS_PROVED
                                 : hiss_diagnosis_opinion(answer->diagnosis));
}

void cli_answer_print_method(const cli_answer *answer)
{
    if (answer->exact)
        printf("method    all %.0f states enumerated\n",
               hiss_exact_states(answer->exact));
    else
        printf("method    %d chains of %lld draws by %s\n", answer->info.chains,
               (long long)answer->info.samples,
               hiss_result_resolved(answer->result));
}

void cli_answer_print_verdict(const cli_answer *answer)
{
    int limit = cli_terminal_table_width();
    hiss_finding f = HISS_INIT(hiss_finding);

    limit = limit ? limit : 1 << 20;
    printf("\nverdict   %s\n", verdict_of(answer));
    for (int n = 0;
         answer->diagnosis && hiss_diagnosis_finding(answer->diagnosis, n, &f);
         n++) {
        int at;

        if (f.outcome == HISS_PASSED || f.outcome == HISS_SKIPPED)
            continue;
        at = printf("%-10s%-*s", hiss_outcome_word(f.outcome), LABEL, f.name);
        cli_terminal_wrap(stdout, f.text, at, at, limit);
        if (f.remedy) {
            printf("%*s-> ", at, "");
            cli_terminal_wrap(stdout, f.remedy, at + 3, at + 3, limit);
        }
    }
}

static json_t *findings_of(const cli_answer *answer)
{
    json_t *array = cli_json_array();
    hiss_finding f = HISS_INIT(hiss_finding);

    for (int n = 0;
         answer->diagnosis && hiss_diagnosis_finding(answer->diagnosis, n, &f);
         n++) {
        json_t *one = cli_json_object();

        cli_json_put_text(one, "check", f.name);
        cli_json_put_text(one, "outcome", hiss_outcome_word(f.outcome));
        cli_json_put_text(one, "text", f.text);
        cli_json_put_text(one, "remedy", f.remedy);
        cli_json_add(array, one);
    }
    return array;
}

void cli_answer_put(const cli_answer *answer, json_t *object)
{
    cli_json_put_text(object, "version", hiss_version());
    cli_json_put_text(object, "model", hiss_model_name(answer->model));
    cli_json_put_text(object, "reads_as", hiss_model_reads_as(answer->model));
    cli_json_put_text(object, "note", hiss_model_note(answer->model));
    cli_json_put_text(object, "method",
                      answer->exact ? "enumeration" : "sampling");
    if (!answer->exact) {
        cli_json_put_text(object, "sampler",
                          hiss_result_resolved(answer->result));
        cli_json_put_whole(object, "chains", answer->info.chains);
        cli_json_put_whole(object, "samples", answer->info.samples);
        cli_json_put_real(object, "seconds", answer->info.seconds);
    }
    cli_json_put_text(object, "verdict", verdict_of(answer));
    cli_json_put_bool(object, "trusted",
                      answer->exact ||
                          hiss_diagnosis_is_trusted(answer->diagnosis));
    cli_json_put(object, "findings", findings_of(answer));
}
