/* test_alloc.c - allocation, and what becomes of the base when it fails: with
 * the n-th allocation failing for n = 1, 2, ... every function says out of
 * memory, frees what it had, and in the end succeeds. */
#include "base/alloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/pool.h"
#include "base/read/reader.h"
#include "base/spec/option.h"
#include "base/state/domain.h"
#include "base/text.h"

#include <cmocka.h>

static void blocks_are_zeroed_and_aligned(void **state)
{
    unsigned char *block = hs_alloc_array(1000, 3);

    (void)state;
    assert_true((uintptr_t)block % HS_ALIGN == 0);
    for (int i = 0; i < 3000; i++)
        assert_int_equal(block[i], 0);
    memset(block, 7, 3000);
    block = hs_realloc_array(block, 3000, 5000, 1);
    assert_int_equal(block[2999], 7);
    for (int i = 3000; i < 5000; i++)
        assert_int_equal(block[i], 0);
    block = hs_realloc_array(block, 5000, 10, 1);
    assert_int_equal(block[9], 7);
    hs_free(block);
    block = hs_alloc_array(0, 8);
    assert_non_null(block);
    hs_free(block);
    hs_free(NULL);
}

static void impossible_sizes_are_refused(void **state)
{
    char *old = hs_strdup("kept");

    (void)state;
    assert_null(hs_alloc_array(SIZE_MAX / 2, 3));
    assert_null(hs_alloc_array(SIZE_MAX, 1));
    assert_null(hs_realloc_array(old, 5, SIZE_MAX / 2, 4));
    assert_string_equal(old, "kept");
    hs_free(old);
}

static void failures_come_when_asked_for(void **state)
{
    int64_t before = hs_alloc_count();
    void *first, *second;

    (void)state;
    hs_alloc_fail_after(2);
    first = hs_alloc_array(1, 1);
    second = hs_alloc_array(1, 1);
    assert_non_null(first);
    assert_null(second);
    assert_null(hs_strdup("x"));
    assert_true(hs_alloc_count() == before + 3);
    hs_alloc_fail_after(0);
    second = hs_strdup("x");
    assert_non_null(second);
    hs_free(first);
    hs_free(second);
}

typedef hiss_status attempt(hiss_error *err);

/* Calls f with ever later failures until it has all it needs; its last status
 * must be `wanted`, with a message if that is a failure. */
static void walk(attempt *f, hiss_status wanted, const char *name)
{
    hiss_error err;
    hiss_status rc = HISS_ENOMEM;
    int n = 0;

    while (rc == HISS_ENOMEM) {
        memset(&err, 0, sizeof err);
        hs_alloc_fail_after(++n);
        rc = f(&err);
        hs_alloc_fail_after(0);
        if (rc == HISS_ENOMEM)
            assert_string_equal(err.message, "out of memory");
        assert_true(n < 1000);
    }
    if (rc != wanted)
        fail_msg("%s: status %d, %s", name, (int)rc, err.message);
    assert_true(n > 1); /* there was something to fail */
}

static const char spec_text[] =
    "hiss(eta=4,inner=dmala(alpha=0.2),[1,2,[3]],\"a b\",gwg(),1,2,3,4)";

static hiss_status parse_spec(hiss_error *err)
{
    hs_spec s;
    hiss_status rc = hs_spec_parse(&s, spec_text, err);

    hs_spec_clear(&s);
    return rc;
}

static hs_spec parsed; /* spec_text */

static hiss_status copy_spec(hiss_error *err)
{
    hs_spec copy;
    hiss_status rc = hs_spec_copy(&copy, &parsed, err);

    hs_spec_clear(&copy);
    return rc;
}

static hiss_status print_spec(hiss_error *err)
{
    char *text = hs_spec_print(&parsed);
    bool is_right = text && strcmp(text, spec_text) == 0;

    hs_free(text);
    if (!text)
        return hs_fail_memory(err);
    return is_right ? HISS_OK : HISS_EINTERNAL;
}

struct fields {
    double eta;
    char *file, *title;
    hs_reals ladder, weights;
    hs_spec *inner, *other;
    hs_children parts;
};

#define AT(field) offsetof(struct fields, field)

static const hs_option options[] = {
    {"parts", HS_CHILDREN, AT(parts), NULL, NULL, "samplers"},
    {"eta", HS_REAL, AT(eta), "1", "(0,inf)", "scale"},
    {"file", HS_TEXT, AT(file), "x.uai", NULL, "file"},
    {"title", HS_TEXT, AT(title), "", NULL, "title"},
    {"ladder", HS_REALS, AT(ladder), "[1,2]", NULL, "temperatures"},
    {"weights", HS_REALS, AT(weights), "", NULL, "weights"},
    {"inner", HS_CHILD, AT(inner), "dmala(alpha=1)", NULL, "inner"},
    {"other", HS_CHILD, AT(other), "", NULL, "other"},
    {0},
};

static hiss_status parse_options(const char *text, bool print, hiss_error *err)
{
    struct fields f = {0};
    hs_spec s;
    hiss_status rc = hs_spec_parse(&s, text, err);

    if (rc != HISS_OK)
        return rc;
    rc = hs_options_parse(options, &s, "sampler x", &f, err);
    hs_spec_clear(&s);
    if (rc == HISS_OK && print) {
        char *printed = hs_options_print(options, "x", &f);

        if (!printed)
            rc = hs_fail_memory(err);
        hs_free(printed);
    }
    hs_options_clear(options, &f);
    return rc;
}

static hiss_status good_options(hiss_error *err)
{
    return parse_options("x(a(1),b,c,title=t,other=o(p),weights=[1,2])", true,
                         err);
}

static hiss_status unknown_option(hiss_error *err)
{
    return parse_options("x(a,etta=1)", false, err);
}

/* The last value is refused after all others were stored. */
static hiss_status late_refusal(hiss_error *err)
{
    return parse_options("x(a,b(2),title=t,weights=[1],other=[2])", false, err);
}

static hiss_status make_domain(hiss_error *err)
{
    hs_domain d;
    hiss_status rc = hs_domain_init(&d, HISS_CATEGORICAL, 5, 3, err);

    hs_domain_clear(&d);
    return rc;
}

static hiss_status make_mixed(hiss_error *err)
{
    static const hiss_kind kind[] = {HISS_ORDINAL, HISS_SPIN};
    static const int states[] = {3, 2};
    static const double levels[] = {0, 1, 5};
    hs_domain d;
    hiss_status rc = hs_domain_init_mixed(&d, 2, kind, states, levels, err);

    hs_domain_clear(&d);
    return rc;
}

static const char path[] = "test_alloc.tmp";

static hiss_status read_file(hiss_error *err)
{
    hs_reader *r;
    hiss_status rc = hs_reader_open(&r, path, err);
    int v;

    if (rc == HISS_OK)
        rc = hs_reader_int(r, 0, 9, &v, err);
    hs_reader_close(r);
    return rc;
}

static hiss_status start_pool(hiss_error *err)
{
    hs_pool *pool;
    hiss_status rc = hs_pool_create(&pool, 3, err);

    hs_pool_destroy(pool);
    return rc;
}

static void every_failure_is_survived(void **state)
{
    FILE *f = fopen(path, "w");

    (void)state;
    assert_non_null(f);
    fputs("7\n", f);
    fclose(f);
    assert_int_equal(hs_spec_parse(&parsed, spec_text, NULL), HISS_OK);
    walk(parse_spec, HISS_OK, "hs_spec_parse");
    walk(copy_spec, HISS_OK, "hs_spec_copy");
    walk(print_spec, HISS_OK, "hs_spec_print");
    walk(good_options, HISS_OK, "hs_options_parse");
    walk(unknown_option, HISS_EARG, "an unknown option");
    walk(late_refusal, HISS_EARG, "a late refusal");
    walk(make_domain, HISS_OK, "hs_domain_init");
    walk(make_mixed, HISS_OK, "hs_domain_init_mixed");
    walk(read_file, HISS_OK, "hs_reader_open");
    walk(start_pool, HISS_OK, "hs_pool_create");
    hs_spec_clear(&parsed);
    unlink(path);
}

static void texts_grow_and_remember_failure(void **state)
{
    hs_text t = {0};
    char *whole;

    (void)state;
    whole = hs_text_take(&t);
    assert_string_equal(whole, "");
    hs_free(whole);
    for (int i = 0; i < 1000; i++)
        hs_text_add_char(&t, 'a');
    hs_text_add_string(&t, "bc");
    whole = hs_text_take(&t);
    assert_int_equal(strlen(whole), 1002);
    hs_free(whole);

    hs_text_add_string(&t, "start");
    hs_alloc_fail_after(1);
    for (int i = 0; i < 100; i++)
        hs_text_add_char(&t, 'a');
    hs_alloc_fail_after(0);
    hs_text_add_char(&t, 'b');
    assert_null(hs_text_take(&t));
    assert_null(t.at);
}

static void a_prefix_goes_before_the_message(void **state)
{
    hiss_error err;
    char longest[2 * HISS_ERROR_MAX];

    (void)state;
    hs_fail(&err, HISS_EPARSE, "line %d", 3);
    hs_error_prefix(&err, "while reading %s", "x.uai");
    assert_string_equal(err.message, "while reading x.uai: line 3");
    assert_int_equal(err.status, HISS_EPARSE);
    hs_error_prefix(NULL, "nothing");
    assert_int_equal(hs_fail(NULL, HISS_EIO, "x"), HISS_EIO);

    memset(longest, 'l', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    hs_error_prefix(&err, "%s", longest);
    assert_int_equal(strlen(err.message), HISS_ERROR_MAX - 1);
    hs_fail(&err, HISS_EIO, "%s", longest);
    hs_error_prefix(&err, "file %d", 4);
    assert_int_equal(strlen(err.message), HISS_ERROR_MAX - 1);
    assert_memory_equal(err.message, "file 4: lll", 11);
    for (int s = 0; s <= HISS_EINTERNAL; s++)
        assert_true(strlen(hiss_status_text((hiss_status)s)) > 0);
    assert_string_equal(hiss_status_text((hiss_status)99), "an unknown status");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_zeroed_and_aligned),
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(failures_come_when_asked_for),
        cmocka_unit_test(every_failure_is_survived),
        cmocka_unit_test(texts_grow_and_remember_failure),
        cmocka_unit_test(a_prefix_goes_before_the_message),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
