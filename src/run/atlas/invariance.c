/* invariance.c - which marginals a symmetry of the model fixes. */
#include "run/atlas/invariance.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/sets.h"

#define ROUNDING 1e-5f /* precision: of |U|, some of it summed in float */
#define SEED     UINT64_C(0x5e3d79b185ebca87) /* seed: any number */
#define PARTS    64 /* capacity: connected parts that are tried alone */

enum {
    SETS = 2 /* sets of sixteen states: random ones, and draws */
};

struct attempt {
    const hs_model *m;
    hs_invariance *out;
    hs_point at[SETS]; /* owned: the states, with their U */
    hs_point moved;    /* owned */
    int *part;         /* owned, [dim] */
};

/* --- states ------------------------------------------------------------- */

static void set_random(const hs_domain *d, hs_point *p)
{
    for (int i = 0; i < d->dim; i++)
        for (uint32_t l = 0; l < HS_LANES; l++)
            p->x[i][l] = (int16_t)hs_below(
                hs_rng_word(SEED, l, 0, 0, HS_DRAW_INIT, (uint32_t)i),
                d->states[i]);
}

static void set_draws(const hs_domain *d, const hs_store *s, int64_t samples,
                      double *values, int16_t *state, hs_point *p)
{
    int64_t total = s->chains * samples;

    for (int l = 0; l < HS_LANES; l++) {
        int64_t n = l * total / HS_LANES;

        hs_store_state(s, d, (int)(n / samples), n % samples, values, state);
        hs_point_write(p, d->dim, l, state);
    }
}

static hiss_status start(struct attempt *t, const hs_store *s, int64_t samples,
                         hiss_error *err)
{
    const hs_domain *d = &t->m->domain;
    double *values = hs_alloc_array((size_t)d->dim, sizeof *values);
    int16_t *state = hs_alloc_array((size_t)d->dim, sizeof *state);
    hiss_status rc = values && state ? HISS_OK : hs_fail_memory(err);

    for (int n = 0; rc == HISS_OK && n < SETS; n++)
        rc = hs_point_init(&t->at[n], t->m, err);
    if (rc == HISS_OK)
        rc = hs_point_init(&t->moved, t->m, err);
    if (rc == HISS_OK) {
        set_random(d, &t->at[0]);
        set_draws(d, s, samples, values, state, &t->at[1]);
    }
    for (int n = 0; rc == HISS_OK && n < SETS; n++)
        rc = hs_model_evaluate(t->m, &t->at[n], HS_U);
    hs_free(values);
    hs_free(state);
    return rc;
}

/* --- trying ------------------------------------------------------------- */

static bool is_moved(const struct attempt *t, int i, int part, bool flips)
{
    const hs_domain *d = &t->m->domain;

    if (part >= 0 && t->part[i] != part)
        return false;
    return flips ? d->states[i] == 2
                 : d->states[i] > 2 && hs_kind_is_label(d->kind[i]);
}

static bool is_equal(double a, double b)
{
    return a == b || fabs(a - b) <= (double)ROUNDING * (1.0 + fabs(a));
}

/* Returns true if renaming the values in a circle leaves U unchanged, in one
 * part (-1: in all). */
static hiss_status holds(struct attempt *t, int part, bool flips, bool *is_so)
{
    const hs_domain *d = &t->m->domain;
    int moved = 0;

    *is_so = false;
    for (int n = 0; n < SETS; n++) {
        for (int i = 0; i < d->dim; i++) {
            int step = is_moved(t, i, part, flips);

            moved += step;
            for (int l = 0; l < HS_LANES; l++)
                t->moved.x[i][l] =
                    (int16_t)((t->at[n].x[i][l] + step) % d->states[i]);
        }
        if (moved == 0)
            return HISS_OK;
        t->moved.have = 0;
        HS_TRY(hs_model_evaluate(t->m, &t->moved, HS_U));
        for (int l = 0; l < HS_LANES; l++)
            if (!is_equal(t->at[n].u[l], t->moved.u[l]))
                return HISS_OK;
    }
    *is_so = true;
    return HISS_OK;
}

static hiss_status try_part(struct attempt *t, int part, hiss_error *err)
{
    hs_invariance *out = t->out;

    for (int k = 0; k < 2; k++) {
        bool flips = k == 0, is_so;
        hiss_status rc = holds(t, part, flips, &is_so);

        if (rc != HISS_OK)
            return hs_fail(err, rc, "model %s: %s", t->m->name,
                           hiss_status_text(rc));
        if (!is_so)
            continue;
        out->flips = out->flips || flips;
        out->renames = out->renames || !flips;
        for (int i = 0; i < t->m->domain.dim; i++)
            if (is_moved(t, i, part, flips))
                out->is_fixed[i] = true;
    }
    return HISS_OK;
}

/* --- parts -------------------------------------------------------------- */

/* Numbers the connected parts from 0; returns how many there are. */
static int find_parts(const hs_factors *f, int *part, int32_t *up)
{
    int parts = 0;

    for (int i = 0; i < f->dim; i++)
        up[i] = i;
    for (int64_t n = 0; n < f->count; n++)
        for (int64_t k = f->scope_at[n] + 1; k < f->scope_at[n + 1]; k++)
            hs_sets_join(up, f->scope[k], f->scope[k - 1]);
    for (int i = 0; i < f->dim; i++)
        if (up[i] == i)
            part[i] = parts++;
    for (int i = 0; i < f->dim; i++)
        part[i] = part[hs_sets_find(up, i)];
    return parts;
}

static hiss_status try_parts(struct attempt *t, const hs_factors *f,
                             hiss_error *err)
{
    int32_t *up = hs_alloc_array((size_t)f->dim, sizeof *up);
    hiss_status rc = up ? HISS_OK : hs_fail_memory(err);
    int parts = rc == HISS_OK ? find_parts(f, t->part, up) : 0;

    hs_free(up);
    for (int k = 0; rc == HISS_OK && parts > 1 && k < parts && k < PARTS; k++)
        rc = try_part(t, k, err);
    return rc;
}

hiss_status hs_invariance_init(hs_invariance *v, const hs_model *m,
                               const hs_factors *f, const hs_store *store,
                               int64_t samples, hiss_error *err)
{
    struct attempt t = {.m = m, .out = v};
    int dim = m->domain.dim;
    hiss_status rc = HISS_OK;

    *v = (hs_invariance){0};
    v->is_fixed = hs_alloc_array((size_t)dim, sizeof *v->is_fixed);
    t.part = hs_alloc_array((size_t)dim, sizeof *t.part);
    if (!v->is_fixed || !t.part)
        rc = hs_fail_memory(err);
    if (rc == HISS_OK && !m->domain.is_tour && samples > 0) {
        rc = start(&t, store, samples, err);
        if (rc == HISS_OK)
            rc = try_part(&t, -1, err);
        if (rc == HISS_OK && f && !v->flips)
            rc = try_parts(&t, f, err);
    }
    for (int i = 0; rc == HISS_OK && i < dim; i++) {
        v->fixed += v->is_fixed[i];
        v->open += !v->is_fixed[i] && m->domain.states[i] > 1;
    }
    for (int n = 0; n < SETS; n++)
        hs_point_clear(&t.at[n]);
    hs_point_clear(&t.moved);
    hs_free(t.part);
    if (rc != HISS_OK)
        hs_invariance_clear(v);
    return rc;
}

void hs_invariance_clear(hs_invariance *v)
{
    hs_free(v->is_fixed);
    *v = (hs_invariance){0};
}
