/* resume.c - the command line that a checkpoint belongs to.
 *
 * A run that goes on must be the same run: model, sampler and settings come
 * from the command that started it, kept as JSON inside the checkpoint. */
#include "resume.h"

#include <hiss/hiss.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json.h"

char *cli_resume_text(const cli_common *arguments)
{
    char *folder = getcwd(NULL, 0);
    json_t *argv = cli_json_array(), *all = cli_json_object();
    char *text;

    for (int i = 0; i < arguments->argc; i++) {
        json_t *word = json_string(arguments->argv[i]);

        if (!word) {
            json_decref(argv);
            json_decref(all);
            free(folder);
            return NULL;
        }
        cli_json_add(argv, word);
    }
    cli_json_put_text(all, "folder", folder ? folder : ".");
    cli_json_put(all, "argv", argv);
    text = json_dumps(all, JSON_COMPACT);
    json_decref(all);
    free(folder);
    return text;
}

static int take(const json_t *all, cli_saved *out)
{
    const char *folder = json_string_value(json_object_get(all, "folder"));
    const json_t *argv = json_object_get(all, "argv");
    size_t count = json_array_size(argv);

    if (!folder || count < 2)
        return 0;
    out->folder = cli_text("%s", folder);
    out->argv = cli_alloc(count + 1, sizeof *out->argv);
    for (size_t i = 0; i < count; i++) {
        const char *word = json_string_value(json_array_get(argv, i));

        out->argv[i] = cli_text("%s", word ? word : "");
    }
    out->argc = (int)count;
    return 1;
}

int cli_resume_read(const char *checkpoint, cli_saved *out)
{
    hiss_error err = {0};
    char *text = NULL;
    hiss_status status = hiss_checkpoint_text(checkpoint, &text, &err);
    json_t *all;
    int is_ours;

    *out = (cli_saved){0};
    if (status != HISS_OK)
        return cli_fail_status(status, &err);
    all = json_loads(text, 0, NULL);
    is_ours = all && take(all, out);
    json_decref(all);
    hiss_free(text);
    if (is_ours)
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
    free(saved->argv);
    free(saved->folder);
    *saved = (cli_saved){0};
}

char *cli_resume_absolute(const char *path)
{
    char *folder, *whole;

    if (path[0] == '/')
        return cli_text("%s", path);
    folder = getcwd(NULL, 0);
    whole = cli_text("%s/%s", folder ? folder : ".", path);
    free(folder);
    return whole;
}

int cli_resume_enter(const cli_saved *saved)
{
    if (chdir(saved->folder) == 0)
        return CLI_DONE;
    return cli_fail(CLI_BAD_CALL,
                    "%s, the folder where the run was started, cannot be "
                    "entered: %s",
                    saved->folder, strerror(errno));
}
