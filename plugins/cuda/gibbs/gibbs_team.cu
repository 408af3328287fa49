/* gibbs_team.cu - Gibbs sweeps of few chains by teams of blocks (team.h). */
#include "cuda/gibbs/bit_toss.h"
#include "cuda/gibbs/team.h"

#define ROWS 4 /* whose couplings are loaded before they can be used */

/* A block of a team. */
typedef struct member {
    const hs_card_group *g;
    const hs_card_team *t;
    uint32_t *shared; /* as the card gives it, for sending */
    uint32_t *word;   /* states, in words of some visits */
    uint32_t *list;
    int *count;      /* [32] */
    uint64_t *gate;  /* [2] */
    uint32_t *draws; /* [4 HS_WARP] of this warp */
    int *eights;     /* of its units */
    int rank, is_summed;
    uint64_t clock;
} member;

/* What a lane of a warp is. */
typedef struct place {
    int64_t lane;           /* of the group, or -1: none */
    int chain;              /* of the team */
    int record, row;        /* within a unit */
    uint32_t name, replica; /* of the chain */
    float scale, weight;
    int changed;
} place;

/* What does not depend on states: draws, and couplings of a visit. */
typedef struct prepared {
    uint32_t sixteen; /* random bits, for the coin */
    const hs_team_record *record;
    int k; /* the visit; -1: none */
    int length;
    float field;
    int word; /* where it goes */
    uint32_t value[4 * ROWS], at[4 * ROWS];
} prepared;

HS_ON_CARD int warp_of_block(void)
{
    return (int)(threadIdx.x / HS_WARP);
}

HS_ON_CARD int warps_of_block(void)
{
    return (int)(blockDim.x / HS_WARP);
}

HS_ON_CARD member member_of(const hs_card_group *g, const hs_card_team *t,
                            const hs_card_steps *s, uint32_t *shared, int rank)
{
    uint32_t *own = hs_team_own(shared, (size_t)t->bytes, rank);
    member a;

    a.g = g;
    a.t = t;
    a.shared = shared;
    a.word = own;
    a.list = own + t->sites;
    a.gate = (uint64_t *)(a.list + t->words);
    a.count = (int *)(a.gate + 2);
    a.draws = (uint32_t *)a.count + HS_WARP;
    a.eights = (int *)a.draws + t->warps * HS_TEAM_DRAWS;
    a.draws += warp_of_block() * HS_TEAM_DRAWS;
    a.eights += warp_of_block() * t->units << hs_team_record_shift(t);
    a.rank = rank;
    a.is_summed = s->is_summed;
    a.clock = 0;
    return a;
}

HS_ON_CARD place place_of(const member *a, int l)
{
    const hs_card_team *t = a->t;
    const hs_device_lanes *all = &a->g->lanes;
    int lane = hs_warp_lane(l), slot = lane >> t->chain_shift;
    int64_t number;
    place p;

    p.chain = lane & (t->chains - 1);
    p.record = slot >> t->row_shift;
    p.row = slot & (t->row - 1);
    p.changed = 0;
    p.lane = hs_team_number(t->ranks) * t->chains + p.chain;
    if (p.lane >= hs_card_lanes(a->g))
        p.lane = -1;
    number = p.lane < 0 ? 0 : p.lane;
    p.name = all->chain[0][number];
    p.replica = all->replica[0][number];
    p.scale = all->beta[0][number] * a->g->model.step;
    p.weight = all->weight[0][number];
    return p;
}

HS_ON_CARD int site_of(const member *a, int position)
{
    const int *order = a->g->model.order;

    return order ? order[position] : position;
}

HS_ON_CARD void load_list(const member *a)
{
    const uint32_t *from = a->t->list + (int64_t)a->rank * a->t->words;

    HS_EACH_LANE(l)
    {
        int n = warp_of_block() * HS_WARP + hs_warp_lane(l);

        if (n < HS_WARP)
            a->count[n] = 0;
        if (n == 0) {
            hs_gate_make(&a->gate[0]);
            hs_gate_make(&a->gate[1]);
        }
        for (; n < a->t->words; n += warps_of_block() * HS_WARP)
            a->list[n] = from[n];
    }
}

HS_ON_CARD void store_counts(const member *a, const place *all)
{
    HS_EACH_LANE(l)
    {
        if (warp_of_block() == 0 && hs_warp_lane(l) < a->t->chains &&
            all[l].lane >= 0)
            HS_ADD(&a->g->lanes.changed[0][all[l].lane],
                   (double)a->count[all[l].chain]);
    }
}

HS_ON_CARD const hs_team_record *record_at(const member *a, int n)
{
    return (const hs_team_record *)(a->list + a->t->records) + n;
}

HS_ON_CARD void load_row(const member *a, const prepared *v, int q,
                         uint32_t *value, uint32_t *at)
{
    const uint32_t *row = a->list + v->record->at + HS_TEAM_ROW * q;

    hs_load_four(row + 4 * v->k, value);
    hs_load_four(row + HS_TEAM_PLACES + 4 * v->k, at);
}

/* The units of a stage that this block has: so many records are visited by a
 * warp at once, in so many parts. */
typedef struct share {
    int first, last; /* records */
    int word;        /* the first */
    int record_shift, part_shift;
    int units;
} share;

HS_ON_CARD share share_of(const member *a, int k)
{
    const hs_card_team *t = a->t;
    const int *start = (const int *)a->list + t->stages;
    share s;

    s.first = start[k];
    s.last = start[k + 1];
    s.word = start[t->stages + 1 + k];
    s.record_shift = hs_team_record_shift(t);
    s.part_shift = 3 - t->row_shift - t->turn_shift;
    s.units = ((s.last - s.first + (1 << s.record_shift) - 1) >> s.record_shift)
              << s.part_shift;
    return s;
}

/* Which visit turn `now` of unit u is. */
HS_ON_CARD void find(const member *a, const place *p, const share *s, int u,
                     int now, prepared *v)
{
    const hs_card_team *t = a->t;
    int n = s->first + (u >> s->part_shift << s->record_shift) + p->record;
    int part = u & ((1 << s->part_shift) - 1);

    v->record = record_at(a, n < s->last ? n : s->last - 1);
    v->word = s->word + (u << t->turn_shift) + now;
    v->k = (((part << t->turn_shift) + now) << t->row_shift) + p->row;
    if (n >= s->last || !(v->record->valid >> v->k & 1))
        v->k = -1;
}

HS_ON_CARD void prepare(const member *a, const place *p, const share *s, int u,
                        int now, prepared *v)
{
    int k;

    find(a, p, s, u, now, v);
    k = v->k;
    if (k < 0)
        v->k = 0; /* what is loaded is not used */
    v->length = v->record->length;
    HS_UNROLL
    for (int q = 0; q < ROWS; q++)
        if (q < v->length)
            load_row(a, v, q, v->value + 4 * q, v->at + 4 * q);
    v->field = v->record->field[v->k];
    v->k = k;
}

/* States from and to the rows of the lanes, a block those that it visits. */
HS_ON_CARD void load_states(const member *a, const place *all)
{
    for (int k = 0; k < a->t->stages; k++) {
        share s = share_of(a, k);

        for (int u = warp_of_block(); u < s.units << a->t->turn_shift;
             u += warps_of_block()) {
            uint32_t bits = 0;
            prepared v;

            HS_EACH_LANE(l)
            {
                int x = 0;

                find(a, &all[l], &s, u >> a->t->turn_shift,
                     u & (a->t->turns - 1), &v);
                if (v.k >= 0 && all[l].lane >= 0)
                    x = hs_card_row(a->g, all[l].lane,
                                    site_of(a, 8 * v.record->eight + v.k))[0];
                HS_BALLOT(bits, l, x);
            }
            HS_EACH_LANE(l)
            {
                if (hs_warp_lane(l) < a->t->ranks)
                    hs_team_write(a->shared, (size_t)a->t->bytes,
                                  hs_warp_lane(l), v.word, bits);
            }
        }
    }
}

HS_ON_CARD void store(const member *a, const place *all)
{
    for (int k = 0; k < a->t->stages; k++) {
        share s = share_of(a, k);

        for (int u = warp_of_block(); u < s.units << a->t->turn_shift;
             u += warps_of_block())
            HS_EACH_LANE(l)
            {
                prepared v;

                find(a, &all[l], &s, u >> a->t->turn_shift,
                     u & (a->t->turns - 1), &v);
                if (v.k >= 0 && all[l].lane >= 0)
                    hs_card_row(a->g, all[l].lane,
                                site_of(a, 8 * v.record->eight + v.k))[0] =
                        (int16_t)(a->word[v.word] >> hs_warp_lane(l) & 1);
            }
    }
    HS_EACH_LANE(l)
    {
        if (all[l].changed)
            HS_ADD(&a->count[all[l].chain], all[l].changed);
    }
}

/* The eights of all units of a warp in a sweep, one unit after the other. */
HS_ON_CARD void list_eights(const member *a, const place *all)
{
    int *eight = a->eights;

    for (int k = 0; k < a->t->stages; k++) {
        share s = share_of(a, k);

        for (int u = warp_of_block(); u < s.units;
             u += warps_of_block(), eight += 1 << s.record_shift)
            HS_EACH_LANE(l)
            {
                prepared v;

                find(a, &all[l], &s, u, 0, &v);
                if (all[l].row == 0 && all[l].chain == 0)
                    eight[all[l].record] = v.record->eight;
            }
    }
}

/* Random bits of the warp's units from number `unit` of a sweep on: the lanes
 * of a record and chain would all draw the same, so each draws for another unit
 * instead.  Past the last unit nobody looks. */
HS_ON_CARD void draw(const member *a, const place *all, int unit)
{
    HS_SYNC_WARP(); /* all have read what is overwritten */
    HS_EACH_LANE(l)
    {
        const place *p = &all[l];
        philox_at at = philox_begin(a->g->seed, a->clock, p->name, p->replica,
                                    HS_DRAW_PROPOSE);
        int n = (unit + p->row) << hs_team_record_shift(a->t);
        uint32_t words[4];

        philox_four(&at, (uint32_t)a->eights[n + p->record], words);
        hs_store_four(words, a->draws + 4 * hs_warp_lane(l));
    }
    HS_SYNC_WARP();
}

/* The sixteen bits of a visit's coin, in unit number `unit`. */
HS_ON_CARD uint32_t sixteen_of(const member *a, const place *p, int unit, int k)
{
    const hs_card_team *t = a->t;
    int slot = (p->record << t->row_shift) + (unit & (t->row - 1));
    int lane = (slot << t->chain_shift) + p->chain;

    return HS_BYTES(a->draws[4 * lane + k / 2], HS_TOSS_TOP,
                    k & 1 ? HS_TOSS_ODD : HS_TOSS_EVEN);
}

/* Four neighbors: the bit of a place becomes the sign. */
HS_ON_CARD float add_row(const member *a, int kind, const uint32_t *value,
                         const uint32_t *at, int chain, float sum)
{
    HS_UNROLL
    for (int n = 0; n < 4; n++) {
        const uint32_t *word =
            (const uint32_t *)((const char *)a->word + (at[n] >> 5));
        vi high = (vi)(*word << (((uint32_t)(31 - chain) - at[n]) & 31));

        sum = sum + hs_bit_term(kind, high, vf_bits((vi)value[n]));
    }
    return sum;
}

/* sum_j J_ij s_j, in the order of heat_bath.c. */
HS_ON_CARD float pull(const member *a, const prepared *v, int chain, int kind)
{
    const hs_device_model *m = &a->g->model;
    float sum = 0.0f;

    HS_UNROLL
    for (int q = 0; q < ROWS; q++)
        if (q < v->length)
            sum = add_row(a, kind, v->value + 4 * q, v->at + 4 * q, chain, sum);
    for (int q = ROWS; q < v->length; q++) {
        uint32_t value[4], at[4];

        load_row(a, v, q, value, at);
        sum = add_row(a, kind, value, at, chain, sum);
    }
    if (kind == HS_BIT_UNIFORM)
        sum = (sum * m->gap + v->record->base[v->k]) * m->j.uniform;
    return sum;
}

HS_ON_CARD int toss(const member *a, const place *p, const prepared *v, float d)
{
    int unsure = 0, is_high = hs_toss(v->sixteen, d, &unsure);

    if (unsure)
        is_high = hs_toss_exactly(a->g->seed, a->clock, p->name, p->replica,
                                  8 * v->record->eight + v->k, v->sixteen, d);
    return is_high;
}

/* One visit of each lane. */
HS_ON_CARD void visit(const member *a, place *all, const prepared *v,
                      uint64_t *gate, int kind)
{
    const hs_card_team *t = a->t;
    uint32_t bits = 0, old = a->word[v[0].word]; /* no other warp's */

    HS_EACH_LANE(l)
    {
        const place *p = &all[l];
        int is_high = 0;

        if (v[l].k >= 0) {
            float d = p->scale * (pull(a, &v[l], p->chain, kind) + v[l].field);

            if (a->is_summed && p->lane >= 0)
                hs_card_sum_row(
                    a->g, p->lane,
                    site_of(a, 8 * v[l].record->eight + v[l].k))[0] +=
                    p->weight * hs_toss_chance(d);
            is_high = toss(a, p, &v[l], d);
        }
        HS_BALLOT(bits, l, is_high);
    }
    HS_EACH_LANE(l)
    {
        int lane = hs_warp_lane(l);

        if (v[l].k >= 0)
            all[l].changed += (int)((old ^ bits) >> lane & 1);
        if (lane < t->ranks)
            hs_team_send(a->shared, (size_t)t->bytes, lane, v[l].word, bits,
                         gate);
    }
}

/* Stage k, the number `turn` of all, in which the warp's first unit is number
 * *unit of the sweep: a block begins it when it has all words of
 * the one before, and so can send none that another still needs: that other
 * has sent all of its own.  Hence two gates are enough. */
HS_ON_CARD void stage(const member *a, place *all, int k, int64_t turn,
                      int *unit, int kind)
{
    share s = share_of(a, k);
    uint64_t *gate = &a->gate[turn % 2];
    prepared v[HS_WARP_PART];
    int has_waited = 0;

    for (int u = warp_of_block(); u < s.units || !has_waited;
         u += warps_of_block()) {
        if (u < s.units && (*unit & (a->t->row - 1)) == 0)
            draw(a, all, *unit);
        if (u < s.units)
            HS_EACH_LANE(l)
            {
                prepare(a, &all[l], &s, u, 0, &v[l]);
                v[l].sixteen = sixteen_of(a, &all[l], *unit, v[l].k);
            }
        if (!has_waited) {
            if (turn > 0)
                hs_gate_wait(&a->gate[(turn - 1) % 2],
                             (int)((turn - 1) / 2 % 2));
            if (!a->t->is_full)
                HS_SYNC(); /* no warp is so late that it misses a gate's turn */
            if (threadIdx.x == 0)
                hs_gate_expect(gate, (int)((const int *)a->list)[k] * 4);
            has_waited = 1;
        }
        for (int now = 0; u < s.units && now < a->t->turns; now++) {
            if (now > 0)
                HS_EACH_LANE(l)
                {
                    prepare(a, &all[l], &s, u, now, &v[l]);
                    v[l].sixteen = sixteen_of(a, &all[l], *unit, v[l].k);
                }
            visit(a, all, v, gate, kind);
        }
        *unit += u < s.units;
    }
}

HS_ON_CARD void sweeps(const hs_card_group *g, const hs_card_team *t,
                       const hs_card_steps *s, uint32_t *shared, int kind)
{
    place all[HS_TEAM_PART][HS_WARP_PART];
    int64_t turns = s->count * t->stages;
    int unit[HS_TEAM_PART] = {0};

    HS_EACH_RANK(rank, t->ranks)
    {
        member a = member_of(g, t, s, shared, rank);

        HS_EACH_LANE(l)
        {
            all[HS_TEAM_INDEX(rank)][l] = place_of(&a, l);
        }
        load_list(&a);
    }
    hs_team_meet(); /* all blocks are there, and can be written to */
    HS_EACH_RANK(rank, t->ranks)
    {
        member a = member_of(g, t, s, shared, rank);

        load_states(&a, all[HS_TEAM_INDEX(rank)]);
        list_eights(&a, all[HS_TEAM_INDEX(rank)]);
    }
    hs_team_meet();
    for (int64_t n = 0; n < s->count; n++)
        for (int k = 0; k < t->stages; k++)
            HS_EACH_RANK(rank, t->ranks)
            {
                member a = member_of(g, t, s, shared, rank);

                a.clock = s->clock + (uint64_t)n + 1;
                unit[HS_TEAM_INDEX(rank)] *= k > 0; /* a sweep begins anew */
                stage(&a, all[HS_TEAM_INDEX(rank)], k, n * t->stages + k,
                      &unit[HS_TEAM_INDEX(rank)], kind);
            }
    HS_EACH_RANK(rank, t->ranks)
    {
        member a = member_of(g, t, s, shared, rank);

        hs_gate_wait(&a.gate[(turns - 1) % 2], (int)((turns - 1) / 2 % 2));
        store(&a, all[HS_TEAM_INDEX(rank)]);
        HS_SYNC();
        store_counts(&a, all[HS_TEAM_INDEX(rank)]);
    }
    hs_team_meet(); /* none leaves while another may send to it */
}

#define KERNEL(kind)                                                           \
  HS_KERNEL HS_BOUNDS(HS_TEAM_THREADS) void team_##kind(                       \
      hs_card_group g, hs_card_team t, hs_card_steps s)                        \
  {                                                                            \
    HS_SHARED(shared);                                                         \
    sweeps(&g, &t, &s, shared, kind);                                          \
  }
#define TRY(kind)                                                              \
  if (hs_bit_kind(&g->model) == (kind))                                        \
    HS_LAUNCH_TEAMS(team_##kind, t->teams, t->ranks, t->threads,               \
                    (size_t)t->bytes, *g, *t, *s);
#define ASK(kind)                                                              \
  if (hs_bit_kind(m) == (kind))                                                \
    return hs_teams_at_once((const void *)team_##kind, t->ranks, t->threads,   \
                            (size_t)t->bytes);
#define EACH(MAKE)                                                             \
  MAKE(HS_BIT_PLAIN)                                                           \
  MAKE(HS_BIT_SPIN)                                                            \
  MAKE(HS_BIT_UNIFORM)

EACH(KERNEL)

int hs_card_team_at_once(const hs_card_team *t, const hs_device_model *m)
{
    EACH(ASK)
    return 0;
}

void hs_card_gibbs_team(const hs_card_group *g, const hs_card_team *t,
                        const hs_card_steps *s)
{
    EACH(TRY)
}
