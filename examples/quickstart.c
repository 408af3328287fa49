/* quickstart.c - sample a small spin glass, and ask whether to believe it.
 *
 *     cc quickstart.c $(pkg-config --cflags --libs hiss) -o quickstart */
#include <stdio.h>

#include <hiss/hiss.h>

#define DIM 12

int main(void)
{
    hiss_model *model = NULL;
    hiss_sampler *sampler = NULL;
    hiss_result *result = NULL;
    hiss_settings settings;
    hiss_error err = {HISS_OK, ""};
    double j[DIM * DIM] = {0}, h[DIM];
    int rc = 1;

    /* a ring with couplings of both signs and a weak field */
    for (int i = 0; i < DIM; i++) {
        int next = (i + 1) % DIM;

        j[i * DIM + next] = j[next * DIM + i] = i % 3 == 0 ? -1.5 : 1.5;
        h[i] = 0.1;
    }
    hiss_settings_init(&settings);
    settings.samples = 2000;
    settings.seed = 42;
    if (hiss_model_ising(&model, DIM, j, h, &err) == HISS_OK &&
        hiss_sampler_create(&sampler, "pt(base=dmala)", &err) == HISS_OK &&
        hiss_sample(&result, model, sampler, &settings, &err) == HISS_OK) {
        for (int i = 0; i < DIM; i++) {
            hiss_column c = HISS_INIT(hiss_column);

            if (hiss_result_coordinate(result, i, &c, &err) != HISS_OK)
                break;
            printf("s.%-2d mean %+.3f +- %.3f   ESS %5.0f   R-hat %.3f\n",
                   i + 1, c.mean, c.mcse, c.ess_bulk, c.rhat);
        }
        rc = 0;
    }
    if (err.status != HISS_OK) {
        fprintf(stderr, "quickstart: %s\n", err.message);
        rc = 1;
    }
    hiss_result_destroy(result);
    hiss_sampler_destroy(sampler);
    hiss_model_destroy(model);
    return rc;
}
