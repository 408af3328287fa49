/* test_coloring.c - colors of coordinates: found, given, refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <hiss/hiss.h>

#include "kernel/gibbs/coloring.h"

#define SIDE    12
#define LATTICE "ising(side=12,beta=0.3,field=0.1)"

static const char path[] = HISS_TEST_FOLDER "/colors.txt";

static hs_model *model_of(const char *spec)
{
    hs_model *m;

    assert_int_equal(hs_model_create(&m, spec, NULL), HISS_OK);
    return m;
}

static void write_text(const char *text)
{
    FILE *to = fopen(path, "w");

    assert_non_null(to);
    fputs(text, to);
    assert_int_equal(fclose(to), 0);
}

static int colors_of(const char *spec)
{
    hs_model *m = model_of(spec);
    hs_coloring c;
    int seen = 0;

    assert_int_equal(hs_coloring_init(&c, m, NULL, NULL), HISS_OK);
    for (int n = 0; n < c.colors; n++)
        for (int k = c.start[n]; k < c.start[n + 1]; k++) {
            assert_int_equal(c.color[c.order[k]], n);
            seen++;
        }
    assert_int_equal(seen, m->domain.dim);
    seen = c.colors;
    hs_coloring_clear(&c);
    hs_model_destroy(m);
    return seen;
}

static void few_are_found(void **state)
{
    (void)state;
    assert_int_equal(colors_of("ising(side=6,beta=0.4)"), 2);
    assert_int_equal(colors_of("ising(side=4,beta=0.4,dims=3)"), 2);
    assert_in_range(colors_of("ising(side=5,beta=0.4)"), 3, 4);
    assert_int_equal(colors_of("potts(side=6,states=3,beta=0.4)"), 2);
    assert_int_equal(colors_of("ladder(d=9,levels=3,beta=0.4)"), 2);
}

/* The message of a file of colors for a lattice of four sites, each coupled
 * by 2 beta with its two neighbors; NULL: it is taken. */
static const char *refusal(const char *text, hiss_status expected)
{
    static hiss_error err;
    hs_model *m = model_of("ising(side=2,beta=0.25)");
    hs_coloring c;
    hiss_status rc;

    write_text(text);
    err = (hiss_error){0};
    rc = hs_coloring_init(&c, m, path, &err);
    assert_int_equal(rc, expected);
    if (rc == HISS_OK)
        assert_int_equal(c.colors, 2);
    hs_coloring_clear(&c);
    hs_model_destroy(m);
    return err.message;
}

static void a_conflict_is_named(void **state)
{
    const char *why;

    (void)state;
    refusal("0 1\n1 0", HISS_OK);
    refusal("# a gap in the numbers\n3 1 1 3\n", HISS_OK);
    why = refusal("0 1 0 0", HISS_EARG);
    assert_non_null(strstr(why, "coordinates 1 and 3"));
    assert_non_null(strstr(why, "color 0"));
    assert_non_null(strstr(why, "by up to 2 more")); /* 4 x 2 beta */
    refusal("0 1 1", HISS_EPARSE);
    refusal("0 1 1 0 0", HISS_EPARSE);
    refusal("0 1 1 4", HISS_EPARSE);
    refusal("0 1 1 -1", HISS_EPARSE);
    refusal("0 1 1 red", HISS_EPARSE);
    unlink(path);
    {
        hs_model *m = model_of("ising(side=2,beta=0.25)");
        hs_coloring c;

        assert_int_equal(hs_coloring_init(&c, m, path, NULL), HISS_EPARSE);
        hs_coloring_clear(&c);
        hs_model_destroy(m);
    }
}

static void a_sum_of_tables_is_needed(void **state)
{
    hs_model *m = model_of("mixture(2,6)");
    hiss_error err = {0};
    hs_coloring c;

    (void)state;
    assert_int_equal(hs_coloring_init(&c, m, NULL, &err), HISS_EUNSUP);
    assert_non_null(strstr(err.message, "not a sum of small tables"));
    hs_coloring_clear(&c);
    hs_model_destroy(m);
}

/* A lattice of even side has one coloring, whose order is that of Gibbs. */
static void draws_are_those_of_gibbs(void **state)
{
    static const char *const samplers[] = {"gibbs", "chromatic"};
    static double x[2][SIDE * SIDE];

    (void)state;
    for (int k = 0; k < 2; k++) {
        hiss_settings set;
        hiss_model *m;
        hiss_sampler *s;
        hiss_result *r;

        hiss_settings_init(&set);
        set.chains = 3;
        set.samples = 40;
        set.warmup = 10;
        assert_int_equal(hiss_model_create(&m, LATTICE, NULL), HISS_OK);
        assert_int_equal(hiss_sampler_create(&s, samplers[k], NULL), HISS_OK);
        assert_int_equal(hiss_sample(&r, m, s, &set, NULL), HISS_OK);
        hiss_result_draw(r, 2, 39, x[k]);
        hiss_result_destroy(r);
        hiss_sampler_destroy(s);
        hiss_model_destroy(m);
    }
    assert_memory_equal(x[0], x[1], sizeof x[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_are_found),
        cmocka_unit_test(a_conflict_is_named),
        cmocka_unit_test(a_sum_of_tables_is_needed),
        cmocka_unit_test(draws_are_those_of_gibbs),
    };

    return cmocka_run_group_tests_name("coloring", tests, NULL, NULL);
}
