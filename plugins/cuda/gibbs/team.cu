/* team.cu - which team, and the lists of its blocks. */
#include "cuda/gibbs/team.h"

#include <stdlib.h>
#include <string.h>

/* About, in cycles: what a warp waits for and what it issues. */
#define WAIT_STAGE 500.0
#define WAIT_DRAWS 250.0
#define WAIT_VISIT 450.0
#define OPS_DRAWS  80.0
#define OPS_VISIT  220.0
#define ISSUES     2.5 /* operations per cycle */
#define WARPS      (HS_TEAM_THREADS / HS_WARP)

static int eights_of(const hs_card_bits *b, int stage)
{
    return (b->stage[stage + 1] + 7) / 8 - b->stage[stage] / 8;
}

/* Rows of the visits of an eight that are in a stage. */
static int rows_of(const hs_card_bits *b, const hs_device_model *m, int stage,
                   int eight)
{
    int most = 0;

    for (int n = 8 * eight; n < 8 * eight + 8; n++)
        if (n >= b->stage[stage] && n < b->stage[stage + 1]) {
            int rows = (hs_card_visit_at(m, n).degree + 3) / 4;

            most = most < rows ? rows : most;
        }
    return most;
}

/* Eights are dealt out within each stage. */
static int rank_of(const hs_card_bits *b, int stage, int eight, int ranks)
{
    return (eight - b->stage[stage] / 8) % ranks;
}

static int words_of(const hs_card_team *t, const hs_card_bits *b,
                    const hs_device_model *m, int rank)
{
    int words = t->records;

    for (int k = 0; k < b->stages; k++)
        for (int e = b->stage[k] / 8; 8 * e < b->stage[k + 1]; e++)
            if (rank_of(b, k, e, t->ranks) == rank)
                words += (int)(sizeof(hs_team_record) / sizeof(uint32_t)) +
                         HS_TEAM_ROW * rows_of(b, m, k, e);
    return words;
}

/* Words of a stage that a rank has. */
static int states_of(const hs_card_team *t, const hs_card_bits *b, int stage,
                     int rank)
{
    int records = (eights_of(b, stage) - rank + t->ranks - 1) / t->ranks;
    int across = HS_WARP / (t->chains * t->row); /* records of a warp */

    return (records + across - 1) / across * (8 / t->row);
}

static void measure(hs_card_team *t, const hs_card_bits *b,
                    const hs_device_model *m)
{
    t->sites = 0;
    t->stages = b->stages;
    t->records = (3 * b->stages + 4) / 4 * 4;
    t->words = 0;
    for (int r = 0; r < t->ranks; r++) {
        int words = words_of(t, b, m, r);

        t->words = words > t->words ? words : t->words;
        for (int k = 0; k < b->stages; k++)
            t->sites += states_of(t, b, k, r);
    }
    t->sites = (t->sites + 3) / 4 * 4;
    t->words = (t->words + 3) / 4 * 4;
}

static int units_of(const hs_card_team *t, int records)
{
    int across = 1 << hs_team_record_shift(t);

    return (records + across - 1) / across * (8 / (t->row * t->turns));
}

/* Units of a stage that a rank has, at most and at least. */
static int most_units(const hs_card_team *t, const hs_card_bits *b, int stage)
{
    return units_of(t, (eights_of(b, stage) + t->ranks - 1) / t->ranks);
}

static int least_units(const hs_card_team *t, const hs_card_bits *b, int stage)
{
    return units_of(t, eights_of(b, stage) / t->ranks);
}

/* Warps, what they have in a sweep, and memory; a warp may draw for `row`
 * units more than there are. */
static void finish(hs_card_team *t, const hs_card_bits *b)
{
    int most = 1, words = HS_WARP + 4;

    for (int k = 0; k < b->stages; k++)
        most = most_units(t, b, k) > most ? most_units(t, b, k) : most;
    t->warps = most < WARPS ? most : WARPS;
    t->threads = HS_WARP * t->warps;
    t->units = 0;
    t->is_full = 1;
    for (int k = 0; k < b->stages; k++) {
        t->units += (most_units(t, b, k) + t->warps - 1) / t->warps;
        t->is_full &= least_units(t, b, k) >= t->warps;
    }
    words += t->warps * HS_TEAM_DRAWS;
    words += (t->warps * t->units + t->row) << hs_team_record_shift(t);
    t->bytes = 4 * (t->sites + t->words + words);
}

/* Cycles of a sweep. */
static double cycles(const hs_card_team *t, const hs_card_bits *b)
{
    double sum = 0.0;

    for (int k = 0; k < b->stages; k++) {
        int units = most_units(t, b, k);
        int rounds = (units + WARPS - 1) / WARPS;
        double waits = rounds * (WAIT_DRAWS + t->turns * WAIT_VISIT);
        double issues = units * (OPS_DRAWS + t->turns * OPS_VISIT) / ISSUES;

        sum += WAIT_STAGE + (waits > issues ? waits : issues);
    }
    return sum;
}

/* The best of so many chains by so many ranks, or none. */
static double try_team(hs_card_team *t, const hs_card_bits *b,
                       const hs_device_model *m, size_t shared)
{
    hs_card_team best;
    double least = 0.0;

    t->row_shift = t->chain_shift > 2 ? 5 - t->chain_shift : 3;
    t->row = 1 << t->row_shift;
    measure(t, b, m);
    best = *t;
    if (t->words > 1 << 24)
        return 0.0;
    for (t->turn_shift = 0; t->turn_shift + t->row_shift <= 3;
         t->turn_shift++) {
        double now;

        t->turns = 1 << t->turn_shift;
        finish(t, b);
        now = cycles(t, b);
        if ((size_t)t->bytes <= shared && (least == 0.0 || now <= least)) {
            least = now;
            best = *t;
        }
    }
    *t = best;
    return least;
}

int hs_card_team_plan(hs_card_team *t, const hs_card_bits *b,
                      const hs_device_model *m, int64_t lanes, int processors,
                      size_t shared, int chains, int ranks)
{
    hs_card_team now;
    double least = 0.0;

    memset(&now, 0, sizeof now);
    if (m->dim > 1 << 16)
        return 0;
    for (now.chain_shift = 0; now.chain_shift <= 5; now.chain_shift++) {
        int64_t teams = ((lanes - 1) >> now.chain_shift) + 1;
        int64_t most = processors / teams;

        now.chains = 1 << now.chain_shift;
        if (chains ? chains != now.chains : most < 1)
            continue;
        now.teams = (int)teams;
        now.ranks = ranks ? ranks : (int)most;
        if (now.ranks > HS_TEAM_RANKS)
            now.ranks = HS_TEAM_RANKS;
        for (; now.ranks >= 1; now.ranks = ranks ? 0 : now.ranks - 1) {
            double cost = try_team(&now, b, m, shared);

            if (cost > 0.0 && (least == 0.0 || cost < least) &&
                hs_card_team_at_once(&now, m) >= now.teams) {
                least = cost;
                *t = now;
            }
        }
    }
    return least > 0.0;
}

/* What lists are made of, and where visits are. */
typedef struct layout {
    const hs_card_team *t;
    const hs_card_bits *b;
    const hs_device_model *m;
    int *first; /* [stages][ranks], and one: words of a stage are together */
    int *place; /* [dim], by site */
} layout;

static int first_state(const layout *a, int stage, int rank)
{
    return a->first[stage * a->t->ranks + rank];
}

static void fill_row(uint32_t *row, const layout *a, int n, int quad)
{
    const hs_device_model *m = a->m;
    hs_card_visit visit = hs_card_visit_at(m, n);

    for (int k = 0; k < 4 && 4 * quad + k < visit.degree; k++) {
        int64_t e = m->j.start[visit.site] + 4 * quad + k;
        float value = hs_card_bit_value(m, e);

        memcpy(&row[4 * (n % 8) + k], &value, sizeof value);
        row[HS_TEAM_PLACES + 4 * (n % 8) + k] =
            (uint32_t)a->place[m->j.column[e]];
    }
}

static int fill_record(uint32_t *list, hs_team_record *r, int at,
                       const layout *a, int stage, int eight)
{
    const int *bound = a->b->stage + stage;

    r->eight = eight;
    r->at = at;
    r->length = rows_of(a->b, a->m, stage, eight);
    for (int k = 0; k < 8; k++) {
        int n = 8 * eight + k;

        if (n < bound[0] || n >= bound[1])
            continue;
        r->valid |= 1 << k;
        r->base[k] = a->m->low * (float)hs_card_visit_at(a->m, n).degree;
        r->field[k] = hs_card_visit_at(a->m, n).field;
        for (int q = 0; q < r->length; q++)
            fill_row(list + at + HS_TEAM_ROW * q, a, n, q);
    }
    return at + HS_TEAM_ROW * r->length;
}

static void fill_list(uint32_t *list, const layout *a, int rank)
{
    const hs_card_team *t = a->t;
    const hs_card_bits *b = a->b;
    hs_team_record *r = (hs_team_record *)(list + t->records);
    int *words = (int *)list, *start = words + b->stages, count = 0, at;

    for (int k = 0; k < b->stages; k++) {
        words[k] = first_state(a, k + 1, 0) - first_state(a, k, 0);
        start[k] = count;
        start[b->stages + 1 + k] = first_state(a, k, rank);
        for (int e = b->stage[k] / 8; 8 * e < b->stage[k + 1]; e++)
            count += rank_of(b, k, e, t->ranks) == rank;
    }
    start[b->stages] = count;
    at = t->records + count * (int)(sizeof(hs_team_record) / sizeof(uint32_t));
    for (int k = 0; k < b->stages; k++)
        for (int e = b->stage[k] / 8; 8 * e < b->stage[k + 1]; e++)
            if (rank_of(b, k, e, t->ranks) == rank)
                at = fill_record(list, r++, at, a, k, e);
}

/* Where visit n of a stage is: its record is the number q of its rank. */
static int place_at(const layout *a, int stage, int n)
{
    const hs_card_team *t = a->t;
    int rank = rank_of(a->b, stage, n / 8, t->ranks);
    int q = (n / 8 - a->b->stage[stage] / 8) / t->ranks;
    int record_shift = 5 - t->chain_shift - t->row_shift;
    int word = first_state(a, stage, rank) +
               (q >> record_shift) * (8 / t->row) + (n % 8 >> t->row_shift);
    int slot = ((q & ((1 << record_shift) - 1)) << t->row_shift) +
               (n % 8 & (t->row - 1));

    return 32 * 4 * word + (slot << t->chain_shift);
}

static void lay_out(const layout *a)
{
    int ranks = a->t->ranks;

    for (int k = 0; k < a->b->stages; k++) {
        int *first = a->first + k * ranks;

        for (int r = 0; r < ranks; r++)
            first[r + 1] = first[r] + states_of(a->t, a->b, k, r);
        for (int n = a->b->stage[k]; n < a->b->stage[k + 1]; n++)
            a->place[hs_card_visit_at(a->m, n).site] = place_at(a, k, n);
    }
}

uint32_t *hs_card_team_lists(const hs_card_team *t, const hs_card_bits *b,
                             const hs_device_model *m)
{
    size_t words = (size_t)t->ranks * (size_t)t->words;
    size_t firsts = (size_t)b->stages * (size_t)t->ranks + 1;
    uint32_t *list = (uint32_t *)calloc(words, sizeof *list);
    int *all = (int *)calloc(firsts + (size_t)m->dim, sizeof *all);
    layout a = {t, b, m, all, all ? all + firsts : NULL};

    if (all)
        lay_out(&a);
    for (int r = 0; all && list && r < t->ranks; r++)
        fill_list(list + (size_t)r * (size_t)t->words, &a, r);
    if (!all) {
        free(list);
        list = NULL;
    }
    free(all);
    return list;
}
