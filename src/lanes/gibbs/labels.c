/* labels.c - sweeps over labels with equal couplings (labels.h): sixteen
 * chains side by side, or one chain, sixteen sites at a time. */
#include "lanes/gibbs/labels.h"
#include "lanes/gibbs/words.h"

void HS_NAME(labels_heat_bath)(const hs_labels *g, const hs_visits *visits,
                               int16_t (*x)[HS_LANES], hs_byte_row *label);
void HS_NAME(labels_metropolis)(const hs_labels *g, const hs_visits *visits,
                                int16_t (*x)[HS_LANES], hs_byte_row *label);
void HS_NAME(few_labels)(const hs_few_labels *f);

/* --- sixteen chains ------------------------------------------------------- */

typedef struct tile_sweep {
    const hs_labels *g;
    const hs_visits *v;
    int16_t (*x)[HS_LANES];
    hs_byte_row *label; /* [dim + 1]: the last one is not a label */
    vbyte changed;
    label_law law;
    turn_law turn;
} tile_sweep;

HS_INLINE void add_marginals(const tile_sweep *s, int states, int i,
                             const float (*upto)[HS_LANES])
{
    bool has_two = states == 2; /* a row per site */

    for (int v = has_two; v < states; v++) {
        float *sum = s->v->sum[has_two ? i : i * states + v];

        HS_EACH_PART(l)
        vf_store(sum + l,
                 vf_load(sum + l) +
                     label_gain(upto, states, v, l, vf_load(s->v->weight + l)));
    }
}

HS_INLINE void visit(tile_sweep *s, int states, int degree, int n,
                     const uint32_t *word)
{
    int i = s->v->site ? s->v->site[n] : n;
    const int *place = s->g->place + (int64_t)i * degree;
    vbyte neighbor[HS_DEGREE_MAX], present = vbyte_load(s->label[i]), new;
    float upto[HS_FEW][HS_LANES];

    for (int k = 0; k < degree; k++)
        neighbor[k] = vbyte_load(s->label[place[k]]);
    new = label_draw(&s->law, states, degree, neighbor, present, word, upto);
    if (s->v->sum)
        add_marginals(s, states, i, (const float(*)[HS_LANES])upto);
    s->changed -= (vbyte)(new != present);
    vbyte_store(s->label[i], new);
    vbyte_widen(s->x[i], new);
}

HS_INLINE void sweep_tile(tile_sweep *s, int states, int degree)
{
    const hs_visits *v = s->v;
    philox_ahead ahead[HS_LANES / HS_WIDTH];
    philox_at at[HS_LANES / HS_WIDTH];
    uint32_t word[8][HS_LANES];

    HS_EACH_PART(l)
    at[l / HS_WIDTH] =
        philox_begin(v->rng, HS_DRAW_PROPOSE, l, &ahead[l / HS_WIDTH]);
    for (int n = 0; n < v->count; n++) {
        if (n % 8 == 0)
            HS_EACH_PART(l)
            {
                const philox_at *own = &at[l / HS_WIDTH];
                uint32_t block = (uint32_t)(v->first + n) / 4;
                vu out[8];

                philox_twice(own, block, out, own, block + 1, out + 4);
                for (int w = 0; w < 8; w++)
                    memcpy(&word[w][l], &out[w], sizeof out[w]);
            }
        visit(s, states, degree, n, word[n % 8]);
        if (n % 255 == 254 || n + 1 == v->count) {
            for (int l = 0; l < HS_LANES; l++)
                v->changed[l] += s->changed[l];
            s->changed = vbyte_set(0);
        }
    }
}

void HS_NAME(labels_heat_bath)(const hs_labels *g, const hs_visits *visits,
                               int16_t (*x)[HS_LANES], hs_byte_row *label)
{
    tile_sweep s;

    s.g = g;
    s.v = visits;
    s.x = x;
    s.label = label;
    s.changed = vbyte_set(0);
    label_begin(&s.law, g, visits->beta);
    if (g->degree == 4 && g->states == 3)
        sweep_tile(&s, 3, 4);
    else if (g->degree == 4)
        sweep_tile(&s, g->states, 4);
    else
        sweep_tile(&s, g->states, g->degree);
}

/* Takes another label if ln u is below the gain of log p. */
HS_INLINE void propose(tile_sweep *s, int degree, int i, const uint32_t *which,
                       const uint32_t *whether)
{
    const int *place = s->g->place + (int64_t)i * degree;
    vbyte neighbor[HS_DEGREE_MAX], present = vbyte_load(s->label[i]), new;
    uint8_t to[HS_LANES];
    vbyte here, there;

    for (int k = 0; k < degree; k++)
        neighbor[k] = vbyte_load(s->label[place[k]]);
    HS_EACH_PART(l)
    vi_store_bytes(to + l, other_label(s->g->states, vi_of_byte(present, l),
                                       word_at(which, l)));
    here = label_count(neighbor, degree, present);
    there = label_count(neighbor, degree, vbyte_load(to));
    HS_EACH_PART(l)
    {
        float coupling = s->law.coupling;
        vf change = vf_of(vi_of_byte(there, l)) * coupling -
                    vf_of(vi_of_byte(here, l)) * coupling;
        vm taken = vf_less(vf_log(vf_uniform(word_at(whether, l))),
                           vf_load(s->v->beta + l) * change);
        vi label = vi_select(taken, vi_of_byte(vbyte_load(to), l),
                             vi_of_byte(present, l));

        vi_store_bytes(to + l, label);
    }
    new = vbyte_load(to);
    s->changed -= (vbyte)(new != present);
    vbyte_store(s->label[i], new);
    vbyte_widen(s->x[i], new);
}

/* Adds the weight of the present label. */
HS_INLINE void add_label(const tile_sweep *s, int states, int i, vbyte label)
{
    for (int v = states == 2; v < states; v++) {
        float *sum = s->v->sum[states == 2 ? i : i * states + v];

        HS_EACH_PART(l)
        vf_store(sum + l,
                 vf_load(sum + l) + vf_where(label_is(label, v, l),
                                             vf_load(s->v->weight + l)));
    }
}

HS_INLINE void visit_turn(tile_sweep *s, int states, int degree, int i,
                          const uint32_t *which, const uint32_t *whether)
{
    const int *place = s->g->place + (int64_t)i * degree;
    vbyte neighbor[HS_DEGREE_MAX], present = vbyte_load(s->label[i]), new;

    for (int k = 0; k < degree; k++)
        neighbor[k] = vbyte_load(s->label[place[k]]);
    new =
        turn_draw(&s->turn, states, degree, neighbor, present, which, whether);
    if (s->v->sum)
        add_label(s, states, i, new);
    s->changed -= (vbyte)(new != present);
    vbyte_store(s->label[i], new);
    vbyte_widen(s->x[i], new);
}

/* Constant numbers of labels and neighbors are those of common lattices. */
HS_INLINE void visit_metropolis(tile_sweep *s, int i, const uint32_t *which,
                                const uint32_t *whether)
{
    const hs_labels *g = s->g;

    if (!s->v->is_metropolis)
        propose(s, g->degree, i, which, whether);
    else if (g->degree == 4)
        visit_turn(s, g->states, 4, i, which, whether);
    else
        visit_turn(s, g->states, g->degree, i, which, whether);
}

void HS_NAME(labels_metropolis)(const hs_labels *g, const hs_visits *visits,
                                int16_t (*x)[HS_LANES], hs_byte_row *label)
{
    tile_sweep s;
    uint32_t which[4][HS_LANES], whether[4][HS_LANES];
    philox_ahead ahead[2][HS_LANES / HS_WIDTH];
    philox_at at[2][HS_LANES / HS_WIDTH];

    s.g = g;
    s.v = visits;
    s.x = x;
    s.label = label;
    s.changed = vbyte_set(0);
    s.law.coupling = g->j->uniform;
    turn_begin(&s.turn, g, visits->beta);
    HS_EACH_PART(l)
    {
        int p = l / HS_WIDTH;

        at[0][p] = philox_begin(visits->rng, HS_DRAW_PROPOSE, l, &ahead[0][p]);
        at[1][p] = philox_begin(visits->rng, HS_DRAW_ACCEPT, l, &ahead[1][p]);
    }
    for (int n = 0; n < visits->count; n++) {
        if (n % 4 == 0)
            HS_EACH_PART(l)
            {
                uint32_t block = (uint32_t)(visits->first + n) / 4;
                vu one[4], two[4];

                philox_twice(&at[0][l / HS_WIDTH], block, one,
                             &at[1][l / HS_WIDTH], block, two);
                for (int w = 0; w < 4; w++) {
                    memcpy(&which[w][l], &one[w], sizeof one[w]);
                    memcpy(&whether[w][l], &two[w], sizeof two[w]);
                }
            }
        visit_metropolis(&s, visits->site ? visits->site[n] : n, which[n % 4],
                         whether[n % 4]);
        if (n % 255 == 254 || n + 1 == visits->count) {
            for (int l = 0; l < HS_LANES; l++)
                visits->changed[l] += s.changed[l];
            s.changed = vbyte_set(0);
        }
    }
}

/* --- one chain ------------------------------------------------------------ */

typedef struct chain_sweep {
    const hs_few_labels *f;
    word_store words, decide;
    label_law law;
    turn_law turn;
} chain_sweep;

/* Loads the labels of neighbor k of a group. */
HS_INLINE vbyte gather(const hs_few_labels *f, const hs_label_group *b, int k)
{
    const int *place = f->g->group_place + (b->place + (int64_t)k * HS_LANES);
    uint8_t found[HS_LANES];

    if (b->runs >> k & 1)
        return vbyte_load(f->label + place[0]);
    for (int s = 0; s < HS_LANES; s++)
        found[s] = f->label[place[s]];
    return vbyte_load(found);
}

HS_INLINE const uint32_t *words_of_group(word_store *s, const hs_label_group *b)
{
    return words_at_block(s, (uint32_t)b->first / 4, HS_LANES / 4 + 1) +
           b->first % 4;
}

/* Adds the weights of the present labels; those of other sites are 255. */
HS_INLINE void add_present(const hs_few_labels *f, int states, int first,
                           vbyte label)
{
    vf weight = vf_set(f->weight);

    for (int v = states == 2; v < states; v++) {
        float *sum = f->sum + (states == 2 ? 0 : v) * f->stride + first;

        HS_EACH_PART(l)
        vf_store(sum + l,
                 vf_load(sum + l) + vf_where(label_is(label, v, l), weight));
    }
}

HS_INLINE void add_all(const hs_few_labels *f, int states, int first, int count,
                       const float (*upto)[HS_LANES])
{
    vf weight = vf_set(f->weight);

    for (int v = states == 2; v < states; v++) {
        float *sum = f->sum + (states == 2 ? 0 : v) * f->stride + first;
        float gain[HS_LANES];

        HS_EACH_PART(l)
        vf_store(gain + l, label_gain(upto, states, v, l, weight));
        if (count == HS_LANES)
            HS_EACH_PART(l)
        vf_store(sum + l, vf_load(sum + l) + vf_load(gain + l));
        for (int s = 0; count < HS_LANES && s < count; s++)
            sum[s] += gain[s];
    }
}

/* Slots past the count have labels of other sites, which stay. */
HS_INLINE int visit_group(chain_sweep *c, bool is_metropolis, int states,
                          int degree, const hs_label_group *b)
{
    const hs_few_labels *f = c->f;
    const uint32_t *word = words_of_group(&c->words, b);
    vbyte neighbor[HS_DEGREE_MAX], present = vbyte_load(f->label + b->first);
    float upto[HS_FEW][HS_LANES];
    uint8_t new[HS_LANES], old[HS_LANES], shown[HS_LANES];
    int changed = 0;

    for (int k = 0; k < degree; k++)
        neighbor[k] = gather(f, b, k);
    vbyte_store(old, present);
    if (is_metropolis)
        vbyte_store(new, turn_draw(&c->turn, states, degree, neighbor, present,
                                   word, words_of_group(&c->decide, b)));
    else
        vbyte_store(new, label_draw(&c->law, states, degree, neighbor, present,
                                    word, upto));
    for (int s = b->count; s < HS_LANES; s++)
        new[s] = old[s];
    if (f->sum && is_metropolis) {
        memcpy(shown, new, sizeof shown);
        for (int s = b->count; s < HS_LANES; s++)
            shown[s] = 255;
        add_present(f, states, b->first, vbyte_load(shown));
    } else if (f->sum) {
        add_all(f, states, b->first, b->count, (const float(*)[HS_LANES])upto);
    }
    for (int s = 0; s < HS_LANES; s++)
        changed += new[s] != old[s];
    memcpy(f->label + b->first, new, sizeof new);
    return changed;
}

HS_INLINE void sweep_chain(chain_sweep *c, bool is_metropolis, int states,
                           int degree)
{
    const hs_labels *g = c->f->g;
    int64_t changed = 0;

    for (int n = 0; n < g->groups; n++)
        changed += visit_group(c, is_metropolis, states, degree, &g->group[n]);
    *c->f->changed += (double)changed;
}

static __attribute__((noinline)) void sweep_metropolis(chain_sweep *c)
{
    const hs_labels *g = c->f->g;

    if (g->degree == 4)
        sweep_chain(c, true, g->states, 4);
    else
        sweep_chain(c, true, g->states, g->degree);
}

void HS_NAME(few_labels)(const hs_few_labels *f)
{
    const hs_labels *g = f->g;
    float beta[HS_LANES];
    chain_sweep c;

    for (int l = 0; l < HS_LANES; l++)
        beta[l] = f->beta;
    c.f = f;
    if (f->is_metropolis)
        turn_begin(&c.turn, g, beta);
    else
        label_begin(&c.law, g, beta);
    words_of_lane(&c.words, f->rng, f->lane, g->dim / 4 + 1);
    words_of_lane(&c.decide, f->rng, f->lane, g->dim / 4 + 1);
    for (int64_t n = 0; n < f->steps; n++) {
        words_begin(&c.words, HS_DRAW_PROPOSE, f->rng->clock + (uint64_t)n);
        words_begin(&c.decide, HS_DRAW_ACCEPT, f->rng->clock + (uint64_t)n);
        if (f->is_metropolis)
            sweep_metropolis(&c);
        else if (g->degree == 4 && g->states == 3)
            sweep_chain(&c, false, 3, 4);
        else if (g->degree == 4)
            sweep_chain(&c, false, g->states, 4);
        else
            sweep_chain(&c, false, g->states, g->degree);
    }
}
