/* contestant.c - who takes part.
 *
 * A sampler of the library takes part with its defaults, as soon as it is in
 * the list of samplers, unless it needs company: kernels that move too little
 * by themselves get local moves beside them, and those that only combine
 * others stay away. */
#include "arena/run/contestant.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena/run/catalogue.h"
#include "cli/print/fail.h"

#define NAME_MAX_LENGTH 32

/* Samplers that do not run with their defaults. */
static const struct way {
    const char *name;
    const char *spec; /* NULL: takes no part */
    const char *tour_spec;
} ways[] = {
    {"pt", "pt(base=gibbs,levels=auto)", "pt(base=tour,levels=auto)"},
    {"cluster", "sequence(gibbs,cluster)", NULL},
    {"bridge", "sequence(gibbs,bridge)", "sequence(tour,bridge)"},
    {"strands", NULL, NULL},
    {"mix", NULL, NULL},
    {"sequence", NULL, NULL},
};

static char *copy(const char *text)
{
    return text ? cli_text("%s", text) : NULL;
}

static arena_contestant *add(arena_field *field)
{
    arena_contestant *wider =
        realloc(field->at, sizeof *wider * (size_t)(field->count + 1));

    if (!wider)
        exit(cli_fail(CLI_FAULT, "out of memory"));
    field->at = wider;
    wider[field->count] = (arena_contestant){.evals = 1.0};
    return &wider[field->count++];
}

static const struct way *way_of(const char *name)
{
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
        if (strcmp(ways[w].name, name) == 0)
            return &ways[w];
    return NULL;
}

void arena_field_fill(arena_field *field)
{
    hiss_type_info info = HISS_INIT(hiss_type_info);

    for (int n = 0; hiss_sampler_info(n, &info); n++) {
        const struct way *way = way_of(info.name);
        const char *spec = way ? way->spec : info.name;
        hiss_sampler *s = NULL;
        arena_contestant *c;

        if (!spec || hiss_sampler_create(&s, spec, NULL) != HISS_OK)
            continue;
        c = add(field);
        c->name = copy(info.name);
        c->spec = copy(spec);
        c->tour_spec = copy(way ? way->tour_spec : NULL);
        c->is_exact = hiss_sampler_is_exact(s);
        hiss_sampler_destroy(s);
    }
}

/* Whether somebody else has the name: files of one program, for one target
 * each, share it. */
static bool is_taken(const arena_field *field, const char *name,
                     const char *target)
{
    if (arena_entry_find(name) || arena_is_group(name))
        return true;
    for (int n = 0; n < field->count; n++)
        if (strcmp(field->at[n].name, name) == 0 &&
            (!target || !field->at[n].target ||
             strcmp(field->at[n].target, target) == 0))
            return true;
    return false;
}

/* A name of letters, digits, _, - and ., which nobody has. */
static int check_name(const arena_field *field, const char *option,
                      const char *name, const char *target)
{
    size_t length = strlen(name);

    if (length == 0 || length > NAME_MAX_LENGTH ||
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                     "0123456789_-.") != length)
        return cli_fail(CLI_BAD_CALL,
                        "%s: '%.64s' is no name: expected up to %d letters, "
                        "digits, _, - or .",
                        option, name, NAME_MAX_LENGTH);
    if (is_taken(field, name, target))
        return cli_fail(CLI_BAD_CALL, "%s: the name %s is taken", option, name);
    return CLI_DONE;
}

/* The options between the brackets of NAME(...). */
static int read_options(arena_contestant *c, char *text)
{
    char *word;

    while ((word = strsep(&text, ","))) {
        char *value = strchr(word, '='), *end;

        if (value)
            *value++ = '\0';
        if (value && strcmp(word, "evals") == 0) {
            c->evals = strtod(value, &end);
            if (*value && *end == '\0' && c->evals > 0.0 && c->evals <= 1e9)
                continue;
            return cli_fail(CLI_BAD_CALL,
                            "--contestant: evals=%.32s: expected a number of "
                            "evaluations per state and call",
                            value);
        }
        if (value && strcmp(word, "format") == 0 &&
            (strcmp(value, "text") == 0 || strcmp(value, "binary") == 0)) {
            c->is_text = *value == 't';
            continue;
        }
        return cli_fail(CLI_BAD_CALL,
                        "--contestant: '%.64s': expected evals=NUMBER, "
                        "format=text or format=binary",
                        word);
    }
    return CLI_DONE;
}

/* Splits "NAME(OPTIONS)=REST"; the rest, or NULL. */
static char *split(char *text, char **options)
{
    char *open = strchr(text, '('), *equals = strchr(text, '=');

    *options = NULL;
    if (open && equals && open < equals) {
        char *close = strchr(open, ')');

        if (!close || close[1] != '=')
            return NULL;
        *open = *close = '\0';
        *options = open + 1;
        return close + 2;
    }
    if (!equals)
        return NULL;
    *equals = '\0';
    return equals + 1;
}

int arena_field_add_kernel(arena_field *field, const char *text)
{
    char *words = copy(text), *options, *rest = split(words, &options);
    arena_contestant own = {.evals = 1.0, .kind = ARENA_KERNEL};
    int code = CLI_DONE;

    if (!rest || !*rest)
        code = cli_fail(CLI_BAD_CALL,
                        "--contestant: expected NAME=COMMAND or "
                        "NAME(evals=E)=COMMAND, not '%.64s'",
                        text);
    if (code == CLI_DONE)
        code = check_name(field, "--contestant", words, NULL);
    if (code == CLI_DONE && options)
        code = read_options(&own, options);
    if (code == CLI_DONE) {
        own.name = copy(words);
        own.spec = copy(rest);
        *add(field) = own;
    }
    free(words);
    return code;
}

int arena_field_add_draws(arena_field *field, const char *text)
{
    char *words = copy(text), *equals = strchr(words, '=');
    char *at = equals ? strrchr(equals, '@') : NULL;
    int code = CLI_DONE;

    if (!at || at == equals + 1)
        code =
            cli_fail(CLI_BAD_CALL,
                     "--draws: expected NAME=FILE@TARGET, not '%.64s'", text);
    if (code == CLI_DONE) {
        *equals = *at = '\0';
        if (!arena_entry_find(at + 1))
            code = cli_fail(CLI_BAD_CALL,
                            "--draws: there is no target '%.64s': hiss arena "
                            "--list",
                            at + 1);
    }
    if (code == CLI_DONE)
        code = check_name(field, "--draws", words, at + 1);
    if (code == CLI_DONE) {
        arena_contestant *c = add(field);

        c->kind = ARENA_DRAWS;
        c->name = copy(words);
        c->spec = copy(equals + 1);
        c->target = copy(at + 1);
    }
    free(words);
    return code;
}

int arena_field_check_files(const arena_field *field)
{
    for (int n = 0; n < field->count; n++) {
        const arena_contestant *c = &field->at[n];

        if (c->kind == ARENA_DRAWS && access(c->spec, R_OK) != 0)
            return cli_fail(CLI_BAD_CALL, "--draws: cannot read %s: %s",
                            c->spec, strerror(errno));
    }
    return CLI_DONE;
}

const arena_contestant *arena_field_find(const arena_field *field,
                                         const char *name)
{
    for (int n = 0; n < field->count; n++)
        if (strcmp(field->at[n].name, name) == 0)
            return &field->at[n];
    return NULL;
}

void arena_field_clear(arena_field *field)
{
    for (int n = 0; n < field->count; n++) {
        free(field->at[n].name);
        free(field->at[n].spec);
        free(field->at[n].tour_spec);
        free(field->at[n].target);
    }
    free(field->at);
    *field = (arena_field){0};
}

const char *arena_contestant_spec(const arena_contestant *c,
                                  const hiss_model *model)
{
    if (c->tour_spec && hiss_model_kind(model, 0) == HISS_PERMUTATION)
        return c->tour_spec;
    return c->spec;
}
