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
static int rows_of(const hs_card_bits *b, int stage, int eight)
{
    int most = 0;

    for (int n = 8 * eight; n < 8 * eight + 8; n++)
        if (n >= b->stage[stage] && n < b->stage[stage + 1]) {
            int rows = (b->visit[n].degree + 3) / 4;

            most = most < rows ? rows : most;
        }
    return most;
}

/* Eights are dealt out within each stage. */
static int rank_of(const hs_card_bits *b, int stage, int eight, int ranks)
{
    return (eight - b->stage[stage] / 8) % ranks;
}

static int words_of(const hs_card_team *t, const hs_card_bits *b, int rank)
{
    int words = t->records;

    for (int k = 0; k < b->stages; k++)
        for (int e = b->stage[k] / 8; 8 * e < b->stage[k + 1]; e++)
            if (rank_of(b, k, e, t->ranks) == rank)
                words += (int)(sizeof(hs_team_record) / sizeof(uint32_t)) +
                         HS_TEAM_ROW * rows_of(b, k, e);
    return words;
}

static void measure(hs_card_team *t, const hs_card_bits *b, int dim)
{
    t->sites = (dim + 3) / 4 * 4;
    t->stages = b->stages;
    t->records = (2 * b->stages + 4) / 4 * 4;
    t->words = 0;
    for (int r = 0; r < t->ranks; r++) {
        int words = words_of(t, b, r);

        t->words = words > t->words ? words : t->words;
    }
    t->bytes = 4 * (t->sites + t->words + HS_WARP + 4);
}

/* Cycles of a sweep with so many turns of a warp; threads are set. */
static double cycles(hs_card_team *t, const hs_card_bits *b)
{
    int across = HS_WARP / (t->chains * t->row); /* records of a warp */
    int parts = 8 / (t->row * t->turns), most = 1;
    double sum = 0.0;

    for (int k = 0; k < b->stages; k++) {
        int records = (eights_of(b, k) + t->ranks - 1) / t->ranks;
        int units = (records + across - 1) / across * parts;
        int rounds = (units + WARPS - 1) / WARPS;
        double waits = rounds * (WAIT_DRAWS + t->turns * WAIT_VISIT);
        double issues = units * (OPS_DRAWS + t->turns * OPS_VISIT) / ISSUES;

        most = units > most ? units : most;
        sum += WAIT_STAGE + (waits > issues ? waits : issues);
    }
    t->threads = HS_WARP * (most < WARPS ? most : WARPS);
    return sum;
}

/* The best of so many chains by so many ranks, or none. */
static double try_team(hs_card_team *t, const hs_card_bits *b,
                       const hs_device_model *m, size_t shared)
{
    hs_card_team best = *t;
    double least = 0.0;

    measure(t, b, m->dim);
    if (t->words > 1 << 24 || (size_t)t->bytes > shared)
        return 0.0;
    t->row_shift = t->chain_shift > 2 ? 5 - t->chain_shift : 3;
    t->row = 1 << t->row_shift;
    for (t->turn_shift = 0; t->turn_shift + t->row_shift <= 3;
         t->turn_shift++) {
        double now;

        t->turns = 1 << t->turn_shift;
        now = cycles(t, b);
        if (least == 0.0 || now <= least) {
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

static void fill_row(uint32_t *row, const hs_card_bits *b, const int *position,
                     int n, int quad)
{
    for (int k = 0; k < 4; k++) {
        int e = 4 * quad + k;
        const hs_card_pair *p = &b->pair[(int64_t)n * b->row + e / 2];

        if (e >= b->visit[n].degree)
            break;
        memcpy(&row[4 * (n % 8) + k], &p->value[e % 2], sizeof p->value[0]);
        row[HS_TEAM_PLACES + 2 * (n % 8) + k / 2] |=
            (uint32_t)position[p->place[e % 2]] << 16 * (k % 2);
    }
}

static int fill_record(uint32_t *list, hs_team_record *r, int at,
                       const hs_card_bits *b, const hs_device_model *m,
                       const int *position, int stage, int eight)
{
    r->eight = eight;
    r->at = at;
    r->length = rows_of(b, stage, eight);
    for (int k = 0; k < 8; k++) {
        int n = 8 * eight + k;

        if (n < b->stage[stage] || n >= b->stage[stage + 1])
            continue;
        r->valid |= 1 << k;
        r->base[k] = m->low * (float)b->visit[n].degree;
        r->field[k] = b->visit[n].field;
        for (int q = 0; q < r->length; q++)
            fill_row(list + at + HS_TEAM_ROW * q, b, position, n, q);
    }
    return at + HS_TEAM_ROW * r->length;
}

static void fill_list(uint32_t *list, const hs_card_team *t,
                      const hs_card_bits *b, const hs_device_model *m,
                      const int *position, int rank)
{
    hs_team_record *r = (hs_team_record *)(list + t->records);
    int *visits = (int *)list, *start = visits + b->stages, count = 0, at;

    for (int k = 0; k < b->stages; k++) {
        visits[k] = b->stage[k + 1] - b->stage[k];
        start[k] = count;
        for (int e = b->stage[k] / 8; 8 * e < b->stage[k + 1]; e++)
            count += rank_of(b, k, e, t->ranks) == rank;
    }
    start[b->stages] = count;
    at = t->records + count * (int)(sizeof(hs_team_record) / sizeof(uint32_t));
    for (int k = 0; k < b->stages; k++)
        for (int e = b->stage[k] / 8; 8 * e < b->stage[k + 1]; e++)
            if (rank_of(b, k, e, t->ranks) == rank)
                at = fill_record(list, r++, at, b, m, position, k, e);
}

uint32_t *hs_card_team_lists(const hs_card_team *t, const hs_card_bits *b,
                             const hs_device_model *m)
{
    size_t words = (size_t)t->ranks * (size_t)t->words;
    uint32_t *list = (uint32_t *)calloc(words, sizeof *list);
    int *position = (int *)malloc((size_t)m->dim * sizeof *position);

    for (int n = 0; position && n < m->dim; n++)
        position[b->visit[n].site] = n;
    for (int r = 0; position && list && r < t->ranks; r++)
        fill_list(list + (size_t)r * (size_t)t->words, t, b, m, position, r);
    if (!position) {
        free(list);
        list = NULL;
    }
    free(position);
    return list;
}
