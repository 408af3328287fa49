/* test_read.c - what files mean: energies by hand, one row per dialect.
 */
#include "format/format.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "formats/files.h"

#define NO -HUGE_VAL

enum {
    STATES = 4
};

struct good {
    const char *what;
    const char *format; /* NULL: by its content */
    const char *text;
    const char *state[STATES];
    double u[STATES];
    const char *said; /* a part of the note or of reads_as; NULL: no note */
};

static const struct good goods[] = {
    /* cut of (1,2) w 2 and (2,3) w 3 */
    {"rudy",
     NULL,
     "3 2\n1 2 2\n2 3 3\n",
     {"000", "010", "100", "110"},
     {0, 5, 2, 3},
     NULL},
    {"rudy, no weights",
     NULL,
     "3 2\n1 2\n2 3\n",
     {"000", "010", "100", "110"},
     {0, 2, 1, 1},
     NULL},
    {"rudy, a word in line 1",
     NULL,
     "3 2 J \r\n1 2 2\r\n2 3 3",
     {"000", "010", "100", "110"},
     {0, 5, 2, 3},
     "'J' in line 1"},
    {"rudy, BOM, tabs, blanks",
     NULL,
     "\xef\xbb\xbf"
     "3\t2 \n\n 1\t2 2\n2 3 3 \n\n",
     {"000", "010", "100", "110"},
     {0, 5, 2, 3},
     NULL},
    {"rudy, an edge twice",
     NULL,
     "2 2\n1 2 1\n2 1 4\n",
     {"00", "01", "10", "11"},
     {0, 5, 5, 0},
     "1 term was given more than once and summed, the first (1,2)"},
    {"rudy, an isolated vertex",
     "rudy",
     "2 0\n",
     {"00", "01", "10", "11"},
     {0, 0, 0, 0},
     NULL},
    {"qubo-sparse, min, twice",
     "qubo-sparse(sense=min,offdiagonal=twice)",
     "2 2\n1 1 5\n1 2 -3\n",
     {"00", "01", "10", "11"},
     {0, 0, -5, 1},
     "x'Qx is minimized, an entry off the diagonal counts twice"},
    {"qubo-sparse, max, once",
     "qubo-sparse(sense=max,offdiagonal=once)",
     "2 2\n1 1 5\n1 2 -3\n",
     {"00", "01", "10", "11"},
     {0, 0, 5, 2},
     "maximized"},
    {"qubo",
     NULL,
     "c x\np qubo 0 3 2 1\nc nodes\n0 0 1.5\n2 2 -2\n0 2 4\n",
     {"000", "001", "100", "101"},
     {0, 2, -1.5, -3.5},
     NULL},
    {"qubo, max",
     "qubo(sense=max)",
     "p qubo unconstrained 2 1 1\n0 0 1.5\n1 0 4e0\n",
     {"00", "01", "10", "11"},
     {0, 0, 1.5, 5.5},
     "maximized"},
    {"qubo, another topology",
     NULL,
     "p qubo chimera128 1 1 0\n0 0 1\n",
     {"0", "1", "0", "1"},
     {0, -1, 0, -1},
     "topology 'chimera128'"},
    {"coo, spins",
     NULL,
     "# vartype=SPIN\n0 0 0.5\n0 1 -1e0\n",
     {"00", "01", "10", "11"},
     {0.5 + 1, 0.5 - 1, -0.5 - 1, -0.5 + 1},
     NULL},
    {"coo, bits, another header",
     NULL,
     "# x\n#  vartype: BINARY \n0 0 0.5\n# c\n0 1 -1 # d\n",
     {"00", "01", "10", "11"},
     {0, 0, -0.5, 0.5},
     NULL},
    {"coo, said by option",
     "coo(vartype=binary)",
     "0 1 -1\n1 1 2\n",
     {"00", "01", "10", "11"},
     {0, -2, 0, -1},
     NULL},
    {"coo, gaps",
     "coo(vartype=binary)",
     "7 1000000000 3\n",
     {"00", "01", "10", "11"},
     {0, 0, 0, -3},
     NULL},
    {"edges, attract",
     "edges(sign=attract)",
     "# c\ni,j,J\n0,1,0.5\n1 , 1 , 2\n",
     {"00", "01", "10", "11"},
     {0.5 - 2, -0.5 + 2, -0.5 - 2, 0.5 + 2},
     "log p = sum J s_i s_j (J > 0 attracts)"},
    {"edges, repel, names, tabs",
     "edges(sign=repel)",
     "b\ta\t0.5 % x\na\tb\n",
     {"00", "01", "10", "11"},
     {-1.5, 1.5, 1.5, -1.5},
     "1 term was given more than once and summed, the first (b,a)"},
    {"edges, n m",
     "edges(sign=repel,values=binary)",
     "3 2\n1 2 0.5\n1 1 4\n",
     {"000", "100", "110", "111"},
     {0, -4, -4.5, -4.5},
     "J > 0 repels, x in {0,1}"},
    {"edges, the first line is an edge",
     "edges(sign=attract)",
     "1 2\n2 3\n",
     {"000", "001", "010", "100"},
     {2, 0, -2, 0},
     NULL},
    {"mtx, couplings",
     NULL,
     "%%MatrixMarket matrix coordinate real symmetric\n% c\n2 2 2\n1 1 4\n"
     "2 1 0.5\n",
     {"00", "01", "10", "11"},
     {2.5, 1.5, 1.5, 2.5},
     "log p = 1/2 s'As (A_ij > 0 attracts)"},
    {"mtx, general",
     NULL,
     "%%matrixmarket MATRIX Coordinate Integer General\n2 2 2\n1 2 1\n2 1 3\n",
     {"00", "01", "10", "11"},
     {2, -2, -2, 2},
     "log p = 1/2 s'As"},
    {"mtx, qubo",
     "mtx(as=qubo)",
     "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 4\n2 1 0.5\n",
     {"00", "01", "10", "11"},
     {0, 0, -4, -5},
     "log p = -x'Ax"},
    {"mtx, qubo, max",
     "mtx(as=qubo,sense=max)",
     "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 4\n2 1 0.5\n",
     {"00", "01", "10", "11"},
     {0, 0, 4, 5},
     "log p = x'Ax"},
    {"mtx, graph",
     "mtx(as=maxcut)",
     "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n",
     {"00", "01", "10", "11"},
     {0, 1, 1, 0},
     "1 entries on the diagonal"},
    {"mtx, as hiss wrote it",
     NULL,
     "%%MatrixMarket matrix coordinate real symmetric\n"
     "% hiss: as=qubo sense=max\n2 2 2\n1 1 4\n2 1 0.5\n",
     {"00", "01", "10", "11"},
     {0, 0, 4, 5},
     "log p = x'Ax"},
    {"json, dimod",
     NULL,
     "{\"variable_type\": \"BINARY\", \"offset\": 1, \"linear_biases\": [2, 0],"
     "\"quadratic_head\": [0], \"quadratic_tail\": [1],"
     "\"quadratic_biases\": [0.5], \"variable_labels\": [\"a\", 7]}",
     {"00", "01", "10", "11"},
     {-1, -1, -3, -3.5},
     NULL},
    {"json, bqpjson",
     NULL,
     "{\"variable_domain\": \"spin\", \"offset\": 1, \"scale\": 2,"
     "\"variable_ids\": [4, 2], \"linear_terms\": [{\"id\": 2, \"coeff\": 3}],"
     "\"quadratic_terms\": [{\"id_tail\": 2, \"id_head\": 4, \"coeff\": 5}]}",
     {"00", "01", "10", "11"},
     {-2 * (1 - 3 + 5), -2 * (1 + 3 - 5), -2 * (1 - 3 - 5), -2 * (1 + 3 + 5)},
     NULL},
    {"dimacs, independent set",
     "dimacs(task=independent_set)",
     "c x\np edge 3 2\nn 1 5\ne 1 2\ne 2 3\n",
     {"000", "101", "110", "011"},
     {0, 6, 6 - 2, 2 - 2},
     "a violated edge costs 2 times"},
    {"dimacs, both directions",
     "dimacs(task=independent_set,penalty=3)",
     "p col 2 1\ne 1 2\ne 2 1\n",
     {"00", "01", "10", "11"},
     {0, 1, 1, 2 - 3},
     "1 edges were given more than once"},
    {"dimacs, clique",
     "dimacs(task=clique)",
     "p edge 3 2\ne 1 2\ne 2 3\n",
     {"000", "110", "101", "111"},
     {0, 2, 2 - 2, 3 - 2},
     "clique"},
    {"dimacs, hard",
     "dimacs(task=clique,form=constraint)",
     "p edge 3 2\ne 1 2\ne 2 3\n",
     {"000", "110", "101", "111"},
     {0, 2, NO, NO},
     "impossible"},
    {"dimacs, colors",
     "dimacs(task=coloring,colors=3,penalty=1.5)",
     "p edge 3 2\ne 1 2\ne 2 3\n",
     {"000", "012", "011", "021"},
     {-3, 0, -1.5, 0},
     "coloring"},
    {"dimacs, hard colors",
     "dimacs(task=coloring,colors=3,form=constraint)",
     "p edge 3 2\ne 1 2\ne 2 3\n",
     {"000", "012", "011", "021"},
     {NO, 0, NO, 0},
     "impossible"},
    {"cnf",
     "cnf(form=penalty)",
     "c\np cnf 3 3\n1 -2 0 2\n3 0\nc x\n-1 0\n%\n0\n\n",
     {"000", "010", "011", "100"},
     {2, 2, 2, 1},
     "log p = 1 per satisfied clause"},
    {"cnf, hard",
     NULL,
     "p cnf 2 2\n1 2 0\n-1 -1 -2 0\n",
     {"00", "01", "10", "11"},
     {NO, 0, 0, NO},
     "log p = 0 where every clause holds"},
    {"cnf, xor",
     NULL,
     "p cnf 3 2\nx1 -2 3 0\nx 2 2 1 0\n",
     {"100", "111", "101", "010"},
     {NO, NO, 0, NO},
     "log p = 0 where every clause holds"},
    {"cnf, weights",
     NULL,
     "c t wmc\np cnf 2 1\nc p weight 1 1 0\n1 2 0\n"
     "c  p weight -1 0 0\n",
     {"00", "01", "10", "11"},
     {NO, NO, 0, 0},
     "log p = sum of ln of the literals' weights"},
    {"cnf, projected",
     NULL,
     "p cnf 3 2\nc p show 1 0\n1 2 0\nc a word\n-2 3 0\nc ind 3 0\n",
     {"00", "01", "10", "11"},
     {NO, 0, 0, 0},
     "projected on 2 of 3 variables"},
    {"cnf, always",
     "cnf(form=penalty,weight=2)",
     "p cnf 2 2\n1 -1 0\n-2 0\n",
     {"00", "01", "10", "11"},
     {4, 2, 4, 2},
     "1 clauses always hold"},
    {"wcnf, old",
     NULL,
     "p wcnf 2 3 10\n10 1 2 0\n3 -1 0\n4 -2 0\n",
     {"00", "01", "10", "11"},
     {NO, 3, 4, 0},
     NULL},
    {"wcnf, without top",
     NULL,
     "p wcnf 2 2\n3 -1 0\n4 -2 0\n",
     {"00", "01", "10", "11"},
     {7, 3, 4, 0},
     NULL},
    {"wcnf, new",
     "wcnf",
     "h 1 2 0\n3 -1 0\n4 -2 0\n",
     {"00", "01", "10", "11"},
     {NO, 3, 4, 0},
     NULL},
    {"wcnf, penalty",
     "wcnf(form=penalty)",
     "h 1 2 0\n3 -1 0\n4 -2 0\n",
     {"00", "01", "10", "11"},
     {7 - 8, 3, 4, 0},
     "costs 8"},
    {"bif",
     NULL,
     "network n {\n"
     "  property version \"1\" ;\n"
     "}\n"
     "// comment\n"
     "variable A { type discrete [ 2 ] { yes, no }; property x = (1, 2) ; }\n"
     "variable \"B c\" {\n"
     "  type discrete [ 3 ] { <5, 5-12, \"12 +\" };\n"
     "}\n"
     "probability ( A ) { table 0.25, 0.75; }\n"
     "probability ( \"B c\" | A ) {\n"
     "  (yes) 0.5, 0.25, 0.25;\n"
     "  default 0.125, 0.125, 0.75; /* rest */\n"
     "}\n",
     {"00", "01", "10", "12"},
     {-2.0794415416798357, -2.772588722239781, -2.3671236141316165,
      -0.5753641449035618},
     "sum of ln P(variable | parents)"},
    {"xmlbif",
     NULL,
     "<?xml version=\"1.0\"?>\n"
     "<!DOCTYPE BIF [ <!ELEMENT BIF ( NETWORK )*> ]>\n"
     "<BIF VERSION=\"0.3\">\n"
     "<NETWORK><NAME>n</NAME>\n"
     "<VARIABLE TYPE=\"nature\"><NAME>A</NAME>"
     "<OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME></VARIABLE>\n"
     "<VARIABLE TYPE=\"nature\">\n"
     "  <NAME>B c</NAME>\n"
     "  <OUTCOME>&lt;5</OUTCOME><OUTCOME>5-12</OUTCOME><OUTCOME>"
     "<![CDATA[12 +]]></OUTCOME>\n"
     "  <PROPERTY>position = (1, 2)</PROPERTY>\n"
     "</VARIABLE>\n"
     "<DEFINITION><FOR>A</FOR><TABLE>0.25 0.75</TABLE></DEFINITION>\n"
     "<DEFINITION><FOR>B c</FOR><GIVEN>A</GIVEN>\n"
     "<TABLE> <!-- yes --> 0.5 0.25 0.25 <!-- no --> 0.125 0.125 "
     "0.75 </TABLE></DEFINITION>\n"
     "</NETWORK></BIF>\n",
     {"00", "01", "10", "12"},
     {-2.0794415416798357, -2.772588722239781, -2.3671236141316165,
      -0.5753641449035618},
     "sum of ln P(variable | parents)"},
    {"net",
     NULL,
     "net\n"
     "{\n"
     "  node_size = (80 40);\n"
     "}\n"
     "% comment\n"
     "node A { states = ( \"yes\" \"no\" ); label = \"a; {\"; }\n"
     "node B_c\n"
     "{\n"
     "  states = ( \"<5\" \"5-12\" \"12 +\" );\n"
     "}\n"
     "potential ( A ) { data = ( 0.25 0.75 ); }\n"
     "potential ( B_c | A )\n"
     "{\n"
     "  data = (( 0.5 0.25 0.25 ) % yes\n"
     "          ( 0.125 0.125 0.75 ));\n"
     "}\n",
     {"00", "01", "10", "12"},
     {-2.0794415416798357, -2.772588722239781, -2.3671236141316165,
      -0.5753641449035618},
     "sum of ln P(variable | parents)"},
    {"bif, a table with the child slowest",
     NULL,
     "network n { }\n"
     "variable A { type discrete [2] { \"y\" \"n\" }; }\n"
     "variable B { type discrete [2] { \"y\" \"n\" }; }\n"
     "probability ( \"A\" ) { table 0.25 0.75 ; }\n"
     "probability ( \"B\" | \"A\" ) { table 0.5 0.1 0.5 0.9 ; }\n",
     {"00", "01", "10", "11"},
     {-2.0794415416798357, -2.0794415416798357, -2.5902671654458262,
      -0.3930425881096072},
     NULL},
    {"bif, a row that misses 1 by rounding",
     NULL,
     "variable A { type discrete [3] { a, b, c }; }\n"
     "probability ( A ) { table 0.333, 0.333, 0.333; }\n",
     {"0", "1", "2", "0"},
     {-1.0986122886681098, -1.0986122886681098, -1.0986122886681098,
      -1.0986122886681098},
     "1 row of probabilities did not sum to 1 and was scaled"},
    {"net, any table",
     NULL,
     "net { }\n"
     "node A { states = (\"a\" \"b\"); }\n"
     "node B { states = (\"c\" \"d\"); }\n"
     "potential (A B) { data = ((1 2)(3 0)); }\n",
     {"00", "01", "10", "11"},
     {0, 0.6931471805599453, 1.0986122886681098, NO},
     "the table entries"},
    {"net, a class, nothing known",
     NULL,
     "class k\n"
     "{\n"
     "  node A { states = (\"a\" \"b\"); }\n"
     "  potential (A) { }\n"
     "}\n",
     {"0", "1", "0", "1"},
     {-0.6931471805599453, -0.6931471805599453, -0.6931471805599453,
      -0.6931471805599453},
     NULL},
    {"dca, numbers",
     NULL,
     "J 0 1 0 1 0.5\nJ 1 2 2 0 -1\nh 0 2 3\n",
     {"010", "011", "220", "000"},
     {0.5, 0.5, 3 - 1, 0},
     "3 sites of 3 states: numbers"},
    {"dca, both directions",
     NULL,
     "J 0 1 0 1 0.5\nJ 1 0 1 0 0.5\n",
     {"01", "00", "10", "11"},
     {0.5, 0, 0, 0},
     "1 couplings are given in both directions"},
    {"dca, RNA",
     NULL,
     "J 0 1 - U 0.5\nh 1 A 2\n",
     {"04", "01", "11", "44"},
     {0.5, 2, 2, 0},
     "5 states: RNA"},
    {"dca, proteins",
     NULL,
     "J 1 0 Y - 0.25\nh 1 C 2\n",
     {"02", "00", "0D", "20"},
     {2, 0, 0.25, 0},
     "21 states: proteins"},
};

static void check_said(const struct good *g, const hs_model *m)
{
    if (!m->reads_as || !strstr(m->reads_as, "log p = "))
        fail_msg("%s: reads_as '%s' has no formula", g->what,
                 m->reads_as ? m->reads_as : "");
    if (g->said && !(m->note && strstr(m->note, g->said)) &&
        !strstr(m->reads_as, g->said))
        fail_msg("%s: note '%s', reads_as '%s', expected '%s'", g->what,
                 m->note ? m->note : "", m->reads_as, g->said);
    if (!g->said && m->note)
        fail_msg("%s: note '%s', expected none", g->what, m->note);
}

static void files_mean_what_they_say(void **state)
{
    static const char path[] = "test_format_read.tmp";

    (void)state;
    for (size_t n = 0; n < sizeof goods / sizeof goods[0]; n++) {
        const struct good *g = &goods[n];
        hs_problem p;
        hs_model *m;

        write_file(path, g->text, strlen(g->text));
        read_problem(&p, path, g->format);
        m = read_model(path, g->format);
        for (int s = 0; s < STATES; s++) {
            double u = energy_of(&p, m, g->state[s]);

            if (isfinite(u) ? fabs(u - g->u[s]) > 1e-12 : u != g->u[s])
                fail_msg("%s: U of %s is %.12g, expected %.12g", g->what,
                         g->state[s], u, g->u[s]);
        }
        check_said(g, m);
        assert_string_equal(m->name, path);
        hs_model_destroy(m);
        hs_problem_clear(&p);
    }
    unlink(path);
}

/* What a community speaks of, from U. */
static void objectives_are_theirs(void **state)
{
    static const struct {
        const char *format, *text, *objective, *at;
        double value;
    } rows[] = {
        {NULL, "2 1\n1 2 3\n", "cut", "01", 3},
        {NULL, "p qubo 0 1 1 0\n0 0 -2\n", "energy", "1", -2},
        {"qubo(sense=max)", "p qubo 0 1 1 0\n0 0 -2\n", "value", "1", -2},
        {NULL, "# vartype=SPIN\n0 0 -2\n", "energy", "1", -2},
        {"dimacs(task=coloring,colors=2,penalty=4)", "p edge 2 1\ne 1 2\n",
         "conflicts", "11", 1},
        {"dimacs(task=clique)", "p edge 2 1\ne 1 2\n", "clique weight", "11",
         2},
        {"cnf(form=penalty,weight=5)", "p cnf 1 2\n1 0\n-1 0\n",
         "satisfied clauses", "1", 1},
        {"wcnf", "3 1 0\n4 -1 0\n", "satisfied weight", "1", 3},
    };
    static const char path[] = "test_format_objective.tmp";

    (void)state;
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        hs_problem p;
        hs_model *m;
        double u;

        write_file(path, rows[n].text, strlen(rows[n].text));
        read_problem(&p, path, rows[n].format);
        m = read_model(path, rows[n].format);
        u = energy_of(&p, m, rows[n].at);
        assert_string_equal(m->objective, rows[n].objective);
        assert_true(m->objective_scale * u + m->objective_shift ==
                    rows[n].value);
        hs_model_destroy(m);
        hs_problem_clear(&p);
    }
    unlink(path);
}

static void gzip_reads_the_same(void **state)
{
    static const char path[] = "test_format_gzip.tmp";
    static const char text[] = "3 2\n1 2 2\n2 3 3\n";
    hs_problem p;

    (void)state;
    write_gzip(path, text, strlen(text));
    read_problem(&p, path, NULL);
    assert_int_equal(p.dim, 3);
    assert_int_equal(p.quadratic.pairs, 2);
    hs_problem_clear(&p);
    unlink(path);
}

static void names_are_kept(void **state)
{
    static const char path[] = "test_format_names.tmp";
    static const char text[] = "# vartype=SPIN\n30 4 1\n4 4 2\n";
    hs_problem p;

    (void)state;
    write_file(path, text, strlen(text));
    read_problem(&p, path, NULL);
    assert_int_equal(p.dim, 2);
    assert_string_equal(p.names[0], "4");
    assert_string_equal(p.names[1], "30");
    assert_true(p.quadratic.linear[0] == 2.0);
    hs_problem_clear(&p);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_mean_what_they_say),
        cmocka_unit_test(objectives_are_theirs),
        cmocka_unit_test(gzip_reads_the_same),
        cmocka_unit_test(names_are_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
