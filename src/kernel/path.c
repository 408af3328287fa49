/* path.c - the paths that a kernel takes. */
#include "kernel/path.h"

#include "base/alloc.h"
#include "base/error.h"

/* The state of an earlier form with the same path, or NULL. */
static void *shared_state(const hs_paths *p, int form)
{
    for (int f = 0; f < form; f++)
        if (p->path[f] == p->path[form])
            return p->state[f];
    return NULL;
}

static hiss_status open_state(hs_paths *p, int form, const hs_model *m,
                              hiss_error *err)
{
    const hs_path *path = p->path[form];

    p->state[form] = shared_state(p, form);
    if (p->state[form])
        return HISS_OK;
    p->state[form] = hs_alloc_array(1, path->size ? path->size : 1);
    if (!p->state[form])
        return hs_fail_memory(err);
    return path->init ? path->init(p->state[form], m, err) : HISS_OK;
}

hiss_status hs_paths_init(hs_paths *p, const hs_model *m, hiss_error *err)
{
    hiss_status rc = HISS_OK;

    for (int f = 0; f < HS_TILT_FORMS && rc == HISS_OK; f++)
        if (p->path[f])
            rc = open_state(p, f, m, err);
    if (rc != HISS_OK)
        hs_paths_clear(p);
    return rc;
}

void hs_paths_clear(hs_paths *p)
{
    for (int f = HS_TILT_FORMS - 1; f >= 0; f--) {
        void *state = p->state[f];

        if (!state || shared_state(p, f))
            continue; /* the first form with the path frees it */
        if (p->path[f]->clear)
            p->path[f]->clear(state);
        hs_free(state);
    }
    *p = (hs_paths){0};
}

const char *hs_paths_name(const hs_paths *p, hs_tilt_form form)
{
    return p->path[form] ? p->path[form]->name : NULL;
}
