/* potts.c - heat baths of a Potts model, corrected by weights of U.
 *
 * With equal couplings J > 0 a value c of site i has the weight
 *     E^n_c = 1 + (E^n_c - 1),  E = e^(beta J), n_c neighbors that have it:
 * the 1 of every value stands for a uniform draw, and the n_c neighbors with c
 * share the rest, (E^n - 1) / n each. So the cost of a draw depends on the
 * number of neighbors and not on that of values.
 *
 * U changes by J times a whole number.  While U stays in its cell of w, ln h is
 * linear; a lane whose proposal leaves the cell reads w from the table. */
#include <math.h>

#include "lanes/lanes.h"
#include "lanes/vec/philox.h"
#include "lanes/vec/vec.h"

#define FAR (1 << 28) /* U never changes by this many units */

void HS_NAME(weighted_potts)(const hs_sparse *j, int states,
                             const hs_weighted *w, int16_t (*x)[HS_LANES],
                             double *u, double *changed);

typedef struct sweeper {
    const hs_sparse *j;
    const hs_weighted *w;
    int16_t (*x)[HS_LANES];
    int states, l;
    vf share[HS_WEIGHTED_DEGREE + 1];        /* (E^n - 1) / n */
    double start[HS_WIDTH];                  /* U before the sweep */
    int32_t gain[HS_WIDTH];                  /* since then, in units of J */
    int32_t least[HS_WIDTH], most[HS_WIDTH]; /* in this cell */
    float slope[HS_WIDTH];                   /* slope of ln h in this cell,
                                                times J */
    vi changed;
} sweeper;

HS_INLINE double u_of(const sweeper *s, int lane, int32_t gain)
{
    return s->start[lane] + (double)s->j->uniform * gain;
}

static int cell_of(const hs_weighted *w, double u)
{
    double at = (u - w->low) / w->width;

    return at >= w->cells - 1 ? w->cells - 1 : at >= 1.0 ? (int)at : 0;
}

/* Rounds a to a whole number within [-FAR, FAR]. */
static int32_t whole(double a)
{
    return a > -FAR ? a < FAR ? (int32_t)a : FAR : -FAR;
}

/* Finds the cell of w of a lane. */
static __attribute__((noinline)) void place(sweeper *s, int lane)
{
    const hs_weighted *w = s->w;
    int l = s->l + lane, c;
    double j = (double)s->j->uniform, from = -HUGE_VAL, to = HUGE_VAL;

    s->least[lane] = -FAR;
    s->most[lane] = FAR;
    s->slope[lane] = 0.0f;
    if (w->is_target[l])
        return;
    c = cell_of(w, u_of(s, lane, s->gain[lane]));
    if (c > 0)
        from = w->low + w->width * c;
    if (c < w->cells - 1)
        to = w->low + w->width * (c + 1);
    from = from > w->from[l] ? from : w->from[l];
    to = to < w->to[l] ? to : w->to[l];
    s->least[lane] = whole(ceil((from - s->start[lane]) / j));
    s->most[lane] = whole(floor((to - s->start[lane]) / j));
    s->slope[lane] = (float)((w->slope[c] - (double)w->beta[l]) * j);
}

static double log_h(const sweeper *s, int lane, double u)
{
    const hs_weighted *w = s->w;
    int c = cell_of(w, u);

    return w->at[c] + w->slope[c] * (u - (w->low + w->width * c)) -
           (double)w->beta[s->l + lane] * u;
}

/* ln of the ratio of h, outside of the linear cell. */
static __attribute__((noinline)) float ratio_of(const sweeper *s, int lane,
                                                int32_t gain)
{
    double u = u_of(s, lane, gain);
    int l = s->l + lane;

    if (u < s->w->from[l] || u > s->w->to[l])
        return -INFINITY;
    return (float)(log_h(s, lane, u) -
                   log_h(s, lane, u_of(s, lane, s->gain[lane])));
}

/* Draws a value by heat bath from n neighbors y. */
HS_INLINE vi draw(const sweeper *s, const vi *y, int n, vf uniform)
{
    vi count[HS_WEIGHTED_DEGREE], to;
    vf upto[HS_WEIGHTED_DEGREE + 1], goal;

    for (int k = 0; k < n; k++)
        count[k] = vi_set(1);
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            vi same = vi_of(vi_equal(y[k], y[i]));

            count[k] = count[k] + same;
            count[i] = count[i] + same;
        }
    upto[0] = vf_set((float)s->states);
    for (int k = 0; k < n; k++) {
        vf share = s->share[1];

        for (int c = 2; c <= n; c++)
            share =
                vf_select(vi_equal(count[k], vi_set(c)), s->share[c], share);
        upto[k + 1] = upto[k] + share;
    }
    goal = vf_min(uniform, vf_set(0x1.fffffep-1f)) * upto[n];
    to = __builtin_convertvector(vf_min(goal, vf_set((float)s->states - 0.5f)),
                                 vi);
    for (int k = 0; k < n; k++)
        to = vi_select(vf_at_most(upto[k], goal), y[k], to);
    return to;
}

/* Looks up w for lanes whose proposals leave their cells, where `out` is -1. */
static __attribute__((noinline)) void look_up(const sweeper *s,
                                              const int32_t *out,
                                              const int32_t *gain, float *ratio)
{
    for (int k = 0; k < HS_WIDTH; k++)
        if (out[k])
            ratio[k] = ratio_of(s, k, gain[k]);
}

static __attribute__((noinline)) void move_on(sweeper *s, const int32_t *out,
                                              const int32_t *accepted)
{
    for (int k = 0; k < HS_WIDTH; k++)
        if (out[k] && accepted[k])
            place(s, k);
}

HS_INLINE vi load(const int32_t *p)
{
    vi v;

    memcpy(&v, p, sizeof v);
    return v;
}

HS_INLINE void visit(sweeper *s, int i, int n, vu propose, vu decide)
{
    const int *c = s->j->column + s->j->start[i];
    int16_t *at = &s->x[i][s->l];
    vi y[HS_WEIGHTED_DEGREE], from = vi_load_index(at), to, rise = vi_set(0);
    vi gain, next;
    vf ratio;
    vm is_out, accept;
    int any;

    for (int k = 0; k < n; k++)
        y[k] = vi_load_index(&s->x[c[k]][s->l]);
    to = draw(s, y, n, vf_uniform(propose));
    for (int k = 0; k < n; k++)
        rise = rise + vi_of(vi_equal(y[k], to)) - vi_of(vi_equal(y[k], from));
    gain = load(s->gain);
    next = gain + rise;
    ratio = vf_of(rise) * vf_load(s->slope);
    is_out = vi_less(next, load(s->least)) | vi_less(load(s->most), next);
    any = vm_differ(is_out, vm_all(0));
    if (any) {
        int32_t out[HS_WIDTH], to_gain[HS_WIDTH];
        vi flags = vi_of(is_out);
        float value[HS_WIDTH];

        memcpy(out, &flags, sizeof out);
        memcpy(to_gain, &next, sizeof to_gain);
        vf_store(value, ratio);
        look_up(s, out, to_gain, value);
        ratio = vf_load(value);
    }
    accept = vf_at_most(vf_uniform(decide),
                        vf_exp_negative(vf_min(ratio, vf_set(0.0f))));
    to = vi_select(accept, to, from);
    next = vi_select(accept, next, gain);
    memcpy(s->gain, &next, sizeof s->gain);
    s->changed = s->changed + 1 - vi_of(vi_equal(to, from));
    vi_store_index(at, to);
    if (any) {
        int32_t out[HS_WIDTH], accepted[HS_WIDTH];
        vi flags = vi_of(is_out), yes = vi_of(accept);

        memcpy(out, &flags, sizeof out);
        memcpy(accepted, &yes, sizeof accepted);
        move_on(s, out, accepted);
    }
}

HS_INLINE void visit_any(sweeper *s, int i, vu propose, vu decide)
{
    int n = (int)(s->j->start[i + 1] - s->j->start[i]);

    if (n == 4)
        visit(s, i, 4, propose, decide);
    else if (n == 6)
        visit(s, i, 6, propose, decide);
    else
        visit(s, i, n, propose, decide);
}

static void begin(sweeper *s, const double *u)
{
    vf beta = vf_load(s->w->beta + s->l);
    vf e = vf_exp(beta * s->j->uniform), power = e;

    for (int n = 1; n <= HS_WEIGHTED_DEGREE; n++) {
        s->share[n] = (power - 1.0f) / vf_set((float)n);
        power = power * e;
    }
    s->changed = vi_set(0);
    for (int k = 0; k < HS_WIDTH; k++) {
        s->start[k] = u[s->l + k];
        s->gain[k] = 0;
        place(s, k);
    }
}

void HS_NAME(weighted_potts)(const hs_sparse *j, int states,
                             const hs_weighted *w, int16_t (*x)[HS_LANES],
                             double *u, double *changed)
{
    HS_EACH_PART(l)
    {
        philox_at first = philox_begin(w->rng, HS_DRAW_PROPOSE, l, NULL);
        philox_at second = philox_begin(w->rng, HS_DRAW_SCALE, l, NULL);
        sweeper s = {.j = j, .w = w, .x = x, .states = states, .l = l};

        begin(&s, u);
        for (int n = 0; n < w->visits; n += 4) {
            vu propose[4], decide[4];

            philox_twice(&first, (uint32_t)n / 4, propose, &second,
                         (uint32_t)n / 4, decide);
            for (int k = 0; k < 4 && n + k < w->visits; k++)
                visit_any(&s, w->site ? w->site[n + k] : n + k, propose[k],
                          decide[k]);
        }
        for (int k = 0; k < HS_WIDTH; k++)
            u[l + k] = u_of(&s, k, s.gain[k]);
        vd_accumulate(changed + l, vf_of(s.changed));
    }
}
