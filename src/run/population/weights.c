/* weights.c - weights of a population: factors, estimates, and copies. */
#include <math.h>

#include "base/error.h"
#include "base/exponential.h"
#include "run/population/population.h"

#define WORDS    4  /* capacity: numbers of a Philox block */
#define HALVINGS 60 /* precision: halvings until doubles are neighbors */

/* U of a replica as it counts at beta.  At the target the violations of a
 * softened model are impossible. */
static double energy_at(const hs_population *p, int replica, double beta)
{
    int lane;
    double u = hs_population_at(p, replica, &lane)->at.u[lane];

    return beta < 1.0 || hs_model_is_possible(p->model, u) ? u : -HUGE_VAL;
}

/* Computes the factors of a step to beta, divided by e^shift; returns shift,
 * the exponent of the largest, or -infinity if there is none. */
static double set_factors(hs_population *p, double beta)
{
    double step = beta - p->beta, shift = -HUGE_VAL;

    for (int r = 0; r < p->size; r++) {
        double u = energy_at(p, r, beta);

        p->factor[r] = u > -HUGE_VAL ? step * u : -HUGE_VAL;
        if (p->weight[r] > 0.0 && p->factor[r] > shift)
            shift = p->factor[r];
    }
    for (int r = 0; r < p->size; r++)
        p->factor[r] = shift > -HUGE_VAL && p->weight[r] > 0.0
                           ? hs_exponential(p->factor[r] - shift)
                           : 0.0;
    return shift;
}

double hs_population_foresee(hs_population *p, double beta)
{
    double sum = 0.0, square = 0.0;

    set_factors(p, beta);
    for (int r = 0; r < p->size; r++) {
        double f = p->factor[r];

        sum += p->weight[r] * f;
        square += p->weight[r] * f * f;
    }
    return square > 0.0 ? sum * sum / (p->size * square) : 0.0;
}

double hs_population_next(hs_population *p, double share)
{
    double low = p->beta, high = 1.0;

    if (hs_population_foresee(p, high) >= share)
        return high;
    for (int n = 0; n < HALVINGS; n++) {
        double middle = 0.5 * (low + high);

        if (hs_population_foresee(p, middle) >= share)
            low = middle;
        else
            high = middle;
    }
    return high;
}

hiss_status hs_population_reweigh(hs_population *p, double beta,
                                  hiss_error *err)
{
    double shift = set_factors(p, beta), sum = 0.0;

    for (int r = 0; r < p->size; r++)
        sum += p->weight[r] * p->factor[r];
    if (!(sum > 0.0))
        return hs_fail(err, HISS_EINFEASIBLE,
                       "model %s: none of the %d states of a population is "
                       "possible at beta %g; take more, or another sampler",
                       p->model->name, p->size, beta);
    for (int r = 0; r < p->size; r++)
        p->weight[r] *= p->factor[r] * p->size / sum;
    p->log_ratio += shift + log(sum / p->size);
    p->beta = beta;
    return HISS_OK;
}

double hs_population_ess(const hs_population *p)
{
    double sum = 0.0, square = 0.0;

    for (int r = 0; r < p->size; r++) {
        sum += p->weight[r];
        square += p->weight[r] * p->weight[r];
    }
    return sum * sum / (p->size * square);
}

double hs_population_energy(const hs_population *p)
{
    double sum = 0.0;

    for (int r = 0; r < p->size; r++)
        if (p->weight[r] > 0.0)
            sum += p->weight[r] * energy_at(p, r, p->beta);
    return sum / p->size;
}

/* Counts the copies of each replica among `count` equally weighted ones, in
 * p->copies, by the random number of the first replica and the stage.  Sums of
 * weights may be off by rounding, so the last positive one closes them. */
static void count_copies(hs_population *p, uint64_t stage, int count)
{
    const hs_rng *rng = &p->tile[0].rng;
    uint32_t word[WORDS];
    double u, sum = 0.0;
    int last = 0, given = 0;

    hs_rng_block(rng->seed, rng->chain[0], 0, stage, HS_DRAW_STRAND, 0, word);
    u = hs_uniform_long(word[0], word[1]);
    for (int n = 0; n < p->size; n++)
        if (p->weight[p->order[n]] > 0.0)
            last = n;
    for (int n = 0; n < p->size; n++) {
        int r = p->order[n], upto;

        sum += p->weight[r];
        upto = n >= last ? count : (int)ceil(sum / p->size * count - u);
        upto = upto > count ? count : upto;
        p->copies[r] = upto > given ? upto - given : 0;
        given += p->copies[r];
    }
}

void hs_population_choose(hs_population *p, uint64_t stage, int count, int *out)
{
    int n = 0;

    count_copies(p, stage, count);
    for (int i = 0; i < p->size; i++)
        for (int c = 0; c < p->copies[p->order[i]]; c++)
            out[n++] = p->order[i];
}

/* Copies a lane of the states, with its cache. */
static void copy_lane(const hs_model *m, hs_point *to, int lane,
                      const hs_point *from, int other)
{
    float(*cache)[HS_LANES] = to->cache;
    const float(*kept)[HS_LANES] = from->cache;
    size_t rows = m->cache_bytes / sizeof(hs_float_row);

    for (int i = 0; i < m->domain.dim; i++)
        to->x[i][lane] = from->x[i][other];
    for (int i = 0; to->grad && i < m->domain.rows; i++)
        to->grad[i][lane] = from->grad[i][other];
    for (size_t i = 0; i < rows; i++)
        cache[i][lane] = kept[i][other];
    to->u[lane] = from->u[other];
}

/* Copies states to a worker's own lanes that died, from lanes that live and
 * that nobody writes.  Idle lanes follow the first. */
static void copy_states(void *context, int index)
{
    const hs_population *p = context;
    const hs_worker *w = &p->worker[index];

    for (int i = w->first_tile; i < w->end_tile; i++)
        for (int l = 0; l < HS_LANES; l++) {
            hs_tile *t = &p->tile[i];
            int r = i * HS_LANES + (l < t->lanes ? l : 0), other;
            const hs_tile *from = hs_population_at(p, p->from[r], &other);

            if (p->from[r] != r)
                copy_lane(p->model, &t->at, l, &from->at, other);
        }
}

/* Replicas without copies take the states of those with several; the new order
 * has copies adjacent. */
static void place_copies(hs_population *p)
{
    int free = 0, placed = 0;

    for (int i = 0; i < p->size; i++) {
        int r = p->order[i];

        if (p->copies[r] == 0)
            continue;
        p->from[r] = r;
        p->next[placed++] = r;
        for (int c = 1; c < p->copies[r]; c++) {
            while (p->copies[free] > 0)
                free++;
            p->from[free] = r;
            p->next[placed++] = free++;
        }
    }
    for (int i = 0; i < p->size; i++)
        p->order[i] = p->next[i];
}

void hs_population_resample(hs_population *p, uint64_t stage)
{
    unsigned have = HS_U | HS_GRAD;

    count_copies(p, stage, p->size);
    place_copies(p);
    hs_pool_run(p->pool, copy_states, p, p->workers);
    for (int i = 0; i < p->tiles; i++)
        have &= p->tile[i].at.have;
    for (int i = 0; i < p->tiles; i++)
        p->tile[i].at.have = have;
    for (int r = 0; r < p->size; r++)
        p->next[r] = p->family[p->from[r]];
    for (int r = 0; r < p->size; r++) {
        p->family[r] = p->next[r];
        p->weight[r] = 1.0;
    }
    p->resampled++;
}
