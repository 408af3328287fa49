/* verify_fixture.h - verdicts on models and samplers given by their specs. */
#ifndef HS_TESTS_VERIFY_FIXTURE_H
#define HS_TESTS_VERIFY_FIXTURE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/error.h"
#include "model/law/lookup.h"
#include "model/model.h"
#include "run/verify/verify.h"

static inline hs_model *model_of(const char *spec)
{
    hs_model *m;

    assert_int_equal(hs_model_create(&m, spec, NULL), HISS_OK);
    return m;
}

/* Spins of which one state, all down, is impossible; the others are alike. */
static inline hs_model *model_with_a_hole(int dim)
{
    double *u = hs_alloc_array((size_t)1 << dim, sizeof *u);
    hs_domain domain;
    hs_model *m;

    assert_non_null(u);
    u[0] = -HUGE_VAL;
    assert_int_equal(hs_domain_init(&domain, HISS_SPIN, dim, 2, NULL), HISS_OK);
    assert_int_equal(hs_lookup_create(&m, &domain, u, NULL), HISS_OK);
    m->name = hs_strdup("hole");
    return m;
}

static inline hiss_status verify(hs_verdict *v, const hs_model *m,
                                 const char *sampler, int64_t replicates,
                                 int threads, hiss_error *err)
{
    hiss_verify_settings set = {
        .replicates = replicates, .seed = 5, .threads = threads};
    hs_sampler *tree;
    hiss_status rc;

    HS_TRY(hs_sampler_parse(&tree, sampler, err));
    rc = hs_verify(v, m, tree, &set, err);
    hs_sampler_release(tree);
    return rc;
}

static inline void must_verify(hs_verdict *v, const hs_model *m,
                               const char *sampler, int64_t replicates,
                               int threads)
{
    hiss_error err = {0};

    if (verify(v, m, sampler, replicates, threads, &err) != HISS_OK)
        fail_msg("%s: %s", sampler, err.message);
}

#endif
