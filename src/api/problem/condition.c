/* condition.c - models with coordinates fixed, or at another temperature. */
#include <math.h>

#include "api/object/objects.h"
#include "api/object/trust.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/read/trust.h"
#include "format/problem/evidence.h"
#include "model/factor/fixed.h"
#include "model/factor/scaled.h"

typedef hiss_status reader(int *at, const char *from, const hs_model *m,
                           hiss_error *err);

static hiss_status condition(hiss_model *model, const char *name,
                             const char *from, reader *read, hiss_error *err)
{
    hiss_status rc;
    int *at;

    if (!model || !from)
        return hs_fail(err, HISS_EARG, "%s: an argument is NULL", name);
    at = hs_alloc_array((size_t)model->model->domain.dim, sizeof *at);
    if (!at)
        return hs_fail_memory(err);
    rc = read(at, from, model->model, err);
    if (rc == HISS_OK) {
        rc = hs_model_fix(&model->model, at, err);
        if (rc == HISS_EARG || rc == HISS_EINFEASIBLE)
            hs_error_prefix(err, "%s", from);
    }
    hs_free(at);
    return rc;
}

hiss_status hiss_model_evidence_from(hiss_model *model, const char *path,
                                     const hiss_trust *trust, hiss_error *err)
{
    char *allowed = NULL;
    hiss_trust known;
    hiss_status rc;

    HS_TRY(hs_trust_read(&trust, &known, err));
    if (trust && path)
        HS_TRY(hs_trust_file(trust, path, "--evidence", &allowed, err));
    rc = condition(model, "hiss_model_evidence", allowed ? allowed : path,
                   hs_evidence_read, err);
    hs_free(allowed);
    return rc;
}

hiss_status hiss_model_evidence(hiss_model *model, const char *path,
                                hiss_error *err)
{
    return hiss_model_evidence_from(model, path, NULL, err);
}

hiss_status hiss_model_fix(hiss_model *model, const char *text, hiss_error *err)
{
    return condition(model, "hiss_model_fix", text, hs_evidence_parse, err);
}

int hiss_model_fixed(const hiss_model *model, int coordinate)
{
    const hs_model *m = model ? model->model : NULL;

    return m && m->fixed_at && hs_has_coordinate(&m->domain, coordinate)
               ? m->fixed_at[coordinate]
               : -1;
}

hiss_status hiss_model_temper(hiss_model *model, double beta, hiss_error *err)
{
    if (!model)
        return hs_fail(err, HISS_EARG, "hiss_model_temper: model is NULL");
    return hs_model_scale(&model->model, beta, err);
}

double hiss_model_beta(const hiss_model *model)
{
    return model ? hs_model_beta(model->model) : (double)NAN;
}
