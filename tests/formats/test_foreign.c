/* test_foreign.c - files that other programs wrote (tests/data/README.md), with
 * the energies that those programs give. */
#include "format/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "formats/files.h"
#include "unit/foreign.h"

static const struct {
    const char *file, *format;
    const char *state[4];
    double u[4];
    const char *first_name;
} rows[] = {
    {"dimod/spin-1.bqm",
     NULL,
     {"0000", "1000", "0001", "1111"},
     {-3.125, -0.875, -6.875, -5.625},
     NULL},
    {"dimod/spin-2.bqm",
     NULL,
     {"0000", "1000", "0001", "1111"},
     {-3.125, -0.875, -6.875, -5.625},
     NULL},
    {"dimod/spin.json",
     NULL,
     {"0000", "1000", "0001", "1111"},
     {-3.125, -0.875, -6.875, -5.625},
     NULL},
    {"dimod/bits-1.bqm",
     NULL,
     {"000", "100", "001", "111"},
     {1.0, -0.5, 0.75, 3.75},
     "a"},
    {"dimod/bits-2.bqm",
     NULL,
     {"000", "100", "001", "111"},
     {1.0, -0.5, 0.75, 3.75},
     "a"},
    {"dimod/bits.json",
     NULL,
     {"000", "100", "001", "111"},
     {1.0, -0.5, 0.75, 3.75},
     "a"},
    {"dimod/gaps-1.bqm",
     NULL,
     {"000", "100", "001", "111"},
     {0, -1, 0.5, -1},
     "2"},
    {"dimod/gaps-2.bqm",
     NULL,
     {"000", "100", "001", "111"},
     {0, -1, 0.5, -1},
     "2"},
    {"dimod/gaps.json",
     NULL,
     {"000", "100", "001", "111"},
     {0, -1, 0.5, -1},
     "2"},
    {"dimod/small-1.bqm",
     NULL,
     {"00", "10", "01", "11"},
     {-1.75, -1.25, 2.25, -0.25},
     NULL},
    {"dimod/small-2.bqm",
     NULL,
     {"00", "10", "01", "11"},
     {-1.75, -1.25, 2.25, -0.25},
     NULL},
    {"dimod/small.json",
     NULL,
     {"00", "10", "01", "11"},
     {-1.75, -1.25, 2.25, -0.25},
     NULL},
    {"dimod/spin.coo",
     NULL,
     {"0000", "1000", "0001", "1111"},
     {0.375, 2.625, -3.375, -2.125},
     NULL},
    {"dimod/gaps.coo",
     NULL,
     {"000", "100", "001", "111"},
     {0, -1, 0.5, -1},
     "2"},
    {"networkx/ring.edges",
     "edges(sign=attract)",
     {"0000", "1000", "0001", "1111"},
     {0.25, -0.75, 1.75, 0.25},
     NULL},
    {"pgmpy/cancer.net",
     NULL,
     {"00000", "11011", "10011", "11111"},
     {-5.3520346490540245, -1.0428544551830843, -1.8901523155702882,
      -3.2592812395032396},
     "Cancer"},
    {"pgmpy/cancer.xmlbif",
     NULL,
     {"00000", "11011", "10011", "11111"},
     {-5.3520346490540245, -1.0428544551830843, -1.8901523155702882,
      -3.2592812395032396},
     "Cancer"},
    {"scipy/symmetric.mtx",
     NULL,
     {"000", "100", "110", "101"},
     {1.2475, -0.7525, 1.2525, -0.7475},
     NULL},
    {"scipy/general.mtx",
     NULL,
     {"000", "100", "110", "101"},
     {1.2475, -0.7525, 1.2525, -0.7475},
     NULL},
    {"scipy/pattern.mtx",
     NULL,
     {"000", "100", "110", "101"},
     {2.5, 0.5, 0.5, -1.5},
     NULL},
    {"scipy/integer.mtx",
     NULL,
     {"000", "100", "110", "101"},
     {-1.0, -5.0, 5.0, 1.0},
     NULL},
    {"numpy/ising.npz",
     NULL,
     {"000", "100", "110", "101"},
     {0, -1.5, 4.5, 0.5},
     NULL},
    {"numpy/qubo.npz", NULL, {"00", "10", "01", "11"}, {0, -1, 3, 0}, NULL},
    {"numpy/rbm.npz",
     NULL,
     {"000", "100", "110", "111"},
     {1.6265233750364456, 2.3151907688635958, 2.6010049952230796,
      4.26211835586789},
     NULL},
    {"adabmdca/rna.dat",
     NULL,
     {"00", "14", "41", "33"},
     {0.82, 0.859, -0.744, -0.724},
     NULL},
    {"numpy/fortran.npy",
     "npz(as=ising)",
     {"000", "100", "110", "101"},
     {3.0, 0.0, -2.0, -1.0},
     NULL},
};

static void their_files_have_their_energies(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        char path[512];
        hs_problem p;
        hs_model *m;

        snprintf(path, sizeof path, "%s/%s", HISS_TEST_DATA, rows[n].file);
        read_problem(&p, path, rows[n].format);
        m = read_model(path, rows[n].format);
        for (int s = 0; s < 4; s++) {
            double u = energy_of(&p, m, rows[n].state[s]);

            if (fabs(u - rows[n].u[s]) > 1e-6)
                fail_msg("%s: U of %s is %.12g, expected %.12g", rows[n].file,
                         rows[n].state[s], u, rows[n].u[s]);
        }
        if (rows[n].first_name)
            assert_string_equal(p.names[0], rows[n].first_name);
        else
            assert_null(p.names);
        hs_model_destroy(m);
        hs_problem_clear(&p);
    }
}

/* What is cut anywhere, or has a byte changed, is refused or read; never
 * worse.  (Under a sanitizer this says more.) */
static void damaged_files_do_no_harm(void **state)
{
    static const char path[] = "test_foreign.tmp";

    (void)state;
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        char name[512], bytes[4096];
        size_t length;
        hs_problem p;
        FILE *from;

        snprintf(name, sizeof name, "%s/%s", HISS_TEST_DATA, rows[n].file);
        from = fopen(name, "rb");
        assert_non_null(from);
        length = fread(bytes, 1, sizeof bytes, from);
        fclose(from);
        for (size_t cut = 0; cut < length; cut++) {
            unlink(path); /* a file that is cut to 0 goes to the disk first */
            write_file(path, bytes, cut);
            hs_format_read(&p, path, rows[n].format, NULL);
            hs_problem_clear(&p);
            bytes[cut] ^= 0x15;
            unlink(path);
            write_file(path, bytes, length);
            bytes[cut] ^= 0x15;
            hs_format_read(&p, path, rows[n].format, NULL);
            hs_problem_clear(&p);
        }
    }
    unlink(path);
}

/* The Gset: sizes, and that U is a cut. */
static void gset_is_read(void **state)
{
    static const struct {
        const char *name;
        int dim;
        int64_t edges;
    } graphs[] = {{"G1", 800, 19176},
                  {"G14", 800, 4694},
                  {"G22", 2000, 19990},
                  {"G43", 1000, 9990},
                  {"G51", 1000, 5909}};

    (void)state;
    for (size_t g = 0; g < sizeof graphs / sizeof graphs[0]; g++) {
        char path[1024], name[64];
        hs_problem p;
        int16_t *halves;

        snprintf(name, sizeof name, "maxcut/%s.txt", graphs[g].name);
        read_problem(&p, foreign(name, path, sizeof path), NULL);
        assert_int_equal(p.dim, graphs[g].dim);
        assert_int_equal(p.quadratic.pairs, graphs[g].edges);
        assert_true(p.quadratic.offset == 0.5 * (double)graphs[g].edges);
        halves = hs_alloc_array((size_t)p.dim, sizeof *halves);
        assert_true(hs_problem_energy(&p, halves) == 0.0);
        for (int i = 0; i < p.dim; i += 2)
            halves[i] = 1;
        assert_true(hs_problem_energy(&p, halves) > 0.0);
        hs_free(halves);
        hs_problem_clear(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(their_files_have_their_energies),
        cmocka_unit_test(damaged_files_do_no_harm),
        cmocka_unit_test(gset_is_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
