/* eliminate.c - the train below a layer, with the layer's variables summed
 * out.
 *
 * At every place the new tensor is a sum over the values of the variables known
 * there, its own and the carried ones: blocks of the old tensor, times the
 * tables applied there, at the positions of the carried values in the two new
 * bonds. */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "exact/network/layer.h"

enum {
    KNOWN_MAX = 24 /* variables at a place: a bond grows by 2^20 at most */
};

/* A variable at a place, and the strides of its value. */
struct known {
    int variable, states;
    int64_t left, right, below, above;
};

struct spot {
    const hs_layers *l;
    const double *weight; /* entries of all tables, borrowed */
    struct known known[KNOWN_MAX];
    int count;
    int left, right; /* growth of its bonds */
    int64_t *at;     /* owned: factors by place */
    int64_t *start;  /* owned, [places + 2]: start of each place's list */
};

static hiss_status sort_factors(struct spot *s, const hs_layers *l,
                                hiss_error *err)
{
    s->start = hs_alloc_array((size_t)l->places + 2, sizeof *s->start);
    s->at = hs_alloc_array((size_t)l->factors, sizeof *s->at);
    if (!s->start || !s->at)
        return hs_fail_memory(err);
    for (int64_t k = 0; k < l->factors; k++)
        s->start[l->applied[k] + 2]++;
    for (int p = 1; p <= l->places; p++)
        s->start[p + 1] += s->start[p];
    return HISS_OK;
}

/* Adds a variable, or strides to a variable already present. */
static struct known *know(struct spot *s, int variable)
{
    for (int i = 0; i < s->count; i++)
        if (s->known[i].variable == variable)
            return &s->known[i];
    s->known[s->count] = (struct known){.variable = variable,
                                        .states = s->l->f->states[variable]};
    return &s->known[s->count++];
}

/* Lists the variables at place p: all whose path leads through it. */
static bool find_known(struct spot *s, const int *near, int nears, int p)
{
    const hs_layer_place *place = &s->l->place[p];

    s->count = 0;
    s->left = s->right = 1;
    for (int i = 0; i < nears; i++) {
        const hs_carried *c = &s->l->carried[near[i]];

        if (c->from > p || c->to < p)
            continue;
        if (s->count > KNOWN_MAX - 3)
            return false;
        if (c->from < p) {
            know(s, near[i])->left = s->left;
            s->left *= s->l->f->states[near[i]];
        }
        if (c->to > p) {
            know(s, near[i])->right = s->right;
            s->right *= s->l->f->states[near[i]];
        }
    }
    if (place->above >= 0)
        know(s, place->above)->above = 1;
    if (place->below >= 0)
        know(s, place->below)->below = 1;
    return true;
}

/* Product of the tables applied here, at these values. */
static double tables_at(const struct spot *s, int p, const int *value)
{
    const hs_factors *f = s->l->f;
    double product = 1.0;

    for (int64_t n = s->start[p]; n < s->start[p + 1]; n++) {
        int64_t k = s->at[n], entry = 0;

        for (int64_t i = f->scope_at[k]; i < f->scope_at[k + 1]; i++)
            for (int j = 0; j < s->count; j++)
                if (s->known[j].variable == f->scope[i])
                    entry = entry * s->known[j].states + value[j];
        product *= s->weight[f->table_at[k] + entry];
    }
    return product;
}

/* Adds a block of the old tensor, or of the identity. */
static void add_block(hs_tensor *made, const hs_tensor *old, int bond,
                      double factor, const int64_t *at)
{
    int left = old ? old->left : bond, right = old ? old->right : bond;
    int64_t above = at[0], below = at[1];

    for (int x = 0; x < left; x++) {
        double *to = made->a +
                     ((at[2] * left + x) * made->states + below) * made->right +
                     at[3] * right;
        const double *from;

        if (!old) {
            to[x] += factor;
            continue;
        }
        from = old->a + ((size_t)x * (size_t)old->states + (size_t)above) *
                            (size_t)right;
        for (int y = 0; y < right; y++)
            to[y] += factor * from[y];
    }
}

static void fill(struct spot *s, int p, const hs_tensor *old, int bond,
                 hs_tensor *made)
{
    int value[KNOWN_MAX] = {0}, i;

    do {
        int64_t at[4] = {0};
        double factor = tables_at(s, p, value);

        for (i = 0; i < s->count; i++) {
            at[0] += s->known[i].above * value[i];
            at[1] += s->known[i].below * value[i];
            at[2] += s->known[i].left * value[i];
            at[3] += s->known[i].right * value[i];
        }
        if (factor != 0.0)
            add_block(made, old, bond, factor, at);
        for (i = 0; i < s->count && ++value[i] == s->known[i].states; i++)
            value[i] = 0;
    } while (i < s->count);
}

/* Lists the variables that are carried, or are placed near p: those of the
 * layer's tables. */
static int list_carried(const hs_layers *l, int *out)
{
    int count = 0;

    for (int p = 0; p < l->places; p++) {
        int both[2] = {l->place[p].above, l->place[p].below};

        for (int k = 0; k < 2; k++) {
            int v = both[k];

            if (v < 0 || (k == 1 && v == both[0]))
                continue;
            if (l->carried[v].from < l->carried[v].to)
                out[count++] = v;
        }
    }
    return count;
}

/* Whether the tensor at p is unchanged. */
static bool is_untouched(const struct spot *s, int p)
{
    const hs_layer_place *place = &s->l->place[p];

    return place->site >= 0 && place->above == place->below && s->left == 1 &&
           s->right == 1 && s->start[p] == s->start[p + 1];
}

static hiss_status make_site(struct spot *s, int p, int bond,
                             const hs_train *above, hs_train *below,
                             hiss_error *err)
{
    const hs_layer_place *place = &s->l->place[p];
    hs_tensor *old = place->site >= 0 ? above->site[place->site].tensor : NULL,
              *made;
    int left = old ? old->left : bond, right = old ? old->right : bond;

    if (is_untouched(s, p)) {
        old->holders++;
        return hs_train_append(below, place->below, old, err);
    }
    below->left_upto =
        below->count < below->left_upto ? below->count : below->left_upto;
    below->right_from = below->count;
    HS_TRY(
        hs_tensor_create(&made, left * s->left,
                         place->below >= 0 ? s->l->f->states[place->below] : 1,
                         right * s->right, err));
    fill(s, p, old, bond, made);
    return hs_train_append(below, place->below, made, err);
}

static hiss_status make_sites(struct spot *s, const int *carried, int count,
                              const hs_train *above, hs_train *below,
                              hiss_error *err)
{
    const hs_layers *l = s->l;
    int bond = 1, seen = 0;

    for (int p = 0; p < l->places; p++) {
        const hs_layer_place *place = &l->place[p];

        if (!find_known(s, carried, count, p))
            return hs_fail(err, HISS_ENOMEM,
                           "a table of too many variables for a network");
        HS_TRY(make_site(s, p, bond, above, below, err));
        if (place->site >= 0) {
            bond = above->site[place->site].tensor->right;
            seen++;
            if (place->site == above->left_upto)
                below->left_upto = below->left_upto < below->count - 1
                                       ? below->left_upto
                                       : below->count - 1;
            if (place->site == above->right_from &&
                below->right_from < below->count - 1)
                below->right_from = below->count - 1;
        }
    }
    return HISS_OK;
}

hiss_status hs_layers_eliminate(const hs_layers *l, const double *weight,
                                const hs_train *above, hs_train *below,
                                hiss_error *err)
{
    struct spot s = {.l = l, .weight = weight};
    int *carried = hs_alloc_array((size_t)l->places, 2 * sizeof *carried);
    hiss_status rc = carried ? sort_factors(&s, l, err) : hs_fail_memory(err);

    *below = (hs_train){.log_scale = above->log_scale,
                        .left_upto = l->places,
                        .right_from = -1};
    if (rc == HISS_OK) {
        for (int64_t k = 0; k < l->factors; k++)
            s.at[s.start[l->applied[k] + 1]++] = l->factor[k];
        rc = make_sites(&s, carried, list_carried(l, carried), above, below,
                        err);
    }
    hs_free(carried);
    hs_free(s.at);
    hs_free(s.start);
    if (rc != HISS_OK)
        hs_train_clear(below);
    return rc;
}
