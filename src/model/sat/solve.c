/* solve.c - finds one solution by conflict-driven search.
 *
 * It decides the variable with the highest activity next.  Restarts follow the
 * Luby sequence, and a variable gets the value that it had last. */
#include "base/assert.h"
#include "model/sat/sat.h"

#define RESTART 128 /* conflicts before the first restart */
#define ASK     64  /* conflicts between two calls of the poll */

static void heap_set(hs_sat *s, int at, int variable)
{
    s->heap[at] = variable;
    s->place[variable] = at;
}

void hs_sat_heap_raise(hs_sat *s, int variable)
{
    int at = s->place[variable];

    while (at > 0) {
        int up = (at - 1) / 2;

        if (s->activity[s->heap[up]] >= s->activity[variable])
            break;
        heap_set(s, at, s->heap[up]);
        at = up;
    }
    heap_set(s, at, variable);
}

void hs_sat_heap_put(hs_sat *s, int variable)
{
    heap_set(s, s->heaped++, variable);
    hs_sat_heap_raise(s, variable);
}

static int heap_take(hs_sat *s)
{
    int first = s->heap[0], last = s->heap[--s->heaped], at = 0;

    s->place[first] = -1;
    while (s->heaped > 0) {
        int child = 2 * at + 1;

        if (child + 1 < s->heaped &&
            s->activity[s->heap[child + 1]] > s->activity[s->heap[child]])
            child++;
        if (child >= s->heaped ||
            s->activity[s->heap[child]] <= s->activity[last])
            break;
        heap_set(s, at, s->heap[child]);
        at = child;
    }
    if (s->heaped > 0)
        heap_set(s, at, last);
    return first;
}

static int64_t luby(int64_t n)
{
    int64_t size = 1;

    while (size < n + 1)
        size = 2 * size + 1;
    while (size - 1 != n) {
        size = (size - 1) / 2;
        n = n % size;
    }
    return (size + 1) / 2;
}

static bool decide_next(hs_sat *s)
{
    while (s->heaped > 0) {
        int v = heap_take(s);

        if (s->value[2 * v] == 0) {
            hs_sat_decide(s, 2 * v + !s->phase[v]);
            return true;
        }
    }
    return false;
}

/* The level at which the learned clause asserts its literal. */
static int level_back(const hs_sat *s)
{
    return s->clause_size > 1 ? s->level[s->clause[1] / 2] : 0;
}

/* Searches until the next restart. */
static hs_sat_answer search(hs_sat *s, int root, int64_t until,
                            const hs_poll *poll)
{
    while (s->rc == HISS_OK) {
        int conflict = hs_sat_propagate(s), reason, literal, back;

        if (conflict == HS_SAT_NONE) {
            if (s->rc != HISS_OK || s->conflicts >= until ||
                (s->conflicts % ASK == 0 && hs_poll_stops(poll)))
                return HS_SAT_UNKNOWN;
            if (!decide_next(s))
                return HS_SAT_YES;
            continue;
        }
        if (s->levels <= root)
            return HS_SAT_NO;
        literal = hs_sat_learn(s, conflict, &reason);
        back = level_back(s);
        if (back < root && s->clause_size > 1)
            back = root;
        if (s->clause_size == 1 && root > 0)
            back = root;
        hs_sat_undo(s, back);
        if (s->value[literal] < 0)
            return HS_SAT_NO;
        if (s->value[literal] == 0)
            hs_sat_assign(s, literal, reason);
        hs_sat_reduce(s);
    }
    return HS_SAT_UNKNOWN;
}

hs_sat_answer hs_sat_solve(hs_sat *s, int64_t conflicts, const hs_poll *poll)
{
    int64_t most = s->conflicts + conflicts;
    int root = s->levels;
    hs_sat_answer answer = HS_SAT_UNKNOWN;

    if (s->is_impossible)
        return HS_SAT_NO;
    s->is_solving = true;
    s->heaped = 0;
    for (int v = 0; v < s->variables; v++)
        s->place[v] = -1;
    for (int v = 0; v < s->variables; v++)
        if (s->value[2 * v] == 0)
            hs_sat_heap_put(s, v);
    for (int64_t n = 0;
         answer == HS_SAT_UNKNOWN && s->rc == HISS_OK && s->conflicts < most;
         n++) {
        int64_t until = s->conflicts + RESTART * luby(n);

        answer = search(s, root, until < most ? until : most, poll);
        if (answer == HS_SAT_UNKNOWN) {
            hs_sat_undo(s, root);
            if (hs_poll_stops(poll))
                break;
        }
    }
    s->is_solving = false;
    return answer;
}
