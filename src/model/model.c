/* model.c - the registry of built-in models; creating and destroying models.
 *
 * Not here: points and their evaluation (point.c), models made from arrays
 * (builders.h). */
#include "model/model.h"

#include <string.h>

#include "base/alloc.h"
#include "base/caret.h"
#include "base/error.h"
#include "base/read/trust.h"
#include "base/spec/spec.h"

#define HS_MODEL(name) extern const hs_model_type hs_model_##name;
#include "model/models.def"
#undef HS_MODEL

const hs_model_type *const hs_model_types[] = {
#define HS_MODEL(name) &hs_model_##name,
#include "model/models.def"
#undef HS_MODEL
    NULL,
};

enum {
#define HS_MODEL(name) COUNT_##name,
#include "model/models.def"
#undef HS_MODEL
    TYPE_COUNT
};

static hiss_status find_type(const hs_model_type **out, const hs_spec *spec,
                             hiss_error *err)
{
    const char *names[TYPE_COUNT + 1] = {0};
    char quoted[HS_QUOTE_MAX], hint[HISS_SUGGESTION_MAX];

    *out = NULL;
    if (!spec->text || spec->is_quoted)
        return hs_fail(err, HISS_EARG,
                       "a model is a name with options, such as "
                       "ising(side=8,beta=0.4)");
    for (int t = 0; t < TYPE_COUNT; t++) {
        names[t] = hs_model_types[t]->name;
        if (strcmp(names[t], spec->text) == 0)
            *out = hs_model_types[t];
    }
    if (*out)
        return HISS_OK;
    hs_quote(quoted, spec->text, strlen(spec->text));
    hiss_suggestion(hint, spec->text, names, "'", "'");
    return hs_fail(err, HISS_EARG, "unknown model '%s'%s", quoted,
                   *hint ? hint
                         : ", and there is no file of that name; `hiss list "
                           "models` shows all");
}

static hiss_status check_foreign(const hs_model_type *type, void *options,
                                 const hiss_trust *trust, hiss_error *err)
{
    if (!trust)
        return HISS_OK;
    if (type->check_foreign)
        HS_TRY(type->check_foreign(options, err));
    return hs_trust_options(trust, type->options, options, err);
}

static hiss_status create_from(hs_model **out, const hs_spec *spec,
                               const hiss_trust *trust, hiss_error *err)
{
    const hs_model_type *type;
    char what[64] = "model ";
    void *options;
    hiss_status rc;

    HS_TRY(find_type(&type, spec, err));
    strncat(what, type->name, sizeof what - sizeof "model ");
    options = hs_alloc_array(1, type->size);
    if (!options)
        return hs_fail_memory(err);
    rc = hs_options_parse(type->options, spec, what, options, err);
    if (rc != HISS_OK)
        goto out;
    rc = check_foreign(type, options, trust, err);
    if (rc == HISS_OK)
        rc = type->create(out, options, err);
    if (rc == HISS_OK) {
        (*out)->name = hs_options_print(type->options, type->name, options);
        if (!(*out)->name)
            rc = hs_fail_memory(err);
    }
    if (rc != HISS_OK) {
        hs_model_destroy(*out);
        *out = NULL;
    }
    hs_options_clear(type->options, options);
out:
    hs_free(options);
    return rc;
}

hiss_status hs_model_create_from(hs_model **out, const char *spec,
                                 const hiss_trust *trust, hiss_error *err)
{
    hs_spec parsed = {0};
    hiss_status rc;

    *out = NULL;
    rc = hs_spec_parse(&parsed, spec, err);
    if (rc == HISS_OK)
        rc = create_from(out, &parsed, trust, err);
    hs_spec_clear(&parsed);
    return rc;
}

hiss_status hs_model_create(hs_model **out, const char *spec, hiss_error *err)
{
    return hs_model_create_from(out, spec, NULL, err);
}

void hs_model_destroy(hs_model *m)
{
    if (!m)
        return;
    if (m->ops && m->ops->destroy)
        m->ops->destroy(m);
    hs_domain_clear(&m->domain);
    hs_free(m->order);
    hs_free(m->apart);
    hs_free(m->fixed_at);
    hs_free(m->full_states);
    hs_free(m->objective);
    hs_free(m->note);
    hs_free(m->reads_as);
    hs_free(m->name);
    hs_free(m);
}

void hs_model_canonical(const hs_model *m, int16_t *state)
{
    int16_t renamed[HS_FREE_LABELS_MAX];
    int used = 0;

    if (!m->has_free_labels)
        return;
    memset(renamed, -1, sizeof renamed);
    for (int i = 0; i < m->domain.dim; i++) {
        int16_t *to = &renamed[state[i]];

        if (*to < 0)
            *to = (int16_t)used++;
        state[i] = *to;
    }
}

hiss_status hs_model_scatter(const hs_model *m, hs_point *p, const hs_rng *rng,
                             int lanes)
{
    p->have = 0;
    if (m->ops->scatter)
        return m->ops->scatter(m, p, rng, lanes);
    if (m->domain.is_tour)
        return m->ops->start(m, p, rng, lanes, NULL);
    hs_point_uniform(p, m, rng, HS_DRAW_SCATTER);
    return HISS_OK;
}
