/* rates.c - what is said of a race. */
#include "run/pilot/rates.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"

#define WIDTH 68   /* columns of a line, at most */
#define LINES 6    /* of rates, where others are far behind: */
#define FAR   0.05 /* of the best */

/* "clusters", "jumps", "pieces": what follows the local moves. */
static const char *follower_name(const hs_sampler *s)
{
    double share;

    if (s->type != &hs_kernel_bridge)
        return s->type == &hs_kernel_cluster ? "clusters" : s->type->name;
    share = hs_sampler_number(s, "pieces");
    return share >= 1.0 ? "pieces" : share > 0.0 ? "jumps + pieces" : "jumps";
}

/* "gibbs + clusters", "tempering, 17 levels". */
static void add_name(const hs_rates *r, const hs_sampler *s, hs_text *to)
{
    if (s->type == &hs_kernel_pt) {
        if (hs_sampler_list(s, "leg"))
            hs_text_print(to, "tempering to the laws");
        else if (hs_sampler_number(s, "parts") > 0.0)
            hs_text_print(to, "tempering in parts");
        else if (hs_sampler_find(s, &hs_kernel_bridge))
            hs_text_print(to, "tempering with jumps");
        else
            hs_text_print(to, "tempering, %d levels", r->levels);
    } else if (s->type == &hs_kernel_blocks) {
        hs_text_print(to, "blocks(table=%.0f)", hs_sampler_number(s, "table"));
    } else if (s->type == &hs_kernel_sequence && s != r->base) {
        add_name(r, s->child[0], to);
        hs_text_print(to, " + %s", follower_name(s->child[1]));
    } else if (s->type == &hs_kernel_mix && s != r->base) {
        add_name(r, s->child[0], to);
        hs_text_print(to, " + %.0f %s", hs_sampler_list(s, "weights")->at[1],
                      follower_name(s->child[1]));
    } else {
        hs_text_print(to, "%s", s->type->name);
    }
}

/* Two digits, without an exponent. */
static double two_digits(double x)
{
    double unit = pow(10.0, floor(log10(x)) - 1.0);

    return round(x / unit) * unit;
}

/* The name, owned by the caller; in a list neither how large blocks are nor how
 * many levels there are. */
static char *name_of(const hs_rates *r, const hs_sampler *s, bool is_listed)
{
    hs_text name = {0};
    char *out;

    if (is_listed && s->type == &hs_kernel_blocks)
        hs_text_print(&name, "blocks");
    else
        add_name(r, s, &name);
    if (!is_listed)
        hs_text_add_char(&name, ':');
    out = hs_text_take(&name);
    if (out && is_listed)
        out[strcspn(out, ",")] = '\0';
    return out;
}

/* What is said of a candidate: its rate, or one of these. */
typedef enum fate {
    RATED,
    BEHIND,
    NOT_MIXED,
    MISSES,
} fate;

static const char *const shortfall[] = {
    [BEHIND] = "less than a twentieth of the best",
    [NOT_MIXED] = "not seen to mix",
    [MISSES] = "misses modes that were found",
};

static fate fate_of(const hs_rates *r, int k, double least)
{
    double rate = r->race->at[k].rate;

    if (!(rate > 0.0))
        return r->misses[k] ? MISSES : NOT_MIXED;
    return rate >= least || k == r->best ? RATED : BEHIND;
}

/* Rates below this have no line of their own: none where there is room. */
static double least_of(const hs_rates *r)
{
    double best = 0.0;
    int rated = 0;

    for (int k = 0; k < r->race->count; k++) {
        best = fmax(best, r->race->at[k].rate);
        rated += r->race->at[k].rate > 0.0;
    }
    return rated > LINES ? FAR * best : 0.0;
}

/* A line for one that was seen to mix, or is taken nevertheless. */
static void report_one(const hs_rates *r, int k, hs_text *text)
{
    const hs_candidate *c = &r->race->at[k];
    char *name = name_of(r, c->sampler, false);

    hs_text_line(text, "%s %-25s ", k == r->best ? " >" : "  ",
                 name ? name : "");
    if (c->rate > 0.0)
        hs_text_print(text, "%.10g", two_digits(1e4 * c->rate));
    else
        hs_text_print(text, "%s", shortfall[fate_of(r, k, 0.0)]);
    hs_free(name);
}

/* Those of the others that have the same fate. */
static void report_others(const hs_rates *r, fate which, double least,
                          hs_text *text)
{
    size_t begin = 0;
    bool has_blocks = false;

    for (int k = 0; k < r->race->count; k++) {
        const hs_candidate *c = &r->race->at[k];
        bool are_blocks = c->sampler->type == &hs_kernel_blocks;
        char *name;

        if (k == r->best || fate_of(r, k, least) != which ||
            (are_blocks && has_blocks))
            continue;
        has_blocks |= are_blocks;
        name = name_of(r, c->sampler, true);
        if (begin == 0) {
            begin = text->length;
            hs_text_line(text, "%s: ", shortfall[which]);
        } else if (name && text->length - begin + strlen(name) > WIDTH) {
            hs_text_add_char(text, ',');
            begin = text->length;
            hs_text_line(text, "   ");
        } else {
            hs_text_print(text, ", ");
        }
        hs_text_print(text, "%s", name ? name : "");
        hs_free(name);
    }
}

void hs_rates_report(const hs_rates *r, hs_text *text)
{
    double least = least_of(r);

    hs_text_line(text, "effective draws per 10000 evaluations%s:",
                 r->has_jumps ? " (pieces: what modes differ by)"
                              : ", by trial");
    for (int k = 0; k < r->race->count; k++)
        if (k == r->best || fate_of(r, k, least) == RATED)
            report_one(r, k, text);
    for (fate which = BEHIND; which <= MISSES; which++)
        report_others(r, which, least, text);
}
