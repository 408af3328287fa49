/* feasible.c - possible states of factors with entries of -infinity.
 *
 * Factors with such entries are constraints.  A constraint *supports* a value
 * if some possible entry has it together with values that are still alive.  A
 * value without support is removed, which may remove support from others, until
 * nothing changes (generalized arc consistency).
 *
 * The search gives random values to one coordinate after the other.  First
 * comes the coordinate with the fewest remaining values per dead end seen at
 * its constraints.  It removes values without support, and takes a choice back
 * when some coordinate has no value left.  It restarts after ever more dead
 * ends, so that a bad early choice does not last.  After DEAD_ENDS of them a
 * search that learns clauses takes over (feasible_clauses.c).
 *
 * The search visits the product of the alive values of a constraint; a chain of
 * binary factors costs O(4) each time. */
#include "model/factor/feasible.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "model/factor/feasible_clauses.h"

#define DEAD_ENDS   20000 /* dead ends of a lane before the search by clauses */
#define FIRST_LIMIT 64    /* dead ends before the first restart */
#define WINDOW      256   /* open coordinates considered for the next choice */

struct decision {
    int value; /* number of the chosen value */
    int open;
    int64_t trail;
};

struct search {
    const hs_factors *f;
    int constraints;
    int64_t *factor;  /* owned, [constraints] */
    int64_t *user_at; /* owned, [dim + 1] */
    int *user;        /* owned: constraints of each coordinate */
    int *value_at;    /* owned, [dim + 1] */
    int *coordinate;  /* owned, [values] */
    bool *is_alive;   /* owned, [values] */
    int *left;        /* owned, [dim]: number of alive values */
    int *trail;       /* owned, [values]: removed values, in order */
    int64_t removed;
    int *queue; /* owned, [constraints]: ring of constraints to check */
    int queue_at, queued;
    bool *is_queued;    /* owned, [constraints] */
    double *dead_ends;  /* owned, [constraints], from 1 */
    int *order, *place; /* owned, [dim]: the first `open` coordinates have a
                           choice left */
    int open;
    struct decision *decision; /* owned, [dim] */
    int depth;
    /* buffers for one constraint */
    int *list, *list_at, *index; /* owned: alive values by coordinate */
    bool *is_supported;          /* owned, beside list */
    /* random words */
    uint64_t seed, clock;
    uint32_t chain, replica, block, word[4];
};

static void clear(struct search *s)
{
    hs_free(s->factor);
    hs_free(s->user_at);
    hs_free(s->user);
    hs_free(s->value_at);
    hs_free(s->coordinate);
    hs_free(s->is_alive);
    hs_free(s->left);
    hs_free(s->trail);
    hs_free(s->queue);
    hs_free(s->is_queued);
    hs_free(s->dead_ends);
    hs_free(s->order);
    hs_free(s->place);
    hs_free(s->decision);
    hs_free(s->list);
    hs_free(s->list_at);
    hs_free(s->index);
    hs_free(s->is_supported);
}

static bool is_constraint(const hs_factors *f, int64_t n)
{
    for (int64_t e = f->table_at[n]; e < f->table_at[n + 1]; e++)
        if (f->table[e] == -HUGE_VAL)
            return true;
    return false;
}

static int scope_of(const struct search *s, int c, const int **scope)
{
    int64_t n = s->factor[c];

    *scope = s->f->scope + s->f->scope_at[n];
    return (int)(s->f->scope_at[n + 1] - s->f->scope_at[n]);
}

/* Lists the constraints, and the constraints of every coordinate. */
static bool list_constraints(struct search *s)
{
    const hs_factors *f = s->f;
    const int *scope;
    int64_t users = 0;

    for (int64_t n = 0; n < f->count; n++)
        s->constraints += is_constraint(f, n);
    s->factor = hs_alloc_array((size_t)s->constraints, sizeof *s->factor);
    s->user_at = hs_alloc_array((size_t)f->dim + 1, sizeof *s->user_at);
    if (!s->factor || !s->user_at)
        return false;
    s->constraints = 0;
    for (int64_t n = 0; n < f->count; n++)
        if (is_constraint(f, n))
            s->factor[s->constraints++] = n;
    for (int c = 0; c < s->constraints; c++) {
        int size = scope_of(s, c, &scope);

        users += size;
        for (int k = 0; k < size; k++)
            s->user_at[scope[k] + 1]++;
    }
    for (int i = 0; i < f->dim; i++)
        s->user_at[i + 1] += s->user_at[i];
    s->user = hs_alloc_array((size_t)users, sizeof *s->user);
    for (int c = s->constraints - 1; s->user && c >= 0; c--) {
        int size = scope_of(s, c, &scope);

        for (int k = 0; k < size; k++)
            s->user[--s->user_at[scope[k] + 1]] = c;
    }
    /* move every start back to that of its own coordinate */
    for (int i = 0; s->user && i < f->dim; i++)
        s->user_at[i] = s->user_at[i + 1];
    s->user_at[f->dim] = users;
    return s->user != NULL;
}

/* Marks all values alive. */
static bool list_values(struct search *s)
{
    const hs_factors *f = s->f;
    size_t dim = (size_t)f->dim, values = 0;

    for (int i = 0; i < f->dim; i++)
        values += (size_t)f->states[i];
    s->value_at = hs_alloc_array(dim + 1, sizeof *s->value_at);
    s->coordinate = hs_alloc_array(values, sizeof *s->coordinate);
    s->is_alive = hs_alloc_array(values, sizeof *s->is_alive);
    s->left = hs_alloc_array(dim, sizeof *s->left);
    s->trail = hs_alloc_array(values, sizeof *s->trail);
    s->order = hs_alloc_array(dim, sizeof *s->order);
    s->place = hs_alloc_array(dim, sizeof *s->place);
    s->decision = hs_alloc_array(dim, sizeof *s->decision);
    if (!s->value_at || !s->coordinate || !s->is_alive || !s->left ||
        !s->trail || !s->order || !s->place || !s->decision)
        return false;
    for (int i = 0; i < f->dim; i++) {
        s->left[i] = f->states[i];
        s->value_at[i + 1] = s->value_at[i] + f->states[i];
        for (int v = s->value_at[i]; v < s->value_at[i + 1]; v++) {
            s->coordinate[v] = i;
            s->is_alive[v] = true;
        }
    }
    return true;
}

static bool make_desk(struct search *s)
{
    size_t values = 0, size = 0, count = (size_t)s->constraints;
    const int *scope;

    for (int c = 0; c < s->constraints; c++) {
        size_t sum = 0, length = (size_t)scope_of(s, c, &scope);

        for (size_t k = 0; k < length; k++)
            sum += (size_t)s->f->states[scope[k]];
        values = sum > values ? sum : values;
        size = length > size ? length : size;
    }
    s->list = hs_alloc_array(values, sizeof *s->list);
    s->is_supported = hs_alloc_array(values, sizeof *s->is_supported);
    s->list_at = hs_alloc_array(size + 1, sizeof *s->list_at);
    s->index = hs_alloc_array(size, sizeof *s->index);
    s->queue = hs_alloc_array(count, sizeof *s->queue);
    s->is_queued = hs_alloc_array(count, sizeof *s->is_queued);
    s->dead_ends = hs_alloc_array(count, sizeof *s->dead_ends);
    return s->list && s->is_supported && s->list_at && s->index && s->queue &&
           s->is_queued && s->dead_ends;
}

static void enqueue(struct search *s, int c)
{
    if (s->is_queued[c])
        return;
    s->is_queued[c] = true;
    s->queue[(s->queue_at + s->queued++) % s->constraints] = c;
}

static void empty_queue(struct search *s)
{
    for (; s->queued > 0; s->queued--) {
        s->is_queued[s->queue[s->queue_at]] = false;
        s->queue_at = (s->queue_at + 1) % s->constraints;
    }
}

/* Moves coordinate i, which has no choice left, behind the open ones. */
static void close_coordinate(struct search *s, int i)
{
    int last, at = s->place[i];

    if (at >= s->open)
        return;
    last = s->order[--s->open];
    s->order[at] = last;
    s->place[last] = at;
    s->order[s->open] = i;
    s->place[i] = s->open;
}

/* Returns false if it was the last value. */
static bool remove_value(struct search *s, int value, int except)
{
    int i = s->coordinate[value];

    s->is_alive[value] = false;
    s->trail[s->removed++] = value;
    if (--s->left[i] == 1)
        close_coordinate(s, i);
    for (int64_t u = s->user_at[i]; u < s->user_at[i + 1]; u++)
        if (s->user[u] != except)
            enqueue(s, s->user[u]);
    return s->left[i] > 0;
}

static void undo(struct search *s, int64_t trail, int open)
{
    while (s->removed > trail) {
        int value = s->trail[--s->removed];

        s->is_alive[value] = true;
        s->left[s->coordinate[value]]++;
    }
    s->open = open;
}

/* Marks the supported values of a constraint's coordinates. */
static void find_support(struct search *s, int c, int size, const int *scope)
{
    const double *table = s->f->table + s->f->table_at[s->factor[c]];
    int missing = 0;

    for (int k = 0, used = 0; k < size; k++) {
        int first = s->value_at[scope[k]];

        s->list_at[k] = used;
        for (int v = 0; v < s->f->states[scope[k]]; v++)
            if (s->is_alive[first + v]) {
                s->is_supported[used] = false;
                s->list[used++] = v;
            }
        s->index[k] = s->list_at[k];
        missing = s->list_at[k + 1] = used;
    }
    while (missing > 0) {
        int64_t at = 0;
        int k;

        for (k = 0; k < size; k++)
            at = at * s->f->states[scope[k]] + s->list[s->index[k]];
        for (k = 0; table[at] != -HUGE_VAL && k < size; k++) {
            missing -= !s->is_supported[s->index[k]];
            s->is_supported[s->index[k]] = true;
        }
        for (k = size - 1; k >= 0; k--) {
            if (++s->index[k] < s->list_at[k + 1])
                break;
            s->index[k] = s->list_at[k];
        }
        if (k < 0)
            break;
    }
}

static bool revise(struct search *s, int c)
{
    const int *scope;
    int size = scope_of(s, c, &scope);

    find_support(s, c, size, scope);
    for (int k = 0; k < size; k++)
        for (int n = s->list_at[k]; n < s->list_at[k + 1]; n++)
            if (!s->is_supported[n] &&
                !remove_value(s, s->value_at[scope[k]] + s->list[n], c))
                return false;
    return true;
}

/* Returns false at a dead end, which is counted against the constraint. */
static bool propagate(struct search *s)
{
    while (s->queued > 0) {
        int c = s->queue[s->queue_at];

        s->queue_at = (s->queue_at + 1) % s->constraints;
        s->queued--;
        s->is_queued[c] = false;
        if (!revise(s, c)) {
            s->dead_ends[c] += 1.0;
            empty_queue(s);
            return false;
        }
    }
    return true;
}

static uint32_t next_word(struct search *s)
{
    uint32_t at = s->block++;

    if (at % 4 == 0)
        hs_rng_block(s->seed, s->chain, s->replica, s->clock, HS_DRAW_INIT,
                     at / 4, s->word);
    return s->word[at % 4];
}

static double urgency(const struct search *s, int i)
{
    double sum = 0.0;

    for (int64_t u = s->user_at[i]; u < s->user_at[i + 1]; u++)
        sum += s->dead_ends[s->user[u]];
    return sum / s->left[i];
}

/* Chooses the coordinate that gets a value next. */
static int choose_coordinate(struct search *s)
{
    int start = hs_below(next_word(s), s->open);
    int most = s->open < WINDOW ? s->open : WINDOW, best = -1;
    double highest = -1.0;

    for (int n = 0; n < most; n++) {
        int i = s->order[(start + n) % s->open];
        double u = urgency(s, i);

        if (u > highest) {
            highest = u;
            best = i;
        }
    }
    return best;
}

static int choose_value(struct search *s, int i)
{
    int skip = hs_below(next_word(s), s->left[i]);
    int value = s->value_at[i];

    while (!s->is_alive[value] || skip-- > 0)
        value++;
    return value;
}

static void decide(struct search *s)
{
    int i = choose_coordinate(s), value = choose_value(s, i);

    s->decision[s->depth++] = (struct decision){value, s->open, s->removed};
    for (int v = s->value_at[i]; v < s->value_at[i + 1]; v++)
        if (v != value && s->is_alive[v])
            remove_value(s, v, -1);
}

/* Takes back the last decision and excludes its value; false if there is
 * none. */
static bool step_back(struct search *s)
{
    while (s->depth > 0) {
        struct decision *d = &s->decision[--s->depth];

        undo(s, d->trail, d->open);
        if (remove_value(s, d->value, -1) && propagate(s))
            return true;
        empty_queue(s);
    }
    return false;
}

enum outcome {
    FOUND,
    NOT_YET,
    NEVER
};

static enum outcome descend(struct search *s, int64_t limit, int64_t *met)
{
    while (s->open > 0) {
        decide(s);
        while (!propagate(s)) {
            if (++*met >= limit)
                return NOT_YET;
            if (!step_back(s))
                return NEVER;
        }
    }
    return FOUND;
}

/* Moves coordinates with a choice to the front, in order. */
static void open_coordinates(struct search *s)
{
    int dim = s->f->dim, behind = dim;

    s->open = 0;
    for (int i = 0; i < dim; i++) {
        int at = s->left[i] > 1 && s->user_at[i] < s->user_at[i + 1] ? s->open++
                                                                     : --behind;

        s->order[at] = i;
        s->place[i] = at;
    }
}

/* Searches one lane, starting from the result of the first propagation. */
static enum outcome search_lane(struct search *s)
{
    enum outcome outcome = NOT_YET;
    int64_t limit = FIRST_LIMIT, met = 0, root = s->removed;

    for (int c = 0; c < s->constraints; c++)
        s->dead_ends[c] = 1.0;
    while (outcome == NOT_YET && met < DEAD_ENDS) {
        open_coordinates(s);
        s->depth = 0;
        outcome = descend(s, met + limit, &met);
        if (outcome == NOT_YET)
            undo(s, root, 0);
        empty_queue(s);
        limit += limit / 2;
    }
    return outcome;
}

static hiss_status set_up(struct search *s, const hs_factors *f,
                          hiss_error *err)
{
    bool is_possible = f->constant != -HUGE_VAL;

    *s = (struct search){.f = f};
    if (!list_constraints(s) || !list_values(s) || !make_desk(s)) {
        clear(s);
        return hs_fail_memory(err);
    }
    for (int c = 0; c < s->constraints; c++)
        enqueue(s, c);
    is_possible = is_possible && propagate(s);
    if (!is_possible) {
        clear(s);
        return hs_fail(err, HISS_EINFEASIBLE, "every state has probability 0");
    }
    return HISS_OK;
}

/* Writes the state found; unconstrained coordinates are random. */
static void read_lane(struct search *s, int16_t (*x)[HS_LANES], int lane)
{
    for (int i = 0; i < s->f->dim; i++)
        x[i][lane] = (int16_t)(choose_value(s, i) - s->value_at[i]);
}

/* Searches by clauses, if dead ends teach too little. */
static hiss_status search_clauses(const hs_factors *f, const hs_rng *rng,
                                  int lane, int16_t (*x)[HS_LANES],
                                  enum outcome *outcome, hiss_error *err)
{
    hs_found found;

    HS_TRY(hs_feasible_by_clauses(&found, f, rng, lane, x, err));
    *outcome = found == HS_FOUND         ? FOUND
               : found == HS_FOUND_NEVER ? NEVER
                                         : NOT_YET;
    return HISS_OK;
}

hiss_status hs_feasible_states(const hs_factors *f, const hs_rng *rng,
                               int lanes, int16_t (*x)[HS_LANES],
                               hiss_error *err)
{
    enum outcome outcome = FOUND;
    hiss_status rc = HISS_OK;
    struct search s;
    int64_t root;

    HS_TRY(set_up(&s, f, err));
    root = s.removed;
    for (int l = 0; l < lanes && outcome == FOUND && rc == HISS_OK; l++) {
        s.seed = rng->seed;
        s.clock = rng->clock;
        s.chain = rng->chain[l];
        s.replica = rng->replica[l];
        s.block = 0;
        outcome = search_lane(&s);
        if (outcome == FOUND)
            read_lane(&s, x, l);
        else if (outcome == NOT_YET)
            rc = search_clauses(f, rng, l, x, &outcome, err);
        undo(&s, root, 0);
    }
    for (int i = 0; i < f->dim; i++)
        for (int l = lanes; l < HS_LANES; l++)
            x[i][l] = x[i][0];
    clear(&s);
    HS_TRY(rc);
    if (outcome == NEVER)
        return hs_fail(err, HISS_EINFEASIBLE, "every state has probability 0");
    if (outcome == NOT_YET)
        return hs_fail(err, HISS_EINFEASIBLE,
                       "no feasible start found by a search for solutions; "
                       "give one with --init FILE");
    return HISS_OK;
}

hiss_status hs_feasible_forced(const hs_factors *f, int *at, hiss_error *err)
{
    struct search s;

    HS_TRY(set_up(&s, f, err));
    for (int i = 0; i < f->dim; i++) {
        int value = s.value_at[i];

        while (!s.is_alive[value])
            value++;
        at[i] = s.left[i] == 1 ? value - s.value_at[i] : -1;
    }
    clear(&s);
    return HISS_OK;
}
