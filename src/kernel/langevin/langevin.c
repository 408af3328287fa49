/* langevin.c - one step of the discrete Langevin proposal. */
#include "kernel/langevin/langevin.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"

#define ALL_LANES ((1u << HS_LANES) - 1)

hiss_status hs_langevin_init(hs_langevin *s, const hs_model *m, bool is_half,
                             hiss_error *err)
{
    *s = (hs_langevin){0};
    HS_TRY(hs_point_init(&s->y, m, err));
    for (int f = 0; f < HS_TILT_FORMS; f++)
        s->paths.path[f] = hs_langevin_choose(m, (hs_tilt_form)f, is_half);
    return hs_paths_init(&s->paths, m, err);
}

void hs_langevin_clear(hs_langevin *s)
{
    hs_point_clear(&s->y);
    hs_paths_clear(&s->paths);
}

static hs_proposal begin(hs_langevin *s, const hs_model *m, const hs_tilt *t,
                         hs_tile *x)
{
    s->y.have = 0;
    for (int l = 0; l < HS_LANES; l++)
        s->y.u[l] = m->offset;
    return (hs_proposal){.m = m,
                         .t = t,
                         .x = x,
                         .dlp = {.domain = &m->domain,
                                 .rng = &x->rng,
                                 .beta = t->beta,
                                 .balance = s->balance,
                                 .stiffness = s->stiffness,
                                 .phi = (const hs_float_row *)t->phi,
                                 .slope = (const hs_float_row *)t->slope,
                                 .factor = (const hs_float_row *)t->factor,
                                 .was = (const hs_byte_row *)t->was,
                                 .root = t->root,
                                 .log_time = s->has_rates ? s->log_time : NULL,
                                 .rate = s->rate,
                                 .is_euler = s->is_euler},
                         .y = &s->y,
                         .moved = ALL_LANES,
                         .log_ratio = s->log_ratio,
                         .accept = s->accept};
}

hiss_status hs_langevin_step(hs_langevin *s, const hs_model *m,
                             const hs_tilt *t, hs_tile *x, bool adjust)
{
    hs_tilt_form form = hs_tilt_form_of(t);
    const hs_langevin_path *path =
        (const hs_langevin_path *)s->paths.path[form];
    void *state = s->paths.state[form];
    hs_proposal p;

    HS_ASSERT(path); /* a path applies to every form that the kernel may get */
    hs_tile_tick(x);
    HS_TRY(hs_tile_evaluate(x, m, &x->at, HS_U | HS_GRAD));
    p = begin(s, m, t, x);
    path->propose(state, &p);
    HS_TRY(path->arrive(state, &p));
    for (int l = 0; l < HS_LANES; l++)
        s->accept[l] = s->log_ratio[l] != -HUGE_VAL;
    if (adjust && p.moved) /* a log ratio of 0 is accepted */
        hs_tile_decide(x, s->log_ratio, s->accept);
    if (path->move)
        path->move(state, &p);
    else
        hs_tile_move(x, m, &s->y, s->accept);
    return HISS_OK;
}

/* `odds-regular` gives the bits of `odds`. */
bool hs_langevin_plan(const hs_langevin *s, hs_tilt_form form, bool adjust,
                      hs_device_sampler *out)
{
    static const struct {
        const char *name;
        hs_device_path path;
    } known[] = {{"rows", HS_DEVICE_ROWS},
                 {"odds", HS_DEVICE_ODDS},
                 {"odds-regular", HS_DEVICE_ODDS},
                 {"regular", HS_DEVICE_REGULAR},
                 {"factors", HS_DEVICE_FACTORS}};
    const char *name = hs_paths_name(&s->paths, form);

    out->step = HS_DEVICE_LANGEVIN;
    out->is_adjusted = adjust;
    for (size_t n = 0; name && n < sizeof known / sizeof *known; n++)
        if (strcmp(name, known[n].name) == 0) {
            out->path = known[n].path;
            out->has_sums = hs_langevin_counts(s, form);
            return true;
        }
    return false;
}

bool hs_langevin_counts(const hs_langevin *s, hs_tilt_form form)
{
    return form == HS_TILT_FLAT &&
           strcmp(hs_paths_name(&s->paths, form), "regular") == 0;
}

void hs_langevin_made(hs_kernel *k, hs_tile *x, bool counts, int64_t steps)
{
    for (int64_t n = 0; n < steps; n++) {
        hs_tile_tick(x);
        hs_tile_presume(x, HS_U | HS_GRAD);
        hs_tile_count(x, HS_U | HS_GRAD);
        x->summed += counts && x->count && x->summed == 0;
    }
    for (int l = 0; l < x->lanes; l++)
        k->lane[HS_PROPOSED][l] += (double)steps;
}
