/* bernoulli4.c - the paper's joint distribution of four bits.
 *
 * P(0000) = 0.588204, P(1110) = 0.294102, P(1111) = 0.117641 and 5.882e-6 for
 * each of the other 13 states; the first bit is coordinate 0.  The sum is
 * 1.000023466, and U = ln P is not normalized, as in the paper.  The gradient
 * is that of the multilinear extension [Mohanty & Zhang 2026, 4D Bernoulli]. */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "model/law/lookup.h"
#include "model/model.h"

static const hs_option bernoulli4_options[] = {{0}};

static hiss_status bernoulli4_create(hs_model **out, const void *options,
                                     hiss_error *err)
{
    double *u = hs_alloc_array(16, sizeof *u);
    hs_domain domain;
    hiss_status rc;

    (void)options;
    if (!u)
        return hs_fail_memory(err);
    for (int n = 0; n < 16; n++)
        u[n] = log(5.882e-6);
    u[0] = log(0.588204);
    u[14] = log(0.294102);
    u[15] = log(0.117641);
    rc = hs_domain_init(&domain, HISS_BINARY, 4, 2, err);
    if (rc != HISS_OK) {
        hs_free(u);
        return rc;
    }
    return hs_lookup_create(out, &domain, u, err);
}

const hs_model_type hs_model_bernoulli4 = {
    .name = "bernoulli4",
    .summary = "the paper's joint law of four bits (binary)",
    .size = 0,
    .options = bernoulli4_options,
    .create = bernoulli4_create,
};
