/* layer.c - the places of a layer, and where its tables are applied. */
#include "exact/network/layer.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

void hs_layers_clear(hs_layers *l)
{
    hs_free(l->order);
    hs_free(l->rank);
    hs_free(l->own_at);
    hs_free(l->own);
    hs_free(l->home);
    hs_free(l->touch_at);
    hs_free(l->touch);
    hs_free(l->list);
    hs_free(l->reach);
    hs_free(l->carried);
    hs_free(l->place);
    hs_free(l->factor);
    hs_free(l->applied);
    hs_free(l->width);
    *l = (hs_layers){0};
}

static int last_rank(const hs_layers *l, int64_t factor)
{
    int last = 0;

    for (int64_t k = l->f->scope_at[factor]; k < l->f->scope_at[factor + 1];
         k++)
        if (l->rank[l->f->scope[k]] > last)
            last = l->rank[l->f->scope[k]];
    return last;
}

/* Assigns every factor to the last of its variables. */
static void index_factors(hs_layers *l)
{
    for (int64_t f = 0; f < l->f->count; f++) {
        l->home[f] = last_rank(l, f);
        l->own_at[l->home[f] + 1]++;
    }
    for (int r = 0; r < l->count; r++)
        l->own_at[r + 1] += l->own_at[r];
    for (int64_t f = l->f->count; f-- > 0;)
        l->own[--l->own_at[l->home[f] + 1]] = f;
    memmove(l->own_at, l->own_at + 1, (size_t)l->count * sizeof *l->own_at);
    l->own_at[l->count] = l->f->count;
}

hiss_status hs_layers_init(hs_layers *l, const hs_factors *f, int *order,
                           int count, hiss_error *err)
{
    size_t dim = (size_t)f->dim, factors = (size_t)f->count;

    *l = (hs_layers){.f = f, .order = order, .count = count};
    l->rank = hs_alloc_array(dim, sizeof *l->rank);
    l->own_at = hs_alloc_array((size_t)count + 2, sizeof *l->own_at);
    l->own = hs_alloc_array(factors, sizeof *l->own);
    l->home = hs_alloc_array(factors, sizeof *l->home);
    l->list = hs_alloc_array(dim, sizeof *l->list);
    l->reach = hs_alloc_array(dim, sizeof *l->reach);
    l->carried = hs_alloc_array(dim, sizeof *l->carried);
    l->place = hs_alloc_array((size_t)count + 1, sizeof *l->place);
    l->factor = hs_alloc_array(factors, sizeof *l->factor);
    l->applied = hs_alloc_array(factors, sizeof *l->applied);
    l->width = hs_alloc_array((size_t)count + 1, sizeof *l->width);
    if (!l->rank || !l->own_at || !l->own || !l->home || !l->list ||
        !l->reach || !l->carried || !l->place || !l->factor || !l->applied ||
        !l->width ||
        hs_factors_index(f, &l->touch_at, &l->touch, NULL) != HISS_OK) {
        hs_layers_clear(l);
        return hs_fail_memory(err);
    }
    for (size_t i = 0; i < dim; i++) {
        l->rank[i] = -1;
        l->carried[i].place = -1;
    }
    for (int r = 0; r < count; r++)
        l->rank[order[r]] = r;
    index_factors(l);
    return HISS_OK;
}

#define WIDTH_MAX 1000000000 /* stands for any larger number */

/* Updates the places of variables from place `p` on. */
static void renumber(hs_layers *l, int p)
{
    for (; p < l->places; p++) {
        if (l->place[p].above >= 0)
            l->carried[l->place[p].above].place = p;
        if (l->place[p].below >= 0)
            l->carried[l->place[p].below].place = p;
    }
}

static void insert(hs_layers *l, int at, hs_layer_place place)
{
    memmove(l->place + at + 1, l->place + at,
            (size_t)(l->places - at) * sizeof *l->place);
    l->place[at] = place;
    l->places++;
    renumber(l, at);
}

/* The place halfway between the outermost neighbors of a variable in the
 * layer's factors; -1 if none has a place. */
static int find_middle(const hs_layers *l, int variable)
{
    int low = l->places, high = -1;

    for (int64_t n = l->touch_at[variable]; n < l->touch_at[variable + 1];
         n++) {
        int64_t f = l->touch[n];

        if (l->home[f] < l->first || l->home[f] >= l->end)
            continue;
        for (int64_t i = l->f->scope_at[f]; i < l->f->scope_at[f + 1]; i++) {
            int p = l->carried[l->f->scope[i]].place;

            if (l->f->scope[i] == variable || p < 0)
                continue;
            low = p < low ? p : low;
            high = p > high ? p : high;
        }
    }
    return high < 0 ? -1 : (low + high) / 2;
}

/* Places a variable of the layer that no earlier table has brought into the
 * train. */
static void place_fresh(hs_layers *l, int variable)
{
    int middle = find_middle(l, variable), at = l->places;

    if (middle >= 0) {
        const hs_layer_place *p = &l->place[middle];
        int other = p->above >= 0 ? p->above : p->below;

        at = middle + (l->rank[other] < l->rank[variable]);
    }
    insert(l, at, (hs_layer_place){variable, -1, -1});
}

/* Places a variable that the layer's tables bring into the train: in the place
 * of one that leaves, as near to its neighbors as possible. */
static void place_new(hs_layers *l, int variable)
{
    int middle = find_middle(l, variable);

    for (int step = 0; step < 2; step++)
        for (int side = -1; side <= 1; side += 2) {
            int p = middle + side * step;

            if (p >= 0 && p < l->places && l->place[p].below < 0) {
                l->place[p].below = variable;
                l->carried[variable].place = p;
                return;
            }
        }
    insert(l, middle + 1, (hs_layer_place){-1, variable, -1});
}

static int compare_ranks(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Places the variables of the layer's tables from below it, by rank. */
static void place_below(hs_layers *l)
{
    int count = 0;

    for (int64_t k = 0; k < l->factors; k++) {
        int64_t f = l->factor[k];

        for (int64_t i = l->f->scope_at[f]; i < l->f->scope_at[f + 1]; i++) {
            int v = l->f->scope[i];

            if (l->rank[v] < l->first && l->carried[v].place == -1) {
                l->carried[v].place = -2; /* in the list */
                l->list[count++] = l->rank[v];
            }
        }
    }
    qsort(l->list, (size_t)count, sizeof *l->list, compare_ranks);
    for (int n = 0; n < count; n++)
        place_new(l, l->order[l->list[n]]);
}

/* Cost of carrying a variable to a place, in doublings of bonds; with `take` it
 * is carried from now on. */
static double carry(hs_layers *l, int variable, int to, bool take)
{
    hs_carried *c = &l->carried[variable];
    double states = l->f->states[variable], cost = 0.0;

    for (int b = c->to; b < to; b++) {
        cost += states * l->width[b];
        if (take)
            l->width[b] *= states;
    }
    for (int b = to; b < c->from; b++) {
        cost += states * l->width[b];
        if (take)
            l->width[b] *= states;
    }
    if (take) {
        c->to = to > c->to ? to : c->to;
        c->from = to < c->from ? to : c->from;
    }
    return cost;
}

static void apply_factor(hs_layers *l, int64_t k)
{
    const int *scope = l->f->scope + l->f->scope_at[l->factor[k]];
    int size =
        (int)(l->f->scope_at[l->factor[k] + 1] - l->f->scope_at[l->factor[k]]);
    double best = -1.0;

    for (int i = 0; i < size; i++) {
        int p = l->carried[scope[i]].place;
        double cost = 0.0;

        for (int j = 0; j < size; j++)
            cost += carry(l, scope[j], p, false);
        if (best < 0.0 || cost < best) {
            best = cost;
            l->applied[k] = p;
        }
    }
    for (int j = 0; j < size; j++)
        carry(l, scope[j], l->applied[k], true);
}

static void forget(hs_layers *l)
{
    for (int p = 0; p < l->places; p++) {
        if (l->place[p].above >= 0)
            l->carried[l->place[p].above].place = -1;
        if (l->place[p].below >= 0)
            l->carried[l->place[p].below].place = -1;
    }
    l->places = 0;
}

/* While the layer is drawn from left to right, a value is carried from its
 * place to the last place of a table with it. */
static void find_reach(hs_layers *l)
{
    double width = 1.0, most = 1.0;

    for (int r = l->first; r < l->end; r++)
        l->reach[l->order[r]] = l->carried[l->order[r]].place;
    for (int64_t k = 0; k < l->factors; k++) {
        const int *scope = l->f->scope + l->f->scope_at[l->factor[k]];
        int size = (int)(l->f->scope_at[l->factor[k] + 1] -
                         l->f->scope_at[l->factor[k]]);
        int last = 0;

        for (int i = 0; i < size; i++)
            if (hs_layers_has(l, scope[i]) && l->carried[scope[i]].place > last)
                last = l->carried[scope[i]].place;
        for (int i = 0; i < size; i++)
            if (hs_layers_has(l, scope[i]) && l->reach[scope[i]] < last)
                l->reach[scope[i]] = last;
    }
    memset(l->list, 0, (size_t)l->places * sizeof *l->list);
    for (int p = 0; p < l->places; p++) {
        int v = l->place[p].above;

        if (l->list[p]) /* of values that reach p: at least a power of two */
            width /= l->list[p];
        if (v < 0 || !hs_layers_has(l, v) || l->reach[v] == p)
            continue;
        width *= l->f->states[v];
        l->list[l->reach[v]] =
            (l->list[l->reach[v]] ? l->list[l->reach[v]] : 1) * l->f->states[v];
        most = width > most ? width : most;
    }
    l->reaches = most < WIDTH_MAX ? (int)most : WIDTH_MAX;
}

void hs_layers_plan(hs_layers *l, const hs_train *above, int first, int end)
{
    forget(l);
    l->first = first;
    l->end = end;
    l->factors = l->own_at[end] - l->own_at[first];
    memcpy(l->factor, l->own + l->own_at[first],
           (size_t)l->factors * sizeof *l->factor);
    for (int p = 0; p < above->count; p++) {
        int v = above->site[p].variable;

        l->place[p] = (hs_layer_place){v, hs_layers_has(l, v) ? -1 : v, p};
    }
    l->places = above->count;
    renumber(l, 0);
    for (int r = first; r < end; r++)
        if (l->carried[l->order[r]].place < 0)
            place_fresh(l, l->order[r]);
    place_below(l);
    for (int p = 0; p < l->places; p++) {
        int both[2] = {l->place[p].above, l->place[p].below};

        for (int k = 0; k < 2; k++)
            if (both[k] >= 0)
                l->carried[both[k]] = (hs_carried){p, p, p};
        l->width[p] = 1.0;
    }
    for (int64_t k = 0; k < l->factors; k++)
        apply_factor(l, k);
    l->growth = 1.0;
    for (int p = 0; p < l->places; p++)
        l->growth = l->width[p] > l->growth ? l->width[p] : l->growth;
    find_reach(l);
}

static bool fits(hs_layers *l, const hs_train *above, int end, int size,
                 double most)
{
    hs_layers_plan(l, above, end - size, end);
    return l->growth <= most && l->reaches <= most;
}

void hs_layers_choose(hs_layers *l, const hs_train *above, int end, int guess,
                      double most)
{
    int low = 1, high = end + 1, size = guess < end ? guess : end;

    while (low + 1 < high) {
        size = size <= low ? low + 1 : size >= high ? high - 1 : size;
        if (fits(l, above, end, size, most)) {
            low = size;
            size = high > end ? 2 * size : (low + high) / 2;
            if (low == guess)
                size = low + 1; /* usually it ends here */
        } else {
            high = size;
            size = (low + high) / 2;
        }
    }
    hs_layers_plan(l, above, end - low, end);
}
