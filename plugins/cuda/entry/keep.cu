/* keep.cu - draws on their way to the processor: packed behind the steps that
 * made them, copied beside those that follow. */
#include "cuda/entry/own_group.h"

static int bits_of(const hs_device_group *g)
{
    return g->card.model.states_max <= 2 ? 1 : 8;
}

/* Doubles before the words. */
static int64_t numbers_of(const hs_device_group *g)
{
    return (int64_t)g->card.ladder.chains * (1 + g->card.nodes);
}

static size_t bytes_of(const hs_device_group *g)
{
    int each = 32 / bits_of(g);
    int64_t words = (g->card.model.dim + each - 1) / each;

    return (size_t)numbers_of(g) * sizeof(double) +
           (size_t)words * (size_t)g->card.ladder.chains * sizeof(uint32_t);
}

/* Made when the first draw is kept. */
static hiss_status make_slot(hs_device_group *g, hs_card_slot *s,
                             hiss_error *err)
{
    if (s->is_made)
        return HISS_OK;
    PASS(
        hs_card_put(&g->memory, &s->there, NULL, (int64_t)bytes_of(g), 1, err));
    PASS(hs_card_pin(&g->memory, &s->here, (int64_t)bytes_of(g), 1, err));
    if (!g->copies)
        TRY(cudaStreamCreateWithFlags(&g->copies, cudaStreamNonBlocking));
    TRY(cudaEventCreateWithFlags(&s->packed, cudaEventDisableTiming));
    TRY(cudaEventCreateWithFlags(&s->come, cudaEventDisableTiming));
    s->is_made = 1;
    return HISS_OK;
}

hiss_status hs_card_keep(hs_device_group *g, int slot, hiss_error *err)
{
    hs_card_slot *s = &g->slot[slot];
    int is_words = g->stage && g->has_bits;
    double *changed;

    TRY(cudaSetDevice(g->number));
    PASS(make_slot(g, s, err));
    changed = s->there + g->card.ladder.chains;
    hs_card_make_energies(g);
    if (!is_words)
        hs_card_need_rows(g);
    hs_card_pack_numbers(&g->card, s->there, changed);
    hs_card_pack_states(&g->card, is_words ? g->bits.all : NULL, g->bits.stride,
                        bits_of(g), (uint32_t *)(s->there + numbers_of(g)));
    TRY(cudaGetLastError());
    TRY(cudaEventRecord(s->packed, 0));
    TRY(cudaStreamWaitEvent(g->copies, s->packed, 0));
    TRY(cudaMemcpyAsync(s->here, s->there, bytes_of(g), cudaMemcpyDeviceToHost,
                        g->copies));
    TRY(cudaEventRecord(s->come, g->copies));
    return HISS_OK;
}

hiss_status hs_card_kept(hs_device_group *g, int slot, hs_device_draws *out,
                         hiss_error *err)
{
    const hs_card_slot *s = &g->slot[slot];

    TRY(cudaSetDevice(g->number));
    TRY(cudaEventSynchronize(s->come));
    out->u = s->here;
    out->changed = s->here + g->card.ladder.chains;
    out->word = (const uint32_t *)(s->here + numbers_of(g));
    out->bits = bits_of(g);
    return hs_card_check(g, err);
}

void hs_card_free_slots(hs_device_group *g)
{
    for (int n = 0; n < HS_DEVICE_SLOTS; n++)
        if (g->slot[n].is_made) {
            cudaEventDestroy(g->slot[n].packed);
            cudaEventDestroy(g->slot[n].come);
        }
    if (g->copies)
        cudaStreamDestroy(g->copies);
}
