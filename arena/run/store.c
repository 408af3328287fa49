/* store.c - the cells that are finished, one line of JSON each. */
#include "arena/run/store.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/print/fail.h"
#include "cli/print/json.h"

#define AT(field) offsetof(arena_score, field)

static const struct {
    const char *key;
    size_t at;
} reals[] =
    {
        {"evals", AT(evals)},
        {"seconds", AT(seconds)},
        {"draws", AT(draws)},
        {"ess", AT(ess)},
        {"energy_ess", AT(energy)},
        {"discs_ess", AT(discs)},
        {"marginal_error", AT(marginals)},
        {"mode_error", AT(modes)},
        {"log_z_error", AT(log_z)},
        {"log_z_error_se", AT(log_z_se)},
},
  whole[] =
      {
          {"missed", AT(missed)},     {"wrong", AT(is_wrong)},
          {"over_time", AT(is_over)}, {"exact", AT(is_exact)},
          {"opinion", AT(opinion)},   {"keeps", AT(keeps)},
},
  words[] = {
      {"verdict", AT(verdict)},
      {"broken", AT(broken)},
      {"sampler", AT(sampler)},
      {"fault", AT(fault)},
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void *field(arena_score *s, size_t at)
{
    return (char *)s + at;
}

static char *line_of(arena_cell *cell)
{
    json_t *o = cli_json_object();
    char *text, *line;

    cli_json_put_text(o, "target", cell->target);
    cli_json_put_text(o, "contestant", cell->contestant);
    cli_json_put_text(o, "race", arena_race_names[cell->race]);
    cli_json_put_whole(o, "seed", cell->seed);
    cli_json_put_text(o, "settings", cell->settings);
    cli_json_put_text(o, "command", cell->command);
    for (size_t k = 0; k < COUNT(reals); k++)
        cli_json_put_real(o, reals[k].key,
                          *(double *)field(&cell->score, reals[k].at));
    for (size_t k = 0; k < COUNT(whole); k++)
        cli_json_put_whole(o, whole[k].key,
                           *(int *)field(&cell->score, whole[k].at));
    for (size_t k = 0; k < COUNT(words); k++)
        cli_json_put_text(o, words[k].key, field(&cell->score, words[k].at));
    text = json_dumps(o, JSON_COMPACT);
    if (!text)
        exit(cli_fail(CLI_FAULT, "out of memory"));
    line = cli_text("%s\n", text);
    free(text);
    json_decref(o);
    return line;
}

static char *text_of(const json_t *o, const char *key)
{
    const char *text = json_string_value(json_object_get(o, key));

    return cli_text("%s", text ? text : "");
}

static bool read_cell(const json_t *o, arena_cell *cell)
{
    const char *race = json_string_value(json_object_get(o, "race"));

    if (!race || !json_string_value(json_object_get(o, "target")) ||
        !json_string_value(json_object_get(o, "contestant")))
        return false;
    arena_score_init(&cell->score);
    cell->race = strcmp(race, "evals") == 0 ? ARENA_EVALS : ARENA_SECONDS;
    cell->seed = (int)json_integer_value(json_object_get(o, "seed"));
    for (size_t k = 0; k < COUNT(reals); k++) {
        const json_t *v = json_object_get(o, reals[k].key);

        *(double *)field(&cell->score, reals[k].at) =
            json_is_number(v) ? json_number_value(v) : (double)NAN;
    }
    for (size_t k = 0; k < COUNT(whole); k++)
        *(int *)field(&cell->score, whole[k].at) =
            (int)json_integer_value(json_object_get(o, whole[k].key));
    for (size_t k = 0; k < COUNT(words); k++) {
        char *text = text_of(o, words[k].key);

        snprintf(field(&cell->score, words[k].at), ARENA_WORDS, "%s", text);
        free(text);
    }
    cell->target = text_of(o, "target");
    cell->contestant = text_of(o, "contestant");
    cell->settings = text_of(o, "settings");
    cell->command = text_of(o, "command");
    return true;
}

void arena_cell_clear(arena_cell *cell)
{
    free(cell->target);
    free(cell->contestant);
    free(cell->settings);
    free(cell->command);
}

/* A later cell of the same place replaces an earlier one. */
static void put(arena_store *store, const arena_cell *cell)
{
    for (int n = 0; n < store->count; n++) {
        arena_cell *old = &store->cells[n];

        if (old->race == cell->race && old->seed == cell->seed &&
            strcmp(old->target, cell->target) == 0 &&
            strcmp(old->contestant, cell->contestant) == 0) {
            arena_cell_clear(old);
            *old = *cell;
            return;
        }
    }
    if (store->count == store->room) {
        int room = store->room ? 2 * store->room : 256;
        arena_cell *wider = realloc(store->cells, sizeof *wider * (size_t)room);

        if (!wider)
            exit(cli_fail(CLI_FAULT, "out of memory"));
        store->cells = wider;
        store->room = room;
    }
    store->cells[store->count++] = *cell;
}

/* A line that is not whole is cut off, so that the next one begins a line. */
static int read_lines(arena_store *store, FILE *in)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    off_t good = 0;

    while ((length = getline(&line, &room, in)) > 0) {
        json_t *o = line[length - 1] == '\n' ? json_loads(line, 0, NULL) : NULL;
        arena_cell cell;

        if (!o)
            break;
        if (read_cell(o, &cell))
            put(store, &cell);
        good += length;
        json_decref(o);
    }
    free(line);
    if (length > 0 && truncate(store->path, good) != 0)
        return cli_fail(CLI_FAULT, "cannot write %s: %s", store->path,
                        strerror(errno));
    return CLI_DONE;
}

int arena_store_open(arena_store *store, const char *folder)
{
    FILE *in;
    int code;

    *store = (arena_store){.path = cli_text("%s/" ARENA_CELLS, folder)};
    in = fopen(store->path, "r");
    if (!in)
        return errno == ENOENT ? CLI_DONE
                               : cli_fail(CLI_FAULT, "cannot read %s: %s",
                                          store->path, strerror(errno));
    code = read_lines(store, in);
    fclose(in);
    return code;
}

void arena_store_close(arena_store *store)
{
    for (int n = 0; n < store->count; n++)
        arena_cell_clear(&store->cells[n]);
    free(store->cells);
    free(store->path);
    *store = (arena_store){0};
}

const arena_cell *arena_store_find(const arena_store *store, const char *name,
                                   const char *contestant, arena_race race,
                                   int seed, const char *settings)
{
    for (int n = 0; n < store->count; n++) {
        const arena_cell *c = &store->cells[n];

        if (c->race == race && c->seed == seed &&
            strcmp(c->target, name) == 0 &&
            strcmp(c->contestant, contestant) == 0 &&
            (!settings || strcmp(c->settings, settings) == 0))
            return c;
    }
    return NULL;
}

int arena_store_add(arena_store *store, arena_cell *cell)
{
    char *line = line_of(cell);
    FILE *out = fopen(store->path, "a");
    bool is_written = out && fputs(line, out) != EOF;
    int code = CLI_DONE;

    if (out && fclose(out) != 0)
        is_written = false;
    if (!is_written)
        code = cli_fail(CLI_FAULT, "cannot write %s: %s", store->path,
                        strerror(errno));
    free(line);
    put(store, cell);
    return code;
}
