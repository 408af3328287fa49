/* test_langevin.c - odds that are kept from step to step are those that would
 * be found anew, and no other kernel's moves are overlooked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/langevin/langevin.h"
#include "lanes/lanes.h"
#include "model/builders.h"

enum {
    STEPS = 60
};

struct walk {
    hs_model *m;
    hs_tile tile;
    hs_langevin langevin;
    float stiffness[HS_LANES];
};

/* A chain of spins with couplings that differ. */
static hs_model *chain(void)
{
    static const int64_t start[] = {0, 1, 2, 3, 4, 5, 5};
    static const int column[] = {1, 2, 3, 4, 5};
    static const double value[] = {1.0, -0.75, 1.5, 0.375, -1.0};
    static const double field[] = {0.1, 0.0, -0.2, 0.0, 0.3, 0.0};
    hs_model *m;

    assert_int_equal(hs_build_csr(&m, "chain", HS_ISING, 6, start, column,
                                  value, field, NULL),
                     HISS_OK);
    return m;
}

static void open_path(struct walk *w)
{
    assert_int_equal(hs_langevin_init(&w->langevin, w->m, true, NULL), HISS_OK);
    for (int l = 0; l < HS_LANES; l++) {
        w->langevin.balance[l] = 0.5f;
        w->langevin.stiffness[l] = w->stiffness[l];
    }
}

static void begin(struct walk *w, const char *model, const char *path)
{
    if (model)
        assert_int_equal(hs_model_create(&w->m, model, NULL), HISS_OK);
    else
        w->m = chain();
    assert_int_equal(hs_tile_init(&w->tile, w->m, 7, NULL), HISS_OK);
    w->tile.lanes = HS_LANES;
    for (int l = 0; l < HS_LANES; l++) {
        w->tile.tilt.beta[l] = 1.0f - 0.05f * (float)l;
        w->stiffness[l] = 0.3f;
    }
    open_path(w);
    assert_string_equal(hs_paths_name(&w->langevin.paths, HS_TILT_FLAT), path);
}

static void end(struct walk *w)
{
    hs_langevin_clear(&w->langevin);
    hs_tile_clear(&w->tile);
    hs_model_destroy(w->m);
}

/* As Metropolis does it: U follows, and flags of others stay. */
static void flip_site(struct walk *w, int i)
{
    hs_point *p = &w->tile.at;
    hs_float_row change[2];
    int16_t to[HS_LANES];
    float gain[HS_LANES];

    assert_int_equal(hs_model_differences(w->m, p, i, change, NULL), HISS_OK);
    for (int l = 0; l < HS_LANES; l++) {
        to[l] = (int16_t)(1 - p->x[i][l]);
        gain[l] = change[to[l]][l];
    }
    hs_model_move(w->m, p, i, to, gain);
}

/* What else may happen between two steps. */
static void disturb(struct walk *w, int step)
{
    hs_tile *t = &w->tile;

    if (step % 10 == 3) { /* levels are exchanged */
        float beta = t->tilt.beta[0];

        t->tilt.beta[0] = t->tilt.beta[5];
        t->tilt.beta[5] = beta;
    }
    if (step % 10 == 6) /* the step size is tuned */
        w->langevin.stiffness[2] = w->stiffness[2] *= 1.1f;
    if (step % 10 == 5) { /* another kernel moves a site */
        hs_tile_tick(t);
        flip_site(w, 1);
    }
    if (step % 10 == 8) { /* another kernel moves */
        hs_tile_tick(t);
        t->at.x[4][1] ^= 1;
        t->at.have = 0;
    }
    if (step % 10 == 9) { /* a state is put in its place */
        t->at.x[2][3] ^= 1;
        t->at.have = 0;
        assert_int_equal(hs_model_evaluate(w->m, &t->at, HS_U | HS_GRAD),
                         HISS_OK);
    }
}

static void compare(const char *model, const char *path)
{
    struct walk kept = {0}, anew = {0};
    int accepted = 0;

    begin(&kept, model, path);
    begin(&anew, model, path);
    for (int step = 0; step < STEPS; step++) {
        size_t bytes = (size_t)kept.m->domain.dim * sizeof(hs_index_row);

        hs_langevin_clear(&anew.langevin);
        open_path(&anew);
        assert_int_equal(hs_langevin_step(&kept.langevin, kept.m,
                                          &kept.tile.tilt, &kept.tile, true),
                         HISS_OK);
        assert_int_equal(hs_langevin_step(&anew.langevin, anew.m,
                                          &anew.tile.tilt, &anew.tile, true),
                         HISS_OK);
        assert_memory_equal(kept.tile.at.x, anew.tile.at.x, bytes);
        assert_memory_equal(kept.langevin.log_ratio, anew.langevin.log_ratio,
                            sizeof kept.langevin.log_ratio);
        for (int l = 0; l < HS_LANES; l++)
            accepted += kept.langevin.accept[l];
        disturb(&kept, step);
        disturb(&anew, step);
    }
    assert_in_range(accepted, STEPS, STEPS * HS_LANES - STEPS);
    end(&kept);
    end(&anew);
}

static void what_is_kept_is_what_is_found(void **state)
{
    (void)state;
    compare("ising(side=5,beta=0.4,field=0.2)", "regular");
    compare(NULL, "odds");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_is_what_is_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
