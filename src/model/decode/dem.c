/* dem.c - parses the text into a list of instructions, then runs it with its
 * `repeat` blocks. */
#include "model/decode/dem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/grammar/lexer.h"

#define NUMBER_MAX 10000000 /* largest number of a detector or observable */
#define REPEAT_MAX 10000000
#define DEPTH_MAX  16 /* nesting of blocks */

enum {
    ERROR,
    SHIFT,    /* value: the shift */
    DETECTOR, /* declares a detector */
    OBSERVABLE,
    REPEAT, /* value: the number of times, up to `end` */
};

struct instruction {
    int kind, value;
    int end; /* end of REPEAT: index of the instruction behind its block */
    double p;
    int64_t first, last; /* range of its targets */
};

/* The number of a detector or of an observable. */
struct symptom {
    bool is_observable;
    int number;
};

struct parser {
    hs_reader *in; /* owned */
    hs_lexer lex;  /* owned */
    struct instruction *list;
    int count, room;        /* number of instructions, and capacity */
    struct symptom *target; /* owned */
    int64_t targets, target_room;
    int depth;
};

/* --- text to instructions ------------------------------------------------ */

static hiss_status add_instruction(struct parser *p, struct instruction i,
                                   hiss_error *err)
{
    if (p->count == p->room) {
        int room = 2 * p->room + 64;
        struct instruction *list = hs_realloc_array(p->list, (size_t)p->room,
                                                    (size_t)room, sizeof *list);

        if (!list)
            return hs_fail_memory(err);
        p->list = list;
        p->room = room;
    }
    p->list[p->count++] = i;
    return HISS_OK;
}

static hiss_status add_target(struct parser *p, struct symptom t,
                              hiss_error *err)
{
    if (p->targets == p->target_room) {
        int64_t room = 2 * p->target_room + 64;
        struct symptom *list = hs_realloc_array(
            p->target, (size_t)p->target_room, (size_t)room, sizeof *list);

        if (!list)
            return hs_fail_memory(err);
        p->target = list;
        p->target_room = room;
    }
    p->target[p->targets++] = t;
    return HISS_OK;
}

/* "D12" or "L0". */
static bool is_target(const hs_lexer *l)
{
    return l->token == HS_TOKEN_WORD &&
           (l->text[0] == 'D' || l->text[0] == 'L') && l->text[1] >= '0' &&
           l->text[1] <= '9';
}

static hiss_status read_target(struct parser *p, hiss_error *err)
{
    char *end;
    long number = strtol(p->lex.text + 1, &end, 10);

    if (*end || number > NUMBER_MAX)
        return hs_lexer_refuse(&p->lex, "D or L and a number up to 10000000",
                               err);
    HS_TRY(add_target(p, (struct symptom){p->lex.text[0] == 'L', (int)number},
                      err));
    return hs_lexer_next(&p->lex, err);
}

static hiss_status read_targets(struct parser *p, hiss_error *err)
{
    while (is_target(&p->lex) || hs_lexer_is_mark(&p->lex, '^')) {
        if (is_target(&p->lex))
            HS_TRY(read_target(p, err));
        else
            HS_TRY(hs_lexer_mark(&p->lex, '^', err));
    }
    return HISS_OK;
}

/* Skips a tag in brackets; it does not affect the distribution. */
static hiss_status skip_tag(struct parser *p, hiss_error *err)
{
    bool is_there;

    HS_TRY(hs_lexer_skip(&p->lex, '[', &is_there, err));
    while (is_there && !hs_lexer_is_mark(&p->lex, ']')) {
        if (p->lex.token == HS_TOKEN_END)
            return hs_lexer_refuse(&p->lex, "']'", err);
        HS_TRY(hs_lexer_next(&p->lex, err));
    }
    return is_there ? hs_lexer_mark(&p->lex, ']', err) : HISS_OK;
}

/* Skips coordinates in parentheses, if there are any. */
static hiss_status skip_numbers(struct parser *p, hiss_error *err)
{
    bool is_there;
    double value;

    HS_TRY(hs_lexer_skip(&p->lex, '(', &is_there, err));
    while (is_there && !hs_lexer_is_mark(&p->lex, ')')) {
        bool is_more;

        HS_TRY(hs_lexer_real(&p->lex, -1e300, 1e300, &value, err));
        HS_TRY(hs_lexer_skip(&p->lex, ',', &is_more, err));
    }
    return is_there ? hs_lexer_mark(&p->lex, ')', err) : HISS_OK;
}

static hiss_status read_error(struct parser *p, hiss_error *err)
{
    struct instruction i = {.kind = ERROR, .first = p->targets};

    HS_TRY(hs_lexer_mark(&p->lex, '(', err));
    HS_TRY(hs_lexer_real(&p->lex, 0.0, 1.0, &i.p, err));
    HS_TRY(hs_lexer_mark(&p->lex, ')', err));
    HS_TRY(read_targets(p, err));
    i.last = p->targets;
    return add_instruction(p, i, err);
}

static hiss_status read_declaration(struct parser *p, int kind, hiss_error *err)
{
    struct instruction i = {.kind = kind, .first = p->targets};

    HS_TRY(skip_numbers(p, err));
    HS_TRY(read_targets(p, err));
    i.last = p->targets;
    return add_instruction(p, i, err);
}

static hiss_status read_shift(struct parser *p, hiss_error *err)
{
    struct instruction i = {.kind = SHIFT};

    HS_TRY(skip_numbers(p, err));
    HS_TRY(hs_lexer_int(&p->lex, 0, NUMBER_MAX, &i.value, err));
    return add_instruction(p, i, err);
}

static hiss_status read_all(struct parser *p, hiss_error *err);

static hiss_status read_repeat(struct parser *p, hiss_error *err)
{
    struct instruction i = {.kind = REPEAT};
    int at = p->count;

    HS_TRY(hs_lexer_int(&p->lex, 0, REPEAT_MAX, &i.value, err));
    if (++p->depth > DEPTH_MAX)
        return hs_lexer_fail(&p->lex, NULL, err,
                             "more than %d blocks within each other",
                             DEPTH_MAX);
    HS_TRY(add_instruction(p, i, err));
    HS_TRY(hs_lexer_mark(&p->lex, '{', err));
    HS_TRY(read_all(p, err));
    HS_TRY(hs_lexer_mark(&p->lex, '}', err));
    p->list[at].end = p->count;
    p->depth--;
    return HISS_OK;
}

static hiss_status read_instruction(struct parser *p, hiss_error *err)
{
    static const char *const names[] = {"error", "shift_detectors", "detector",
                                        "logical_observable", "repeat"};
    int kind = 0;

    while (kind <= REPEAT && !hs_lexer_is_word(&p->lex, names[kind]))
        kind++;
    if (kind > REPEAT)
        return hs_lexer_refuse(&p->lex,
                               "error, detector, logical_observable, "
                               "shift_detectors or repeat",
                               err);
    HS_TRY(hs_lexer_next(&p->lex, err));
    HS_TRY(skip_tag(p, err));
    switch (kind) {
    case ERROR:
        return read_error(p, err);
    case SHIFT:
        return read_shift(p, err);
    case REPEAT:
        return read_repeat(p, err);
    default:
        return read_declaration(p, kind, err);
    }
}

/* Reads up to the end of the file or of a block. */
static hiss_status read_all(struct parser *p, hiss_error *err)
{
    while (p->lex.token != HS_TOKEN_END && !hs_lexer_is_mark(&p->lex, '}'))
        HS_TRY(read_instruction(p, err));
    return HISS_OK;
}

static hiss_status read_file(struct parser *p, const char *path,
                             hiss_error *err)
{
    HS_TRY(hs_reader_open(&p->in, path, err));
    p->lex = (hs_lexer){.in = p->in, .marks = "(),^{}[]", .comments = "#"};
    HS_TRY(hs_lexer_begin(&p->lex, err));
    HS_TRY(read_all(p, err));
    if (p->lex.token != HS_TOKEN_END)
        return hs_lexer_refuse(&p->lex, "an instruction", err);
    return HISS_OK;
}

/* --- instructions to mechanisms ------------------------------------------ */

/* Every error in the order of its instructions: not sorted, not merged. */
struct errors {
    const struct parser *from;
    const char *path;
    int shift, detectors, observables;
    int64_t count, room;
    double *p;
    int64_t *at; /* owned, [room + 1] */
    int *symptom;
    int64_t symptoms, symptom_room;
    int64_t steps; /* number of executed instructions */
};

#define OBSERVABLE_BIT (1 << 30) /* set in symptoms that are observables */

static hiss_status fail_long(const struct errors *e, hiss_error *err)
{
    return hs_fail(err, HISS_ELIMIT,
                   "%s: more than %d symptoms or instructions once repeat is "
                   "unrolled",
                   e->path, HS_DEM_TARGETS_MAX);
}

static hiss_status make_room(struct errors *e, int64_t more, hiss_error *err)
{
    if (e->symptoms + more > HS_DEM_TARGETS_MAX)
        return fail_long(e, err);
    if (e->symptoms + more > e->symptom_room) {
        int64_t room = 2 * (e->symptoms + more) + 64;
        int *s = hs_realloc_array(e->symptom, (size_t)e->symptom_room,
                                  (size_t)room, sizeof *s);

        if (!s)
            return hs_fail_memory(err);
        e->symptom = s;
        e->symptom_room = room;
    }
    if (e->count == e->room) {
        int64_t room = 2 * e->room + 64;
        double *p =
            hs_realloc_array(e->p, (size_t)e->room, (size_t)room, sizeof *p);
        int64_t *at;

        if (!p)
            return hs_fail_memory(err);
        e->p = p;
        at = hs_realloc_array(e->at, (size_t)(e->room ? e->room + 1 : 0),
                              (size_t)room + 1, sizeof *at);
        if (!at)
            return hs_fail_memory(err);
        e->at = at;
        e->room = room;
    }
    return HISS_OK;
}

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

/* Sorts symptoms and removes pairs of equal ones; returns their number. */
static int64_t reduce(int *symptom, int64_t count)
{
    int64_t kept = 0;

    qsort(symptom, (size_t)count, sizeof *symptom, compare_ints);
    for (int64_t n = 0; n < count; n++)
        if (kept > 0 && symptom[kept - 1] == symptom[n])
            kept--;
        else
            symptom[kept++] = symptom[n];
    return kept;
}

static hiss_status see(struct errors *e, struct symptom t, int *code,
                       hiss_error *err)
{
    int number = t.number + (t.is_observable ? 0 : e->shift);
    int *most = t.is_observable ? &e->observables : &e->detectors;

    if (number > NUMBER_MAX)
        return hs_fail(err, HISS_ELIMIT, "%s: a detector's number is above %d",
                       e->path, NUMBER_MAX);
    *most = number + 1 > *most ? number + 1 : *most;
    *code = t.is_observable ? number | OBSERVABLE_BIT : number;
    return HISS_OK;
}

static hiss_status run_one(struct errors *e, const struct instruction *i,
                           hiss_error *err)
{
    int code = 0;
    int64_t first = e->symptoms;

    if (i->kind == SHIFT) {
        e->shift += i->value;
        return e->shift <= NUMBER_MAX
                   ? HISS_OK
                   : hs_fail(err, HISS_ELIMIT,
                             "%s: a detector's number is above %d", e->path,
                             NUMBER_MAX);
    }
    HS_TRY(make_room(e, i->last - i->first, err));
    for (int64_t t = i->first; t < i->last; t++) {
        HS_TRY(see(e, e->from->target[t], &code, err));
        e->symptom[e->symptoms++] = code;
    }
    if (i->kind == ERROR && i->p > 0.0)
        e->symptoms = first + reduce(e->symptom + first, e->symptoms - first);
    else
        e->symptoms = first;
    if (e->symptoms == first)
        return HISS_OK;
    e->p[e->count] = i->p;
    e->at[e->count++] = first;
    e->at[e->count] = e->symptoms;
    return HISS_OK;
}

static hiss_status run(struct errors *e, int first, int end, hiss_error *err)
{
    for (int at = first; at < end;) {
        const struct instruction *i = &e->from->list[at];

        if (++e->steps > HS_DEM_TARGETS_MAX)
            return fail_long(e, err);
        if (i->kind != REPEAT) {
            HS_TRY(run_one(e, i, err));
            at++;
            continue;
        }
        for (int n = 0; n < i->value && i->end > at + 1; n++)
            HS_TRY(run(e, at + 1, i->end, err));
        at = i->end;
    }
    return HISS_OK;
}

/* Index of an error, for sorting by symptoms. */
struct key {
    const struct errors *e;
    int64_t error;
};

static int compare_symptoms(const struct key *a, const struct key *b)
{
    const struct errors *e = a->e;
    int64_t i = e->at[a->error], j = e->at[b->error];
    int64_t end = e->at[a->error + 1], other = e->at[b->error + 1];

    for (; i < end && j < other; i++, j++)
        if (e->symptom[i] != e->symptom[j])
            return e->symptom[i] < e->symptom[j] ? -1 : 1;
    return (i < end) - (j < other);
}

static int compare_keys(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    int order = compare_symptoms(x, y);

    return order ? order : (x->error > y->error) - (x->error < y->error);
}

/* Merges errors with the same symptoms. */
static void merge(hs_dem *d, const struct errors *e, const struct key *key)
{
    int64_t symptoms = 0;

    for (int64_t n = 0; n < e->count; n++) {
        int64_t error = key[n].error;
        double p = e->p[error];

        if (n > 0 && compare_symptoms(&key[n - 1], &key[n]) == 0) {
            double *q = &d->p[d->count - 1];

            *q = *q * (1.0 - p) + p * (1.0 - *q);
            continue;
        }
        for (int64_t s = e->at[error]; s < e->at[error + 1]; s++) {
            int code = e->symptom[s];

            d->symptom[symptoms++] =
                code & OBSERVABLE_BIT ? d->detectors + (code ^ OBSERVABLE_BIT)
                                      : code;
        }
        d->p[d->count++] = p;
        d->at[d->count] = symptoms;
    }
}

static hiss_status set_mechanisms(hs_dem *d, const struct errors *e,
                                  hiss_error *err)
{
    size_t count = (size_t)e->count;
    struct key *key = hs_alloc_array(count, sizeof *key);

    d->detectors = e->detectors;
    d->observables = e->observables;
    d->p = hs_alloc_array(count, sizeof *d->p);
    d->at = hs_alloc_array(count + 1, sizeof *d->at);
    d->symptom = hs_alloc_array((size_t)e->symptoms, sizeof *d->symptom);
    if (!key || !d->p || !d->at || !d->symptom) {
        hs_free(key);
        return hs_fail_memory(err);
    }
    for (int64_t n = 0; n < e->count; n++)
        key[n] = (struct key){e, n};
    qsort(key, count, sizeof *key, compare_keys);
    merge(d, e, key);
    hs_free(key);
    return HISS_OK;
}

void hs_dem_clear(hs_dem *d)
{
    hs_free(d->p);
    hs_free(d->at);
    hs_free(d->symptom);
    *d = (hs_dem){0};
}

hiss_status hs_dem_read(hs_dem *d, const char *path, hiss_error *err)
{
    struct parser p = {0};
    struct errors e = {.from = &p, .path = path};
    hiss_status rc = read_file(&p, path, err);

    *d = (hs_dem){0};
    hs_lexer_end(&p.lex);
    hs_reader_close(p.in);
    if (rc == HISS_OK)
        rc = run(&e, 0, p.count, err);
    if (rc == HISS_OK && e.count == 0)
        rc = hs_fail(err, HISS_EPARSE,
                     "%s: no error flips a detector or an observable", path);
    if (rc == HISS_OK)
        rc = set_mechanisms(d, &e, err);
    hs_free(p.list);
    hs_free(p.target);
    hs_free(e.p);
    hs_free(e.at);
    hs_free(e.symptom);
    if (rc != HISS_OK)
        hs_dem_clear(d);
    return rc;
}
