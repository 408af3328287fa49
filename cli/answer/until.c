/* until.c - lengthens a run until its draws can be trusted. */
#include "cli/answer/until.h"

#include "cli/print/fail.h"
#include "cli/print/interrupt.h"

static double evals_of(const hiss_result *result)
{
    hiss_run_info info = HISS_INIT(hiss_run_info);

    hiss_result_info(result, &info);
    return info.energy_evals + info.gradient_evals;
}

static hiss_status judge(cli_until *u, const hiss_result *result,
                         hiss_opinion *out, hiss_error *err)
{
    hiss_diagnose_settings settings;
    hiss_status status;

    hiss_diagnose_settings_init(&settings);
    settings.threads = u->settings->threads;
    hiss_diagnosis_destroy(u->last);
    u->last = NULL;
    status = hiss_diagnose(&u->last, result, u->model, &settings, err);
    *out = hiss_diagnosis_opinion(u->last);
    return status;
}

/* A longer run would give the same verdict. */
static bool is_final(hiss_opinion opinion)
{
    return opinion == HISS_PROVED || opinion == HISS_TRUSTED ||
           opinion == HISS_CONSISTENT;
}

hiss_status cli_until_trusted(cli_until *u, hiss_result **result,
                              hiss_error *err)
{
    hiss_settings *s = u->settings;
    double latest = evals_of(*result), spent = latest;

    for (;;) {
        hiss_result *longer = NULL;
        hiss_opinion opinion;
        hiss_status status = judge(u, *result, &opinion, err);

        if (status != HISS_OK)
            return status;
        u->is_trusted = is_final(opinion);
        if (u->is_trusted || spent + 2 * latest > u->most ||
            cli_interrupt_signal()) {
            cli_note("%s after %.3g evaluations%s", hiss_opinion_word(opinion),
                     spent, u->is_trusted ? "" : ": --max-evals ends it");
            return HISS_OK;
        }
        s->samples *= 2;
        s->evals *= 2;
        s->ess *= 2;
        cli_note("%s after %.3g evaluations: a run of twice the length follows",
                 hiss_opinion_word(opinion), spent);
        status = hiss_sample(&longer, u->model, u->sampler, s, err);
        if (status != HISS_OK)
            return status;
        hiss_result_destroy(*result);
        *result = longer;
        latest = evals_of(longer);
        spent += latest;
    }
}
