/* gather.c - moves the data of a run's ranks to rank 0 and back. */
#include "run/sampling/gather.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/read/bulk.h"
#include "run/comm/ranks.h"

#define BLOCK  ((size_t)4 << 20)
#define BROKEN UINT64_MAX /* a length: its sender was out of memory */

/* Bytes of a draw in addition to its state: U, acceptance, its number. */
#define NUMBERS (sizeof(double) + sizeof(float) + sizeof(int64_t))

/* Header of the draws of a group. */
struct part {
    int64_t had; /* number of draws that rank 0 had, */
    int64_t from, to;
    int64_t halved; /* and how often every second of them was dropped since */
};

hiss_status hs_gather_init(hs_gather *x, const hs_partition *partition,
                           hs_group_state *state, const hs_store *store,
                           hiss_error *err)
{
    size_t least = NUMBERS + hs_store_row_bytes(store) + sizeof(int64_t);

    *x = (hs_gather){.partition = partition, .state = state};
    if (hs_ranks_size(partition->ranks) == 1)
        return HISS_OK;
    x->room = least > BLOCK ? least : BLOCK;
    x->block = hs_alloc_array(x->room, 1);
    return x->block ? HISS_OK : hs_fail_memory(err);
}

void hs_gather_clear(hs_gather *x)
{
    hs_free(x->block);
    x->block = NULL;
}

static bool is_zero(const char *row, size_t size)
{
    return row[0] == 0 && memcmp(row, row + 1, size - 1) == 0;
}

/* Number of draws that fit into a block. */
static int64_t block_draws(const hs_gather *x, const hs_store *s)
{
    return (int64_t)((x->room - sizeof(int64_t)) /
                     (NUMBERS + hs_store_row_bytes(s)));
}

/* Packs draws from ..  from + n - 1 of a chain: U and acceptance of each, the
 * number with a state here, their numbers, the states. */
static size_t pack(hs_gather *x, const hs_store *s, int chain, int64_t from,
                   int64_t n)
{
    size_t first = (size_t)chain * (size_t)s->capacity + (size_t)from;
    size_t size = hs_store_row_bytes(s), count = (size_t)n;
    hs_blob b = {.at = x->block, .size = x->room};
    int64_t rows = 0;

    hs_blob_put(&b, s->lp + first, count * sizeof *s->lp);
    hs_blob_put(&b, s->accept + first, count * sizeof *s->accept);
    for (int64_t d = 0; d < n; d++)
        rows += !is_zero(hs_store_row(s, chain, from + d), size);
    hs_blob_put(&b, &rows, sizeof rows);
    for (int64_t d = 0; d < n; d++) {
        const char *row = hs_store_row(s, chain, from + d);

        if (is_zero(row, size))
            continue;
        hs_blob_put(&b, &d, sizeof d);
        hs_blob_put(&b, row, size);
    }
    return b.used;
}

/* is_first: missing parts are 0, or come from another member later. */
static void unpack(hs_gather *x, size_t used, hs_store *s, int chain,
                   int64_t from, int64_t n, bool is_first)
{
    size_t first = (size_t)chain * (size_t)s->capacity + (size_t)from;
    size_t size = hs_store_row_bytes(s), count = (size_t)n;
    hs_blob b = {.at = x->block, .used = used, .size = x->room};
    int64_t rows, d;

    hs_blob_get(&b, s->lp + first, count * sizeof *s->lp);
    hs_blob_get(&b, s->accept + first, count * sizeof *s->accept);
    if (is_first)
        memset(hs_store_row(s, chain, from), 0, count * size);
    hs_blob_get(&b, &rows, sizeof rows);
    for (int64_t i = 0; i < rows; i++) {
        hs_blob_get(&b, &d, sizeof d);
        hs_blob_get(&b, hs_store_row(s, chain, from + d), size);
    }
}

static void send_draws(hs_gather *x, const hs_group_state *w, const hs_store *s,
                       int which)
{
    const hs_ranks *ranks = x->partition->ranks;
    int64_t most = block_draws(x, s);
    struct part part = {.had = w->sent[which],
                        .from = w->sent[which] >> w->halved[which],
                        .to = which == HS_WARM ? w->warm_kept : w->kept,
                        .halved = w->halved[which]};

    hs_ranks_send(ranks, 0, &part, sizeof part);
    for (int c = 0; c < w->group->chains; c++)
        for (int64_t at = part.from, n; at < part.to; at += n) {
            uint64_t used;

            n = part.to - at < most ? part.to - at : most;
            used = pack(x, s, w->row + c, at, n);
            hs_ranks_send(ranks, 0, &used, sizeof used);
            hs_ranks_send(ranks, 0, x->block, (size_t)used);
        }
}

static void receive_draws(hs_gather *x, int group, int rank, bool is_first,
                          hs_store *s)
{
    const hs_ranks *ranks = x->partition->ranks;
    int first_chain = group * HS_GROUP_CHAINS;
    int64_t most = block_draws(x, s);
    struct part part;

    hs_ranks_receive(ranks, rank, &part, sizeof part);
    for (int c = 0; c < hs_partition_chains(x->partition, group); c++) {
        for (int64_t i = 0, had = part.had; is_first && i < part.halved; i++) {
            hs_store_thin(s, first_chain + c, had, 2);
            had /= 2;
        }
        for (int64_t at = part.from, n; at < part.to; at += n) {
            uint64_t used;

            n = part.to - at < most ? part.to - at : most;
            hs_ranks_receive(ranks, rank, &used, sizeof used);
            hs_ranks_receive(ranks, rank, x->block, (size_t)used);
            unpack(x, (size_t)used, s, first_chain + c, at, n, is_first);
        }
    }
}

static hs_group_state *walker_of(const hs_gather *x, int group)
{
    return &x->state[group - x->partition->first];
}

void hs_gather_draws(hs_gather *x, hs_store *store, int which)
{
    int own = hs_ranks_rank(x->partition->ranks), members;

    for (int g = 0; g < x->partition->groups; g++) {
        int first = hs_partition_owner(x->partition, g, &members);

        for (int rank = first; rank < first + members; rank++)
            if (rank != 0 && own == rank) {
                hs_group_state *w = walker_of(x, g);

                send_draws(x, w, store, which);
                w->sent[which] = which == HS_WARM ? w->warm_kept : w->kept;
                w->halved[which] = 0;
            } else if (rank != 0 && own == 0) {
                receive_draws(x, g, rank, rank == first, store);
            }
    }
    if (own == 0) {
        hs_bulk_rest(store->draws, store->mapped);
        hs_bulk_rest(store->lp, store->lp_mapped);
        hs_bulk_rest(store->accept, store->accept_mapped);
    }
}

/* Sends bytes of any length in messages of a block; a broken blob is marked. */
static void send_blob(hs_gather *x, int to, const hs_blob *b)
{
    uint64_t length = b->is_broken ? BROKEN : b->used;

    hs_ranks_send(x->partition->ranks, to, &length, sizeof length);
    for (size_t at = 0; length != BROKEN && at < b->used; at += x->room)
        hs_ranks_send(x->partition->ranks, to, b->at + at,
                      b->used - at < x->room ? b->used - at : x->room);
}

/* Appends to b. */
static void receive_blob(hs_gather *x, int from, hs_blob *b)
{
    uint64_t length;

    hs_ranks_receive(x->partition->ranks, from, &length, sizeof length);
    if (length == BROKEN)
        b->is_broken = true;
    for (uint64_t at = 0; length != BROKEN && at < length; at += x->room) {
        size_t n = length - at < x->room ? (size_t)(length - at) : x->room;

        hs_ranks_receive(x->partition->ranks, from, x->block, n);
        hs_blob_put(b, x->block, n);
    }
}

static void save(const hs_group_state *w, bool with_states, hs_blob *to)
{
    if (with_states)
        hs_group_state_save(w, to);
    else
        hs_group_state_save_numbers(w, to);
}

void hs_gather_states(hs_gather *x, bool with_states, hs_blob *out)
{
    int own = hs_ranks_rank(x->partition->ranks), members;

    for (int g = 0; g < x->partition->groups; g++) {
        int first = hs_partition_owner(x->partition, g, &members);
        size_t begin = out ? out->used : 0;
        uint64_t length = 0;

        if (own == 0)
            hs_blob_put(out, &length, sizeof length);
        for (int rank = first; rank < first + members; rank++)
            if (rank == 0 && own == 0) {
                save(walker_of(x, g), with_states, out);
            } else if (own == 0) {
                receive_blob(x, rank, out);
            } else if (own == rank) {
                hs_blob b = {0};

                save(walker_of(x, g), with_states, &b);
                send_blob(x, 0, &b);
                hs_blob_clear(&b);
            }
        if (own == 0 && !out->is_broken) {
            length = out->used - begin - sizeof length;
            memcpy(out->at + begin, &length, sizeof length);
        }
    }
}

hs_blob hs_gather_next(hs_blob *from)
{
    hs_blob piece = {0};
    uint64_t length;

    hs_blob_get(from, &length, sizeof length);
    if (from->is_broken || length > from->used - from->read) {
        from->is_broken = piece.is_broken = true;
        return piece;
    }
    piece.at = from->at + from->read;
    piece.used = piece.size = (size_t)length;
    from->read += (size_t)length;
    return piece;
}

bool hs_gather_deal(hs_gather *x, hs_blob *from, hs_store *const *store)
{
    int own = hs_ranks_rank(x->partition->ranks), members;
    int64_t warm = store[HS_WARM] ? store[HS_WARM]->capacity : 0;
    bool is_right = true;

    for (int g = 0; g < x->partition->groups; g++) {
        int first = hs_partition_owner(x->partition, g, &members);
        hs_blob piece = {0}, got = {0};

        if (own == 0)
            piece = hs_gather_next(from);
        for (int rank = first; rank < first + members; rank++)
            if (rank != 0 && own == 0)
                send_blob(x, rank, &piece);
            else if (rank != 0 && own == rank)
                receive_blob(x, 0, &got);
        if (hs_partition_has(x->partition, g)) {
            hs_blob *b = own == 0 ? &piece : &got;

            is_right = hs_group_state_load(walker_of(x, g), b,
                                           store[HS_KEPT]->capacity, warm) &&
                       b->read == b->used && is_right;
        }
        hs_blob_clear(&got);
    }
    return is_right && (own != 0 || from->read == from->used);
}

/* Writes one tile's number and sums. */
static void put_sums(const hs_marginals *t, int tile, hs_blob *b)
{
    hs_blob_put(b, &t->count[tile], sizeof *t->count);
    hs_blob_put(b, t->sum + (size_t)tile * (size_t)t->sums,
                (size_t)t->sums * sizeof *t->sum);
}

/* Adds those of a member, in the order of its tiles. */
static bool add_sums(const hs_marginals *t, const hs_blob *b, double *out,
                     double *count)
{
    const double *at = (const double *)b->at;
    size_t tiles = b->used / (((size_t)t->sums + 1) * sizeof(double));

    for (size_t i = 0; out && !b->is_broken && i < tiles; i++) {
        const double *one = at + i * ((size_t)t->sums + 1);

        *count += one[0];
        hs_marginals_add(t, one + 1, one[0], out);
    }
    return !b->is_broken;
}

bool hs_gather_sums(hs_gather *x, double *out, double *count)
{
    int own = hs_ranks_rank(x->partition->ranks), members;
    bool is_whole = true;

    for (int g = 0; g < x->partition->groups; g++) {
        int first = hs_partition_owner(x->partition, g, &members);

        for (int rank = first; rank < first + members; rank++) {
            hs_blob b = {0};

            if (own == rank) {
                hs_group_state *w = walker_of(x, g);

                hs_marginals_flush(&w->marginals, w->group);
                for (int i = w->group->first_tile; i < w->group->end_tile; i++)
                    put_sums(&w->marginals, i, &b);
                if (own != 0)
                    send_blob(x, 0, &b);
            } else if (own == 0) {
                receive_blob(x, rank, &b);
            }
            if (own == 0)
                is_whole = add_sums(&x->state[0].marginals, &b, out, count) &&
                           is_whole;
            hs_blob_clear(&b);
        }
    }
    return is_whole;
}
