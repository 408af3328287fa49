/* paths.c - the paths that the kernels of a sampler take on a model. */
#include "api/object/objects.h"
#include "base/error.h"
#include "base/text.h"
#include "run/pilot/tour_sampler.h"

hiss_status hs_sampler_set_up(hs_kernel **out, const hiss_sampler *sampler,
                              const hiss_model *model, hiss_error *err)
{
    hs_kernel *tree = NULL;
    hs_sampler *made;
    hiss_status rc = HISS_OK;

    *out = NULL;
    HS_TRY(hs_tour_sampler(&made, sampler->tree, model->model, err));
    if (made->type != &hs_kernel_auto) {
        rc = hs_kernel_create(&tree, made, err);
        if (rc == HISS_OK)
            rc = hs_kernel_setup(tree, model->model, err);
    }
    hs_sampler_release(made);
    if (rc != HISS_OK) {
        hs_kernel_destroy(tree);
        return rc;
    }
    *out = tree;
    return HISS_OK;
}

/* Adds the tree below k, whose steps are made under tilts of this form. */
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
    hs_kernel *tree;
    hs_text t = {0};

    if (!text)
        return hs_fail(err, HISS_EARG, "hiss_sampler_paths: text is NULL");
    *text = NULL;
    if (!sampler || !model)
        return hs_fail(err, HISS_EARG, "hiss_sampler_paths: %s is NULL",
                       sampler ? "model" : "sampler");
    HS_TRY(hs_sampler_set_up(&tree, sampler, model, err));
    if (tree)
        add_paths(&t, tree, HS_TILT_FLAT);
    else
        hs_text_add_string(&t, "auto: chosen by a pilot\n");
    hs_kernel_destroy(tree);
    *text = hs_text_take(&t);
    return *text ? HISS_OK : hs_fail_memory(err);
}
