/* test_bad.c - one row per message: bad files of every format are refused with
 * the place and what was expected there. */
#include "format/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "formats/files.h"

static const char path[] = "bad.tmp";

struct bad {
    const char *format; /* NULL: by its content */
    const char *text;
    const char *message; /* after the file name */
};

#define RUDY       "rudy"
#define SPARSE     "qubo-sparse(sense=min,offdiagonal=once)"
#define EDGES      "edges(sign=attract)"
#define MTX        "%%MatrixMarket matrix coordinate real symmetric\n"
#define DIMOD_HEAD "{\"variable_type\": \"SPIN\", "

static const struct bad bads[] = {
    {NULL, "", ":1:1: the file is empty"},
    {NULL, "what is this\n", ":1:1: not a model file that hiss knows: tried "},
    {RUDY, "", ":1:1: the file ends here, expected a whole number"},
    {RUDY, "0 0\n", ":1:1: found '0', expected a whole number from 1 to"},
    {RUDY, "x 1\n", ":1:1: found 'x', expected a whole number from 1"},
    {RUDY, "3\n2\n1 2\n",
     ":1:1: the line ends after this word, expected the "
     "number of edges"},
    {RUDY, "3 -1\n", ":1:3: found '-1', expected a whole number of at least 0"},
    {RUDY, "3 1000000000\n1 2 1\n",
     ":1:3: 1000000000 are announced, but the "
     "rest of the file has room for"},
    {RUDY, "2000000000 1\n1 2 1\n",
     ":1:1: 2000000000 variables are announced, "
     "but a file of this size can mean 65536"},
    {RUDY, "3 2\n1 2 1.000\n", ":3:1: the file ends here, after 1 of 2 edges"},
    {RUDY, "3 1\n1 2 1\n2 3 1\n",
     ":3:1: found '2', expected the end of the "
     "file: 1 edges were announced"},
    {RUDY, "3 1\n1 9 1\n",
     ":2:3: found '9', expected a whole number from 1 to "
     "3\n  1 9 1\n    ^"},
    {RUDY, "3 1\n1 two 1\n", ":2:3: found 'two', expected a whole number"},
    {RUDY, "3 1\n1\n2 1\n",
     ":2:1: the line ends after this word, expected a "
     "second vertex"},
    {RUDY, "3 1\n1 2 nan\n",
     ":2:5: found 'nan', expected a number from -1e+30"},
    {RUDY, "3 1\n1 2 inf\n", ":2:5: found 'inf', expected"},
    {RUDY, "3 1\n1 2 1e300\n", ":2:5: found '1e300', expected"},
    {RUDY, "3 1\n1 2 1 7\n", ":2:7: found '7', expected the end of the line"},
    {RUDY, "3 1\r\n2 2 1\r\n",
     ":2:3: an edge of 2 with itself: a graph for "
     "MaxCut has none; if this is a QUBO, say so: "
     "--format 'qubo-sparse("},
    {SPARSE, "3 1\n1 2   \n",
     ":2:3: the line ends after this word, expected a "
     "coefficient"},
    {SPARSE, "3 1\n", ":1:3: 1 are announced, but the rest of the file has"},
    {SPARSE, "3 2 x\n1 2 2\n1 1 1\n",
     ":1:5: found 'x', expected the end of "
     "the line"},
    {SPARSE, "3 2\n1 2 3\n       \n",
     ":4:1: the file ends here, after 1 of 2 "
     "entries"},
    {"qubo", "q qubo 0 1 1 0\n", ":1:1: found 'q', expected 'p' of the line"},
    {"qubo", "p qbuo 0 1 1 0\n", ":1:3: found 'qbuo', expected 'qubo'"},
    {"qubo", "p qubo 0 1\n1 0\n",
     ":1:10: the line ends after this word, "
     "expected the number of nodes"},
    {"qubo", "p qubo 0 2 1 1\n0 0 1\n1 1 1\n",
     ":3:3: one node more than the 1 "
     "that were announced"},
    {"qubo", "p qubo 0 2 1 1\n0 1 1\n1 0 1\n",
     ":3:3: one coupler more than "
     "the 1"},
    {"qubo", "p qubo 0 2 1 0\n2 2 1\n",
     ":2:1: found '2', expected a whole "
     "number from 0 to 1"},
    {"qubo", "p qubo 0 2 1 0\n0 0 1\nx\n",
     ":3:1: found 'x', expected the end "
     "of the file: 1 nodes and couplers"},
    {NULL, "0 1 0.5\n", ":1:1: this list of couplings i j J does not say its "},
    {NULL, "# c\n1\t2\t0.5\n",
     ":2:1: this list of couplings i j J does not say its sign"},
    {NULL, "i,j,J\n1, 2, -0.5\n", "--format 'edges(sign=repel)'"},
    {EDGES, "", ":1:1: the file has no couplings"},
    {EDGES, "0 1 0.5\n1\n", ":2:1: expected two variables and a coupling"},
    {EDGES, "0 1 0.5 2\n", ":1:1: expected two variables and a coupling"},
    {EDGES, "0,,0.5\n", ":1:1: expected two variables and a coupling"},
    {EDGES, "0 1 x\n", ":1:1: the coupling is 'x', expected a finite number"},
    {EDGES, "0 1 nan\n", "the coupling is 'nan'"},
    {EDGES, "0 1 1e31\n", "the coupling is '1e31'"},
    {EDGES, "2 1\n0 1 3\n", "found variable 0, line 1 announces 1 to 2"},
    {EDGES, "900000000 1\n1 2 3\n", "more than a file of this size can mean"},
    {"edges(sign=up)", "0 1 1\n", "sign"},
    {"coo", "0 0 1\n", ":1:1: no line '# vartype=SPIN'"},
    {"coo", "# vartype=SPIM\n0 0 1\n",
     ":1:3: found vartype 'SPIM', expected "
     "SPIN or BINARY"},
    {"coo(vartype=spin)", "# vartype=BINARY\n0 0 1\n",
     ":1:3: the file says BINARY, but SPIN was said before"},
    {"coo", "# vartype=SPIN\n", ":2:1: the file ends here, expected a word"},
    {"coo", "# vartype=SPIN\n0 -1 1\n",
     ":2:3: found '-1', expected a whole "
     "number from 0 to"},
    {"coo", "# vartype=SPIN\n0 1\n",
     ":2:3: the line ends after this word, "
     "expected a bias"},
    {"mtx", "%%MatrixMarkt\n",
     ":1:1: found '%%MatrixMarkt', expected "
     "%%MatrixMarket"},
    {"mtx", "%%MatrixMarket matrix array real general\n",
     ":1:23: found 'array', expected coordinate"},
    {"bif", "", ":1:1: the net has no variables"},
    {"bif", "variable A { type discrete [ 2 ] { a }; }",
     ":1:30: 2 states are announced, 1 follow"},
    {"bif", "variable A { type discrete [ 2 ] { a, a }; }",
     ":1:39: a second state 'a' of this variable"},
    {"bif", "variable A { } variable A { }", ":1:25: a second variable 'A'"},
    {"bif", "variable A { kind x; }", ":1:14: found 'kind', expected 'type'"},
    {"bif", "variable A { type continuous; }", "expected 'discrete'"},
    {"bif", "variable A { type discrete [2] { a, b }; }\n",
     ":1:1: the file has no probabilities of 'A'"},
    {"bif",
     "variable A { type discrete [2] { a, b }; }\n"
     "probability ( A ) { table 0.5; }",
     ":2:30: found ';' after 1 of 2 probabilities"},
    {"bif",
     "variable A { type discrete [2] { a, b }; }\n"
     "probability ( A ) { table 0.5, 0.5, 0; }",
     "expected ';'"},
    {"bif",
     "variable A { type discrete [2] { a, b }; }\n"
     "probability ( A ) { table 0.5, 0.9; }",
     ":2:13: the probabilities of A sum to 1.4, expected 1"},
    {"bif",
     "variable A { type discrete [2] { a, b }; }\n"
     "probability ( A ) { table 0.5, -0.5; }",
     ":2:32: found '-0.5', expected a finite number of at least 0"},
    {"bif",
     "variable A { type discrete [2] { a, b }; }\n"
     "probability ( A ) { }",
     ":2:13: no probabilities of A"},
    {"bif",
     "variable A { type discrete [2] { a, b }; }\n"
     "probability ( B ) { }",
     ":2:15: no variable before this is called 'B'"},
    {"bif",
     "variable A { type discrete [2] { a, b }; }\n"
     "probability ( A | A ) { }",
     ":2:19: this variable is named twice"},
    {"bif",
     "variable A { type discrete [2] { a, b }; }\n"
     "probability ( ) { }",
     "expected a variable"},
    {"bif",
     "variable A { type discrete [2] { a, b }; }\n"
     "variable B { type discrete [1] { z }; } "
     "probability ( A | B ) { (y) 1, "
     "0; }",
     "found 'y', expected a state of B: z"},
    {"bif",
     "variable A { type discrete [2] { a, b }; }\n"
     "probability ( A ) { table 1, 0; } "
     "probability ( A ) { table 1, 0; }",
     "a second table of probabilities of 'A'"},
    {"bif",
     "variable A { type discrete [2] { a, b }; }\n"
     "probability ( A ) { table 1, ",
     "the file ends here"},
    {"bif", "variable A { type discrete [2] { a, b }; }\n/* ",
     "the comment that begins here does not end"},
    {"bif",
     "variable A { type discrete [2] { a, b }; }\n"
     "probability ( \"A ) { }",
     "the string that begins here"},
    {"bif", "variable A { type discrete [ 40000 ] { a }; }",
     "expected a whole number from 1 to 32767"},
    {"xmlbif", "x", ":1:1: expected '<'"},
    {"xmlbif", "<BIF><NETWORK></BIF>", ":1:15: found '</BIF>', expected "},
    {"xmlbif", "<BIF/>", ":1:1: the net has no variables"},
    {"xmlbif", "<BIF><VARIABLE><OUTCOME>a</OUTCOME></VARIABLE></BIF>",
     ":1:16: expected <NAME> before the outcomes"},
    {"xmlbif", "<BIF><VARIABLE TYPE='decision'/></BIF>", "expected nature"},
    {"xmlbif", "<BIF><DEFINITION><FOR>A</FOR></DEFINITION></BIF>",
     ":1:18: no variable before this is called 'A'"},
    {"xmlbif",
     "<BIF><VARIABLE><NAME>A</NAME><OUTCOME>a</OUTCOME></VARIABLE>"
     "<DEFINITION><FOR>A</FOR><TABLE>1 0</TABLE></DEFINITION></BIF>",
     "this table has 2 entries, its variables need 1"},
    {"xmlbif",
     "<BIF><VARIABLE><NAME>A</NAME><OUTCOME>a</OUTCOME></VARIABLE>"
     "<DEFINITION><FOR>A</FOR><TABLE>one</TABLE></DEFINITION></BIF>",
     "entry 1 of this table is 'one', expected a probability"},
    {"xmlbif",
     "<BIF><VARIABLE><NAME>A</NAME><OUTCOME>a</OUTCOME></VARIABLE>"
     "<DEFINITION><FOR>A</FOR></DEFINITION></BIF>",
     "this definition has no TABLE"},
    {"net", "net { } utility U { }", ":1:9: found 'utility', expected"},
    {"net", "net { } continuous node U { }", ":1:9: found 'continuous'"},
    {"net",
     "net { } node A { states = (\"a\"); } potential (A) { data = (1 0); }",
     "2 numbers, the potential needs 1"},
    {"net", "net { } node A { states = (\"a\"); } potential (A) { data = (1; }",
     "expected ')'"},
    {"net",
     "net { } node A { states = (\"a\" \"b\"); } potential (A) { data = "
     "(0 0); }",
     "sum to 0, expected 1"},
    {"net",
     "net { } node A { states = (a b); } potential (A | ) { "
     "model_data = (1); }",
     "found 'model_data'"},
    {"mtx", "%%MatrixMarket matrix coordinate complex general\n",
     ":1:34: found 'complex', expected real, integer or pattern"},
    {"mtx", "%%MatrixMarket matrix coordinate real hermitian\n",
     ":1:39: found 'hermitian', expected general or symmetric"},
    {"mtx", "%%MatrixMarket matrix coordinate\n",
     ":1:23: the line ends after this word, expected real, integer or"},
    {"mtx", MTX "2 3 0\n", ":2:3: the matrix has 2 rows and 3 columns"},
    {"mtx", MTX "2 2 1\n1 2 1\n",
     ":3:3: found '2', expected a whole number "
     "from 1 to 1"},
    {"mtx", MTX "2 2 2\n2 1 1\n      \n",
     ":5:1: the file ends here, after 1 "
     "of 2 entries"},
    {"json", "{\n \"a\": ]\n}", ":2:7: unexpected token near ']'"},
    {"json", "[]", ": the whole: expected an object"},
    {"json", "{}", ": the whole: expected variable_type (dimod) or"},
    {"json", "{\"a\": 1, \"a\": 2}", ":1:12: duplicate object key"},
    {"json", "{\"variable_type\": \"TERNARY\"}", ": variable_type: expected"},
    {"json", DIMOD_HEAD "\"linear_biases\": 3}",
     ": linear_biases: expected a "
     "list"},
    {"json",
     DIMOD_HEAD "\"linear_biases\": [], \"quadratic_head\": [], "
                "\"quadratic_tail\": [], \"quadratic_biases\": []}",
     ": linear_biases: expected at least one variable"},
    {"json",
     DIMOD_HEAD "\"linear_biases\": [\"x\"], \"quadratic_head\": [], "
                "\"quadratic_tail\": [], \"quadratic_biases\": []}",
     ": linear_biases[0]: expected a number"},
    {"json",
     DIMOD_HEAD "\"linear_biases\": [1, 2], \"quadratic_head\": [0], "
                "\"quadratic_tail\": [2], \"quadratic_biases\": [1]}",
     ": quadratic_tail[0]: expected a whole number from 0 to 1"},
    {"json",
     DIMOD_HEAD "\"linear_biases\": [1, 2], \"quadratic_head\": [0, 1], "
                "\"quadratic_tail\": [1], \"quadratic_biases\": [1]}",
     ": quadratic_biases: expected as many as"},
    {"json",
     DIMOD_HEAD "\"linear_biases\": [1, 2], \"quadratic_head\": [1], "
                "\"quadratic_tail\": [1], \"quadratic_biases\": [1]}",
     ": quadratic_tail: expected another variable"},
    {"json",
     DIMOD_HEAD "\"linear_biases\": [1], \"quadratic_head\": [], "
                "\"quadratic_tail\": [], \"quadratic_biases\": [], "
                "\"variable_labels\": [1, 2]}",
     ": expected a list of 1 variable labels"},
    {"json",
     DIMOD_HEAD "\"num_variables\": 3, \"linear_biases\": [1, 2], "
                "\"quadratic_head\": [], \"quadratic_tail\": [], "
                "\"quadratic_biases\": []}",
     ": num_variables: expected 2, as many as linear_biases has"},
    {"json",
     DIMOD_HEAD "\"num_interactions\": 1, \"linear_biases\": [1, 2], "
                "\"quadratic_head\": [], \"quadratic_tail\": [], "
                "\"quadratic_biases\": []}",
     ": num_interactions: expected 0, as many as quadratic_biases has"},
    {"json", "{\"variable_domain\": \"spin\", \"variable_ids\": [1, 1]}",
     ": variable_ids: expected each id once"},
    {"json",
     "{\"variable_domain\": \"spin\", \"variable_ids\": [1], "
     "\"linear_terms\": [{\"id\": 2, \"coeff\": 1}], \"quadratic_terms\": []}",
     ": linear_terms[0]: expected an id of variable_ids"},
    {"npz", "x", ": a single array does not say what it is"},
    {"npz(as=ising)", "x", ": not an array of numpy"},
    {"npz", "PK\3\4xxxxxxxxxxxxxxxxxxxxxxxxxxxx", ": the zip archive is cut"},
    {"bqm", "DIMODBQM", ": byte 8: the file ends here, expected 6 bytes more"},
    {"bqm", "MIDODBQM123456", ": byte 0: expected the letters DIMODBQM"},
    {"bqm", "DIMODBQM\3x1234", ": byte 14: version 3.120, expected 1 or 2"},
    {"bqm", "DIMODBQM\1x1234",
     ": byte 14: the header of 875770417 bytes is "
     "announced, but the file has 0 left"},
    {"dimacs", "p edge 1 0\n", "task must be given"},
    {"dimacs(task=coloring)", "p edge 1 0\n", "needs colors=2 or more"},
    {"dimacs(task=clique)", "e 1 2\n", ":1:1: found 'e', expected the line"},
    {"dimacs(task=clique)", "p node 1 0\n",
     ":1:3: found 'node', expected edge "
     "or col"},
    {"dimacs(task=clique)", "p edge 2 1\ne 1 1\n",
     ":2:5: an edge of vertex 1 "
     "with itself"},
    {"dimacs(task=clique)", "p edge 2 2\ne 1 2\n       \n",
     "the file ends after 1 edges, 2 were announced"},
    {"dimacs(task=clique)", "p edge 2 1\nf 1 2\n",
     ":2:1: found 'f', expected "
     "e or n"},
    {"dimacs(task=clique)", "p edge 2 0\nn 1 -3\n",
     ":2:5: found '-3', "
     "expected a number from 0"},
    {"dimacs(task=clique)", "p edge 65000 0\n", "too many for its cliques"},
    {"cnf", "p cnf 2 1\n1 3 0\n",
     ":2:3: found '3', expected a whole number "
     "from -2 to 2"},
    {"cnf", "p cnf 2 2\n1 2 0\n",
     ":3:1: the file ends here, after 1 of 2 "
     "clauses"},
    {"cnf", "p cnf 2 1\n1 2\n", ":3:1: the file ends here, expected a whole"},
    {"cnf", "p cnf 2 1\n1 2 0\n1 0\n", ":3:1: found more after the 1 clauses"},
    {"cnf", "p cnf 3 1\nc p show 1 4 0\n1 2 0\n",
     ":2:12: found '4', expected a whole number from 0 to 3"},
    {"cnf", "p cnf 3 1\nc ind 1 2\n1 2 0\n",
     ":2:9: the line ends after this word, expected a variable, or 0"},
    {"cnf", "p cnf 3 1\nc p show 0\n1 2 0\n",
     "the projection shows no variable"},
    {"cnf", "p cnf 3 1\nc p weight 1 x 0\n1 2 0\n",
     ":2:14: found 'x', expected a number from 0"},
    {"cnf", "p cnf 3 1\nc p weight 1 .5 0\n1 2 0\n",
     "literal 1 has a weight and -1 has none"},
    {"cnf", "p cnf 3 1\nc p weight 1 .5 0\nc p weight 1 .6 0\n1 2 0\n",
     ":3:14: literal 1 has two weights"},
    {"cnf",
     "p cnf 3 1\nc p show 2 0\nc p weight 1 2 0\nc p weight -1 1 0\n1 2 0\n",
     "variable 1 has weights but is not shown"},
    {"cnf(form=penalty)", "p cnf 3 1\nx1 2 0\n",
     ":2:1: found an XOR line, which needs form=constraint"},
    {"cnf", "p cnf 3 1\nx1 1 0\n", ":2:6: an XOR line that never holds"},
    {"cnf", "p cnf 3 1\nx1 5 0\n", ":2:4: found '5', expected a whole"},
    {"cnf", "p cnf 3 2\n1 2 0 c p show 1 0\n", ":2:7: found 'c', expected"},
    {"cnf(weight=3)", "p cnf 1 1\n1 0\n", "write cnf(form=penalty,weight=3)"},
    {"cnf(form=constraint)", "p cnf 2 1\n 0\n",
     ":2:2: an empty clause that "
     "must be satisfied"},
    {"cnf",
     "p cnf 30 1\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 0\n",
     ":2:55: a clause of 21 variables, at most 20"},
    {"wcnf", "p cnf 2 1\n1 1 0\n", ":1:3: found 'cnf', expected wcnf"},
    {"wcnf", "p wcnf 2 1 9\n-1 1 0\n",
     ":2:1: found '-1', expected a finite "
     "number of at least 0"},
    {"wcnf", "x 1 0\n", ":1:1: found 'x', expected h or a weight"},
    {"wcnf", "h 1 0 2\n", ":1:7: found '2', expected the end of the line"},
    {"wcnf", "h 2000000000 0\n",
     "variable 2000000000 is there, but a file of "
     "this size"},
    {"dca", "K 1 2\n", ":1:1: found 'K', expected J or h"},
    {"dca", "J 0 0 A A 1\n", ":1:5: a coupling of site 0 with itself"},
    {"dca", "J 0 1 A 3 1\n", ":1:9: states are letters and numbers"},
    {"dca", "J 0 1 A B 1\n", ":1:9: found 'B', expected a state"},
    {"dca(alphabet=rna)", "h 0 T 1\n",
     ":1:7: the states up to here are not "
     "those of the alphabet"},
    {"dca(states=3)", "h 0 3 1\n", ":1:7: state 3 is there, but states=3"},
    {"dca", "h 0 A 1\nh 0 A 2\n",
     ": the field of site 0, state number 1, is "
     "given twice"},
    {"dca", "J 0 1 0 1 1\nJ 1 0 1 0 2\n",
     ": the coupling of sites 0 and 1, "
     "states number 0 and 1, is given "
     "twice"},
    {"dca", "h 2000000000 0 1\n",
     ":1:3: site 2000000000 is there, but a file "
     "of this size"},
    {"dca", "J 0 1 32000 0 1\n",
     ": tables of 32001 states have more than "
     "16778240 entries"},
};

static int mistakes;

/* Says what is wrong and goes on with the next. */
#define WRONG(...) (print_error(__VA_ARGS__), mistakes++)

static void assert_refused(const struct bad *b)
{
    hs_problem p;
    hiss_error err = {0};
    hiss_status rc = hs_format_read(&p, path, b->format, &err);

    if (rc == HISS_OK)
        WRONG("'%s' was read\n", b->text);
    else if (rc != err.status ||
             (rc != HISS_EPARSE && rc != HISS_EARG && rc != HISS_ELIMIT))
        WRONG("'%s': status %d\n", b->text, rc);
    else if (!strstr(err.message, b->message))
        WRONG("'%s': message\n%s\nexpected\n%s\n", b->text, err.message,
              b->message);
    else if (rc == HISS_EPARSE && !strstr(err.message, path))
        WRONG("no file name in: %s\n", err.message);
    hs_problem_clear(&p);
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof bads / sizeof bads[0]; n++) {
        write_file(path, bads[n].text, strlen(bads[n].text));
        assert_refused(&bads[n]);
    }
    unlink(path);
    assert_int_equal(mistakes, 0);
}

/* Text formats say where the first zero byte stands. */
static void binary_files_are_refused(void **state)
{
    static const char bytes[] = "\0\1\2\0\1\2\0\1\2";
    static const char *const formats[] = {
        "uai", "rudy", "qubo", "coo", "mtx", SPARSE, "dimacs(task=clique)",
        "cnf", "wcnf", "dca",  EDGES, "bif", "net"};

    (void)state;
    write_file(path, bytes, sizeof bytes);
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
        struct bad b = {formats[f], "zero bytes",
                        ":1:1: found a zero byte, expected text"};

        assert_refused(&b);
    }
    assert_refused(&(struct bad){NULL, "zero bytes", "not a model file"});
    unlink(path);
    assert_int_equal(mistakes, 0);
}

/* The last line of a file is missing, and more of it. */
static void cut_files_are_refused(void **state)
{
    static const struct {
        const char *format, *text;
    } whole[] = {
        {"rudy", "10 3\n1 2 1.5\n2 3 1.5\n3 10 1.5\n"},
        {"qubo", "p qubo 0 3 1 2\n0 0 1.5\n0 1 1.5\n1 2 1.5\n"},
        {"mtx", MTX "9 9 2\n2 1 1.5\n3 2 1.5\n"},
        {"cnf", "p cnf 9 3\n1 2 0\n-3 4 0\n5 0\n"},
        {"json", DIMOD_HEAD "\"linear_biases\": [1], \"quadratic_head\": [], "
                            "\"quadratic_tail\": [], \"quadratic_biases\": "
                            "[]}"},
    };

    (void)state;
    for (size_t w = 0; w < sizeof whole / sizeof whole[0]; w++) {
        const char *text = whole[w].text;
        size_t last = strlen(text) - 1;

        while (last > 0 && text[last - 1] != '\n' && text[0] != '{')
            last--;
        for (size_t cut = 0; cut <= last; cut++) {
            hs_problem p;

            write_file(path, text, cut);
            if (hs_format_read(&p, path, whole[w].format, NULL) == HISS_OK)
                fail_msg("%s cut at %zu was read", whole[w].format, cut);
        }
    }
    unlink(path);
}

/* A kilobyte that announces a billion of whatever it can. */
static void nothing_is_allocated_by_declaration(void **state)
{
    static const char *const texts[][2] = {
        {"rudy", "1000000000 1000000000\n1 2 3\n"},
        {SPARSE, "1000000000 1000000000\n1 2 3\n"},
        {"qubo", "p qubo 0 1000000000 1000000000 1000000000\n0 0 1\n"},
        {"mtx", MTX "1000000000 1000000000 1000000000\n1 1 1\n"},
        {"dimacs(task=clique)", "p edge 1000000000 1000000000\ne 1 2\n"},
        {"cnf", "p cnf 1000000000 1000000000\n1 0\n"},
        {"wcnf", "p wcnf 1000000000 1000000000 5\n1 1 0\n"},
        {"uai", "MARKOV\n1000000000\n2 2\n"},
    };
    struct rusage before, after;

    (void)state;
    getrusage(RUSAGE_SELF, &before);
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        struct bad b = {texts[t][0], texts[t][1], path};

        write_file(path, b.text, strlen(b.text));
        assert_refused(&b);
    }
    getrusage(RUSAGE_SELF, &after);
    assert_true(after.ru_maxrss - before.ru_maxrss < 64 << 10); /* 64 MB */
    unlink(path);
    assert_int_equal(mistakes, 0);
}

static void wanted_formats_are_checked(void **state)
{
    static const char *const rows[][2] = {
        {"rudi", "unknown format 'rudi'; did you mean 'rudy'?"},
        {"zzz", "unknown format 'zzz', expected one of uai, rudy, "},
        {"qubo(sense=maximum)", "format qubo: sense must be min or max"},
        {"qubo(", "format, column"},
        {"rudy(x=1)", "format rudy: unknown option 'x'"},
        {"qubo-sparse", "format qubo-sparse: sense must be given (min or max"},
    };

    (void)state;
    write_file(path, "1 0\n", 4);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        assert_refused(&(struct bad){rows[r][0], "", rows[r][1]});
    unlink(path);
    assert_int_equal(mistakes, 0);
}

/* Content wins over the suffix, and says so; looks alone do not. */
static void content_wins_over_suffix(void **state)
{
    static const struct {
        const char *name, *text, *format, *note;
    } rows[] = {
        {"a.qubo", "# vartype=SPIN\n0 1 1\n", "coo",
         "the suffix says qubo, the content coo: read as coo"},
        {"a.QUBO", "p qubo 0 1 0 0\n", "qubo", NULL},
        {"a.txt.gz", "1 0\n", "rudy", NULL},
        {"a.sparse", "2 1\n1 2 3\n", NULL, NULL},
        {"a.txt", "2 1\n1 2 3\n", "rudy", NULL},
        {"a", "2 1\n1 2 3\n", "rudy", NULL},
        {"a.wcnf", "1 2 0\n", "wcnf", NULL},
        {"a.coo", "2 1\n1 2 3\n", "rudy", "read as rudy"},
        {"a.qubo", "q qubo 0 1 0 0\n", "qubo", NULL},
        {"a.uai", "2 1\n1 2 3\n", "rudy", "read as rudy"},
        {"a.coo", "0 1 0.5\n", "edges", "read as edges"},
        {"a.dat", "0\t1\t0.5\n", "edges", "read as edges"},
        {"a.dat", "J 0 1 0 0 0.5\n", "dca", NULL},
        {"a.bif", "network x {\n}\n", "bif", NULL},
        {"a", "// c\nvariable A {\n}\n", "bif", NULL},
        {"a.xml", "<?xml version='1.0'?>\n<BIF>", "xmlbif", NULL},
        {"a.net", "net\n{\n}\n", "net", NULL},
        {"a.csv", "i,j,J\n0,1,0.5\n", "edges", NULL},
    };

    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        hs_format_use use;
        hiss_error err = {0};
        char *note = NULL;
        hiss_status rc;

        write_file(rows[r].name, rows[r].text, strlen(rows[r].text));
        rc = hs_format_find(&use, rows[r].name, NULL, &note, &err);
        unlink(rows[r].name);
        if (!rows[r].format) {
            assert_int_equal(rc, HISS_EARG);
            assert_non_null(strstr(err.message, "a.sparse: format qubo-sparse: "
                                                "sense must be given"));
            continue;
        }
        assert_int_equal(rc, HISS_OK);
        assert_string_equal(use.format->name, rows[r].format);
        if (rows[r].note)
            assert_non_null(strstr(note, rows[r].note));
        else
            assert_null(note);
        hs_free(note);
        hs_format_release(&use);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(binary_files_are_refused),
        cmocka_unit_test(cut_files_are_refused),
        cmocka_unit_test(nothing_is_allocated_by_declaration),
        cmocka_unit_test(wanted_formats_are_checked),
        cmocka_unit_test(content_wins_over_suffix),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
