/* ancestral.c - states of a factor graph drawn site after site.
 *
 * A table belongs to the coordinate of its scope that the order visits last:
 * that one is drawn from the sum of its tables, given those before it.  So
 * every table counts once, as in ancestral sampling of a directed graph. But
 * the draws ignore the normalization, which depends on the coordinates before.
 * A call reads the entries of each table along one coordinate, at most as many
 * as a sweep. */
#include "model/factor/ancestral.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "lanes/lanes.h"
#include "model/scatter.h"

struct plan {
    const hs_factors *f; /* borrowed */
    int *order;          /* owned, [dim] */
    int *rank;           /* owned, [dim]: inverse of the order */
    int64_t *first;      /* owned, [dim]: first table of a coordinate, or -1 */
    int64_t *next;       /* owned, [count]: next table in the list, or -1 */
    double (*sum)[HS_LANES];    /* owned, [states_max] */
    hs_float_row *logit, *upto; /* owned, [states_max] */
};

static void clear(struct plan *s)
{
    hs_free(s->order);
    hs_free(s->rank);
    hs_free(s->first);
    hs_free(s->next);
    hs_free(s->sum);
    hs_free(s->logit);
    hs_free(s->upto);
}

static bool allocate(struct plan *s)
{
    size_t dim = (size_t)s->f->dim, most = 1;

    for (int i = 0; i < s->f->dim; i++)
        if ((size_t)s->f->states[i] > most)
            most = (size_t)s->f->states[i];
    s->order = hs_alloc_array(dim, sizeof *s->order);
    s->rank = hs_alloc_array(dim, sizeof *s->rank);
    s->first = hs_alloc_array(dim, sizeof *s->first);
    s->next = hs_alloc_array((size_t)s->f->count, sizeof *s->next);
    s->sum = hs_alloc_array(most, sizeof *s->sum);
    s->logit = hs_alloc_array(most, sizeof *s->logit);
    s->upto = hs_alloc_array(most, sizeof *s->upto);
    return s->order && s->rank && s->first && s->next && s->sum && s->logit &&
           s->upto;
}

/* Shuffles (Fisher-Yates) with numbers that all lanes share. */
static void draw_order(struct plan *s, const hs_rng *rng)
{
    for (int n = 0; n < s->f->dim; n++) {
        int k =
            hs_below(hs_rng_shared(rng, HS_DRAW_SCATTER, (uint32_t)n), n + 1);

        s->order[n] = s->order[k];
        s->order[k] = n;
    }
    for (int n = 0; n < s->f->dim; n++)
        s->rank[s->order[n]] = n;
}

static void give_tables(struct plan *s)
{
    const hs_factors *f = s->f;

    for (int i = 0; i < f->dim; i++)
        s->first[i] = -1;
    for (int64_t n = 0; n < f->count; n++) {
        int last = f->scope[f->scope_at[n]];

        for (int64_t k = f->scope_at[n]; k < f->scope_at[n + 1]; k++)
            if (s->rank[f->scope[k]] > s->rank[last])
                last = f->scope[k];
        s->next[n] = s->first[last];
        s->first[last] = n;
    }
}

/* Adds the entries of table n along coordinate i to s->sum. */
static void add_table(struct plan *s, int64_t n, int i, int16_t (*x)[HS_LANES])
{
    const hs_factors *f = s->f;
    const double *table = f->table + f->table_at[n];
    int64_t at[HS_LANES] = {0}, stride = 1, step = 1;

    for (int64_t k = f->scope_at[n + 1] - 1; k >= f->scope_at[n]; k--) {
        int j = f->scope[k];

        if (j == i)
            step = stride;
        for (int l = 0; j != i && l < HS_LANES; l++)
            at[l] += stride * x[j][l];
        stride *= f->states[j];
    }
    for (int v = 0; v < f->states[i]; v++)
        for (int l = 0; l < HS_LANES; l++)
            s->sum[v][l] += table[at[l] + step * v];
}

/* Relative to the largest; all equal if nothing is possible. */
static void set_logits(struct plan *s, int states)
{
    for (int l = 0; l < HS_LANES; l++) {
        double most = -HUGE_VAL;

        for (int v = 0; v < states; v++)
            most = s->sum[v][l] > most ? s->sum[v][l] : most;
        for (int v = 0; v < states; v++)
            s->logit[v][l] =
                most == -HUGE_VAL ? 0.0f : (float)(s->sum[v][l] - most);
    }
}

static void draw(struct plan *s, const hs_rng *rng, int i,
                 int16_t (*x)[HS_LANES])
{
    int states = s->f->states[i];
    uint32_t words[4][HS_LANES];

    /* a separate block, of which the first two words are used, because
     * coordinates come in any order */
    hs_lanes()->philox(rng, HS_DRAW_SCATTER, (uint32_t)i, 1, words);
    memset(s->sum, 0, (size_t)states * sizeof *s->sum);
    for (int64_t n = s->first[i]; n >= 0; n = s->next[n])
        add_table(s, n, i, x);
    set_logits(s, states);
    hs_lanes()->draw_value((const hs_float_row *)s->logit, states, words[0],
                           words[1], s->upto, x[i]);
}

hiss_status hs_ancestral_states(const hs_factors *f, const hs_rng *rng,
                                int16_t (*x)[HS_LANES])
{
    struct plan s = {.f = f};

    if (!allocate(&s)) {
        clear(&s);
        return HISS_ENOMEM;
    }
    draw_order(&s, rng);
    give_tables(&s);
    for (int n = 0; n < f->dim; n++)
        draw(&s, rng, s.order[n], x);
    clear(&s);
    return HISS_OK;
}
