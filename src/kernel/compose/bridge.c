/* bridge.c - jumps between modes that a pilot has found.
 *
 * The library (library.h) gives every mode a distribution q_k, a product or a
 * tree, and a weight w_k.  A jump draws the mode a that x belongs to from a few
 * coordinates S that distinguish the modes,
 *     P(a | x) = w_a q_aS(x) / Q_S(x),   Q_S = sum_k w_k q_kS,
 * q_kS being the product of the marginals of S in mode k; then a mode b with
 * w_b. If b is a, x stays; without that, two modes would alternate with period
 * 2, and every other draw would be in the same mode. Otherwise the jump carries
 * every coordinate over: x_i has an interval in [0, 1) that belongs to it in
 * mode a, y_i is the value that a uniform position in it has in mode b.  The
 * chance T_ab(x -> y) of that is the length that the two intervals have in
 * common, relative to p_ai(x_i), in every coordinate, so that
 *     q_a(x) T_ab(x -> y) = q_b(y) T_ba(y -> x),
 * and detailed balance along (a, b) and back along (b, a) asks for
 *     min(1, p(y) P(b | y) w_a T_ba / (p(x) P(a | x) w_b T_ab))
 *   = min(1, p(y) q_a(x) P(b | y) w_a / (p(x) q_b(y) P(a | x) w_b))
 *   = min(1, p(y) r_a(x) Q_S(x) / (p(x) r_b(y) Q_S(y))),
 * r_k = q_k / q_kS being the part of the other coordinates.  The jump is exact
 * for any P that is both drawn from and computed, and costs O(modes |S| + dim).
 * If the modes are product distributions the ratio is nearly 1 at any
 * dimension. If they are not, but are similar, the fluctuations of x are
 * carried over.
 *
 * trees (mode_trees.h): x_i has its interval in p_ai(. | x_parent), and y_i is
 * decoded in p_bi(. | y_parent), parents first, each mode with parents of its
 * own.  The positions that give x in a and y in b have the measure
 *     q_a(x) T_ab(x -> y) = prod_i |I_ai(x) n I_bi(y)| = q_b(y) T_ba(y -> x),
 * I_ki(x) being the interval of x_i in mode k and n what two have in common, so
 * that nothing changes but q_a(x) and q_b(y).  P(a | x) is of products as
 * before.
 *
 * swap: with this probability the jump instead exchanges, in every coordinate,
 * the values that two random modes have at their tops; an involution, so that
 * p(y) / p(x) decides.  It goes beyond the library: x + b - a.
 *
 * pieces: with this probability the jump exchanges a random piece of such a
 * difference (pieces.h), the same involution on few sites.  If U is a sum of
 * tables, a step makes as many of them as cost one evaluation. All chains share
 * the choice between a jump and a step of pieces: both keep the distribution,
 * and the choice does not depend on the chains.
 *
 * A pilot learns the library (run/atlas/mode_laws.h) and attaches it. Without
 * one, or with a single mode, nothing moves. The kernel is exact for any
 * library. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "kernel/kernel.h"
#include "kernel/library.h"
#include "lanes/lanes.h"

#define MORE 3 /* further pieces exchanged with one, at most */

struct bridge {
    double swap, pieces;
    int sites;
    char *modes;
    bool learn;
    const hs_library *library; /* borrowed, or NULL */
    hs_point y;                /* owned */
    hs_float_row *log_q;       /* owned, [most modes]: ln q_kS */
    hs_float_row *term;        /* owned, [most modes]: of Q_S */
    double from[HS_LANES];     /* ln r_a(x) Q_S(x) */
    double to[HS_LANES];       /* ln r_b(y) Q_S(y) */
    int a[HS_LANES], b[HS_LANES];
    bool is_swap[HS_LANES];
};

static hiss_status bridge_setup(hs_kernel *k, const hs_model *m,
                                hiss_error *err)
{
    struct bridge *s = k->state;
    size_t most = (size_t)hs_library_most(&m->domain);

    HS_TRY(hs_point_init(&s->y, m, err));
    s->log_q = hs_alloc_array(most, sizeof *s->log_q);
    s->term = hs_alloc_array(most, sizeof *s->term);
    return s->log_q && s->term ? HISS_OK : hs_fail_memory(err);
}

static void bridge_clear(hs_kernel *k)
{
    struct bridge *s = k->state;

    hs_point_clear(&s->y);
    hs_free(s->log_q);
    hs_free(s->term);
}

static void bridge_attach(hs_kernel *k, const hs_library *library)
{
    struct bridge *s = k->state;

    s->library = library;
}

/* --- modes ---------------------------------------------------------------- */

/* Computes ln Q_S of every lane, and its terms relative to the largest q_kS. */
static void log_mixture(struct bridge *s, const hs_model *m,
                        const hs_index_row *x, double *out)
{
    const hs_library *b = s->library;
    int sites = s->sites < b->sites ? s->sites : b->sites;
    double sum[HS_LANES] = {0};
    hs_float_row max, root;

    hs_library_log_sites(b, &m->domain, x, sites, s->log_q);
    for (int l = 0; l < HS_LANES; l++)
        max[l] = s->log_q[0][l];
    for (int k = 1; k < b->modes; k++)
        for (int l = 0; l < HS_LANES; l++)
            max[l] = s->log_q[k][l] > max[l] ? s->log_q[k][l] : max[l];
    for (int k = 0; k < b->modes; k++) {
        for (int l = 0; l < HS_LANES; l++)
            s->term[k][l] = s->log_q[k][l] - max[l];
        hs_lanes()->exp(s->term[k], s->term[k]);
        for (int l = 0; l < HS_LANES; l++) {
            s->term[k][l] *= (float)b->weight[k];
            sum[l] += (double)s->term[k][l];
        }
    }
    for (int l = 0; l < HS_LANES; l++)
        root[l] = (float)sum[l];
    hs_lanes()->log(root, root);
    for (int l = 0; l < HS_LANES; l++)
        out[l] = (double)max[l] + (double)root[l];
}

/* Draws a mode with probability proportional to its term. */
static int pick(const struct bridge *s, int lane, uint32_t word)
{
    int modes = s->library->modes, at = 0;
    double all = 0.0, target;

    for (int k = 0; k < modes; k++)
        all += (double)s->term[k][lane];
    target = all * hs_uniform(word);
    for (int k = 0; k < modes; k++) {
        double own = (double)s->term[k][lane];

        if (!(own > 0.0))
            continue;
        at = k;
        if (target < own)
            break;
        target -= own;
    }
    return at;
}

/* Chooses the modes of the jump, for each lane in use. */
static void choose(struct bridge *s, const hs_model *m, const hs_tile *x)
{
    const hs_library *b = s->library;
    uint32_t words[4][HS_LANES];

    hs_lanes()->philox(&x->rng, HS_DRAW_COMPONENT, 0, 1, words);
    if (s->swap < 1.0)
        log_mixture(s, m, (const hs_index_row *)x->at.x, s->from);
    for (int l = 0; l < x->lanes; l++) {
        s->is_swap[l] = hs_uniform(words[2][l]) < s->swap;
        if (s->is_swap[l]) { /* uniform among the other modes */
            int other = hs_below(words[1][l], b->modes - 1);

            s->a[l] = hs_below(words[0][l], b->modes);
            s->b[l] = other < s->a[l] ? other : other + 1;
            continue;
        }
        s->a[l] = pick(s, l, words[0][l]);
        s->b[l] = hs_library_draw(b, hs_uniform(words[1][l]));
        s->from[l] -= (double)s->log_q[s->a[l]][l];
        s->to[l] = 0.0;
    }
}

/* --- whole states --------------------------------------------------------- */

/* Finds the new value of coordinate i in one lane; adds to ln q_a(x) and ln
 * q_b(y). */
static inline int carried(const struct bridge *s, const hs_domain *d, int i,
                          int x, int lane, double uniform, double *from,
                          double *to)
{
    const hs_library *b = s->library;
    size_t values = (size_t)b->values, first = (size_t)d->value[i];
    size_t own = (size_t)s->a[lane] * values + first + (size_t)x;
    int y = s->a[lane] == s->b[lane]
                ? x /* guards against rounding */
                : hs_library_value(b, d, s->b[lane], i,
                                   b->start[own] + uniform * b->share[own]);

    *from += (double)b->log_share[own];
    *to +=
        (double)b->log_share[(size_t)s->b[lane] * values + first + (size_t)y];
    return y;
}

static int swapped(const struct bridge *s, int i, int x, int lane)
{
    const hs_library *b = s->library;
    size_t dim = (size_t)b->dim, at = (size_t)i;

    return hs_piece_other((int16_t)x, b->top[(size_t)s->a[lane] * dim + at],
                          b->top[(size_t)s->b[lane] * dim + at]);
}

#define ROWS 64 /* random words made at a time */

/* The same for coordinates of two values, from `first` on, in one lane. */
static void carry_pairs(struct bridge *s, const hs_tile *x, int lane, int first,
                        int rows, const uint32_t (*words)[HS_LANES])
{
    const hs_library *b = s->library;
    size_t own = (size_t)s->a[lane] * (size_t)b->values;
    size_t new = (size_t)s->b[lane] * (size_t)b->values;
    double from = 0.0, to = 0.0;

    for (int n = 0; n < rows; n++) {
        size_t at = 2 * (size_t)(first + n);
        size_t was = own + at + (size_t)x->at.x[first + n][lane];
        const double *start = b->start + new + at;
        int last = start[1] > start[0], y;

        y = (b->start[was] + hs_uniform(words[n][lane]) * b->share[was] >=
             start[last]) ^
            !last;
        from += (double)b->log_share[was];
        to += (double)b->log_share[new + at + (size_t)y];
        s->y.x[first + n][lane] = (int16_t)y;
    }
    s->from[lane] += from;
    s->to[lane] += to;
}

/* All lanes; a lane that stays in its mode does not change. */
static void propose_pairs(struct bridge *s, const hs_model *m, const hs_tile *x)
{
    uint32_t words[ROWS][HS_LANES];
    int dim = m->domain.dim;

    memcpy(s->y.x, x->at.x, (size_t)dim * sizeof *s->y.x);
    for (int first = 0; first < dim; first += ROWS) {
        int rows = dim - first < ROWS ? dim - first : ROWS;

        hs_lanes()->philox(&x->rng, HS_DRAW_PROPOSE, (uint32_t)first / 4,
                           (rows + 3) / 4, words);
        for (int l = 0; l < x->lanes; l++)
            if (s->a[l] != s->b[l])
                carry_pairs(s, x, l, first, rows,
                            (const uint32_t(*)[HS_LANES])words);
    }
    s->y.have = 0;
}

static void propose(struct bridge *s, const hs_model *m, const hs_tile *x)
{
    uint32_t words[4][HS_LANES], more[4][HS_LANES];
    double from[HS_LANES] = {0}, to[HS_LANES] = {0};

    for (int i = 0; i < m->domain.dim; i++) {
        bool is_many = m->domain.states[i] > HS_FEW;

        if (i % 4 == 0)
            hs_lanes()->philox(&x->rng, HS_DRAW_PROPOSE, (uint32_t)i / 4, 1,
                               words);
        if (is_many)
            hs_lanes()->philox(&x->rng, HS_DRAW_TIE, (uint32_t)i, 1, more);
        for (int l = 0; l < x->lanes; l++) {
            uint32_t word = words[i % 4][l];
            double u =
                is_many ? hs_uniform_long(word, more[0][l]) : hs_uniform(word);

            s->y.x[i][l] =
                (int16_t)(s->is_swap[l]
                              ? swapped(s, i, x->at.x[i][l], l)
                              : carried(s, &m->domain, i, x->at.x[i][l], l, u,
                                        &from[l], &to[l]));
        }
    }
    for (int l = 0; l < HS_LANES; l++) {
        s->from[l] += from[l];
        s->to[l] += to[l];
    }
    s->y.have = 0;
}

/* The same along the tree of the lane's mode a, decoded along that of mode
 * b. */
static inline int carried_along(const struct bridge *s, const hs_domain *d,
                                int i, const hs_tile *x, int lane,
                                double uniform, double *from, double *to)
{
    const hs_mode_trees *t = s->library->trees;
    const hs_index_row *now = (const hs_index_row *)x->at.x;
    const hs_index_row *new = (const hs_index_row *)s->y.x;
    size_t own = hs_mode_trees_row_of(t, d, s->a[lane], i, now, lane) +
                 (size_t)now[i][lane];
    size_t row = hs_mode_trees_row_of(t, d, s->b[lane], i, new, lane);
    int y =
        s->a[lane] == s->b[lane]
            ? now[i][lane] /* guards against rounding */
            : hs_intervals_find(t->start + row, t->share + row, d->states[i],
                                t->start[own] + uniform * t->share[own]);

    *from += (double)t->log_share[own];
    *to += (double)t->log_share[row + (size_t)y];
    return y;
}

/* Goes through the coordinates of each lane in the order of its mode b. */
static void propose_along(struct bridge *s, const hs_model *m, const hs_tile *x)
{
    const hs_domain *d = &m->domain;
    const hs_mode_trees *t = s->library->trees;
    bool is_many = d->states_max > HS_FEW;
    uint32_t words[4][HS_LANES], more[4][HS_LANES];

    for (int n = 0; n < d->dim; n++) {
        if (n % 4 == 0)
            hs_lanes()->philox(&x->rng, HS_DRAW_PROPOSE, (uint32_t)n / 4, 1,
                               words);
        if (is_many)
            hs_lanes()->philox(&x->rng, HS_DRAW_TIE, (uint32_t)n, 1, more);
        for (int l = 0; l < x->lanes; l++) {
            uint32_t word = words[n % 4][l];
            double u =
                is_many ? hs_uniform_long(word, more[0][l]) : hs_uniform(word);
            int i = s->is_swap[l] ? n : hs_mode_trees_site(t, s->b[l], n);

            s->y.x[i][l] =
                (int16_t)(s->is_swap[l]
                              ? swapped(s, i, x->at.x[i][l], l)
                              : carried_along(s, d, i, x, l, u, &s->from[l],
                                              &s->to[l]));
        }
    }
    s->y.have = 0;
}

/* Accepts y with p(y) / p(x), and carried lanes with from / to. */
static hiss_status conclude(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                            hs_tile *x, const bool *is_swap)
{
    struct bridge *s = k->state;
    double ratio[HS_LANES];
    int32_t accept[HS_LANES];

    HS_TRY(hs_tile_evaluate(x, m, &s->y, HS_U));
    hs_tile_log_ratio(m, t, &x->at, &s->y, ratio);
    for (int l = 0; l < HS_LANES; l++)
        if (is_swap && !is_swap[l] && ratio[l] != -HUGE_VAL)
            ratio[l] += s->from[l] - s->to[l];
    hs_tile_decide(x, ratio, accept);
    hs_tile_move(x, m, &s->y, accept);
    hs_kernel_count(k, x, accept);
    return HISS_OK;
}

static hiss_status jump(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                        hs_tile *x)
{
    struct bridge *s = k->state;
    double there[HS_LANES];

    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    if (x->lanes < HS_LANES) /* the other lanes do not move */
        memcpy(s->y.x, x->at.x, (size_t)m->domain.dim * sizeof *s->y.x);
    choose(s, m, x);
    if (s->library->trees)
        propose_along(s, m, x);
    else if (s->swap == 0.0 && m->domain.value_count == 2 * m->domain.dim &&
             m->domain.states_max == 2)
        propose_pairs(s, m, x);
    else
        propose(s, m, x);
    if (s->swap < 1.0) {
        log_mixture(s, m, (const hs_index_row *)s->y.x, there);
        for (int l = 0; l < x->lanes; l++)
            s->to[l] += there[l] - (double)s->log_q[s->b[l]][l];
    }
    return conclude(k, m, t, x, s->is_swap);
}

/* --- pieces --------------------------------------------------------------- */

/* Draws a piece for every lane. */
static void draw_pieces(const hs_pieces *p, const hs_tile *x, int *piece)
{
    uint32_t words[4][HS_LANES];

    hs_lanes()->philox(&x->rng, HS_DRAW_PROPOSE, 0, 1, words);
    for (int l = 0; l < HS_LANES; l++)
        piece[l] = hs_below(words[0][l], p->count);
}

/* One evaluation can serve several pieces: one, and each of up to MORE others
 * with probability 1/2, exchanged one after the other.  The reverse is as
 * likely: the same ones in the opposite order. */
static hiss_status exchange(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                            hs_tile *x)
{
    struct bridge *s = k->state;
    const hs_pieces *p = &s->library->pieces;
    uint32_t words[4][HS_LANES], coins[4][HS_LANES];

    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    hs_lanes()->philox(&x->rng, HS_DRAW_PROPOSE, 0, 1, words);
    hs_lanes()->philox(&x->rng, HS_DRAW_BLOCK, 0, 1, coins);
    for (int i = 0; i < m->domain.dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            s->y.x[i][l] = x->at.x[i][l];
    for (int l = 0; l < HS_LANES; l++)
        for (int n = 0; n <= MORE; n++)
            if (n == 0 || coins[n][l] >> 31)
                hs_pieces_exchange(p, hs_below(words[n][l], p->count), s->y.x,
                                   l);
    s->y.have = 0;
    return conclude(k, m, t, x, NULL);
}

/* Sums phi over the sites of a piece, in one lane. */
static double phi_of(const hs_pieces *p, int piece, const hs_tilt *t,
                     const hs_domain *d, const hs_index_row *x, int lane)
{
    double sum = 0.0;

    for (int64_t n = p->at[piece]; t->phi && n < p->at[piece + 1]; n++) {
        int i = p->site[n], v = x[i][lane];

        sum += d->is_pair ? (double)t->phi[i][lane] * v
                          : (double)t->phi[d->value[i] + v][lane];
    }
    return sum;
}

/* Exchanges one component in every lane, for a model that is a sum of tables:
 * in place, and undone if it is rejected. */
static void exchange_local(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                           hs_tile *x)
{
    const hs_pieces *p = &((struct bridge *)k->state)->library->pieces;
    double ratio[HS_LANES], change[HS_LANES];
    int32_t accept[HS_LANES];
    hs_point *at = &x->at;
    int piece[HS_LANES];

    draw_pieces(p, x, piece);
    for (int l = 0; l < HS_LANES; l++) {
        const hs_index_row *now = (const hs_index_row *)at->x;
        double before, after, phi;

        ratio[l] = change[l] = 0.0;
        if (l >= x->lanes)
            continue;
        before = hs_pieces_energy(p, piece[l], now, l);
        phi = phi_of(p, piece[l], t, &m->domain, now, l);
        hs_pieces_exchange(p, piece[l], at->x, l);
        after = hs_pieces_energy(p, piece[l], now, l);
        change[l] = after - before;
        ratio[l] = after == -HUGE_VAL
                       ? -HUGE_VAL
                       : hs_tempered(t->beta[l], after) -
                             hs_tempered(t->beta[l], before) +
                             phi_of(p, piece[l], t, &m->domain, now, l) - phi;
    }
    hs_tile_decide(x, ratio, accept);
    for (int l = 0; l < x->lanes; l++) {
        if (!accept[l])
            hs_pieces_exchange(p, piece[l], at->x, l);
        else if (isfinite(change[l]))
            at->u[l] += change[l];
        else
            at->have &= ~(unsigned)HS_U;
    }
    hs_tile_count_sites(x, m, p->price);
    hs_kernel_count(k, x, accept);
}

static hiss_status exchange_pieces(hs_kernel *k, const hs_model *m,
                                   const hs_tilt *t, hs_tile *x)
{
    const hs_pieces *p = &((struct bridge *)k->state)->library->pieces;
    int n;

    if (p->count == 0)
        return HISS_OK;
    if (!p->table)
        return exchange(k, m, t, x);
    n = hs_pieces_rounds(p, m->domain.dim);
    for (int r = 0; r < n; r++) {
        if (r > 0)
            hs_tile_tick(x);
        exchange_local(k, m, t, x);
    }
    /* U is updated; a gradient or a cache is not */
    x->at.have &= m->cache_bytes ? 0u : (unsigned)HS_U;
    return HISS_OK;
}

static hiss_status bridge_step(hs_kernel *k, const hs_model *m,
                               const hs_tilt *t, hs_tile *x)
{
    struct bridge *s = k->state;

    hs_tile_tick(x);
    if (!s->library || s->library->modes < 2)
        return HISS_OK;
    if (s->pieces > 0.0 &&
        hs_uniform(hs_rng_shared(&x->rng, HS_DRAW_COMPONENT, 0)) < s->pieces)
        return exchange_pieces(k, m, t, x);
    return jump(k, m, t, x);
}

/* Number of tables that a step of pieces reads. */
static double piece_tables(const hs_pieces *p, int dim)
{
    return p->count > 0 && p->table
               ? (double)hs_pieces_rounds(p, dim) *
                     (double)p->table_at[p->count] / p->count
               : 0.0;
}

/* A jump weighs the modes at some sites, twice. */
static int bridge_work(const hs_kernel *k, const hs_model *m, hs_work *part)
{
    const struct bridge *s = k->state;
    const hs_library *b = s->library;
    int sites = b && s->sites < b->sites ? s->sites : b ? b->sites : 0;

    if (!b || b->modes < 2)
        return 0;
    part[0] = (hs_work){.variant = b->trees ? "trees" : NULL,
                        .times = 1.0 - s->pieces,
                        .amount = (double)b->modes * sites};
    part[1] = (hs_work){.variant = "components",
                        .times = s->pieces,
                        .amount = piece_tables(&b->pieces, m->domain.dim)};
    return 2;
}

static hs_traits bridge_traits(const hs_kernel *k)
{
    const struct bridge *s = k->state;

    return (hs_traits){.exact = true,
                       .reversible = true,
                       .homogeneous = true,
                       .shares = s->pieces > 0.0 && s->pieces < 1.0,
                       .period = 1};
}

static const hs_option bridge_options[] = {
    {"swap", HS_REAL, offsetof(struct bridge, swap), "0", "[0,1]",
     "probability to exchange two modes' values instead of carrying over"},
    {"components", HS_REAL, offsetof(struct bridge, pieces), "0", "[0,1]",
     "probability to exchange connected components in which two modes differ"},
    {"sites", HS_INTEGER, offsetof(struct bridge, sites), "64", "[1,64]",
     "coordinates that say which mode a state is in, at most"},
    {"modes", HS_FILE, offsetof(struct bridge, modes), "", NULL,
     "file with a state of each mode per line; without it a pilot finds them"},
    {"learn", HS_BOOL, offsetof(struct bridge, learn), "yes", NULL,
     "no: the states of the file are taken as they are"},
    {0},
};

const hs_kernel_type hs_kernel_bridge = {
    .name = "bridge",
    .summary = "jumps between modes that a pilot has found",
    .size = sizeof(struct bridge),
    .options = bridge_options,
    .setup = bridge_setup,
    .step = bridge_step,
    .clear = bridge_clear,
    .traits = bridge_traits,
    .attach = bridge_attach,
    .work = bridge_work,
};
