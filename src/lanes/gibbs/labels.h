/* labels.h - heat bath and Metropolis of sites with one of few labels and equal
 * couplings.  Both make sixteen visits at once: one site in sixteen chains, or
 * sixteen sites in one chain.
 *
 * The weight of a label depends on three numbers of neighbors: those with this
 * label, those with the present label, and the largest number over all labels
 * (the smallest if J < 0).  With one beta it is looked up in a table.  The bits
 * are those of draw_value (lanes/gibbs/site.c) from differences of U. */
#ifndef HS_LANES_GIBBS_LABELS_H
#define HS_LANES_GIBBS_LABELS_H

#include <stdbool.h>

#include "lanes/lanes.h"
#include "lanes/vec/bytes.h"
#include "lanes/vec/softmax.h"
#include "lanes/vec/vec.h"

#define LABEL_COUNTS (HS_DEGREE_MAX + 1)
#define LABEL_TABLE  64

typedef struct label_law {
    int states, degree;
    float coupling;
    bool is_shared; /* all lanes have the same beta, and the table is filled */
    vf beta[HS_LANES / HS_WIDTH];
    float table[LABEL_COUNTS][LABEL_TABLE]; /* [n][label_index] */
} label_law;

/* Index of an entry: a register holds 32 entries up to degree 4, else 64. */
HS_INLINE vi label_index(int degree, vi best, vi own)
{
    if (degree < 5)
        return (best << 2) + best + own;
    return (best << 3) + own;
}

/* The weight of a label with n neighbors. */
HS_INLINE vf label_weight(const label_law *a, vf beta, vf best, vf own, float n)
{
    vf here = own * a->coupling;
    vf most = beta * (best * a->coupling - here);

    return vf_exp(beta * (n * a->coupling - here) - most);
}

/* beta: [HS_LANES]. */
HS_INLINE void label_begin(label_law *a, const hs_labels *g, const float *beta)
{
    a->states = g->states;
    a->degree = g->degree;
    a->coupling = g->j->uniform;
    a->is_shared = true;
    for (int l = 0; l < HS_LANES; l++)
        a->is_shared = a->is_shared && beta[l] == beta[0];
    HS_EACH_PART(l)
    a->beta[l / HS_WIDTH] = vf_load(beta + l);
    for (int n = 0; a->is_shared && n <= a->degree; n++)
        for (int best = 0; best <= a->degree; best++)
            for (int own = 0; own <= a->degree; own++) {
                vi at = label_index(a->degree, vi_set(best), vi_set(own));

                a->table[n][at[0]] =
                    label_weight(a, a->beta[0], vf_set((float)best),
                                 vf_set((float)own), (float)n)[0];
            }
}

HS_INLINE vf label_look_up(const float *table, int degree, vi index)
{
#if defined(__AVX512F__)
    __m512 low = _mm512_permutex2var_ps(_mm512_loadu_ps(table), (__m512i)index,
                                        _mm512_loadu_ps(table + 16));
    __m512 high;

    if (degree < 5)
        return (vf)low;
    high = _mm512_permutex2var_ps(_mm512_loadu_ps(table + 32), (__m512i)index,
                                  _mm512_loadu_ps(table + 48));
    return (vf)_mm512_mask_blend_ps(
        _mm512_test_epi32_mask((__m512i)index, _mm512_set1_epi32(32)), low,
        high);
#elif defined(__AVX2__)
    (void)degree;
    return (vf)_mm256_i32gather_ps(table, (__m256i)index, 4);
#else
    vf found;

    (void)degree;
    for (int k = 0; k < HS_WIDTH; k++)
        found[k] = table[index[k]];
    return found;
#endif
}

/* Whether the counts of lanes l and following equal n. */
HS_INLINE vm label_is(vbyte count, int n, int l)
{
#if defined(__AVX512F__)
    (void)l;
    return _mm_cmpeq_epi8_mask((__m128i)count, (__m128i)vbyte_set(n));
#else
    return vi_equal(vi_of_byte(count, l), vi_set(n));
#endif
}

HS_INLINE vbyte label_count(const vbyte *neighbor, int degree, vbyte label)
{
    vbyte count = {0};

    for (int k = 0; k < degree; k++)
        count -= (vbyte)(neighbor[k] == label);
    return count;
}

HS_INLINE vbyte label_better(const label_law *a, vbyte x, vbyte y)
{
#if defined(__SSE2__)
    return a->coupling > 0.0f ? (vbyte)_mm_max_epu8((__m128i)x, (__m128i)y)
                              : (vbyte)_mm_min_epu8((__m128i)x, (__m128i)y);
#else
    vbyte more = (vbyte)(x > y);

    if (a->coupling < 0.0f)
        more = ~more;
    return (x & more) | (y & ~more);
#endif
}

/* Draws labels from those of the neighbors and the present ones, with one
 * random word each.  upto: partial sums of the weights, as in
 * softmax_partial. */
HS_INLINE vbyte label_draw(const label_law *a, int states, int degree,
                           const vbyte *neighbor, vbyte present,
                           const uint32_t *word, float (*upto)[HS_LANES])
{
    vbyte count[HS_FEW], own = label_count(neighbor, degree, present), best;
    uint8_t label[HS_LANES];

    best = count[0] = label_count(neighbor, degree, vbyte_set(0));
    for (int v = 1; v < states; v++) {
        count[v] = label_count(neighbor, degree, vbyte_set(v));
        best = label_better(a, best, count[v]);
    }
    HS_EACH_PART(l)
    {
        vf weight[LABEL_COUNTS], sum = vf_set(0.0f);
        vi most = vi_of_byte(best, l), here = vi_of_byte(own, l);
        vi index = label_index(degree, most, here);
        vu random;

        for (int n = 0; n <= degree; n++)
            weight[n] = a->is_shared
                            ? label_look_up(a->table[n], degree, index)
                            : label_weight(a, a->beta[l / HS_WIDTH],
                                           vf_of(most), vf_of(here), (float)n);
        for (int v = 0; v < states; v++) {
            vf w = weight[0];

            for (int n = 1; n <= degree; n++)
                w = vf_select(label_is(count[v], n, l), weight[n], w);
            sum = sum + w;
            vf_store(&upto[v][l], sum);
        }
        memcpy(&random, word + l, sizeof random);
        index = softmax_index((const float(*)[HS_LANES])upto, states, l, sum,
                              vf_uniform(random));
        vi_store_bytes(label + l, index);
    }
    return vbyte_load(label);
}

/* --- Metropolis of a systematic scan -------------------------------------- */

typedef struct turn_law {
    int states, degree;
    float coupling;
    bool is_shared; /* all lanes have the same beta, and the table is filled */
    vf beta[HS_LANES / HS_WIDTH];
    float table[LABEL_TABLE]; /* [neighbors gained + degree] */
} turn_law;

/* The probability of a label with so many more neighbors. */
HS_INLINE vf turn_accept(vf beta, float coupling, vf more)
{
    vf gain = beta * (more * coupling);

    gain = vf_select(vf_less(gain, vf_set(0.0f)), gain, vf_set(0.0f));
    return vf_exp(gain) * HS_METROPOLIS;
}

/* beta: [HS_LANES]. */
HS_INLINE void turn_begin(turn_law *a, const hs_labels *g, const float *beta)
{
    a->states = g->states;
    a->degree = g->degree;
    a->coupling = g->j->uniform;
    a->is_shared = true;
    for (int l = 0; l < HS_LANES; l++)
        a->is_shared = a->is_shared && beta[l] == beta[0];
    HS_EACH_PART(l)
    a->beta[l / HS_WIDTH] = vf_load(beta + l);
    for (int n = 0; a->is_shared && n <= 2 * a->degree; n++)
        a->table[n] = turn_accept(a->beta[0], a->coupling,
                                  vf_set((float)(n - a->degree)))[0];
}

/* Draws one of the other labels uniformly, by skipping the present one. */
HS_INLINE vi other_label(int states, vi present, vu word)
{
    vi there =
        __builtin_convertvector(vf_uniform(word) * (float)(states - 1), vi);

    there = vi_select(vi_less(there, vi_set(states - 1)), there,
                      vi_set(states - 2));
    return there + vi_of(vm_not(vi_less(there, present)));
}

HS_INLINE vu word_at(const uint32_t *word, int l)
{
    vu w;

    memcpy(&w, word + l, sizeof w);
    return w;
}

/* The labels after a visit, from random words: which one is proposed, and
 * whether it is taken. */
HS_INLINE vbyte turn_draw(const turn_law *a, int states, int degree,
                          const vbyte *neighbor, vbyte present,
                          const uint32_t *which, const uint32_t *whether)
{
    uint8_t to[HS_LANES], new[HS_LANES];
    vbyte here, there;

    HS_EACH_PART(l)
    vi_store_bytes(
        to + l, other_label(states, vi_of_byte(present, l), word_at(which, l)));
    here = label_count(neighbor, degree, present);
    there = label_count(neighbor, degree, vbyte_load(to));
    HS_EACH_PART(l)
    {
        vi more = vi_of_byte(there, l) - vi_of_byte(here, l);
        vf accept = a->is_shared ? label_look_up(a->table, 0, more + degree)
                                 : turn_accept(a->beta[l / HS_WIDTH],
                                               a->coupling, vf_of(more));
        vm taken = vf_less(vf_uniform(word_at(whether, l)), accept);

        vi_store_bytes(new + l, vi_select(taken, vi_of_byte(vbyte_load(to), l),
                                          vi_of_byte(present, l)));
    }
    return vbyte_load(new);
}

/* The gain of a marginal: weight times the probability of a label. */
HS_INLINE vf label_gain(const float (*upto)[HS_LANES], int states, int v, int l,
                        vf weight)
{
    vf before = v > 0 ? vf_load(&upto[v - 1][l]) : vf_set(0.0f);

    return weight * (vf_load(&upto[v][l]) - before) /
           vf_load(&upto[states - 1][l]);
}

#endif
