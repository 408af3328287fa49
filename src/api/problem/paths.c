/* paths.c - which ways the kernels of a sampler take on a model. */
#include "api/object/objects.h"
#include "base/error.h"
#include "base/text.h"

/* The tree below k, whose steps are made under tilts of this form. */
static void add_paths(hs_text *t, const hs_kernel *k, hs_tilt_form form)
{
    const char *path = hs_kernel_path(k, form);

    if (path) {
        hs_text_add_string(t, k->type->name);
        hs_text_add_string(t, ": ");
        hs_text_add_string(t, path);
        hs_text_add_char(t, '\n');
    }
    if (k->type->tilts)
        form = k->type->tilts(k);
    for (int i = 0; i < k->children; i++)
        add_paths(t, k->child[i], form);
}

hiss_status hiss_sampler_paths(const hiss_sampler *sampler,
                               const hiss_model *model, char **text,
                               hiss_error *err)
{
    hs_kernel *tree = NULL;
    hs_text t = {0};
    hiss_status rc;

    if (!text)
        return hs_fail(err, HISS_EARG, "hiss_sampler_paths: text is NULL");
    *text = NULL;
    if (!sampler || !model)
        return hs_fail(err, HISS_EARG, "hiss_sampler_paths: %s is NULL",
                       sampler ? "model" : "sampler");
    rc = hs_kernel_create(&tree, sampler->tree, err);
    if (rc == HISS_OK)
        rc = hs_kernel_setup(tree, model->model, err);
    if (rc == HISS_OK) {
        add_paths(&t, tree, HS_TILT_FLAT);
        *text = hs_text_take(&t);
        rc = *text ? HISS_OK : hs_fail_memory(err);
    }
    hs_kernel_destroy(tree);
    return rc;
}
