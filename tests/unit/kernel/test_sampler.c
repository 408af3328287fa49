/* Samplers as trees: what they print, what they are made of, who has them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "kernel/sampler.h"
#include "unit/model_fixture.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static hs_sampler *parse(const char *text)
{
    hs_sampler *s;
    hiss_error err = {0};

    if (hs_sampler_parse(&s, text, &err) != HISS_OK)
        fail_msg("%s: %s", text, err.message);
    return s;
}

static void expect(char *text, const char *expected)
{
    assert_non_null(text);
    assert_string_equal(text, expected);
    hs_free(text);
}

static void text_is_as_given_or_in_full(void **state)
{
    static const struct {
        const char *text, *given, *full;
    } cases[] = {
        {"gibbs", "gibbs", "gibbs(scan=systematic,updates=0,packed=no)"},
        {" gibbs ( scan = random ) ", "gibbs(scan=random)",
         "gibbs(scan=random,updates=0,packed=no)"},
        {"dmala(.10)", "dmala(.10)", "dmala(alpha=0.1,adjust=yes)"},
        {"dmala()", "dmala()", "dmala(alpha=auto,adjust=yes)"},
        {"pt(dmala(alpha=2),ladder=[1,2.50,inf])",
         "pt(dmala(alpha=2),ladder=[1,2.50,inf])",
         "pt(base=dmala(alpha=2,adjust=yes),levels=5,max_temperature=auto,"
         "ladder=[1,2.5,inf],swap_every=1,houdayer=0,reference=uniform)"},
        {"mix(gwg,sequence(tour,cluster),weights=[1,3])",
         "mix(gwg,sequence(tour,cluster),weights=[1,3])", NULL},
        {"bridge(modes=\"a b\")", "bridge(modes=\"a b\")",
         "bridge(swap=0,components=0,sites=64,modes=\"a b\",learn=yes)"},
    };

    (void)state;
    for (size_t n = 0; n < COUNT(cases); n++) {
        hs_sampler *s = parse(cases[n].text), *again;
        char *full = hs_sampler_print(s);

        expect(hs_sampler_print_given(s), cases[n].given);
        if (cases[n].full)
            assert_string_equal(full, cases[n].full);
        again = parse(full); /* what it prints is itself */
        assert_true(hs_sampler_equal(s, again));
        expect(hs_sampler_print(again), full);
        hs_sampler_release(again);
        assert_int_equal(hs_sampler_spell_out(&again, s, NULL), HISS_OK);
        expect(hs_sampler_print_given(again), full);
        assert_true(hs_sampler_equal(s, again));
        hs_sampler_release(again);
        hs_sampler_release(s);
        hs_free(full);
    }
}

static void samplers_that_differ_are_not_equal(void **state)
{
    static const char *const all[] = {
        "gibbs",         "gibbs(scan=random)", "gibbs(updates=3)",
        "dmala",         "dmala(alpha=1)",     "dmala(adjust=no)",
        "pt(gibbs)",     "pt(dmala)",          "pt(gibbs,ladder=[1,2])",
        "bridge",        "bridge(modes=a)",    "pt(gibbs,ladder=[1,3])",
        "mix(gibbs)",    "mix(gibbs,gibbs)",   "bridge(modes=b)",
        "sequence(gwg)", "mix(gwg)",           "pt(gibbs,ladder=[1,2,3])",
    };

    (void)state;
    for (size_t a = 0; a < COUNT(all); a++)
        for (size_t b = 0; b < COUNT(all); b++) {
            hs_sampler *one = parse(all[a]), *two = parse(all[b]);

            if (hs_sampler_equal(one, two) != (a == b))
                fail_msg("%s and %s", all[a], all[b]);
            hs_sampler_release(one);
            hs_sampler_release(two);
        }
}

static void nodes_are_composed(void **state)
{
    double at[] = {1.0, 1.0 / 0.3, HUGE_VAL};
    hs_reals ladder = {at, 3};
    hs_sampler *gibbs = parse("gibbs"), *jump, *both, *pt;

    (void)state;
    assert_int_equal(hs_sampler_make(&jump, &hs_kernel_bridge,
                                     (hs_setting[]){{"swap", .number = 0.5},
                                                    {"modes", .word = "a b"},
                                                    {0}},
                                     NULL),
                     HISS_OK);
    assert_int_equal(hs_sampler_make(&both, &hs_kernel_sequence,
                                     (hs_setting[]){{.sampler = gibbs},
                                                    {.sampler = jump},
                                                    {.sampler = gibbs},
                                                    {0}},
                                     NULL),
                     HISS_OK);
    assert_int_equal(hs_sampler_make(&pt, &hs_kernel_pt,
                                     (hs_setting[]){{"ladder", .list = &ladder},
                                                    {"base", .sampler = both},
                                                    {"swap_every", .number = 7},
                                                    {0}},
                                     NULL),
                     HISS_OK);
    expect(hs_sampler_print_given(pt),
           "pt(ladder=[1,3.3333333333333335,inf],base=sequence(gibbs,"
           "bridge(swap=0.5,modes=\"a b\"),gibbs),swap_every=7)");
    /* the nodes themselves, not copies of them */
    assert_ptr_equal(pt->child[0], both);
    assert_ptr_equal(both->child[0], gibbs);
    assert_ptr_equal(both->child[1], jump);
    assert_ptr_equal(both->child[2], gibbs);
    hs_sampler_release(gibbs);
    hs_sampler_release(jump);
    hs_sampler_release(both);
    /* and what it needs of them stays */
    assert_ptr_equal(hs_sampler_find(pt, &hs_kernel_bridge), jump);
    assert_null(hs_sampler_find(pt, &hs_kernel_cluster));
    assert_int_equal(pt->replicas, 3);
    assert_true(hs_sampler_list(pt, "ladder")->at[1] == at[1]);
    assert_string_equal(hs_sampler_text(jump, "modes"), "a b");
    hs_sampler_release(pt);
}

static void values_are_read_by_their_names(void **state)
{
    hs_sampler *s = parse("pt(gibbs(scan=random),levels=4,swap_every=3)");
    hs_sampler *automatic = parse("auto(independent=no)");

    (void)state;
    assert_true(hs_sampler_number(s, "levels") == 4.0);
    assert_true(hs_sampler_number(s, "swap_every") == 3.0);
    assert_true(isnan(hs_sampler_number(s, "max_temperature")));
    assert_true(isnan(hs_sampler_number(s, "base")));
    assert_true(isnan(hs_sampler_number(s, "no such option")));
    assert_null(hs_sampler_list(s, "ladder"));
    assert_null(hs_sampler_list(s, "levels"));
    assert_null(hs_sampler_text(s, "levels"));
    assert_true(hs_sampler_number(s->child[0], "scan") == 1.0);
    assert_true(hs_sampler_number(automatic, "independent") == 0.0);
    assert_true(hs_sampler_number(automatic, "pilot") == 2e5);
    hs_sampler_release(automatic);
    hs_sampler_release(s);
}

static void traits_are_the_trees(void **state)
{
    hs_sampler *s = parse("pt(sequence(gibbs,dula),levels=6)");

    (void)state;
    assert_false(s->traits.exact);
    assert_true(s->traits.gradient);
    assert_int_equal(s->replicas, 6);
    assert_true(s->child[0]->child[0]->traits.exact);
    assert_int_equal(s->child[0]->replicas, 1);
    hs_sampler_release(s);
}

static void older_names_are_read(void **state)
{
    static const struct {
        const char *old, *now;
    } rows[] = {
        {"strands(gibbs)", "replicas(gibbs)"},
        {"bridge(pieces=0.5)", "bridge(components=0.5)"},
        {"pt(base=gibbs,parts=2)", "pt(base=gibbs,houdayer=2)"},
        {"pt(base=gibbs,reference=product,leg=[0.5,0])",
         "pt(base=gibbs,reference=product,path=[0.5,0])"},
        {"chromatic(colours=file)", "chromatic(colors=file)"},
    };

    (void)state;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        hs_sampler *old, *now;
        hiss_error err = {0};

        assert_int_equal(hs_sampler_parse(&old, rows[n].old, &err), HISS_OK);
        assert_int_equal(hs_sampler_parse(&now, rows[n].now, &err), HISS_OK);
        assert_true(hs_sampler_equal(old, now));
        hs_sampler_release(old);
        hs_sampler_release(now);
    }
}

/* What is refused, and a part of why. */
struct refusal {
    const char *text, *message;
};

static void refuse(const struct refusal *cases, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        hiss_error err = {0};
        hs_sampler *s;

        assert_int_equal(hs_sampler_parse(&s, cases[n].text, &err), HISS_EARG);
        assert_null(s);
        if (!strstr(err.message, cases[n].message))
            fail_msg("%s: %s", cases[n].text, err.message);
    }
}

static void what_cannot_be_is_refused(void **state)
{
    static const struct refusal cases[] = {
        {"gibs", "unknown sampler 'gibs'; did you mean 'gibbs'?"},
        {"mix(gibbs,pt)", "sampler mix: pt can only be outermost"},
        {"pt(replicas)", "sampler pt: replicas can only be outermost"},
        {"mix(gibbs,independent)", "mix: independent can only stand alone"},
        {"hiss(inner=mix(hiss,gibbs))", "hiss cannot be its own inner"},
        {"pt(levels=2.5)", "sampler pt: levels is 2.5"},
        {"pt(leg=0)", "path must be a list of numbers in [0,1), as in path=["},
        {"dmala(alpha=0)", "sampler dmala: alpha must be in (0,inf)"},
        {"jumps(time=1e30)", "sampler jumps: time must be in (0,1e6]"},
        {"tgs(time=1e30)", "sampler tgs: time must be in (0,1e6]"},
        {"tabu(time=1e30)", "sampler tabu: time must be in (0,1e6]"},
        {"pthr(levels=5,max_temperature=inf)",
         "sampler pthr: max_temperature=inf needs levels=auto or a ladder"},
        {"sequence", "sampler sequence: give the samplers to run"},
        {"gibbs(", "column 6"},
    };
    hs_sampler *s, *pt = parse("pt");
    hiss_error err = {0};

    (void)state;
    refuse(cases, COUNT(cases));
    /* composed ones are checked, too */
    assert_int_equal(hs_sampler_make(&s, &hs_kernel_sequence,
                                     (hs_setting[]){{.sampler = pt}, {0}},
                                     &err),
                     HISS_EARG);
    assert_int_equal(
        hs_sampler_make(&s, &hs_kernel_blocks,
                        (hs_setting[]){{"table", .number = 0.5}, {0}}, &err),
        HISS_EARG);
    assert_int_equal(
        hs_sampler_make(&s, &hs_kernel_blocks,
                        (hs_setting[]){{"tables", .number = 8}, {0}}, &err),
        HISS_EARG);
    hs_sampler_release(pt);
}

/* Each option alone is well. */
static void what_excludes_each_other_is_refused(void **state)
{
    static const struct refusal cases[] = {
        {"pthr(levels=2.5)", "sampler pthr: levels is 2.5, expected a whole"},
        {"pthr(levels=64,copies=64)", "64 temperatures of 64 replicas each"},
        {"pt(levels=3,max_temperature=inf)",
         "sampler pt: max_temperature=inf needs levels=auto or a ladder"},
        {"hiss(block=1.5)", "sampler hiss: block is 1.5, expected a whole"},
        {"hiss(steps=1.5)", "sampler hiss: steps is 1.5, expected a whole"},
        {"hiss(kernel=learned,eta=1)", "kernel=learned needs eta=auto"},
        {"hiss(block=auto)", "block=auto needs eta=auto and tune=jump"},
        {"hiss(block=auto,tune=jump,eta=1)", "block=auto needs eta=auto"},
        {"gibbs(packed=yes,scan=random)", "packed=yes and scan=random exclude"},
        {"mix(gibbs,gwg,weights=[1])", "sampler mix: 1 weights for 2 samplers"},
        {"mix(gibbs,gwg,weights=[0,0])", "sampler mix: all weights are 0"},
        {"multicanonical(phases=[2,1])", "two values of log p, the lower one"},
        {"multicanonical(phases=[2])", "two values of log p, the lower one"},
        {"multicanonical(range=[2,1],slopes=[0,1])", "with low < high"},
        {"multicanonical(range=[1,2])", "slopes need range=[low,high]"},
        {"multicanonical(range=[1,2],slopes=[1,2])", "first slope must be 0"},
        {"multicanonical(base=gibbs(packed=yes))", "leave packed out"},
        {"multicanonical(base=sequence(gibbs,gwg))", "is not reversible"},
        {"multicanonical(base=dula)", "is not reversible"},
    };

    (void)state;
    refuse(cases, COUNT(cases));
}

/* Kernels have the options of their tree, and keep it. */
static void kernels_outlive_other_owners(void **state)
{
    hs_sampler *s = parse("pt(mix(gibbs,dmala(alpha=1),weights=[1,2]),"
                          "ladder=[1,2,4])");
    hs_model *m = fixture_model("ising(side=4,beta=0.2)");
    hs_kernel *k;

    (void)state;
    assert_int_equal(hs_kernel_create(&k, s, NULL), HISS_OK);
    assert_true(k->state != s->shape.state);
    assert_ptr_equal(k->sampler, s);
    hs_sampler_release(s);
    assert_int_equal(hs_kernel_replica_count(k), 3);
    assert_int_equal(k->child[0]->children, 2);
    assert_int_equal(hs_kernel_setup(k, m, NULL), HISS_OK);
    assert_true(hs_kernel_traits(k).exact);
    hs_kernel_destroy(k);
    hs_model_destroy(m);
}

/* Every allocation of making, composing and printing may fail. */
static void memory_may_run_out_anywhere(void **state)
{
    hiss_status rc = HISS_ENOMEM;

    (void)state;
    for (int64_t n = 1; rc != HISS_OK; n++) {
        hs_sampler *s = NULL, *full = NULL, *both = NULL;
        hs_kernel *k = NULL;
        char *text = NULL;

        hs_alloc_fail_after(n);
        rc = hs_sampler_parse(&s, "pt(mix(gibbs,hiss(eta=2)),ladder=[1,2])",
                              NULL);
        if (rc == HISS_OK)
            rc = hs_sampler_spell_out(&full, s, NULL);
        if (rc == HISS_OK)
            rc = hs_sampler_make(
                &both, &hs_kernel_sequence,
                (hs_setting[]){{.sampler = full->child[0]}, {0}}, NULL);
        if (rc == HISS_OK)
            rc = hs_kernel_create(&k, both, NULL);
        if (rc == HISS_OK && !(text = hs_sampler_print(both)))
            rc = HISS_ENOMEM;
        hs_alloc_fail_after(0);
        assert_true(rc == HISS_OK || rc == HISS_ENOMEM);
        assert_true(n < 10000);
        hs_free(text);
        hs_kernel_destroy(k);
        hs_sampler_release(s);
        hs_sampler_release(full);
        hs_sampler_release(both);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_as_given_or_in_full),
        cmocka_unit_test(samplers_that_differ_are_not_equal),
        cmocka_unit_test(nodes_are_composed),
        cmocka_unit_test(values_are_read_by_their_names),
        cmocka_unit_test(traits_are_the_trees),
        cmocka_unit_test(older_names_are_read),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(what_excludes_each_other_is_refused),
        cmocka_unit_test(kernels_outlive_other_owners),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
