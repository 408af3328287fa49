/* fuzz_exact.c - small factor graphs: elimination and enumeration agree. */
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "exact/elimination.h"
#include "exact/enumerate.h"
#include "format/format.h"
#include "place.h"

#define STATES_MAX 4096.0
#define NEAR       1e-9

static bool is_near(double a, double b)
{
    return fabs(a - b) <= NEAR * (1.0 + fabs(b));
}

static void compare(const hs_elimination *e, const hs_exact *x)
{
    if (!is_near(e->log_z, x->log_z) || !is_near(e->max_u, x->max_u))
        abort();
    for (int v = 0; v < x->first[x->dim]; v++)
        if (!is_near(e->marginal[v], x->marginal[v]))
            abort();
}

static void solve(const hs_model *m)
{
    hs_exact_options options = {
        .threads = 1, .limit = HS_ENUMERATE_MAX, .what = "fuzzing"};
    hs_factors f = {0};
    hs_plan plan = {0};
    hs_elimination e = {0};
    hs_exact x = {0};
    hiss_status a, b = hs_exact_init(&x, m, &options, NULL);

    a = m->ops->factors(m, &f, NULL);
    if (a == HISS_OK)
        a = hs_plan_init(&plan, &f, NULL);
    if (a == HISS_OK)
        a = hs_elimination_init(&e, &plan, 1, NULL);
    if (a != b)
        abort();
    if (a == HISS_OK)
        compare(&e, &x);
    hs_elimination_clear(&e);
    hs_exact_clear(&x);
    hs_plan_clear(&plan);
    hs_factors_clear(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH_MAX];
    int fd = fuzz_memory(path, data, size);
    hs_model *m;

    if (hs_format_model(&m, path, "uai", NULL) == HISS_OK) {
        if (hs_domain_size(&m->domain) <= STATES_MAX && m->domain.dim <= 64)
            solve(m);
        hs_model_destroy(m);
    }
    close(fd);
    return 0;
}
