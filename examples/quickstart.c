/* quickstart.c - two modes, two samplers, two verdicts.
 *
 * Sixteen spins that all want to agree, in a weak field: nearly all mass is on
 * "most up" and "most down", with nothing between them.  `gibbs` turns one spin
 * at a time and stays where it began; `auto` finds both modes and their masses.
 *
 *     cc quickstart.c $(pkg-config --cflags --libs hiss) -o quickstart */
#include <stdio.h>

#include <hiss/hiss.h>

#define DIM 16

static hiss_status spins(hiss_model **model, hiss_error *err)
{
    double j[DIM * DIM], h[DIM];

    for (int i = 0; i < DIM * DIM; i++)
        j[i] = i % (DIM + 1) == 0 ? 0.0 : 0.25;
    for (int i = 0; i < DIM; i++)
        h[i] = 0.03;
    return hiss_model_ising(model, DIM, j, h, err);
}

/* Draws, prints the mean of the first spin, and asks whether to believe it. */
static hiss_status judge(const hiss_model *model, const char *spec,
                         int *is_trusted, hiss_error *err)
{
    hiss_sampler *sampler = NULL;
    hiss_result *result = NULL;
    hiss_diagnosis *diagnosis = NULL;
    hiss_column spin = HISS_INIT(hiss_column);
    hiss_settings settings;
    hiss_diagnose_settings look;
    hiss_status rc = hiss_sampler_create(&sampler, spec, err);

    hiss_settings_init(&settings);
    settings.seed = 1; /* same seed, same draws */
    hiss_diagnose_settings_init(&look);
    if (rc == HISS_OK)
        rc = hiss_sample(&result, model, sampler, &settings, err);
    if (rc == HISS_OK)
        rc = hiss_result_coordinate(result, 0, &spin, err);
    if (rc == HISS_OK)
        rc = hiss_diagnose(&diagnosis, result, model, &look, err);
    if (rc == HISS_OK) {
        *is_trusted = hiss_diagnosis_is_trusted(diagnosis);
        printf("%-6s mean of x.1 %+.3f +- %.3f: %s\n", spec, spin.mean,
               spin.mcse, *is_trusted ? "trusted" : "NOT trusted");
    }
    hiss_diagnosis_destroy(diagnosis);
    hiss_result_destroy(result);
    hiss_sampler_destroy(sampler);
    return rc;
}

int main(void)
{
    hiss_model *model = NULL;
    hiss_error err = {HISS_OK, ""};
    int gibbs = 0, found = 0;
    hiss_status rc = spins(&model, &err);

    if (rc == HISS_OK)
        rc = judge(model, "gibbs", &gibbs, &err);
    if (rc == HISS_OK)
        rc = judge(model, "auto", &found, &err);
    if (rc != HISS_OK)
        fprintf(stderr, "quickstart: %s\n", err.message);
    hiss_model_destroy(model);
    return rc == HISS_OK && found ? 0 : 1;
}
