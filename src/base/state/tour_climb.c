/* tour_climb.c - improves a tour to a local optimum, by 2-opt and or-opt
 * moves.
 *
 * A move makes city c, one of the near cities of a, a neighbor of a.  In small
 * tours all cities are near, so no move is missed.  In large ones c must be
 * nearer than the present neighbor of a.  pos is the position of each city. */
#include "base/state/tour.h"

struct climb {
    const hs_tour_map *map;
    int16_t *x, *scratch, *pos;
    int stride;
    double tolerance;
    int64_t weighed;
};

int hs_tour_nears(int dim)
{
    return dim <= HS_TOUR_WHOLE ? dim - 1 : HS_TOUR_NEAR;
}

void hs_tour_near(const double *edge, int dim, int16_t *near)
{
    int most = hs_tour_nears(dim);

    for (int i = 0; i < dim; i++) {
        int16_t *own = near + i * most;
        const double *from = edge + i * dim;
        int count = 0;

        for (int j = 0; j < dim; j++) {
            int at = count;

            if (j == i || (count == most && from[j] <= from[own[most - 1]]))
                continue;
            at = count < most ? count++ : most - 1;
            for (; at > 0 && from[own[at - 1]] < from[j]; at--)
                own[at] = own[at - 1];
            own[at] = (int16_t)j;
        }
    }
}

/* Returns the city at a position that may be one turn too far. */
static int city(const struct climb *c, int at)
{
    int dim = c->map->dim;

    return c->x[(at < 0 ? at + dim : at >= dim ? at - dim : at) * c->stride];
}

static double edge(const struct climb *c, int a, int b)
{
    return c->map->edge[a * c->map->dim + b];
}

static void apply(struct climb *c, const hs_tour_move *move)
{
    int dim = c->map->dim;

    hs_tour_apply(c->x, c->stride, dim, move, c->scratch);
    for (int i = 0; i < move->head + move->tail; i++) {
        int at = (move->first + i) % dim;

        c->pos[c->x[at * c->stride]] = (int16_t)at;
    }
}

/* Reverses positions from ..  to, or all the others, which is equivalent. */
static void reverse(struct climb *c, int from, int to)
{
    int dim = c->map->dim, size = (to - from + dim) % dim + 1;
    hs_tour_move move = {.first = from, .head = size, .flips_head = true};

    if (size > dim - size) {
        move.first = (to + 1) % dim;
        move.head = dim - size;
    }
    if (move.head > 1)
        apply(c, &move);
}

/* Replaces edges a - b and o - d by a - o and b - d; b and d are behind a and
 * o, or both before them. */
static bool try_2_opt(struct climb *c, int a, int way)
{
    const int16_t *near = c->map->near + a * c->map->nears;
    int b = city(c, c->pos[a] + way);
    double now = edge(c, a, b);

    for (int k = 0; k < c->map->nears && edge(c, a, near[k]) > now; k++) {
        int o = near[k], d = city(c, c->pos[o] + way);

        c->weighed++;
        if (d == a || !(edge(c, a, o) + edge(c, b, d) - now - edge(c, o, d) >
                        c->tolerance))
            continue;
        if (way > 0)
            reverse(c, c->pos[b], c->pos[o]);
        else
            reverse(c, c->pos[a], c->pos[d]);
        return true;
    }
    return false;
}

/* Moves `size` cities from position `low` on between positions gap and gap + 1,
 * by the shorter way. */
static void carry(struct climb *c, int low, int size, int gap, bool flips)
{
    int dim = c->map->dim;
    int ahead = (gap - (low + size - 1) + 2 * dim) % dim;
    int back = dim - size - ahead;
    hs_tour_move move = {.first = low, .head = size, .tail = ahead};

    if (back < ahead) {
        move = (hs_tour_move){
            .first = (gap + 1) % dim, .head = back, .tail = size};
        move.flips_tail = flips;
    } else {
        move.flips_head = flips;
    }
    apply(c, &move);
}

/* Tries to move the segment a ..  e beside o; `way` is the direction from a to
 * e. */
static bool try_or_opt(struct climb *c, int a, int way, int size)
{
    const int16_t *near = c->map->near + a * c->map->nears;
    int dim = c->map->dim, at = c->pos[a];
    int e = city(c, at + way * (size - 1)), p = city(c, at - way);
    int q = city(c, at + way * size);
    double now = edge(c, p, a), out = edge(c, p, q) - now - edge(c, e, q);
    bool is_whole = c->map->nears == dim - 1;

    for (int k = 0; k < c->map->nears; k++) {
        int o = near[k];

        if (!is_whole && !(edge(c, a, o) > now))
            return false;
        if (((c->pos[o] - at) * way + dim) % dim < size)
            continue; /* in the part */
        for (int side = -1; side <= 1; side += 2) {
            int d = city(c, c->pos[o] + side);

            c->weighed++;
            if (((c->pos[d] - at) * way + dim) % dim < size ||
                !(out + edge(c, o, a) + edge(c, e, d) - edge(c, o, d) >
                  c->tolerance))
                continue;
            /* a comes first if o is on its left */
            carry(c, way > 0 ? at : (at - size + 1 + dim) % dim, size,
                  side > 0 ? c->pos[o] : c->pos[d], (side > 0) != (way > 0));
            return true;
        }
    }
    return false;
}

static bool climb_from(struct climb *c, int a)
{
    int most =
        c->map->dim - 2 < HS_TOUR_SHORT ? c->map->dim - 2 : HS_TOUR_SHORT;

    for (int way = -1; way <= 1; way += 2) {
        if (try_2_opt(c, a, way))
            return true;
        for (int size = 1; size <= most; size++)
            if (try_or_opt(c, a, way, size))
                return true;
    }
    return false;
}

int64_t hs_tour_climb(int16_t *x, int stride, const hs_tour_map *map,
                      double tolerance, int16_t *scratch)
{
    struct climb c = {.map = map,
                      .x = x,
                      .scratch = scratch,
                      .pos = scratch + map->dim,
                      .stride = stride,
                      .tolerance = tolerance};
    int quiet = 0; /* consecutive cities without a gain */

    for (int i = 0; i < map->dim; i++)
        c.pos[x[i * stride]] = (int16_t)i;
    for (int a = 0; quiet < map->dim; a = (a + 1) % map->dim) {
        quiet++;
        while (climb_from(&c, a))
            quiet = 0;
    }
    return c.weighed;
}
