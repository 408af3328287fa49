/* feasible_clauses.c - a possible state by conflict-driven search.
 *
 * Tables with zeros become clauses (model/sat/code.h).  The search tries random
 * values first, so that starts differ from lane to lane. */
#include "model/factor/feasible_clauses.h"

#include "base/error.h"
#include "model/sat/code.h"
#include "model/sat/solver.h"

#define CONFLICTS 300000 /* some seconds */

static void set_phases(hs_sat *s, const hs_rng *rng, int lane)
{
    uint32_t word[4] = {0};

    for (int v = 0; v < s->variables; v++) {
        uint32_t bit = (uint32_t)v % 128;

        if (bit == 0)
            hs_rng_block(rng->seed, rng->chain[lane], rng->replica[lane],
                         rng->clock, HS_DRAW_SCATTER, (uint32_t)v / 128, word);
        s->phase[v] = word[bit / 32] >> bit % 32 & 1;
    }
}

static int index_of(const hs_code *code, const hs_sat *s, int i, int states)
{
    int index = 0;

    if (states == 1)
        return 0;
    if (states == 2)
        return s->value[2 * code->first[i]] > 0;
    while (index < states - 1 && s->value[2 * (code->first[i] + index)] <= 0)
        index++;
    return index;
}

static hiss_status solve(hs_sat *s, const hs_code *code, hs_found *found,
                         hiss_error *err)
{
    hs_sat_answer answer;

    for (int64_t n = 0; n < code->clauses; n++)
        HS_TRY(hs_sat_add(s, code->literal + code->start[n],
                          (int)(code->start[n + 1] - code->start[n]), err));
    s->is_impossible = s->is_impossible || code->is_impossible;
    answer = hs_sat_solve(s, CONFLICTS, NULL);
    if (s->rc != HISS_OK)
        return hs_fail_memory(err);
    *found = answer == HS_SAT_YES  ? HS_FOUND
             : answer == HS_SAT_NO ? HS_FOUND_NEVER
                                   : HS_FOUND_NOT_YET;
    return HISS_OK;
}

hiss_status hs_feasible_by_clauses(hs_found *found, const hs_factors *f,
                                   const hs_rng *rng, int lane,
                                   int16_t (*x)[HS_LANES], hiss_error *err)
{
    hs_code code;
    hs_sat s;
    hiss_status rc = hs_code_init(&code, f, NULL);

    *found = HS_FOUND_NOT_YET;
    if (rc == HISS_ELIMIT)
        return HISS_OK;
    if (rc != HISS_OK)
        return hs_fail_memory(err);
    rc = hs_sat_init(&s, code.variables, err);
    if (rc == HISS_OK) {
        set_phases(&s, rng, lane);
        rc = solve(&s, &code, found, err);
        for (int i = 0; *found == HS_FOUND && i < f->dim; i++)
            x[i][lane] = (int16_t)index_of(&code, &s, i, f->states[i]);
        hs_sat_clear(&s);
    }
    hs_code_clear(&code);
    return rc;
}
