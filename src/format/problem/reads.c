/* reads.c - one line that describes what was read from a file.
 *
 *     ea.txt: 648 couplings, 216 spins, read as rudy max-cut: log p = -1/2
 *     sum J s_i s_j + constant (J > 0 repels)
 * The reader of a format sets the part after the last colon with
 * hs_problem_assume; the default depends on the shape of the problem. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "format/problem/problem.h"

enum {
    PART_MAX = 96
};

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

static int64_t count_fields(const hs_problem *p)
{
    int64_t count = 0;

    for (int i = 0; i < p->dim; i++)
        count += p->quadratic.linear[i] != 0.0;
    return count;
}

static void add_quadratic(hs_text *t, const hs_problem *p)
{
    const hs_quadratic_problem *q = &p->quadratic;
    int64_t fields = count_fields(p);
    char part[PART_MAX];

    snprintf(part, sizeof part, "%lld coupling%s, ", (long long)q->pairs,
             plural(q->pairs));
    hs_text_add_string(t, part);
    if (fields > 0) {
        snprintf(part, sizeof part, "%lld field%s, ", (long long)fields,
                 plural(fields));
        hs_text_add_string(t, part);
    }
    snprintf(part, sizeof part, "%d %s%s", p->dim,
             q->kind == HISS_SPIN ? "spin" : "bit", plural(p->dim));
    hs_text_add_string(t, part);
}

/* Adds "648 couplings, 216 spins". */
static void add_counts(hs_text *t, const hs_problem *p)
{
    char part[PART_MAX] = "";

    switch (p->shape) {
    case HS_QUADRATIC:
        add_quadratic(t, p);
        return;
    case HS_FACTORS:
        snprintf(part, sizeof part, "%lld table%s, %d variable%s",
                 (long long)p->factors.count, plural(p->factors.count), p->dim,
                 plural(p->dim));
        break;
    case HS_MACHINE:
        snprintf(part, sizeof part, "%d visible and %d hidden units", p->dim,
                 p->machine.hidden);
        break;
    case HS_TOURS:
        snprintf(part, sizeof part, "%d cities", p->dim);
        break;
    }
    hs_text_add_string(t, part);
}

/* The default formula of a shape. */
static const char *usual_formula(const hs_problem *p)
{
    const hs_quadratic_problem *q = &p->quadratic;

    switch (p->shape) {
    case HS_QUADRATIC:
        if (q->kind == HISS_SPIN)
            return q->maximize ? "log p = sum J s_i s_j + sum h s_i "
                                 "(J > 0 attracts)"
                               : "log p = -E, E = sum J s_i s_j + sum h s_i "
                                 "+ constant (J > 0 repels)";
        return q->maximize
                   ? "log p = sum Q x_i x_j + sum a x_i (Q > 0 favors "
                     "x_i = x_j = 1)"
                   : "log p = -E, E = sum Q x_i x_j + sum a x_i + constant "
                     "(Q > 0 disfavors x_i = x_j = 1)";
    case HS_FACTORS:
        return "log p = sum of ln of the table entries";
    case HS_MACHINE:
        return "log p = b'v + sum_j ln(1 + exp(c_j + v'W_j))";
    case HS_TOURS:
        return "log p = -length / temperature";
    }
    return "";
}

hiss_status hs_problem_say(hs_problem *p, const char *path, const char *title,
                           hiss_error *err)
{
    const char *name = strrchr(path, '/');
    hs_text t = {0};

    hs_text_add_string(&t, strcmp(path, "-") == 0 ? "standard input"
                           : name                 ? name + 1
                                                  : path);
    hs_text_add_string(&t, ": ");
    add_counts(&t, p);
    hs_text_add_string(&t, ", read as ");
    hs_text_add_string(&t, title);
    hs_text_add_string(&t, ": ");
    hs_text_add_string(&t, p->convention ? p->convention : usual_formula(p));
    hs_free(p->reads_as);
    p->reads_as = hs_text_take(&t);
    return p->reads_as ? HISS_OK : hs_fail_memory(err);
}
