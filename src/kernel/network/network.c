/* network.c - independent proposals from a truncated network.
 *
 * A proposal y has its exact probability q(y) and is accepted with
 *     min(1, p(y) q(x) / (p(x) q(y))),
 * so the distribution is kept however much the network lost by cutting its
 * bonds. With large enough bonds every proposal is accepted.  The network is
 * that of the target. The same test makes other temperatures and tilts exact,
 * with a lower acceptance.
 *
 * A proposal depends on its address, not on x. If a tile has fewer than 16
 * chains, idle lanes make proposals of later steps. Columns sum the weights p/q
 * of all proposals, whose mean is Z. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/exponential.h"
#include "exact/network/network.h"
#include "kernel/kernel.h"

/* Columns beyond those of every kernel: weights divided by e^log_z of the
 * network. */
enum {
    COUNT = HS_OWN_COLUMNS,
    SUM,
    SQUARES,
    COLUMNS
};

struct network {
    double bond;                 /* NaN: auto */
    const hs_network *held;      /* held */
    hs_network_scratch *scratch; /* owned */
    hs_point y;                  /* owned: the proposals of this step */
    hs_network_address address;  /* address of the batch, lane by lane */
    hs_index_row *batch;         /* owned, [dim] */
    double batch_q[HS_LANES];
    double batch_u[HS_LANES]; /* U by the tables, in double */
    int ahead;                /* number of filled lanes of the batch */
    uint64_t clock;           /* clock of the last step; 0 if there was none */
    hs_index_row *last;       /* owned, [dim]: the states that log_q belongs
                                 to */
    double log_q[HS_LANES];
    bool is_known; /* there is a last state */
};

static hiss_status network_setup(hs_kernel *k, const hs_model *m,
                                 hiss_error *err)
{
    struct network *s = k->state;
    const hs_network_request request = {.bond =
                                            s->bond > 0.0 ? (int)s->bond : 0};
    size_t dim = (size_t)m->domain.dim;

    HS_TRY(hs_network_hold(&s->held, m, &request, err));
    HS_TRY(hs_network_scratch_create(&s->scratch, s->held, err));
    HS_TRY(hs_point_init(&s->y, m, err));
    s->batch = hs_alloc_array(dim, sizeof *s->batch);
    s->last = hs_alloc_array(dim, sizeof *s->last);
    return s->batch && s->last ? HISS_OK : hs_fail_memory(err);
}

static hiss_status network_check(const hs_kernel *k, hiss_error *err)
{
    const struct network *s = k->state;

    if (s->bond > 0.0 && s->bond != floor(s->bond))
        return hs_fail(err, HISS_EARG,
                       "sampler network: bond is a whole number");
    return HISS_OK;
}

static void network_clear(hs_kernel *k)
{
    struct network *s = k->state;

    hs_network_scratch_destroy(s->scratch);
    hs_network_release(s->held);
    hs_point_clear(&s->y);
    hs_free(s->batch);
    hs_free(s->last);
}

/* The lane of the batch with the proposal of a lane, or -1. */
static int find_ahead(const struct network *s, const hs_tile *x, int lane)
{
    const hs_network_address *a = &s->address;

    for (int n = 0; n < s->ahead; n++)
        if (a->chain[n] == x->rng.chain[lane] &&
            a->replica[n] == x->rng.replica[lane] &&
            a->clock[n] == x->rng.clock && a->seed == x->rng.seed)
            return n;
    return -1;
}

/* Makes a new batch: this step, and later ones if the next steps are as far
 * apart as the last two were.  If not, only idle lanes are wasted. */
static void draw_batch(struct network *s, const hs_tile *x, uint64_t stride)
{
    s->address.seed = x->rng.seed;
    for (int n = 0; n < HS_LANES; n++) {
        int lane = n % x->lanes, later = n / x->lanes;

        s->address.chain[n] = x->rng.chain[lane];
        s->address.replica[n] = x->rng.replica[lane];
        s->address.clock[n] = x->rng.clock + stride * (uint64_t)later;
    }
    s->ahead = HS_LANES;
    hs_network_draw(s->held, s->scratch, &s->address, s->batch, s->batch_q);
    hs_network_energy(s->held, (const hs_index_row *)s->batch, s->batch_u);
}

/* Proposals of all lanes, with ln q and U. */
static void propose(struct network *s, const hs_domain *d, const hs_tile *x,
                    double *log_q, double *u)
{
    uint64_t stride = s->clock > 0 ? x->rng.clock - s->clock : 1;
    int from[HS_LANES] = {0};
    bool is_there = true;

    for (int l = 0; l < x->lanes; l++)
        is_there = is_there && find_ahead(s, x, l) >= 0;
    if (!is_there)
        draw_batch(s, x, stride);
    for (int l = 0; l < x->lanes; l++)
        from[l] = find_ahead(s, x, l);
    for (int i = 0; i < d->dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            s->y.x[i][l] = s->batch[i][from[l]];
    for (int l = 0; l < HS_LANES; l++) {
        log_q[l] = s->batch_q[from[l]];
        u[l] = s->batch_u[from[l]];
    }
    s->y.have = 0;
    s->clock = x->rng.clock;
}

/* Computes ln q of the present states, which other code may have moved. */
static void know_place(struct network *s, const hs_domain *d, const hs_tile *x)
{
    size_t bytes = (size_t)d->dim * sizeof *s->last;

    if (s->is_known && memcmp(s->last, x->at.x, bytes) == 0)
        return;
    memcpy(s->last, x->at.x, bytes);
    hs_network_draw(s->held, s->scratch, NULL, s->last, s->log_q);
    s->is_known = true;
}

static void add_weights(hs_kernel *k, const hs_tile *x, const double *u,
                        const double *log_q)
{
    const struct network *s = k->state;
    double log_z = hs_network_about(s->held)->log_z;

    for (int l = 0; l < x->lanes; l++) {
        double w =
            u[l] > -HUGE_VAL ? hs_exponential(u[l] - log_q[l] - log_z) : 0.0;

        k->lane[COUNT][l] += 1.0;
        k->lane[SUM][l] += w;
        k->lane[SQUARES][l] += w * w;
    }
}

/* The q of a random start may be so small that no proposal is accepted for
 * long.  The first step of a warm-up leaves it, before draws are kept. */
static void leave_start(const hs_tile *x, const double *u, int32_t *accept)
{
    for (int l = 0; l < x->lanes; l++)
        accept[l] = u[l] > -HUGE_VAL ? 1 : accept[l];
}

static hiss_status network_step(hs_kernel *k, const hs_model *m,
                                const hs_tilt *t, hs_tile *x)
{
    struct network *s = k->state;
    double ratio[HS_LANES], log_q[HS_LANES], u[HS_LANES];
    int32_t accept[HS_LANES];

    hs_tile_tick(x);
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U));
    know_place(s, &m->domain, x);
    propose(s, &m->domain, x, log_q, u);
    HS_TRY(hs_tile_evaluate(x, m, &s->y, HS_U));
    hs_tile_count_sites(x, m,
                        hs_network_about(s->held)->draw_sweeps * m->domain.dim);
    hs_tile_log_ratio(m, t, &x->at, &s->y, ratio);
    for (int l = 0; l < HS_LANES; l++)
        ratio[l] += s->log_q[l] - log_q[l];
    hs_tile_decide(x, ratio, accept);
    if (x->is_warmup && k->steps == 0)
        leave_start(x, s->y.u, accept);
    add_weights(k, x, u, log_q);
    hs_tile_move(x, m, &s->y, accept);
    hs_kernel_count(k, x, accept);
    memcpy(s->last, x->at.x, (size_t)m->domain.dim * sizeof *s->last);
    for (int l = 0; l < HS_LANES; l++)
        s->log_q[l] = accept[l] ? log_q[l] : s->log_q[l];
    return HISS_OK;
}

static void network_weigh(const hs_kernel *k, hs_proposal_weights *sum)
{
    const struct network *s = k->state;
    const hs_network_facts *f = hs_network_about(s->held);

    sum->log_scale = f->log_z;
    sum->about.bond = f->bond;
    sum->about.largest = f->largest;
    sum->about.frontier = f->frontier;
    sum->about.layers = f->layers;
    sum->about.discarded = f->discarded;
    for (int l = 0; l < HS_LANES; l++) {
        sum->count += k->lane[COUNT][l];
        sum->sum += k->lane[SUM][l];
        sum->squares += k->lane[SQUARES][l];
    }
    if (f->missing > HS_NETWORK_MISSING)
        sum->squares = HUGE_VAL; /* the weights cannot show a lost mode */
}

/* The number of entries that a draw visits. */
static int network_work(const hs_kernel *k, const hs_model *m, hs_work *part)
{
    const struct network *s = k->state;

    part[0] = (hs_work){.times = 1.0,
                        .amount = hs_network_about(s->held)->draw_sweeps *
                                  m->domain.dim};
    return 1;
}

static hs_traits network_traits(const hs_kernel *k)
{
    (void)k;
    return (hs_traits){
        .exact = true, .reversible = true, .homogeneous = true, .period = 1};
}

static const hs_option network_options[] = {
    {"bond", HS_AUTO, offsetof(struct network, bond), "auto", "[1,256]",
     "matrix size of the tensor train; auto: doubled from 8 on until trial "
     "draws are accepted"},
    {0},
};

const hs_kernel_type hs_kernel_network = {
    .name = "network",
    .summary = "independent draws from a truncated tensor network, tested",
    .size = sizeof(struct network),
    .options = network_options,
    .columns = COLUMNS,
    .setup = network_setup,
    .check = network_check,
    .step = network_step,
    .clear = network_clear,
    .weigh = network_weigh,
    .traits = network_traits,
    .work = network_work,
};
