/* test_tsplib.c - travelling-salesman files: what they mean, and what is wrong
 * with bad ones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "formats/files.h"
#include "unit/foreign.h"

static const char path[] = "tours.tmp";

#define HEAD   "TYPE : TSP\nDIMENSION : 3\n"
#define EUC    HEAD "EDGE_WEIGHT_TYPE : EUC_2D\n"
#define MATRIX HEAD "EDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : "
#define WORDS  "NODE_COORD_SECTION\n1 0 0\n2 3 0\n3 3 4.4\n"

/* Files through three cities: twice the distances 1-2, 2-3, 3-1 is not asked,
 * the length of their only closed tour is. */
static void files_mean_what_they_say(void **state)
{
    static const struct {
        const char *text;
        double real, rounded;
    } rows[] = {
        {EUC WORDS "EOF\n", 3.0 + 4.4 + 5.325410782277739, 3 + 4 + 5},
        {EUC WORDS, 3.0 + 4.4 + 5.325410782277739, 3 + 4 + 5},
        {"TYPE:TSP\r\nNAME:x y z\r\nDIMENSION:3\r\nEDGE_WEIGHT_TYPE:CEIL_2D\r\n"
         "COMMENT: : : a : b\r\n" WORDS,
         3.0 + 4.4 + 5.325410782277739, 3 + 5 + 6},
        {HEAD "EDGE_WEIGHT_TYPE : ATT\nNODE_COORD_TYPE : TWOD_COORDS\n" WORDS,
         12.725410782277739 / 3.1622776601683795, 1 + 2 + 2},
        {HEAD "EDGE_WEIGHT_TYPE : EUC_2D\nEDGE_WEIGHT_FORMAT : FUNCTION\n"
              "NODE_COORD_SECTION\n3 3 4.4\n1 0 0\n2 3 0\n",
         3.0 + 4.4 + 5.325410782277739, 3 + 4 + 5},
        {MATRIX "FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 1 2\n1 0 3.5\n2 3.5 0\n",
         6.5, 6.5},
        {MATRIX "UPPER_ROW\nEDGE_WEIGHT_SECTION\n1 2\n3.5\nEOF\n", 6.5, 6.5},
        {MATRIX "LOWER_ROW\nEDGE_WEIGHT_SECTION:\n1\n2 3.5\n", 6.5, 6.5},
        {MATRIX "UPPER_DIAG_ROW\nEDGE_WEIGHT_SECTION\n0 1 2 0 3.5 0\n", 6.5,
         6.5},
        {MATRIX "LOWER_DIAG_ROW\nDISPLAY_DATA_TYPE : TWOD_DISPLAY\n"
                "EDGE_WEIGHT_SECTION\n9 1 9 2 3.5 9\n"
                "DISPLAY_DATA_SECTION\n1 0 0\n2 1 1\n3 2 2\nEOF\n",
         6.5, 6.5},
    };

    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        for (int rounded = 0; rounded < 2; rounded++) {
            const char *format =
                rounded ? "tsplib(rounded=yes,temperature=2,form=onehot)"
                        : "tsplib";
            double length = rounded ? rows[r].rounded / 2 : rows[r].real;
            hs_problem p;
            hs_model *m;

            write_file(path, rows[r].text, strlen(rows[r].text));
            read_problem(&p, path, format);
            m = read_model(path, NULL); /* by its content */
            assert_true(m->domain.is_tour);
            hs_model_destroy(m);
            m = read_model(path, format);
            assert_int_equal(p.dim, 3);
            if (fabs(energy_of(&p, m, "021") + length) > 1e-9)
                fail_msg("file %zu: %.12g, not %.12g", r,
                         -energy_of(&p, m, "021"), length);
            assert_true(energy_of(&p, m, "002") == -HUGE_VAL);
            assert_string_equal(m->objective, "tour length");
            hs_model_destroy(m);
            hs_problem_clear(&p);
        }
    unlink(path);
}

static const char *const bads[][2] = {
    {"NAME : x\n", ":2:1: the file ends here, expected NODE_COORD_SECTION"},
    {"TYPE : ATSP\n", ":1:8: found 'ATSP', expected TSP: other problems"},
    {"TYPE\nTSP\n", ":1:1: the line ends after this word, expected ':'"},
    {"TYPE TSP\n", ":1:6: found 'TSP', expected ':' behind the keyword"},
    {"TYPE :\n", ":1:6: found '', expected TSP"},
    {"DIMENSION : 2\n",
     ":1:13: found '2', expected a number of cities from 3 to 4096"},
    {"DIMENSION : 100000\n", ":1:13: found '100000', expected"},
    {"DIMENSION : three\n", ":1:13: found 'three', expected"},
    {HEAD "DIMENSION : 3\n", ":3:13: a second DIMENSION"},
    {HEAD "EDGE_WEIGHT_TYPE : EUC_3D\n",
     ":3:20: found 'EUC_3D', expected EUC_2D, CEIL_2D, GEO, ATT or "
     "EXPLICIT\n  EDGE_WEIGHT_TYPE : EUC_3D\n                     ^"},
    {HEAD "EDGE_WEIGHT_FORMAT : UPPER_COL\n", ":3:22: found 'UPPER_COL'"},
    {HEAD "COLOUR : red\n", ":3:1: found 'COLOUR', expected a keyword"},
    {HEAD "NODE_COORD_TYPE : THREED_COORDS\n", ":3:19: found 'THREED"},
    {HEAD "FIXED_EDGES_SECTION\n1 2\n-1\n",
     ":3:1: found 'FIXED_EDGES_SECTION', expected NODE_COORD_SECTION"},
    {"TYPE : TSP\nNODE_COORD_SECTION\n1 0 0\n",
     ":2:1: expected DIMENSION before this section"},
    {HEAD "NODE_COORD_SECTION\n1 0 0\n",
     ":3:1: expected EDGE_WEIGHT_TYPE before this section"},
    {EUC "NODE_COORD_SECTION\n1 0 0\n2 1 1\n",
     ":7:1: the file ends here, after 2 of 3 cities"},
    {EUC "NODE_COORD_SECTION\n1 0 0\n2 1 1\nEOF\n",
     ":7:1: the file ends here, after 2 of 3 cities\n  EOF\n  ^"},
    {EUC "NODE_COORD_SECTION\n1 0 0\n1 1 1\n3 2 2\n",
     ":6:1: city 1 was given before"},
    {EUC "NODE_COORD_SECTION\n1 0 0\n4 1 1\n3 2 2\n",
     ":6:1: found '4', expected the number of a city, from 1 to 3"},
    {EUC "NODE_COORD_SECTION\n1 0\n2 1 1\n3 2 2\n",
     ":5:3: the line ends after this word, expected two coordinates"},
    {EUC "NODE_COORD_SECTION\n1 0 x\n2 1 1\n3 2 2\n", ":5:5: found 'x'"},
    {EUC "NODE_COORD_SECTION\n1 0 nan\n2 1 1\n3 2 2\n", ":5:5: found 'nan"},
    {EUC "NODE_COORD_SECTION\n1 0 0 0\n2 1 1\n3 2 2\n",
     ":5:7: found '0', expected the end of the line"},
    {EUC WORDS "4 1 1\n", ":8:1: found '4', expected a keyword"},
    {EUC WORDS "EOF\nmore\n", ":9:1: "},
    {EUC WORDS WORDS, ":8:1: a second NODE_COORD_SECTION"},
    {EUC "EDGE_WEIGHT_SECTION\n1 2 3\n",
     ":4:1: weights, though EDGE_WEIGHT_TYPE is EUC_2D"},
    {HEAD "EDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_SECTION\n1 2 3\n",
     ":4:1: expected EDGE_WEIGHT_FORMAT before this section"},
    {MATRIX "UPPER_ROW\nEDGE_WEIGHT_SECTION\n1 2\n",
     ":7:1: the file ends here, after 2 of 3 weights"},
    {MATRIX "UPPER_ROW\nEDGE_WEIGHT_SECTION\n1 2 inf\n", ":6:5: found 'inf"},
    {MATRIX "UPPER_ROW\nEDGE_WEIGHT_SECTION\n1 2 3 4\n", ":6:7: found '4'"},
    {MATRIX "FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 1 2\n1 0 3\n2 4 0\n",
     ":8:3: from city 2 to 3 it is 3 and back 4: directed problems"},
    {"TYPE : TSP\nDIMENSION : 4096\nEDGE_WEIGHT_TYPE : EXPLICIT\n"
     "EDGE_WEIGHT_FORMAT : FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 1\n",
     ":5:1: 16777216 weights are more than the file can hold"},
    {MATRIX "UPPER_ROW\n" WORDS, ":9:1: the file ends here, expected EDGE"},
};

static void bad_files_are_refused(void **state)
{
    int wrong = 0;

    (void)state;
    for (size_t r = 0; r < sizeof bads / sizeof bads[0]; r++) {
        hiss_error err = {0};
        hs_problem p;
        char expected[256];
        hiss_status rc;

        write_file(path, bads[r][0], strlen(bads[r][0]));
        snprintf(expected, sizeof expected, "%s%s", path, bads[r][1]);
        rc = hs_format_read(&p, path, "tsplib", &err);
        if (rc != HISS_EPARSE ||
            strncmp(err.message, expected, strlen(expected)) != 0) {
            print_message("row %zu: status %d\n%s\nexpected\n%s\n", r, rc,
                          err.message, expected);
            wrong++;
        }
        if (rc == HISS_OK)
            hs_problem_clear(&p);
    }
    unlink(path);
    assert_int_equal(wrong, 0);
}

/* Every cut of a file is refused or read, and allocation may fail anywhere. */
static void cuts_and_failures(void **state)
{
    static const char text[] =
        MATRIX "LOWER_DIAG_ROW\nEDGE_WEIGHT_SECTION\n9 1 9 2 3.5 9\n"
               "DISPLAY_DATA_SECTION\n1 0 0\n2 1 1\n3 2 2\nEOF\n";
    hs_model *m = NULL;
    hiss_status rc = HISS_ENOMEM;

    (void)state;
    for (size_t cut = 0; cut < sizeof text; cut++) {
        write_file(path, text, cut);
        if (hs_format_model(&m, path, "tsplib", NULL) == HISS_OK)
            hs_model_destroy(m);
    }
    for (int n = 1; rc == HISS_ENOMEM; n++) {
        hs_alloc_fail_after(n);
        rc = hs_model_create(&m, "tsp(tours.tmp)", NULL);
        hs_alloc_fail_after(0);
        assert_true((rc == HISS_OK) == (m != NULL));
        assert_true(n < 200);
    }
    assert_int_equal(rc, HISS_OK);
    hs_model_destroy(m);
    unlink(path);
}

/* The canonical tours of TSPLIB's own files: 1, 2, ..., n. */
static void published_files(void **state)
{
    static const struct {
        const char *name;
        int cities;
        double length; /* of the tour 1, 2, ..., n, rounded */
    } rows[] = {
        {"tsp/berlin52.tsp", 52, 22205},
        {"tsp/burma14.tsp", 14, 4562},
        {"tsp/ulysses16.tsp", 16, 9665},
        {"tsp/eil51.tsp", 51, 1308},
    };

    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        int16_t tour[64];
        char name[512];
        hs_problem p;

        read_problem(&p, foreign(rows[r].name, name, sizeof name),
                     "tsplib(rounded=yes)");
        assert_int_equal(p.dim, rows[r].cities);
        for (int i = 0; i < p.dim; i++)
            tour[i] = (int16_t)i;
        if (-hs_problem_energy(&p, tour) != rows[r].length)
            fail_msg("%s: %.9g, not %.9g", rows[r].name,
                     -hs_problem_energy(&p, tour), rows[r].length);
        hs_problem_clear(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_mean_what_they_say),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(cuts_and_failures),
        cmocka_unit_test(published_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
