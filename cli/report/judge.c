/* judge.c - from figures to warnings.
 *
 * Limits: R-hat 1.01 and 100 effective draws per chain [Vehtari et al. 2021];
 * a jump that is accepted less often than once in a thousand does not cross
 * between modes. */
#include "cli/report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double RHAT_MAX = 1.01, ESS_PER_CHAIN = 100, JUMP_MIN = 1e-3;

enum {
    DRAWS_MIN = 4
};

/* "x.3", "the energy"; free() it. */
static char *place(int coordinate)
{
    return coordinate < 0 ? cli_text("the energy")
                          : cli_text("x.%d", coordinate + 1);
}

static void judge_end(cli_report *r)
{
    const hiss_run_info *info = &r->info;
    const char *who = info->ended == HISS_ENDED_STOPPED ? "a signal"
                      : info->ended == HISS_ENDED_EVALS ? "--evals"
                                                        : "--time-limit";

    if (hiss_result_warning(r->result))
        cli_warnings_add(&r->warnings, "%s", hiss_result_warning(r->result));
    if (!info->is_exact)
        cli_warnings_add(&r->warnings,
                         "the sampler is not exact, its draws follow another "
                         "law than the model's: use dmala instead of dula, "
                         "and adjust=yes");
    if (info->ended == HISS_ENDED_DONE)
        return;
    if (info->ended == HISS_ENDED_ESS)
        cli_warnings_add(&r->warnings,
                         "--ess is out of reach and was given up after %lld "
                         "draws per chain: at this rate it takes more than "
                         "10^9 steps; try another sampler",
                         (long long)info->samples);
    else if (r->asked > 0)
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

    if (c->stuck)
        cli_warnings_add(&r->warnings,
                         "%d of %d coordinates are stuck: no chain moves them "
                         "and chains disagree; use a sampler that crosses "
                         "modes, such as pt(base=dmala(alpha=auto))",
                         c->stuck, c->count);
    if (c->constant)
        cli_warnings_add(&r->warnings,
                         "%d of %d coordinates never changed; they may be "
                         "certain or all chains in one mode: draw more "
                         "(--samples), or start elsewhere (--init)",
                         c->constant, c->count);
    if (r->info.samples < DRAWS_MIN)
        cli_warnings_add(&r->warnings,
                         "%lld draws per chain are too few to judge: at least "
                         "%d are needed (--samples)",
                         (long long)r->info.samples, DRAWS_MIN);
}

static void judge_mixing(cli_report *r)
{
    const cli_check *c = &r->check;
    double wanted = ESS_PER_CHAIN * r->info.chains;
    char *where;

    if (c->energy.still > 0 && c->energy.state != HISS_CONSTANT)
        cli_warnings_add(&r->warnings,
                         "%d of %d chains never changed their energy: they "
                         "are frozen; use another sampler or step size",
                         c->energy.still, r->info.chains);
    if (r->info.chains == 1)
        cli_warnings_add(&r->warnings,
                         "one chain cannot tell whether it misses a mode: use "
                         "--chains 4 or more");
    if (c->rhat_max > RHAT_MAX) {
        where = place(c->rhat_at);
        cli_warnings_add(&r->warnings,
                         "R-hat is %.3f at %s, above %g: the chains have not "
                         "mixed; draw more (--samples, --thin), or use a "
                         "sampler that crosses modes, such as pt(base=...)",
                         c->rhat_max, where, RHAT_MAX);
        free(where);
    }
    if (c->ess_min < wanted) {
        where = place(c->ess_at);
        cli_warnings_add(&r->warnings,
                         "the effective sample size is %.0f at %s, below %.0f "
                         "(100 per chain): draw more (--samples, --thin)",
                         c->ess_min, where, wanted);
        free(where);
    }
}

static void judge_jumps(cli_report *r)
{
    const char *name;
    double rate;

    for (int n = 0; hiss_result_acceptance(r->result, n, &name, &rate); n++)
        if (strstr(name, "jump") && rate < JUMP_MIN)
            cli_warnings_add(&r->warnings,
                             "%s was accepted in %.2g of its tries: jumps do "
                             "not cross between modes; lower eta or set block",
                             name, rate);
}

/* What a pilot knew of modes, against what the run has seen. */
static void judge_modes(cli_report *r)
{
    const char *doubt = hiss_result_text(r->result, "doubt");

    if (doubt)
        cli_warnings_add(&r->warnings, "%s", doubt);
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
