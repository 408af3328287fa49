/* collection.c - samplers of the literature as matrices. */
#include "conformance/support/collection.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

double balance_sqrt(double t)
{
    return sqrt(t);
}

double balance_barker(double t)
{
    return t / (1.0 + t);
}

double balance_min(double t)
{
    return t < 1.0 ? t : 1.0;
}

double balance_max(double t)
{
    return t > 1.0 ? t : 1.0;
}

/* What is accepted of a proposal from x to y, made with probability `to` and
 * unmade with `back`. */
static double accepted(const space *s, collection_fault fault, int x, int y,
                       double to, double back)
{
    double ratio = exp(s->u[y] - s->u[x]);

    if (fault == WRONG_SIGN)
        ratio = 1.0 / ratio;
    if (fault != NO_REVERSE)
        ratio *= back / to;
    return to * (ratio < 1.0 ? ratio : 1.0);
}

static double weight(const space *s, const collection_walk *w, int x, int i,
                     int v)
{
    double z = w->is_exact ? s->u[space_changed(s, x, i, v)] - s->u[x]
                           : space_gain(s, x, i, v);

    return w->balance(exp(z));
}

static double total(const space *s, const collection_walk *w, int x)
{
    double sum = 0.0;

    for (int i = 0; i < s->dim; i++)
        for (int v = 0; v < s->states[i]; v++)
            if (v != space_index(s, x, i))
                sum += weight(s, w, x, i, v);
    return sum;
}

/* A way from its first state, so far. */
struct way {
    int first, now, left; /* changes to come */
    double to, back;
};

struct walk {
    const space *s;
    const collection_walk *rule;
    collection_fault fault;
    double z[SPACE_STATES];
    double *row; /* of the matrix, from the first state */
    double share;
};

static void go_on(const struct walk *w, struct way way)
{
    const space *s = w->s;

    if (way.left == 0) {
        w->row[way.now] += w->share * accepted(s, w->fault, way.first, way.now,
                                               way.to, way.back);
        return;
    }
    for (int i = 0; i < s->dim; i++) {
        int at = space_index(s, way.now, i);

        for (int v = 0; v < s->states[i]; v++) {
            struct way next = way;

            if (v == at)
                continue;
            next.now = space_changed(s, way.now, i, v);
            next.left--;
            next.to *= weight(s, w->rule, way.now, i, v) / w->z[way.now];
            next.back *= weight(s, w->rule, next.now, i, at) /
                         w->z[w->fault == ITS_OWN ? way.now : next.now];
            go_on(w, next);
        }
    }
}

/* What is not accepted stays. */
static void fill_up(int n, matrix p)
{
    for (int x = 0; x < n; x++) {
        double sum = 0.0;

        for (int y = 0; y < n; y++)
            sum += p[x][y];
        p[x][x] += 1.0 - sum;
    }
}

static int longest_of(const collection_walk *rule)
{
    return 2 * rule->length - 1;
}

/* All lengths are as likely. */
static struct walk begin_walk(const space *s, const collection_walk *rule,
                              collection_fault fault)
{
    struct walk w = {.s = s, .rule = rule, .fault = fault};

    w.share = 1.0 / longest_of(rule);
    for (int x = 0; x < s->n; x++)
        w.z[x] = total(s, rule, x);
    return w;
}

void matrix_path(const space *s, const collection_walk *rule,
                 collection_fault fault, matrix p)
{
    struct walk w = begin_walk(s, rule, fault);
    int longest = longest_of(rule);

    memset(p, 0, sizeof(matrix));
    for (int x = 0; x < s->n; x++) {
        w.row = p[x];
        for (int r = 1; r <= longest; r++)
            go_on(&w, (struct way){
                          .first = x, .now = x, .left = r, .to = 1, .back = 1});
    }
    fill_up(s->n, p);
}

/* Changes of a way, in order. */
struct trail {
    int count;
    int site[SPACE_DIM], from[SPACE_DIM], to[SPACE_DIM];
};

/* Probability to draw these changes by the weights at x, the first one first
 * or the last one first; each once, or with replacement. */
static double drawn(const struct walk *w, int x, const struct trail *t,
                    bool is_reversed, bool is_once)
{
    const space *s = w->s;
    double rest = w->z[x], p = 1.0;

    for (int k = 0; k < t->count; k++) {
        int r = is_reversed ? t->count - 1 - k : k, i = t->site[r];
        int at = space_index(s, x, i);

        p *= weight(s, w->rule, x, i, t->from[r] == at ? t->to[r] : t->from[r]);
        p /= rest;
        for (int v = 0; is_once && v < s->states[i]; v++)
            if (v != at)
                rest -= weight(s, w->rule, x, i, v);
    }
    return p;
}

static void lay_out(const struct walk *w, int first, int now, int left,
                    struct trail t)
{
    const space *s = w->s;

    if (left == 0) {
        double to = drawn(w, first, &t, false, true);
        double back = drawn(w, now, &t, true, w->fault != ITS_OWN);

        w->row[now] += w->share * accepted(s, w->fault, first, now, to, back);
        return;
    }
    for (int i = 0; i < s->dim; i++) {
        int at = space_index(s, first, i);
        bool is_used = false;

        for (int r = 0; r < t.count; r++)
            is_used = is_used || t.site[r] == i;
        for (int v = 0; !is_used && v < s->states[i]; v++) {
            struct trail next = t;

            if (v == at)
                continue;
            next.site[t.count] = i;
            next.from[t.count] = at;
            next.to[t.count] = v;
            next.count++;
            lay_out(w, first, space_changed(s, now, i, v), left - 1, next);
        }
    }
}

void matrix_ends(const space *s, const collection_walk *rule,
                 collection_fault fault, matrix p)
{
    struct walk w = begin_walk(s, rule, fault);
    int longest = longest_of(rule);

    memset(p, 0, sizeof(matrix));
    for (int x = 0; x < s->n; x++) {
        w.row = p[x];
        for (int r = 1; r <= longest; r++)
            lay_out(&w, x, x, r < s->dim ? r : s->dim,
                    (struct trail){.count = 0});
    }
    fill_up(s->n, p);
}

/* q(x_i -> v) of every coordinate for itself. */
typedef double jump_table[SPACE_STATES][SPACE_DIM][SPACE_VALUES];

static void fill_jumps(const space *s, const collection_rates *r, double time,
                       jump_table q)
{
    for (int x = 0; x < s->n; x++)
        for (int i = 0; i < s->dim; i++) {
            int at = space_index(s, x, i);
            double sum = 0.0, stay = 1.0;

            for (int v = 0; v < s->states[i]; v++)
                sum += exp(space_gain(s, x, i, v));
            for (int v = 0; v < s->states[i]; v++) {
                double t = exp(space_gain(s, x, i, v)), nu = t / sum;
                double rate = time * r->balance(t);

                q[x][i][v] =
                    r->is_euler ? fmin(nu, rate) : nu * (1.0 - exp(-rate / nu));
                stay -= v == at ? 0.0 : q[x][i][v];
            }
            q[x][i][at] = stay;
        }
}

static double jumped(const space *s, jump_table q, int x, int y)
{
    double all = 1.0;

    for (int i = s->dim - 1, rest = y; i >= 0; i--) {
        all *= q[x][i][rest % s->states[i]];
        rest /= s->states[i];
    }
    return all;
}

void matrix_rates(const space *s, const collection_rates *r,
                  collection_fault fault, matrix p)
{
    static jump_table to, back;

    memset(p, 0, sizeof(matrix));
    fill_jumps(s, r, r->time, to);
    fill_jumps(s, r, fault == ITS_OWN ? 0.5 * r->time : r->time, back);
    for (int x = 0; x < s->n; x++)
        for (int y = 0; y < s->n; y++)
            if (x != y)
                p[x][y] = accepted(s, fault, x, y, jumped(s, to, x, y),
                                   jumped(s, back, y, x));
    fill_up(s->n, p);
}

/* Coordinates of the block from `first` on in which x and y differ; -1: others
 * do. */
static int apart(const space *s, const collection_ball *b, int first, int x,
                 int y)
{
    int count = 0;

    for (int i = s->dim - 1; i >= 0; i--) {
        if (x % s->states[i] != y % s->states[i]) {
            if ((i - first + s->dim) % s->dim >= b->block)
                return -1;
            count++;
        }
        x /= s->states[i];
        y /= s->states[i];
    }
    return count;
}

/* P(u|x) at a distance in a block: uniform in a ball of so many states, or with
 * the same probability for each value of each coordinate. */
static double centre(const space *s, const collection_ball *b, int distance,
                     double count, collection_fault fault)
{
    int size = b->block < s->dim ? b->block : s->dim;
    double some = b->radius / (size + 1.0) / (SPACE_VALUES - 1);

    if (fault == NO_REVERSE)
        return distance == 0;
    if (fault != ITS_OWN)
        return distance <= b->radius ? 1.0 / count : 0.0;
    return pow(some, distance) * pow(1.0 - some, size - distance);
}

/* Blocks from one coordinate on. */
static void add_blocks(const space *s, const collection_ball *b, int first,
                       collection_fault fault, matrix p)
{
    static int8_t distance[SPACE_STATES][SPACE_STATES];
    static double law[SPACE_STATES];
    double count = 0.0;

    for (int x = 0; x < s->n; x++)
        for (int y = 0; y < s->n; y++)
            distance[x][y] = (int8_t)apart(s, b, first, x, y);
    for (int y = 0; y < s->n; y++)
        count += distance[0][y] >= 0 && distance[0][y] <= b->radius;
    for (int u = 0; u < s->n; u++) {
        double sum = 0.0;

        for (int y = 0; y < s->n; y++) {
            int d = distance[u][y];

            law[y] = exp(fault == WRONG_SIGN ? -s->u[y] : s->u[y]);
            sum += law[y] *= d >= 0 && d <= b->radius;
        }
        for (int x = 0; x < s->n; x++)
            for (int y = 0; distance[x][u] >= 0 && y < s->n; y++)
                p[x][y] += centre(s, b, distance[x][u], count, fault) / s->dim *
                           law[y] / sum;
    }
}

/* The law of u may miss some of 1 with its own fault: then x stays. */
void matrix_ball(const space *s, const collection_ball *b,
                 collection_fault fault, matrix p)
{
    memset(p, 0, sizeof(matrix));
    for (int first = 0; first < s->dim; first++)
        add_blocks(s, b, first, fault, p);
    fill_up(s->n, p);
}

/* --- a kernel that moves by a matrix -------------------------------------- */

const double (*collection_table)[SPACE_STATES];

struct tabled {
    hs_point y; /* owned */
};

static hiss_status tabled_setup(hs_kernel *k, const hs_model *m,
                                hiss_error *err)
{
    struct tabled *s = k->state;

    return hs_point_init(&s->y, m, err);
}

static void tabled_clear(hs_kernel *k)
{
    struct tabled *s = k->state;

    hs_point_clear(&s->y);
}

static void tabled_move(const struct tabled *s, const hs_domain *d,
                        const hs_tile *x, int l)
{
    double left =
        hs_uniform(hs_rng_word(x->rng.seed, x->rng.chain[l], x->rng.replica[l],
                               x->rng.clock, HS_DRAW_PROPOSE, 0));
    int from = 0, to = 0, last = (int)hs_domain_size(d) - 1;

    for (int i = 0; i < d->dim; i++)
        from = from * d->states[i] + x->at.x[i][l];
    while (to < last && left >= collection_table[from][to])
        left -= collection_table[from][to++];
    for (int i = d->dim - 1; i >= 0; i--) {
        s->y.x[i][l] = (int16_t)(to % d->states[i]);
        to /= d->states[i];
    }
}

static hiss_status tabled_step(hs_kernel *k, const hs_model *m,
                               const hs_tilt *t, hs_tile *x)
{
    struct tabled *s = k->state;
    int32_t accept[HS_LANES];

    (void)t;
    hs_tile_tick(x);
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    for (int l = 0; l < HS_LANES; l++) {
        tabled_move(s, &m->domain, x, l);
        accept[l] = 1;
    }
    s->y.have = 0;
    HS_TRY(hs_tile_evaluate(x, m, &s->y, HS_U));
    hs_tile_move(x, m, &s->y, accept);
    hs_kernel_count(k, x, accept);
    return HISS_OK;
}

static hs_traits tabled_traits(const hs_kernel *k)
{
    (void)k;
    return (hs_traits){
        .exact = true, .reversible = true, .homogeneous = true, .period = 1};
}

static const hs_option no_options[] = {{0}};

static const hs_kernel_type tabled = {
    .name = "tabled",
    .summary = "",
    .size = sizeof(struct tabled),
    .options = no_options,
    .setup = tabled_setup,
    .step = tabled_step,
    .clear = tabled_clear,
    .traits = tabled_traits,
};

const hs_kernel_type *const collection_kernels[] = {&tabled, NULL};
