/* test_results.c - results to files and back; what is refused, and why. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include <hiss/hiss.h>

#include "base/alloc.h"
#include "base/number.h"
#include "base/read/bulk.h"
#include "sink/sink.h"

static char folder[] = "/tmp/hiss-results-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[256];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static hiss_result *draw(const char *model, const char *sampler, int warmup)
{
    hiss_settings set;
    hiss_model *m;
    hiss_sampler *s = NULL;
    hiss_result *r = NULL;
    hiss_error err = {0};

    hiss_settings_init(&set);
    set.chains = 3;
    set.samples = 40;
    set.warmup = 10;
    set.seed = UINT64_MAX; /* beyond what JSON numbers hold */
    set.marginals = 1;
    set.save_warmup = warmup;
    if (hiss_model_create(&m, model, &err) ||
        hiss_sampler_create(&s, sampler, &err) ||
        hiss_sample(&r, m, s, &set, &err))
        fail_msg("%s: %s", model, err.message);
    hiss_model_destroy(m);
    hiss_sampler_destroy(s);
    return r;
}

static const char *const readable[] = {
#ifdef HS_HAVE_NETCDF
    "r.nc",
#endif
    "r.csv",
};

#define READABLE (sizeof readable / sizeof *readable)

/* Draws, energies, what the manifest says and what follows from it. */
static void compare(const hiss_result *a, const hiss_result *b)
{
    hiss_run_info p = HISS_INIT(hiss_run_info);
    hiss_run_info q = HISS_INIT(hiss_run_info);
    hiss_column c = HISS_INIT(hiss_column);
    hiss_column d = HISS_INIT(hiss_column);
    char *m = hiss_result_manifest(a), *n = hiss_result_manifest(b);
    const char *name, *other;
    double rate, same;

    hiss_result_info(a, &p);
    hiss_result_info(b, &q);
    assert_int_equal(p.dim, q.dim);
    assert_int_equal(p.chains, q.chains);
    assert_int_equal(p.samples, q.samples);
    assert_int_equal(p.warmup, q.warmup);
    assert_int_equal(p.thin, q.thin);
    assert_true(p.seed == q.seed);
    assert_int_equal(p.is_exact, q.is_exact);
    assert_int_equal(p.ended, q.ended);
    assert_int_equal(p.element, q.element);
    assert_memory_equal(hiss_result_draws(a), hiss_result_draws(b),
                        (size_t)(p.chains * p.samples * p.dim) *
                            hs_element_size(p.element));
    assert_memory_equal(hiss_result_lp(a), hiss_result_lp(b),
                        (size_t)(p.chains * p.samples) * sizeof(double));
    assert_string_equal(m, n);
    for (int i = 0; i < p.dim; i++) {
        assert_int_equal(hiss_result_kind(a, i), hiss_result_kind(b, i));
        assert_int_equal(hiss_result_states(a, i), hiss_result_states(b, i));
        for (int v = 0; v < hiss_result_states(a, i); v++)
            assert_true(hiss_result_value(a, i, v) ==
                        hiss_result_value(b, i, v));
        assert_int_equal(hiss_result_coordinate(a, i, &c, NULL), HISS_OK);
        assert_int_equal(hiss_result_coordinate(b, i, &d, NULL), HISS_OK);
        assert_true(c.state == d.state && c.mean == d.mean);
    }
    for (int k = 0; hiss_result_acceptance(a, k, &name, &rate); k++) {
        assert_true(hiss_result_acceptance(b, k, &other, &same));
        assert_string_equal(name, other);
        assert_true(fabs(rate - same) < 1e-12);
    }
    hiss_free(m);
    hiss_free(n);
}

/* Every kind of coordinate and every element, through every format. */
static void what_is_written_is_read(void **state)
{
    static const char *const models[] = {"bernoulli4", "ising(side=3,beta=0.3)",
                                         "potts(side=2,states=5,beta=0.4)",
                                         "ladder(d=3,levels=300,beta=0.1)",
                                         "mixture(2,40)"};

    (void)state;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++)
        for (size_t f = 0; f < READABLE; f++) {
            hiss_result *r = draw(models[m], "pt(base=gibbs,levels=2)", 0);
            hiss_result *back = NULL;
            hiss_error err = {0};

            assert_int_equal(
                hiss_result_put(r, "command", "hiss \"a\" b", NULL), HISS_OK);
            if (hiss_result_write(r, path_of(readable[f]), 1, &err) ||
                hiss_result_read(&back, path_of(readable[f]), &err))
                fail_msg("%s: %s", models[m], err.message);
            compare(r, back);
            assert_string_equal(hiss_result_text(back, "command"),
                                "hiss \"a\" b");
            hiss_result_destroy(back);
            hiss_result_destroy(r);
        }
}

/* Marginals over every step and rates per draw survive in netCDF. */
static void netcdf_keeps_more(void **state)
{
#ifdef HS_HAVE_NETCDF
    hiss_result *r = draw("ising(side=3,beta=0.3)", "gibbs", 1), *back = NULL;
    double a[2], b[2];

    assert_int_equal(hiss_result_write(r, path_of("m.nc"), 1, NULL), HISS_OK);
    assert_int_equal(hiss_result_read(&back, path_of("m.nc"), NULL), HISS_OK);
    for (int i = 0; i < 9; i++) {
        hiss_result_marginal(r, i, a);
        hiss_result_marginal(back, i, b);
        assert_true(a[0] == b[0] && a[1] == b[1]);
    }
    assert_memory_equal(hiss_result_accept(r), hiss_result_accept(back),
                        3 * 40 * sizeof(float));
    hiss_result_destroy(back);
    hiss_result_destroy(r);
#endif
    (void)state;
}

/* A file cut anywhere is refused, with a reason that names it. */
static void a_cut_file_is_refused(void **state)
{
    hiss_result *r = draw("ising(side=3,beta=0.3)", "gibbs", 0);
    static char bytes[1 << 20];

    (void)state;
    for (size_t f = 0; f < READABLE; f++) {
        const char *path = path_of(readable[f]);
        FILE *file;
        size_t size;

        assert_int_equal(hiss_result_write(r, path, 1, NULL), HISS_OK);
        file = fopen(path, "rb");
        size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        for (size_t cut = 0; cut < size; cut += 1 + size / 37) {
            hiss_result *back = NULL;
            hiss_error err = {0};
            hiss_status rc;

            file = fopen(path, "wb");
            fwrite(bytes, 1, cut, file);
            fclose(file);
            rc = hiss_result_read(&back, path, &err);
            if (rc != HISS_EPARSE || back || !strstr(err.message, path))
                fail_msg("%s cut at %zu: status %d, %s", path, cut, rc,
                         err.message);
        }
    }
    hiss_result_destroy(r);
}

/* An edited CSV: the line is named. */
static void an_edited_file_is_refused(void **state)
{
    static const struct {
        const char *text, *what;
    } edits[] = {
        {"a,b\n1,2\n", "no result of hiss"},
        {"# hiss: 9\n# chains: 1\n# samples: 1\n# element: int8\n"
         "# manifest: {}\nchain,draw,lp,x.1\n0,0,1,1\n",
         "manifest is damaged"},
        {"# hiss: 9\n# chains: 1\n# samples: 2\n# element: int8\n"
         "# manifest: {}\nchain,draw,lp,x.1\n0,0,1,1\n0,2,1,1\n",
         ":8: expected row 1"},
        {"# hiss: 9\n# chains: 1\n# samples: 1\n# element: int8\n"
         "# manifest: {}\nchain,draw,lp,x.1\n0,0,1,300\n",
         ":7: expected row 0"},
        {"# hiss: 9\n# chains: 1\n# samples: 1\n# element: int8\n"
         "# manifest: {}\nchain,draw,lp,x.1\n0,0,1,1\n0,1,1,1\n",
         "more rows"},
        {"# hiss: 9\n# chains: 1000000000\n# samples: 1000000000\n"
         "# element: int8\n# manifest: {}\nchain,draw,lp,x.1\n0,0,1,1\n",
         "cut short"},
    };

    (void)state;
    for (size_t n = 0; n < sizeof edits / sizeof *edits; n++) {
        FILE *file = fopen(path_of("e.csv"), "w");
        hiss_result *back = NULL;
        hiss_error err = {0};

        fputs(edits[n].text, file);
        fputs("# checksum: none\n", file);
        fclose(file);
        assert_int_equal(hiss_result_read(&back, path_of("e.csv"), &err),
                         HISS_EPARSE);
        if (!strstr(err.message, edits[n].what))
            fail_msg("%zu: %s", n, err.message);
    }
}

/* The others, by their own rules. */
static void sample_sets_add_up(void **state)
{
    hiss_result *r = draw("bernoulli4", "hiss(eta=4)", 0);
    json_t *o, *times, *one;
    json_int_t sum = 0;
    hiss_error err = {0};
    size_t n;

    (void)state;
    assert_int_equal(hiss_result_write(r, path_of("s.json"), 1, &err), HISS_OK);
    o = json_load_file(path_of("s.json"), 0, NULL);
    assert_non_null(o);
    assert_string_equal(json_string_value(json_object_get(o, "variable_type")),
                        "BINARY");
    times = json_object_get(
        json_object_get(json_object_get(o, "vectors"), "num_occurrences"),
        "data");
    json_array_foreach(times, n, one) sum += json_integer_value(one);
    assert_int_equal(sum, 3 * 40);
    assert_int_equal(json_array_size(times),
                     json_integer_value(json_object_get(o, "num_rows")));
    json_decref(o);
    hiss_result_destroy(r);
    r = draw("potts(side=2,states=3,beta=0.4)", "gibbs", 0);
    assert_int_equal(hiss_result_write(r, path_of("p.json"), 1, &err),
                     HISS_EUNSUP);
    hiss_result_destroy(r);
}

static void marginal_files(void **state)
{
    hiss_result *r = draw("potts(side=2,states=3,beta=0.4)", "gibbs", 0);
    char head[8];
    int dim, states;
    double p[3];
    FILE *file;

    (void)state;
    assert_int_equal(hiss_result_write(r, path_of("m.MAR"), 1, NULL), HISS_OK);
    file = fopen(path_of("m.MAR"), "r");
    assert_int_equal(fscanf(file, "%7s %d", head, &dim), 2);
    assert_string_equal(head, "MAR");
    assert_int_equal(dim, 4);
    for (int i = 0; i < dim; i++) {
        assert_int_equal(fscanf(file, "%d", &states), 1);
        assert_int_equal(states, 3);
        for (int v = 0; v < 3; v++) {
            char word[32];

            assert_int_equal(fscanf(file, "%31s", word), 1);
            assert_true(hs_number_real(word, &p[v]));
        }
        assert_true(fabs(p[0] + p[1] + p[2] - 1.0) < 1e-6);
    }
    fclose(file);
    hiss_result_destroy(r);
}

static void names_and_places(void **state)
{
    hiss_result *r = draw("bernoulli4", "gwg", 0);
    hiss_error err = {0};
    struct stat found;

    (void)state;
    assert_int_equal(hiss_result_write(r, path_of("x.txt"), 1, &err),
                     HISS_EARG);
    assert_int_equal(hiss_result_write(r, path_of("x.csv"), 0, &err), HISS_OK);
    assert_int_equal(hiss_result_write(r, path_of("x.csv"), 0, &err),
                     HISS_EARG);
    assert_non_null(strstr(err.message, "exists"));
    assert_int_equal(hiss_result_write(r, path_of("no/x.npz"), 0, &err),
                     HISS_EIO);
    assert_int_equal(hiss_result_write(r, path_of("f/"), 0, &err), HISS_OK);
    assert_int_equal(stat(path_of("f/chain-3.csv"), &found), 0);
    assert_int_equal(hiss_result_write(r, path_of("f.stan"), 0, &err), HISS_OK);
    assert_int_equal(stat(path_of("f-1.csv"), &found), 0);
    assert_int_equal(hiss_result_write(r, path_of("f.npz"), 0, &err), HISS_OK);
    assert_int_equal(hiss_result_write(r, path_of("f.MAP"), 0, &err), HISS_OK);
    hiss_result_destroy(r);
}

/* The inputs of a table model are named, and a change is noticed. */
static void inputs_are_named(void **state)
{
    FILE *file = fopen(path_of("t.table"), "w");
    char spec[300];
    const char *path, *digest;
    hiss_error err = {0};
    hiss_result *r;

    (void)state;
    fputs("binary\n0 0.5\n1 0.5\n", file);
    fclose(file);
    snprintf(spec, sizeof spec, "table(%s)", path_of("t.table"));
    r = draw(spec, "gibbs", 0);
    assert_true(hiss_result_input(r, 0, &path, &digest));
    assert_non_null(strstr(path, "t.table"));
    assert_int_equal(strlen(digest), 64);
    assert_false(hiss_result_input(r, 1, &path, &digest));
    assert_int_equal(hiss_result_check_inputs(r, &err), HISS_OK);
    file = fopen(path_of("t.table"), "a");
    fputs("\n", file);
    fclose(file);
    assert_int_equal(hiss_result_check_inputs(r, &err), HISS_EARG);
    assert_non_null(strstr(err.message, "has changed"));
    hiss_result_destroy(r);
}

/* No allocation that fails is a crash, a leak or a half-made file. */
static void memory_may_run_out(void **state)
{
    hiss_result *r = draw("ising(side=3,beta=0.3)", "gibbs", 0);

    (void)state;
    for (size_t f = 0; f < READABLE; f++)
        for (int64_t n = 1; n < 1000; n++) {
            hiss_result *back = NULL;
            hiss_error err = {0};
            hiss_status rc;

            unlink(path_of(readable[f]));
            hs_alloc_fail_after(n);
            rc = hiss_result_write(r, path_of(readable[f]), 1, &err);
            if (rc == HISS_OK)
                rc = hiss_result_read(&back, path_of(readable[f]), &err);
            hs_alloc_fail_after(0);
            hiss_result_destroy(back);
            if (rc == HISS_OK)
                break;
            assert_int_equal(rc, HISS_ENOMEM);
        }
    hiss_result_destroy(r);
}

/* Draws that do not fit into memory are the same draws. */
static void a_run_may_be_larger_than_memory(void **state)
{
    hiss_result *small = draw("ising(side=8,beta=0.3)", "gibbs", 0), *large;
    hiss_result *back = NULL;
    hiss_error err = {0};

    (void)state;
    hs_bulk_set_limit(4096);
    large = draw("ising(side=8,beta=0.3)", "gibbs", 0);
    assert_memory_equal(hiss_result_draws(small), hiss_result_draws(large),
                        3 * 40 * 64);
    for (size_t f = 0; f < READABLE; f++) {
        if (hiss_result_write(large, path_of(readable[f]), 1, &err) ||
            hiss_result_read(&back, path_of(readable[f]), &err))
            fail_msg("%s", err.message);
        compare(large, back);
        hiss_result_destroy(back);
    }
    hs_bulk_set_limit(0);
    hiss_result_destroy(large);
    hiss_result_destroy(small);
}

/* With their U; what is kept after them is the same. */
static void the_warm_up_can_be_had(void **state)
{
    hiss_result *without = draw("ising(side=3,beta=0.3)", "gibbs", 0);
    hiss_result *with = draw("ising(side=3,beta=0.3)", "gibbs", 1);
    const int8_t *kept = hiss_result_draws(with);
    hiss_model *model = NULL;
    hiss_warmup warm = HISS_INIT(hiss_warmup);
    double values[9], u;

    (void)state;
    assert_false(hiss_result_warmup(without, &warm));
    assert_true(hiss_result_warmup(with, &warm));
    assert_int_equal(warm.samples, 10);
    assert_memory_equal(kept, hiss_result_draws(without), 3 * 40 * 9);
    assert_int_equal(hiss_model_create(&model, "ising(side=3,beta=0.3)", NULL),
                     HISS_OK);
    for (int d = 0; d < 3 * 10; d++) {
        for (int i = 0; i < 9; i++)
            values[i] = ((const int8_t *)warm.draws)[9 * d + i];
        assert_int_equal(hiss_model_energy(model, values, &u, NULL), HISS_OK);
        assert_true(fabs(u - warm.lp[d]) < 1e-5);
        assert_true(warm.accept[d] >= 0 && warm.accept[d] <= 1);
    }
    hiss_model_destroy(model);
    hiss_result_destroy(with);
    hiss_result_destroy(without);
}

/* Every second draw, of a run and of a file that has no acceptances. */
static void a_result_can_be_halved(void **state)
{
    hiss_result *r = draw("ising(side=4,beta=0.3)", "gibbs", 1), *whole, *half;
    hiss_run_info info = HISS_INIT(hiss_run_info);
    const char *path = path_of("half.csv");
    double a[16], b[16];

    (void)state;
    assert_int_equal(hiss_result_write(r, path, 1, NULL), HISS_OK);
    assert_int_equal(hiss_result_read(&whole, path, NULL), HISS_OK);
    assert_true(hiss_result_halve(r));
    assert_true(hiss_result_halve(whole));
    compare(r, whole);
    hiss_result_destroy(whole);
    assert_int_equal(hiss_result_read(&whole, path, NULL), HISS_OK);
    hiss_result_info(r, &info);
    assert_int_equal(info.samples, 20);
    assert_int_equal(info.thin, 2);
    for (int c = 0; c < info.chains; c++)
        for (int64_t n = 0; n < info.samples; n++) {
            hiss_result_draw(r, c, n, a);
            hiss_result_draw(whole, c, 2 * n + 1, b);
            assert_memory_equal(a, b, sizeof a);
        }
    assert_int_equal(hiss_result_write(r, path, 1, NULL), HISS_OK);
    assert_int_equal(hiss_result_read(&half, path, NULL), HISS_OK);
    compare(r, half);
    for (int n = 0; n < 4; n++) /* 20, 10, 5, 2, 1 */
        assert_true(hiss_result_halve(r));
    assert_false(hiss_result_halve(r));
    hiss_result_destroy(half);
    hiss_result_destroy(whole);
    hiss_result_destroy(r);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[300];

    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(netcdf_keeps_more),
        cmocka_unit_test(a_cut_file_is_refused),
        cmocka_unit_test(an_edited_file_is_refused),
        cmocka_unit_test(sample_sets_add_up),
        cmocka_unit_test(marginal_files),
        cmocka_unit_test(names_and_places),
        cmocka_unit_test(inputs_are_named),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(a_run_may_be_larger_than_memory),
        cmocka_unit_test(the_warm_up_can_be_had),
        cmocka_unit_test(a_result_can_be_halved),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
