/* tour.c - moves of a closed tour. */
#include "base/state/tour.h"

#include "base/random/rng.h"

/* Returns the city at a position, which may be past the end. */
static int city(const int16_t *x, int stride, int dim, int at)
{
    return x[(at >= dim ? at - dim : at) * stride];
}

/* The most cities that an or-opt move carries, and past how many others. */
static int short_max(int dim)
{
    return dim - 2 < HS_TOUR_SHORT ? dim - 2 : HS_TOUR_SHORT;
}

static int long_max(int dim, int carried)
{
    int most = dim - 1 - carried;

    return most < dim / 2 ? most : dim / 2;
}

void hs_tour_draw(hs_tour_move *move, int dim, double or_opt,
                  const uint32_t word[3])
{
    *move = (hs_tour_move){.first = hs_below(word[0], dim)};
    if (hs_uniform(word[1]) >= or_opt) {
        int most = dim / 2 < 2 ? 2 : dim / 2; /* further moves give the same
                                                 tours */

        move->head = 2 + hs_below(word[2], most - 1);
        move->flips_head = true;
    } else {
        /* one word in mixed radix: direction, flip, number of cities,
         * distance */
        uint64_t rest = (uint64_t)word[2] * 4u;
        uint32_t flags = (uint32_t)(rest >> 32);
        int carried, past;
        bool flips = (flags & 1u) != 0;

        rest = (rest & 0xffffffffu) * (uint64_t)short_max(dim);
        carried = 1 + (int)(rest >> 32);
        past = 1 + hs_below((uint32_t)rest, long_max(dim, carried));
        move->head = flags & 2u ? carried : past;
        move->tail = flags & 2u ? past : carried;
        move->flips_head = flips && (flags & 2u);
        move->flips_tail = flips && !(flags & 2u);
    }
}

double hs_tour_change(const int16_t *x, int stride, int dim, const double *edge,
                      const hs_tour_move *move)
{
    int size = move->head + move->tail;
    int before = city(x, stride, dim, move->first + dim - 1);
    int behind = city(x, stride, dim, move->first + size);
    int a = city(x, stride, dim, move->first);
    int b = city(x, stride, dim, move->first + move->head - 1);
    int c, d, swap;
    double gone;

    if (move->tail == 0)
        return edge[before * dim + b] + edge[a * dim + behind] -
               (edge[before * dim + a] + edge[b * dim + behind]);
    c = city(x, stride, dim, move->first + move->head);
    d = city(x, stride, dim, move->first + size - 1);
    gone = edge[before * dim + a] + edge[b * dim + c] + edge[d * dim + behind];
    if (move->flips_head) {
        swap = a;
        a = b;
        b = swap;
    }
    if (move->flips_tail) {
        swap = c;
        c = d;
        d = swap;
    }
    return edge[before * dim + c] + edge[d * dim + a] + edge[b * dim + behind] -
           gone;
}

void hs_tour_apply(int16_t *x, int stride, int dim, const hs_tour_move *move,
                   int16_t *scratch)
{
    int size = move->head + move->tail, at = 0;

    for (int i = 0; i < move->tail; i++) {
        int from = move->flips_tail ? move->tail - 1 - i : i;

        scratch[at++] = (int16_t)city(x, stride, dim,
                                      (move->first + move->head + from) % dim);
    }
    for (int i = 0; i < move->head; i++) {
        int from = move->flips_head ? move->head - 1 - i : i;

        scratch[at++] =
            (int16_t)city(x, stride, dim, (move->first + from) % dim);
    }
    for (int i = 0; i < size; i++)
        x[(move->first + i) % dim * stride] = scratch[i];
}

void hs_tour_turn(int16_t *x, int stride, int dim, int by, bool flips,
                  int16_t *scratch)
{
    for (int i = 0; i < dim; i++)
        scratch[i] = x[i * stride];
    for (int i = 0; i < dim; i++)
        x[i * stride] = scratch[(flips ? by + dim - i : by + i) % dim];
}

void hs_tour_normalize(int16_t *x, int stride, int dim, int16_t *scratch)
{
    int at = 0;

    while (at < dim - 1 && x[at * stride] != 0)
        at++;
    hs_tour_turn(x, stride, dim, at,
                 city(x, stride, dim, at + 1) >
                     city(x, stride, dim, (at + dim - 1) % dim),
                 scratch);
}

double hs_tour_sum(const int16_t *x, int stride, int dim, const double *edge)
{
    double sum = 0.0;

    for (int i = 0; i < dim; i++)
        sum += edge[x[i * stride] * dim + city(x, stride, dim, i + 1)];
    return sum;
}

bool hs_tour_is_whole(const int16_t *x, int stride, int dim)
{
    uint64_t seen[HS_TOUR_MAX / 64] = {0};

    for (int i = 0; i < dim; i++) {
        uint64_t *word = &seen[x[i * stride] / 64];
        uint64_t bit = UINT64_C(1) << (x[i * stride] % 64);

        if (*word & bit)
            return false;
        *word |= bit;
    }
    return true;
}
