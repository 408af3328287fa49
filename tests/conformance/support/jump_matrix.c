/* jump_matrix.c - transition matrices of cluster and bridge. */
#include "conformance/support/jump_matrix.h"

#include <math.h>
#include <string.h>

static int number(const space *s, const int *x)
{
    int n = 0;

    for (int i = 0; i < s->dim; i++)
        n = n * s->states[i] + x[i];
    return n;
}

static void read_state(const space *s, int n, int *x)
{
    for (int i = 0; i < s->dim; i++)
        x[i] = space_index(s, n, i);
}

/* --- clusters ------------------------------------------------------------ */

struct clustering {
    const space *s;
    const bond *bonds;
    int count;
    double (*field)[SPACE_VALUES];
    bool is_one;
};

static int mirror(int c, int states, int r)
{
    return ((states == 2 ? 1 : r) - c + states) % states;
}

/* Labels of the clusters that these open bonds make; returns their number. */
static int clusters(const struct clustering *c, unsigned open, int *label)
{
    int map[SPACE_DIM], used = 0;

    for (int i = 0; i < c->s->dim; i++)
        label[i] = i;
    for (int round = 0; round < c->s->dim; round++)
        for (int e = 0; e < c->count; e++)
            if (open >> e & 1u) {
                int *a = &label[c->bonds[e].i], *b = &label[c->bonds[e].j];

                *a = *b = *a < *b ? *a : *b;
            }
    for (int i = 0; i < c->s->dim; i++)
        map[i] = label[i] == i ? used++ : -1;
    for (int i = 0; i < c->s->dim; i++)
        label[i] = map[label[i]];
    return used;
}

static double gain_of(const struct clustering *c, const int *x, int r,
                      const int *label, int which)
{
    double sum = 0.0;

    for (int i = 0; i < c->s->dim; i++)
        if (label[i] == which)
            sum += c->field[i][mirror(x[i], c->s->states[i], r)] -
                   c->field[i][x[i]];
    return sum;
}

/* Adds the ways out of x over these bonds. */
static void turn(const struct clustering *c, const int *x, int r, unsigned open,
                 double chance, double *row)
{
    int label[SPACE_DIM] = {0}, y[SPACE_DIM], dim = c->s->dim;
    int used = clusters(c, open, label);

    for (unsigned set = 0; set < 1u << used; set++) {
        double way = 0.0;
        bool is_single = set && !(set & (set - 1u));
        int sites = 0;

        for (int i = 0; i < dim; i++)
            sites += (int)(set >> label[i] & 1u);
        if (!c->is_one) {
            way = 1.0;
            for (int k = 0; k < used; k++) {
                double d = gain_of(c, x, r, label, k);
                double up = 1.0 / (1.0 + exp(-d));

                way *= set >> k & 1u ? up : 1.0 - up;
            }
        } else if (is_single) {
            int k = 0;

            while (!(set >> k & 1u))
                k++;
            way = (double)sites / dim *
                  fmin(1.0, exp(gain_of(c, x, r, label, k)));
        }
        for (int i = 0; i < dim; i++)
            y[i] =
                set >> label[i] & 1u ? mirror(x[i], c->s->states[i], r) : x[i];
        row[number(c->s, y)] += chance * way;
    }
}

static void cluster_row(const struct clustering *c, int from, double *row)
{
    int x[SPACE_DIM], turns = c->s->states[0] == 2 ? 1 : c->s->states[0];
    double all = 0.0;

    read_state(c->s, from, x);
    for (int r = 0; r < turns; r++)
        for (unsigned open = 0; open < 1u << c->count; open++) {
            double chance = 1.0 / turns;

            for (int e = 0; e < c->count; e++) {
                const bond *b = &c->bonds[e];
                int other = mirror(x[b->i], c->s->states[b->i], r);
                bool wants = other != x[b->i] &&
                             x[b->j] == (b->w > 0.0 ? x[b->i] : other);
                double p = wants ? 1.0 - exp(-fabs(b->w)) : 0.0;

                chance *= open >> e & 1u ? p : 1.0 - p;
            }
            if (chance > 0.0)
                turn(c, x, r, open, chance, row);
        }
    for (int y = 0; y < c->s->n; y++)
        all += row[y];
    row[from] += 1.0 - all; /* of one cluster that did not turn */
}

void matrix_cluster(const space *s, const bond *bonds, int count,
                    double field[SPACE_DIM][SPACE_VALUES], bool is_one,
                    matrix p)
{
    struct clustering c = {s, bonds, count, field, is_one};

    memset(p, 0, sizeof(matrix));
    for (int x = 0; x < s->n; x++)
        cluster_row(&c, x, p[x]);
}

/* --- bridges ------------------------------------------------------------- */

struct bridging {
    const space *s;
    int modes;
    double share[8][SPACE_DIM][SPACE_VALUES];
    double start[8][SPACE_DIM][SPACE_VALUES];
    int sites, site[SPACE_DIM]; /* that say which mode a state is in */
};

static void arrange(struct bridging *b, int k, int i, int top, bool ordered)
{
    int states = b->s->states[i];
    double at = 0.0;

    for (int v = 0; v < states; v++)
        b->share[k][i][v] = ((v == top ? 10.0 : 0.0) + 1.0 / states) / 11.0;
    for (int n = 0; n < states; n++) { /* the top first, or all in order */
        int v = ordered ? n : n == 0 ? top : n <= top ? n - 1 : n;

        b->start[k][i][v] = at;
        at += b->share[k][i][v];
    }
}

/* q_k over the coordinates that say which mode it is. */
static double part(const struct bridging *b, int k, const int *x)
{
    double q = 1.0;

    for (int n = 0; n < b->sites; n++)
        q *= b->share[k][b->site[n]][x[b->site[n]]];
    return q;
}

/* Chance that x is taken for one of mode k; weights are equal. */
static double belongs(const struct bridging *b, int k, const int *x)
{
    double sum = 0.0;

    for (int o = 0; o < b->modes; o++)
        sum += part(b, o, x);
    return part(b, k, x) / sum;
}

static double alike(const struct bridging *b, int one, int two, int i)
{
    double sum = 0.0;

    for (int v = 0; v < b->s->states[i]; v++)
        sum += sqrt(b->share[one][i][v] * b->share[two][i][v]);
    return sum;
}

/* Modes in turn: the coordinate that tells each best from the mode that is
 * nearest to it by those that were taken before. */
static void take_sites(struct bridging *b, int most)
{
    bool is_taken[SPACE_DIM] = {false};

    for (b->sites = 0; b->sites < most && b->sites < b->s->dim; b->sites++) {
        int mode = b->sites % b->modes, near = -1, best = -1;
        double nearest = -1.0;

        for (int k = 0; k < b->modes; k++) {
            double all = 1.0;

            for (int n = 0; n < b->sites; n++)
                all *= alike(b, mode, k, b->site[n]);
            if (k != mode && all > nearest) {
                nearest = all;
                near = k;
            }
        }
        for (int i = 0; i < b->s->dim; i++)
            if (!is_taken[i] && (best < 0 || alike(b, mode, near, i) <
                                                 alike(b, mode, near, best)))
                best = i;
        is_taken[best] = true;
        b->site[b->sites] = best;
    }
}

/* Chance that x is carried to y from mode a to mode c. */
static double carried(const struct bridging *b, int a, int c, const int *x,
                      const int *y)
{
    double chance = 1.0;

    for (int i = 0; i < b->s->dim; i++) {
        double low = fmax(b->start[a][i][x[i]], b->start[c][i][y[i]]);
        double high = fmin(b->start[a][i][x[i]] + b->share[a][i][x[i]],
                           b->start[c][i][y[i]] + b->share[c][i][y[i]]);

        chance *= fmax(0.0, high - low) / b->share[a][i][x[i]];
    }
    return chance;
}

static double jump(const struct bridging *b, int from, int to, const int *x,
                   const int *y)
{
    double sum = 0.0, rate = exp(b->s->u[to] - b->s->u[from]);

    for (int a = 0; a < b->modes; a++)
        for (int c = 0; c < b->modes; c++) {
            double there = belongs(b, a, x) * carried(b, a, c, x, y);
            double back = belongs(b, c, y) * carried(b, c, a, y, x);

            if (a != c && there > 0.0)
                sum += fmin(there, rate * back) / b->modes;
        }
    return sum;
}

static double exchange(const struct bridging *b, int mode[][SPACE_DIM],
                       int from, int to, const int *x, const int *y)
{
    double sum = 0.0;

    for (int a = 0; a < b->modes; a++)
        for (int c = 0; c < b->modes; c++) {
            bool is_it = a != c;

            for (int i = 0; i < b->s->dim; i++) {
                int p = mode[a][i], q = mode[c][i];
                int want = x[i] == p ? q : x[i] == q ? p : x[i];

                is_it = is_it && y[i] == want;
            }
            sum += is_it;
        }
    return sum / (b->modes * (b->modes - 1.0)) *
           fmin(1.0, exp(b->s->u[to] - b->s->u[from]));
}

void matrix_bridge(const space *s, int mode[][SPACE_DIM], int modes,
                   const bool *ordered, double swap, int sites, matrix p)
{
    struct bridging b = {.s = s, .modes = modes};

    for (int k = 0; k < modes; k++)
        for (int i = 0; i < s->dim; i++)
            arrange(&b, k, i, mode[k][i], ordered[i]);
    take_sites(&b, sites);
    memset(p, 0, sizeof(matrix));
    for (int from = 0; from < s->n; from++) {
        int x[SPACE_DIM], y[SPACE_DIM];
        double all = 0.0;

        read_state(s, from, x);
        for (int to = 0; to < s->n; to++) {
            if (to == from || s->u[from] == -HUGE_VAL || s->u[to] == -HUGE_VAL)
                continue;
            read_state(s, to, y);
            p[from][to] = (1.0 - swap) * jump(&b, from, to, x, y) +
                          swap * exchange(&b, mode, from, to, x, y);
            all += p[from][to];
        }
        p[from][from] = 1.0 - all;
    }
}

/* --- pieces -------------------------------------------------------------- */

#define PIECES 64

/* Values that are exchanged, -1: not in the piece. */
struct piece {
    int low[SPACE_DIM], high[SPACE_DIM];
};

struct cutting {
    const space *s;
    int (*mode)[SPACE_DIM];
    int modes;
    struct piece piece[PIECES];
    int count;
};

/* The piece of these sites between two modes, if it is new and no single. */
static void add_piece(struct cutting *c, int a, int b, const bool *is_in)
{
    struct piece new;
    int sites = 0;
    bool is_old = false;

    memset(&new, -1, sizeof new);
    for (int i = 0; i < c->s->dim; i++) {
        int p = c->mode[a][i], q = c->mode[b][i];

        if (is_in[i] && p != q) {
            new.low[i] = p < q ? p : q;
            new.high[i] = p < q ? q : p;
            sites++;
        }
    }
    for (int n = 0; n < c->count; n++)
        is_old = is_old || !memcmp(&c->piece[n], &new, sizeof new);
    if (sites > 1 && !is_old)
        c->piece[c->count++] = new;
}

/* Columns that divide the modes in the same way. */
static bool divide_alike(const struct cutting *c, int i, int j)
{
    for (int a = 0; a < c->modes; a++)
        for (int b = 0; b < a; b++)
            if ((c->mode[a][i] == c->mode[b][i]) !=
                (c->mode[a][j] == c->mode[b][j]))
                return false;
    return true;
}

static void cut_pair(struct cutting *c, int a, int b,
                     bool joined[SPACE_DIM][SPACE_DIM])
{
    for (int first = 0; first < c->s->dim; first++) {
        bool is_in[SPACE_DIM] = {false};

        for (int j = 0; j < c->s->dim; j++)
            is_in[j] = divide_alike(c, first, j);
        add_piece(c, a, b, is_in);
        memset(is_in, 0, sizeof is_in);
        is_in[first] = c->mode[a][first] != c->mode[b][first];
        for (int round = 0; round < c->s->dim; round++)
            for (int i = 0; i < c->s->dim; i++)
                for (int j = 0; j < c->s->dim; j++)
                    if (is_in[i] && joined[i][j] &&
                        c->mode[a][j] != c->mode[b][j])
                        is_in[j] = true;
        add_piece(c, a, b, is_in);
    }
}

/* The whole difference to the nearest mode that differs in two or more. */
static void cut_nearest(struct cutting *c, int a)
{
    bool all[SPACE_DIM];
    int nearest = -1, least = SPACE_DIM + 1;

    for (int i = 0; i < SPACE_DIM; i++)
        all[i] = true;
    for (int b = 0; b < c->modes; b++) {
        int differ = 0;

        for (int i = 0; i < c->s->dim; i++)
            differ += c->mode[a][i] != c->mode[b][i];
        if (differ > 1 && differ < least) {
            least = differ;
            nearest = b;
        }
    }
    if (nearest >= 0)
        add_piece(c, a, nearest, all);
}

/* Where pieces lead, each as likely as the others. */
static void exchange_row(const struct cutting *c, int from, double *row)
{
    const space *s = c->s;
    int x[SPACE_DIM];

    read_state(s, from, x);
    for (int n = 0; n < c->count; n++) {
        int y[SPACE_DIM];

        for (int i = 0; i < s->dim; i++)
            y[i] = x[i] == c->piece[n].low[i]    ? c->piece[n].high[i]
                   : x[i] == c->piece[n].high[i] ? c->piece[n].low[i]
                                                 : x[i];
        row[number(s, y)] += 1.0 / c->count;
    }
}

/* One piece, and k of three others with probability (3 over k) / 8. */
static void propose_several(const space *s, matrix one, matrix out)
{
    static const double share[] = {1.0 / 8, 3.0 / 8, 3.0 / 8, 1.0 / 8};
    static matrix power, more;

    memcpy(power, one, sizeof power);
    memset(out, 0, sizeof(matrix));
    for (int k = 0; k < 4; k++) {
        for (int x = 0; x < s->n; x++)
            for (int y = 0; y < s->n; y++)
                out[x][y] += share[k] * power[x][y];
        matrix_multiply(s->n, power, one, more);
        memcpy(power, more, sizeof power);
    }
}

/* Metropolis' decision on symmetric proposals. */
static void accept(const space *s, matrix proposal, matrix out)
{
    memset(out, 0, sizeof(matrix));
    for (int x = 0; x < s->n; x++) {
        out[x][x] = 1.0;
        for (int y = 0; y < s->n; y++) {
            double way = proposal[x][y];

            if (x == y || s->u[x] == -HUGE_VAL || s->u[y] == -HUGE_VAL)
                continue;
            way *= fmin(1.0, exp(s->u[y] - s->u[x]));
            out[x][y] += way;
            out[x][x] -= way;
        }
    }
}

int matrix_pieces(const space *s, int mode[][SPACE_DIM], int modes,
                  bool joined[SPACE_DIM][SPACE_DIM], int rounds, matrix p)
{
    static struct cutting c;
    static matrix step, one, more;

    c = (struct cutting){.s = s, .mode = mode, .modes = modes};
    for (int a = 0; a < modes; a++)
        for (int b = 0; b < a; b++)
            cut_pair(&c, a, b, joined);
    for (int a = 0, found = c.count; found == 0 && a < modes; a++)
        cut_nearest(&c, a);
    memset(step, 0, sizeof step);
    for (int from = 0; from < s->n && c.count > 0; from++)
        exchange_row(&c, from, step[from]);
    if (rounds == 0) {
        propose_several(s, step, more);
        accept(s, more, p);
        return c.count;
    }
    accept(s, step, one);
    memcpy(p, one, sizeof(matrix));
    for (int r = 1; r < rounds; r++) {
        matrix_multiply(s->n, p, one, more);
        memcpy(p, more, sizeof(matrix));
    }
    return c.count;
}
