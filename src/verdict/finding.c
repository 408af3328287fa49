/* finding.c - adds findings, and marks those that show wrong draws. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"
#include "verdict/verdict.h"

static char *print(const char *format, va_list arguments) HS_PRINTF(1, 0);

static char *print(const char *format, va_list arguments)
{
    char line[1024];

    hs_vsnprintf(line, sizeof line, format, arguments);
    return hs_strdup(line);
}

void hs_find(hiss_diagnosis *d, const char *name, hiss_outcome outcome,
             double value, double limit, const char *format, ...)
{
    hs_finding *f = &d->finding[d->findings];
    va_list arguments;

    if (d->findings == HS_FINDINGS_MAX)
        return;
    d->findings++;
    va_start(arguments, format);
    f->text = print(format, arguments);
    va_end(arguments);
    f->found = (hiss_finding){
        .name = name, .outcome = outcome, .value = value, .limit = limit};
}

void hs_find_need(hiss_diagnosis *d, hiss_need need, double times)
{
    d->finding[d->findings - 1].need = need;
    d->finding[d->findings - 1].times = times;
}

/* The fewest effective draws of a column that was not derived. */
static double effective_of(const hs_evidence *e)
{
    const hs_columns *c = e->columns;
    double least = HUGE_VAL;

    for (int n = 0; n < c->count; n++)
        if (c->at[n].column.state == HISS_VARIES &&
            !hs_column_is_derived(&c->at[n]) &&
            !(c->at[n].minority < HISS_RARE))
            least = fmin(least, c->at[n].column.ess_bulk);
    return least < HUGE_VAL ? least : 0.0;
}

/* Chernoff's bound: (1 - mass)^n = e^(-sigmas^2 / 2). */
double hs_missed_sigmas(const hs_evidence *e, double mass)
{
    return sqrt(-2.0 * effective_of(e) * log1p(-fmin(mass, 1.0 - 1e-15)));
}

void hs_find_wrong(hiss_diagnosis *d, const hs_evidence *e, double sigmas)
{
    int worst;

    for (int n = 0; n < e->columns->count; n++)
        if (e->columns->at[n].column.state == HISS_STUCK)
            return;
    d->finding[d->findings - 1].found.is_wrong =
        sigmas > HS_WRONG && !d->has_copies &&
        effective_of(e) >= HS_WRONG_ESS &&
        hs_worst_mixing(e->columns, &worst) == HISS_PASSED;
}

void hs_masses_add(hs_masses *m, int number, double share, double se,
                   double ours, double ours_se)
{
    size_t used = strlen(m->text), room = sizeof m->text - used;
    double apart = fabs(share - ours);

    if (m->count == HS_MASSES_MAX || room < 100)
        return;
    m->count++;
    m->is_apart = m->is_apart || (apart > HS_FOUND_MASS &&
                                  apart > HS_SIGMAS * hypot(se, ours_se));
    used +=
        (size_t)hs_snprintf(m->text + used, room, "%smode %d %.3f +- %.2g, ",
                            used ? "; " : "", number, share, se);
    room = sizeof m->text - used;
    if (ours_se > 0.0)
        hs_snprintf(m->text + used, room, "ours %.3f +- %.2g", ours, ours_se);
    else
        hs_snprintf(m->text + used, room, "exactly %.3f", ours);
}

void hs_find_masses(hiss_diagnosis *d, const hs_evidence *e, const hs_masses *m)
{
    if (e->result->is_foreign && m->count > 0)
        hs_find(d, "masses of modes", m->is_apart ? HISS_DOUBT : HISS_PASSED,
                NAN, NAN, "%s", m->text);
}

void hs_find_remedy(hiss_diagnosis *d, const hs_evidence *e, const char *shell,
                    const char *python)
{
    d->finding[d->findings - 1].remedy =
        hs_strdup(e->set->voice == HISS_PYTHON ? python : shell);
}
