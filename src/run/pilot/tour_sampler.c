/* tour_sampler.c - what a sampler's options mean on tours. */
#include "run/pilot/tour_sampler.h"

#include "base/error.h"

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

hiss_status hs_tour_sampler(hs_sampler **out, const hs_sampler *sampler,
                            const hs_model *m, hiss_error *err)
{
    hs_sampler *asked = hs_sampler_keep(sampler);
    hs_spec spec;
    hiss_status rc = HISS_OK;

    *out = asked;
    if (!m->domain.is_tour)
        return HISS_OK;
    *out = NULL;
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
