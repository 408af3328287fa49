/* choice_report.c - the report of a race. */
#include "run/pilot/choice_report.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"

#define LINES   3     /* precision: candidates that have a line of their own */
#define WIDTH   64    /* precision: columns of a line */
#define DRAWS   1e4   /* precision: evaluations that scores are printed for */
#define SECONDS 1e9   /* mathematics: nanoseconds in a second */
#define TEN     10.0  /* precision: base of printed numbers */
#define PERCENT 100.0 /* mathematics: of a share */

/* Two digits, without an exponent. */
static double two_digits(double x)
{
    double unit = x > 0.0 ? pow(TEN, floor(log10(x)) - 1.0) : 1.0;

    return round(x / unit) * unit;
}

/* The name of an arm, owned by the caller. */
static char *name_of(const hs_arm_view *v, const hs_candidate *c)
{
    const hs_arm_type *a = hs_arm_types[c->arm];
    hs_arm_view own = *v;
    hs_text name = {0};

    own.form = c->form;
    hs_text_print(&name, "%s", a->name);
    if (a->detail)
        a->detail(&name, &own);
    return hs_text_take(&name);
}

/* Candidates with a larger lower bound. */
static int rank_of(const hs_race *r, int at)
{
    int before = 0;

    for (int k = 0; k < r->count; k++)
        before += r->at[k].low > r->at[at].low;
    return before;
}

static bool has_line(const hs_race *r, int k, int best)
{
    int others = best < 0 || rank_of(r, best) < LINES ? LINES : LINES - 1;

    return k == best || (r->at[k].low > 0.0 && rank_of(r, k) < others);
}

static void add_score(const hs_arm_view *v, const hs_race *r, int k, int best,
                      hs_text *text)
{
    const hs_candidate *c = &r->at[k];
    double unit = v->is_timed ? SECONDS : DRAWS;
    char *name = name_of(v, c);

    hs_text_line(text, "%s %-32s %.10g", k == best ? " >" : "  ",
                 name ? name : "", two_digits(unit * c->low));
    if (c->high > c->low && c->high < HUGE_VAL)
        hs_text_print(text, " to %.10g", two_digits(unit * c->high));
    if (!c->is_admissible)
        hs_text_print(text, ", misses modes");
    hs_free(name);
}

/* Names of the others, each once, in a line. */
static void add_others(const hs_race *r, int best, hs_text *text)
{
    const char *last = NULL;
    size_t begin = 0;

    for (int k = 0; k < r->count; k++) {
        const char *name = hs_arm_types[r->at[k].arm]->name;

        if (has_line(r, k, best) || name == last)
            continue;
        if (begin == 0) {
            begin = text->length;
            hs_text_line(text, "behind, or not seen to mix: %s", name);
        } else if (text->length - begin + strlen(name) > WIDTH) {
            hs_text_print(text, " ...");
            return;
        } else {
            hs_text_print(text, ", %s", name);
        }
        last = name;
    }
}

void hs_choice_report(const hs_arm_view *v, const hs_race *r, int best,
                      double unseen, hs_text *text)
{
    if (v->found->library && unseen < 1.0)
        hs_text_line(text,
                     "states in modes that are not known: %.10g %% or fewer",
                     two_digits(PERCENT * unseen));
    hs_text_line(text, "effective draws per %s, at least and at most:",
                 v->is_timed ? "second" : "10000 evaluations");
    for (int k = 0; k < r->count; k++)
        if (has_line(r, k, best))
            add_score(v, r, k, best, text);
    add_others(r, best, text);
    if (best >= 0)
        hs_text_line(text, "chosen: %s", hs_arm_types[r->at[best].arm]->words);
    else
        hs_text_line(text, "nothing was seen to mix in so short trials");
}
