/* inputs.cu - the inputs of a network as its fused kernel reads them.
 *
 * Weights are -1 or 1, so that only inputs need care.  Those of a case become
 * whole numbers q of 23 bits in units of its own,
 *     z = unit q,   unit = max |z| / 2^22 or so,
 * and q = 65536 a + 256 b + c three bytes, the slices.  Sums of bytes on tensor
 * cores are exact, in any order; what is lost is z's rounding to q, 2^-23 of
 * the largest input of the case.  Inputs that are whole numbers of one byte,
 * as 0 and 1, are one slice and lose nothing.
 *
 * A tile has 16 cases: the slices in the order of the fragments of
 * mma.m16n8k32 (B, a case is a column), the inputs as bfloat16 in that of
 * mma.m16n8k16 (B, an input is a column), 512 bytes each for 32 lanes; then
 * units, targets, and 1 or, for cases that fill up the last tile, 0.
 *
 * A wide tile (wide.cu) has 64 cases and two parts: slices in bricks (wgmma.h)
 * of 8 cases times 16 inputs, and units; then inputs in bricks of 8 inputs
 * times 8 cases, targets, and 1 or 0.
 *
 * A tall one (tall_tile.h) has the same parts.  Its slices are three bfloat16
 * whose sum is 2 z / ln 2, within 2^-24 of it, in bricks of 8 cases times 8
 * inputs, and the last input is 1, whose weights are the biases. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/network/network.h"

#define MOST    4128767.0         /* 63 * 65536 + 127 * 256 + 127 */
#define TWO_LN2 2.885390081777927 /* 2 / ln 2: tanh is made of powers of 2 */

/* The nearest bfloat16. */
static uint16_t brief(float z)
{
    uint32_t bits;

    memcpy(&bits, &z, sizeof bits);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* Byte s of q, from the highest on; each is in [-128, 127]. */
static int slice(long q, int s, int slices)
{
    int byte = 0;

    for (int k = slices - 1; k >= s; k--) {
        byte = (int)((q + 128) & 255) - 128;
        q = (q - byte) / 256;
    }
    return byte;
}

static double unit_of(const float *z, int inputs, int slices)
{
    double most = 0.0;

    for (int i = 0; i < inputs; i++)
        most = fabs((double)z[i]) > most ? fabs((double)z[i]) : most;
    return slices == 1 || most == 0.0 ? 1.0 : most / MOST;
}

static void put_input(const hs_card_network *n, uint8_t *tile, int row, int i,
                      float z, double unit)
{
    int lane = row % 8 * 4 + i % 16 / 4;
    int at = lane * 16 + row / 8 * 8 + i % 32 / 16 * 4 + i % 4;
    uint8_t *back = tile + hs_tile_backward(n) + i / 16 * 512;
    uint16_t rounded = brief(z);
    long q = lrint((double)z / unit);

    for (int s = 0; s < n->slices; s++)
        tile[(i / 32 * n->slices + s) * 512 + at] =
            (uint8_t)(int8_t)slice(q, s, n->slices);
    lane = i % 8 * 4 + row % 8 / 2;
    at = lane * 16 + i / 8 % 2 * 8 + row / 8 * 4 + row % 2 * 2;
    memcpy(back + at, &rounded, sizeof rounded);
}

static void put_case(const hs_card_network *n, uint8_t *tile, int row,
                     const float *z, float target)
{
    double unit = unit_of(z, n->form.inputs, n->slices);
    float number[3] = {(float)(unit * TWO_LN2), target, 1.0f};

    for (int i = 0; i < n->form.inputs; i++)
        put_input(n, tile, row, i, z[i], unit);
    for (int k = 0; k < 3; k++)
        memcpy(tile + hs_tile_numbers(n) + (k * HS_FUSED_CASES + row) * 4,
               &number[k], sizeof number[k]);
}

static void put_wide_case(const hs_card_network *n, uint8_t *tile, int row,
                          const float *z, float target)
{
    double unit = unit_of(z, n->form.inputs, n->slices);
    uint8_t *back = tile + hs_wide_forward(n);
    float *number = (float *)(back + n->steps * HS_WIDE_CASES * 64);

    for (int i = 0; i < n->form.inputs; i++) {
        long q = lrint((double)z[i] / unit);
        uint16_t rounded = brief(z[i]);

        for (int s = 0; s < n->slices; s++)
            tile[((s * n->steps * 2 + i / 16) * 8 + row / 8) * 128 +
                 row % 8 * 16 + i % 16] =
                (uint8_t)(int8_t)slice(q, s, n->slices);
        memcpy(back + (row / 8 * n->steps * 4 + i / 8) * 128 + i % 8 * 16 +
                   row % 8 * 2,
               &rounded, sizeof rounded);
    }
    ((float *)(tile + n->slices * n->steps * 2048))[row] =
        (float)(unit * TWO_LN2);
    number[row] = target;
    number[HS_WIDE_CASES + row] = 1.0f;
}

/* Three bfloat16 of an input; at: its place in the first slice. */
static void put_brief(uint8_t *at, float z)
{
    double rest = TWO_LN2 * (double)z;

    for (int s = 0; s < 3; s++) {
        uint16_t rounded = brief((float)rest);
        uint32_t bits = (uint32_t)rounded << 16;
        float part;

        memcpy(&part, &bits, sizeof part);
        memcpy(at + s * 2048, &rounded, sizeof rounded);
        rest -= (double)part;
    }
}

static void put_tall_case(const hs_card_network *n, uint8_t *tile, int row,
                          const float *z, float target)
{
    uint8_t *back = tile + hs_wide_forward(n);
    float *number = (float *)(back + 2048);

    for (int i = 0; i <= n->form.inputs; i++) {
        float own = i < n->form.inputs ? z[i] : 1.0f;
        uint16_t rounded = brief(own);

        put_brief(tile + (i / 8 * 8 + row / 8) * 128 + row % 8 * 16 + i % 8 * 2,
                  own);
        memcpy(back + (row / 8 * 2 + i / 8) * 128 + i % 8 * 16 + row % 8 * 2,
               &rounded, sizeof rounded);
    }
    number[row] = target;
    number[HS_WIDE_CASES + row] = 1.0f;
}

uint8_t *hs_fused_tiles(const hs_card_network *n, const hs_network_form *f)
{
    uint8_t *all = (uint8_t *)calloc((size_t)n->tiles, (size_t)n->bytes);
    int cases = n->is_wide ? HS_WIDE_CASES : HS_FUSED_CASES;

    for (int c = 0; all && c < f->cases; c++) {
        uint8_t *tile = all + (size_t)(c / cases) * (size_t)n->bytes;
        const float *z = f->input + (size_t)c * (size_t)(f->inputs + 1);

        if (n->is_tall)
            put_tall_case(n, tile, c % cases, z, f->target[c]);
        else if (n->is_wide)
            put_wide_case(n, tile, c % cases, z, f->target[c]);
        else
            put_case(n, tile, c % cases, z, f->target[c]);
    }
    return all;
}

/* Whether a byte has each input as it is. */
static int is_bytes(const hs_network_form *f)
{
    for (int c = 0; c < f->cases; c++)
        for (int i = 0; i < f->inputs; i++) {
            float z = f->input[(size_t)c * (size_t)(f->inputs + 1) + (size_t)i];

            if (!(z >= -127.0f && z <= 127.0f) || z != (float)(int)z)
                return 0;
        }
    return 1;
}

/* Warp groups of a block where steps are made on the chip: two of a small
 * network, so that one works while the other waits.  Without tensor cores there
 * are none, but where there is no card. */
static void shape_warp_groups(hs_card_network *n)
{
    int words = (n->dim + 31) / 32;

    n->share = 32 * ((words + HS_RESIDENT_RANKS - 1) / HS_RESIDENT_RANKS);
    n->warp_groups = n->is_tall ? 3 : n->steps > 2 ? 1 : 2;
    if (!n->is_wide || n->steps > HS_RESIDENT_STEPS ||
        hs_resident_bytes(n) > HS_RESIDENT_MOST)
        n->warp_groups = 0;
#if !defined(__CUDACC__)
    n->warp_groups = 1;
#endif
}

/* Chunks of cases: enough that some networks fill a card, few enough that the
 * sums of their gradients are little work; by the shape of the model alone.
 * Warp groups are chunks, too.
 * HISS_CUDA_CHUNKS and HISS_CUDA_NETWORK=fused|phases are for tests. */
void hs_fused_shape(hs_card_network *n)
{
    const hs_network_form *f = &n->form;
    const char *given = getenv("HISS_CUDA_CHUNKS");
    const char *way = getenv("HISS_CUDA_NETWORK");
    int is_fused = way && strcmp(way, "fused") == 0;
    int cases, most, least;

    n->is_wide = !is_fused && hs_wide_fits();
    cases = n->is_wide ? HS_WIDE_CASES : HS_FUSED_CASES;
    n->slices = is_bytes(f) ? 1 : 3;
    n->steps = (f->inputs + 31) / 32;
    n->pairs = (f->inputs + 15) / 16;
    n->warps = n->is_wide ? HS_WIDE_WARPS : (f->hidden + 15) / 16;
    n->tiles = (f->cases + cases - 1) / cases;
    n->is_tall = n->is_wide && f->inputs <= HS_TALL_INPUTS &&
                 f->hidden > HS_TALL_UNITS / 2 && f->hidden <= HS_TALL_UNITS &&
                 n->tiles >= HS_TALL_TILES;
    n->bytes = n->is_wide ? hs_wide_forward(n) + hs_wide_back(n)
                          : hs_tile_numbers(n) + 4 * HS_FUSED_CASES * 4;
    most = given ? atoi(given) : n->steps > 1 || n->is_wide ? 5 : 10;
    least = n->is_wide && n->steps > 1 && !given ? 11 : 128 / cases;
    shape_warp_groups(n);
    if (n->warp_groups && !given) {
        most = HS_RESIDENT_RANKS * n->warp_groups;
        least = 1;
    }
    n->each = (n->tiles + most - 1) / most;
    n->each = n->each < least ? least : n->each;
    n->chunks = (n->tiles + n->each - 1) / n->each;
    if (given || (way && strcmp(way, "phases") == 0))
        n->warp_groups = 0;
}

void hs_plain_shape(hs_card_network *n)
{
    const char *way = getenv("HISS_CUDA_NETWORK");

    shape_warp_groups(n);
    if (way && strcmp(way, "phases") == 0)
        n->warp_groups = 0;
}
