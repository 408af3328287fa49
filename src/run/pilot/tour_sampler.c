/* tour_sampler.c - what a sampler's options mean on a model: on tours, and of
 * hiss on others. */
#include "run/pilot/tour_sampler.h"

#include "base/error.h"
#include "run/pilot/local_sampler.h"

#define LEARNED 2.0 /* mathematics: of the words of the option `kernel` */

/* Options that have another default on tours. */
static const struct {
    const hs_kernel_type *type;
    const char *option, *value;
} usual[] = {
    {&hs_kernel_pt, "base", "tour"},
    {&hs_kernel_smc, "base", "tour"},
    {&hs_kernel_hiss, "inner", "tour"},
    {&hs_kernel_hiss, "block", "3"}, /* keys: few cities find new places */
};

static hiss_status complete(hs_spec *spec, hiss_error *err)
{
    const hs_kernel_type *type = hs_kernel_type_find(spec->text);

    for (size_t n = 0; n < sizeof usual / sizeof *usual; n++)
        if (type == usual[n].type &&
            !hs_options_has(type->options, spec, usual[n].option) &&
            !hs_spec_add_word(spec, usual[n].option, usual[n].value))
            return hs_fail_memory(err);
    for (int i = 0; i < spec->count; i++)
        HS_TRY(complete(&spec->child[i], err));
    return HISS_OK;
}

hiss_status hs_tour_sampler_spec(hs_spec *spec, const hs_model *m,
                                 hiss_error *err)
{
    return m->domain.is_tour ? complete(spec, err) : HISS_OK;
}

/* pt(base=sequence(tour,hiss(steps=0)),levels=auto) */
static hiss_status make_usual(hs_sampler **out, hiss_error *err)
{
    hs_sampler *tour = NULL, *hiss = NULL, *both = NULL;
    hiss_status rc;

    *out = NULL;
    rc = hs_sampler_make(&tour, &hs_kernel_tour, NULL, err);
    if (rc == HISS_OK)
        rc = hs_sampler_make(&hiss, &hs_kernel_hiss,
                             (hs_setting[]){{"steps", .number = 0}, {0}}, err);
    if (rc == HISS_OK)
        rc = hs_sampler_make(
            &both, &hs_kernel_sequence,
            (hs_setting[]){{.sampler = tour}, {.sampler = hiss}, {0}}, err);
    if (rc == HISS_OK)
        rc = hs_sampler_make(out, &hs_kernel_pt,
                             (hs_setting[]){{"base", .sampler = both},
                                            {"levels", .word = "auto"},
                                            {0}},
                             err);
    hs_sampler_release(tour);
    hs_sampler_release(hiss);
    hs_sampler_release(both);
    return rc;
}

bool hs_uses_modes(const hs_sampler *s)
{
    const hs_sampler *hiss = hs_sampler_find(s, &hs_kernel_hiss);

    return hs_sampler_find(s, &hs_kernel_bridge) ||
           (hiss && hs_sampler_number(hiss, "kernel") == LEARNED);
}

/* --- hiss on other models ------------------------------------------------- */

struct completing {
    const hs_sampler *local; /* borrowed */
    bool has_changed;
};

/* Temperatures have columns of their own, and a mixture one for all lanes. */
static bool is_tempering(const hs_kernel_type *type)
{
    return type == &hs_kernel_pt || type == &hs_kernel_pthr ||
           type == &hs_kernel_smc;
}

static bool is_auto(const hs_spec *spec, const char *option)
{
    const hs_spec *given = hs_spec_find(spec, option);

    return !hs_options_has(hs_kernel_hiss.options, spec, option) ||
           (given && hs_spec_is(given, "auto"));
}

static bool has(const hs_spec *spec, const char *option)
{
    return hs_options_has(hs_kernel_hiss.options, spec, option);
}

static bool is_learned(const hs_spec *spec)
{
    const hs_spec *kernel = hs_spec_find(spec, "kernel");

    return kernel && hs_spec_is(kernel, "learned");
}

/* Returns true if its scales are a mixture by default.  A kernel that is
 * requested by name has the defaults of its table. */
static bool is_open(const hs_spec *spec)
{
    const hs_spec *tune = hs_spec_find(spec, "tune");

    return is_auto(spec, "eta") && (!has(spec, "kernel") || is_learned(spec)) &&
           !has(spec, "adjust") && !has(spec, "tilt") &&
           (!tune ? !has(spec, "tune") : hs_spec_is(tune, "mix"));
}

static hiss_status complete_node(struct completing *c, hs_spec *spec,
                                 bool is_tempered, hiss_error *err)
{
    const hs_kernel_type *type = hs_kernel_type_find(spec->text);
    bool is_ok = true;

    if (type == &hs_kernel_hiss && is_open(spec)) {
        c->has_changed = true;
        if (is_tempered)
            is_ok =
                has(spec, "tune") || hs_spec_add_word(spec, "tune", "accept");
        else if (!has(spec, "inner"))
            is_ok = hs_spec_add_copy(spec, "inner", &c->local->given);
    }
    for (int i = 0; is_ok && i < spec->count; i++)
        HS_TRY(complete_node(c, &spec->child[i],
                             is_tempered || is_tempering(type), err));
    return is_ok ? HISS_OK : hs_fail_memory(err);
}

/* The same sampler in which every hiss that draws its scales from a mixture
 * (kernel/compose/noise_mix.h) and has no inner kernel gets the plain one that
 * fits the model, and every one below temperatures tunes one scale for each. */
static hiss_status complete_hiss(hs_sampler **out, const hs_sampler *sampler,
                                 const hs_model *m, hiss_error *err)
{
    struct completing c = {0};
    hs_sampler *local = NULL;
    hs_spec spec = {0};
    hiss_status rc;

    *out = NULL;
    if (!hs_sampler_find(sampler, &hs_kernel_hiss)) {
        *out = hs_sampler_keep(sampler);
        return HISS_OK;
    }
    HS_TRY(hs_local_sampler(&local, m, false, err));
    c.local = local;
    rc = hs_spec_copy(&spec, &sampler->given, err);
    if (rc == HISS_OK)
        rc = complete_node(&c, &spec, false, err);
    if (rc == HISS_OK && c.has_changed)
        rc = hs_sampler_create(out, &spec, err);
    else if (rc == HISS_OK)
        *out = hs_sampler_keep(sampler);
    hs_spec_clear(&spec);
    hs_sampler_release(local);
    return rc;
}

hiss_status hs_tour_sampler(hs_sampler **out, const hs_sampler *sampler,
                            const hs_model *m, hiss_error *err)
{
    hs_sampler *asked;
    hs_spec spec;
    hiss_status rc = HISS_OK;

    *out = NULL;
    if (!m->domain.is_tour)
        return complete_hiss(out, sampler, m, err);
    asked = hs_sampler_keep(sampler);
    if (asked->type == &hs_kernel_auto &&
        !hs_options_has(asked->type->options, &asked->given, "base")) {
        hs_sampler_release(asked);
        HS_TRY(make_usual(&asked, err));
    }
    rc = hs_spec_copy(&spec, &asked->given, err);
    if (rc == HISS_OK)
        rc = hs_tour_sampler_spec(&spec, m, err);
    if (rc == HISS_OK)
        rc = hs_sampler_create(out, &spec, err);
    hs_spec_clear(&spec);
    hs_sampler_release(asked);
    return rc;
}
