/* collection_process.c - jump processes after a fixed time, by uniformization:
 *     e^(T Q) = sum_k Poisson(k; L T) (1 + Q / L)^k,   L >= all rates;
 * and multiple tries. */
#include "conformance/support/collection.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SLOTS (SPACE_DIM * (SPACE_VALUES - 1))

/* The changes of x: where to, which involution, how fast. */
struct row {
    int count;
    int to[SLOTS], sign[SLOTS];
    double rate[SLOTS], all;
};

static double gain(const space *s, collection_fault fault, int x, int y)
{
    return fault == WRONG_SIGN ? s->u[x] - s->u[y] : s->u[y] - s->u[x];
}

/* f_a(x_i) f_a(v) / f(x_i); its own fault: without f. */
static double tempered(const space *s, const collection_process *rule,
                       collection_fault fault, int x, int i, int v)
{
    double sum = 0.0, powers = 0.0, here, there;

    for (int w = 0; w < s->states[i]; w++) {
        double z = gain(s, fault, x, space_changed(s, x, i, w));

        sum += exp(z);
        powers += exp(rule->power * z);
    }
    here = 1.0 / powers;
    there = exp(rule->power * gain(s, fault, x, space_changed(s, x, i, v))) /
            powers;
    return fault == ITS_OWN ? here * there : here * there * sum;
}

static double rate_of(const space *s, const collection_process *rule,
                      collection_fault fault, int x, int i, int v)
{
    double t = exp(gain(s, fault, x, space_changed(s, x, i, v)));

    if (!rule->balance)
        return tempered(s, rule, fault, x, i, v);
    return fault == ITS_OWN && !rule->has_signs ? t : rule->balance(t);
}

/* Involutions that move something are numbered from 0 on, all coordinates. */
static int sign_of(const space *s, int i, int v, int w)
{
    int first = 0;

    for (int j = 0; j < i; j++)
        first += s->states[j] == 2 ? 1 : s->states[j];
    return first + (s->states[i] == 2 ? 0 : (v + w) % s->states[i]);
}

static int signs_of(const space *s)
{
    return sign_of(s, s->dim - 1, 0, 0) +
           (s->states[s->dim - 1] == 2 ? 1 : s->states[s->dim - 1]);
}

static double fill_rows(const space *s, const collection_process *rule,
                        collection_fault fault, struct row *row)
{
    double most = 0.0;

    for (int x = 0; x < s->n; x++) {
        struct row *r = &row[x];

        *r = (struct row){0};
        for (int i = 0; i < s->dim; i++) {
            int at = space_index(s, x, i);

            for (int v = 0; v < s->states[i]; v++) {
                if (v == at)
                    continue;
                r->to[r->count] = space_changed(s, x, i, v);
                r->sign[r->count] = sign_of(s, i, at, v);
                r->all += r->rate[r->count] = rate_of(s, rule, fault, x, i, v);
                r->count++;
            }
        }
        /* after jumps, not after times: without the weights 1 / Z */
        if (fault == NO_REVERSE && !rule->has_signs) {
            for (int k = 0; k < r->count; k++)
                r->rate[k] *= 3.0 / r->all;
            r->all = 3.0;
        }
        most = fmax(most, r->all);
    }
    return most;
}

/* to = from (1 + Q / most), for states and signs in the order x, signs. */
static void advance(const space *s, const struct row *row, double most,
                    int signs, collection_fault fault, const double *from,
                    double *to)
{
    int sets = 1 << signs;

    memset(to, 0, (size_t)(s->n * sets) * sizeof *to);
    for (int x = 0; x < s->n; x++)
        for (int g = 0; g < sets; g++) {
            const struct row *r = &row[x];
            double p = from[x * sets + g], open = 0.0, closed = 0.0, turn;

            for (int k = 0; p > 0.0 && k < r->count; k++) {
                bool is_open = signs == 0 || g >> r->sign[k] & 1;
                int next = signs == 0 ? 0 : g ^ 1 << r->sign[k];

                if (is_open)
                    to[r->to[k] * sets + next] += p * r->rate[k] / most;
                *(is_open ? &open : &closed) += r->rate[k];
            }
            turn = signs == 0 || fault == NO_REVERSE ? 0.0 : closed - open;
            turn = fmax(0.0, fault == ITS_OWN ? -turn : turn);
            to[x * sets + (sets - 1 - g)] += p * turn / most;
            to[x * sets + g] += p * (1.0 - (open + turn) / most);
        }
}

/* From x with all sets of signs as likely, after the time. */
static void evolve(const space *s, const collection_process *rule,
                   const struct row *row, double most, int signs,
                   collection_fault fault, double *law[2], double *out)
{
    int sets = 1 << signs;
    double mean = most * rule->time, weight = exp(-mean), seen = 0.0;

    for (int k = 0; k < mean || weight > 1e-18; k++) {
        for (int y = 0; y < s->n; y++)
            for (int g = 0; g < sets; g++)
                out[y] += weight * law[k % 2][y * sets + g];
        seen += weight;
        weight *= mean / (k + 1);
        advance(s, row, most, signs, fault, law[k % 2], law[(k + 1) % 2]);
    }
    assert_true(seen > 1.0 - 1e-10);
}

void matrix_process(const space *s, const void *from, collection_fault fault,
                    matrix p)
{
    static struct row row[SPACE_STATES];
    const collection_process *rule = from;
    int signs = rule->has_signs ? signs_of(s) : 0, sets = 1 << signs;
    double most =
        fill_rows(s, rule, fault, row) * (fault == ITS_OWN ? 2.0 : 1.0);
    size_t size = (size_t)(s->n * sets) * sizeof(double);
    double *law[2] = {malloc(size), malloc(size)};

    assert_true(law[0] && law[1]);
    memset(p, 0, sizeof(matrix));
    for (int x = 0; x < s->n; x++) {
        memset(law[0], 0, size);
        for (int g = 0; g < sets; g++)
            law[0][x * sets + g] = 1.0 / sets;
        evolve(s, rule, row, most, signs, fault, law, p[x]);
    }
    free(law[0]);
    free(law[1]);
}

/* --- two tries ------------------------------------------------------------ */

struct tries {
    int count;
    int to[SLOTS];
    double chance[SLOTS];
};

static void list_tries(const space *s, int x, struct tries *t)
{
    t->count = 0;
    for (int i = 0; i < s->dim; i++)
        for (int v = 0; v < s->states[i]; v++)
            if (v != space_index(s, x, i)) {
                t->to[t->count] = space_changed(s, x, i, v);
                t->chance[t->count++] = 1.0 / s->dim / (s->states[i] - 1);
            }
}

void matrix_tries(const space *s, const void *rule, collection_fault fault,
                  matrix p)
{
    double (*balance)(double) = ((const collection_process *)rule)->balance;

    memset(p, 0, sizeof(matrix));
    for (int x = 0; x < s->n; x++) {
        struct tries from, back;
        double stay = 1.0;

        list_tries(s, x, &from);
        for (int a = 0; a < from.count; a++)
            for (int b = 0; b < from.count; b++) {
                int y = from.to[a];
                double w = balance(exp(gain(s, fault, x, y)));
                double other = balance(exp(gain(s, fault, x, from.to[b])));
                double v = balance(exp(gain(s, fault, y, x)));
                /* either of the two may be the one that is chosen */
                double chance =
                    2.0 * from.chance[a] * from.chance[b] * w / (w + other);

                list_tries(s, y, &back);
                for (int c = 0; c < back.count; c++) {
                    double third = balance(exp(gain(s, fault, y, back.to[c])));
                    double ratio = exp(s->u[y] - s->u[x]) * v / (v + third) /
                                   (w / (w + other));
                    double moves;

                    if (fault == NO_REVERSE)
                        ratio = exp(s->u[y] - s->u[x]);
                    if (fault == ITS_OWN) /* x is not among the z */
                        ratio = (w + other) / (2.0 * third);
                    if (fault == WRONG_SIGN)
                        ratio = 1.0 / ratio;
                    moves = chance * back.chance[c] * fmin(1.0, ratio);
                    p[x][y] += moves;
                    stay -= moves;
                }
            }
        p[x][x] += stay;
    }
}
