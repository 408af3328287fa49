/* network.cu - a network in a card's memory, and how it is evaluated there. */
#include "cuda/network/network.h"

#include "cuda/network/fused.h"

#include <stdlib.h>

#define PUT(to, from, count)                                                   \
  PASS(hs_card_put(memory, &(to), from, (int64_t)(count), sizeof *(to), err))

/* The numbers of the lanes in use. */
static hiss_status put_lanes(hs_card_network *n, hs_card_memory *memory,
                             const int *lanes, int tiles, hiss_error *err)
{
    int *number = (int *)malloc((size_t)n->all * sizeof *number);
    hiss_status rc;

    if (!number)
        return hs_card_fail(err, HISS_ENOMEM, "numbers of lanes",
                            cudaErrorMemoryAllocation);
    for (int t = 0; t < tiles; t++)
        for (int l = 0; l < lanes[t]; l++)
            number[n->used++] = t * HS_LANES + l;
    rc = hs_card_put(memory, &n->lane, number, n->used, sizeof *number, err);
    free(number);
    return rc;
}

static hiss_status put_tiles(hs_card_network *n, hs_card_memory *memory,
                             const hs_network_form *f, hiss_error *err)
{
    uint8_t *tiles = hs_fused_tiles(n, f);
    hiss_status rc;

    if (!tiles)
        return hs_card_fail(err, HISS_ENOMEM, "inputs of a network",
                            cudaErrorMemoryAllocation);
    rc = hs_card_put(memory, &n->tile, tiles, n->tiles, (size_t)n->bytes, err);
    free(tiles);
    return rc;
}

static hiss_status put_fused(hs_card_network *n, hs_card_memory *memory,
                             const hs_network_form *f, hiss_error *err)
{
    hs_fused_shape(n);
    PASS(put_tiles(n, memory, f, err));
    PUT(n->weight, NULL, n->all * n->steps * n->warps * 128);
    PUT(n->part, NULL, n->all * n->chunks * n->dim);
    PUT(n->loss, NULL, n->all * n->chunks);
    PUT(n->sum, NULL, n->all);
    return HISS_OK;
}

static hiss_status put_plain(hs_card_network *n, hs_card_memory *memory,
                             const hs_network_form *f, hiss_error *err)
{
    int64_t cases = f->cases;

    hs_plain_shape(n);
    PUT(n->form.input, f->input, cases * (f->inputs + 1));
    PUT(n->form.target, f->target, cases);
    PUT(n->unit, NULL, cases * f->hidden * n->all);
    PUT(n->slope, NULL, 2 * cases * n->all);
    return HISS_OK;
}

hiss_status hs_card_network_build(hs_card_network *n, hs_card_memory *memory,
                                  const hs_network_form *f, int tiles,
                                  const int *lanes, hiss_error *err)
{
    n->form = *f;
    n->slope_scale = (float)(-4.0 * f->scale); /* s = 2 x - 1, of a square */
    n->dim = (f->inputs + 2) * f->hidden + 1;
    n->all = (int64_t)tiles * HS_LANES;
    PASS(put_lanes(n, memory, lanes, tiles, err));
    return hs_fused_fits(f) ? put_fused(n, memory, f, err)
                            : put_plain(n, memory, f, err);
}

static void make_chunks(const hs_card_network *n, const int16_t *x,
                        int has_slope)
{
    if (n->is_tall) {
        hs_tall_chunks(n, x);
        return;
    }
    hs_fused_pack(n, x);
    if (n->is_wide)
        hs_wide_chunks(n, x, has_slope);
    else
        hs_fused_chunks(n, x, has_slope);
}

void hs_network_begin(const hs_card_network *n, const int16_t *x)
{
    make_chunks(n, x, 1);
}

void hs_card_network_evaluate(const hs_card_network *n, const int16_t *x,
                              double *u, float *gradient)
{
    if (!n->steps) {
        hs_plain_evaluate(n, x, u, gradient);
        return;
    }
    make_chunks(n, x, gradient != NULL);
    hs_fused_collect(n, u, gradient);
}
