/* hiss_card.c - steps of hiss on a GPU (device/device.h). */
#include "kernel/compose/hiss_state.h"
#include "kernel/compose/noise_probe.h"

/* Not tours, whose models are on no GPU, nor mixtures. */
bool hs_hiss_plan(const hs_kernel *k, const hs_model *m, hs_tilt_form form,
                  hs_device_sampler *out)
{
    const struct hs_hiss *s = k->state;

    out->step = HS_DEVICE_HISS;
    out->log_far = -HUGE_VAL;
    if (isnan(s->eta)) {
        out->log_far = s->log_far;
        out->first = HS_HISS_ADAPT;
        out->columns = HS_HISS_SIZE - HS_HISS_ADAPT + 1;
        out->is_tuned_here = s->tune == HS_HISS_JUMP;
        out->lesson[0] =
            (hs_device_lesson){.until = INT64_MAX,
                               .target = HS_HISS_TARGET,
                               .log_unit = s->log_low - hs_probe_least(),
                               .log_least = -HUGE_VAL,
                               .log_most = HUGE_VAL};
    } else {
        out->given = (float)s->eta;
    }
    out->is_adjusted = s->adjust;
    out->sweeps = s->sweeps;
    out->steps = hs_hiss_steps(k);
    out->shape = s->kernel == 0 ? HS_LOGISTIC : HS_GAUSSIAN;
    out->block =
        hs_hiss_has_sizes(s) ? -1 : hs_hiss_largest_block(k, m->domain.dim);
    out->is_palindrome = s->order == HS_HISS_PALINDROME;
    return form == HS_TILT_FLAT && !m->domain.is_tour && !s->is_mixed;
}

static void jump_made(hs_kernel *k, hs_tile *x)
{
    const struct hs_hiss *s = k->state;
    unsigned want = HS_U | (s->needs_gradient ? HS_GRAD : 0);

    hs_tile_presume(x, HS_U);
    hs_tile_count(x, want);
    x->at.have &= want;
    for (int l = 0; l < x->lanes; l++)
        k->lane[HS_PROPOSED][l] += 1.0;
}

void hs_hiss_made(hs_kernel *k, const hs_model *m, hs_tile *x,
                  hs_tilt_form form, int64_t steps)
{
    const struct hs_hiss *s = k->state;
    hs_tilt_form inner = k->type->tilts(k);

    (void)form;
    for (int64_t n = 0; n < steps * s->sweeps; n++) {
        hs_tile_tick(x);
        if (s->order == HS_HISS_PALINDROME) {
            hs_kernel_made(k->child[0], m, x, inner, hs_hiss_steps(k));
            hs_tile_tick(x);
        }
        jump_made(k, x);
        hs_kernel_made(k->child[0], m, x, inner, hs_hiss_steps(k));
    }
}
