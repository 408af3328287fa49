/* expression.c - a number of every draw, from a text.
 *
 * The text is parsed once into nodes, children before parents, each with room
 * for its entries.  A draw is then one pass over the nodes. */
#include "diag/observe/expression.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/number.h"

#define NODES_MAX 256
#define DEPTH_MAX 64

typedef enum op {
    OP_NUMBER,
    OP_LP,
    OP_NAMED, /* computed by the caller: first is its hs_name */
    OP_SLICE,
    OP_NEGATE,
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_POWER,
    OP_LESS,
    OP_AT_MOST,
    OP_EQUAL,
    OP_DIFFERENT,
    OP_SUM,
    OP_MEAN,
    OP_MIN,
    OP_MAX,
    OP_ABS,
    OP_SQRT,
    OP_EXP,
    OP_LOG,
} op;

static const struct function {
    const char *name;
    op op;
} functions[] = {
    {"sum", OP_SUM}, {"mean", OP_MEAN}, {"min", OP_MIN}, {"max", OP_MAX},
    {"abs", OP_ABS}, {"sqrt", OP_SQRT}, {"exp", OP_EXP}, {"log", OP_LOG},
};

/* By hs_name. */
static const char *const names[HS_NAMES] = {
    [HS_NAME_E] = "E",           [HS_NAME_M] = "m",
    [HS_NAME_Q] = "q",           [HS_NAME_Q_LINK] = "q_link",
    [HS_NAME_C] = "C",           [HS_NAME_CHI] = "chi",
    [HS_NAME_BINDER] = "binder", [HS_NAME_CLUSTER] = "cluster",
};

struct node {
    op op;
    int left, right; /* nodes, -1 if absent */
    int first;       /* start of a slice; number of a name */
    int size;        /* entries */
    double number;
    double *value; /* owned, [size]; a slice is borrowed from the draw */
};

struct hs_expression {
    struct node node[NODES_MAX];
    int nodes;
    int root;
    unsigned names; /* that are used */
};

struct parser {
    hs_expression *e;
    const char *text, *at;
    int dim, depth;
    hiss_error *err;
    hiss_status status;
};

static int compare(struct parser *p);

static int fault(struct parser *p, const char *what)
{
    if (p->status == HISS_OK)
        p->status = hs_fail(p->err, HISS_EARG,
                            "observable, column %d: %s\n  %s\n  %*s^",
                            (int)(p->at - p->text) + 1, what, p->text,
                            (int)(p->at - p->text), "");
    return -1;
}

static void skip(struct parser *p)
{
    while (hs_is_space(*p->at))
        p->at++;
}

static bool take(struct parser *p, const char *word)
{
    size_t length = strlen(word);

    skip(p);
    if (strncmp(p->at, word, length) != 0)
        return false;
    p->at += length;
    return true;
}

static bool is_reduction(op o)
{
    return o == OP_SUM || o == OP_MEAN || o == OP_MIN || o == OP_MAX;
}

/* Adds a node; -1 after a fault anywhere below it. */
static int add(struct parser *p, op o, int left, int right, int size)
{
    hs_expression *e = p->e;
    struct node *n = &e->node[e->nodes];

    if (p->status != HISS_OK)
        return -1;
    if (e->nodes == NODES_MAX)
        return fault(p, "the expression is too long");
    *n = (struct node){.op = o, .left = left, .right = right, .size = size};
    if (o != OP_SLICE) {
        n->value = hs_alloc_array((size_t)size, sizeof *n->value);
        if (!n->value) {
            p->status = hs_fail_memory(p->err);
            return -1;
        }
    }
    return e->nodes++;
}

static int add_pair(struct parser *p, op o, int left, int right)
{
    int a, b;

    if (p->status != HISS_OK)
        return -1;
    a = p->e->node[left].size;
    b = p->e->node[right].size;
    if (a != b && a != 1 && b != 1)
        return fault(p, "two lists of different lengths");
    return add(p, o, left, right, a > b ? a : b);
}

/* Reads a coordinate counted from 1; 0 after a fault. */
static int index_at(struct parser *p)
{
    char *end, what[96];
    long i;

    skip(p);
    i = strtol(p->at, &end, 10);
    if (end == p->at || i < 1 || i > p->dim) {
        if (end == p->at)
            snprintf(what, sizeof what,
                     "expected the number of a coordinate, x.1 to x.%d",
                     p->dim);
        else
            snprintf(what, sizeof what, "x.%ld: coordinates are x.1 to x.%d", i,
                     p->dim);
        fault(p, what);
        return 0;
    }
    p->at = end;
    return (int)i;
}

/* Reads what may follow `x`: .3, [3], [2:5] or nothing. */
static int slice(struct parser *p)
{
    int first = 1, last = p->dim, node;

    if (*p->at == '.') {
        p->at++;
        first = last = index_at(p);
    } else if (*p->at == '[') {
        p->at++;
        first = last = index_at(p);
        if (take(p, ":"))
            last = index_at(p);
        if (p->status == HISS_OK && !take(p, "]"))
            return fault(p, "expected ]");
    }
    if (p->status == HISS_OK && last < first)
        return fault(p, "the slice is empty");
    node = add(p, OP_SLICE, -1, -1, last - first + 1);
    if (node >= 0)
        p->e->node[node].first = first - 1;
    return node;
}

static int unknown(struct parser *p, size_t length)
{
    static const char *const known[] = {
        "x",   "lp",   "U",   "E",   "m",    "q",      "q_link",
        "C",   "chi",  "sum", "min", "max",  "binder", "cluster",
        "abs", "sqrt", "exp", "log", "mean", NULL};
    char word[32], hint[HISS_SUGGESTION_MAX];
    char what[HISS_SUGGESTION_MAX + 160];

    snprintf(word, sizeof word, "%.*s", (int)length, p->at);
    hiss_suggestion(hint, word, known, "", "");
    snprintf(
        what, sizeof what,
        "expected x, a name (lp, E, m, q, q_link, C, chi, binder, cluster) "
        "or a function (sum, mean, min, max, abs, sqrt, exp, log)%s",
        hint);
    return fault(p, what);
}

static int named(struct parser *p, int which, size_t length)
{
    int node = add(p, OP_NAMED, -1, -1, 1);

    p->at += length;
    if (node >= 0)
        p->e->node[node].first = which;
    p->e->names |= 1u << which;
    return node;
}

static int name(struct parser *p)
{
    size_t length = 0;

    while (hs_is_letter(p->at[length]) || (length && p->at[length] == '_'))
        length++;
    if (length == 1 && *p->at == 'x') {
        p->at++;
        return slice(p);
    }
    if ((length == 2 && strncmp(p->at, "lp", 2) == 0) ||
        (length == 1 && *p->at == 'U')) {
        p->at += length;
        return add(p, OP_LP, -1, -1, 1);
    }
    for (int n = 0; n < HS_NAMES; n++)
        if (strlen(names[n]) == length && strncmp(p->at, names[n], length) == 0)
            return named(p, n, length);
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
        if (strlen(functions[f].name) == length &&
            strncmp(p->at, functions[f].name, length) == 0) {
            int inner;

            p->at += length;
            if (!take(p, "("))
                return fault(p, "expected (");
            inner = compare(p);
            if (p->status == HISS_OK && !take(p, ")"))
                return fault(p, "expected )");
            return add(p, functions[f].op, inner, -1,
                       inner < 0 || is_reduction(functions[f].op)
                           ? 1
                           : p->e->node[inner].size);
        }
    return unknown(p, length);
}

static int number(struct parser *p)
{
    const char *end;
    double value = hs_number_prefix(p->at, &end);
    int node;

    if (end == p->at)
        return fault(p, "expected a number, x, lp or a function");
    p->at = end;
    node = add(p, OP_NUMBER, -1, -1, 1);
    if (node >= 0)
        p->e->node[node].number = value;
    return node;
}

static int factor(struct parser *p)
{
    int inner;

    if (p->status != HISS_OK)
        return -1;
    if (++p->depth > DEPTH_MAX)
        return fault(p, "the expression is too deep");
    if (take(p, "-")) {
        inner = factor(p);
        inner = inner < 0
                    ? -1
                    : add(p, OP_NEGATE, inner, -1, p->e->node[inner].size);
    } else if (take(p, "(")) {
        inner = compare(p);
        if (p->status == HISS_OK && !take(p, ")"))
            inner = fault(p, "expected )");
    } else if (take(p, "|")) {
        inner = compare(p);
        if (p->status == HISS_OK && !take(p, "|"))
            inner = fault(p, "expected |");
        inner =
            inner < 0 ? -1 : add(p, OP_ABS, inner, -1, p->e->node[inner].size);
    } else {
        inner = hs_is_letter(*p->at) ? name(p) : number(p);
    }
    p->depth--;
    return inner;
}

static int power(struct parser *p)
{
    int left = factor(p);

    if (p->status == HISS_OK && take(p, "^"))
        left = add_pair(p, OP_POWER, left, power(p));
    return left;
}

static int product(struct parser *p)
{
    int left = power(p);

    while (p->status == HISS_OK) {
        if (take(p, "*"))
            left = add_pair(p, OP_MULTIPLY, left, power(p));
        else if (take(p, "/"))
            left = add_pair(p, OP_DIVIDE, left, power(p));
        else
            break;
    }
    return left;
}

static int sum(struct parser *p)
{
    int left = product(p);

    while (p->status == HISS_OK) {
        if (take(p, "+"))
            left = add_pair(p, OP_ADD, left, product(p));
        else if (take(p, "-"))
            left = add_pair(p, OP_SUBTRACT, left, product(p));
        else
            break;
    }
    return left;
}

static int compare(struct parser *p)
{
    int left = sum(p), right;

    if (p->status != HISS_OK)
        return -1;
    if (take(p, "<="))
        return add_pair(p, OP_AT_MOST, left, sum(p));
    if (take(p, "<"))
        return add_pair(p, OP_LESS, left, sum(p));
    if (take(p, "==") || take(p, "="))
        return add_pair(p, OP_EQUAL, left, sum(p));
    if (take(p, "!="))
        return add_pair(p, OP_DIFFERENT, left, sum(p));
    if (take(p, ">=")) {
        right = sum(p);
        return add_pair(p, OP_AT_MOST, right, left);
    }
    if (take(p, ">")) {
        right = sum(p);
        return add_pair(p, OP_LESS, right, left);
    }
    return left;
}

hiss_status hs_expression_create(hs_expression **out, const char *text, int dim,
                                 hiss_error *err)
{
    hs_expression *e = hs_alloc_array(1, sizeof *e);
    struct parser p = {
        .e = e, .text = text, .at = text, .dim = dim, .err = err};

    *out = NULL;
    if (!e)
        return hs_fail_memory(err);
    e->root = compare(&p);
    skip(&p);
    if (p.status == HISS_OK && *p.at)
        fault(&p, "the expression should end here");
    if (p.status == HISS_OK && e->node[e->root].size != 1)
        fault(&p, "a list, not a number: reduce it with mean(...) or sum(...)");
    if (p.status != HISS_OK) {
        hs_expression_destroy(e);
        return p.status;
    }
    *out = e;
    return HISS_OK;
}

void hs_expression_destroy(hs_expression *e)
{
    for (int n = 0; e && n < e->nodes; n++)
        if (e->node[n].op != OP_SLICE)
            hs_free(e->node[n].value);
    hs_free(e);
}

static double apply(op o, double a, double b)
{
    switch (o) {
    case OP_NEGATE:
        return -a;
    case OP_ADD:
        return a + b;
    case OP_SUBTRACT:
        return a - b;
    case OP_MULTIPLY:
        return a * b;
    case OP_DIVIDE:
        return a / b;
    case OP_POWER:
        return pow(a, b);
    case OP_LESS:
        return a < b;
    case OP_AT_MOST:
        return a <= b;
    case OP_EQUAL:
        return a == b;
    case OP_DIFFERENT:
        return a != b;
    case OP_ABS:
        return fabs(a);
    case OP_SQRT:
        return sqrt(a);
    case OP_EXP:
        return exp(a);
    case OP_LOG:
        return log(a);
    default:
        return a;
    }
}

static double reduce(op o, const double *v, int size)
{
    double result = o == OP_MIN || o == OP_MAX ? v[0] : 0.0;

    for (int i = 0; i < size; i++)
        if (o == OP_MIN)
            result = v[i] < result ? v[i] : result;
        else if (o == OP_MAX)
            result = v[i] > result ? v[i] : result;
        else
            result += v[i];
    return o == OP_MEAN ? result / size : result;
}

unsigned hs_expression_names(const hs_expression *e)
{
    return e->names;
}

bool hs_expression_reads_values(const hs_expression *e)
{
    for (int n = 0; n < e->nodes; n++)
        if (e->node[n].op == OP_SLICE)
            return true;
    return false;
}

double hs_expression_value(hs_expression *e, const double *x, double lp,
                           const double *named_values)
{
    const double *entry[NODES_MAX];

    for (int n = 0; n < e->nodes; n++) {
        struct node *k = &e->node[n];

        entry[n] = k->value;
        if (k->op == OP_SLICE) {
            entry[n] = x + k->first;
        } else if (k->op == OP_NAMED) {
            k->value[0] = named_values[k->first];
        } else if (k->op == OP_NUMBER || k->op == OP_LP) {
            k->value[0] = k->op == OP_LP ? lp : k->number;
        } else if (is_reduction(k->op)) {
            k->value[0] = reduce(k->op, entry[k->left], e->node[k->left].size);
        } else {
            const double *a = entry[k->left];
            const double *b = k->right < 0 ? a : entry[k->right];
            int da = e->node[k->left].size > 1;
            int db = k->right < 0 ? da : e->node[k->right].size > 1;

            for (int i = 0; i < k->size; i++)
                k->value[i] = apply(k->op, a[i * da], b[i * db]);
        }
    }
    return entry[e->root][0];
}
