/* network.c - evaluations of binary networks: U and gradient of one tile.
 *
 * A request is answered by the seconds of one evaluation of 16 networks, the
 * operations of its two matrix products, and how many tanh it takes.  The
 * fitted cases of a model can be written to a file, for peers to fit:
 * int32 cases, int32 inputs, then the inputs and the targets, float32. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <hiss/hiss.h>

#include "clock.h"
#include "model/model.h"
#include "model/network/network.h"
#include "speed.h"

/* Evaluations of a request, as many as take so many operations. */
#define OPERATIONS 4e9

static double evaluate(const hs_model *m, hs_point *p)
{
    double start = bench_cpu();

    p->have = 0;
    hs_model_evaluate(m, p, HS_U | HS_GRAD);
    return bench_cpu() - start;
}

static hiss_status time_network(const hs_model *m, hiss_error *err)
{
    const hs_dataset *data = hs_network_data(m);
    double units =
        (double)data->part[HS_FITTED].count * hs_network_hidden(m) * HS_LANES;
    double flops = 4.0 * units * (data->inputs + 1), best = HUGE_VAL;
    uint64_t seed = 1;
    hs_point p;

    if (hs_point_init(&p, m, err) != HISS_OK)
        return err->status;
    for (int i = 0; i < m->domain.dim; i++)
        for (int l = 0; l < HS_LANES; l++)
            p.x[i][l] = (int16_t)(bench_draw(&seed) % 2);
    for (double done = 0.0; done < OPERATIONS; done += flops)
        best = fmin(best, evaluate(m, &p));
    printf("%.9g %.17g %.17g %.9g\n", best, flops, units, p.u[0]);
    hs_point_clear(&p);
    return HISS_OK;
}

hiss_status bench_network(char *const *word, hiss_error *err)
{
    hs_model *m;
    hiss_status rc = hs_model_create(&m, word[0], err);

    if (rc != HISS_OK)
        return rc;
    rc = hs_network_data(m) ? time_network(m, err)
                            : bench_fail(err, "no network:", word[0]);
    hs_model_destroy(m);
    return rc;
}

static int write_cases(FILE *out, const hiss_model *m, const hiss_network *n)
{
    int32_t head[] = {n->cases[HISS_FITTED], n->inputs};
    const float *input = hiss_network_inputs(m, HISS_FITTED);
    size_t cases = (size_t)head[0], width = (size_t)head[1];
    bool is_good = fwrite(head, sizeof head, 1, out) == 1;

    for (size_t c = 0; is_good && c < cases; c++)
        is_good =
            fwrite(input + c * (width + 1), sizeof *input, width, out) == width;
    return is_good && fwrite(hiss_network_targets(m, HISS_FITTED),
                             sizeof(float), cases, out) == cases;
}

hiss_status bench_cases(char *const *word, hiss_error *err)
{
    hiss_network n = HISS_INIT(hiss_network);
    hiss_model *m;
    hiss_status rc = hiss_model_create(&m, word[0], err);
    bool is_good;
    FILE *out;

    if (rc != HISS_OK)
        return rc;
    if (hiss_model_network(m, &n) && (out = fopen(word[1], "wb"))) {
        is_good = write_cases(out, m, &n);
        if (fclose(out) != 0 || !is_good)
            rc = bench_fail(err, "cannot write", word[1]);
        else
            printf("%d %d\n", n.cases[HISS_FITTED], n.inputs);
    } else {
        rc = bench_fail(err, "no network, or no file:", word[0]);
    }
    hiss_model_destroy(m);
    return rc;
}
