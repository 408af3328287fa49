/* predict.cu - what networks say of cases: some hundred networks at a time. */
#include <stdlib.h>

#include "cuda/network/network.h"

#define TILES 64 /* of a batch, at most */

typedef struct batch {
    hs_card_network network;
    hs_card_memory memory;
    int8_t *bits; /* [lanes][dim], on the card */
    int16_t *x;   /* [tiles][dim][16], likewise */
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
    PASS(hs_card_put(&b->memory, &b->bits, NULL, b->network.all,
                     (size_t)b->network.dim, err));
    return hs_card_put(&b->memory, &b->x, NULL, b->network.all * b->network.dim,
                       sizeof *b->x, err);
}

/* States to the order of tiles; a thread has a coordinate of a tile. */
HS_KERNEL void spread(const int8_t *bits, int16_t *x, int64_t tiles, int dim)
{
    int64_t tile = hs_card_thread() / dim;
    int i = (int)(hs_card_thread() % dim);

    for (int l = 0; tile < tiles && l < HS_LANES; l++)
        x[(tile * dim + i) * HS_LANES + l] =
            bits[(tile * HS_LANES + l) * dim + i];
}

/* The next of them; lanes beyond the last keep what they had. */
static hiss_status say(batch *b, double *u, const int8_t *states, int64_t count,
                       float *out, hiss_error *err)
{
    const hs_card_network *n = &b->network;

    TRY(cudaMemcpy(b->bits, states, (size_t)count * (size_t)n->dim,
                   cudaMemcpyHostToDevice));
    HS_LAUNCH(spread, (int64_t)b->tiles * n->dim, b->bits, b->x,
              (int64_t)b->tiles, n->dim);
    hs_card_network_evaluate(n, b->x, u, NULL);
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
