/* conclude.c - from findings to a verdict.
 *
 * A finding that FAILED decides the verdict.  So does a DOUBT, unless exact
 * answers are available and the draws agree with them closely.  If nothing
 * contradicts the draws, agreement with exact answers makes them *proved*.
 * Without exact answers they are *trusted* if the structure of the model is
 * known, other chains confirm them and a search has found no mode that they
 * miss. Otherwise they are *consistent*, or *not decided* if a check is
 * missing. */
#include <math.h>

#include "base/alloc.h"
#include "base/number.h"
#include "verdict/verdict.h"

const char *hiss_outcome_word(hiss_outcome outcome)
{
    static const char *const words[] = {"passed", "failed", "doubt", "skipped",
                                        "unchecked"};

    return outcome <= HISS_UNCHECKED ? words[outcome] : "";
}

const char *hiss_opinion_word(hiss_opinion opinion)
{
    static const char *const words[] = {"not trusted", "trusted",
                                        "wrong",       "proved",
                                        "consistent",  "not decided"};

    return opinion <= HISS_NOT_DECIDED ? words[opinion] : "";
}

static bool has(const hiss_diagnosis *d, hiss_outcome outcome)
{
    bool found = false;

    for (int n = 0; n < d->findings; n++)
        found = found || d->finding[n].found.outcome == outcome;
    return found;
}

bool hs_diagnosis_has_failed(const hiss_diagnosis *d)
{
    return has(d, HISS_FAILED);
}

bool hs_diagnosis_is_good(const hiss_diagnosis *d)
{
    return !has(d, HISS_FAILED) && (!has(d, HISS_DOUBT) || d->has_exact);
}

/* The first finding that shows draws to be wrong, or NULL. */
static const hs_finding *what_is_wrong(const hiss_diagnosis *d)
{
    for (int n = 0; n < d->findings; n++)
        if (d->finding[n].found.is_wrong)
            return &d->finding[n];
    return NULL;
}

static hiss_opinion opinion_of(const hiss_diagnosis *d, const hs_evidence *e)
{
    if (!hs_diagnosis_is_good(d))
        return what_is_wrong(d) ? HISS_WRONG : HISS_NOT_TRUSTED;
    if (d->is_proved)
        return HISS_PROVED;
    if (e->set->quick || !e->model || has(d, HISS_UNCHECKED))
        return HISS_NOT_DECIDED;
    if (e->model->model->is_user || !d->is_confirmed || !d->is_searched)
        return HISS_CONSISTENT;
    return HISS_TRUSTED;
}

/* --- the headline --------------------------------------------------------- */

/* Returns the names of the findings with this outcome, or "". */
static const char *list(const hiss_diagnosis *d, hiss_outcome outcome,
                        char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (int n = 0; n < d->findings && used < size; n++)
        if (d->finding[n].found.outcome == outcome)
            used +=
                (size_t)hs_snprintf(text + used, size - used, "%s%s",
                                    used ? ", " : "", d->finding[n].found.name);
    return text;
}

static void print_headline(hiss_diagnosis *d, const hs_evidence *e)
{
    char *to = d->headline, names[256];
    size_t size = sizeof d->headline;
    const char *word = hiss_opinion_word(d->opinion);

    switch (d->opinion) {
    case HISS_PROVED:
        hs_snprintf(to, size,
                    "%s: the draws can be trusted, they meet the exact answers",
                    word);
        return;
    case HISS_TRUSTED:
        list(d, HISS_SKIPPED, names, sizeof names);
        hs_snprintf(to, size, "%s: the draws can be trusted%s%s%s", word,
                    *names ? " (not checked: " : "", names, *names ? ")" : "");
        return;
    case HISS_CONSISTENT:
        if (e->model->model->is_user && d->narrowest > 0.0) {
            hs_snprintf(to, size,
                        "%s: nothing contradicts the draws, but the model is a "
                        "function: a mode that fewer than one in %.0f states "
                        "lead to may be missed",
                        word, d->narrowest);
            return;
        }
        hs_snprintf(to, size, "%s: nothing contradicts the draws, but %s", word,
                    e->model->model->is_user
                        ? "the model is a function, so narrow modes may be "
                          "missed"
                    : !d->is_confirmed ? "no other chains confirm them"
                                       : "missed modes were not searched for");
        return;
    case HISS_NOT_DECIDED:
        if (!e->model && !e->set->quick) {
            hs_snprintf(to, size, "%s: the model is not at hand, give it %s",
                        word,
                        e->set->voice == HISS_PYTHON ? "to diagnose(model=...)"
                                                     : "with --model");
            return;
        }
        list(d, HISS_UNCHECKED, names, sizeof names);
        hs_snprintf(to, size, "%s: nothing contradicts the draws, %s%s", word,
                    e->set->quick ? "but missed modes were not searched for"
                                  : "but these checks are missing: ",
                    e->set->quick ? "" : names);
        return;
    case HISS_NOT_TRUSTED:
        hs_snprintf(to, size, "%s: the draws should not be trusted", word);
        return;
    case HISS_WRONG:
        hs_snprintf(to, size, "%s: the draws should not be trusted: %s", word,
                    what_is_wrong(d)->text);
        return;
    }
}

/* --- what to do ----------------------------------------------------------- */

/* Advises one call for the gravest need, at its first finding: more draws of a
 * sampler that does not cross between modes would not help. */
static void advise(hiss_diagnosis *d, const hs_evidence *e)
{
    hs_finding *worst = NULL;
    double times = 0.0;

    for (int n = 0; n < d->findings; n++) {
        hs_finding *f = &d->finding[n];

        times = fmax(times, f->times);
        if (f->need > (worst ? worst->need : HISS_NEED_NONE))
            worst = f;
    }
    if (worst)
        worst->remedy =
            hiss_advice(e->result, e->model, worst->need, times, e->set->voice);
}

/* Removes advice if the draws can be trusted. */
static void drop_remedies(hiss_diagnosis *d)
{
    for (int n = 0; n < d->findings; n++) {
        hs_free(d->finding[n].remedy);
        d->finding[n].remedy = NULL;
    }
}

void hs_conclude(hiss_diagnosis *d, const hs_evidence *e)
{
    d->opinion = opinion_of(d, e);
    if (d->opinion == HISS_TRUSTED || d->opinion == HISS_PROVED)
        drop_remedies(d);
    print_headline(d, e);
    if (d->opinion == HISS_NOT_TRUSTED || d->opinion == HISS_WRONG)
        advise(d, e);
    for (int n = 0; n < d->findings; n++) {
        d->finding[n].found.text = d->finding[n].text ? d->finding[n].text : "";
        d->finding[n].found.remedy = d->finding[n].remedy;
    }
}
