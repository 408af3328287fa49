/* store.c - kept draws in memory. */
#include "run/chain/store.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/read/bulk.h"

#define SPARE_BYTES 1e8 /* spare room that is not returned at the end */
/* times the draws: with twice as many no others are left */
#define WORTH 3
#define LEAST 16 /* draws that are always kept */

static hiss_element choose_element(const hs_domain *d)
{
    hiss_element e = HISS_INT8;

    for (int r = 0; r < d->value_count; r++) {
        float v = d->values[r];

        if (v != floorf(v) || fabsf(v) > 32767.0f)
            return HISS_FLOAT32;
        if (v < -128.0f || v > 127.0f)
            e = HISS_INT16;
    }
    return e;
}

static size_t element_size(hiss_element e)
{
    return e == HISS_INT8 ? 1 : e == HISS_INT16 ? 2 : 4;
}

hiss_status hs_store_init(hs_store *s, const hs_domain *d, int chains,
                          int64_t capacity, double most, hiss_error *err)
{
    size_t size, draws;

    *s = (hs_store){.domain = d,
                    .dim = d->dim,
                    .chains = chains,
                    .capacity = capacity,
                    .element = choose_element(d)};
    size = element_size(s->element) * (size_t)d->dim;
    if (__builtin_mul_overflow((size_t)chains, (size_t)capacity, &draws))
        return hs_fail_memory(err);
    s->draws = hs_bulk_alloc(draws, size, most, &s->mapped);
    s->lp = hs_bulk_alloc(draws, sizeof *s->lp, most, &s->lp_mapped);
    s->accept =
        hs_bulk_alloc(draws, sizeof *s->accept, most, &s->accept_mapped);
    if (!s->draws || !s->lp || !s->accept) {
        hs_store_clear(s);
        return hs_fail(err, HISS_ENOMEM,
                       "no memory, and no disk in $TMPDIR, for %d x %lld draws "
                       "of %d coordinates (%.3g GB); keep fewer with --samples "
                       "or --thin",
                       chains, (long long)capacity, d->dim,
                       (double)draws * (double)size * 1e-9);
    }
    return HISS_OK;
}

void hs_store_clear(hs_store *s)
{
    hs_bulk_free(s->draws, s->mapped);
    hs_bulk_free(s->lp, s->lp_mapped);
    hs_bulk_free(s->accept, s->accept_mapped);
    s->draws = NULL;
    s->lp = NULL;
    s->accept = NULL;
}

static double fit(const hs_domain *d, int chains, double bytes)
{
    return bytes /
           ((double)chains * ((double)element_size(choose_element(d)) * d->dim +
                              sizeof(double)));
}

int64_t hs_store_capacity(const hs_domain *d, int chains, double bytes,
                          int64_t most)
{
    double room = fmin(fmax(fit(d, chains, bytes), LEAST), (double)most);

    return (int64_t)room;
}

int64_t hs_store_room(const hs_domain *d, int chains, int64_t most)
{
    double room = fmin(fit(d, chains, SPARE_BYTES),
                       (double)HS_STORE_SPARE * (double)most);

    return room < WORTH * (double)most ? most : (int64_t)room;
}

size_t hs_store_row_bytes(const hs_store *s)
{
    return element_size(s->element) * (size_t)s->dim;
}

static char *place(const hs_store *s, int chain, int64_t draw)
{
    size_t index = (size_t)chain * (size_t)s->capacity + (size_t)draw;

    HS_ASSERT(chain >= 0 && chain < s->chains);
    HS_ASSERT(draw >= 0 && draw < s->capacity);
    return (char *)s->draws + index * hs_store_row_bytes(s);
}

void *hs_store_row(const hs_store *s, int chain, int64_t draw)
{
    return place(s, chain, draw);
}

void hs_store_put_numbers(hs_store *s, int chain, int64_t draw, double u,
                          float accept)
{
    size_t index = (size_t)chain * (size_t)s->capacity + (size_t)draw;

    s->lp[index] = u;
    s->accept[index] = accept;
    memset(place(s, chain, draw), 0, hs_store_row_bytes(s));
}

static void put_value(const hs_store *s, void *to, int i, int index)
{
    float v = s->domain->values[s->domain->value[i] + index];

    if (s->element == HISS_INT8)
        ((int8_t *)to)[i] = (int8_t)v;
    else if (s->element == HISS_INT16)
        ((int16_t *)to)[i] = (int16_t)v;
    else
        ((float *)to)[i] = v;
}

void hs_store_put(hs_store *s, int chain, int64_t draw, const int16_t (*x)[16],
                  int lane, double u, float accept)
{
    const hs_domain *d = s->domain;
    size_t index = (size_t)chain * (size_t)s->capacity + (size_t)draw;
    void *to = place(s, chain, draw);

    HS_ASSERT(lane >= 0 && lane < 16 && d->dim == s->dim);
    s->lp[index] = u;
    s->accept[index] = accept;
    if (d->is_pair && s->element == HISS_INT8) { /* most models */
        int low = (int)d->low, gap = (int)d->gap;

        for (int i = 0; i < s->dim; i++)
            ((int8_t *)to)[i] = (int8_t)(low + gap * x[i][lane]);
        return;
    }
    for (int i = 0; i < s->dim; i++)
        put_value(s, to, i, x[i][lane]);
}

/* Spreads the bits of a byte to bytes of 0 or 1: bit k of seven, times 2^(7 k),
 * becomes bit 0 of byte k; no two products overlap. */
static uint64_t bytes_of_bits(uint32_t bits)
{
    return ((bits & 0x7f) * 0x0002040810204081u & 0x0101010101010101u) |
           (uint64_t)(bits & 0x80) << 49;
}

/* Unpacks up to 32 coordinates of two values, one bit each. */
static void put_bits(int8_t *to, uint32_t packed, int count, int low, int high)
{
    uint64_t lows = (uint8_t)low * 0x0101010101010101u;
    uint64_t differ = (uint8_t)(low ^ high);

    for (int first = 0; first < count; first += 8, packed >>= 8) {
        uint64_t eight = lows ^ (bytes_of_bits(packed) * differ);
        int8_t value[8];

        for (int k = 0; k < 8; k++)
            value[k] = (int8_t)(uint8_t)(eight >> 8 * k);
        if (count - first >= 8)
            memcpy(to + first, value, 8);
        else
            memcpy(to + first, value, (size_t)(count - first));
    }
}

void hs_store_put_packed(hs_store *s, int chain, int64_t draw,
                         const uint32_t *word, int64_t apart, int bits,
                         double u, float accept)
{
    const hs_domain *d = s->domain;
    size_t index = (size_t)chain * (size_t)s->capacity + (size_t)draw;
    uint32_t mask = bits == 1 ? 1 : 0xff;
    int low = (int)d->low, gap = (int)d->gap, each = 32 / bits;
    bool is_pair = d->is_pair && s->element == HISS_INT8 && bits == 1;
    void *to = place(s, chain, draw);

    s->lp[index] = u;
    s->accept[index] = accept;
    for (int first = 0; first < s->dim; first += each, word += apart) {
        int count = s->dim - first < each ? s->dim - first : each;
        uint32_t packed = *word;

        if (is_pair)
            put_bits((int8_t *)to + first, packed, count, low, low + gap);
        for (int k = 0; !is_pair && k < count; k++)
            put_value(s, to, first + k, (int)(packed >> k * bits & mask));
    }
}

void hs_store_thin(hs_store *s, int chain, int64_t count, int64_t every)
{
    size_t size = hs_store_row_bytes(s);
    double *lp = s->lp + (size_t)chain * (size_t)s->capacity;
    float *accept =
        s->accept ? s->accept + (size_t)chain * (size_t)s->capacity : NULL;

    for (int64_t n = 0; n < count / every; n++) {
        int64_t last = every * n + every - 1;
        float sum = 0.0f;

        memmove(place(s, chain, n), place(s, chain, last), size);
        lp[n] = lp[last];
        for (int64_t k = every * n; accept && k <= last; k++)
            sum += accept[k];
        if (accept)
            accept[n] = sum / (float)every;
    }
}

static double value_at(const hs_store *s, const void *draw, int i)
{
    if (s->element == HISS_INT8)
        return (double)((const int8_t *)draw)[i];
    if (s->element == HISS_INT16)
        return (double)((const int16_t *)draw)[i];
    return (double)((const float *)draw)[i];
}

static void turned_column(const hs_store *s, int i, double *out)
{
    int64_t total = s->chains * s->turned_draws, at = i * total;

    if (s->element == HISS_INT8)
        for (int64_t k = 0; k < total; k++)
            out[k] = (double)((const int8_t *)s->turned)[at + k];
    else
        for (int64_t k = 0; k < total; k++)
            out[k] = s->element == HISS_INT16
                         ? (double)((const int16_t *)s->turned)[at + k]
                         : (double)((const float *)s->turned)[at + k];
}

void hs_store_column(const hs_store *s, int64_t n, int i, double *out)
{
    if (s->turned && n == s->turned_draws) {
        turned_column(s, i, out);
        return;
    }
    for (int c = 0; c < s->chains; c++)
        for (int64_t draw = 0; draw < n; draw++)
            *out++ = value_at(s, place(s, c, draw), i);
}

void hs_store_draw(const hs_store *s, int chain, int64_t draw, double *out)
{
    const void *from = place(s, chain, draw);

    for (int i = 0; i < s->dim; i++)
        out[i] = value_at(s, from, i);
}

void hs_store_state(const hs_store *s, const hs_domain *d, int chain,
                    int64_t draw, double *values, int16_t *state)
{
    hs_store_draw(s, chain, draw, values);
    hs_domain_indices(d, values, state);
}

size_t hs_store_bytes(const hs_store *s, int64_t from, int64_t to)
{
    size_t each = hs_store_row_bytes(s) + sizeof(double) + sizeof(float);

    return (size_t)(to - from) * each;
}

void hs_store_save(const hs_store *s, int chain, int64_t from, int64_t to,
                   hs_blob *out)
{
    size_t count = (size_t)(to - from);
    size_t size = hs_store_row_bytes(s);
    int64_t first = (int64_t)chain * s->capacity + from;

    hs_blob_put(out, place(s, chain, from), count * size);
    hs_blob_put(out, s->lp + first, count * sizeof *s->lp);
    hs_blob_put(out, s->accept + first, count * sizeof *s->accept);
}

void hs_store_load(hs_store *s, int chain, int64_t from, int64_t to,
                   hs_blob *in)
{
    size_t count = (size_t)(to - from);
    int64_t first = (int64_t)chain * s->capacity + from;

    hs_blob_get(in, place(s, chain, from), count * hs_store_row_bytes(s));
    hs_blob_get(in, s->lp + first, count * sizeof *s->lp);
    hs_blob_get(in, s->accept + first, count * sizeof *s->accept);
}

void hs_store_give_back(hs_store *s, int64_t old)
{
    size_t before = (size_t)s->chains * (size_t)old;
    size_t now = (size_t)s->chains * (size_t)s->capacity;
    void *draws = NULL, *lp = NULL, *accept = NULL;

    if (s->capacity == 0 || 2 * now > before)
        return;
    if (!s->mapped)
        draws = hs_realloc_array(s->draws, before, now, hs_store_row_bytes(s));
    if (!s->lp_mapped)
        lp = hs_realloc_array(s->lp, before, now, sizeof *s->lp);
    if (s->accept && !s->accept_mapped)
        accept = hs_realloc_array(s->accept, before, now, sizeof *s->accept);
    s->draws = draws ? draws : s->draws; /* if memory is short, the old block
                                            stays */
    s->lp = lp ? lp : s->lp;
    s->accept = accept ? accept : s->accept;
}

void hs_store_shrink(hs_store *s, int64_t n)
{
    size_t size = hs_store_row_bytes(s);
    size_t old = (size_t)s->capacity;

    if (n >= s->capacity)
        return;
    for (int c = 1; c < s->chains; c++) {
        size_t from = (size_t)c * old, to = (size_t)c * (size_t)n;

        memmove((char *)s->draws + to * size, (char *)s->draws + from * size,
                (size_t)n * size);
        memmove(s->lp + to, s->lp + from, (size_t)n * sizeof *s->lp);
        if (s->accept)
            memmove(s->accept + to, s->accept + from,
                    (size_t)n * sizeof *s->accept);
    }
    s->capacity = n;
}
