/* transfer.cu - what passes between a group on a card and its mirror here. */
#include "cuda/entry/own_group.h"

#define UP(field, rows)                                                        \
  TRY(cudaMemcpy(g->card.lanes.field, g->lanes.field,                          \
                 (size_t)(rows) * sizeof *g->lanes.field,                      \
                 cudaMemcpyHostToDevice))
#define DOWN(field, rows)                                                      \
  TRY(cudaMemcpy(g->lanes.field, g->card.lanes.field,                          \
                 (size_t)(rows) * sizeof *g->lanes.field,                      \
                 cudaMemcpyDeviceToHost))

hiss_status hs_card_check(const hs_device_group *g, hiss_error *err)
{
    return g->card.whole ? hs_whole_check(&g->whole, g->lanes.chain[0], err)
                         : HISS_OK;
}

hiss_status hs_card_write_lanes(hs_device_group *g, unsigned what,
                                hiss_error *err)
{
    int64_t tiles = g->card.tiles;

    TRY(cudaSetDevice(g->number));
    if (what & HS_DEVICE_ENERGIES && !g->card.whole) { /* which has its own */
        UP(u, tiles);
        g->walk.has |= HS_CARD_U;
    }
    if (what & HS_DEVICE_LEVELS) {
        UP(beta, tiles);
        UP(weight, tiles);
        if (g->card.columns)
            UP(column, tiles * g->card.columns);
    }
    if (what & HS_DEVICE_LEVELS && g->card.ladder.every) {
        UP(level, tiles);
        UP(heading, tiles);
        UP(trips, tiles);
        UP(ladder, tiles * HS_LADDER_ROWS);
        hs_card_find_levels(&g->card);
        TRY(cudaGetLastError());
    }
    if (what & HS_DEVICE_NAMES) {
        UP(chain, tiles);
        UP(replica, tiles);
    }
    if (what & HS_DEVICE_BEST) {
        UP(best, tiles);
        UP(hit, tiles);
    }
    return HISS_OK;
}

/* Counts, which begin anew. */
static hiss_status read_counts(hs_device_group *g, hiss_error *err)
{
    int64_t tiles = g->card.tiles;
    size_t bytes = (size_t)tiles * sizeof *g->lanes.changed;

    DOWN(changed, tiles * g->card.nodes);
    TRY(cudaMemset(g->card.lanes.changed, 0, bytes * (size_t)g->card.nodes));
    if (g->card.ladder.every) {
        DOWN(counted, tiles);
        TRY(cudaMemset(g->card.lanes.counted, 0, bytes));
    }
    return HISS_OK;
}

/* States as rows of lanes, or as words: made when they are looked at. */
void hs_card_need_rows(hs_device_group *g)
{
    if (!g->has_rows)
        hs_card_bits_unpack(&g->card, &g->bits);
    g->has_rows = 1;
}

void hs_card_need_bits(hs_device_group *g)
{
    if (!g->has_bits)
        hs_card_bits_pack(&g->card, &g->bits);
    g->has_bits = 1;
}

void hs_card_make_energies(hs_device_group *g)
{
    if (g->walk.has & HS_CARD_U)
        return;
    if (g->stage && g->bits.has_energies) {
        hs_card_need_bits(g);
        hs_card_bits_energies(&g->card, &g->bits);
        g->walk.has |= HS_CARD_U;
    } else {
        hs_card_need_rows(g);
        hs_card_walk_want(&g->walk, HS_CARD_U);
    }
}

hiss_status hs_card_read_lanes(hs_device_group *g, unsigned what,
                               hiss_error *err)
{
    int64_t tiles = g->card.tiles;

    TRY(cudaSetDevice(g->number));
    if (what & HS_DEVICE_ENERGIES) {
        hs_card_make_energies(g);
        TRY(cudaGetLastError());
        DOWN(u, tiles);
    }
    if (what & HS_DEVICE_TUNED && g->card.columns)
        DOWN(column, tiles * g->card.columns);
    if (what & HS_DEVICE_LEVELS && g->card.ladder.every) {
        DOWN(beta, tiles);
        DOWN(weight, tiles);
        DOWN(level, tiles);
        DOWN(heading, tiles);
        DOWN(trips, tiles);
        DOWN(ladder, tiles * HS_LADDER_ROWS);
    }
    if (what & HS_DEVICE_BEST) {
        DOWN(best, tiles);
        DOWN(hit, tiles);
    }
    if (what & HS_DEVICE_CHANGED)
        PASS(read_counts(g, err));
    return hs_card_check(g, err);
}

static void need_best_rows(hs_device_group *g)
{
    if (!g->has_best_rows)
        hs_card_bits_unpack(&g->best, &g->best_bits);
    g->has_best_rows = 1;
}

hiss_status hs_card_write_states(hs_device_group *g, hs_device_states which,
                                 int64_t first, int64_t rows, hiss_error *err)
{
    int is_best = which == HS_DEVICE_BEST_ONES;
    const hs_card_group *to = is_best ? &g->best : &g->card;

    TRY(cudaSetDevice(g->number));
    if (is_best) {
        need_best_rows(g);
        g->has_best_bits = 0;
    } else {
        hs_card_need_rows(g);
        g->walk.has = g->has_bits = 0;
    }
    TRY(cudaMemcpy(to->lanes.x + first, g->lanes.x,
                   (size_t)rows * sizeof *g->lanes.x, cudaMemcpyHostToDevice));
    return HISS_OK;
}

hiss_status hs_card_read_states(hs_device_group *g, hs_device_states which,
                                int64_t first, int64_t rows, hiss_error *err)
{
    int is_best = which == HS_DEVICE_BEST_ONES;
    const hs_card_group *from = is_best ? &g->best : &g->card;

    TRY(cudaSetDevice(g->number));
    if (is_best)
        need_best_rows(g);
    else
        hs_card_need_rows(g);
    TRY(cudaMemcpy(g->lanes.x, from->lanes.x + first,
                   (size_t)rows * sizeof *g->lanes.x, cudaMemcpyDeviceToHost));
    return HISS_OK;
}

/* Into words where states are words, else into rows. */
hiss_status hs_card_keep_best(hs_device_group *g, double goal, hiss_error *err)
{
    TRY(cudaSetDevice(g->number));
    hs_card_make_energies(g);
    hs_card_find_better(&g->card, goal, g->take);
    if (g->stage) {
        if (!g->has_best_bits)
            hs_card_bits_pack(&g->best, &g->best_bits);
        hs_card_need_bits(g);
        hs_card_take_words(&g->card, &g->bits, g->take, g->best_bits.all);
        g->has_best_bits = 1;
        g->has_best_rows = 0;
    } else {
        hs_card_need_rows(g);
        hs_card_take_rows(&g->card, g->take, g->best.lanes.x);
    }
    TRY(cudaGetLastError());
    return HISS_OK;
}

hiss_status hs_card_write_sums(hs_device_group *g, const hs_device_sums *s,
                               hiss_error *err)
{
    const hs_card_group *card = &g->card;

    TRY(cudaSetDevice(g->number));
    if (s->recent)
        TRY(cudaMemcpy(card->lanes.sum + (int64_t)s->tile * card->sums,
                       s->recent,
                       (size_t)s->tiles * card->sums * sizeof *s->recent,
                       cudaMemcpyHostToDevice));
    if (s->total)
        TRY(cudaMemcpy(card->lanes.total + (int64_t)s->tile * card->totals,
                       s->total,
                       (size_t)s->tiles * card->totals * sizeof *s->total,
                       cudaMemcpyHostToDevice));
    return HISS_OK;
}

hiss_status hs_card_read_sums(hs_device_group *g, const hs_device_sums *s,
                              hiss_error *err)
{
    const hs_card_group *card = &g->card;

    TRY(cudaSetDevice(g->number));
    if (s->recent)
        TRY(cudaMemcpy(s->recent,
                       card->lanes.sum + (int64_t)s->tile * card->sums,
                       (size_t)s->tiles * card->sums * sizeof *s->recent,
                       cudaMemcpyDeviceToHost));
    if (s->total)
        TRY(cudaMemcpy(s->total,
                       card->lanes.total + (int64_t)s->tile * card->totals,
                       (size_t)s->tiles * card->totals * sizeof *s->total,
                       cudaMemcpyDeviceToHost));
    return HISS_OK;
}
