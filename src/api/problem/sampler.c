/* sampler.c - samplers of the public interface. */
#include <string.h>

#include "api/object/objects.h"
#include "api/object/trust.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/read/trust.h"
#include "base/text.h"

hiss_status hs_sampler_each_file(const hs_sampler *s, hs_file_visitor *visit,
                                 const void *context, hiss_error *err)
{
    for (const hs_option *o = s->type->options; o->name; o++) {
        char *const *text =
            (char *const *)(const void *)((const char *)s->shape.state +
                                          o->offset);

        if (o->type == HS_FILE && *text)
            HS_TRY(visit(context, *text, err));
    }
    for (int i = 0; i < s->children; i++)
        HS_TRY(hs_sampler_each_file(s->child[i], visit, context, err));
    return HISS_OK;
}

/* The run opens it later, under the name in the spec, which must lead there
 * from here. */
static hiss_status check_file(const void *trust, const char *name,
                              hiss_error *err)
{
    char *path;
    bool is_same;

    HS_TRY(hs_trust_file(trust, name, "--sampler", &path, err));
    is_same = strcmp(path, name) == 0;
    hs_free(path);
    return is_same ? HISS_OK
                   : hs_fail(err, HISS_EARG,
                             "the sampler names %s, which is not there from "
                             "the working folder",
                             name);
}

hiss_status hiss_sampler_create(hiss_sampler **out, const char *spec,
                                hiss_error *err)
{
    return hiss_sampler_create_from(out, spec, NULL, err);
}

hiss_status hiss_sampler_create_from(hiss_sampler **out, const char *spec,
                                     const hiss_trust *trust, hiss_error *err)
{
    hiss_trust known;
    hiss_sampler *s;
    hiss_status rc;

    if (!out)
        return hs_fail(err, HISS_EARG, "hiss_sampler_create: out is NULL");
    *out = NULL;
    HS_TRY(hs_trust_read(&trust, &known, err));
    if (!spec || !*spec)
        return hs_fail(err, HISS_EARG,
                       "no sampler given; `hiss list samplers` shows all");
    s = hs_alloc_array(1, sizeof *s);
    if (!s)
        return hs_fail_memory(err);
    rc = hs_sampler_parse(&s->tree, spec, err);
    if (rc == HISS_OK && trust)
        rc = hs_sampler_each_file(s->tree, check_file, trust, err);
    if (rc == HISS_OK) {
        s->text = hs_sampler_print(s->tree);
        if (!s->text)
            rc = hs_fail_memory(err);
    }
    if (rc != HISS_OK) {
        hiss_sampler_destroy(s);
        return rc;
    }
    *out = s;
    return HISS_OK;
}

void hiss_sampler_destroy(hiss_sampler *sampler)
{
    if (!sampler)
        return;
    hs_sampler_release(sampler->tree);
    hs_free(sampler->text);
    hs_free(sampler);
}

const char *hiss_sampler_spec(const hiss_sampler *sampler)
{
    return sampler ? sampler->text : NULL;
}

int hiss_sampler_is_exact(const hiss_sampler *sampler)
{
    return sampler && sampler->tree->traits.exact;
}

int hiss_sampler_is_reversible(const hiss_sampler *sampler)
{
    return sampler && sampler->tree->traits.reversible;
}

int hiss_sampler_replicas(const hiss_sampler *sampler)
{
    return sampler ? sampler->tree->replicas : 0;
}

static void explain(hs_text *t, const hs_sampler *s, int depth)
{
    const hs_traits *traits = &s->traits;
    char *spec = hs_sampler_print(s);

    hs_text_print(t, "%*s%s: %s\n", 2 * depth, "", s->type->name,
                  s->type->summary);
    hs_text_print(t, "%*s  %s, %s%s\n", 2 * depth, "",
                  traits->exact ? "keeps the law" : "NOT exact: biased",
                  traits->reversible ? "reversible" : "not reversible",
                  traits->gradient ? ", uses gradients" : "");
    hs_text_print(t, "%*s  %s\n", 2 * depth, "", spec ? spec : "");
    hs_free(spec);
    for (int i = 0; i < s->children; i++)
        explain(t, s->child[i], depth + 1);
}

char *hiss_sampler_explain(const hiss_sampler *sampler)
{
    hs_text t = {0};

    if (!sampler)
        return NULL;
    explain(&t, sampler->tree, 0);
    return hs_text_take(&t);
}

void hiss_free(void *text)
{
    hs_free(text);
}
