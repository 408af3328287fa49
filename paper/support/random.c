/* random.c - splitmix64 and the laws made from it. */
#include "paper/support/random.h"

#include <math.h>

static uint64_t next(paper_random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void paper_random_init(paper_random *random, uint64_t seed, uint64_t stream)
{
    paper_random scramble = {seed};

    random->state = next(&scramble) ^ (stream * 0xd1342543de82ef95u);
    random->state = next(random);
}

double paper_random_uniform(paper_random *random)
{
    return ((double)(next(random) >> 12) + 0.5) * 0x1p-52;
}

double paper_random_logistic(paper_random *random)
{
    double u = paper_random_uniform(random);

    return log(u) - log1p(-u);
}

/* Box and Muller; one of the pair is dropped. */
double paper_random_normal(paper_random *random)
{
    double radius = sqrt(-2 * log(paper_random_uniform(random)));

    return radius * cos(2 * M_PI * paper_random_uniform(random));
}

int paper_random_state(paper_random *random, const double *law, int states)
{
    double u = paper_random_uniform(random);
    int s = 0;

    while (s < states - 1 && u >= law[s])
        u -= law[s++];
    return s;
}
