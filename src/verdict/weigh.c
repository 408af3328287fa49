/* weigh.c - tests whether modes have the right shares of the draws.
 *
 * Chains that change mode too rarely may agree by chance, and all may share the
 * same error.  A basin (run/atlas/basin.h) is a set of states with a part
 * Z(basin) = E_q[p / q; in the basin] of Z, for any distribution q.  So among
 * the draws in several basins, the share of each must be Z(basin) / sum of all
 * Z(basin), within the errors of both.  A q that misses regions of large p
 * makes Z(basin) too small without showing it.  The draws in the basin reveal
 * this, by 1 / Z(basin) = E_draws in the basin[q / p].  Basins for which the
 * two disagree are not used, nor are those that are mostly the same. */
#include "verdict/weigh.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "diag/maths/normal.h"
#include "verdict/comparison.h"

#define MODES 4 /* number of modes weighed, */
#define LOOKS 6 /* among the heaviest */
#define TRIES 2
#define HEAVY 0.05 /* smallest share of the draws */
#define FIT   0.1  /* largest error of ln Z(basin), so that q is like p */
#define BACK  0.2  /* largest difference from the estimate by draws */
/* largest share of a basin's draws that are in another one */
#define SHARED    0.5
#define OFF       0.04 /* a smaller error of a share is ignored */
#define BY_CHANCE 0.002

struct place {
    const int16_t *state; /* borrowed: an optimum */
    hs_basin basin;       /* owned */
    bool *has;            /* owned, [draws]: whether each is in it */
    double seen;          /* number of draws in it */
};

struct scales {
    const hs_weighing *w;
    struct place place[MODES];
    int count;
    uint32_t next;
    double *z; /* owned, [draws] */
};

static hiss_status look(struct scales *s, struct place *p, hiss_error *err)
{
    const hs_weighing *w = s->w;
    hs_basin_request request = {.sampler = w->local,
                                .first_chain = s->next,
                                .discard = w->steps / 4,
                                .steps = w->steps - w->steps / 4,
                                .draws = w->seen};

    s->next += 2 * HS_LANES;
    hs_basin_clear(&p->basin);
    return hs_basin_init(&p->basin, w->e->model->model, p->state, &request,
                         w->account, err);
}

/* ln of 1 / E[q / p] over the draws in the basin; marks them. */
static double weigh_back(const struct scales *s, struct place *p)
{
    const hs_domain *d = &s->w->e->model->model->domain;
    double top = -HUGE_VAL, sum = 0.0;

    p->seen = 0.0;
    for (int64_t n = 0; n < s->w->draws; n++) {
        double log_q = hs_basin_log(&p->basin, d, s->w->draw + n * d->dim);

        p->has[n] = log_q > -HUGE_VAL;
        p->seen += p->has[n];
        s->z[n] = log_q - s->w->u[n];
        top = fmax(top, s->z[n]);
    }
    for (int64_t n = 0; n < s->w->draws && top > -HUGE_VAL; n++)
        sum += exp(s->z[n] - top);
    return log(p->seen / sum) - top;
}

static bool overlaps(const struct scales *s, const struct place *p)
{
    for (int k = 0; k < s->count; k++) {
        const struct place *other = &s->place[k];
        double both = 0.0;

        for (int64_t n = 0; n < s->w->draws; n++)
            both += p->has[n] && other->has[n];
        if (other != p && both > SHARED * fmin(p->seen, other->seen))
            return true;
    }
    return false;
}

/* Whether both estimates of the basin agree. */
static bool is_fit(const struct scales *s, struct place *p)
{
    double back = weigh_back(s, p);

    return p->basin.error < FIT && p->seen > HEAVY * (double)s->w->draws &&
           fabs(p->basin.log_z - back) < BACK && !overlaps(s, p);
}

/* One outlying draw of q may spoil an estimate, so it is made TRIES times. */
static hiss_status try_place(struct scales *s, struct place *p, bool *is_sure,
                             hiss_error *err)
{
    *is_sure = false;
    for (int n = 0; n < TRIES && !*is_sure; n++) {
        HS_TRY(look(s, p, err));
        *is_sure = is_fit(s, p);
    }
    return HISS_OK;
}

/* Chooses those of the heaviest groups of modes that can be weighed. */
static hiss_status choose(struct scales *s, hiss_error *err)
{
    const hs_modes *m = s->w->e->modes;

    for (int k = 0; k < m->clusters && k < LOOKS && s->count < MODES; k++) {
        struct place *p = &s->place[s->count];
        bool is_sure;

        p->state = m->table.state + (int64_t)m->leader[k] * m->table.dim;
        p->has = p->has ? p->has
                        : hs_alloc_array((size_t)s->w->draws, sizeof *p->has);
        if (!p->has)
            return hs_fail_memory(err);
        HS_TRY(try_place(s, p, &is_sure, err));
        s->count += is_sure;
    }
    return HISS_OK;
}

/* The share of place k, with its error as a ratio of two means. */
static hiss_status share_of(struct scales *s, int k, double *share, double *se,
                            hiss_error *err)
{
    int chains = s->w->e->result->run.info.chains;
    int64_t draws = s->w->draws, each = draws / chains;
    double all = 0.0;

    for (int o = 0; o < s->count; o++)
        all += s->place[o].seen;
    *share = s->place[k].seen / all;
    for (int64_t n = 0; n < draws; n++) {
        double in = 0.0;

        for (int o = 0; o < s->count; o++)
            in += s->place[o].has[n];
        s->z[n] = (s->place[k].has[n] - *share * in) * (double)draws / all;
    }
    return hs_comparison_error(s->z, chains, each, se, err);
}

/* The correct share of mode k, R = Z_k / sum Z, with the error R (1 - R) of ln
 * odds. */
static double should_be(const struct scales *s, int k, double *se)
{
    double own = s->place[k].basin.log_z, rest = 0.0, square = 0.0, part;

    for (int o = 0; o < s->count; o++) {
        double z = exp(s->place[o].basin.log_z - own);

        rest += o == k ? 0.0 : z;
        square += o == k ? 0.0 : pow(z * s->place[o].basin.error, 2.0);
    }
    part = 1.0 / (1.0 + rest);
    *se = part * (1.0 - part) *
          hypot(s->place[k].basin.error, sqrt(square) / rest);
    return part;
}

/* Compares all places, or only place `only`, counted from 1. */
static hiss_status compare(struct scales *s, int only, hs_misweighed *out,
                           hiss_error *err)
{
    *out = (hs_misweighed){
        .modes = s->count,
        .limit = hs_normal_quantile(1.0 - 0.5 * BY_CHANCE / s->count)};
    for (int k = 0; k < s->count; k++) {
        double share, se, should, should_se, sigmas;

        HS_TRY(share_of(s, k, &share, &se, err));
        should = should_be(s, k, &should_se);
        sigmas = fabs(share - should) / hypot(se, should_se);
        if ((only > 0 && only != k + 1) || !(fabs(share - should) > OFF) ||
            !(sigmas > out->sigmas))
            continue;
        out->sigmas = sigmas;
        out->worst = k + 1;
        out->share = share;
        out->should = should;
    }
    out->is_so = out->sigmas > out->limit;
    return HISS_OK;
}

/* Weighs all modes once more, by other chains; the results must agree. */
static hiss_status confirm(struct scales *s, hs_misweighed *out,
                           hiss_error *err)
{
    hs_misweighed again = {0};
    bool is_sure = true;

    for (int k = 0; k < s->count && is_sure; k++)
        HS_TRY(try_place(s, &s->place[k], &is_sure, err));
    if (is_sure)
        HS_TRY(compare(s, out->worst, &again, err));
    out->is_so = is_sure && again.is_so &&
                 (again.share > again.should) == (out->share > out->should);
    return HISS_OK;
}

hiss_status hs_weigh_modes(hs_misweighed *out, const hs_weighing *w,
                           hiss_error *err)
{
    struct scales s = {.w = w, .next = w->first_chain};
    hiss_status rc;

    *out = (hs_misweighed){0};
    s.z = hs_alloc_array((size_t)w->draws, sizeof *s.z);
    rc = s.z ? choose(&s, err) : hs_fail_memory(err);
    if (rc == HISS_OK && s.count > 1)
        rc = compare(&s, 0, out, err);
    if (rc == HISS_OK && out->is_so)
        rc = confirm(&s, out, err);
    for (int k = 0; k < MODES; k++) {
        hs_basin_clear(&s.place[k].basin);
        hs_free(s.place[k].has);
    }
    hs_free(s.z);
    return rc;
}

bool hs_weigh_is_needed(const hiss_diagnosis *d)
{
    for (int n = 0; n < d->findings; n++)
        if (strcmp(d->finding[n].found.name, "other sampler") == 0 &&
            d->finding[n].found.outcome == HISS_PASSED)
            return false;
    return true;
}

void hs_weigh_tell(hiss_diagnosis *d, const hs_misweighed *off)
{
    static const char *const names[MODES] = {"first", "second", "third",
                                             "fourth"};

    if (!off->is_so)
        return;
    hs_find(d, "weights", HISS_DOUBT, off->sigmas, off->limit,
            "of the draws in %d modes that were weighed one by one the %s has "
            "%.3g, and should have %.3g",
            off->modes, names[off->worst - 1], off->share, off->should);
    hs_find_need(d, HISS_NEED_MODES, 0.0);
}
