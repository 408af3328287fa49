/* test_sized.c - structs of older and newer programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <hiss/hiss.h>

#include "api/object/sized.h"

/* One struct in three versions: the library has the second. */
struct older {
    size_t size;
    int64_t a;
};

struct known {
    size_t size;
    int64_t a, b;
};

struct newer {
    size_t size;
    int64_t a, b, c;
};

static const struct known defaults = {.size = sizeof defaults, .a = 1, .b = 2};

/* A struct in memory that ends where it does: a sanitizer sees more. */
static void *make(size_t size, int64_t a)
{
    struct newer all = {.size = size, .a = a, .b = 20};
    void *out = malloc(size);

    assert_non_null(out);
    memcpy(out, &all, size);
    return out;
}

static void defaults_for_any_program(void **state)
{
    struct newer at;

    (void)state;
    memset(&at, 0x55, sizeof at);
    hs_sized_init(&at, sizeof(struct older), &defaults, sizeof defaults);
    assert_int_equal(at.size, sizeof(struct older));
    assert_int_equal(at.a, 1);
    assert_int_equal(at.b, 0x5555555555555555);
    hs_sized_init(&at, sizeof at, &defaults, sizeof defaults);
    assert_int_equal(at.size, sizeof at);
    assert_int_equal(at.b, 2);
    assert_int_equal(at.c, 0);
    memset(&at, 0x55, sizeof at);
    hs_sized_init(&at, 0, &defaults, sizeof defaults);
    hs_sized_init(&at, HS_SIZED_MAX + 1, &defaults, sizeof defaults);
    assert_int_equal(at.size, 0x5555555555555555);
    hs_sized_init(NULL, sizeof at, &defaults, sizeof defaults);
}

static void what_an_older_program_lacks_is_default(void **state)
{
    struct known to = defaults;
    void *from = make(sizeof(struct older), 10);

    (void)state;
    assert_int_equal(hs_sized_read(&to, sizeof to, from, "s", NULL), HISS_OK);
    assert_int_equal(to.size, sizeof to);
    assert_int_equal(to.a, 10);
    assert_int_equal(to.b, 2);
    free(from);
}

static void what_a_newer_program_wants_is_refused(void **state)
{
    struct known to = defaults;
    struct newer *from = make(sizeof *from, 10);
    hiss_error err = {0};

    (void)state;
    assert_int_equal(hs_sized_read(&to, sizeof to, from, "s", &err), HISS_OK);
    assert_int_equal(to.b, 20);
    from->c = INT64_MIN; /* its last byte alone is not 0 */
    to = defaults;
    assert_int_equal(hs_sized_read(&to, sizeof to, from, "hiss_s", &err),
                     HISS_EUNSUP);
    assert_non_null(strstr(err.message, "hiss_s of 32 bytes"));
    assert_non_null(strstr(err.message, "newer hiss"));
    assert_int_equal(to.a, 1);
    free(from);
}

static void without_a_size_nothing_is_read(void **state)
{
    static const size_t sizes[] = {0,
                                   1,
                                   sizeof(size_t),
                                   sizeof(size_t) + 1,
                                   sizeof(struct known) - 1,
                                   HS_SIZED_MAX + 1,
                                   SIZE_MAX};
    struct known to = defaults;
    hiss_error err = {0};

    (void)state;
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        struct known from = {.size = sizes[n], .a = 7, .b = 7};

        assert_int_equal(hs_sized_read(&to, sizeof to, &from, "s", &err),
                         HISS_EARG);
        assert_non_null(strstr(err.message, "not initialized"));
        assert_int_equal(to.a, 1);
        assert_false(hs_sized_is_set(&from));
        assert_int_equal(hs_sized_fill(&from, &defaults, sizeof from), 0);
        assert_int_equal(from.a, 7);
    }
    assert_int_equal(hs_sized_fill(NULL, &defaults, sizeof defaults), 0);
}

static void filled_as_far_as_it_goes(void **state)
{
    struct older *old = make(sizeof *old, 10);
    struct newer *new = make(sizeof *new, 10);
    struct newer room = {.size = sizeof(struct older), .b = 20};

    (void)state;
    assert_int_equal(hs_sized_fill(&room, &defaults, sizeof defaults), 1);
    assert_true(room.a == 1 && room.b == 20);
    new->c = 30;
    assert_int_equal(hs_sized_fill(old, &defaults, sizeof defaults), 1);
    assert_int_equal(old->size, sizeof *old);
    assert_int_equal(old->a, 1);
    assert_int_equal(hs_sized_fill(new, &defaults, sizeof defaults), 1);
    assert_int_equal(new->size, sizeof *new);
    assert_int_equal(new->b, 2);
    assert_int_equal(new->c, 30);
    assert_int_equal(hs_sized_fill(new, NULL, sizeof defaults), 0);
    assert_true(new->a == 1 && new->b == 2 && new->c == 30);
    free(old);
    free(new);
}

/* Nor is a field read in part: the first byte of 258 is 2. */
static void no_part_of_a_field_is_read(void **state)
{
    static const hiss_domain domain = {.size = sizeof(size_t) + 1, .dim = 258};
    static const double u[4] = {0.0, 0.0, 0.0, 0.0};
    hiss_error err = {0};
    hiss_model *model;

    (void)state;
    assert_int_equal(hiss_model_table(&model, &domain, u, &err), HISS_EARG);
    assert_null(model);
    assert_non_null(strstr(err.message, "hiss_domain.size is 9"));
}

/* Elements of an array are as far apart as the caller has them. */
static void arrays_of_another_size(void **state)
{
    struct {
        hiss_column column;
        int64_t more;
    } at[2] = {{.more = 5}, {.more = 6}};
    static const int coordinates[] = {0, 1};
    hiss_column one = HISS_INIT(hiss_column);
    hiss_settings set;
    hiss_model *model;
    hiss_sampler *sampler;
    hiss_result *result;

    (void)state;
    hiss_settings_init(&set);
    set.threads = 1;
    assert_int_equal(hiss_model_create(&model, "ising(side=2,beta=0.1)", NULL),
                     HISS_OK);
    assert_int_equal(hiss_sampler_create(&sampler, "gibbs", NULL), HISS_OK);
    assert_int_equal(hiss_sample(&result, model, sampler, &set, NULL), HISS_OK);
    at[0].column.size = sizeof at[0];
    assert_int_equal(
        hiss_result_coordinates(result, 2, coordinates, 1, &at[0].column, NULL),
        HISS_OK);
    assert_int_equal(hiss_result_coordinate(result, 1, &one, NULL), HISS_OK);
    assert_true(at[1].column.mean == one.mean && at[1].column.sd == one.sd);
    assert_int_equal(at[1].column.size, sizeof at[1]);
    assert_true(at[0].more == 5 && at[1].more == 6);
    hiss_result_destroy(result);
    hiss_sampler_destroy(sampler);
    hiss_model_destroy(model);
}

/* The header and the library of one tree. */
static void versions_agree(void **state)
{
    (void)state;
    assert_string_equal(hiss_version(), HISS_VERSION);
    assert_int_equal(HISS_VERSION_NUMBER, 10000 * HISS_VERSION_MAJOR +
                                              100 * HISS_VERSION_MINOR +
                                              HISS_VERSION_PATCH);
    assert_string_equal(hiss_status_text(HISS_EREFUSED),
                        "a file asks for what only the user may ask for");
    assert_string_equal(hiss_status_text((hiss_status)99), "an unknown status");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_for_any_program),
        cmocka_unit_test(what_an_older_program_lacks_is_default),
        cmocka_unit_test(what_a_newer_program_wants_is_refused),
        cmocka_unit_test(without_a_size_nothing_is_read),
        cmocka_unit_test(filled_as_far_as_it_goes),
        cmocka_unit_test(no_part_of_a_field_is_read),
        cmocka_unit_test(arrays_of_another_size),
        cmocka_unit_test(versions_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
