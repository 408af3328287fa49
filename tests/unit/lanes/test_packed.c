/* test_packed.c - sweeps with chains as bits, against their definition: visit
 * by visit, chain by chain, with whole uniforms, under every instruction
 * set. */
#include "kernel/gibbs/sweeps/packed_plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/random/rng.h"
#include "lanes/lanes.h"
#include "model/pair/ising_sparse.h"
#include "model/sparse.h"
#include "unit/xorshift.h"

struct shape {
    hiss_kind kind;
    int side, dims; /* 0: no lattice, but three neighbors far apart */
    double coupling, field;
    bool has_signs; /* couplings J and -J */
    int kept;       /* of ten bonds */
    int steps;
};

/* Even sides have two colors, and odd ones more; one stage of side 64 leaves
 * more coordinates open than there is room for. */
static const struct shape shapes[] = {
    {HISS_SPIN, 24, 2, 0.4407, 0.0, false, 10, 12},
    {HISS_SPIN, 64, 2, -0.3, 0.0, false, 10, 3},
    {HISS_SPIN, 7, 2, 0.4, 0.0, false, 10, 30},
    {HISS_SPIN, 24, 2, 0.8, 0.0, true, 10, 12},
    {HISS_SPIN, 6, 3, 0.2, 0.0, false, 10, 30},
    {HISS_SPIN, 7, 3, 0.5, 0.0, true, 10, 12},
    {HISS_SPIN, 12, 2, 0.3, 0.1, true, 10, 12},
    {HISS_SPIN, 12, 2, 0.4, 0.0, true, 8, 12},
    {HISS_BINARY, 12, 2, 0.4, -0.2, true, 10, 12},
    {HISS_SPIN, 40, 0, 0.7, 0.0, true, 10, 12},
    {HISS_SPIN, 22, 0, 0.3, 0.0, false, 10, 12},
};

/* A ring in a mixed order, and chords: every site has three neighbors. */
static int64_t join_chords(const struct shape *s, int dim, hs_bond *bond)
{
    uint64_t seed = 5;
    int64_t count = 0;
    int step = dim / 3 | 1;

    while (dim % step == 0 || step % 5 == 0)
        step += 2;
    for (int n = 0; n < dim; n++) {
        int at = (int)((int64_t)n * step % dim);
        int next = (int)((int64_t)(n + 1) * step % dim);
        bool is_turned = s->has_signs && xorshift_below(&seed, 2);
        double value = is_turned ? -s->coupling : s->coupling;

        bond[count++] = (hs_bond){at, next, value};
        if (n < dim / 2)
            bond[count++] = (hs_bond){
                at, (int)((int64_t)(n + dim / 2) * step % dim), value};
    }
    return count;
}

/* A periodic lattice, or most of its bonds. */
static hs_model *make_model(const struct shape *s)
{
    int dim = s->dims == 3 ? s->side * s->side * s->side : s->side * s->side;
    int bonds = s->dims ? dim * s->dims : 2 * dim;
    hs_bond *bond = hs_alloc_array((size_t)bonds, sizeof *bond);
    int64_t count = 0;
    uint64_t seed = 3;
    hs_sparse j;
    hs_model *m;

    assert_non_null(bond);
    if (s->dims == 0)
        count = join_chords(s, dim, bond);
    for (int i = 0; i < dim; i++)
        for (int d = 0, apart = 1; d < s->dims; d++, apart *= s->side) {
            int at = i / apart % s->side;
            int k = i + ((at + 1) % s->side - at) * apart;
            bool is_turned = s->has_signs && xorshift_below(&seed, 2);

            if (xorshift_below(&seed, 10) < s->kept)
                bond[count++] =
                    (hs_bond){i, k, is_turned ? -s->coupling : s->coupling};
        }
    assert_int_equal(hs_sparse_init(&j, dim, bond, count, NULL, NULL), HISS_OK);
    if (s->field != 0.0)
        assert_int_equal(hs_sparse_fill_field(&j, s->field, NULL), HISS_OK);
    assert_int_equal(
        hs_ising_create(&m, &(hs_ising){.kind = s->kind}, &j, NULL), HISS_OK);
    hs_free(bond);
    return m;
}

/* The uniforms of a visit, of sixteen chains. */
static void draw_uniforms(const hs_rng *rng, int visit, uint32_t *u)
{
    memset(u, 0, HS_LANES * sizeof *u);
    for (uint32_t r = 0; r < 8; r++) {
        uint32_t four[4];

        hs_rng_block(rng->seed, rng->chain[0], r, rng->clock, HS_DRAW_PACKED,
                     (uint32_t)visit / 2, four);
        for (int w = 0; w < 4; w++)
            for (int l = 0; l < HS_LANES; l++)
                u[l] = u[l] << 1 | (four[w] >> (l + 16 * (visit % 2)) & 1);
    }
}

static const hs_packed_law *find_law(const hs_packed *p, int degree,
                                     int negative)
{
    for (int n = 0; n < p->laws; n++)
        if (p->law[n].degree == degree &&
            (p->low < 0.0f || p->law[n].negative == negative))
            return &p->law[n];
    fail_msg("no law of %d couplings", degree);
    return NULL;
}

/* position: of sites. */
static void visit(const hs_packed *p, const hs_sparse *j, const int *position,
                  int n, const hs_rng *rng, uint16_t *word, double *changed)
{
    int64_t first = j->start[p->site[n]], end = j->start[p->site[n] + 1];
    int degree = (int)(end - first), negative = 0, up[HS_LANES] = {0};
    const hs_packed_law *law;
    uint32_t u[HS_LANES];

    for (int64_t e = first; e < end; e++) {
        bool is_turned = (j->value[e] < 0.0f) != (p->coupling < 0.0f);

        negative += is_turned;
        for (int l = 0; l < HS_LANES; l++)
            up[l] += (word[position[j->column[e]]] >> l & 1) ^ is_turned;
    }
    law = find_law(p, degree, negative);
    draw_uniforms(rng, n, u);
    for (int l = 0; l < HS_LANES; l++) {
        bool is_turned = law->is_even && 2 * up[l] > degree;
        int k = is_turned ? degree - up[l] : up[l];
        unsigned high = (u[l] < law->threshold[k]) ^ is_turned;

        changed[l] += (word[n] >> l & 1) != high;
        word[n] = (uint16_t)((word[n] & ~(1u << l)) | high << l);
    }
}

static void check(const hs_packed *p, const hs_sparse *j, int steps,
                  const hs_lane_table *t)
{
    size_t words = (size_t)p->dim + 2 * HS_BUNDLE;
    uint16_t *word[2] = {calloc(words, 2), calloc(words, 2)};
    int *position = calloc((size_t)p->dim, sizeof *position);
    uint16_t *tally =
        calloc(((size_t)p->dim + HS_BUNDLE) * HS_TALLY_ROWS, sizeof *tally);
    hs_byte_row *count[2] = {calloc((size_t)p->dim, sizeof *count[0]),
                             calloc((size_t)p->dim, sizeof *count[1])};
    double changed[2][HS_LANES] = {{0}};
    float weight[HS_LANES] = {1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0};
    hs_rng rng = {.seed = UINT64_C(0x123456789abcdef1),
                  .clock = UINT64_C(0x1fffffff8),
                  .chain = {48}};
    uint64_t seed = 17;

    assert_true(word[0] && word[1] && position && tally);
    assert_true(count[0] && count[1] && steps <= HS_TALLY_STEPS);
    for (int n = 0; n < p->dim; n++) {
        position[p->site[n]] = n;
        word[0][n] = word[1][n] = (uint16_t)xorshift(&seed);
    }
    t->packed_sweeps(p, &rng, 1, word[0], changed[0], 0, tally);
    rng.clock++;
    t->packed_sweeps(p, &rng, steps - 1, word[0], changed[0], 1, tally);
    rng.clock--;
    t->packed_count(p, tally, steps, weight, count[0]);
    for (int k = 0; k < steps; k++, rng.clock++) {
        for (int n = 0; n < p->dim; n++)
            visit(p, j, position, n, &rng, word[1], changed[1]);
        for (int n = 0; n < p->dim; n++)
            for (int l = 0; l < HS_LANES; l++)
                count[1][p->site[n]][l] +=
                    (uint8_t)(weight[l] != 0.0f && (word[1][n] >> l & 1));
    }
    assert_memory_equal(count[0], count[1], (size_t)p->dim * sizeof *count[0]);
    assert_memory_equal(word[0], word[1], (size_t)p->dim * sizeof **word);
    assert_memory_equal(changed[0], changed[1], sizeof changed[0]);
    free(word[0]);
    free(word[1]);
    free(position);
    free(tally);
    free(count[0]);
    free(count[1]);
}

static void sweeps_draw_what_single_visits_draw(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof shapes / sizeof *shapes; n++) {
        hs_model *m = make_model(&shapes[n]);
        const hs_pair_form *g = hs_model_structure(m, HS_STRUCTURE_PAIRS);
        hs_packed p;

        assert_null(hs_packed_hindrance(m));
        assert_int_equal(hs_packed_init(&p, m, NULL), HISS_OK);
        hs_packed_set_beta(&p, 1.0f);
        for (const hs_lane_table *const *t = hs_lanes_all(); *t; t++)
            check(&p, g->j, shapes[n].steps, *t);
        hs_packed_clear(&p);
        hs_model_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_draw_what_single_visits_draw),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
