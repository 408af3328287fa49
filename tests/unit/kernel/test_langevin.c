/* test_langevin.c - odds that are kept from step to step are those that would
 * be found anew, and no other kernel's moves are overlooked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/langevin/langevin.h"
#include "lanes/lanes.h"

enum {
    STEPS = 60
};

struct walk {
    hs_model *m;
    hs_tile tile;
    hs_langevin langevin;
};

static void begin(struct walk *w)
{
    assert_int_equal(
        hs_model_create(&w->m, "ising(side=5,beta=0.4,field=0.2)", NULL),
        HISS_OK);
    assert_int_equal(hs_tile_init(&w->tile, w->m, 7, NULL), HISS_OK);
    assert_int_equal(hs_langevin_init(&w->langevin, w->m, true, NULL), HISS_OK);
    w->tile.lanes = HS_LANES;
    for (int l = 0; l < HS_LANES; l++) {
        w->tile.tilt.beta[l] = 1.0f - 0.05f * (float)l;
        w->langevin.balance[l] = 0.5f;
        w->langevin.stiffness[l] = 0.5f;
    }
    assert_string_equal(hs_paths_name(&w->langevin.paths, HS_TILT_FLAT),
                        "regular");
}

static void end(struct walk *w)
{
    hs_langevin_clear(&w->langevin);
    hs_tile_clear(&w->tile);
    hs_model_destroy(w->m);
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
        w->langevin.stiffness[2] *= 1.1f;
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

static void kept_odds_are_the_odds(void **state)
{
    struct walk kept = {0}, anew = {0};
    int accepted = 0;

    (void)state;
    begin(&kept);
    begin(&anew);
    for (int step = 0; step < STEPS; step++) {
        size_t bytes = (size_t)kept.m->domain.dim * sizeof(hs_index_row);

        anew.tile.at.have &= ~(unsigned)HS_TILE_KEPT;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_odds_are_the_odds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
