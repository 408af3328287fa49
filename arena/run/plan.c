/* plan.c - which cells are to be run, and how. */
#include "arena/run/plan.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print/fail.h"
#include "cli/print/interrupt.h"

enum {
    JOBS_MAX = 256,
    NAMES_MAX = 512,
};

static const double QUICK = 0.13;           /* share of the evaluations */
static const double SECONDS[2] = {1, 0.15}; /* of a run: whole, quick */
static const double LIMIT[2] = {8, 2};      /* of the processor, any run */
static const double VERDICT[2] = {2, 0.6};

/* --- what is asked for ------------------------------------------------ */

/* Whether a list with commas has the name. */
static bool lists(const char *list, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 &&
            (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

static bool names_target(const char *only)
{
    for (const arena_entry *e = arena_catalogue; e->name; e++)
        if (lists(only, e->name) || lists(only, e->group))
            return true;
    return false;
}

static bool names_contestant(const arena_plan *plan)
{
    for (int n = 0; n < plan->field->count; n++)
        if (lists(plan->only, plan->field->at[n].name))
            return true;
    return false;
}

bool arena_plan_has_target(const arena_plan *plan, const arena_entry *e)
{
    if (plan->only && names_target(plan->only))
        return lists(plan->only, e->name) || lists(plan->only, e->group);
    return !plan->is_quick || e->is_quick;
}

bool arena_plan_has(const arena_plan *plan, const arena_contestant *c,
                    const arena_entry *e)
{
    if (c->target && strcmp(c->target, e->name) != 0)
        return false;
    return !plan->only || !names_contestant(plan) || lists(plan->only, c->name);
}

int arena_plan_check(const arena_plan *plan)
{
    char *words = cli_text("%s", plan->only ? plan->only : ""), *rest = words;
    const char *names[NAMES_MAX + 1] = {NULL}, *word;
    int known = 0, code = CLI_DONE;

    for (const arena_entry *e = arena_catalogue; e->name; e++) {
        names[known++] = e->name;
        names[known++] = e->group;
    }
    for (int n = 0; n < plan->field->count && known < NAMES_MAX; n++)
        names[known++] = plan->field->at[n].name;
    while (code == CLI_DONE && plan->only && (word = strsep(&rest, ","))) {
        char hint[HISS_SUGGESTION_MAX];
        int n = 0;

        while (n < known && strcmp(names[n], word) != 0)
            n++;
        if (n == known)
            code = cli_fail(CLI_BAD_CALL,
                            "--only: '%.64s' is neither a target, a group nor "
                            "a contestant%s: hiss arena --list",
                            word, hiss_suggestion(hint, word, names, "", ""));
    }
    free(words);
    return code;
}

/* A verdict is asked for of runs by evaluations; quickly, of the first. */
arena_budget arena_plan_budget(const arena_plan *plan, const arena_entry *e,
                               int seed, arena_race race)
{
    bool is_judged = race == ARENA_EVALS && (seed == 1 || !plan->is_quick);
    arena_budget b = {
        .evals = e->evals * (plan->is_quick ? QUICK : 1.0),
        .seconds = SECONDS[plan->is_quick],
        .limit = LIMIT[plan->is_quick],
        .verdict = is_judged ? VERDICT[plan->is_quick] : 0.0,
    };

    if (plan->evals > 0.0)
        b.evals = e->evals * plan->evals;
    if (plan->seconds > 0.0)
        b.seconds = plan->seconds;
    b.limit = fmax(b.limit, 2.0 * b.seconds);
    return b;
}

/* --- running ------------------------------------------------ */

/* A place of the table. */
struct place {
    const arena_contestant *who;
    arena_race race;
    int seed;
    arena_budget budget;
    char *settings; /* owned */
};

/* One that is being run. */
struct job {
    arena_child child;
    arena_cell cell;
};

/* The runs of one target. */
struct field {
    const arena_plan *plan;
    arena_store *store;
    const arena_entry *entry;
    instance at;
    struct job job[JOBS_MAX];
    int running;
    int contestant, turn; /* the next job to consider */
    int code;
};

static char *settings_of(const struct place *p)
{
    return p->race == ARENA_EVALS
               ? cli_text("%s evals=%g verdict=%g", p->who->spec,
                          p->budget.evals, p->budget.verdict)
               : cli_text("%s seconds=%g", p->who->spec, p->budget.seconds);
}

/* What makes a cell again: the plan, for this target and contestant. */
static char *command_of(const arena_plan *plan, const arena_entry *e,
                        const arena_contestant *c)
{
    char *own =
        c->kind == ARENA_SAMPLER ? cli_text("%s", "")
        : c->kind == ARENA_DRAWS
            ? cli_text(" --draws '%s=%s@%s'", c->name, c->spec, c->target)
            : cli_text(" --contestant '%s(evals=%g,format=%s)=%s'", c->name,
                       c->evals, c->is_text ? "text" : "binary", c->spec);
    char *text = cli_text("hiss arena%s --only %s,%s --seeds %d%s --out DIR",
                          plan->is_quick ? " --quick" : "", e->name, c->name,
                          plan->seeds, own);

    free(own);
    return text;
}

/* Whether a cell is there that stays true: what comes from outside may have
 * been mended since, a file of draws without another name. */
static bool is_done(const struct field *f, const struct place *p)
{
    const arena_cell *cell = arena_store_find(
        f->store, f->entry->name, p->who->name, p->race, p->seed, p->settings);

    if (!cell || p->who->kind == ARENA_SAMPLER)
        return cell != NULL;
    return p->who->kind == ARENA_KERNEL && !*cell->score.fault;
}

/* The race and seed of a turn; false: it is not to be run. */
static bool take_turn(const struct field *f, struct place *p)
{
    const arena_plan *plan = f->plan;
    int races = p->who->kind == ARENA_DRAWS ? 1 : ARENA_RACES;

    p->race = (arena_race)(f->turn % races);
    p->seed = f->turn / races + 1;
    if (races > 1 && plan->race != ARENA_RACES && plan->race != p->race)
        return false;
    p->budget = arena_plan_budget(plan, f->entry, p->seed, p->race);
    p->settings = settings_of(p);
    if (!is_done(f, p))
        return true;
    free(p->settings);
    return false;
}

/* The next place that has no cell yet; false: there is none. */
static bool find_next(struct field *f, struct place *p)
{
    const arena_field *all = f->plan->field;

    for (; f->contestant < all->count; f->contestant++, f->turn = 0) {
        int turns;

        p->who = &all->at[f->contestant];
        turns = p->who->kind == ARENA_DRAWS ? 1 : ARENA_RACES * f->plan->seeds;
        if (!arena_plan_has(f->plan, p->who, f->entry))
            continue;
        while (f->turn < turns) {
            bool is_taken = take_turn(f, p);

            f->turn++;
            if (is_taken)
                return true;
        }
    }
    return false;
}

static void start(struct field *f, struct place *p)
{
    struct job *job = f->job;

    while (job->child.pid != 0)
        job++;
    job->cell = (arena_cell){
        .target = cli_text("%s", f->entry->name),
        .contestant = cli_text("%s", p->who->name),
        .settings = p->settings,
        .command = command_of(f->plan, f->entry, p->who),
        .race = p->race,
        .seed = p->seed,
    };
    if (arena_child_start(&job->child, &f->at, p->who, p->race, p->seed,
                          &p->budget)) {
        f->running++;
        return;
    }
    f->code = cli_fail(CLI_FAULT, "no process for a run: %s",
                       errno == ENOSYS ? "a WebAssembly build starts none"
                                       : strerror(errno));
    arena_cell_clear(&job->cell);
}

static void end(struct field *f, struct job *job, bool is_killed)
{
    arena_child_end(&job->child, is_killed);
    f->running--;
    if (is_killed) {
        arena_cell_clear(&job->cell);
        return;
    }
    job->cell.score = job->child.score;
    if (arena_store_add(f->store, &job->cell) != CLI_DONE)
        f->code = CLI_FAULT;
}

/* Waits for something of what runs, and takes it. */
static void serve(struct field *f)
{
    struct pollfd ends[JOBS_MAX];
    struct job *who[JOBS_MAX];
    nfds_t count = 0;

    for (int n = 0; n < f->plan->jobs; n++)
        if (f->job[n].child.pid) {
            who[count] = &f->job[n];
            ends[count++] =
                (struct pollfd){.fd = f->job[n].child.from, .events = POLLIN};
        }
    if (poll(ends, count, 200) <= 0)
        return;
    for (nfds_t n = 0; n < count; n++)
        if (ends[n].revents && !arena_child_read(&who[n]->child))
            end(f, who[n], false);
}

static void run_places(struct field *f, struct place *p)
{
    bool has_next = true;

    while (f->code == CLI_DONE && !cli_interrupt_signal()) {
        while (has_next && f->running < f->plan->jobs && f->code == CLI_DONE) {
            start(f, p);
            has_next = find_next(f, p);
        }
        if (f->running == 0)
            return;
        serve(f);
    }
    if (has_next)
        free(p->settings);
    for (int n = 0; n < f->plan->jobs; n++)
        if (f->job[n].child.pid)
            end(f, &f->job[n], true);
}

/* The model of a target that other commands and programs can open: a spec, a
 * public file, or one that is written for them; "" where there is none.  free()
 * it. */
static char *model_of(const struct field *f)
{
    char *found = NULL, *name, *path;

    if (f->entry->model && strncmp(f->entry->model, "data/", 5) == 0 &&
        hiss_find_data(f->entry->model + 5, &found, NULL) == HISS_OK && found) {
        path = cli_text("%s", found);
        hiss_free(found);
        return path;
    }
    if (f->entry->model || !f->at.uai)
        return cli_text("%s", f->entry->model ? f->entry->model : "");
    name = cli_text("models/%s.uai", f->entry->name);
    path = cli_folder_file(f->plan->folder, "%s", name);
    if (cli_folder_make(f->plan->folder, "models") != CLI_DONE ||
        cli_folder_write(f->plan->folder, name, f->at.uai) != CLI_DONE)
        *path = '\0';
    free(name);
    return path;
}

/* Contestants from outside find the target in their environment. */
static void tell(const struct field *f)
{
    char *model = model_of(f);

    setenv("HISS_TARGET", f->entry->name, 1);
    setenv("HISS_MODEL", model, 1);
    free(model);
}

/* What is missing of one target. */
static int run_target(const arena_plan *plan, arena_store *store,
                      const arena_entry *e)
{
    struct field *f = cli_alloc(1, sizeof *f);
    struct place first;
    int code;

    f->plan = plan;
    f->store = store;
    f->entry = e;
    if (find_next(f, &first)) {
        if (!plan->is_quiet)
            fprintf(stderr, "%s: %s\n", e->name, e->title);
        if (instance_make(&f->at, target_find(e->name), 1)) {
            instance_measure_energy(&f->at);
            tell(f);
            run_places(f, &first);
        } else {
            if (!plan->is_quiet)
                cli_note("left out: %s is not at hand here", e->name);
            free(first.settings);
        }
        instance_clear(&f->at);
    }
    code = f->code;
    free(f);
    return code;
}

int arena_plan_run(const arena_plan *plan, arena_store *store)
{
    int code = CLI_DONE;

    for (const arena_entry *e = arena_catalogue;
         e->name && code == CLI_DONE && !cli_interrupt_signal(); e++)
        if (arena_plan_has_target(plan, e))
            code = run_target(plan, store, e);
    return code;
}
