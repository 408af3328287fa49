/* learned.c - noise of hiss along directions that a pilot has learned. */
#include "kernel/noise/learned.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "lanes/lanes.h"

/* Scales of the noise of a piece: rho = .37 and .497. */
static const float SCALES[] = {0.5f, 4.0f};
/* Numbers of pieces of a jump; one is the most likely. */
static const int NUMBERS[] = {1, 1, 2, HS_LEARNED_MOST};

/* The pieces of a jump, and which of them are exchanged. */
struct draw {
    int pieces;
    int piece[HS_LEARNED_MOST][HS_LANES];
    hs_index_row flip[HS_LEARNED_MOST];
};

hiss_status hs_learned_init(hs_learned *s, const hs_model *m, hiss_error *err)
{
    return hs_point_init(&s->y, m, err);
}

void hs_learned_clear(hs_learned *s)
{
    hs_point_clear(&s->y);
}

void hs_learned_attach(hs_learned *s, const hs_library *library)
{
    s->library = library;
    s->is_local = library && library->pieces.table &&
                  !hs_factors_have_zeros(&library->pieces.factors);
}

/* The bits of the pieces, by noise and denoising at 0. */
static void draw_bits(const hs_tile *x, struct draw *d, float scale)
{
    hs_index_row zero[HS_LEARNED_MOST] = {{0}};
    hs_float_row phi[HS_LEARNED_MOST];
    float eta[HS_LANES];
    hs_domain bits = {.dim = d->pieces, .is_pair = true, .gap = 1.0f};
    hs_noise n = {.domain = &bits,
                  .rng = &x->rng,
                  .eta = eta,
                  .x = (const hs_index_row *)zero,
                  .y = d->flip,
                  .phi = phi,
                  .shape = HS_LOGISTIC};

    for (int l = 0; l < HS_LANES; l++)
        eta[l] = scale;
    hs_lanes()->noise(&n);
}

static void draw(const hs_learned *s, const hs_tile *x, struct draw *d)
{
    uint32_t words[4][HS_LANES];
    uint32_t word = hs_rng_shared(&x->rng, HS_DRAW_BLOCK, 0);

    d->pieces = NUMBERS[word >> 30];
    hs_lanes()->philox(&x->rng, HS_DRAW_PROPOSE, 0, 1, words);
    for (int n = 0; n < d->pieces; n++)
        for (int l = 0; l < HS_LANES; l++)
            d->piece[n][l] = hs_below(words[n][l], s->library->pieces.count);
    draw_bits(x, d, SCALES[word >> 29 & 1]);
}

/* phi of the law over the sites of a piece, in one lane. */
static double phi_of(const hs_pieces *p, int piece, const hs_tilt *t,
                     const hs_domain *d, const hs_index_row *x, int lane)
{
    double sum = 0.0;

    for (int64_t n = p->at[piece]; t->phi && n < p->at[piece + 1]; n++) {
        int i = p->site[n], v = x[i][lane];

        sum += d->is_pair ? (double)t->phi[i][lane] * v
                          : (double)t->phi[d->value[i] + v][lane];
    }
    return sum;
}

/* Makes one jump of a sum of tables in place, and undoes it if it is
 * rejected. */
static void exchange_local(hs_learned *s, hs_kernel *k, const hs_model *m,
                           const hs_tilt *t, hs_tile *x)
{
    const hs_pieces *p = &s->library->pieces;
    const hs_index_row *now = (const hs_index_row *)x->at.x;
    double ratio[HS_LANES] = {0}, change[HS_LANES] = {0};
    int32_t accept[HS_LANES];
    struct draw d;

    draw(s, x, &d);
    for (int l = 0; l < x->lanes; l++)
        for (int n = 0; n < d.pieces; n++) {
            double before, after, phi;
            int c = d.piece[n][l];

            if (!d.flip[n][l])
                continue;
            before = hs_pieces_energy(p, c, now, l);
            phi = phi_of(p, c, t, &m->domain, now, l);
            hs_pieces_exchange(p, c, x->at.x, l);
            after = hs_pieces_energy(p, c, now, l);
            change[l] += after - before;
            ratio[l] += hs_tempered(t->beta[l], after) -
                        hs_tempered(t->beta[l], before) +
                        phi_of(p, c, t, &m->domain, now, l) - phi;
        }
    hs_tile_decide(x, ratio, accept);
    for (int l = 0; l < x->lanes; l++) {
        if (accept[l]) {
            x->at.u[l] += change[l];
            continue;
        }
        for (int n = d.pieces - 1; n >= 0; n--)
            if (d.flip[n][l])
                hs_pieces_exchange(p, d.piece[n][l], x->at.x, l);
    }
    hs_tile_count_sites(x, m, p->price * d.pieces);
    hs_kernel_count(k, x, accept);
}

/* One jump that evaluates U where it goes. */
static hiss_status exchange_whole(hs_learned *s, hs_kernel *k,
                                  const hs_model *m, const hs_tilt *t,
                                  hs_tile *x, unsigned wants)
{
    double ratio[HS_LANES];
    int32_t accept[HS_LANES];
    struct draw d;

    draw(s, x, &d);
    memcpy(s->y.x, x->at.x, (size_t)m->domain.dim * sizeof *s->y.x);
    for (int n = 0; n < d.pieces; n++)
        for (int l = 0; l < HS_LANES; l++)
            if (d.flip[n][l])
                hs_pieces_exchange(&s->library->pieces, d.piece[n][l], s->y.x,
                                   l);
    s->y.have = 0;
    HS_TRY(hs_tile_evaluate(x, m, &s->y, wants));
    hs_tile_log_ratio(m, t, &x->at, &s->y, ratio);
    hs_tile_decide(x, ratio, accept);
    hs_tile_move(x, m, &s->y, accept);
    hs_kernel_count(k, x, accept);
    return HISS_OK;
}

hiss_status hs_learned_jump(hs_learned *s, hs_kernel *k, const hs_model *m,
                            const hs_tilt *t, hs_tile *x, unsigned wants)
{
    const hs_pieces *p = &s->library->pieces;
    int rounds = s->is_local ? hs_pieces_rounds(p, m->domain.dim) : 1;

    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    if (!s->is_local)
        return exchange_whole(s, k, m, t, x, wants);
    for (int r = 0; r < rounds; r++) {
        if (r > 0)
            hs_tile_tick(x);
        exchange_local(s, k, m, t, x);
    }
    /* U is kept up; a gradient or a cache is not */
    x->at.have &= m->cache_bytes ? 0u : (unsigned)HS_U;
    return HISS_OK;
}
