/* open.c - models from files or specs, given by the user or by a file. */
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "api/object/objects.h"
#include "api/object/trust.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/read/data.h"
#include "base/read/standard.h"
#include "base/read/trust.h"
#include "format/format.h"
#include "format/problem/side_names.h"

/* Whether the name before the first parenthesis is that of a built-in model. */
static bool is_builtin(const char *text)
{
    size_t length = strcspn(text, "(");

    while (length > 0 && text[length - 1] == ' ')
        length--;
    for (int t = 0; hs_model_types[t]; t++)
        if (strlen(hs_model_types[t]->name) == length &&
            strncmp(text, hs_model_types[t]->name, length) == 0)
            return true;
    return false;
}

/* A built-in name takes precedence over files; ./name is the file. */
static bool is_file(const char *text)
{
    if (is_builtin(text))
        return false;
    return hs_is_standard(text) || access(text, F_OK) == 0 ||
           (!strchr(text, '(') && (strchr(text, '/') || strchr(text, '.')));
}

/* A name in a file is a built-in or a file, independent of the working
 * folder. */
static hiss_status open_foreign(hs_model **out, const char *text,
                                const char *format, const hiss_trust *trust,
                                hiss_error *err)
{
    char *path;
    hiss_status rc;

    if (!format && is_builtin(text))
        return hs_model_create_from(out, text, trust, err);
    HS_TRY(hs_trust_file(trust, text, "--model", &path, err));
    rc = hs_format_model(out, path, format, err);
    hs_free(path);
    return rc;
}

static hiss_status open_bounded(hs_model **out, const char *text,
                                const char *format, const hiss_trust *trust,
                                hiss_error *err)
{
    hiss_status rc;

    hs_alloc_budget(HS_TRUST_BYTES);
    rc = open_foreign(out, text, format, trust, err);
    if (hs_alloc_budget(0) && rc != HISS_OK)
        return hs_fail(err, HISS_EREFUSED,
                       "the model %.256s is refused: it takes more than %lld "
                       "bytes; give it with --model if you trust it",
                       text, (long long)HS_TRUST_BYTES);
    return rc;
}

/* Opens a file of the user, with the names beside it. */
static hiss_status open_own(hs_model **out, const char *path,
                            const char *format, hiss_error *err)
{
    hiss_status rc;

    HS_TRY(hs_format_model(out, path, format, err));
    rc = hs_side_names_read(*out, path, err);
    if (rc != HISS_OK)
        hs_model_destroy(*out);
    return rc;
}

hiss_status hiss_model_open_from(hiss_model **out, const char *text,
                                 const char *format, const hiss_trust *trust,
                                 hiss_error *err)
{
    hiss_trust known;
    hs_model *m;

    if (!out)
        return hs_fail(err, HISS_EARG, "hiss_model_open: out is NULL");
    *out = NULL;
    HS_TRY(hs_trust_read(&trust, &known, err));
    if (!text || !*text)
        return hs_fail(err, HISS_EARG,
                       "no model given; `hiss list models` shows all");
    if (trust)
        HS_TRY(open_bounded(&m, text, format, trust, err));
    else if (!format && !is_file(text))
        return hiss_model_create(out, text, err);
    else
        HS_TRY(open_own(&m, text, format, err));
    return hs_model_wrap(out, m, err);
}

hiss_status hiss_model_open(hiss_model **out, const char *text,
                            const char *format, hiss_error *err)
{
    return hiss_model_open_from(out, text, format, NULL, err);
}

const char *hiss_model_objective(const hiss_model *model, double *scale,
                                 double *shift)
{
    const hs_model *m = model ? model->model : NULL;
    bool has_own = m && m->objective;

    if (scale)
        *scale = has_own ? m->objective_scale : 1.0;
    if (shift)
        *shift = has_own ? m->objective_shift : 0.0;
    return has_own ? m->objective : NULL;
}

hiss_status hiss_model_set_objective(hiss_model *model, const char *name,
                                     double scale, double shift,
                                     hiss_error *err)
{
    char *copy;

    if (!model || !name || !*name)
        return hs_fail(err, HISS_EARG,
                       "hiss_model_set_objective: an argument is NULL");
    if (!isfinite(scale) || scale == 0.0 || !isfinite(shift))
        return hs_fail(err, HISS_EARG,
                       "hiss_model_set_objective: scale is %g and shift %g, "
                       "expected finite numbers and a scale other than 0",
                       scale, shift);
    copy = hs_strdup(name);
    if (!copy)
        return hs_fail_memory(err);
    hs_free(model->model->objective);
    model->model->objective = copy;
    model->model->objective_scale = scale;
    model->model->objective_shift = shift;
    return HISS_OK;
}

hiss_status hiss_find_data(const char *name, char **path, hiss_error *err)
{
    if (!path)
        return hs_fail(err, HISS_EARG, "hiss_find_data: path is NULL");
    *path = NULL;
    if (!name || !*name)
        return hs_fail(err, HISS_EARG, "hiss_find_data: no name");
    return hs_data_find(path, name, err);
}
