/* judge.c - from figures to warnings.
 *
 * Limits are those of hiss/diagnose.h, as `hiss diagnose` has them; a jump that
 * is accepted less often than once in a thousand does not cross between
 * modes. */
#include "cli/report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print/state.h"

static const double JUMP_MIN = 1e-3;
static const double ENOUGH = 1.5; /* times what would just do */

/* "x.3", "the energy"; free() it. */
static char *place(const hiss_result *result, int coordinate)
{
    return coordinate < 0 ? cli_text("the energy")
                          : cli_result_coordinate(result, coordinate);
}

void cli_report_lacks(cli_report *report, hiss_need need, double times)
{
    report->need = need > report->need ? need : report->need;
    report->times = times > report->times ? times : report->times;
}

char *cli_report_advice(const cli_report *report)
{
    return hiss_advice(report->result, report->model, report->need,
                       report->times, HISS_SHELL);
}

static void judge_end(cli_report *r)
{
    const hiss_run_info *info = &r->info;
    const char *who = info->ended == HISS_ENDED_STOPPED ? "a signal"
                      : info->ended == HISS_ENDED_EVALS ? "--evals"
                                                        : "--time-limit";

    if (hiss_result_warning(r->result))
        cli_warnings_add(&r->warnings, "%s", hiss_result_warning(r->result));
    if (!info->is_exact) {
        cli_warnings_add(&r->warnings,
                         "the sampler is not exact, its draws follow another "
                         "law than the model's");
        cli_report_lacks(r, HISS_NEED_LAW, 0);
    }
    if (info->ended == HISS_ENDED_DONE)
        return;
    if (info->ended == HISS_ENDED_ESS) {
        cli_warnings_add(&r->warnings,
                         "--ess is out of reach and was given up after %lld "
                         "draws per chain: at this rate it takes more than "
                         "10^9 steps",
                         (long long)info->samples);
        cli_report_lacks(r, HISS_NEED_MODES, 0);
    } else if (r->asked > 0)
        cli_warnings_add(&r->warnings,
                         "%s ended the run after %lld of %lld draws per chain",
                         who, (long long)info->samples, (long long)r->asked);
    else if (info->ended == HISS_ENDED_STOPPED)
        cli_warnings_add(&r->warnings,
                         "%s ended the run after %lld draws per chain", who,
                         (long long)info->samples);
}

static void judge_columns(cli_report *r)
{
    const cli_check *c = &r->check;

    if (c->stuck) {
        cli_warnings_add(&r->warnings,
                         "%d of %d coordinates are stuck: no chain moves them "
                         "and chains disagree",
                         c->stuck, c->count);
        cli_report_lacks(r, HISS_NEED_MODES, 0);
    }
    if (c->constant)
        cli_warnings_add(&r->warnings,
                         "%d of %d coordinates never changed; they may be "
                         "certain, or all chains in one mode",
                         c->constant, c->count);
    if (r->info.samples < HISS_DRAWS_MIN) {
        cli_warnings_add(&r->warnings,
                         r->info.samples == 1
                             ? "%lld draw per chain is too few to judge: at "
                               "least %d are needed"
                             : "%lld draws per chain are too few to judge: at "
                               "least %d are needed",
                         (long long)r->info.samples, HISS_DRAWS_MIN);
        cli_report_lacks(r, HISS_NEED_DRAWS, HISS_ESS_DOUBT);
    }
}

static void judge_ess(cli_report *r)
{
    const cli_check *c = &r->check;
    char *where = place(r->result, c->ess_at);

    cli_warnings_add(&r->warnings,
                     "the effective sample size is %.0f at %s, below %.0f",
                     c->ess_min, where, HISS_ESS_DOUBT);
    cli_report_lacks(r, HISS_NEED_DRAWS, ENOUGH * HISS_ESS_DOUBT / c->ess_min);
    free(where);
}

static void judge_mixing(cli_report *r)
{
    const cli_check *c = &r->check;
    char *where;

    if (c->energy.still > 0 && c->energy.state != HISS_CONSTANT) {
        cli_warnings_add(&r->warnings,
                         "%d of %d chains never changed their energy: they "
                         "are frozen",
                         c->energy.still, r->info.chains);
        cli_report_lacks(r, HISS_NEED_MODES, 0);
    }
    if (r->info.chains == 1) {
        cli_warnings_add(&r->warnings,
                         "one chain cannot tell whether it misses a mode");
        cli_report_lacks(r, HISS_NEED_CHAINS, 0);
    }
    if (c->apart > HISS_RHAT_DOUBT) {
        where = place(r->result, c->apart_at);
        cli_warnings_add(&r->warnings,
                         "R-hat is %.3f at %s, above %g, and chance does not "
                         "explain it: the chains have not mixed",
                         c->apart, where, HISS_RHAT_DOUBT);
        cli_report_lacks(r, HISS_NEED_MODES, 0);
        free(where);
    }
    if (c->ess_min < HISS_ESS_DOUBT)
        judge_ess(r);
}

static void judge_jumps(cli_report *r)
{
    const char *name;
    double rate;

    for (int n = 0; hiss_result_acceptance(r->result, n, &name, &rate); n++)
        if (strstr(name, "jump") && rate < JUMP_MIN) {
            cli_warnings_add(&r->warnings,
                             "%s was accepted in %.2g of its tries: jumps do "
                             "not cross between modes",
                             name, rate);
            cli_report_lacks(r, HISS_NEED_MODES, 0);
        }
}

/* What a pilot knew of modes, against what the run has seen. */
static void judge_modes(cli_report *r)
{
    const char *doubt = hiss_result_text(r->result, "doubt");

    if (!doubt)
        return;
    cli_warnings_add(&r->warnings, "%s", doubt);
    cli_report_lacks(r, HISS_NEED_MODES, 0);
}

void cli_report_judge(cli_report *report)
{
    judge_modes(report);
    judge_end(report);
    judge_columns(report);
    judge_mixing(report);
    judge_jumps(report);
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
