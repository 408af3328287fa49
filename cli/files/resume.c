/* resume.c - the command line that a checkpoint belongs to.
 *
 * A resumed run must be the same run: model, sampler and settings come from the
 * original command, which the checkpoint stores as JSON with the files that it
 * read.  These words come from a file, so hiss/trust.h limits what they may
 * open, and outputs must be beside the checkpoint. */
#include "cli/files/resume.h"

#include <hiss/hiss.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/print/json.h"

enum {
    WORDS_MAX = 4096,
    INPUTS_MAX = 4096
};

char *cli_resume_text(const cli_common *arguments, const hiss_model *model,
                      const hiss_sampler *sampler)
{
    char *folder =
        arguments->folder ? cli_text("%s", arguments->folder) : getcwd(NULL, 0);
    char *files = hiss_model_inputs(model, sampler, arguments->evidence);
    json_t *argv = cli_json_array(), *all = cli_json_object();
    json_t *inputs = files ? json_loads(files, 0, NULL) : NULL;
    bool is_whole = inputs != NULL;
    char *text;

    for (int i = 0; i < arguments->argc && is_whole; i++) {
        json_t *word = json_string(arguments->argv[i]);

        is_whole = word != NULL;
        if (word)
            cli_json_add(argv, word);
    }
    cli_json_put_text(all, "folder", folder ? folder : ".");
    cli_json_put(all, "argv", argv);
    if (inputs)
        cli_json_put(all, "inputs", inputs);
    text = is_whole ? json_dumps(all, JSON_COMPACT) : NULL;
    json_decref(all);
    hiss_free(files);
    free(folder);
    return text;
}

int cli_resume_refuse(const cli_common *arguments)
{
    bool is_text = true;

    for (int i = 0; i < arguments->argc; i++) {
        json_t *checked = json_string(arguments->argv[i]);
        json_t *unchecked = json_string_nocheck(arguments->argv[i]);

        is_text = is_text && (checked || !unchecked);
        json_decref(checked);
        json_decref(unchecked);
    }
    if (is_text)
        return cli_fail(CLI_FAULT, "out of memory");
    return cli_fail(CLI_BAD_CALL, "a checkpoint keeps the arguments as JSON, "
                                  "and one of them is not UTF-8");
}

/* Reads the list of the run's inputs, for the rule of trust. */
static void take_inputs(const json_t *list, cli_saved *out)
{
    size_t count = json_array_size(list), n;
    const json_t *one;

    count = count < INPUTS_MAX ? count : INPUTS_MAX;
    out->recorded = cli_alloc(count, sizeof *out->recorded);
    json_array_foreach(list, n, one)
    {
        const char *path = json_string_value(json_object_get(one, "path"));
        const char *sum = json_string_value(json_object_get(one, "sha256"));

        if (n >= count)
            break;
        out->recorded[n].path = cli_text("%s", path ? path : "");
        out->recorded[n].sha256 = cli_text("%s", sum ? sum : "");
        out->trust.count++;
    }
    out->trust.recorded = out->recorded;
}

static int take(const json_t *all, cli_saved *out)
{
    const char *folder = json_string_value(json_object_get(all, "folder"));
    const json_t *argv = json_object_get(all, "argv");
    size_t count = json_array_size(argv);

    if (!folder || *folder != '/' || count < 2 || count > WORDS_MAX)
        return 0;
    out->folder = cli_text("%s", folder);
    out->argv = cli_alloc(count + 1, sizeof *out->argv);
    for (size_t i = 0; i < count; i++) {
        const char *word = json_string_value(json_array_get(argv, i));

        out->argv[i] = cli_text("%s", word ? word : "");
    }
    out->argc = (int)count;
    out->trust.base = out->folder;
    take_inputs(json_object_get(all, "inputs"), out);
    return 1;
}

/* Returns the folder of a file, links resolved; free() it. */
static char *folder_of(const char *path)
{
    char *whole = realpath(path, NULL), *slash = whole;
    char *folder;

    if (whole)
        slash = strrchr(whole, '/');
    if (!slash)
        return NULL;
    folder = cli_text("%.*s", slash == whole ? 1 : (int)(slash - whole), whole);
    free(whole);
    return folder;
}

int cli_resume_read(const char *checkpoint, cli_saved *out)
{
    hiss_error err = {0};
    char *text = NULL;
    hiss_status status = hiss_checkpoint_text(checkpoint, &text, &err);
    json_t *all;
    int is_ours;

    *out = (cli_saved){.trust = HISS_INIT(hiss_trust)};
    if (status != HISS_OK)
        return cli_fail_status(status, &err);
    all = json_loads(text, 0, NULL);
    is_ours = all && take(all, out);
    json_decref(all);
    hiss_free(text);
    out->place = folder_of(checkpoint);
    out->trust.folder = out->place;
    if (is_ours && out->place)
        return CLI_DONE;
    return cli_fail(CLI_BAD_CALL,
                    "%s: not written by the command hiss, go on with the "
                    "program that wrote it",
                    checkpoint);
}

void cli_resume_clear(cli_saved *saved)
{
    for (int i = 0; i < saved->argc; i++)
        free(saved->argv[i]);
    for (int n = 0; n < saved->trust.count; n++) {
        free((void *)(uintptr_t)saved->recorded[n].path);
        free((void *)(uintptr_t)saved->recorded[n].sha256);
    }
    free(saved->recorded);
    free(saved->argv);
    free(saved->folder);
    free(saved->place);
    *saved = (cli_saved){0};
}

int cli_resume_output(const cli_saved *saved, const char *option,
                      const char *name, char **out)
{
    size_t length = strlen(saved->place);
    char *path, *slash, *folder;
    int code = CLI_DONE;

    *out = NULL;
    if (!name)
        return CLI_DONE;
    path = *name == '/' ? cli_text("%s", name)
                        : cli_text("%s/%s", saved->folder, name);
    slash = strrchr(path, '/');
    *slash = '\0';
    folder = realpath(*path ? path : "/", NULL);
    *slash = '/';
    if (!folder || strncmp(folder, saved->place, length) != 0 ||
        (folder[length] && folder[length] != '/' && length > 1))
        code = cli_fail(CLI_BAD_CALL,
                        "the checkpoint names the output %s, outside its own "
                        "folder: give it with %s",
                        path, option);
    free(folder);
    if (code == CLI_DONE)
        *out = path;
    else
        free(path);
    return code;
}
