/* regular_tilt.c - the Langevin proposal under HiSS's noise, on a regular graph
 * without a preferred direction.
 *
 * There the logit of a flip is z_k + (phi(other) - phi(x)) / 2, where k counts
 * the neighbors that are like the site.  Both parts are kept as factors: a
 * table of t_k = e^-|z_k|, and d of hs_noise.  With m / b the factor of phi,
 *     m = sqrt(c), b = d   where the site is as it was when the noise came,
 *     m = d, b = sqrt(c)   where it is not,
 * a flip has odds t m : b (z_k < 0) or m : t b, and
 *     ln(1 + e^z) = ln(sum of the two) - ln b + max(z_k, 0),
 * so there is neither an exponential nor a logarithm per site: products of
 * CHUNK sites take one, and every GROUP sites their powers of 2 are put aside.
 * c >= e^-4 (HS_TILT_MOST) keeps them normal until then. */
#include <stdbool.h>

#include "lanes/regular/regular.h"
#include "lanes/regular/rows.h"

#define GROUP 16 /* sites of two blocks of words */
#define CHUNK 1024

void HS_NAME(regular_tilt_propose)(const hs_regular *g, const hs_dlp *d,
                                   const hs_byte_row *x, hs_byte_row *y,
                                   double *spread);
void HS_NAME(regular_tilt_spread)(const hs_regular *g, const hs_dlp *d,
                                  const hs_byte_row *x, double *spread,
                                  double *u);

/* Constants of the lanes from l on. */
typedef struct law {
    const hs_regular *g;
    const hs_dlp *d;
    vf t[HS_COUNTS];    /* e^-|z_k| */
    vf rise[HS_COUNTS]; /* max(z_k, 0) */
    vf row;             /* lane k has t[k], if all lanes share them */
    vf root;
    int l;
} law;

/* Data of a site: odds part : whole - part of a flip, b, and max(z, 0). */
typedef struct odds {
    vf part, whole, b, rise;
} odds;

/* Products without their powers of 2, and these powers for whole / b. */
typedef struct sums {
    vf whole, b;
    vi power;
    vf rise;
} sums;

/* z_k, as in odds.c */
HS_INLINE vf logit(const hs_regular *g, const hs_dlp *d, int k, int l)
{
    float gap = d->domain->gap;
    vf pull = vf_load(d->balance + l) * vf_load(d->beta + l) * gap;
    vf still = vf_load(d->stiffness + l) * (gap * gap);

    return -(pull * regular_row(g, vf_set((float)k))) - still;
}

HS_INLINE law law_of(const hs_regular *g, const hs_dlp *d, int l)
{
    law a = {.g = g, .d = d, .root = vf_load(d->root + l), .l = l};

    for (int k = 0; k <= g->degree; k++) {
        vf z = logit(g, d, k, l);

        a.t[k] = vf_exp_negative(-vf_abs(z));
        a.rise[k] = vf_max(z, vf_set(0.0f));
        if (k < HS_WIDTH)
            a.row[k] = a.t[k][0];
    }
    return a;
}

/* Whether a flip can be more likely than not without the noise: z_k is largest
 * if k is 0 or the degree. */
static bool can_rise(const hs_regular *g, const hs_dlp *d)
{
    vm any = vm_all(0);

    HS_EACH_PART(l)
    {
        vf z = vf_max(logit(g, d, 0, l), logit(g, d, g->degree, l));

        any = any | vf_less(vf_set(0.0f), z);
    }
    return vm_differ(any, vm_all(0));
}

/* table[k] in every lane, or row[k] if all lanes share the table. */
HS_INLINE vf entry_of(const vf *table, vf row, int entries, bool shared, vi k)
{
    vf at = table[0];

#if defined(__AVX512F__)
    if (shared)
        return (vf)_mm512_permutexvar_ps((__m512i)k, (__m512)row);
#elif defined(__AVX2__)
    if (shared)
        return (vf)_mm256_permutevar8x32_ps((__m256)row, (__m256i)k);
#endif
    (void)row;
    (void)shared;
    for (int e = 1; e < entries; e++)
        at = vf_select(vi_equal(k, vi_set(e)), table[e], at);
    return at;
}

HS_INLINE odds odds_of(const law *a, int degree, bool shared, bool rises, int i,
                       vbyte x, vbyte alike)
{
    vi k = vi_of_byte(alike, a->l);
    vf t = entry_of(a->t, a->row, degree + 1, shared, k);
    vf d = vf_load(&a->d->factor[i][a->l]);
    vm moved = vm_of_byte(x ^ vbyte_load(a->d->was[i]), a->l);
    vf m = vf_select(moved, d, a->root);
    odds o = {.b = vf_select(moved, a->root, d)};
    vf rest = o.b;
    vm up;

    o.part = t * m;
    if (rises) {
        o.rise = entry_of(a->rise, a->row, degree + 1, false, k);
        up = vf_less(vf_set(0.0f), o.rise);
        o.part = vf_select(up, m, o.part);
        rest = vf_select(up, t * o.b, rest);
    }
    o.whole = o.part + rest;
    return o;
}

HS_INLINE void add(sums *s, bool rises, const odds *o)
{
    s->whole = s->whole * o->whole;
    s->b = s->b * o->b;
    if (rises)
        s->rise = s->rise + o->rise;
}

HS_INLINE sums nothing(void)
{
    return (sums){vf_set(1.0f), vf_set(1.0f), {0}, vf_set(0.0f)};
}

/* Restores 1 <= whole, b < 2. */
HS_INLINE void normalize(sums *s)
{
    const int mantissa = 0x007fffff, one = 0x3f800000;

    s->power = s->power + (((vi)s->whole >> 23) - ((vi)s->b >> 23));
    s->whole = (vf)(((vi)s->whole & mantissa) | one);
    s->b = (vf)(((vi)s->b & mantissa) | one);
}

/* Adds ln(whole / b) and the rises to p. */
HS_INLINE void finish(const sums *s, double *p)
{
    const double ln2 = 0x1.62e42fefa39efp-1;
    vd power = vd_of(vf_of(s->power)), sum = vd_load(p);

    sum = vd_add(sum, (vd){power.low * ln2, power.high * ln2});
    sum = vd_add(sum, vd_of(vf_log_normal(s->whole) - vf_log_normal(s->b)));
    vd_store(p, vd_add(sum, vd_of(s->rise)));
}

/* Proposes sites first <= i < last, at most GROUP. */
HS_INLINE void propose_group(const law *a, int degree, bool shared, bool rises,
                             const coin *c, int first, int last,
                             const hs_byte_row *x, hs_byte_row *y, sums *s)
{
    uint32_t block = (uint32_t)first / 8;
    vu words[2][4];
    int i = first;

    philox_twice(&c->at, block, words[0], &c->at, block + 1, words[1]);
    for (; i + HS_BATCH <= last; i += HS_BATCH) {
        vf part[HS_BATCH], whole[HS_BATCH];
        hs_byte_row alike[HS_ROWS];
        vbyte here[HS_BATCH];
        vm flip[HS_BATCH];

        entries_of(a->g, degree, true, i, x, alike);
        HS_EACH_BATCH(b)
        {
            odds o;

            here[b] = vbyte_load(x[i + b]);
            o = odds_of(a, degree, shared, rises, i + b, here[b],
                        vbyte_load(alike[b]));
            part[b] = o.part;
            whole[b] = o.whole;
            add(s, rises, &o);
        }
        coin_toss_batch(c, words[(i - first) / 8], i, part, whole, flip);
        HS_EACH_BATCH(b)
        bytes_flip(y[i + b], here[b], a->l, flip[b]);
    }
    for (; i < last; i++) {
        vbyte here = vbyte_load(x[i]);
        odds o = odds_of(a, degree, shared, rises, i, here,
                         entry_of_row(a->g, degree, true, i, x));
        vi flip = coin_toss(c, words[(i - first) / 8], i, o.part, o.whole);

        add(s, rises, &o);
        bytes_flip(y[i], here, a->l, vm_of(flip));
    }
}

/* Inlined with constants of the caller; unused results are not computed. */
HS_INLINE void propose(const hs_regular *g, int degree, bool shared, bool rises,
                       bool wants_spread, const hs_dlp *d, const hs_byte_row *x,
                       hs_byte_row *y, double *spread, int l)
{
    law a = law_of(g, d, l);
    philox_ahead ahead;
    coin c = coin_begin(d->rng, HS_DRAW_PROPOSE, l, &ahead);
    sums s = nothing();

    for (int i = 0; i < g->dim; i += GROUP) {
        int end = g->dim - i < GROUP ? g->dim : i + GROUP;

        propose_group(&a, degree, shared, rises, &c, i, end, x, y, &s);
        if (!wants_spread)
            continue;
        normalize(&s);
        if ((i + GROUP) % CHUNK == 0 || end == g->dim) {
            finish(&s, spread + l);
            s = nothing();
        }
    }
}

void HS_NAME(regular_tilt_propose)(const hs_regular *g, const hs_dlp *d,
                                   const hs_byte_row *x, hs_byte_row *y,
                                   double *spread)
{
    bool shared = regular_is_shared(d), rises = can_rise(g, d);
    double unused[HS_LANES] = {0};

    HS_EACH_PART(l)
    {
        if (g->degree == 4 && shared && !rises && spread)
            propose(g, 4, true, false, true, d, x, y, spread, l);
        else if (g->degree == 4 && shared && !rises)
            propose(g, 4, true, false, false, d, x, y, unused, l);
        else
            propose(g, g->degree, shared, rises, true, d, x, y,
                    spread ? spread : unused, l);
    }
}

/* U is coupling / 2 times sum_i s_i n_i = low^2 (2 alike_i - degree). */
HS_INLINE double energy_of(const hs_regular *g, int degree, double alike)
{
    double half = 0.5 * (double)g->coupling / (double)g->scale;
    double whole = 2.0 * alike - (double)degree * (double)g->dim;

    return half * ((double)g->low * (double)g->low * whole);
}

HS_INLINE void spread_at(const hs_regular *g, int degree, bool shared,
                         bool rises, const hs_dlp *d, const hs_byte_row *x,
                         double *spread, double *u, int l)
{
    law a = law_of(g, d, l);
    double total[HS_WIDTH] = {0};
    sums s = nothing();

    for (int i = 0; i < g->dim; i += GROUP) {
        int end = g->dim - i < GROUP ? g->dim : i + GROUP;
        vbyte sum = vbyte_set(0); /* below 2^8: degree GROUP < 128 */
        int j = i;

        for (; j + HS_ROWS <= end; j += HS_ROWS) {
            hs_byte_row alike[HS_ROWS];

            entries_of(g, degree, true, j, x, alike);
            HS_EACH_BATCH(b)
            {
                vbyte k = vbyte_load(alike[b]);
                odds o = odds_of(&a, degree, shared, rises, j + b,
                                 vbyte_load(x[j + b]), k);

                add(&s, rises, &o);
                sum += k;
            }
        }
        for (; j < end; j++) {
            vbyte k = entry_of_row(g, degree, true, j, x);
            odds o = odds_of(&a, degree, shared, rises, j, vbyte_load(x[j]), k);

            add(&s, rises, &o);
            sum += k;
        }
        vd_accumulate(total, vf_of(vi_of_byte(sum, l)));
        normalize(&s);
        if ((i + GROUP) % CHUNK == 0 || end == g->dim) {
            finish(&s, spread + l);
            s = nothing();
        }
    }
    for (int k = 0; k < HS_WIDTH; k++)
        u[l + k] += energy_of(g, degree, total[k]);
}

void HS_NAME(regular_tilt_spread)(const hs_regular *g, const hs_dlp *d,
                                  const hs_byte_row *x, double *spread,
                                  double *u)
{
    bool shared = regular_is_shared(d), rises = can_rise(g, d);

    HS_EACH_PART(l)
    {
        if (g->degree == 4 && shared && !rises)
            spread_at(g, 4, true, false, d, x, spread, u, l);
        else
            spread_at(g, g->degree, shared, rises, d, x, spread, u, l);
    }
}
