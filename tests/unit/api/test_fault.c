/* test_fault.c - what is said of a model that fails: what, and in which chain.
 *
 * The model is a function that turns bad at one state, or at one call.  One
 * chain starts from that state, all ones, the others more than one site away:
 * steps that are short do not take them there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <hiss/hiss.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define DIM      6
#define CHAINS   20
#define CODE     7
#define ALL_ONES ((1 << DIM) - 1)

enum bad {
    U_NAN,
    U_INFINITE,
    GRADIENT_NAN,
    GRADIENT_INFINITE,
    RETURNS
};

static struct {
    enum bad bad;
    int chain;   /* that starts from the bad state, -1: none */
    int fail_at; /* call from which on all is bad, 0: none */
    int calls;
} fault;

/* U = 0.1 sum x_i, but for the fault. */
static int evaluate(const void *context, const int16_t *x, int lanes, double *u,
                    float *gradient)
{
    bool from_now = fault.fail_at > 0 && ++fault.calls >= fault.fail_at;

    (void)context;
    for (int l = 0; l < lanes; l++) {
        int state = 0;
        bool is_bad;

        u[l] = 0.0;
        for (int i = 0; i < DIM; i++) {
            state |= x[i * lanes + l] << i;
            u[l] += 0.1 * x[i * lanes + l];
            if (gradient)
                gradient[i * lanes + l] = 0.1f;
        }
        is_bad = from_now || (fault.chain >= 0 && state == ALL_ONES);
        if (is_bad && fault.bad == RETURNS)
            return CODE;
        if (is_bad && fault.bad == U_NAN)
            u[l] = NAN;
        if (is_bad && fault.bad == U_INFINITE)
            u[l] = HUGE_VAL;
        if (is_bad && gradient && fault.bad == GRADIENT_NAN)
            gradient[2 * lanes + l] = NAN;
        if (is_bad && gradient && fault.bad == GRADIENT_INFINITE)
            gradient[2 * lanes + l] = -HUGE_VALF;
    }
    return 0;
}

static const hiss_domain domain = {.size = sizeof domain, .dim = DIM};

/* The message of a run that must fail so. */
static const char *failed(const char *spec, bool has_init, bool has_gradient,
                          hiss_status expected)
{
    static hiss_error err;
    hiss_callback callback = {.size = sizeof callback,
                              .name = "ours",
                              .domain = &domain,
                              .evaluate = evaluate,
                              .has_gradient = has_gradient};
    double init[CHAINS][DIM];
    hiss_settings set;
    hiss_model *model;
    hiss_sampler *sampler;
    hiss_result *result = NULL;
    hiss_status rc;

    for (int c = 0; c < CHAINS; c++)
        for (int i = 0; i < DIM; i++)
            init[c][i] = c == fault.chain || (c >> i & 1);
    err = (hiss_error){0};
    fault.calls = 0;
    hiss_settings_init(&set);
    set.chains = CHAINS;
    set.threads = 1;
    set.init = has_init ? init[0] : NULL;
    assert_int_equal(hiss_model_callback(&model, &callback, &err), HISS_OK);
    assert_int_equal(hiss_sampler_create(&sampler, spec, &err), HISS_OK);
    rc = hiss_sample(&result, model, sampler, &set, &err);
    hiss_result_destroy(result);
    hiss_sampler_destroy(sampler);
    hiss_model_destroy(model);
    if (rc != expected)
        fail_msg("%s: status %d, %s", spec, (int)rc, err.message);
    return err.message;
}

static void has(const char *message, const char *part)
{
    if (!strstr(message, part))
        fail_msg("no '%s' in '%s'", part, message);
}

static void has_not(const char *message, const char *part)
{
    if (strstr(message, part))
        fail_msg("'%s' in '%s'", part, message);
}

static void a_gradient_is_named_with_its_chain(void **state)
{
    static const char *const specs[] = {"dmala(alpha=0.01)", "gwg",
                                        "pt(base=gwg,levels=3)"};

    (void)state;
    for (int bad = GRADIENT_NAN; bad <= GRADIENT_INFINITE; bad++)
        for (int c = 3; c < CHAINS; c += 14)
            for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
                const char *message;
                char chain[32];

                fault.bad = (enum bad)bad;
                fault.chain = c;
                fault.fail_at = 0;
                message = failed(specs[k], true, true, HISS_ENUMERIC);
                snprintf(chain, sizeof chain, "chain %d at step", c);
                has(message, "gradient");
                has(message, chain);
                has_not(message, "U is NaN");
            }
}

static void u_is_named_with_its_chain(void **state)
{
    (void)state;
    for (int bad = U_NAN; bad <= U_INFINITE; bad++) {
        const char *message;

        fault.bad = (enum bad)bad;
        fault.chain = 17;
        fault.fail_at = 0;
        message = failed("dmala(alpha=0.5)", true, true, HISS_ENUMERIC);
        has(message, "U is NaN or +infinity at the start of chain 17");
    }
}

/* At the start, in the first steps and later; gradients of its own or not. */
static void a_code_is_named(void **state)
{
    static const char *const specs[] = {"gibbs",
                                        "dmala(alpha=0.5)",
                                        "gwg",
                                        "metropolis",
                                        "hiss(eta=2,inner=dmala(alpha=0.5))",
                                        "pt(base=gibbs,levels=3)"};

    (void)state;
    fault.bad = RETURNS;
    fault.chain = -1;
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++)
        for (int at = 1; at < 400; at = 2 * at + 1)
            for (int own = 0; own < 2; own++) {
                const char *message;

                fault.fail_at = at;
                message = failed(specs[k], false, own, HISS_EPLUGIN);
                has(message, "ours");
                has(message, "code 7");
                has_not(message, "NaN");
            }
}

/* Numbers from 2^31 on are those of pilots. */
static void a_pilot_has_no_number(void **state)
{
    (void)state;
    fault.chain = -1;
    for (int bad = U_NAN; bad <= RETURNS; bad++) {
        bool is_code = bad == RETURNS;
        int pilots = 0;

        for (int at = 2; at < 600; at = at * 3 / 2) {
            const char *message;

            fault.bad = (enum bad)bad;
            fault.fail_at = at;
            message = failed("auto", false, true,
                             is_code ? HISS_EPLUGIN : HISS_ENUMERIC);
            has(message, "ours");
            has_not(message, "chain 21474");
            pilots += strstr(message, "a pilot chain") != NULL;
            if (is_code)
                has(message, "code 7");
        }
        assert_true(pilots > 0);
    }
}

static void exact_answers_name_a_code(void **state)
{
    hiss_callback callback = {.size = sizeof callback,
                              .name = "ours",
                              .domain = &domain,
                              .evaluate = evaluate};
    hiss_error err = {0};
    hiss_model *model;
    hiss_exact *exact;

    (void)state;
    fault.bad = RETURNS;
    fault.chain = 0;
    fault.fail_at = 0;
    assert_int_equal(hiss_model_callback(&model, &callback, &err), HISS_OK);
    assert_int_equal(hiss_exact_create(&exact, model, 1, &err), HISS_EPLUGIN);
    has(err.message, "code 7");
    hiss_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gradient_is_named_with_its_chain),
        cmocka_unit_test(u_is_named_with_its_chain),
        cmocka_unit_test(a_code_is_named),
        cmocka_unit_test(a_pilot_has_no_number),
        cmocka_unit_test(exact_answers_name_a_code),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
