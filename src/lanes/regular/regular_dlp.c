/* regular_dlp.c - the discrete Langevin proposal on a graph of one degree.
 *
 * The distribution of a flip depends on the site and the number of its high
 * neighbors (regular.h).  So a step needs a threshold per site.  The normalizer
 * and U of odds.c need only the number of sites in each of those states:
 *
 *   sum_i ln(1 + e^z_i) = sum_k N_k ln(1 + e^z_k), U = sum_k N_k E_k.
 *
 * There is no exponential or logarithm per site, and no odds are stored. */
#include <stdbool.h>

#include "lanes/regular/regular.h"
#include "lanes/regular/rows.h"

#define SITES 128 /* counted in eight bits */

void HS_NAME(regular_propose)(const hs_regular *g, const hs_dlp *d, int first,
                              int last, const hs_byte_row *x, hs_byte_row *y);
void HS_NAME(regular_count)(const hs_regular *g, int first, int last,
                            const hs_byte_row *y, hs_site_counts site_counts);
void HS_NAME(regular_sum)(const hs_regular *g, const hs_dlp *d,
                          const hs_site_counts site_counts, double *spread,
                          double *u);
void HS_NAME(regular_take)(const int32_t *accept, int rows,
                           const hs_byte_row *y, int16_t (*x)[HS_LANES],
                           hs_byte_row *own, const float *weight,
                           hs_byte_row *count);
void HS_NAME(widen_index)(int rows, const hs_byte_row *y,
                          int16_t (*x)[HS_LANES], const float *weight,
                          hs_byte_row *count);
void HS_NAME(narrow_index)(int rows, const int16_t (*x)[HS_LANES],
                           hs_byte_row *y);

/* Logit of a flip, as in odds.c. */
HS_INLINE vf flip_logit(const hs_regular *g, const hs_dlp *d, vf count, vi x,
                        int l)
{
    float gap = d->domain->gap;
    vf pull = vf_load(d->balance + l) * vf_load(d->beta + l) * gap;
    vf still = vf_load(d->stiffness + l) * (gap * gap);

    return vf_negate_if(x, pull * regular_row(g, count)) - still;
}

/* The state of a site, and the count of its neighbors, in entry k. */
HS_INLINE int entry_state(const hs_regular *g, int k)
{
    return regular_is_even(g) || k > g->degree;
}

HS_INLINE int entry_count(const hs_regular *g, int k)
{
    return k > g->degree ? k - g->degree - 1 : k;
}

HS_INLINE vf entry_logit(const hs_regular *g, const hs_dlp *d, int k, int l)
{
    return flip_logit(g, d, vf_set((float)entry_count(g, k)),
                      vi_set(entry_state(g, k)), l);
}

HS_INLINE void fill_thresholds(const hs_regular *g, const hs_dlp *d,
                               vshort *threshold, int l)
{
    int entries = regular_entries(g->degree, regular_is_even(g));

    for (int k = 0; k < entries; k++) {
        vushort t = {0};

        for (int p = 0; p < HS_SHORT_PARTS; p++) {
            vf z = entry_logit(g, d, k, l + p * HS_WIDTH);
            vf e = vf_exp_negative(-vf_abs(z));
            vf part = vf_select(vf_less(z, vf_set(0.0f)), e, vf_set(1.0f));

            vushort_put(&t, p, coin_threshold(part, 1.0f + e));
        }
        threshold[k] = (vshort)t;
    }
}

/* Draws the full coin if a threshold does not decide. */
static __attribute__((noinline)) vsm toss(const hs_regular *g, const hs_dlp *d,
                                          const coins *c, int which, int i,
                                          vshort entry, vshort x, int l)
{
    bool is_even = regular_is_even(g);
    vshort count = is_even ? entry : entry - (vshort_set(g->degree + 1) & -x);
    vshort state = is_even ? vshort_set(1) : x;
    vushort flip = {0};

    for (int p = 0; p < HS_SHORT_PARTS; p++) {
        vf z = flip_logit(g, d, vf_of(vi_of_shorts(count, p)),
                          vi_of_shorts(state, p), l + p * HS_WIDTH);

        vushort_put(&flip, p,
                    (vu)coin_sigma(&c->part[p], c->words[p][which], i,
                                   vf_exp_negative(-vf_abs(z)),
                                   vf_less(z, vf_set(0.0f))));
    }
    return vshort_equal((vshort)flip, vshort_set(1));
}

/* Constants of a proposal for some lanes. */
typedef struct proposer {
    const hs_regular *g;
    const hs_dlp *d;
    vshort threshold[2 * HS_COUNTS];
    vshort row; /* lane k has threshold[k], if all lanes share them */
    coins coins;
    int l;
} proposer;

HS_INLINE vushort threshold_at(const proposer *p, int entries, bool shared,
                               vshort entry)
{
#if defined(__AVX512F__)
    if (shared)
        return (vushort)_mm256_permutexvar_epi16((__m256i)entry,
                                                 (__m256i)p->row);
#endif
    (void)shared;
    return (vushort)few_at(p->threshold, entries, entry);
}

HS_INLINE void propose_site(const proposer *p, int entries, bool shared, int i,
                            int position, const uint8_t *entry,
                            const uint8_t *x, uint8_t *y)
{
    vshort e = vshort_load_bytes(entry + p->l);
    vushort t = threshold_at(p, entries, shared, e);
    vushort k = p->coins.k[position];
    vsm flip = vushort_less(k, t);

    if (__builtin_expect(
            vsm_any(vushort_less(k - t, (vushort)vshort_set(HS_UNCERTAIN))), 0))
        flip = toss(p->g, p->d, &p->coins, position / 8, i, e,
                    vshort_load_bytes(x + p->l), p->l);
    vsm_flip_bytes(y + p->l, x + p->l, flip);
}

/* Inlined with constants of the caller. */
HS_INLINE void propose(const hs_regular *g, int degree, bool is_even,
                       bool shared, const hs_dlp *d, int first, int last,
                       const hs_byte_row *x, hs_byte_row *y, int l)
{
    int entries = regular_entries(degree, is_even);
    proposer p = {.g = g, .d = d, .l = l};
    philox_ahead ahead[HS_SHORT_PARTS];

    p.coins = coins_begin(d->rng, HS_DRAW_PROPOSE, l, ahead);
    fill_thresholds(g, d, p.threshold, l);
    for (int k = 0; k < entries && k < HS_SHORTS; k++)
        p.row[k] = p.threshold[k][0];
    for (int i = first; i < last; i += HS_ROWS) {
        int position = (i - first) % 16;
        hs_byte_row entry[HS_ROWS];

        if (position == 0)
            coins_draw(&p.coins, (uint32_t)i / 8);
        if (last - i >= HS_ROWS) {
            entries_of(g, degree, is_even, i, x, entry);
            HS_EACH_BATCH(r)
            propose_site(&p, entries, shared, i + r, position + r, entry[r],
                         x[i + r], y[i + r]);
            continue;
        }
        for (int r = 0; i + r < last; r++) {
            vbyte_store(entry[0], entry_of_row(g, degree, is_even, i + r, x));
            propose_site(&p, entries, shared, i + r, position + r, entry[0],
                         x[i + r], y[i + r]);
        }
    }
}

void HS_NAME(regular_propose)(const hs_regular *g, const hs_dlp *d, int first,
                              int last, const hs_byte_row *x, hs_byte_row *y)
{
    bool is_even = regular_is_even(g), shared = regular_is_shared(d);

    for (int l = 0; l < HS_LANES; l += HS_SHORTS) {
        if (g->degree == 4 && is_even && shared)
            propose(g, 4, true, true, d, first, last, x, y, l);
        else if (g->degree == 4 && is_even)
            propose(g, 4, true, false, d, first, last, x, y, l);
        else
            propose(g, g->degree, is_even, shared, d, first, last, x, y, l);
    }
}

/* Counts at most SITES sites: number[k] of them are in entry k. */
HS_INLINE void count_states(const hs_regular *g, int degree, bool is_even,
                            int first, int last, const hs_byte_row *y,
                            vbyte *number)
{
    int entries = regular_entries(degree, is_even), i = first;
    vbytes rows[2 * HS_COUNTS];

    for (int k = 1; k < entries; k++) {
        number[k] = vbyte_set(0);
        rows[k] = vbytes_set(0);
    }
    while (i < last)
        if (is_level(g, i, last)) {
            vbytes entry = entry_of_rows(g, degree, is_even, i, y);

            for (int k = 1; k < entries; k++)
                rows[k] -= (vbytes)(entry == vbytes_set(k));
            i += HS_ROWS;
        } else {
            vbyte entry = entry_of_row(g, degree, is_even, i, y);

            for (int k = 1; k < entries; k++)
                number[k] -= (vbyte)(entry == vbyte_set(k));
            i++;
        }
    number[0] = vbyte_set(last - first); /* the remaining sites */
    for (int k = 1; k < entries; k++) {
        hs_byte_row row[HS_ROWS];

        memcpy(row, &rows[k], sizeof row);
        for (int r = 0; r < HS_ROWS; r++)
            number[k] += vbyte_load(row[r]);
        number[0] -= number[k];
    }
}

void HS_NAME(regular_count)(const hs_regular *g, int first, int last,
                            const hs_byte_row *y, hs_site_counts site_counts)
{
    bool is_even = regular_is_even(g);
    int entries = regular_entries(g->degree, is_even);

    for (int i = first; i < last; i += SITES) {
        int end = last - i < SITES ? last : i + SITES;
        vbyte number[2 * HS_COUNTS];

        if (g->degree == 4 && is_even)
            count_states(g, 4, true, i, end, y, number);
        else
            count_states(g, g->degree, is_even, i, end, y, number);
        for (int k = 0; k < entries; k++)
            for (int l = 0; l < HS_LANES; l++)
                site_counts[k][l] += number[k][l];
    }
}

/* The contribution to U of a site in entry k, rounded as in ising.c. */
static double entry_energy(const hs_regular *g, int k)
{
    float s = (float)entry_state(g, k) * g->gap + g->low;
    float n = (float)entry_count(g, k) * g->gap + g->low * (float)g->degree;

    if (g->field == 0.0f)
        return 0.5 * (double)g->coupling * (double)(s * n);
    return (double)(s * (n * g->coupling * 0.5f + g->field));
}

void HS_NAME(regular_sum)(const hs_regular *g, const hs_dlp *d,
                          const hs_site_counts site_counts, double *spread,
                          double *u)
{
    int entries = regular_entries(g->degree, regular_is_even(g));
    float each[HS_LANES];
    double energy[HS_LANES] = {0};

    memset(spread, 0, HS_LANES * sizeof *spread);
    for (int k = 0; k < entries; k++) {
        double own = entry_energy(g, k);

        HS_EACH_PART(l)
        {
            vf z = entry_logit(g, d, k, l);
            vf e = vf_exp_negative(-vf_abs(z));

            vf_store(each + l,
                     vf_max(z, vf_set(0.0f)) + vf_log_normal(1.0f + e));
        }
        for (int l = 0; l < HS_LANES; l++) {
            spread[l] += (double)site_counts[k][l] * (double)each[l];
            energy[l] += (double)site_counts[k][l] * own;
        }
    }
    for (int l = 0; l < HS_LANES; l++)
        u[l] += energy[l] / (double)g->scale;
}

void HS_NAME(regular_take)(const int32_t *accept, int rows,
                           const hs_byte_row *y, int16_t (*x)[HS_LANES],
                           hs_byte_row *own, const float *weight,
                           hs_byte_row *count)
{
    vbyte taken, counted;

    for (int l = 0; l < HS_LANES; l++) {
        taken[l] = accept[l] ? 0xff : 0;
        counted[l] = count && weight[l] != 0.0f ? 0xff : 0;
    }
    /* backwards: the last rows are still in the cache, and the first are used
     * next */
    for (int i = rows - 1; i >= 0; i--) {
        vbyte now = (vbyte_load(y[i]) & taken) | (vbyte_load(own[i]) & ~taken);

        vbyte_store(own[i], now);
        vbyte_widen(x[i], now);
        if (count)
            vbyte_store(count[i], vbyte_load(count[i]) + (now & counted));
    }
}

#define MANY ((size_t)1 << 24) /* bytes that no cache holds for long */

/* Bypasses the caches: a large x will not be read soon. */
HS_INLINE void widen_past(int16_t *x, vbyte v)
{
#if defined(__AVX2__)
    _mm256_stream_si256((__m256i *)x, _mm256_cvtepu8_epi16((__m128i)v));
#else
    vbyte_widen(x, v);
#endif
}

void HS_NAME(widen_index)(int rows, const hs_byte_row *y,
                          int16_t (*x)[HS_LANES], const float *weight,
                          hs_byte_row *count)
{
    bool is_large = (size_t)rows * sizeof *x > MANY;
    vbyte counted;

    for (int l = 0; l < HS_LANES; l++)
        counted[l] = count && weight[l] != 0.0f ? 0xff : 0;
    for (int i = rows - 1; i >= 0; i--) {
        vbyte now = vbyte_load(y[i]);

        if (is_large)
            widen_past(x[i], now);
        else
            vbyte_widen(x[i], now);
        if (count)
            vbyte_store(count[i], vbyte_load(count[i]) + (now & counted));
    }
#if defined(__AVX2__)
    if (is_large)
        _mm_sfence();
#endif
}

void HS_NAME(narrow_index)(int rows, const int16_t (*x)[HS_LANES],
                           hs_byte_row *y)
{
    for (int i = 0; i < rows; i++)
        vbyte_store(y[i], vbyte_narrow(x[i]));
}
