/* verify_fixture.h - verdicts on models and samplers given by their specs. */
#ifndef HS_TESTS_VERIFY_FIXTURE_H
#define HS_TESTS_VERIFY_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/error.h"
#include "model/model.h"
#include "run/verify/verify.h"

static inline hs_model *model_of(const char *spec)
{
    hs_model *m;

    assert_int_equal(hs_model_create(&m, spec, NULL), HISS_OK);
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
