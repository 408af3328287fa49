/* observable.c - numbers of every draw of a result, from a text.
 *
 * Overlaps are of pairs of chains, 1 and 2, 3 and 4, ..., which are
 * independent: a series for each pair. */
#include <math.h>
#include <string.h>

#include "api/object/objects.h"
#include "base/alloc.h"
#include "base/error.h"
#include "diag/observe/expression.h"
#include "diag/observe/named.h"

#define PAIRED (1u << HS_NAME_Q | 1u << HS_NAME_Q_LINK)
#define BOUND  (1u << HS_NAME_Q_LINK | 1u << HS_NAME_CLUSTER)
#define OF_M   (1u << HS_NAME_M | 1u << HS_NAME_CHI | 1u << HS_NAME_BINDER)

/* Data for the names of an expression. */
struct observer {
    const hiss_result *result;
    hs_expression *expression; /* owned, as are: */
    double *x;                 /* [dim]: a draw, */
    int16_t *own, *other;      /* [dim]: its indices, and those of the partner
                                  chain's */
    double *series[HS_NAMES];  /* [chains * samples]; NULL if computed per
                                  draw */
    int *room;                 /* for the functions of named.h */
    hs_bonds bonds;            /* borrowed */
    unsigned names;
    bool reads_values;
    int states; /* hs_named_states */
};

static void clear(struct observer *o)
{
    hs_expression_destroy(o->expression);
    hs_free(o->x);
    hs_free(o->own);
    hs_free(o->other);
    hs_free(o->room);
    for (int n = 0; n < HS_NAMES; n++)
        hs_free(o->series[n]);
}

static bool has(const struct observer *o, hs_name name)
{
    return o->names >> name & 1;
}

/* Lists the pairs that a model couples. */
static bool find_bonds(const hs_model *m, hs_bonds *out)
{
    const hs_pair_form *pairs = hs_model_structure(m, HS_STRUCTURE_PAIRS);
    const hs_label_form *labels = hs_model_structure(m, HS_STRUCTURE_LABELS);
    const hs_sparse *j = pairs ? pairs->j : labels ? labels->j : NULL;

    if (!j || j->start[j->dim] == 0)
        return false;
    *out = (hs_bonds){.dim = j->dim, .start = j->start, .column = j->column};
    return true;
}

static hiss_status check_names(struct observer *o, const hiss_model *model,
                               hiss_error *err)
{
    o->states = hs_named_states(&o->result->domain);
    if (o->names & (OF_M | PAIRED) && !o->states)
        return hs_fail(err, HISS_EARG,
                       "m, q, chi and binder need coordinates that are all "
                       "spins or bits, or labels of one number");
    if (has(o, HS_NAME_Q_LINK) && o->states != 2)
        return hs_fail(err, HISS_EARG, "q_link needs spins or bits");
    if (o->names & BOUND && !model)
        return hs_fail(err, HISS_EARG,
                       "q_link and cluster need the bonds of the model, which "
                       "is not at hand: give it with --model");
    if (o->names & BOUND && !find_bonds(model->model, &o->bonds))
        return hs_fail(err, HISS_EARG,
                       "q_link and cluster need a model of coupled pairs");
    if (o->names & PAIRED && o->result->run.info.chains < 2)
        return hs_fail(err, HISS_EARG,
                       "an overlap needs two chains: sample with --chains 2");
    return HISS_OK;
}

/* Reads the indices of a draw, without its values if they are bytes. */
static void read_indices(const struct observer *o, int chain, int64_t draw,
                         int16_t *out)
{
    const hs_domain *d = &o->result->domain;
    const hs_store *store = &o->result->run.store;
    bool are_labels = o->states > 2; /* their values are the indices */

    if (store->element == HISS_INT8 && (d->is_pair || are_labels)) {
        const int8_t *row = hs_store_row(store, chain, draw);
        int8_t low = (int8_t)d->values[0];

        for (int i = 0; i < d->dim && are_labels; i++)
            out[i] = row[i];
        for (int i = 0; i < d->dim && !are_labels; i++)
            out[i] = row[i] != low;
        return;
    }
    hs_store_draw(store, chain, draw, o->x);
    hs_named_indices(d, o->x, out);
}

/* Computes series that depend on the means over all draws. */
static hiss_status make_series(struct observer *o, hiss_error *err)
{
    const hiss_run_info *info = &o->result->run.info;
    const hs_store *store = &o->result->run.store;
    int64_t count = info->chains * info->samples;
    bool *failed = &(bool){false};

    for (int n = 0; n < HS_NAMES; n++) {
        bool is_of_m = o->names & OF_M && n == HS_NAME_M;

        if (!is_of_m &&
            !(has(o, (hs_name)n) &&
              (n == HS_NAME_C || n == HS_NAME_CHI || n == HS_NAME_BINDER)))
            continue;
        o->series[n] = hs_alloc_array((size_t)count, sizeof *o->series[n]);
        *failed |= !o->series[n];
    }
    if (*failed)
        return hs_fail_memory(err);
    for (int64_t at = 0; o->series[HS_NAME_M] && at < count; at++) {
        read_indices(o, (int)(at / info->samples), at % info->samples, o->own);
        o->series[HS_NAME_M][at] =
            hs_named_m(info->dim, o->states, o->own, o->room);
    }
    if (has(o, HS_NAME_C))
        hs_named_c(store->lp, count, info->dim, o->series[HS_NAME_C]);
    if (has(o, HS_NAME_CHI))
        hs_named_chi(o->series[HS_NAME_M], count, info->dim,
                     o->series[HS_NAME_CHI]);
    if (has(o, HS_NAME_BINDER))
        hs_named_binder(o->series[HS_NAME_M], count, o->series[HS_NAME_BINDER]);
    return HISS_OK;
}

/* The model's own energy, or -log p at the model's temperature. */
static double energy_of(const hiss_result *result, double lp)
{
    double scale, shift;

    if (hiss_result_objective(result, &scale, &shift) && scale < 0.0)
        return scale * lp + shift;
    return -lp / hiss_result_beta(result);
}

/* The value at a draw of a chain, whose partner is the next chain. */
static double value_at(struct observer *o, int chain, int64_t draw)
{
    const hs_store *store = &o->result->run.store;
    int dim = store->dim;
    int64_t at = chain * o->result->run.info.samples + draw;
    double named[HS_NAMES];

    if (o->names & (PAIRED | BOUND))
        read_indices(o, chain, draw, o->own);
    if (o->names & PAIRED)
        read_indices(o, chain + 1, draw, o->other);
    if (o->reads_values)
        hs_store_draw(store, chain, draw, o->x);
    for (int n = 0; n < HS_NAMES; n++)
        named[n] = o->series[n] ? o->series[n][at] : (double)NAN;
    if (has(o, HS_NAME_E))
        named[HS_NAME_E] = energy_of(o->result, store->lp[at]);
    if (has(o, HS_NAME_Q))
        named[HS_NAME_Q] = hs_named_q(dim, o->states, o->own, o->other);
    if (has(o, HS_NAME_Q_LINK))
        named[HS_NAME_Q_LINK] =
            hs_named_link(&o->bonds, o->own, o->other, o->room);
    if (has(o, HS_NAME_CLUSTER))
        named[HS_NAME_CLUSTER] = hs_named_cluster(&o->bonds, o->own, o->room);
    return hs_expression_value(o->expression, o->x, store->lp[at], named);
}

static hiss_status begin(struct observer *o, const hiss_model *model,
                         const char *expression, hiss_error *err)
{
    size_t dim = (size_t)o->result->run.info.dim;

    HS_TRY(hs_expression_create(&o->expression, expression, (int)dim, err));
    o->names = hs_expression_names(o->expression);
    o->reads_values = hs_expression_reads_values(o->expression);
    HS_TRY(check_names(o, model, err));
    o->x = hs_alloc_array(dim, sizeof *o->x);
    o->own = hs_alloc_array(dim, sizeof *o->own);
    o->other = hs_alloc_array(dim, sizeof *o->other);
    o->room = hs_alloc_array(2 * dim + (size_t)o->states, sizeof *o->room);
    if (!o->x || !o->own || !o->other || !o->room)
        return hs_fail_memory(err);
    return make_series(o, err);
}

hiss_status hiss_result_series(const hiss_result *result,
                               const hiss_model *model, const char *expression,
                               double *out, int *chains, hiss_error *err)
{
    struct observer o = {.result = result};
    const hiss_run_info *info;
    hiss_status rc;
    int step;

    if (!result || !expression || !out || !chains)
        return hs_fail(err, HISS_EARG,
                       "hiss_result_series: an argument is NULL");
    info = &result->run.info;
    rc = begin(&o, model, expression, err);
    step = o.names & PAIRED ? 2 : 1;
    *chains = info->chains / step;
    for (int c = 0; rc == HISS_OK && c < *chains; c++)
        for (int64_t n = 0; n < info->samples; n++)
            out[c * info->samples + n] = value_at(&o, c * step, n);
    clear(&o);
    return rc;
}

hiss_status hiss_result_observable(const hiss_result *result,
                                   const char *expression, double *out,
                                   hiss_error *err)
{
    int chains;

    HS_TRY(hiss_result_series(result, NULL, expression, out, &chains, err));
    if (chains != result->run.info.chains)
        return hs_fail(err, HISS_EARG,
                       "an overlap has a series per pair of chains: use "
                       "hiss_result_series");
    return HISS_OK;
}

hiss_status hiss_observable_check(const hiss_model *model, int chains,
                                  const char *expression, hiss_error *err)
{
    hiss_result none = {0};
    struct observer o = {.result = &none};
    hiss_status rc;

    if (!model || !expression)
        return hs_fail(err, HISS_EARG,
                       "hiss_observable_check: an argument is NULL");
    if (chains < 1)
        return hs_fail(err, HISS_EARG,
                       "hiss_observable_check: chains = %d, must be at least 1",
                       chains);
    none.domain = model->model->domain;
    none.run.info.chains = chains;
    rc = hs_expression_create(&o.expression, expression, none.domain.dim, err);
    if (rc == HISS_OK) {
        o.names = hs_expression_names(o.expression);
        rc = check_names(&o, model, err);
    }
    clear(&o);
    return rc;
}

const char *hiss_result_observables(const hiss_result *result,
                                    const hiss_model *model)
{
    int states = result ? hs_named_states(&result->domain) : 0;
    bool has_pair = states && result->run.info.chains > 1;
    hs_bonds bonds;

    if (!states || !model || !find_bonds(model->model, &bonds) ||
        (states == 2 && result->domain.kind[0] != HISS_SPIN))
        return NULL;
    if (states > 2)
        return has_pair ? "E;m;q;C;chi;cluster" : "E;m;C;chi;cluster";
    return has_pair ? "E;m;|m|;q;q_link;C;chi;binder" : "E;m;|m|;C;chi;binder";
}
