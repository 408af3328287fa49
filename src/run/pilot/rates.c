/* rates.c - what is said of a race. */
#include "run/pilot/rates.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"

#define WIDTH 68 /* columns of a line, at most */

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

/* The name, owned by the caller; of blocks alone that they are some. */
static char *name_of(const hs_rates *r, const hs_sampler *s, bool is_listed)
{
    hs_text name = {0};

    if (is_listed && s->type == &hs_kernel_blocks)
        hs_text_print(&name, "blocks");
    else
        add_name(r, s, &name);
    if (!is_listed)
        hs_text_add_char(&name, ':');
    return hs_text_take(&name);
}

static const char *shortfall(bool misses)
{
    return misses ? "misses what tempering finds" : "not seen to mix";
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
        hs_text_print(text, "%s", shortfall(r->misses[k]));
    hs_free(name);
}

/* The others: those that miss what tempering finds, or were not seen to mix. */
static void report_others(const hs_rates *r, bool misses, hs_text *text)
{
    size_t begin = 0;
    bool has_blocks = false;

    for (int k = 0; k < r->race->count; k++) {
        const hs_candidate *c = &r->race->at[k];
        bool are_blocks = c->sampler->type == &hs_kernel_blocks;
        char *name;

        if (k == r->best || c->rate > 0.0 || r->misses[k] != misses ||
            (are_blocks && has_blocks))
            continue;
        has_blocks |= are_blocks;
        name = name_of(r, c->sampler, true);
        if (begin == 0) {
            begin = text->length;
            hs_text_line(text, "%s: ", shortfall(misses));
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
    hs_text_line(text, "effective draws per 10000 evaluations%s:",
                 r->has_jumps ? " (pieces: what modes differ by)"
                              : ", by trial");
    for (int k = 0; k < r->race->count; k++)
        if (k == r->best || r->race->at[k].rate > 0.0)
            report_one(r, k, text);
    report_others(r, false, text);
    report_others(r, true, text);
}
