/* hiss.c - Hyperbolic Secant-squared Gibbs Sampling.
 *
 * One sweep:
 *     noise    a = x + eta * logistic
 *     denoise  x' ~ prod_i softmax of phi_i(v) = -2 ln cosh((a_i-v)/2eta)
 *     jump     accept x' with min(1, p(x') / p(x)): noise and denoise cancel
 *     refine   `steps` steps of the inner kernel on p(x | a): the model tilted
 *              by phi
 * With a integrated out the jump flips each bit with probability rho(eta).
 *
 * order=paper is pi-invariant but not reversible once steps >= 1; palindrome
 * refines, jumps and refines again at one a, which is reversible.  block=b
 * noises b coordinates per sweep (b cities of a tour), drawn afresh and alike
 * for all chains.
 *
 * kernel=learned: every other sweep has noise along pieces of the difference of
 * modes that a pilot has found (kernel/noise/learned.h), shared with bridge.
 *
 * On tours the noise is on random keys (keys.h), x' is the tour by the noised
 * ones, and the keys' own density joins the ratio.  Noised keys are not kept,
 * so there the inner kernel works on p(x) itself.
 *
 * eta=auto draws the scale of every sweep, and the block, from a mixture that a
 * pilot learns (noise_mix.h).  Then the inner kernel works on p(x) itself, the
 * limit of eta: noise that is fine enough for a jump would hold it where it is.
 * Any sequence of jumps and of steps that keep p keeps p.
 *
 * tune=accept and tune=jump tune one scale instead, level by level: to a jump
 * acceptance of 0.234, or to the scale whose jumps go farthest,
 *     max E[min(1, p(x') / p(x)) |x' - x|^2],
 * by probes of ten scales in turn, with the acceptance itself and not its
 * outcome, so that rare jumps are seen early.  block=auto tries every scale
 * with all coordinates and with blocks, too.  Where some values are far from
 * the others, a quarter of the sweeps has a scale that reaches them
 * (adapt.h). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "kernel/compose/hiss_state.h"
#include "kernel/compose/noise_probe.h"
#include "kernel/kernel.h"
#include "lanes/lanes.h"

/* Whether the inner kernel takes the tilt without logarithms (tilt.h). */
static bool has_factors(const hs_kernel *k, const hs_model *m)
{
    const struct hs_hiss *s = k->state;

    return s->kernel == 0 && s->tilt_kind == HS_HISS_EXACT && s->block == 0.0 &&
           !k->is_under_phi &&
           (double)m->domain.gap <= HS_TILT_MOST * s->eta && /* not NaN */
           hs_kernel_path(k->child[0], HS_TILT_FACTORS) != NULL;
}

static hiss_status hiss_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct hs_hiss *s = k->state;
    const hs_domain *d = &m->domain;
    double gap = hs_domain_gap(d);

    hs_adapt_start(hs_adapt_columns(k->lane + HS_HISS_ADAPT),
                   isnan(s->eta) ? 0.5 * gap : s->eta);
    s->log_low = hs_probe_least() + log(gap);
    s->log_far = log(hs_domain_far_gap(d));
    s->dim = d->dim;
    s->needs_gradient = s->steps != 0 && hs_kernel_traits(k->child[0]).gradient;
    s->is_mixed = hs_hiss_wants_mix(s) && !d->is_tour;
    if (s->kernel == HS_HISS_LEARNED && d->is_tour)
        return hs_fail(err, HISS_EARG,
                       "sampler hiss: kernel=learned is not for tours");
    if (s->kernel == HS_HISS_LEARNED)
        HS_TRY(hs_learned_init(&s->learned, m, err));
    if (s->is_mixed)
        return hs_noise_mix_init(&s->mix, m, (int)s->block,
                                 k->lane + HS_HISS_MIXED, err);
    if (d->is_tour)
        HS_TRY(hs_keys_init(&s->keys, d->dim, err));
    else if (has_factors(k, m))
        HS_TRY(hs_tilt_init_factors(&s->tilt, d, err));
    else
        HS_TRY(
            hs_tilt_init(&s->tilt, d, s->tilt_kind == HS_HISS_GRADIENT, err));
    HS_TRY(hs_point_init(&s->y, m, err));
    s->scratch = hs_alloc_array((size_t)d->states_max, sizeof *s->scratch);
    HS_TRY(hs_blocks_init(&s->blocks, d->dim, err));
    for (int l = 0; l < HS_LANES; l++)
        k->lane[HS_HISS_SIZE][l] = d->dim;
    if (d->is_tour && hs_hiss_has_sizes(s))
        return hs_fail(err, HISS_EARG,
                       "sampler hiss: block=auto is not for tours");
    return s->scratch ? HISS_OK : hs_fail_memory(err);
}

static void hiss_clear(hs_kernel *k)
{
    struct hs_hiss *s = k->state;

    hs_tilt_clear(&s->tilt);
    hs_keys_clear(&s->keys);
    hs_point_clear(&s->y);
    hs_free(s->scratch);
    hs_blocks_clear(&s->blocks);
    hs_noise_mix_clear(&s->mix);
    hs_learned_clear(&s->learned);
}

static void choose(hs_kernel *k, const hs_tile *x, int dim, int block)
{
    struct hs_hiss *s = k->state;

    if (!hs_hiss_has_sizes(s)) {
        hs_blocks_choose(&s->blocks, &x->rng, block);
        return;
    }
    hs_blocks_rank(&s->blocks, &x->rng);
    for (int i = 0; i < dim; i++)
        s->blocks.chosen[i] = s->blocks.rank[i] < block;
}

static bool is_noised(const hs_kernel *k, int i, int lane)
{
    const struct hs_hiss *s = k->state;

    return hs_hiss_has_sizes(s)
               ? s->blocks.rank[i] < k->lane[HS_HISS_SIZE][lane]
               : s->blocks.chosen[i] != 0;
}

/* x' is x where a lane has no noise. */
static void follow(hs_kernel *k, const hs_model *m, const hs_tile *x)
{
    struct hs_hiss *s = k->state;
    int dim = m->domain.dim;

    if (!hs_hiss_has_sizes(s) && hs_hiss_largest_block(k, dim) == dim)
        return;
    for (int i = 0; i < dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            if (!is_noised(k, i, l))
                s->y.x[i][l] = x->at.x[i][l];
}

/* Takes back the noise outside the block of each lane. */
static void keep_blocks(hs_kernel *k, const hs_model *m, const hs_tile *x)
{
    struct hs_hiss *s = k->state;

    for (int i = 0; i < m->domain.dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            if (!is_noised(k, i, l))
                hs_tilt_flatten(&s->tilt, &m->domain, i, l);
    follow(k, m, x);
}

/* A refined proposal also contains the phi of the distribution itself. */
static void add_phi(struct hs_hiss *s, const hs_tilt *t, int rows)
{
    for (int row = 0; row < rows; row++)
        for (int l = 0; l < HS_LANES; l++)
            s->tilt.phi[row][l] += t->phi[row][l];
}

/* a ~ k(. | x); leaves phi in the tilt and x' ~ q(. | a) in y. */
static void noise(hs_kernel *k, const hs_model *m, const hs_tilt *t, hs_tile *x)
{
    struct hs_hiss *s = k->state;
    int block = hs_hiss_largest_block(k, m->domain.dim);
    bool all = block == m->domain.dim;
    hs_noise n = {.domain = &m->domain,
                  .rng = &x->rng,
                  .eta = s->eta_now,
                  .chosen = all ? NULL : s->blocks.chosen,
                  .x = (const hs_index_row *)x->at.x,
                  .y = s->y.x,
                  .phi = s->tilt.phi,
                  .slope = s->tilt.slope,
                  .factor = s->tilt.factor,
                  .was = s->tilt.was,
                  .root = s->tilt.root,
                  .scratch = s->scratch,
                  .shape = s->kernel == 0 ? HS_LOGISTIC : HS_GAUSSIAN};

    hs_tile_tick(x);
    if (!all || hs_hiss_has_sizes(s))
        choose(k, x, m->domain.dim, block);
    memcpy(s->tilt.beta, t->beta, sizeof s->tilt.beta);
    if (m->domain.is_tour)
        hs_keys_noise(&s->keys, &n, s->prior);
    else
        hs_lanes()->noise(&n);
    if (hs_hiss_has_sizes(s))
        keep_blocks(k, m, x);
    if (t->phi && !m->domain.is_tour)
        add_phi(s, t, hs_tilt_rows(&m->domain));
    s->y.have = 0;
}

static bool is_trying(const struct hs_hiss *s, const hs_tile *x)
{
    return s->tune == HS_HISS_JUMP && isnan(s->eta) && x->is_tuning;
}

/* Takes x' with min(1, p(x') / p(x)). */
static hiss_status jump(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                        hs_tile *x)
{
    struct hs_hiss *s = k->state;
    double ratio[HS_LANES];
    int32_t accept[HS_LANES];
    float far[HS_LANES];
    unsigned want = HS_U | (s->needs_gradient ? HS_GRAD : 0);

    if (is_trying(s, x))
        hs_blocks_differ(m->domain.dim, (const hs_index_row *)x->at.x,
                         (const hs_index_row *)s->y.x, far);
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    HS_TRY(hs_tile_evaluate(x, m, &s->y, want));
    hs_tile_log_ratio(m, t, &x->at, &s->y, ratio);
    for (int l = 0; l < HS_LANES; l++) {
        ratio[l] += s->prior[l]; /* 0 but on tours */
        accept[l] = ratio[l] != -HUGE_VAL;
    }
    if (s->adjust)
        hs_tile_decide(x, ratio, accept);
    hs_tile_move(x, m, &s->y, accept);
    hs_kernel_count(k, x, accept);
    if (x->is_tuning && isnan(s->eta)) {
        float acceptance[HS_LANES];

        hs_tile_acceptance(ratio, acceptance);
        if (s->tune == HS_HISS_JUMP)
            hs_probe_note(k->lane + HS_HISS_JUMPED,
                          hs_adapt_columns(k->lane + HS_HISS_ADAPT).count,
                          hs_probe_count(hs_hiss_has_sizes(s)), acceptance,
                          far);
        else
            hs_adapt_update(hs_adapt_columns(k->lane + HS_HISS_ADAPT),
                            acceptance, HS_HISS_TARGET,
                            s->log_low - hs_probe_least());
    }
    return HISS_OK;
}

static hiss_status refine(hs_kernel *k, const hs_model *m, hs_tile *x)
{
    struct hs_hiss *s = k->state;

    for (int i = 0; i < hs_hiss_steps(k); i++)
        HS_TRY(hs_kernel_step(k->child[0], m, &s->tilt, x));
    return HISS_OK;
}

/* A move on p(x) itself, between the jumps of a mixture. */
static hiss_status move_on(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                           hs_tile *x)
{
    struct hs_hiss *s = k->state;
    bool tries = x->is_tuning && s->steps != 0;
    int steps = tries ? 1 : hs_hiss_steps(k);

    if (tries)
        hs_noise_mix_leave(&s->mix, m, x);
    for (int i = 0; i < steps; i++)
        HS_TRY(hs_kernel_step(k->child[0], m, t, x));
    if (tries)
        hs_noise_mix_arrive(&s->mix, m, x, k->lane + HS_HISS_MIXED);
    return HISS_OK;
}

/* Every other sweep on average, by a coin that all chains share and that does
 * not depend on them; a pilot tries the mixture alone. */
static bool takes_learned(const struct hs_hiss *s, const hs_tile *x)
{
    return s->kernel == HS_HISS_LEARNED && !x->is_tuning &&
           hs_learned_any(&s->learned) &&
           hs_rng_shared(&x->rng, HS_DRAW_COMPONENT, 2) >> 31;
}

static void hiss_attach(hs_kernel *k, const hs_library *library)
{
    struct hs_hiss *s = k->state;

    hs_learned_attach(&s->learned, library);
}

static hiss_status mixed_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                              hs_tile *x)
{
    struct hs_hiss *s = k->state;
    unsigned wants = HS_U | (s->needs_gradient ? HS_GRAD : 0);
    double rate =
        isnan(s->steps) ? k->lane[HS_HISS_MIXED + HS_MIX_RATE][0] : 1.0;

    for (int g = 0; g < s->sweeps; g++) {
        if (s->order == HS_HISS_PALINDROME)
            HS_TRY(move_on(k, m, t, x));
        if (takes_learned(s, x)) {
            hs_tile_tick(x);
            HS_TRY(hs_learned_jump(&s->learned, k, m, t, x, wants));
        } else {
            HS_TRY(hs_noise_mix_jump(&s->mix, k, m, t, x, wants, rate,
                                     k->lane + HS_HISS_MIXED));
        }
        HS_TRY(move_on(k, m, t, x));
    }
    return HISS_OK;
}

static void set_eta(hs_kernel *k, const hs_tile *x, int dim)
{
    struct hs_hiss *s = k->state;
    hs_adapt a = hs_adapt_columns(k->lane + HS_HISS_ADAPT);

    for (int l = 0; is_trying(s, x) && l < HS_LANES; l++) {
        int probe = (int)fmod(a.count[l], hs_probe_count(hs_hiss_has_sizes(s)));

        a.log_value[l] = s->log_low + hs_probe_scale(probe);
        k->lane[HS_HISS_SIZE][l] =
            hs_hiss_has_sizes(s) ? hs_probe_size(probe, dim) : dim;
    }
    if (isnan(s->eta))
        hs_adapt_values(a, s->eta_now);
    else
        for (int l = 0; l < HS_LANES; l++)
            s->eta_now[l] = (float)s->eta;
    if (isnan(s->eta) && s->log_far > -HUGE_VAL && !x->is_tuning)
        hs_adapt_reach(a, &x->rng, s->log_far, s->eta_now);
}

static hiss_status hiss_step(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                             hs_tile *x)
{
    struct hs_hiss *s = k->state;

    if (s->is_mixed)
        return mixed_step(k, m, t, x);
    for (int g = 0; g < s->sweeps; g++) {
        set_eta(k, x, m->domain.dim);
        if (s->order == HS_HISS_PALINDROME && m->domain.is_tour) {
            memcpy(s->tilt.beta, t->beta, sizeof s->tilt.beta);
            HS_TRY(refine(k, m, x)); /* keys are drawn where it ends */
            noise(k, m, t, x);
        } else {
            noise(k, m, t, x);
            if (s->order == HS_HISS_PALINDROME) {
                HS_TRY(refine(k, m, x));
                hs_tile_tick(x); /* the jump's uniform has another clock */
                follow(k, m, x);
            }
        }
        HS_TRY(jump(k, m, t, x));
        HS_TRY(refine(k, m, x));
    }
    return HISS_OK;
}

static hs_tilt_form hiss_tilts(const hs_kernel *k)
{
    const struct hs_hiss *s = k->state;

    if (s->is_mixed)
        return k->is_under_phi ? HS_TILT_PHI : HS_TILT_FLAT;
    return hs_tilt_form_of(&s->tilt);
}

static double hiss_visits(const hs_kernel *k, int child)
{
    const struct hs_hiss *s = k->state;

    (void)child;
    return (double)s->sweeps *
           (isnan(s->steps) ? HS_HISS_USUAL_STEPS : s->steps) *
           (s->order == HS_HISS_PALINDROME ? 2 : 1);
}

static void hiss_begin(hs_kernel *k, int64_t steps)
{
    hs_kernel_begin(k->child[0], steps * (int64_t)hiss_visits(k, 0));
}

static void hiss_freeze(hs_kernel *k)
{
    const struct hs_hiss *s = k->state;
    hs_adapt a = hs_adapt_columns(k->lane + HS_HISS_ADAPT);

    if (s->is_mixed)
        hs_noise_mix_freeze(&s->mix, s->dim, k->lane + HS_HISS_MIXED);
    for (int l = 0; s->tune == HS_HISS_JUMP && isnan(s->eta) && l < HS_LANES;
         l++)
        if (a.count[l] > 0.0) {
            int best = hs_probe_best((const double(*)[HS_LANES])k->lane +
                                         HS_HISS_JUMPED,
                                     hs_probe_count(hs_hiss_has_sizes(s)), l);

            a.log_average[l] = s->log_low + hs_probe_scale(best);
            k->lane[HS_HISS_SIZE][l] =
                hs_hiss_has_sizes(s) ? hs_probe_size(best, s->dim) : s->dim;
        }
    hs_adapt_freeze(a);
}

static int hiss_columns(const hs_kernel *k)
{
    const struct hs_hiss *s = k->state;

    return hs_hiss_wants_mix(s) ? HS_HISS_COLUMNS + HS_MIX_COLUMNS
           : s->tune == HS_HISS_JUMP
               ? HS_HISS_COLUMNS + hs_probe_count(hs_hiss_has_sizes(s))
               : HS_HISS_COLUMNS;
}

static hiss_status hiss_check(const hs_kernel *k, hiss_error *err)
{
    const struct hs_hiss *s = k->state;

    if (!isnan(s->block) && s->block != floor(s->block))
        return hs_fail(err, HISS_EARG,
                       "sampler hiss: block is %g, expected a whole number or "
                       "auto",
                       s->block);
    if (!isnan(s->steps) && s->steps != floor(s->steps))
        return hs_fail(err, HISS_EARG,
                       "sampler hiss: steps is %g, expected a whole number or "
                       "auto",
                       s->steps);
    if (s->kernel == HS_HISS_LEARNED && !hs_hiss_wants_mix(s))
        return hs_fail(err, HISS_EARG,
                       "sampler hiss: kernel=learned needs eta=auto, tune=mix, "
                       "tilt=exact and adjust=yes");
    if (hs_hiss_has_sizes(s) && (s->tune != HS_HISS_JUMP || !isnan(s->eta)))
        return hs_fail(err, HISS_EARG,
                       "sampler hiss: block=auto needs eta=auto and tune=jump");
    return HISS_OK;
}

static int hiss_work(const hs_kernel *k, const hs_model *m, hs_work *part)
{
    (void)m;
    part[0] = (hs_work){.times = ((const struct hs_hiss *)k->state)->sweeps};
    return 1;
}

static hs_traits hiss_traits(const hs_kernel *k)
{
    const struct hs_hiss *s = k->state;
    hs_traits inner = hs_kernel_traits(k->child[0]);
    hs_traits own = {.exact = s->adjust,
                     .reversible = s->adjust,
                     .homogeneous = true,
                     .shares = s->block != 0.0 || hs_hiss_wants_mix(s),
                     .period = 1};

    if (s->steps == 0)
        return own;
    own.exact = own.exact && inner.exact;
    own.homogeneous = inner.homogeneous;
    own.reversible = own.reversible && s->order == HS_HISS_PALINDROME &&
                     inner.reversible && inner.homogeneous;
    own.shares = own.shares || inner.shares;
    own.gradient = inner.gradient;
    own.period = inner.period;
    return own;
}

static int hiss_describe(const hs_kernel *k, int lane, char *text, size_t size)
{
    const struct hs_hiss *s = k->state;

    if (!isnan(s->eta))
        return 0;
    if (s->is_mixed)
        return hs_noise_mix_describe(
            &s->mix, s->dim, (const double(*)[HS_LANES])k->lane + HS_HISS_MIXED,
            lane, text, size);
    if (hs_hiss_has_sizes(s))
        return hs_snprintf(text, size, "eta=%.4g,block=%.0f",
                           exp(k->lane[HS_HISS_ADAPT][lane]),
                           k->lane[HS_HISS_SIZE][lane]);
    return hs_snprintf(text, size, "eta=%.4g",
                       exp(k->lane[HS_HISS_ADAPT][lane]));
}

static const hs_option hiss_options[] = {
    {"eta", HS_AUTO, offsetof(struct hs_hiss, eta), "auto", "(0,inf)",
     "scale of the noise; auto: as `tune` says"},
    {"sweeps", HS_INTEGER, offsetof(struct hs_hiss, sweeps), "1", "[1,1000000]",
     "sweeps per step (G of the paper)"},
    {"inner", HS_CHILD, offsetof(struct hs_hiss, inner), "dmala", NULL,
     "kernel that refines; if not given, of a mixture: the plain one that fits "
     "the model"},
    {"steps", HS_AUTO, offsetof(struct hs_hiss, steps), "auto", "[0,1000000]",
     "inner steps per sweep (L of the paper); auto: 2, or of a mixture 1 and "
     "jumps as often as they are worth it"},
    {"kernel", HS_CHOICE, offsetof(struct hs_hiss, kernel), "logistic",
     "logistic|gaussian|learned",
     "shape of the noise; learned: beside independent noise, along what a "
     "pilot finds modes to differ in"},
    {"adjust", HS_BOOL, offsetof(struct hs_hiss, adjust), "yes", NULL,
     "Metropolis test of jumps; no: accept every jump, not exact"},
    {"tilt", HS_CHOICE, offsetof(struct hs_hiss, tilt_kind), "exact",
     "exact|gradient", "how inner proposals see the noise"},
    {"block", HS_AUTO, offsetof(struct hs_hiss, block), "0", "[0,2147483647]",
     "coordinates noised per sweep; 0: all; auto: all, 4 or 16, tuned with "
     "eta=auto, tune=jump"},
    {"order", HS_CHOICE, offsetof(struct hs_hiss, order), "paper",
     "paper|palindrome", "palindrome: refine before and after, reversible"},
    {"tune", HS_CHOICE, offsetof(struct hs_hiss, tune), "mix",
     "mix|accept|jump",
     "of eta=auto: mix: scales and blocks drawn from a mixture that a pilot "
     "learns; accept: a jump acceptance of 0.234; jump: the scale, of ten, "
     "whose accepted jumps go farthest"},
    {0},
};

const hs_kernel_type hs_kernel_hiss = {
    .name = "hiss",
    .summary = "logistic bridging: noise, denoise, jump, then refine",
    .counter = "hiss.jump",
    .moves_tours = true,
    .size = sizeof(struct hs_hiss),
    .options = hiss_options,
    .columns = HS_HISS_COLUMNS,
    .column_count = hiss_columns,
    .setup = hiss_setup,
    .step = hiss_step,
    .clear = hiss_clear,
    .attach = hiss_attach,
    .check = hiss_check,
    .traits = hiss_traits,
    .tilts = hiss_tilts,
    .plan = hs_hiss_plan,
    .made = hs_hiss_made,
    .begin = hiss_begin,
    .freeze = hiss_freeze,
    .describe = hiss_describe,
    .work = hiss_work,
    .visits = hiss_visits,
};
