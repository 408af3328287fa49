/* problem.c - creating, clearing and evaluating a problem. */
#include "format/problem/problem.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"
#include "base/state/tour.h"
#include "base/text.h"

enum {
    REMARK_MAX = 512
};

void hs_problem_clear(hs_problem *p)
{
    hs_strings_free(p->names, p->dim);
    hs_strings_free(p->state_names, p->state_name_count);
    hs_free(p->quadratic.linear);
    hs_free(p->quadratic.row);
    hs_free(p->quadratic.column);
    hs_free(p->quadratic.value);
    hs_factors_clear(&p->factors);
    hs_free(p->machine.weight);
    hs_free(p->machine.b);
    hs_free(p->machine.c);
    hs_cities_clear(&p->cities);
    hs_free(p->convention);
    hs_free(p->note);
    hs_free(p->reads_as);
    *p = (hs_problem){0};
}

hiss_status hs_problem_assume(hs_problem *p, hiss_error *err,
                              const char *format, ...)
{
    char text[REMARK_MAX];
    va_list args;

    va_start(args, format);
    hs_vsnprintf(text, sizeof text, format, args);
    va_end(args);
    hs_free(p->convention);
    p->convention = hs_strdup(text);
    return p->convention ? HISS_OK : hs_fail_memory(err);
}

hiss_status hs_problem_remark(hs_problem *p, hiss_error *err,
                              const char *format, ...)
{
    char text[REMARK_MAX];
    hs_text both = {0};
    char *joined;
    va_list args;

    va_start(args, format);
    hs_vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (p->note) {
        hs_text_add_string(&both, p->note);
        hs_text_add_string(&both, "; ");
    }
    hs_text_add_string(&both, text);
    joined = hs_text_take(&both);
    if (!joined)
        return hs_fail_memory(err);
    hs_free(p->note);
    p->note = joined;
    return HISS_OK;
}

hiss_status hs_problem_init_quadratic(hs_problem *p, hiss_kind kind,
                                      bool maximize, int dim, int64_t pairs,
                                      hiss_error *err)
{
    hs_quadratic_problem *q = &p->quadratic;

    *p = (hs_problem){.shape = HS_QUADRATIC, .dim = dim, .scale = 1.0};
    q->kind = kind;
    q->maximize = maximize;
    q->pairs = pairs;
    q->linear = hs_alloc_array((size_t)dim, sizeof *q->linear);
    q->row = hs_alloc_array((size_t)pairs, sizeof *q->row);
    q->column = hs_alloc_array((size_t)pairs, sizeof *q->column);
    q->value = hs_alloc_array((size_t)pairs, sizeof *q->value);
    if (q->linear && q->row && q->column && q->value)
        return HISS_OK;
    hs_problem_clear(p);
    return hs_fail_memory(err);
}

int hs_problem_states(const hs_problem *p, int i)
{
    if (p->shape == HS_TOURS)
        return p->dim;
    return p->shape == HS_FACTORS ? p->factors.states[i] : 2;
}

static double quadratic_energy(const hs_quadratic_problem *q, int dim,
                               const int16_t *state)
{
    int low = q->kind == HISS_SPIN ? -1 : 0, gap = q->kind == HISS_SPIN ? 2 : 1;
    double e = q->offset;

    for (int i = 0; i < dim; i++)
        e += q->linear[i] * (low + gap * state[i]);
    for (int64_t k = 0; k < q->pairs; k++)
        e += q->value[k] * ((low + gap * state[q->row[k]]) *
                            (low + gap * state[q->column[k]]));
    return q->maximize ? e : -e;
}

static double machine_energy(const hs_machine_problem *m, int dim,
                             const int16_t *state)
{
    double u = 0.0;

    for (int i = 0; i < dim; i++)
        u += state[i] * m->b[i];
    for (int j = 0; j < m->hidden; j++) {
        double a = m->c[j];

        for (int i = 0; i < dim; i++)
            a +=
                state[i] * m->weight[(size_t)i * (size_t)m->hidden + (size_t)j];
        u += fmax(a, 0.0) + log1p(exp(-fabs(a)));
    }
    return u;
}

static double tour_energy(const hs_problem *p, const int16_t *state)
{
    double length = 0.0;

    if (!hs_tour_is_whole(state, 1, p->dim))
        return -HUGE_VAL;
    for (int i = 0; i < p->dim; i++)
        length += hs_cities_distance(&p->cities, state[i],
                                     state[(i + 1) % p->dim], p->law.rounded);
    return -length / p->law.temperature;
}

double hs_problem_energy(const hs_problem *p, const int16_t *state)
{
    switch (p->shape) {
    case HS_QUADRATIC:
        return quadratic_energy(&p->quadratic, p->dim, state);
    case HS_FACTORS:
        return hs_factors_energy(&p->factors, state);
    case HS_MACHINE:
        return machine_energy(&p->machine, p->dim, state);
    case HS_TOURS:
        return tour_energy(p, state);
    }
    return (double)NAN;
}
