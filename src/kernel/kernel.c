/* kernel.c - building trees of transitions, and walking over them. */
#include "kernel/kernel.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

#define HS_KERNEL(name) extern const hs_kernel_type hs_kernel_##name;
#include "kernel/kernels.def"
#undef HS_KERNEL

const hs_kernel_type *const hs_kernel_types[] = {
#define HS_KERNEL(name) &hs_kernel_##name,
#include "kernel/kernels.def"
#undef HS_KERNEL
    NULL,
};

const hs_kernel_type *const *hs_kernel_extra;

static const hs_kernel_type *find_in(const hs_kernel_type *const *types,
                                     const char *name)
{
    for (; types && *types; types++)
        if (name && strcmp((*types)->name, name) == 0)
            return *types;
    return NULL;
}

static const hs_kernel_type *find_type(const char *name)
{
    const hs_kernel_type *type = find_in(hs_kernel_types, name);

    return type ? type : find_in(hs_kernel_extra, name);
}

static hiss_status unknown(const char *name, hiss_error *err)
{
    const char *names[64] = {0};
    const char *near;

    for (int i = 0; hs_kernel_types[i] && i < 63; i++)
        names[i] = hs_kernel_types[i]->name;
    near = name ? hs_nearest_name(name, names) : NULL;
    return hs_fail(err, HISS_EARG,
                   "unknown sampler '%s'%s%s%s; `hiss list samplers` shows all",
                   name ? name : "[...]", near ? " (did you mean '" : "",
                   near ? near : "", near ? "'?)" : "");
}

/* Builds the kernel of *spec as the next child of k, and writes the spec anew
 * with every default of that child spelled out. */
static hiss_status add_child(hs_kernel *k, hs_spec *spec, hiss_error *err)
{
    hs_kernel **grown = hs_realloc_array(
        k->child, (size_t)k->children, (size_t)k->children + 1, sizeof *grown);
    hs_spec full = {0};
    char *text, *key;
    hiss_status rc;

    if (!grown)
        return hs_fail_memory(err);
    k->child = grown;
    HS_TRY(hs_kernel_create(&k->child[k->children], spec, err));
    k->children++;
    text = hs_kernel_print(k->child[k->children - 1]);
    rc = text ? hs_spec_parse(&full, text, err) : hs_fail_memory(err);
    hs_free(text);
    if (rc != HISS_OK)
        return rc;
    key = spec->key;
    spec->key = NULL;
    hs_spec_clear(spec);
    *spec = full;
    spec->key = key;
    return HISS_OK;
}

static hiss_status add_children(hs_kernel *k, hiss_error *err)
{
    for (const hs_option *o = k->type->options; o->name; o++) {
        void *field = (char *)k->state + o->offset;

        if (o->type == HS_CHILD) {
            hs_spec *spec = *(hs_spec **)field;

            if (spec)
                HS_TRY(add_child(k, spec, err));
        } else if (o->type == HS_CHILDREN) {
            hs_children *list = field;

            for (int i = 0; i < list->count; i++)
                HS_TRY(add_child(k, &list->at[i], err));
        }
    }
    return HISS_OK;
}

static bool contains(const hs_kernel *k, const hs_kernel_type *type)
{
    if (k->type == type)
        return true;
    for (int i = 0; i < k->children; i++)
        if (contains(k->child[i], type))
            return true;
    return false;
}

/* Tempering must be outermost, and a tilt by noise cannot be noised again. */
static hiss_status check_nesting(const hs_kernel *k, hiss_error *err)
{
    for (int i = 0; i < k->children; i++) {
        const hs_kernel *c = k->child[i];

        if (c->type->is_outermost)
            return hs_fail(err, HISS_EARG,
                           "sampler %s: %s can only be outermost, as in "
                           "%s(base=...)",
                           k->type->name, c->type->name, c->type->name);
        if (k->type == &hs_kernel_hiss && contains(c, k->type))
            return hs_fail(err, HISS_EARG,
                           "sampler hiss: hiss cannot be its own inner "
                           "sampler; take dmala, gwg, acs, gibbs, ...");
    }
    return HISS_OK;
}

hiss_status hs_kernel_create(hs_kernel **out, const hs_spec *spec,
                             hiss_error *err)
{
    const hs_kernel_type *type = find_type(spec->text);
    hs_kernel *k;
    char what[64] = "sampler ";
    hiss_status rc;

    *out = NULL;
    if (!type)
        return unknown(spec->text, err);
    k = hs_alloc_array(1, sizeof *k);
    if (!k)
        return hs_fail_memory(err);
    k->type = type;
    k->state = hs_alloc_array(1, type->size);
    strncat(what, type->name, sizeof what - 9);
    rc = k->state ? hs_options_parse(type->options, spec, what, k->state, err)
                  : hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = add_children(k, err);
    if (rc == HISS_OK)
        rc = check_nesting(k, err);
    if (rc == HISS_OK && type->check)
        rc = type->check(k, err);
    if (rc != HISS_OK) {
        hs_kernel_destroy(k);
        return rc;
    }
    *out = k;
    return HISS_OK;
}

/* Kernels that change one coordinate at a time never leave a tour. */
static hiss_status check_kind(const hs_kernel *k, const hs_model *m,
                              hiss_error *err)
{
    if (!m->domain.is_tour || k->type->moves_tours)
        return HISS_OK;
    return hs_fail(err, HISS_EUNSUP,
                   "sampler %s cannot move tours; tour and hiss(inner=tour) "
                   "can, alone or in mix, sequence and pt; or give the model "
                   "in its one-hot form, tsp(FILE,form=onehot)",
                   k->type->name);
}

hiss_status hs_kernel_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    int columns = k->type->columns ? k->type->columns : HS_OWN_COLUMNS;

    HS_TRY(check_kind(k, m, err));
    for (int i = 0; i < k->children; i++)
        HS_TRY(hs_kernel_setup(k->child[i], m, err));
    if (k->type->column_count)
        columns = k->type->column_count(k);
    k->lane = hs_alloc_array((size_t)columns, sizeof *k->lane);
    if (!k->lane)
        return hs_fail_memory(err);
    k->columns = columns;
    k->is_set_up = true;
    return k->type->setup ? k->type->setup(k, m, err) : HISS_OK;
}

void hs_kernel_destroy(hs_kernel *k)
{
    if (!k)
        return;
    for (int i = 0; i < k->children; i++)
        hs_kernel_destroy(k->child[i]);
    if (k->is_set_up && k->type->clear)
        k->type->clear(k);
    if (k->state)
        hs_options_clear(k->type->options, k->state);
    hs_free(k->child);
    hs_free(k->lane);
    hs_free(k->state);
    hs_free(k);
}

int64_t hs_period_join(int64_t a, int64_t b)
{
    int64_t divisor = a, rest = b;

    if (a < 1 || b < 1)
        return a > b ? a : b;
    while (rest > 0) {
        int64_t next = divisor % rest;

        divisor = rest;
        rest = next;
    }
    a /= divisor;
    return a < HS_PERIOD_MAX / b ? a * b : HS_PERIOD_MAX;
}

hs_traits hs_kernel_traits(const hs_kernel *k)
{
    return k->type->traits(k);
}

static hs_kernel *find_node(hs_kernel *k, int *number)
{
    hs_kernel *found = NULL;

    if ((*number)-- == 0)
        return k;
    for (int i = 0; i < k->children && !found; i++)
        found = find_node(k->child[i], number);
    return found;
}

hs_kernel *hs_kernel_node(hs_kernel *k, int number)
{
    return find_node(k, &number);
}

int hs_kernel_replicas(const hs_kernel *k)
{
    return k->type->replicas ? k->type->replicas(k) : 1;
}

void hs_kernel_begin(hs_kernel *k, int64_t steps)
{
    if (k->type->begin)
        k->type->begin(k, steps);
    else
        for (int i = 0; i < k->children; i++)
            hs_kernel_begin(k->child[i], steps);
}

void hs_kernel_freeze(hs_kernel *k)
{
    if (k->type->freeze)
        k->type->freeze(k);
    for (int i = 0; i < k->children; i++)
        hs_kernel_freeze(k->child[i]);
}

void hs_kernel_attach(hs_kernel *k, const hs_library *library)
{
    if (k->type->attach)
        k->type->attach(k, library);
    for (int i = 0; i < k->children; i++)
        hs_kernel_attach(k->child[i], library);
}

char *hs_kernel_print(const hs_kernel *k)
{
    return hs_options_print(k->type->options, k->type->name, k->state);
}

void hs_kernel_exchange(hs_kernel *a, int lane_a, hs_kernel *b, int lane_b)
{
    for (int c = 0; c < a->columns; c++) {
        double value = a->lane[c][lane_a];

        a->lane[c][lane_a] = b->lane[c][lane_b];
        b->lane[c][lane_b] = value;
    }
    for (int i = 0; i < a->children; i++)
        hs_kernel_exchange(a->child[i], lane_a, b->child[i], lane_b);
}

void hs_kernel_count(hs_kernel *k, const hs_tile *x, const int32_t *accept)
{
    for (int l = 0; l < x->lanes; l++) {
        k->lane[HS_PROPOSED][l] += 1.0;
        k->lane[HS_ACCEPTED][l] += accept[l] ? 1.0 : 0.0;
    }
}

void hs_kernel_clear_counts(hs_kernel *k)
{
    memset(k->lane[HS_PROPOSED], 0, sizeof k->lane[HS_PROPOSED]);
    memset(k->lane[HS_ACCEPTED], 0, sizeof k->lane[HS_ACCEPTED]);
    for (int i = 0; i < k->children; i++)
        hs_kernel_clear_counts(k->child[i]);
}
