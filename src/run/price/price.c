/* price.c - computes prices of steps over the tree of kernels. */
#include "run/price/price.h"

#include <stddef.h>
#include <string.h>

#include "base/assert.h"

#define PLAIN "plain"

const hs_price hs_prices[] = {
#define HS_PRICE(kernel, variant, family, step, site, value, term, own)        \
  {#kernel, #variant, #family, step, site, value, term, own},
#include "run/price/price.def"
#undef HS_PRICE
    {0},
};

/* The model and its work, for the price of a part. */
struct place {
    const hs_model *model;
    hs_model_work work;
    int lanes;
};

static const hs_price *find(const char *kernel, const char *variant,
                            const char *family)
{
    for (const hs_price *p = hs_prices; p->kernel; p++)
        if (strcmp(p->kernel, kernel) == 0 &&
            strcmp(p->variant, variant) == 0 && strcmp(p->family, family) == 0)
            return p;
    return NULL;
}

const hs_price *hs_price_find(const char *kernel, const char *variant,
                              const char *family)
{
    const hs_price *p = find(kernel, variant, family);

    return p ? p : find(kernel, PLAIN, family);
}

static const char *form_name(hs_tilt_form form)
{
    static const char *const name[HS_TILT_FORMS] = {
        [HS_TILT_FLAT] = PLAIN,
        [HS_TILT_PHI] = "phi",
        [HS_TILT_SLOPE] = "slope",
        [HS_TILT_FACTORS] = "factors",
    };

    return name[form];
}

static double row_price(const hs_price *p, const hs_model *m, double terms,
                        double amount)
{
    const hs_domain *d = &m->domain;

    return p->step + p->site * d->dim + p->value * (d->value_count - d->dim) +
           p->term * terms + p->own * amount;
}

/* Price by the number of evaluations of a function, one if unknown. */
static double fallback(const hs_kernel *k, const char *variant,
                       const struct place *at)
{
    const hs_model *m = at->model;
    const char *as = hs_model_has_cheap_sites(m) ? "changes" : "function";
    const hs_price *unit = find("evaluation", PLAIN, "function");
    const hs_price *own = find("evaluation", PLAIN, at->work.family);
    const hs_price *row = hs_price_find(k->type->name, variant, as);
    double evals = 1.0;

    HS_ASSERT(unit && unit->step > 0.0);
    if (row)
        evals = row_price(row, m, 1.0, 0.0) / unit->step;
    return evals * row_price(own ? own : unit, m, at->work.terms, 0.0);
}

static double part_price(const hs_kernel *k, const hs_work *part,
                         hs_tilt_form form, const struct place *at)
{
    const char *name = k->type->name, *family = at->work.family;
    const char *variant = part->variant ? part->variant : form_name(form);
    const hs_price *row = hs_price_find(name, variant, family);
    double price;

    if (row)
        price = row_price(row, at->model, at->work.terms, part->amount);
    else if (k->children > 0)
        price = 0.0; /* only its children cost */
    else
        price = fallback(k, variant, at);
    if (part->is_by_lane || at->work.is_by_lane)
        price *= (double)at->lanes / HS_LANES;
    return part->times * price;
}

static double own_price(const hs_kernel *k, hs_tilt_form form,
                        const struct place *at)
{
    hs_work part[HS_WORK_PARTS] = {{.times = 1.0}};
    int parts = k->type->work ? k->type->work(k, at->model, part) : 1;
    double sum = 0.0;

    HS_ASSERT(parts <= HS_WORK_PARTS);
    for (int n = 0; n < parts; n++)
        sum += part_price(k, &part[n], form, at);
    return sum;
}

static double tree_price(const hs_kernel *k, hs_tilt_form form,
                         const struct place *at)
{
    hs_tilt_form inner = k->type->tilts ? k->type->tilts(k) : form;
    double sum = own_price(k, form, at);

    for (int i = 0; i < k->children; i++) {
        double visits = k->type->visits ? k->type->visits(k, i) : 1.0;

        if (visits > 0.0)
            sum += visits * tree_price(k->child[i], inner, at);
    }
    return sum;
}

double hs_price_tile(const hs_kernel *k, const hs_model *m, int lanes)
{
    const struct place at = {m, hs_model_work_of(m), lanes};
    double price;

    HS_ASSERT(k->is_set_up && lanes >= 1 && lanes <= HS_LANES);
    price = tree_price(k, HS_TILT_FLAT, &at);
    return price > 1.0 ? price : 1.0; /* no step is free */
}

double hs_price_step(const hs_kernel *k, const hs_model *m)
{
    return hs_price_tile(k, m, HS_LANES);
}

double hs_price_chain(const hs_kernel *k, const hs_model *m)
{
    return 1e-9 * hs_price_step(k, m) * hs_kernel_replica_count(k) / HS_LANES;
}

double hs_price_group(const hs_group *g)
{
    double sum = 0.0;

    for (int i = 0; i < g->tiles; i++)
        sum += hs_price_tile(g->kernel[i], g->model, g->tile[i].lanes);
    return 1e-9 * sum;
}
