/* sweep.c - transition matrices of one sweep, by quadrature. */
#include "paper/experiments/sweep.h"

#include <math.h>
#include <string.h>

#include "paper/experiments/bridge.h"

static const double REACH = 30; /* scales; e^-30 is 9e-14 */

enum {
    LAGS = 2000 /* autocovariances: the chains here forget in tens of sweeps */
};

static int bit(const paper_target *target, int state, int i)
{
    return state >> (target->dim - 1 - i) & 1;
}

static void normalize(paper_target *target)
{
    double sum = 0;

    for (int s = 0; s < target->states; s++)
        sum += target->law[s] = exp(target->u[s]);
    for (int s = 0; s < target->states; s++)
        target->law[s] /= sum;
}

void paper_target_table(paper_target *target, int dim, const double *law)
{
    *target = (paper_target){.dim = dim, .states = 1 << dim};
    for (int s = 0; s < target->states; s++)
        target->u[s] = log(law[s]);
    for (int s = 0; s < target->states; s++)
        for (int i = 0; i < dim; i++) {
            int mask = 1 << (dim - 1 - i);

            target->gradient[s][i] = target->u[s | mask] - target->u[s & ~mask];
        }
    normalize(target);
}

void paper_target_quadratic(paper_target *target, int dim, const double *a,
                            const double *b)
{
    *target = (paper_target){.dim = dim, .states = 1 << dim};
    for (int s = 0; s < target->states; s++)
        for (int i = 0; i < dim; i++) {
            double slope = 0;

            for (int j = 0; j < dim; j++)
                slope -= a[i * dim + j] * (bit(target, s, j) - b[j]);
            target->gradient[s][i] = slope;
            target->u[s] += slope * (bit(target, s, i) - b[i]) / 2;
        }
    normalize(target);
}

/* -2 ln cosh((a - x) / 2 eta) = ln k + ln 4 eta, at node a of one coordinate */
struct node {
    double tilt[2];    /* tilt of x = 0 and x = 1 */
    double slope[2];   /* tanh((a - x) / 2 eta) / eta */
    double density[2]; /* k(a|x) times the weight of the node */
    double denoise[2];
};

static void node_at(const paper_sweep *s, double a, struct node *n)
{
    double sum;

    for (int x = 0; x < 2; x++) {
        double k = paper_bridge_density(PAPER_LOGISTIC, a - x, s->eta);

        n->density[x] = k * s->step * s->eta;
        n->tilt[x] = log(4 * s->eta * k);
        n->slope[x] = tanh((a - x) / (2 * s->eta)) / s->eta;
    }
    sum = n->density[0] + n->density[1];
    n->denoise[0] = n->density[0] / sum;
    n->denoise[1] = n->density[1] / sum;
}

/* The diagonal takes what is left of every row. */
static void close_rows(int states, paper_matrix m)
{
    for (int x = 0; x < states; x++) {
        double sum = 0;

        for (int y = 0; y < states; y++)
            sum += y == x ? 0 : m[x][y];
        m[x][x] = 1 - sum;
    }
}

static void jump_matrix(const paper_target *t, const struct node *const *nodes,
                        paper_matrix out)
{
    for (int y = 0; y < t->states; y++) {
        double q = 1;

        for (int i = 0; i < t->dim; i++)
            q *= nodes[i]->denoise[bit(t, y, i)];
        for (int x = 0; x < t->states; x++)
            out[x][y] = q * fmin(1, t->law[y] / t->law[x]);
    }
    close_rows(t->states, out);
}

/* log q(y|x) of the Langevin proposal, all pairs. */
static void propose(const paper_target *t, const paper_sweep *s,
                    const struct node *const *nodes, paper_matrix log_q)
{
    for (int x = 0; x < t->states; x++) {
        double flip[PAPER_SWEEP_DIM], keep[PAPER_SWEEP_DIM];

        for (int i = 0; i < t->dim; i++) {
            int v = bit(t, x, i);
            double g = t->gradient[x][i] + nodes[i]->slope[v];
            double logit = g * (1 - 2 * v) / 2 - 1 / (2 * s->alpha);

            flip[i] = -log1p(exp(-logit));
            keep[i] = -log1p(exp(logit));
        }
        for (int y = 0; y < t->states; y++) {
            log_q[x][y] = 0;
            for (int i = 0; i < t->dim; i++)
                log_q[x][y] += bit(t, x, i) != bit(t, y, i) ? flip[i] : keep[i];
        }
    }
}

static void refine_matrix(const paper_target *t, const paper_sweep *s,
                          const struct node *const *nodes, paper_matrix out)
{
    paper_matrix log_q;
    double tilted[PAPER_SWEEP_STATES];

    propose(t, s, nodes, log_q);
    for (int x = 0; x < t->states; x++) {
        tilted[x] = t->u[x];
        for (int i = 0; i < t->dim; i++)
            tilted[x] += nodes[i]->tilt[bit(t, x, i)];
    }
    for (int x = 0; x < t->states; x++)
        for (int y = 0; y < t->states; y++)
            out[x][y] =
                exp(fmin(log_q[x][y], tilted[y] - tilted[x] + log_q[y][x]));
    close_rows(t->states, out);
}

static void multiply(int states, const paper_matrix a, const paper_matrix b,
                     paper_matrix out)
{
    paper_matrix c = {{0}};

    for (int x = 0; x < states; x++)
        for (int z = 0; z < states; z++)
            for (int y = 0; y < states; y++)
                c[x][y] += a[x][z] * b[z][y];
    memcpy(out, c, sizeof c);
}

/* Adds k(a|x) (M D^L)(x,.) at one node of the grid. */
static void add_node(const paper_target *t, const paper_sweep *s,
                     const struct node *const *nodes, paper_matrix sum)
{
    paper_matrix m, d;

    jump_matrix(t, nodes, m);
    if (s->refine > 0)
        refine_matrix(t, s, nodes, d);
    for (int l = 0; l < s->refine; l++) {
        multiply(t->states, m, d, m);
        if (s->is_palindrome)
            multiply(t->states, d, m, m);
    }
    for (int x = 0; x < t->states; x++) {
        double weight = 1;

        for (int i = 0; i < t->dim; i++)
            weight *= nodes[i]->density[bit(t, x, i)];
        for (int y = 0; y < t->states; y++)
            sum[x][y] += weight * m[x][y];
    }
}

static double grid_point(const paper_sweep *s, int index)
{
    return (-REACH + s->step * index) * s->eta;
}

static int grid_size(const paper_sweep *s)
{
    return (int)ceil((1 + 2 * REACH * s->eta) / (s->step * s->eta)) + 1;
}

void paper_sweep_matrix(const paper_target *target, const paper_sweep *sweep,
                        paper_matrix out)
{
    struct node node[PAPER_SWEEP_DIM];
    const struct node *nodes[PAPER_SWEEP_DIM];
    int size = grid_size(sweep), at[PAPER_SWEEP_DIM] = {0};
    int i;

    memset(out, 0, sizeof(paper_matrix));
    for (i = 0; i < target->dim; i++) {
        node_at(sweep, grid_point(sweep, 0), &node[i]);
        nodes[i] = &node[i];
    }
    do {
        add_node(target, sweep, nodes, out);
        for (i = 0; i < target->dim; i++) { /* the next point of the grid */
            at[i] = (at[i] + 1) % size;
            node_at(sweep, grid_point(sweep, at[i]), &node[i]);
            if (at[i] != 0)
                break;
        }
    } while (i < target->dim);
}

double paper_sweep_invariance(const paper_target *target, const paper_matrix p)
{
    double worst = 0;

    for (int y = 0; y < target->states; y++) {
        double sum = 0;

        for (int x = 0; x < target->states; x++)
            sum += target->law[x] * p[x][y];
        worst = fmax(worst, fabs(sum - target->law[y]));
    }
    return worst;
}

double paper_sweep_balance(const paper_target *target, const paper_matrix p,
                           double *relative)
{
    double worst = 0;

    *relative = 0;
    for (int x = 0; x < target->states; x++)
        for (int y = 0; y < x; y++) {
            double there = target->law[x] * p[x][y];
            double back = target->law[y] * p[y][x];

            worst = fmax(worst, fabs(there - back));
            *relative = fmax(*relative, fabs(there - back) / fmax(there, back));
        }
    return worst;
}

void paper_sweep_decay(const paper_target *target, const paper_matrix p,
                       int count, double *tv)
{
    paper_matrix power;

    memcpy(power, p, sizeof power);
    for (int k = 0; k < count; k++) {
        tv[k] = 0;
        for (int x = 0; x < target->states; x++) {
            double sum = 0;

            for (int y = 0; y < target->states; y++)
                sum += fabs(power[x][y] - target->law[y]) / 2;
            tv[k] = fmax(tv[k], sum);
        }
        multiply(target->states, power, p, power);
    }
}

double paper_sweep_doeblin(const paper_target *target, const paper_matrix p)
{
    double sum = 0;

    for (int y = 0; y < target->states; y++) {
        double least = 1;

        for (int x = 0; x < target->states; x++)
            least = fmin(least, p[x][y]);
        sum += least;
    }
    return sum;
}

double paper_sweep_smallest(const paper_target *target, const paper_matrix p)
{
    double least = 1;

    for (int x = 0; x < target->states; x++)
        for (int y = 0; y < target->states; y++)
            least = fmin(least, p[x][y]);
    return least;
}

double paper_sweep_variance(const paper_target *target, const paper_matrix p,
                            const double *f)
{
    double now[PAPER_SWEEP_STATES], next[PAPER_SWEEP_STATES], mean = 0, sum = 0;

    for (int x = 0; x < target->states; x++)
        mean += target->law[x] * f[x];
    for (int x = 0; x < target->states; x++)
        now[x] = f[x] - mean;
    for (int k = 0; k < LAGS; k++) {
        double covariance = 0;

        for (int x = 0; x < target->states; x++)
            covariance += target->law[x] * (f[x] - mean) * now[x];
        sum += (k ? 2 : 1) * covariance;
        for (int x = 0; x < target->states; x++) {
            next[x] = 0;
            for (int y = 0; y < target->states; y++)
                next[x] += p[x][y] * now[y];
        }
        memcpy(now, next, sizeof now);
    }
    return sum;
}
