/* slice.c - prepares a layer for drawing: carried values and tables. */
#include "exact/network/slice.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

/* Positions of the values of a layer's variables at a site. */
struct walk {
    const hs_layers *l;
    const double *weight;
    int *stride;  /* owned, [dim]: stride of a variable carried to the left,
                     else 0 */
    int *onward;  /* owned, [dim]: likewise, to the right */
    int *carried; /* owned, [places]: variables carried to the left */
    int count;
};

void hs_slice_clear(hs_slice *s)
{
    for (int n = 0; n < s->sites; n++) {
        hs_slice_site *site = &s->site[n];

        for (int t = 0; t < site->tables; t++) {
            hs_free(site->table[t].offset);
            hs_free(site->table[t].variable);
            hs_free(site->table[t].stride);
        }
        hs_free(site->table);
        hs_free(site->next);
        hs_free(site->inner);
        hs_tensor_release(site->tensor);
    }
    hs_free(s->site);
    *s = (hs_slice){0};
}

/* Offset into a table: the sum of strides by value, at carried combination c
 * and own value o. */
static int64_t offset_at(const struct walk *w, int64_t factor, int own, int c,
                         int o)
{
    const hs_factors *f = w->l->f;
    int64_t entry = 0;

    for (int64_t i = f->scope_at[factor]; i < f->scope_at[factor + 1]; i++) {
        int v = f->scope[i], value = 0;

        if (v == own)
            value = o;
        else if (hs_layers_has(w->l, v))
            value = c / w->stride[v] % f->states[v];
        entry = entry * f->states[v] + value;
    }
    return entry;
}

/* Lists variables that were drawn before the layer, and their strides. */
static hiss_status list_others(const struct walk *w, int64_t factor,
                               hs_slice_table *t, hiss_error *err)
{
    const hs_factors *f = w->l->f;
    int64_t first = f->scope_at[factor], stride = 1;
    size_t size = (size_t)(f->scope_at[factor + 1] - first);

    t->variable = hs_alloc_array(size, sizeof *t->variable);
    t->stride = hs_alloc_array(size, sizeof *t->stride);
    if (!t->variable || !t->stride)
        return hs_fail_memory(err);
    for (int64_t i = f->scope_at[factor + 1]; i-- > first;) {
        int v = f->scope[i];

        if (!hs_layers_has(w->l, v)) {
            t->variable[t->others] = v;
            t->stride[t->others++] = stride;
        }
        stride *= f->states[v];
    }
    return HISS_OK;
}

/* Adds a factor whose last variable is that of the site. */
static hiss_status add_factor(const struct walk *w, hs_slice_site *site,
                              int64_t factor, hiss_error *err)
{
    const hs_factors *f = w->l->f;
    const double *entry = w->weight + f->table_at[factor];
    hs_slice_table *t = &site->table[site->tables];
    int count = site->width * site->states;

    site->tables++; /* count it now, so that it is freed on failure */
    HS_TRY(list_others(w, factor, t, err));
    t->weight = entry;
    t->offset = hs_alloc_array((size_t)count, sizeof *t->offset);
    t->is_own = true;
    if (!t->offset)
        return hs_fail_memory(err);
    for (int c = 0; c < site->width; c++)
        for (int o = 0; o < site->states; o++) {
            int64_t at = offset_at(w, factor, site->variable, c, o);

            t->offset[c * site->states + o] = at;
            t->is_own = t->is_own && at == t->offset[o];
        }
    if (t->others > 0)
        return HISS_OK;
    for (int n = 0; n < count; n++)
        site->inner[n] *= entry[t->offset[n]];
    hs_free(t->offset);
    hs_free(t->variable);
    hs_free(t->stride);
    *t = (hs_slice_table){0};
    site->tables--;
    return HISS_OK;
}

/* Whether p is the place of a factor's last variable of the layer and has one
 * of its variables. */
static bool is_applied(const struct walk *w, int64_t factor, int p)
{
    const hs_factors *f = w->l->f;

    if (w->l->home[factor] < w->l->first || w->l->home[factor] >= w->l->end)
        return false;
    for (int64_t i = f->scope_at[factor]; i < f->scope_at[factor + 1]; i++)
        if (hs_layers_has(w->l, f->scope[i]) &&
            w->l->carried[f->scope[i]].place > p)
            return false;
    return true;
}

/* Lists the variables carried behind place p, with their strides. */
static int carry_on(struct walk *w, int p, int variable)
{
    int width = 1, kept = 0;

    if (variable >= 0)
        w->carried[w->count++] = variable;
    for (int n = 0; n < w->count; n++) {
        int v = w->carried[n];

        w->onward[v] = 0;
        if (w->l->reach[v] <= p)
            continue;
        w->onward[v] = width;
        width *= w->l->f->states[v];
        w->carried[kept++] = v;
    }
    w->count = kept;
    return width;
}

static hiss_status set_tables(struct walk *w, hs_slice_site *site, int p,
                              hiss_error *err)
{
    const hs_layers *l = w->l;
    int v = site->variable;
    size_t most = (size_t)(l->touch_at[v + 1] - l->touch_at[v]);

    for (int n = 0; n < site->width * site->states; n++)
        site->inner[n] = 1.0;
    site->table = hs_alloc_array(most, sizeof *site->table);
    if (!site->table)
        return hs_fail_memory(err);
    for (int64_t k = l->touch_at[v]; k < l->touch_at[v + 1]; k++)
        if (is_applied(w, l->touch[k], p))
            HS_TRY(add_factor(w, site, l->touch[k], err));
    return HISS_OK;
}

/* Computes the combination carried on from a site, given the one carried to it
 * and its value. */
static void set_next(const struct walk *w, hs_slice_site *site,
                     const int *before, int count)
{
    const int *states = w->l->f->states;

    for (int c = 0; c < site->width; c++)
        for (int o = 0; o < site->states; o++) {
            int *to = &site->next[c * site->states + o];

            *to = site->is_drawn ? w->onward[site->variable] * o : 0;
            for (int n = 0; n < count; n++)
                *to += w->onward[before[n]] *
                       (c / w->stride[before[n]] % states[before[n]]);
        }
}

static hiss_status set_site(struct walk *w, hs_slice_site *site, int p,
                            int *before, hiss_error *err)
{
    int count = w->count;

    memcpy(before, w->carried, (size_t)count * sizeof *before);
    site->next = hs_alloc_array((size_t)site->width * (size_t)site->states,
                                sizeof *site->next);
    site->inner = hs_alloc_array((size_t)site->width * (size_t)site->states,
                                 sizeof *site->inner);
    if (!site->next || !site->inner)
        return hs_fail_memory(err);
    if (site->is_drawn) {
        w->onward[site->variable] = 0;
        HS_TRY(set_tables(w, site, p, err));
    }
    site->next_width = carry_on(w, p, site->is_drawn ? site->variable : -1);
    set_next(w, site, before, count);
    for (int n = 0; n < w->count; n++)
        w->stride[w->carried[n]] = w->onward[w->carried[n]];
    return HISS_OK;
}

static void measure(hs_slice *s)
{
    s->first = s->sites;
    s->last = -1;
    s->side = s->most = 1;
    for (int n = 0; n < s->sites; n++) {
        const hs_slice_site *site = &s->site[n];
        int wide = site->left > site->right ? site->left : site->right;
        double size = (double)site->left * site->right * site->states;

        if (site->is_drawn) {
            s->first = n < s->first ? n : s->first;
            s->last = n;
        }
        s->side = wide > s->side ? wide : s->side;
        s->most = site->states > s->most ? site->states : s->most;
        s->rows += (size_t)site->width * (size_t)site->left;
        s->weights += (size_t)site->width * (size_t)site->states;
        if (site->tensor)
            s->work +=
                size * (1.0 + site->next_width / (site->next_width > site->width
                                                      ? (double)site->states
                                                      : 1.0));
    }
    s->rows++;
}

static hiss_status set_sites(hs_slice *s, struct walk *w, const hs_train *above,
                             int *before, hiss_error *err)
{
    int bond = 1, width = 1;

    for (int p = 0; p < w->l->places; p++) {
        const hs_layer_place *place = &w->l->place[p];
        hs_slice_site *site = &s->site[s->sites];

        if (place->above < 0)
            continue;
        *site = (hs_slice_site){.variable = place->above,
                                .states = w->l->f->states[place->above],
                                .is_drawn = hs_layers_has(w->l, place->above),
                                .left = bond,
                                .right = bond,
                                .width = width};
        if (place->site >= 0) {
            site->tensor = above->site[place->site].tensor;
            site->tensor->holders++;
            site->right = bond = site->tensor->right;
        }
        s->sites++;
        HS_TRY(set_site(w, site, p, before, err));
        width = site->next_width;
    }
    measure(s);
    return HISS_OK;
}

hiss_status hs_slice_init(hs_slice *s, const hs_layers *l, const double *weight,
                          const hs_train *above, hiss_error *err)
{
    struct walk w = {.l = l, .weight = weight};
    size_t dim = (size_t)l->f->dim, places = (size_t)l->places + 1;
    int *before = hs_alloc_array(places, sizeof *before);
    hiss_status rc = HISS_OK;

    *s = (hs_slice){0};
    w.stride = hs_alloc_array(dim, sizeof *w.stride);
    w.onward = hs_alloc_array(dim, sizeof *w.onward);
    w.carried = hs_alloc_array(places, sizeof *w.carried);
    s->site = hs_alloc_array(places, sizeof *s->site);
    if (!before || !w.stride || !w.onward || !w.carried || !s->site)
        rc = hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = set_sites(s, &w, above, before, err);
    hs_free(before);
    hs_free(w.stride);
    hs_free(w.onward);
    hs_free(w.carried);
    if (rc != HISS_OK)
        hs_slice_clear(s);
    return rc;
}
