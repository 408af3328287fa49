/* integer.c - the number of solutions as an exact integer.
 *
 * It repeats the sums and products of the counted tree in whole numbers of
 * 64-bit words, each as long as necessary. */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "exact/count/counted.h"

#define BILLION 1000000000u /* prints nine digits at a time */

/* Least significant word first; words from `size` on are 0. */
struct whole {
    uint32_t *word; /* borrowed, [most] */
    int size;
};

struct digits {
    int64_t *at;    /* owned, [nodes + 1]: start of a node's words */
    uint32_t *word; /* owned */
    int64_t room;
    int most;                           /* words of the largest number */
    struct whole sum, product, scratch; /* owned */
};

static void set(struct whole *w, uint32_t value)
{
    w->size = value > 0;
    w->word[0] = value;
}

static void add(struct whole *to, const struct whole *from)
{
    uint64_t carry = 0;
    int size = to->size > from->size ? to->size : from->size;

    for (int k = 0; k < size || carry; k++) {
        carry += k < to->size ? to->word[k] : 0;
        carry += k < from->size ? from->word[k] : 0;
        to->word[k] = (uint32_t)carry;
        carry >>= 32;
        to->size = k + 1 > to->size ? k + 1 : to->size;
    }
}

/* to = a * b */
static void multiply(struct whole *to, const struct whole *a, const uint32_t *b,
                     int size)
{
    memset(to->word, 0, (size_t)(a->size + size) * sizeof *to->word);
    for (int i = 0; i < a->size; i++) {
        uint64_t carry = 0;

        for (int k = 0; k < size; k++) {
            carry += to->word[i + k] + (uint64_t)a->word[i] * b[k];
            to->word[i + k] = (uint32_t)carry;
            carry >>= 32;
        }
        to->word[i + size] = (uint32_t)carry;
    }
    to->size = a->size + size;
    while (to->size > 0 && to->word[to->size - 1] == 0)
        to->size--;
}

static void swap(struct whole *a, struct whole *b)
{
    struct whole c = *a;

    *a = *b;
    *b = c;
}

/* Adds one branch to d->sum. */
static void add_branch(struct digits *d, const hs_count *c, const hs_branch *b)
{
    int frees = 0;

    for (int n = 0; n < b->frees; n++)
        frees += hs_count_shows(c, b->free[n]);
    memset(d->product.word, 0,
           (size_t)(frees / 32 + 1) * sizeof *d->product.word);
    d->product.word[frees / 32] = UINT32_C(1) << frees % 32;
    d->product.size = frees / 32 + 1;
    for (int n = 0; n < b->children; n++) {
        const int64_t *at = d->at + b->child[n];

        multiply(&d->scratch, &d->product, d->word + at[0],
                 (int)(at[1] - at[0]));
        swap(&d->scratch, &d->product);
    }
    add(&d->sum, &d->product);
}

static hiss_status store(struct digits *d, int32_t node, hiss_error *err)
{
    int64_t at = d->at[node], end = at + d->sum.size;

    if (end > d->room) {
        int64_t room = 2 * d->room + end + 1024;
        uint32_t *word =
            hs_realloc_array(d->word, (size_t)at, (size_t)room, sizeof *word);

        if (!word)
            return hs_fail_memory(err);
        d->word = word;
        d->room = room;
    }
    memcpy(d->word + at, d->sum.word, (size_t)d->sum.size * sizeof *d->word);
    d->at[node + 1] = end;
    return HISS_OK;
}

static hiss_status add_up(struct digits *d, const hs_count *c, hiss_error *err)
{
    for (int32_t at = 0; at < c->nodes.count; at++) {
        const hs_node *node = &c->nodes.node[at];
        int64_t word = node->at;

        set(&d->sum, 0);
        for (int n = 0; n < node->branches; n++) {
            hs_branch b;

            word = hs_nodes_read(&c->nodes, word, &b);
            add_branch(d, c, &b);
        }
        HS_TRY(store(d, at, err));
    }
    return HISS_OK;
}

/* Writes the sum in decimal digits and destroys it. */
static hiss_status write(char **out, struct whole *w, hiss_error *err)
{
    size_t room = 10 * (size_t)w->size + 12, at = room;
    char *text = hs_alloc_array(room + 1, 1);

    if (!text)
        return hs_fail_memory(err);
    do {
        uint64_t rest = 0;

        for (int k = w->size - 1; k >= 0; k--) {
            rest = rest << 32 | w->word[k];
            w->word[k] = (uint32_t)(rest / BILLION);
            rest %= BILLION;
        }
        while (w->size > 0 && w->word[w->size - 1] == 0)
            w->size--;
        for (int k = 0; k < 9; k++, rest /= 10)
            text[--at] = (char)('0' + rest % 10);
    } while (w->size > 0);
    while (at + 1 < room && text[at] == '0')
        at++;
    memmove(text, text + at, room - at + 1);
    *out = text;
    return HISS_OK;
}

hiss_status hs_count_digits(char **out, const hs_count *c, hiss_error *err)
{
    struct digits d = {.most = c->code.variables / 32 + 8};
    size_t room = 2 * (size_t)d.most;
    hiss_status rc = HISS_OK;

    *out = NULL;
    d.at = hs_alloc_array((size_t)c->nodes.count + 1, sizeof *d.at);
    d.sum.word = hs_alloc_array(room, sizeof *d.sum.word);
    d.product.word = hs_alloc_array(room, sizeof *d.product.word);
    d.scratch.word = hs_alloc_array(room, sizeof *d.scratch.word);
    if (!d.at || !d.sum.word || !d.product.word || !d.scratch.word)
        rc = hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = add_up(&d, c, err);
    if (rc == HISS_OK)
        rc = write(out, &d.sum, err);
    hs_free(d.at);
    hs_free(d.word);
    hs_free(d.sum.word);
    hs_free(d.product.word);
    hs_free(d.scratch.word);
    return rc;
}
