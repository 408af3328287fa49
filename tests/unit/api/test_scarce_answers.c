/* test_scarce_answers.c - verdicts, modes, exact answers and scans when memory
 * runs out on the way.
 *
 * As test_scarce_samplers.c: the n-th allocation and all after it fail.  A call
 * ends with HISS_ENOMEM or gives the answer that it gives with memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <hiss/hiss.h>

#include "base/alloc.h"
#include "unit/brief.h"

#define TRIES 150
#define FEW   15

/* A run whose draws are asked about. */
struct subject {
    const char *model, *sampler;
    hiss_model *m;
    hiss_result *r;
};

static struct subject subjects[] = {
    {.model = "ising(side=3,beta=0.3)", .sampler = "gibbs"},
    {.model = "mixture(2,30,strength_low=1.5)", .sampler = "gibbs"},
    {.model = "potts(side=3,states=3,beta=0.4)",
     .sampler = "pt(base=gibbs,levels=2)"},
    {.model = "ladder(d=4,levels=5,beta=0.3)", .sampler = "dmala(alpha=auto)"},
    {.model = "rbm(visible=9,hidden=4,modes=2)", .sampler = "hidden"},
    {.model = "ising(side=8,beta=0.6)", .sampler = "auto(pilot=1000)"},
};

enum {
    SUBJECTS = sizeof subjects / sizeof *subjects
};

/* A call of the interface; its answer as one number. */
typedef hiss_status question(const struct subject *s, double *answer);

static hiss_status diagnose(const struct subject *s, int blind, int quick,
                            double *answer)
{
    hiss_diagnose_settings set;
    hiss_diagnosis *d = NULL;
    hiss_status rc;

    hiss_diagnose_settings_init(&set);
    set.blind = blind;
    set.quick = quick;
    set.threads = 1;
    set.search = 2000.0;
    rc = hiss_diagnose(&d, s->r, s->m, &set, NULL);
    if (rc == HISS_OK)
        *answer = hiss_diagnosis_opinion(d);
    hiss_diagnosis_destroy(d);
    return rc;
}

static hiss_status is_it_right(const struct subject *s, double *answer)
{
    return diagnose(s, 0, 0, answer);
}

static hiss_status is_it_plausible(const struct subject *s, double *answer)
{
    return diagnose(s, 1, 0, answer);
}

static hiss_status is_it_so_quickly(const struct subject *s, double *answer)
{
    return diagnose(s, 0, 1, answer);
}

static hiss_status how_many_modes(const struct subject *s, double *answer)
{
    hiss_modes *modes = NULL;
    hiss_status rc = hiss_modes_create(&modes, s->r, s->m, NULL, NULL);

    if (rc == HISS_OK)
        *answer = (double)hiss_modes_found(modes);
    hiss_modes_destroy(modes);
    return rc;
}

static hiss_status what_is_log_z(const struct subject *s, double *answer)
{
    hiss_exact *e = NULL;
    hiss_status rc = hiss_exact_create(&e, s->m, 1, NULL);

    if (rc == HISS_OK)
        *answer = hiss_exact_log_z(e);
    hiss_exact_destroy(e);
    return rc;
}

static hiss_status what_is_log_z_nearly(const struct subject *s, double *answer)
{
    hiss_exact_settings set;
    hiss_exact *e = NULL;
    hiss_status rc;

    hiss_exact_settings_init(&set);
    set.threads = 1;
    set.nearly = 1;
    rc = hiss_exact_solve(&e, s->m, &set, NULL);
    if (rc == HISS_OK)
        *answer = hiss_exact_log_z(e);
    hiss_exact_destroy(e);
    return rc;
}

static hiss_status what_is_it_elsewhere(const struct subject *s, double *answer)
{
    static const double beta[] = {0.5, 1.0};
    hiss_result *out[2] = {NULL};
    hiss_column column = HISS_INIT(hiss_column);
    hiss_settings set;
    hiss_status rc;

    hiss_settings_init(&set);
    set.chains = 2;
    set.samples = 8;
    set.threads = 1;
    rc = hiss_scan(out, s->m, NULL, beta, 2, &set, NULL);
    if (rc == HISS_OK)
        rc = hiss_result_energy(out[0], &column, NULL);
    *answer = column.mean;
    hiss_result_destroy(out[0]);
    hiss_result_destroy(out[1]);
    return rc;
}

static hiss_status what_helps(const struct subject *s, double *answer)
{
    char *text = hiss_advice(s->r, s->m, HISS_NEED_MODES, 1.0, HISS_SHELL);

    *answer = text ? (double)strlen(text) : 0.0;
    hiss_free(text);
    return text ? HISS_OK : HISS_ENOMEM;
}

static void ask_all(question *ask)
{
    for (int k = 0; k < SUBJECTS; k++) {
        const struct subject *s = &subjects[k];
        int64_t before = hs_alloc_count(), all;
        int64_t most = test_is_brief() ? FEW : TRIES;
        double whole = 0.0, scarce = 0.0;
        hiss_status with = ask(s, &whole), rc;

        all = hs_alloc_count() - before;
        if (with == HISS_EUNSUP || with == HISS_ELIMIT)
            continue;
        assert_int_equal(with, HISS_OK);
        for (int64_t n = 1; n <= all + 1;
             n += 1 + (all > most ? n * 4 / most : 0)) {
            hs_alloc_fail_after(n);
            rc = ask(s, &scarce);
            hs_alloc_fail_after(0);
            if (rc != HISS_OK && rc != HISS_ENOMEM)
                fail_msg("%s: status %d when allocation %lld of %lld fails",
                         s->model, rc, (long long)n, (long long)all);
            if (rc == HISS_OK && scarce != whole)
                fail_msg("%s: %g, not %g, when allocation %lld of %lld fails",
                         s->model, scarce, whole, (long long)n, (long long)all);
        }
    }
}

#define ASKED(name)                                                            \
  static void name##_is_survived(void **state)                                 \
  {                                                                            \
    (void)state;                                                               \
    ask_all(name);                                                             \
  }

ASKED(is_it_right)
ASKED(is_it_plausible)
ASKED(is_it_so_quickly)
ASKED(how_many_modes)
ASKED(what_is_log_z)
ASKED(what_is_log_z_nearly)
ASKED(what_is_it_elsewhere)
ASKED(what_helps)

static int draw_all(void **state)
{
    hiss_settings set;

    (void)state;
    hiss_settings_init(&set);
    set.chains = 4;
    set.samples = 40;
    set.threads = 1;
    for (int k = 0; k < SUBJECTS; k++) {
        struct subject *s = &subjects[k];
        hiss_sampler *sampler = NULL;

        if (hiss_model_create(&s->m, s->model, NULL) ||
            hiss_sampler_create(&sampler, s->sampler, NULL) ||
            hiss_sample(&s->r, s->m, sampler, &set, NULL))
            return -1;
        hiss_sampler_destroy(sampler);
    }
    return 0;
}

static int clear_all(void **state)
{
    (void)state;
    for (int k = 0; k < SUBJECTS; k++) {
        hiss_result_destroy(subjects[k].r);
        hiss_model_destroy(subjects[k].m);
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_it_right_is_survived),
        cmocka_unit_test(is_it_plausible_is_survived),
        cmocka_unit_test(is_it_so_quickly_is_survived),
        cmocka_unit_test(how_many_modes_is_survived),
        cmocka_unit_test(what_is_log_z_is_survived),
        cmocka_unit_test(what_is_log_z_nearly_is_survived),
        cmocka_unit_test(what_is_it_elsewhere_is_survived),
        cmocka_unit_test(what_helps_is_survived),
    };

    return cmocka_run_group_tests(tests, draw_all, clear_all);
}
