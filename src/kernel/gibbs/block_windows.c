/* block_windows.c - blocks that are too wide for elimination. */
#include "kernel/gibbs/block_windows.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/logarithm.h"

hiss_status hs_block_windows_add(hs_block_windows *s, const hs_factors *f,
                                 const int *member, int members, int bond,
                                 hiss_error *err)
{
    if (s->count == s->room) {
        int room = 2 * s->room + 4;
        hs_window **larger = hs_realloc_array(s->window, (size_t)s->count,
                                              (size_t)room, sizeof *larger);

        if (!larger)
            return hs_fail_memory(err);
        s->window = larger;
        s->room = room;
    }
    HS_TRY(
        hs_window_create(&s->window[s->count], f, member, members, bond, err));
    s->work += hs_window_work(s->window[s->count++]);
    return HISS_OK;
}

hiss_status hs_block_windows_init(hs_block_windows *s, const hs_domain *d,
                                  hiss_error *err)
{
    s->y = hs_alloc_array((size_t)d->dim, sizeof *s->y);
    s->phi = hs_alloc_array((size_t)d->value_count, sizeof *s->phi);
    s->row = hs_alloc_array((size_t)d->states_max, sizeof *s->row);
    return s->y && s->phi && s->row ? HISS_OK : hs_fail_memory(err);
}

void hs_block_windows_clear(hs_block_windows *s)
{
    for (int n = 0; n < s->count; n++)
        hs_window_destroy(s->window[n]);
    hs_free(s->window);
    hs_free(s->y);
    hs_free(s->phi);
    hs_free(s->row);
    *s = (hs_block_windows){0};
}

/* phi of all values of the members in one lane, relative to the present
 * state. */
static void find_phi(hs_block_windows *s, const hs_window *w,
                     const hs_domain *d, const hs_tilt *t, const hs_tile *x,
                     int lane)
{
    double *phi = s->phi;

    for (int n = 0; n < hs_window_members(w); n++) {
        int i = hs_window_member(w)[n];

        memset(s->row, 0, (size_t)d->states[i] * sizeof *s->row);
        hs_tilt_add_values(t, d, i, x->at.x[i], s->row);
        for (int v = 0; v < d->states[i]; v++)
            *phi++ = (double)s->row[v][lane];
    }
}

static bool is_taken(const hs_tile *x, int lane, double log_ratio)
{
    uint32_t word =
        hs_rng_word(x->rng.seed, x->rng.chain[lane], x->rng.replica[lane],
                    x->rng.clock, HS_DRAW_ACCEPT, 0);

    return log_ratio >= 0.0 || hs_logarithm(hs_uniform(word)) < log_ratio;
}

hiss_status hs_block_windows_draw(hs_block_windows *s, int n,
                                  const hs_domain *d, const hs_tilt *t,
                                  hs_tile *x, double *proposed,
                                  double *accepted, hiss_error *err)
{
    hs_window *w = s->window[n];
    bool has_phi = hs_tilt_form_of(t) != HS_TILT_FLAT;

    for (int l = 0; l < x->lanes; l++) {
        hs_network_address address = {.seed = x->rng.seed};
        /* an impossible entry stays so at beta = 0 */
        hs_window_tilt tilt = {
            (double)(t->beta[l] > FLT_MIN ? t->beta[l] : FLT_MIN),
            has_phi ? s->phi : NULL};
        double ratio;

        for (int k = 0; k < HS_LANES; k++) {
            address.chain[k] = x->rng.chain[l];
            address.replica[k] = x->rng.replica[l];
            address.clock[k] = x->rng.clock;
        }
        if (has_phi)
            find_phi(s, w, d, t, x, l);
        HS_TRY(hs_window_propose(w, (const hs_index_row *)x->at.x, l, &tilt,
                                 &address, s->y, &ratio, err));
        proposed[l] += 1.0;
        if (!is_taken(x, l, ratio))
            continue;
        accepted[l] += 1.0;
        for (int k = 0; k < hs_window_members(w); k++)
            x->at.x[hs_window_member(w)[k]][l] = s->y[k];
    }
    return HISS_OK;
}
