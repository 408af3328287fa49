/* walk.c - independent draws from the counted tree.
 *
 * From the root down it draws a branch in proportion to its total, then handles
 * every child, which are independent.  A choice uses 52 random bits. */
#include "base/alloc.h"
#include "base/error.h"
#include "exact/count/counted.h"

/* Random words, in order of their use. */
struct words {
    const hs_rng *rng;
    int lane;
    uint32_t used, word[4];
    uint32_t bits; /* unused bits of a word */
    int left;
};

static uint32_t next_word(struct words *w)
{
    if (w->used % 4 == 0)
        hs_rng_block(w->rng->seed, w->rng->chain[w->lane],
                     w->rng->replica[w->lane], w->rng->clock, HS_DRAW_PROPOSE,
                     w->used / 4, w->word);
    return w->word[w->used++ % 4];
}

static double next_uniform(struct words *w)
{
    uint32_t high = next_word(w);

    return hs_uniform_long(high, next_word(w));
}

static bool next_bit(struct words *w)
{
    bool bit;

    if (w->left == 0) {
        w->bits = next_word(w);
        w->left = 32;
    }
    bit = w->bits & 1;
    w->bits >>= 1;
    w->left--;
    return bit;
}

hiss_status hs_count_walk_init(hs_count_walk *w, const hs_count *c,
                               hiss_error *err)
{
    /* waiting parts share no variable */
    w->stack = hs_alloc_array((size_t)c->code.variables + 1, sizeof *w->stack);
    return w->stack ? HISS_OK : hs_fail_memory(err);
}

void hs_count_walk_clear(hs_count_walk *w)
{
    hs_free(w->stack);
    *w = (hs_count_walk){0};
}

static void set_literals(const hs_count *c, const hs_branch *b, int lane,
                         int16_t (*x)[HS_LANES])
{
    for (int n = 0; n < b->literals; n++) {
        int v = b->literal[n] / 2, i = c->code.coordinate[v];
        bool is_up = !(b->literal[n] & 1);

        if (c->states[i] == 2)
            x[i][lane] = is_up;
        else if (is_up)
            x[i][lane] = (int16_t)(v - c->code.first[i]);
    }
}

static void draw_frees(const hs_count *c, const hs_branch *b, struct words *w,
                       int16_t (*x)[HS_LANES])
{
    for (int n = 0; n < b->frees; n++) {
        int v = b->free[n];
        double up = c->up[v];

        x[c->code.coordinate[v]][w->lane] =
            up == 0.5 ? next_bit(w) : up > 0.0 && next_uniform(w) < up;
    }
}

void hs_count_draw(const hs_count *c, hs_count_walk *walk, const hs_rng *rng,
                   int lane, int16_t (*x)[HS_LANES])
{
    struct words w = {.rng = rng, .lane = lane};
    int waiting = 1;

    for (int i = 0; i < c->code.dim; i++)
        if (c->states[i] == 1)
            x[i][lane] = 0;
    walk->stack[0] = c->nodes.count - 1;
    while (waiting > 0) {
        const hs_node *node = &c->nodes.node[walk->stack[--waiting]];
        hs_branch b;
        int64_t next = hs_nodes_read(&c->nodes, node->at, &b);

        if (node->branches == 2 && next_uniform(&w) >= node->first)
            hs_nodes_read(&c->nodes, next, &b);
        set_literals(c, &b, lane, x);
        draw_frees(c, &b, &w, x);
        for (int n = 0; n < b.children; n++)
            walk->stack[waiting++] = b.child[n];
    }
}
