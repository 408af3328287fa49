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
 * On tours the noise is on random keys (keys.h), x' is the tour by the noised
 * ones, and the keys' own density joins the ratio.  Noised keys are not kept,
 * so there the inner kernel works on p(x) itself.
 *
 * eta=auto is tuned by a pilot, level by level: to a jump acceptance of 0.234,
 * or (tune=jump) to the scale whose jumps go farthest,
 *     max E[min(1, p(x') / p(x)) |x' - x|^2],
 * by probes of ten scales in turn, with the acceptance itself and not its
 * outcome, so that rare jumps are seen early.  block=auto tries every scale
 * with all coordinates and with the blocks of SIZES.  Where some values are far
 * from the others, a quarter of the sweeps has a scale that reaches them
 * (adapt.h). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "kernel/adapt.h"
#include "kernel/compose/keys.h"
#include "kernel/compose/noise_block.h"
#include "kernel/kernel.h"
#include "lanes/lanes.h"

#define TARGET 0.234

/* Scales that tune=jump tries: LOW 2^(n/2), in units of the gap of values. */
#define TRIED 10
#define LOW   0.1
#define STEP  0.34657359027997264 /* ln 2 / 2 */

/* Coordinates noised that block=auto tries, up to HS_BLOCKS_RANKED; 0: all. */
static const int SIZES[] = {0, 4, 16};
#define SIZES_TRIED ((int)(sizeof SIZES / sizeof *SIZES))

enum {
    PAPER,
    PALINDROME
};
enum {
    EXACT,
    GRADIENT
};
enum {
    ADAPT = HS_OWN_COLUMNS,
    SIZE = ADAPT + HS_ADAPT_COLUMNS, /* coordinates that are noised */
    COLUMNS,
    JUMPED = COLUMNS, /* a column per probe: sums of what each was worth */
};
enum {
    ACCEPTANCE,
    JUMP
};

struct hiss {
    double eta; /* NaN: auto */
    int sweeps;
    hs_spec *inner;
    int steps;
    int kernel;
    bool adjust;
    int tilt_kind;
    double block; /* 0: all coordinates; NaN: auto */
    int order;
    int tune;

    int dim;
    double log_low;         /* ln of the least scale that is tried */
    double log_far;         /* the one that reaches far values, or -infinity */
    hs_tilt tilt;           /* owned: p(x | a); flat on tours */
    hs_keys keys;           /* owned, on tours */
    double prior[HS_LANES]; /* ln of the keys' part in the ratio */
    hs_point y;             /* owned: x' */
    hs_float_row *scratch;  /* owned */
    hs_blocks blocks;       /* owned */
    float eta_now[HS_LANES];
    bool needs_gradient;
};

/* Lane by lane blocks of their own size, from block=auto. */
static bool has_sizes(const struct hiss *s)
{
    return isnan(s->block);
}

/* Whether the inner kernel takes the tilt without logarithms (tilt.h). */
static bool has_factors(const hs_kernel *k, const hs_model *m)
{
    const struct hiss *s = k->state;

    return s->kernel == 0 && s->tilt_kind == EXACT && s->block == 0.0 &&
           !k->is_under_phi &&
           (double)m->domain.gap <= HS_TILT_MOST * s->eta && /* not NaN */
           hs_kernel_path(k->child[0], HS_TILT_FACTORS) != NULL;
}

static hiss_status hiss_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    struct hiss *s = k->state;
    const hs_domain *d = &m->domain;
    double gap = hs_domain_gap(d);

    hs_adapt_start(hs_adapt_columns(k->lane + ADAPT),
                   isnan(s->eta) ? 0.5 * gap : s->eta);
    s->log_low = log(LOW * gap);
    s->log_far = log(hs_domain_far_gap(d));
    s->dim = d->dim;
    s->needs_gradient = s->steps > 0 && hs_kernel_traits(k->child[0]).gradient;
    if (d->is_tour)
        HS_TRY(hs_keys_init(&s->keys, d->dim, err));
    else if (has_factors(k, m))
        HS_TRY(hs_tilt_init_factors(&s->tilt, d, err));
    else
        HS_TRY(hs_tilt_init(&s->tilt, d, s->tilt_kind == GRADIENT, err));
    HS_TRY(hs_point_init(&s->y, m, err));
    s->scratch = hs_alloc_array((size_t)d->states_max, sizeof *s->scratch);
    HS_TRY(hs_blocks_init(&s->blocks, d->dim, err));
    for (int l = 0; l < HS_LANES; l++)
        k->lane[SIZE][l] = d->dim;
    if (d->is_tour && has_sizes(s))
        return hs_fail(err, HISS_EARG,
                       "sampler hiss: block=auto is not for tours");
    return s->scratch ? HISS_OK : hs_fail_memory(err);
}

static void hiss_clear(hs_kernel *k)
{
    struct hiss *s = k->state;

    hs_tilt_clear(&s->tilt);
    hs_keys_clear(&s->keys);
    hs_point_clear(&s->y);
    hs_free(s->scratch);
    hs_blocks_clear(&s->blocks);
}

/* Coordinates that are noised in some lane. */
static int largest_block(const hs_kernel *k, int dim)
{
    const struct hiss *s = k->state;
    double most = s->block == 0.0 ? dim : s->block;

    if (has_sizes(s)) {
        most = 0.0;
        for (int l = 0; l < HS_LANES; l++)
            most = k->lane[SIZE][l] > most ? k->lane[SIZE][l] : most;
    }
    return most < dim ? (int)most : dim;
}

static void choose(hs_kernel *k, const hs_tile *x, int dim, int block)
{
    struct hiss *s = k->state;

    if (!has_sizes(s)) {
        hs_blocks_choose(&s->blocks, &x->rng, block);
        return;
    }
    hs_blocks_rank(&s->blocks, &x->rng);
    for (int i = 0; i < dim; i++)
        s->blocks.chosen[i] = s->blocks.rank[i] < block;
}

static bool is_noised(const hs_kernel *k, int i, int lane)
{
    const struct hiss *s = k->state;

    return has_sizes(s) ? s->blocks.rank[i] < k->lane[SIZE][lane]
                        : s->blocks.chosen[i] != 0;
}

/* x' is x where a lane has no noise. */
static void follow(hs_kernel *k, const hs_model *m, const hs_tile *x)
{
    struct hiss *s = k->state;
    int dim = m->domain.dim;

    if (!has_sizes(s) && largest_block(k, dim) == dim)
        return;
    for (int i = 0; i < dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            if (!is_noised(k, i, l))
                s->y.x[i][l] = x->at.x[i][l];
}

/* Takes back the noise outside the block of each lane. */
static void keep_blocks(hs_kernel *k, const hs_model *m, const hs_tile *x)
{
    struct hiss *s = k->state;

    for (int i = 0; i < m->domain.dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            if (!is_noised(k, i, l))
                hs_tilt_flatten(&s->tilt, &m->domain, i, l);
    follow(k, m, x);
}

/* What is refined has the phi of the law itself, too. */
static void add_phi(struct hiss *s, const hs_tilt *t, int rows)
{
    for (int row = 0; row < rows; row++)
        for (int l = 0; l < HS_LANES; l++)
            s->tilt.phi[row][l] += t->phi[row][l];
}

/* a ~ k(. | x); leaves phi in the tilt and x' ~ q(. | a) in y. */
static void noise(hs_kernel *k, const hs_model *m, const hs_tilt *t, hs_tile *x)
{
    struct hiss *s = k->state;
    int block = largest_block(k, m->domain.dim);
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
    if (!all || has_sizes(s))
        choose(k, x, m->domain.dim, block);
    memcpy(s->tilt.beta, t->beta, sizeof s->tilt.beta);
    if (m->domain.is_tour)
        hs_keys_noise(&s->keys, &n, s->prior);
    else
        hs_lanes()->noise(&n);
    if (has_sizes(s))
        keep_blocks(k, m, x);
    if (t->phi && !m->domain.is_tour)
        add_phi(s, t, hs_tilt_rows(&m->domain));
    s->y.have = 0;
}

/* Scales, times sizes of blocks, that are tried in turn. */
static int probes_of(const struct hiss *s)
{
    return has_sizes(s) ? TRIED * SIZES_TRIED : TRIED;
}

static double size_of(int probe, int dim)
{
    int size = SIZES[probe / TRIED];

    return size == 0 || size > dim ? dim : size;
}

static bool is_trying(const struct hiss *s, const hs_tile *x)
{
    return s->tune == JUMP && isnan(s->eta) && x->is_tuning;
}

/* Adds what the scale in use is worth: the expected distance of a jump.  Late
 * probes weigh most, by the cube of their number: the way to where the law is
 * has jumps of its own. */
static void note_jump(hs_kernel *k, const float *acceptance, const float *far)
{
    double *count = hs_adapt_columns(k->lane + ADAPT).count;
    int probes = probes_of(k->state);

    for (int l = 0; l < HS_LANES; l++) {
        int n = (int)fmod(count[l], probes);
        double round = floor(count[l] / probes) + 1.0;

        k->lane[JUMPED + n][l] +=
            round * round * round * (double)acceptance[l] * (double)far[l];
        count[l] += 1.0;
    }
}

/* Takes x' with min(1, p(x') / p(x)). */
static hiss_status jump(hs_kernel *k, const hs_model *m, const hs_tilt *t,
                        hs_tile *x)
{
    struct hiss *s = k->state;
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
        if (s->tune == JUMP)
            note_jump(k, acceptance, far);
        else
            hs_adapt_update(hs_adapt_columns(k->lane + ADAPT), acceptance,
                            TARGET, s->log_low - log(LOW));
    }
    return HISS_OK;
}

static hiss_status refine(hs_kernel *k, const hs_model *m, hs_tile *x)
{
    struct hiss *s = k->state;

    for (int i = 0; i < s->steps; i++)
        HS_TRY(hs_kernel_step(k->child[0], m, &s->tilt, x));
    return HISS_OK;
}

static void set_eta(hs_kernel *k, const hs_tile *x, int dim)
{
    struct hiss *s = k->state;
    hs_adapt a = hs_adapt_columns(k->lane + ADAPT);

    for (int l = 0; is_trying(s, x) && l < HS_LANES; l++) {
        int probe = (int)fmod(a.count[l], probes_of(s));

        a.log_value[l] = s->log_low + STEP * (probe % TRIED);
        k->lane[SIZE][l] = size_of(probe, dim);
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
    struct hiss *s = k->state;

    for (int g = 0; g < s->sweeps; g++) {
        set_eta(k, x, m->domain.dim);
        if (s->order == PALINDROME && m->domain.is_tour) {
            memcpy(s->tilt.beta, t->beta, sizeof s->tilt.beta);
            HS_TRY(refine(k, m, x)); /* keys are drawn where it ends */
            noise(k, m, t, x);
        } else {
            noise(k, m, t, x);
            if (s->order == PALINDROME) {
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
    return hs_tilt_form_of(&((const struct hiss *)k->state)->tilt);
}

/* Not tours: their models are on no card. */
static bool hiss_plan(const hs_kernel *k, const hs_model *m, hs_tilt_form form,
                      hs_device_sampler *out)
{
    const struct hiss *s = k->state;

    out->step = HS_DEVICE_HISS;
    out->log_far = -HUGE_VAL;
    if (isnan(s->eta)) {
        out->log_far = s->log_far;
        out->first = ADAPT;
        out->columns = SIZE - ADAPT + 1;
        out->is_tuned_here = s->tune == JUMP;
        out->lesson[0] = (hs_device_lesson){.until = INT64_MAX,
                                            .target = TARGET,
                                            .log_unit = s->log_low - log(LOW),
                                            .log_least = -HUGE_VAL,
                                            .log_most = HUGE_VAL};
    } else {
        out->given = (float)s->eta;
    }
    out->is_adjusted = s->adjust;
    out->sweeps = s->sweeps;
    out->steps = s->steps;
    out->shape = s->kernel == 0 ? HS_LOGISTIC : HS_GAUSSIAN;
    out->block = has_sizes(s) ? -1 : largest_block(k, m->domain.dim);
    out->is_palindrome = s->order == PALINDROME;
    return form == HS_TILT_FLAT && !m->domain.is_tour;
}

static void jump_made(hs_kernel *k, hs_tile *x)
{
    const struct hiss *s = k->state;
    unsigned want = HS_U | (s->needs_gradient ? HS_GRAD : 0);

    hs_tile_presume(x, HS_U);
    hs_tile_count(x, want);
    x->at.have &= want;
    for (int l = 0; l < x->lanes; l++)
        k->lane[HS_PROPOSED][l] += 1.0;
}

static void hiss_made(hs_kernel *k, const hs_model *m, hs_tile *x,
                      hs_tilt_form form, int64_t steps)
{
    const struct hiss *s = k->state;
    hs_tilt_form inner = hiss_tilts(k);

    (void)form;
    for (int64_t n = 0; n < steps * s->sweeps; n++) {
        hs_tile_tick(x);
        if (s->order == PALINDROME) {
            hs_kernel_made(k->child[0], m, x, inner, s->steps);
            hs_tile_tick(x);
        }
        jump_made(k, x);
        hs_kernel_made(k->child[0], m, x, inner, s->steps);
    }
}

static double hiss_visits(const hs_kernel *k, int child)
{
    const struct hiss *s = k->state;

    (void)child;
    return (double)s->sweeps * s->steps * (s->order == PALINDROME ? 2 : 1);
}

static void hiss_begin(hs_kernel *k, int64_t steps)
{
    hs_kernel_begin(k->child[0], steps * (int64_t)hiss_visits(k, 0));
}

/* The probe whose jumps went farthest; they have been tried in turn. */
static int best_probe(const hs_kernel *k, int lane)
{
    int best = 0, probes = probes_of(k->state);

    for (int n = 1; n < probes; n++)
        if (k->lane[JUMPED + n][lane] > k->lane[JUMPED + best][lane])
            best = n;
    return best;
}

static void hiss_freeze(hs_kernel *k)
{
    const struct hiss *s = k->state;
    hs_adapt a = hs_adapt_columns(k->lane + ADAPT);

    for (int l = 0; s->tune == JUMP && isnan(s->eta) && l < HS_LANES; l++)
        if (a.count[l] > 0.0) {
            int best = best_probe(k, l);

            a.log_average[l] = s->log_low + STEP * (best % TRIED);
            k->lane[SIZE][l] = size_of(best, s->dim);
        }
    hs_adapt_freeze(a);
}

static int hiss_columns(const hs_kernel *k)
{
    const struct hiss *s = k->state;

    return s->tune == JUMP ? COLUMNS + probes_of(s) : COLUMNS;
}

static hiss_status hiss_check(const hs_kernel *k, hiss_error *err)
{
    const struct hiss *s = k->state;

    if (!isnan(s->block) && s->block != floor(s->block))
        return hs_fail(err, HISS_EARG,
                       "sampler hiss: block is %g, expected a whole number or "
                       "auto",
                       s->block);
    if (has_sizes(s) && (s->tune != JUMP || !isnan(s->eta)))
        return hs_fail(err, HISS_EARG,
                       "sampler hiss: block=auto needs eta=auto and tune=jump");
    return HISS_OK;
}

static int hiss_work(const hs_kernel *k, const hs_model *m, hs_work *part)
{
    (void)m;
    part[0] = (hs_work){.times = ((const struct hiss *)k->state)->sweeps};
    return 1;
}

static hs_traits hiss_traits(const hs_kernel *k)
{
    const struct hiss *s = k->state;
    hs_traits inner = hs_kernel_traits(k->child[0]);
    hs_traits own = {.exact = s->adjust,
                     .reversible = s->adjust,
                     .homogeneous = true,
                     .shares = s->block != 0.0,
                     .period = 1};

    if (s->steps == 0)
        return own;
    own.exact = own.exact && inner.exact;
    own.homogeneous = inner.homogeneous;
    own.reversible = own.reversible && s->order == PALINDROME &&
                     inner.reversible && inner.homogeneous;
    own.shares = own.shares || inner.shares;
    own.gradient = inner.gradient;
    own.period = inner.period;
    return own;
}

static int hiss_describe(const hs_kernel *k, int lane, char *text, size_t size)
{
    const struct hiss *s = k->state;

    if (!isnan(s->eta))
        return 0;
    if (has_sizes(s))
        return hs_snprintf(text, size, "eta=%.4g,block=%.0f",
                           exp(k->lane[ADAPT][lane]), k->lane[SIZE][lane]);
    return hs_snprintf(text, size, "eta=%.4g", exp(k->lane[ADAPT][lane]));
}

static const hs_option hiss_options[] = {
    {"eta", HS_AUTO, offsetof(struct hiss, eta), "auto", "(0,inf)",
     "scale of the noise; auto: tuned by a pilot to a jump acceptance of "
     "0.234"},
    {"sweeps", HS_INTEGER, offsetof(struct hiss, sweeps), "1", "[1,1000000]",
     "sweeps per step (G of the paper)"},
    {"inner", HS_CHILD, offsetof(struct hiss, inner), "dmala", NULL,
     "kernel that refines at fixed noise"},
    {"steps", HS_INTEGER, offsetof(struct hiss, steps), "2", "[0,1000000]",
     "inner steps per sweep (L of the paper)"},
    {"kernel", HS_CHOICE, offsetof(struct hiss, kernel), "logistic",
     "logistic|gaussian", "shape of the noise"},
    {"adjust", HS_BOOL, offsetof(struct hiss, adjust), "yes", NULL,
     "no: every jump is taken, not exact"},
    {"tilt", HS_CHOICE, offsetof(struct hiss, tilt_kind), "exact",
     "exact|gradient", "how inner proposals see the noise"},
    {"block", HS_AUTO, offsetof(struct hiss, block), "0", "[0,2147483647]",
     "coordinates noised per sweep; 0: all; auto: all, 4 or 16, tuned with "
     "eta=auto, tune=jump"},
    {"order", HS_CHOICE, offsetof(struct hiss, order), "paper",
     "paper|palindrome", "palindrome: refine before and after, reversible"},
    {"tune", HS_CHOICE, offsetof(struct hiss, tune), "accept", "accept|jump",
     "jump: eta=auto is the scale, of ten, whose accepted jumps go farthest"},
    {0},
};

const hs_kernel_type hs_kernel_hiss = {
    .name = "hiss",
    .summary = "logistic bridging: noise, denoise, jump, then refine",
    .counter = "hiss.jump",
    .moves_tours = true,
    .size = sizeof(struct hiss),
    .options = hiss_options,
    .columns = COLUMNS,
    .column_count = hiss_columns,
    .setup = hiss_setup,
    .step = hiss_step,
    .clear = hiss_clear,
    .check = hiss_check,
    .traits = hiss_traits,
    .tilts = hiss_tilts,
    .plan = hiss_plan,
    .made = hiss_made,
    .begin = hiss_begin,
    .freeze = hiss_freeze,
    .describe = hiss_describe,
    .work = hiss_work,
    .visits = hiss_visits,
};
