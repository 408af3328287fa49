/* Modes that a library lacks, each of them light, and heavy together. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <hiss/hiss.h>

#include "unit/brief.h"

#define CLUSTERS 9
#define EACH     7 /* spins of a cluster, every pair of which is coupled */
#define DIM      (CLUSTERS * EACH)
#define BONDS    (CLUSTERS * EACH * (EACH - 1) / 2 + 2 * CLUSTERS)

static double uniform(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (double)(*seed >> 11) / 0x1p53;
}

/* A ring of clusters that turn over as a whole, of which each is coupled to the
 * next two by one bond: 2^9 modes, of which some hundred have nearly all. */
static hiss_model *ring_of_clusters(void)
{
    int row[BONDS], column[BONDS], n = 0;
    double value[BONDS], field[DIM];
    uint64_t seed = 1;
    hiss_model *m;

    for (int c = 0; c < CLUSTERS; c++)
        for (int i = 0; i < EACH; i++)
            for (int j = 0; j < i; j++, n++) {
                row[n] = c * EACH + i;
                column[n] = c * EACH + j;
                value[n] = 1.5;
            }
    for (int c = 0; c < CLUSTERS; c++)
        for (int next = 1; next <= 2; next++, n++) {
            row[n] = c * EACH + next;
            column[n] = (c + next) % CLUSTERS * EACH;
            value[n] = 3.2 * (uniform(&seed) - 0.5);
        }
    for (int i = 0; i < DIM; i++)
        field[i] = 0.1 * (uniform(&seed) - 0.5);
    assert_int_equal(hiss_model_ising_sparse(&m, DIM, BONDS, row, column, value,
                                             field, NULL),
                     HISS_OK);
    return m;
}

/* Jumps between the modes that a pilot knows leave them out, and all chains
 * agree then; a few exchanges of pieces lead to them. */
static void u_is_that_of_all_modes(void **state)
{
    hiss_model *m = ring_of_clusters();
    hiss_column u = HISS_INIT(hiss_column);
    hiss_exact *exact;
    hiss_settings run;
    hiss_sampler *s;
    hiss_result *r;

    (void)state;
    hiss_settings_init(&run);
    run.evals = test_is_brief() ? 1e5 : 1e6;
    run.samples = 0;
    run.threads = 1;
    assert_int_equal(hiss_exact_create(&exact, m, 1, NULL), HISS_OK);
    assert_int_equal(hiss_sampler_create(&s, "auto(independent=no)", NULL),
                     HISS_OK);
    assert_int_equal(hiss_sample(&r, m, s, &run, NULL), HISS_OK);
    assert_null(strstr(hiss_result_resolved(r), "bridge(components=0)"));
    assert_int_equal(hiss_result_energy(r, &u, NULL), HISS_OK);
    if (fabs(u.mean - hiss_exact_mean_u(exact)) > 5.0 * u.mcse)
        fail_msg("U %g +- %g, exactly %g", u.mean, u.mcse,
                 hiss_exact_mean_u(exact));
    hiss_result_destroy(r);
    hiss_exact_destroy(exact);
    hiss_sampler_destroy(s);
    hiss_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(u_is_that_of_all_modes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
