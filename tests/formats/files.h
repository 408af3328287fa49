/* files.h - problems from texts, for the tests of file formats. */
#ifndef HS_TESTS_FILES_H
#define HS_TESTS_FILES_H

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "format/format.h"
#include "unit/text_files.h"

/* "0110" to indices. */
static inline void parse_state(const char *text, int16_t *state)
{
    for (int i = 0; text[i]; i++)
        state[i] = (int16_t)(text[i] - '0');
}

/* U of a state, of the problem and of its model, which must agree. */
static inline double energy_of(hs_problem *p, const hs_model *m,
                               const char *text)
{
    int16_t state[64] = {0};
    double u, rough = 0;

    assert_int_equal(strlen(text), p->dim);
    parse_state(text, state);
    u = hs_problem_energy(p, state);
    assert_int_equal(hs_model_energy(m, state, &rough, NULL), HISS_OK);
    if (isfinite(u) ? !(fabs(u - rough) <= 1e-5 * (1 + fabs(u))) : u != rough)
        fail_msg("state %s: U is %.9g, of the model %.9g", text, u, rough);
    return u;
}

static inline void read_problem(hs_problem *p, const char *path,
                                const char *format)
{
    hiss_error err;

    if (hs_format_read(p, path, format, &err) != HISS_OK)
        fail_msg("%s", err.message);
}

/* A second copy for the model: making one takes a problem apart. */
static inline hs_model *read_model(const char *path, const char *format)
{
    hs_model *m;
    hiss_error err;

    if (hs_format_model(&m, path, format, &err) != HISS_OK)
        fail_msg("%s", err.message);
    return m;
}

#endif
