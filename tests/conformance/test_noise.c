/* test_noise.c - the mixture of scales of hiss, and its learned noise, made
 * wrong on purpose: the sources themselves, with another decision.  Each is
 * right without its fault, on every coordinate kind, and rejected with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "conformance/support/suite.h"
#include "kernel/kernel.h"
#include "kernel/tile.h"

/* What is wrong with the decision. */
enum {
    NONE,
    SIGN,  /* uphill where it should be downhill */
    BLIND, /* x' is always taken */
    HALF   /* the root of the ratio */
};

static _Thread_local int fault;

static void decide(hs_tile *t, const double *log_ratio, int32_t *accept)
{
    static const double times[] = {1.0, -1.0, 0.0, 0.5};
    double ratio[HS_LANES];

    for (int l = 0; l < HS_LANES; l++)
        ratio[l] = times[fault] * log_ratio[l];
    hs_tile_decide(t, ratio, accept);
}

#define hs_tile_decide        decide
#define hs_noise_mix_init     bad_mix_init
#define hs_noise_mix_clear    bad_mix_clear
#define hs_noise_mix_jump     bad_mix_jump
#define hs_noise_mix_leave    bad_mix_leave
#define hs_noise_mix_arrive   bad_mix_arrive
#define hs_noise_mix_freeze   bad_mix_freeze
#define hs_noise_mix_describe bad_mix_describe
#define hs_learned_init       bad_learned_init
#define hs_learned_clear      bad_learned_clear
#define hs_learned_attach     bad_learned_attach
#define hs_learned_jump       bad_learned_jump
#include "kernel/compose/noise_mix.c"
#include "kernel/noise/learned.c"
#undef hs_tile_decide

#define QUICK 400000

struct bad_noise {
    int fault;
    hs_noise_mix mix;
    hs_learned learned;
    hs_library *library; /* owned: two states that differ everywhere */
};

static const hs_option options[] = {
    {"fault", HS_CHOICE, offsetof(struct bad_noise, fault), "none",
     "none|sign|blind|half", "what is wrong"},
    {0},
};

static hs_traits traits(const hs_kernel *k)
{
    (void)k;
    return (hs_traits){.exact = true,
                       .reversible = true,
                       .homogeneous = true,
                       .shares = true,
                       .period = 1};
}

static hiss_status mix_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct bad_noise *s = k->state;

    return bad_mix_init(&s->mix, m, 0, k->lane + HS_OWN_COLUMNS, err);
}

static void mix_clear(hs_kernel *k)
{
    bad_mix_clear(&((struct bad_noise *)k->state)->mix);
}

static hiss_status mix_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                            hs_tile *x)
{
    struct bad_noise *s = k->state;

    fault = s->fault;
    return bad_mix_jump(&s->mix, k, m, t, x, HS_U, 1.0,
                        k->lane + HS_OWN_COLUMNS);
}

static const hs_kernel_type bad_mix = {
    .name = "bad_mix",
    .size = sizeof(struct bad_noise),
    .options = options,
    .columns = HS_OWN_COLUMNS + HS_MIX_COLUMNS,
    .setup = mix_setup,
    .step = mix_step,
    .clear = mix_clear,
    .traits = traits,
};

static hiss_status learned_setup(hs_kernel *k, const hs_model *m,
                                 hiss_error *err)
{
    struct bad_noise *s = k->state;
    int16_t state[16];

    HS_TRY(bad_learned_init(&s->learned, m, err));
    HS_TRY(hs_library_create(&s->library, &m->domain, 2, err));
    for (int mode = 0; mode < 2; mode++) {
        for (int i = 0; i < m->domain.dim; i++)
            state[i] = (int16_t)(mode * (m->domain.states[i] - 1));
        HS_TRY(hs_library_state(s->library, &m->domain, mode, state, err));
    }
    hs_library_weigh(s->library, NULL);
    HS_TRY(hs_library_cut(s->library, m, err));
    bad_learned_attach(&s->learned, s->library);
    return HISS_OK;
}

static void learned_clear(hs_kernel *k)
{
    struct bad_noise *s = k->state;

    bad_learned_clear(&s->learned);
    hs_library_destroy(s->library);
}

static hiss_status learned_step(hs_kernel *k, const hs_model *m,
                                const hs_tilt *t, hs_tile *x)
{
    struct bad_noise *s = k->state;

    fault = s->fault;
    hs_tile_tick(x);
    return hs_learned_any(&s->learned)
               ? bad_learned_jump(&s->learned, k, m, t, x, HS_U)
               : HISS_OK;
}

static const hs_kernel_type bad_learned = {
    .name = "bad_learned",
    .size = sizeof(struct bad_noise),
    .options = options,
    .setup = learned_setup,
    .step = learned_step,
    .clear = learned_clear,
    .traits = traits,
};

static const hs_kernel_type *const bad_kernels[] = {&bad_mix, &bad_learned,
                                                    NULL};

static const suite_model kinds[] = {BINARY, SPIN,  ORDINAL, CATEGORICAL,
                                    MIXED,  ISING, LADDER,  POTTS};

enum {
    KINDS = sizeof kinds / sizeof *kinds,
    EXCHANGED = 5, /* kinds that show a fault of bad_learned */
    MIXES = 3      /* faults of bad_mix, which come first */
};

static void without_fault_they_are_right(void **state)
{
    static const char *const right[] = {"bad_mix", "bad_learned"};
    int complaints = 0;

    (void)state;
    for (int k = 0; k < KINDS; k++) {
        hs_model *m = suite_create(kinds[k]);

        for (size_t s = 0; s < sizeof right / sizeof *right; s++)
            complaints += suite_complaints(
                suite_names[kinds[k]], m, right[s], suite_replicates(100000),
                suite_seed(190000 + 100 * (uint64_t)k + s), s ? 0.0 : 0.1);
        hs_model_destroy(m);
    }
    assert_int_equal(complaints, 0);
}

static void every_fault_is_seen(void **state)
{
    static const char *const wrong[] = {
        "bad_mix(fault=sign)", "bad_mix(fault=blind)", "bad_mix(fault=half)",
        "bad_learned(fault=sign)", "bad_learned(fault=half)"};
    int overlooked = 0;

    (void)state;
    for (int k = 0; k < KINDS; k++) {
        hs_model *m = suite_create(kinds[k]);

        /* the exchange is a symmetry of the last three, where it is never
         * refused */
        size_t count = k < EXCHANGED ? sizeof wrong / sizeof *wrong : MIXES;

        for (size_t s = 0; s < count; s++)
            overlooked += suite_overlooks(
                suite_names[kinds[k]], m, wrong[s], suite_replicates(QUICK),
                suite_seed(195000 + 100 * (uint64_t)k + s));
        hs_model_destroy(m);
    }
    assert_int_equal(overlooked, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_fault_they_are_right),
        cmocka_unit_test(every_fault_is_seen),
    };

    suite_begin(argc, argv);
    hs_kernel_extra = bad_kernels;
    return cmocka_run_group_tests_name("noise", tests, NULL, NULL);
}
