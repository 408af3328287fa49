/* open.c - models from files or specs. */
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "api/objects.h"
#include "base/error.h"
#include "base/spec.h"
#include "format/format.h"

/* The name before the first parenthesis is that of a built-in model. */
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

/* A built-in name stays one whatever files there are; ./name is the file. */
static bool is_file(const char *text)
{
    if (is_builtin(text))
        return false;
    return access(text, F_OK) == 0 ||
           (!strchr(text, '(') && (strchr(text, '/') || strchr(text, '.')));
}

hiss_status hiss_model_open(hiss_model **out, const char *text,
                            const char *format, hiss_error *err)
{
    hs_model *m;

    if (!out)
        return hs_fail(err, HISS_EARG, "hiss_model_open: out is NULL");
    *out = NULL;
    if (!text || !*text)
        return hs_fail(err, HISS_EARG,
                       "no model given; `hiss list models` shows all");
    if (!format && !is_file(text))
        return hiss_model_create(out, text, err);
    HS_TRY(hs_format_model(&m, text, format, err));
    return hs_model_wrap(out, m, err);
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
