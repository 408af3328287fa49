/* predict.cu - what networks say of cases: some hundred networks at a time. */
#include <stdlib.h>

#include "cuda/network/network.h"

#define TILES 64 /* of a batch, at most */

typedef struct batch {
    hs_card_network network;
    hs_card_memory memory;
    int16_t *x, *there; /* [tiles][dim][16]: here, and on the card */
    int tiles;
} batch;

static hiss_status build(batch *b, const hs_network_form *f, int64_t count,
                         hiss_error *err)
{
    int64_t tiles = (count + HS_LANES - 1) / HS_LANES;
    int lanes[TILES];

    b->tiles = tiles < TILES ? (int)tiles : TILES;
    for (int t = 0; t < b->tiles; t++)
        lanes[t] = HS_LANES;
    PASS(hs_card_network_build(&b->network, &b->memory, f, b->tiles, lanes,
                               err));
    PASS(hs_card_put(&b->memory, &b->network.said, NULL,
                     b->network.all * f->cases, sizeof(float), err));
    return hs_card_both(&b->memory, &b->x, &b->there,
                        (int64_t)b->tiles * b->network.dim,
                        HS_LANES * sizeof(int16_t), err);
}

/* The next of them; lanes beyond the last keep what they had. */
static hiss_status say(batch *b, double *u, const int8_t *states, int64_t count,
                       float *out, hiss_error *err)
{
    const hs_card_network *n = &b->network;
    int64_t dim = n->dim, tile = dim * HS_LANES;

    for (int64_t k = 0; k < count; k++)
        for (int64_t i = 0; i < dim; i++)
            b->x[k / HS_LANES * tile + i * HS_LANES + k % HS_LANES] =
                states[k * dim + i];
    TRY(cudaMemcpy(b->there, b->x, (size_t)(b->tiles * tile) * sizeof *b->x,
                   cudaMemcpyHostToDevice));
    hs_card_network_evaluate(n, b->there, u, NULL);
    TRY(cudaGetLastError());
    TRY(cudaMemcpy(out, n->said,
                   (size_t)count * (size_t)n->form.cases * sizeof *out,
                   cudaMemcpyDeviceToHost));
    return HISS_OK;
}

static hiss_status say_all(batch *b, const int8_t *states, int64_t count,
                           float *out, hiss_error *err)
{
    int64_t most = (int64_t)b->tiles * HS_LANES;
    double *u;

    PASS(hs_card_put(&b->memory, &u, NULL, most, sizeof *u, err));
    for (int64_t k = 0; k < count; k += most)
        PASS(say(b, u, states + k * b->network.dim,
                 count - k < most ? count - k : most,
                 out + k * b->network.form.cases, err));
    return HISS_OK;
}

static hiss_status predict(batch *b, int number, const hs_network_form *f,
                           const int8_t *states, int64_t count, float *out,
                           hiss_error *err)
{
    TRY(cudaSetDevice(number));
    PASS(build(b, f, count, err));
    return say_all(b, states, count, out, err);
}

hiss_status hs_card_predict(int number, const hs_network_form *f,
                            const int8_t *states, int64_t count, float *out,
                            hiss_error *err)
{
    batch *b;
    hiss_status rc;

    if (count <= 0 || f->cases <= 0)
        return HISS_OK;
    b = (batch *)calloc(1, sizeof *b);
    if (!b)
        return hs_card_fail(err, HISS_ENOMEM, "a batch of networks",
                            cudaErrorMemoryAllocation);
    rc = predict(b, number, f, states, count, out, err);
    hs_card_free(&b->memory);
    free(b);
    return rc;
}
