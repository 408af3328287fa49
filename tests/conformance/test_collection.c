/* test_collection.c - the samplers of the literature: the law with all options
 * and inside others, transitions against matrices from the definitions, and
 * the same matrices with faults, which must be seen.
 *
 * Bare kernels are in test_law.c, on all kinds.  p-values as in
 * test_transitions.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "conformance/support/collection.h"
#include "conformance/support/suite.h"

#define LAW     15000
#define COUNTS  50000
#define REFUSED 100000

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *const samplers[] = {
    "informed(balance=barker)",
    "informed(balance=min)",
    "informed(balance=max)",
    "informed(balance=max,gain=gradient)",
    "informed(balance=barker,gain=gradient)",
    "pas(length=2,balance=barker)",
    "pas(gain=gradient)",
    "pafs(length=1.5,balance=max)",
    "pafs(length=2,balance=min,gain=gradient)",
    "dlmc(time=0.5,balance=barker)",
    "dlmc(time=0.3,balance=max)",
    "dlmc(time=0.4,balance=min,solver=euler)",
    "hamming(block=2,radius=1)",
    "hamming(block=3,radius=3)",
    "chromatic(scan=random)",
    "hiss(eta=0.6,steps=1,inner=chromatic)",
    "pt(base=chromatic,levels=2)",
    "jumps(time=0.5,balance=barker)",
    "tgs(time=2,power=1)",
    "tabu(time=2,balance=min)",
    "mtm(tries=3,balance=barker)",
    "ab(sigma=3,balance=0.7)",
    "hiss(eta=0.6,steps=1,order=palindrome,inner=ab(sigma=2))",
    "pt(base=ab(sigma=2,rank=2),levels=2)",
    "hiss(eta=0.6,steps=1,order=palindrome,inner=tabu(time=0.5))",
    "hiss(eta=0.6,steps=1,inner=mtm(tries=2))",
    "pt(base=tabu(time=1),levels=2)",
    "mix(jumps(time=1),tgs(time=1,power=0),mtm)",
    "edlp(eta=0.5,steps=2,inner=dmala(alpha=2))",
    "edlp(eta=2,inner=gibbs)",
    "hiss(eta=0.6,steps=2,inner=informed(balance=barker))",
    "hiss(eta=0.6,steps=1,order=palindrome,inner=pas(length=2))",
    "pt(base=informed(balance=min),levels=3)",
    "hiss(eta=0.6,steps=1,inner=pafs(length=2))",
    "hiss(eta=0.6,steps=1,inner=hamming(block=3))",
    "hiss(eta=0.6,steps=1,order=palindrome,inner=dlmc(time=0.5))",
    "hiss(eta=0.6,steps=1,inner=edlp(eta=2,inner=dmala(alpha=2)))",
    "pt(base=pafs,levels=2)",
    "pt(base=dlmc,levels=3)",
    "pt(base=hamming(block=2,radius=1),levels=2)",
    "pt(base=edlp(eta=2,inner=dmala(alpha=2)),levels=2)",
    "sequence(pas,informed)",
    "mix(informed,gibbs,hamming)",
    "mix(dlmc,pafs)",
};

static void the_law_is_kept(void **state)
{
    static const suite_model models[] = {MIXED, HOLES, LONE, LADDER};
    uint64_t seed = 210000;
    int wrong = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(models); i++) {
        hs_model *m = suite_create(models[i]);

        for (size_t s = 0; s < COUNT(samplers); s++)
            wrong += suite_complaints(suite_names[models[i]], m, samplers[s],
                                      suite_replicates(LAW), suite_seed(seed++),
                                      0.1);
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

static const collection_walk exact_sqrt = {balance_sqrt, true, 1},
                             exact_barker = {balance_barker, true, 1},
                             exact_min = {balance_min, true, 1},
                             exact_max = {balance_max, true, 1},
                             linear_barker = {balance_barker, false, 1},
                             path_sqrt = {balance_sqrt, true, 2},
                             path_max = {balance_max, false, 2};

static const collection_walk ends_min = {balance_min, true, 2},
                             ends_barker = {balance_barker, false, 2};
static const collection_rates slow = {balance_sqrt, 0.4, false},
                              quick = {balance_barker, 1.5, false},
                              first = {balance_max, 0.3, true};
#define TABU_STATES 40 /* with their signs some 10000 */
static const collection_process jump_sqrt = {balance_sqrt, 0.0, 0.5, false},
                                jump_max = {balance_max, 0.0, 0.3, false},
                                tempered_half = {NULL, 0.5, 1.0, false},
                                tempered_flat = {NULL, 0.0, 0.7, false},
                                tabu_sqrt = {balance_sqrt, 0.0, 0.5, true},
                                tabu_barker = {balance_barker, 0.0, 1.0, true};
#define SCALE_STATES 100 /* of each pair an integral */
static const double sigma = 2.0;
static const collection_ball narrow = {2, 1}, wide = {3, 2};

/* A sampler, and how its matrix is made. */
struct definition {
    const char *sampler;
    void (*make)(const space *s, const void *rule, collection_fault fault,
                 matrix p);
    const void *rule;
    int most; /* states, or 0: as many as there are */
};

static void make_path(const space *s, const void *rule, collection_fault fault,
                      matrix p)
{
    matrix_path(s, rule, fault, p);
}

static void make_ends(const space *s, const void *rule, collection_fault fault,
                      matrix p)
{
    matrix_ends(s, rule, fault, p);
}

static void make_rates(const space *s, const void *rule, collection_fault fault,
                       matrix p)
{
    matrix_rates(s, rule, fault, p);
}

static void make_ball(const space *s, const void *rule, collection_fault fault,
                      matrix p)
{
    matrix_ball(s, rule, fault, p);
}

static const struct definition definitions[] = {
    {"informed", make_path, &exact_sqrt, 0},
    {"informed(balance=barker)", make_path, &exact_barker, 0},
    {"informed(balance=min)", make_path, &exact_min, 0},
    {"informed(balance=max)", make_path, &exact_max, 0},
    {"informed(balance=barker,gain=gradient)", make_path, &linear_barker, 0},
    {"pas(length=2)", make_path, &path_sqrt, 0},
    {"pas(length=2,balance=max,gain=gradient)", make_path, &path_max, 0},
    {"pafs(length=2,balance=min)", make_ends, &ends_min, 0},
    {"pafs(length=2,balance=barker,gain=gradient)", make_ends, &ends_barker, 0},
    {"dlmc(time=0.4)", make_rates, &slow, 0},
    {"dlmc(time=1.5,balance=barker)", make_rates, &quick, 0},
    {"dlmc(time=0.3,balance=max,solver=euler)", make_rates, &first, 0},
    {"hamming(block=2,radius=1,updates=1)", make_ball, &narrow, 0},
    {"hamming(block=3,radius=2,updates=1)", make_ball, &wide, 0},
    {"chromatic(scan=random,updates=1)", matrix_colors, NULL, 0},
    {"jumps(time=0.5)", matrix_process, &jump_sqrt, 0},
    {"jumps(time=0.3,balance=max)", matrix_process, &jump_max, 0},
    {"tgs(time=1)", matrix_process, &tempered_half, 0},
    {"tgs(time=0.7,power=0)", matrix_process, &tempered_flat, 0},
    {"tabu(time=0.5)", matrix_process, &tabu_sqrt, TABU_STATES},
    {"tabu(time=1,balance=barker)", matrix_process, &tabu_barker, TABU_STATES},
    {"ab(sigma=2,rank=1)", matrix_scale, &sigma, SCALE_STATES},
    {"mtm(tries=2)", matrix_tries, &jump_sqrt, 0},
    {"mtm(tries=2,balance=max)", matrix_tries, &jump_max, 0},
};

/* pi p = pi, and detailed balance, to rounding. */
static int is_unbalanced(const space *s, matrix p)
{
    double worst = 0.0;

    for (int x = 0; x < s->n; x++) {
        double sum = 0.0;

        for (int y = 0; y < s->n; y++) {
            worst = fmax(worst,
                         fabs(exp(s->u[x]) * p[x][y] - exp(s->u[y]) * p[y][x]));
            sum += p[x][y];
        }
        worst = fmax(worst, fabs(sum - 1.0));
    }
    return worst > 1e-12;
}

/* All but the ladder, whose gradient is its own; the last is a large one. */
static const suite_model kinds[] = {BINARY, SPIN,  ORDINAL, CATEGORICAL,
                                    MIXED,  POTTS, FIELD};

static void transitions_are_as_defined(void **state)
{
    static matrix p;
    uint64_t seed = 220000;
    int wrong = 0;

    (void)state;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        hs_model *m = suite_create(kinds[k]);
        space s;

        space_init(&s, m);
        collection_model = m;
        for (size_t d = 0; d < COUNT(definitions); d++) {
            const struct definition *one = &definitions[d];

            if (one->most > 0 && s.n > one->most)
                continue;
            one->make(&s, one->rule, RIGHT, p);
            wrong += one->make != matrix_scale && is_unbalanced(&s, p);
            wrong +=
                matrix_complaints(suite_names[kinds[k]], m, &s, one->sampler, p,
                                  suite_replicates(COUNTS), seed++);
        }
        hs_model_destroy(m);
    }
    assert_int_equal(wrong, 0);
}

static void every_fault_is_seen(void **state)
{
    static const char *const names[FAULTS] = {"right", "no reverse",
                                              "wrong sign", "its own"};
    static const struct definition families[] = {
        {"informed", make_path, &exact_barker, 0},
        {"pas", make_path, &path_sqrt, 0},
        {"pafs", make_ends, &ends_min, 0},
        {"dlmc", make_rates, &slow, 0},
        {"hamming", make_ball, &narrow, 0},
        {"chromatic", matrix_colors, NULL, 0},
        {"jumps", matrix_process, &jump_sqrt, 0},
        {"tgs", matrix_process, &tempered_half, 0},
        {"tabu", matrix_process, &tabu_sqrt, TABU_STATES},
        {"mtm", matrix_tries, &jump_sqrt, 0},
        {"ab", matrix_scale, &sigma, TABU_STATES},
    };
    static matrix p;
    uint64_t seed = 230000;
    int overlooked = 0;

    (void)state;
    collection_table = (const double(*)[SPACE_STATES])p;
    for (size_t k = 0; k < COUNT(kinds) - 1; k++) {
        hs_model *m = suite_create(kinds[k]);
        space s;

        space_init(&s, m);
        collection_model = m;
        for (size_t d = 0; d < COUNT(families); d++)
            for (int fault = RIGHT; fault < FAULTS; fault++) {
                const struct definition *one = &families[d];
                hs_verdict v;
                bool is_seen;

                if (one->most > 0 && s.n > one->most)
                    continue;
                one->make(&s, one->rule, (collection_fault)fault, p);
                suite_verify(&v, m, "tabled", suite_replicates(REFUSED),
                             suite_seed(seed++));
                is_seen =
                    fmin(v.result.p_value, v.result.reversible_p_value) < 1e-8;
                printf("%s  %-11s %-8s %-10s p = %-9.3g moved %.3f\n",
                       is_seen ? "seen " : "     ", suite_names[kinds[k]],
                       one->sampler, names[fault], v.result.p_value,
                       v.result.moved);
                overlooked += is_seen != (fault != RIGHT);
                hs_verdict_clear(&v);
            }
        hs_model_destroy(m);
    }
    assert_int_equal(overlooked, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_law_is_kept),
        cmocka_unit_test(transitions_are_as_defined),
        cmocka_unit_test(every_fault_is_seen),
    };

    suite_begin(argc, argv);
    hs_kernel_extra = collection_kernels;
    return cmocka_run_group_tests_name("collection", tests, NULL, NULL);
}
