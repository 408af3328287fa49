/* test_flat_arm.c - when `auto` learns weights of log p: where two phases
 * coexist and nothing else leads from one to the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/kernel.h"
#include "kernel/multicanonical/log_weights.h"
#include "model/model.h"
#include "run/pilot/scheme.h"

/* What auto becomes; whether the arm was tried goes to *is_tried. */
static bool takes_weights(const char *model, uint64_t seed, bool *is_tried)
{
    hs_pilot_account account = {.seed = seed};
    hs_sampler *tree;
    hs_model *m;
    hs_scheme s;
    bool takes;

    assert_int_equal(hs_model_create(&m, model, NULL), HISS_OK);
    assert_int_equal(hs_sampler_parse(&tree, "auto", NULL), HISS_OK);
    assert_int_equal(hs_scheme_init(&s, m, tree, &account, NULL), HISS_OK);
    takes = s.sampler->type == &hs_kernel_multicanonical;
    *is_tried = s.text && strstr(s.text, "log p of chains has two peaks");
    if (takes) {
        assert_non_null(s.start);
        assert_non_null(strstr(s.text, "through the valley"));
    }
    hs_scheme_clear(&s);
    hs_sampler_release(tree);
    hs_model_destroy(m);
    return takes;
}

static void two_phases_have_weights(void **state)
{
    bool is_tried;

    (void)state;
    assert_true(
        takes_weights("potts(side=20,states=20,beta=1.69967)", 3, &is_tried));
    assert_true(is_tried);
}

static void nothing_is_learned_elsewhere(void **state)
{
    static const char *const models[] = {
        "potts(side=16,states=3,beta=1.005053)", /* a continuous transition */
        "potts(side=12,states=20,beta=1.2)",     /* one phase */
        "ising(side=16,beta=0.5)",
        "mixture(k=4,d=60,seed=2)",
    };
    bool is_tried;

    (void)state;
    for (size_t n = 0; n < sizeof models / sizeof *models; n++) {
        assert_false(takes_weights(models[n], 5, &is_tried));
        assert_false(is_tried);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_phases_have_weights),
        cmocka_unit_test(nothing_is_learned_elsewhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
