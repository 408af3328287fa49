/* piece_finder.c - finds distinct pieces of differences of modes. */
#include "kernel/piece_finder.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/sets.h"
#include "kernel/parts.h"

#define WORK    (INT64_C(1) << 25) /* most sites and scopes visited */
#define ENTRIES (INT64_C(1) << 22) /* most sites in all pieces */
#define FOUND   (1 << 15)          /* most distinct pieces before the choice */
#define CHANCE  8.0                /* chi-square that chance seldom reaches */
#define CLASSES 64                 /* most values of a choice */
#define SLOTS   (2 * FOUND)        /* size of the hash table, a power of two */

void hs_piece_finder_clear(hs_piece_finder *f)
{
    hs_free(f->at);
    hs_free(f->often);
    hs_free(f->slot);
    hs_free(f->key);
    hs_free(f->site);
    hs_free(f->value);
    hs_free(f->parent);
    hs_free(f->size);
    hs_free(f->member);
}

bool hs_piece_finder_init(hs_piece_finder *f)
{
    size_t dim = (size_t)f->dim;

    f->at = hs_alloc_array(FOUND + 1, sizeof *f->at);
    f->often = hs_alloc_array(FOUND, sizeof *f->often);
    f->slot = hs_alloc_array(SLOTS, sizeof *f->slot);
    f->key = hs_alloc_array(FOUND, sizeof *f->key);
    f->parent = hs_alloc_array(dim, sizeof *f->parent);
    f->size = hs_alloc_array(dim, sizeof *f->size);
    f->member = hs_alloc_array(dim, sizeof *f->member);
    return f->at && f->often && f->slot && f->key && f->parent && f->size &&
           f->member;
}

static uint64_t mixed(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static int16_t top_of(const hs_piece_finder *f, int mode, int i)
{
    return f->top[(size_t)mode * (size_t)f->dim + (size_t)i];
}

/* --- the list ------------------------------------------------------------ */

static bool grow(hs_piece_finder *f, int64_t need)
{
    int64_t room = f->room ? 2 * f->room : 1024;
    int32_t *site;
    int16_t *value;

    if (need <= f->room)
        return true;
    room = room < need ? need : room;
    site =
        hs_realloc_array(f->site, (size_t)f->room, (size_t)room, sizeof *site);
    if (!site)
        return false;
    f->site = site;
    value = hs_realloc_array(f->value, 2 * (size_t)f->room, 2 * (size_t)room,
                             sizeof *value);
    if (!value)
        return false;
    f->value = value;
    f->room = room;
    return true;
}

/* Writes the values of a piece behind the list; returns its hash. */
static uint64_t write_piece(hs_piece_finder *f, int a, int b,
                            const int32_t *site, int sites)
{
    uint64_t key = 0;

    for (int n = 0; n < sites; n++) {
        int64_t to = f->at[f->count] + n;
        int16_t x = top_of(f, a, site[n]), y = top_of(f, b, site[n]);

        f->site[to] = site[n];
        f->value[2 * to] = x < y ? x : y;
        f->value[2 * to + 1] = x < y ? y : x;
        key = mixed(key, (uint64_t)site[n] << 32 |
                             (uint64_t)(uint16_t)f->value[2 * to] << 16 |
                             (uint16_t)f->value[2 * to + 1]);
    }
    return mixed(key, (uint64_t)sites);
}

/* Adds the piece of these sites (ascending) between modes a and b, seen `often`
 * more times; a collision of hashes loses one.  False if memory is short. */
static bool add(hs_piece_finder *f, int a, int b, const int32_t *site,
                int sites, double often)
{
    uint64_t key;
    size_t at;

    if (sites < 2 || f->count == FOUND || f->at[f->count] + sites > ENTRIES)
        return true;
    if (!grow(f, f->at[f->count] + sites))
        return false;
    key = write_piece(f, a, b, site, sites);
    for (at = key % SLOTS; f->slot[at]; at = (at + 1) % SLOTS)
        if (f->key[f->slot[at] - 1] == key) {
            f->often[f->slot[at] - 1] += often;
            return true;
        }
    f->key[f->count] = key;
    f->often[f->count] = often;
    f->at[f->count + 1] = f->at[f->count] + sites;
    f->slot[at] = ++f->count;
    return true;
}

/* --- by tables ----------------------------------------------------------- */

/* Lists the sites of each component of the difference of a and b, one after
 * another. */
static bool add_parts(hs_piece_finder *f, const hs_factors *tables, int a,
                      int b)
{
    int32_t next = 0;

    for (int i = 0; i < f->dim; i++) {
        f->parent[i] = top_of(f, a, i) == top_of(f, b, i) ? -1 : i;
        f->size[i] = 0;
    }
    hs_parts_join(tables, f->parent);
    for (int i = 0; i < f->dim; i++)
        if (f->parent[i] >= 0)
            f->size[hs_sets_find(f->parent, i)]++;
    for (int i = 0; i < f->dim; i++)
        if (f->parent[i] == i) { /* the first site: start of its component */
            int32_t sites = f->size[i];

            f->size[i] = next;
            next += sites;
        }
    for (int i = 0; i < f->dim; i++)
        if (f->parent[i] >= 0)
            f->member[f->size[hs_sets_find(f->parent, i)]++] = i;
    for (int32_t first = 0; first < next;) { /* size is now its end */
        int32_t end = f->size[hs_sets_find(f->parent, f->member[first])];

        if (!add(f, a, b, f->member + first, end - first, 1.0))
            return false;
        first = end;
    }
    return true;
}

/* Goes through pairs of modes, neighbors in the list first, while the work
 * limit lasts. */
bool hs_piece_finder_tables(hs_piece_finder *f, const hs_factors *tables)
{
    int64_t work = 0, cost = f->dim + tables->scope_at[tables->count];

    for (int gap = 1; gap < f->modes; gap++)
        for (int a = 0; a + gap < f->modes; a++) {
            work += cost;
            if (work > WORK)
                return true;
            if (!add_parts(f, tables, a, a + gap))
                return false;
        }
    return true;
}

/* --- by columns ----------------------------------------------------------- */

/* Divides the modes by column i: classes are numbered as they appear, first[c]
 * is a mode of class c and size[c] their number.  Returns the number of
 * classes, or 0 if there are too many. */
static int divide(const hs_piece_finder *f, int i, int *first, double *size,
                  uint64_t *key)
{
    int classes = 0;

    *key = 0;
    for (int k = 0; k < f->modes; k++) {
        int c = 0;

        while (c < classes && top_of(f, first[c], i) != top_of(f, k, i))
            c++;
        if (c == CLASSES)
            return 0;
        if (c == classes) {
            first[classes] = k;
            size[classes++] = 0.0;
        }
        size[c] += 1.0;
        *key = mixed(*key, (uint64_t)c + 1);
    }
    return classes;
}

struct tagged {
    uint64_t key;
    int32_t site;
};

static int by_key(const void *a, const void *b)
{
    const struct tagged *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->site < y->site ? -1 : x->site > y->site;
}

/* Adds the pieces of sites that divide the modes in the same way: one for each
 * two classes of modes. */
static bool add_choice(hs_piece_finder *f, const int32_t *site, int sites)
{
    int first[CLASSES];
    double size[CLASSES];
    uint64_t key;
    int classes = divide(f, site[0], first, size, &key);

    for (int a = 0; a < classes; a++)
        for (int b = a + 1; b < classes; b++)
            if (!add(f, first[a], first[b], site, sites, size[a] * size[b]))
                return false;
    return true;
}

static bool find_by_columns(hs_piece_finder *f)
{
    struct tagged *tag = hs_alloc_array((size_t)f->dim, sizeof *tag);
    int count = 0;
    bool is_done = tag != NULL;

    for (int i = 0; is_done && i < f->dim; i++) {
        int first[CLASSES];
        double size[CLASSES];
        uint64_t key;

        if (divide(f, i, first, size, &key) > 1)
            tag[count++] = (struct tagged){key, i};
    }
    if (count > 0)
        qsort(tag, (size_t)count, sizeof *tag, by_key);
    for (int from = 0, to; is_done && from < count; from = to) {
        for (to = from; to < count && tag[to].key == tag[from].key; to++)
            f->member[to - from] = tag[to].site;
        is_done = add_choice(f, f->member, to - from);
    }
    hs_free(tag);
    return is_done;
}

/* --- by columns that are nearly alike ------------------------------------- */

/* Columns with two values: bit k of a column says whether mode k differs from
 * mode 0.  It has the first of the columns with the same bits. */
struct bits {
    int count, words;
    int32_t *site;  /* owned, [dim] */
    int32_t *twin;  /* owned, [dim]: the second site with these bits, or -1 */
    int32_t *high;  /* owned, [dim]: number of modes that differ from mode 0 */
    int32_t *best;  /* owned, [dim]: the most similar column */
    uint64_t *word; /* owned, [count][words] */
};

static int ones(uint64_t word)
{
    int count = 0;

    for (; word; word &= word - 1)
        count++;
    return count;
}

static void write_column(const hs_piece_finder *f, struct bits *b, int i)
{
    uint64_t *to = b->word + (size_t)b->count * (size_t)b->words;

    for (int k = 0; k < f->modes; k++)
        if (top_of(f, k, i) != top_of(f, 0, i)) {
            to[k / 64] |= UINT64_C(1) << k % 64;
            b->high[b->count]++;
        }
    b->site[b->count++] = i;
}

/* Chi-square of independence of two columns, divided by the number of modes:
 * their squared correlation. */
static double likeness(const struct bits *b, int modes, int i, int j)
{
    const uint64_t *x = b->word + (size_t)i * (size_t)b->words;
    const uint64_t *y = b->word + (size_t)j * (size_t)b->words;
    double n = modes, p = b->high[i], q = b->high[j], both = 0.0, off;

    for (int w = 0; w < b->words; w++)
        both += ones(x[w] & y[w]);
    off = both * n - p * q;
    return off * off / (p * (n - p) * q * (n - q));
}

/* Finds two modes that differ in all of these sites; *b < 0 if there are
 * none. */
static void find_modes(const hs_piece_finder *f, const int32_t *site, int sites,
                       int *a, int *b)
{
    for (*a = 0; *a < f->modes; ++*a)
        for (*b = *a + 1; *b < f->modes; ++*b) {
            int n = 0;

            while (n < sites &&
                   top_of(f, *a, site[n]) != top_of(f, *b, site[n]))
                n++;
            if (n == sites)
                return;
        }
    *b = -1;
}

/* The column most similar to column i, by far more than chance. */
static int most_like(const struct bits *b, int modes, int i)
{
    double most = CHANCE / modes;
    int best = -1;

    for (int j = 0; j < b->count; j++) {
        double like = j == i ? 0.0 : likeness(b, modes, i, j);

        if (like > most) {
            most = like;
            best = j;
        }
    }
    return best;
}

/* Modes are not classified perfectly.  Two columns are one choice if each is
 * most similar to the other: twins, and columns without one. */
static bool add_alike(hs_piece_finder *f, const struct bits *bits)
{
    bool is_paid = (int64_t)bits->count * bits->count * bits->words <= WORK;

    for (int i = 0; i < bits->count; i++)
        bits->best[i] =
            bits->twin[i] < 0 && is_paid ? most_like(bits, f->modes, i) : -1;
    for (int i = 0; i < bits->count; i++) {
        int j = bits->best[i], a, b;
        int32_t site[2] = {bits->site[i],
                           j < 0 ? bits->twin[i] : bits->site[j]};

        if (j < 0 ? site[1] < 0 || f->modes <= CHANCE
                  : j < i || bits->best[j] != i)
            continue;
        find_modes(f, site, 2, &a, &b);
        if (b >= 0 && !add(f, a, b, site, 2, bits->high[i]))
            return false;
    }
    return true;
}

#define REPEATED (-2) /* a column that is neither the first nor the second */

/* Columns that divide the modes in two.  Sorting by key puts equal ones next to
 * each other, so the d columns need no pairwise comparison. */
static bool write_columns(hs_piece_finder *f, struct bits *b)
{
    struct tagged *tag = hs_alloc_array((size_t)f->dim, sizeof *tag);
    int first[CLASSES], count = 0;
    double size[CLASSES];
    uint64_t key;

    if (!tag)
        return false;
    for (int i = 0; i < f->dim; i++) {
        f->parent[i] = REPEATED;
        if (divide(f, i, first, size, &key) == 2)
            tag[count++] = (struct tagged){key, i};
    }
    if (count > 0)
        qsort(tag, (size_t)count, sizeof *tag, by_key);
    for (int n = 0; n < count; n++)
        if (n == 0 || tag[n].key != tag[n - 1].key) {
            bool has_twin = n + 1 < count && tag[n + 1].key == tag[n].key;

            f->parent[tag[n].site] = has_twin ? tag[n + 1].site : -1;
        }
    hs_free(tag);
    for (int i = 0; i < f->dim; i++)
        if (f->parent[i] != REPEATED) {
            b->twin[b->count] = f->parent[i];
            write_column(f, b, i);
        }
    return true;
}

static bool find_by_likeness(hs_piece_finder *f)
{
    size_t dim = (size_t)f->dim;
    struct bits b = {.words = (f->modes + 63) / 64};
    bool is_done;

    if ((int64_t)f->dim * f->modes > WORK)
        return true;
    b.site = hs_alloc_array(dim, sizeof *b.site);
    b.twin = hs_alloc_array(dim, sizeof *b.twin);
    b.high = hs_alloc_array(dim, sizeof *b.high);
    b.word = hs_alloc_array(dim * (size_t)b.words, sizeof *b.word);
    b.best = hs_alloc_array(dim, sizeof *b.best);
    is_done = b.site && b.twin && b.high && b.best && b.word &&
              write_columns(f, &b) && add_alike(f, &b);
    hs_free(b.site);
    hs_free(b.twin);
    hs_free(b.high);
    hs_free(b.best);
    hs_free(b.word);
    return is_done;
}

/* --- whole differences ---------------------------------------------------- */

static int distance(const hs_piece_finder *f, int a, int b)
{
    int differ = 0;

    for (int i = 0; i < f->dim; i++)
        differ += top_of(f, a, i) != top_of(f, b, i);
    return differ;
}

/* Uses whole differences to the nearest mode if nothing else was found. */
bool hs_piece_finder_nearest(hs_piece_finder *f)
{
    int64_t work = 0;
    bool is_empty = f->count == 0;

    for (int a = 0; is_empty && a < f->modes; a++) {
        int nearest = -1, least = 0, sites = 0;

        work += (int64_t)f->modes * f->dim;
        if (work > WORK)
            return true;
        for (int b = 0; b < f->modes; b++) {
            int differ = b == a ? 0 : distance(f, a, b);

            if (differ > 1 && (nearest < 0 || differ < least)) {
                nearest = b;
                least = differ;
            }
        }
        for (int i = 0; nearest >= 0 && i < f->dim; i++)
            if (top_of(f, a, i) != top_of(f, nearest, i))
                f->member[sites++] = i;
        if (nearest >= 0 && !add(f, a, nearest, f->member, sites, 1.0))
            return false;
    }
    return true;
}

bool hs_piece_finder_columns(hs_piece_finder *f)
{
    return find_by_columns(f) && find_by_likeness(f);
}
