/* quench_best.c - the best of the optima that climbs ended in. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/state/domain.h"
#include "run/policy/policy.h"
#include "run/scouts/quench.h"

struct rank {
    int64_t at;
    double mass;
};

static int compare(const void *a, const void *b)
{
    const struct rank *p = a, *q = b;

    if (p->mass != q->mass)
        return p->mass < q->mass ? 1 : -1;
    return p->at < q->at ? -1 : 1;
}

static bool is_near(const hs_mode_table *t, int64_t a, int64_t b, int ratio)
{
    return hs_states_apart(t->state + a * t->dim, t->state + b * t->dim,
                           t->dim) <= t->dim / ratio;
}

int hs_quench_best(const hs_quench *q, int most, double depth, int64_t *out)
{
    const hs_mode_table *t = &q->optima;
    struct rank *rank = hs_alloc_array((size_t)t->used + 1, sizeof *rank);
    int64_t ranked = t->used, most_ranked = hs_policy_count(HS_MAX_COMPARED);
    int count = 0, ratio = hs_policy_count(HS_NEAR_OPTIMA_RATIO);

    if (!rank)
        return 0;
    for (int64_t k = 0; k < t->used; k++)
        rank[k] = (struct rank){k, t->mode[k].mass};
    qsort(rank, (size_t)t->used, sizeof *rank, compare);
    while (ranked > 0 && rank[ranked - 1].mass < rank[0].mass - depth)
        ranked--;
    ranked = ranked < most_ranked ? ranked : most_ranked;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t k = 0; k < ranked && count < most; k++) {
            bool is_apart = rank[k].at >= 0;

            for (int o = 0; pass == 0 && is_apart && o < count; o++)
                is_apart = !is_near(t, rank[k].at, out[o], ratio);
            if (!is_apart)
                continue;
            out[count++] = rank[k].at;
            rank[k].at = -1;
        }
    hs_free(rank);
    return count;
}
