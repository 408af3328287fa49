/* ball.c - the states within a Hamming distance of another. */
#include "kernel/gibbs/ball.h"

#include "base/alloc.h"
#include "base/error.h"

static double *ways_at(const hs_ball *b, int position)
{
    return b->ways + (size_t)position * (size_t)(b->radius + 1);
}

hiss_status hs_ball_init(hs_ball *b, const hs_domain *d, int size, int radius,
                         hiss_error *err)
{
    double most = 1.0;
    size_t n;

    if (size > d->dim)
        size = d->dim;
    *b = (hs_ball){.size = size, .radius = radius < size ? radius : size};
    n = (size_t)size;
    b->site = hs_alloc_array(n, sizeof *b->site);
    b->states = hs_alloc_array(n, sizeof *b->states);
    b->ways =
        hs_alloc_array((n + 1) * (size_t)(b->radius + 1), sizeof *b->ways);
    if (!b->site || !b->states || !b->ways)
        return hs_fail_memory(err);
    for (int first = 0; first < d->dim; first++) {
        hs_ball_place(b, d, first);
        if (hs_ball_count(b) > most)
            most = hs_ball_count(b);
    }
    if (most > HS_BALL_MAX)
        return hs_fail(err, HISS_EARG,
                       "sampler hamming: a ball has %.6g states, and %d is the "
                       "limit; take a smaller block or radius",
                       most, HS_BALL_MAX);
    b->capacity = (int)most;
    b->state = hs_alloc_array((size_t)b->capacity, sizeof *b->state);
    return b->state ? HISS_OK : hs_fail_memory(err);
}

void hs_ball_clear(hs_ball *b)
{
    hs_free(b->site);
    hs_free(b->states);
    hs_free(b->ways);
    hs_free(b->state);
}

/* Counts are whole numbers; past 2^53, where they are rounded, there are too
 * many states. */
void hs_ball_place(hs_ball *b, const hs_domain *d, int first)
{
    for (int r = 0; r <= b->radius; r++)
        ways_at(b, b->size)[r] = 1.0;
    for (int j = b->size - 1; j >= 0; j--) {
        const double *later = ways_at(b, j + 1);
        double *here = ways_at(b, j);

        b->site[j] = (first + j) % d->dim;
        b->states[j] = d->states[b->site[j]];
        here[0] = 1.0;
        for (int r = 1; r <= b->radius; r++)
            here[r] = later[r] + (b->states[j] - 1) * later[r - 1];
    }
}

double hs_ball_count(const hs_ball *b)
{
    return ways_at(b, 0)[b->radius];
}

/* Lists the states that differ at positions from this one on, in order: those
 * that do not differ here, then those with shift 1, 2, ... */
int hs_ball_draw(const hs_ball *b, int position, int *left, double u)
{
    const double *later = ways_at(b, position + 1);
    double at = u * ways_at(b, position)[*left] - later[*left];
    int shift;

    if (*left == 0 || at < 0.0)
        return 0;
    shift = 1 + (int)(at / later[*left - 1]);
    --*left;
    return shift < b->states[position] ? shift : b->states[position] - 1;
}

void hs_ball_begin(hs_ball *b)
{
    b->state[0] = (hs_ball_state){.parent = -1};
    b->count = 1;
}

int hs_ball_add(hs_ball *b, int parent, int position, int shift)
{
    b->state[b->count] =
        (hs_ball_state){.parent = parent, .position = position, .shift = shift};
    return b->count++;
}
