/* kernel.c - creates trees of transitions and traverses them. */
#include "kernel/kernel.h"

#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/error.h"
#include "kernel/sampler.h"

hiss_status hs_kernel_create(hs_kernel **out, const hs_sampler *sampler,
                             hiss_error *err)
{
    const hs_kernel_type *type = sampler->type;
    hs_kernel *k = hs_alloc_array(1, sizeof *k);
    hiss_status rc = HISS_OK;

    *out = NULL;
    if (!k)
        return hs_fail_memory(err);
    k->type = type;
    k->sampler = hs_sampler_keep(sampler);
    k->state = hs_alloc_array(1, type->size);
    k->child = hs_alloc_array((size_t)sampler->children, sizeof(hs_kernel *));
    if (!k->state || !k->child)
        rc = hs_fail_memory(err);
    else
        memcpy(k->state, sampler->shape.state, type->size);
    for (; rc == HISS_OK && k->children < sampler->children; k->children++)
        rc = hs_kernel_create(&k->child[k->children],
                              sampler->child[k->children], err);
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
                   "can, alone or in mix, sequence, pt and replicas; or give "
                   "the model in its one-hot form, tsp(FILE,form=onehot)",
                   k->type->name);
}

hiss_status hs_kernel_setup(hs_kernel *k, const hs_model *m, hiss_error *err)
{
    int columns = k->type->columns ? k->type->columns : HS_OWN_COLUMNS;

    HS_ASSERT(!k->is_set_up);
    HS_TRY(check_kind(k, m, err));
    for (int i = 0; i < k->children; i++) {
        k->child[i]->is_under_phi =
            k->is_under_phi || (k->type->has_phi && k->type->has_phi(k));
        HS_TRY(hs_kernel_setup(k->child[i], m, err));
    }
    if (k->type->column_count)
        columns = k->type->column_count(k);
    HS_ASSERT(columns >= HS_OWN_COLUMNS);
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
    hs_sampler_release(k->sampler);
    hs_free(k->child);
    hs_free(k->lane);
    hs_free(k->state);
    hs_free(k);
}

int64_t hs_kernel_join_periods(int64_t a, int64_t b)
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
    return a < HS_KERNEL_PERIOD_MAX / b ? a * b : HS_KERNEL_PERIOD_MAX;
}

hs_traits hs_kernel_traits(const hs_kernel *k)
{
    return k->type->traits(k);
}

/* Marginals are added by every step of a tree: by some component, or by each
 * that may be chosen. */
static bool adds_sums(const hs_device_sampler *node, int number)
{
    const hs_device_sampler *own = node + number;
    bool is_all = own->step == HS_DEVICE_MIX, has = is_all;
    int child = number + 1;

    if (own->step != HS_DEVICE_MIX && own->step != HS_DEVICE_SEQUENCE)
        return own->has_sums;
    for (int i = 0; i < own->children; i++) {
        has =
            is_all ? has && node[child].has_sums : has || node[child].has_sums;
        child = node[child].next;
    }
    return has;
}

/* Plans nodes from `number` on; 0 if some kernel cannot be planned. */
static int plan_from(const hs_kernel *k, const hs_model *m, hs_tilt_form form,
                     hs_device_sampler *node, int number, int *columns)
{
    hs_device_sampler *own = node + number;
    hs_tilt_form inner = k->type->tilts ? k->type->tilts(k) : form;
    int next = number + 1, last = 0;

    if (number >= HS_DEVICE_NODES || !k->type->plan)
        return 0;
    *own = (hs_device_sampler){.tilt = (hs_device_tilt)form,
                               .inner = (hs_device_tilt)inner};
    if (!k->type->plan(k, m, form, own))
        return 0;
    own->children = k->children;
    own->column = *columns;
    *columns += own->columns;
    for (int i = 0; i < k->children; i++) {
        int first = next;

        next = plan_from(k->child[i], m, inner, node, first, columns);
        if (next == 0)
            return 0;
        if (last)
            node[last].next = first;
        last = first;
    }
    own->has_sums = adds_sums(node, number);
    return next;
}

int hs_kernel_plan(const hs_kernel *k, const hs_model *m,
                   hs_device_sampler *node)
{
    hs_device_sampler unused;
    int columns = 0, nodes;

    if (!k->type->couple) {
        nodes = plan_from(k, m, HS_TILT_FLAT, node, 0, &columns);
        for (int n = 1; n < nodes; n++)
            if (node[n].step == HS_DEVICE_GIBBS_PACKED) /* alone only */
                return 0;
        return nodes;
    }
    if (!k->type->plan || !k->type->plan(k, m, HS_TILT_FLAT, &unused))
        return 0;
    return plan_from(k->child[0], m, HS_TILT_FLAT, node, 0, &columns);
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

const char *hs_kernel_path(const hs_kernel *k, hs_tilt_form form)
{
    return k->type->path ? k->type->path(k, form) : NULL;
}

int hs_kernel_replica_count(const hs_kernel *k)
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

void hs_kernel_exchange(hs_kernel *a, int lane_a, hs_kernel *b, int lane_b)
{
    HS_ASSERT(a->type == b->type && a->columns == b->columns);
    HS_ASSERT(lane_a >= 0 && lane_a < HS_LANES);
    HS_ASSERT(lane_b >= 0 && lane_b < HS_LANES);
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
    HS_ASSERT(k->is_set_up && x->lanes <= HS_LANES);
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
