/* save.c - writes a result to its files. */
#include "cli/files/save.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/files/output.h"
#include "cli/files/standard.h"
#include "cli/print/interrupt.h"

static bool ends_in(const char *text, const char *tail)
{
    size_t length = strlen(text), size = strlen(tail);

    return length >= size && strcmp(text + length - size, tail) == 0;
}

/* Checks that the number of any chain fits into the name. */
static int check_length(const char *stem)
{
    char *longest = cli_text("%s-1000000.csv", stem);
    int code = cli_output_check(longest, true);

    free(longest);
    return code;
}

/* Stan CSV: files beside the name, or in a folder of that name. */
static int check_many(const char *path, bool is_forced)
{
    size_t length = strlen(path);
    bool is_folder = ends_in(path, "/");
    char *first, *stem;
    int code = CLI_DONE;

    if (is_folder) {
        struct stat found;

        stem = cli_text("%.*s", (int)(length - 1), path);
        first = cli_text("%schain-1.csv", path);
        if (stat(stem, &found) == 0 && !S_ISDIR(found.st_mode))
            code = cli_fail(CLI_BAD_CALL, "%s is not a folder", stem);
        else if (access(path, F_OK) == 0)
            code = cli_output_check(first, is_forced);
        else
            code = cli_output_check(stem, is_forced);
    } else {
        stem = cli_text("%.*s", (int)(length - strlen(".stan")), path);
        first = cli_text("%s-1.csv", stem);
        code = check_length(stem);
        if (code == CLI_DONE)
            code = cli_output_check(first, is_forced);
    }
    free(stem);
    free(first);
    return code;
}

/* The suffix of a kind of files written to a pipe: ".csv" for "csv" or ".csv";
 * NULL if there is none. */
static const char *streamed(const char *kind)
{
    static const char *const suffixes[] = {".csv", ".nc", ".npz", ".json"};

    kind += *kind == '.';
    for (size_t n = 0; n < sizeof suffixes / sizeof *suffixes; n++)
        if (strcmp(kind, suffixes[n] + 1) == 0)
            return suffixes[n];
    return NULL;
}

int cli_save_claim(const cli_common *arguments, const char *path,
                   const char *to)
{
    const char *suffix = streamed(to ? to : "csv");

    if (to && !cli_is_standard(path))
        return cli_fail(CLI_BAD_CALL,
                        "--to is for draws that go to standard output, -o -: "
                        "a file has its kind from its suffix");
    if (!suffix)
        return cli_fail(CLI_BAD_CALL,
                        "--to: '%.64s' is unknown, expected csv, nc, npz or "
                        "json",
                        to);
    return cli_standard_claim(arguments, path, suffix);
}

int cli_save_check(const char *path, bool is_forced)
{
    struct stat found;
    hiss_error err = {0};
    hiss_status status;

    if (cli_is_standard(path))
        return CLI_DONE;
    if (stat(path, &found) == 0 && S_ISDIR(found.st_mode) &&
        !ends_in(path, "/"))
        return cli_fail(CLI_BAD_CALL,
                        "%s is a folder, expected a file such as %s/run.nc; "
                        "%s/ writes Stan CSV into it",
                        path, path, path);
    status = hiss_output_check(path, NULL, &err);
    if (status != HISS_OK)
        return cli_fail_status(status, &err);
    if (ends_in(path, "/") || ends_in(path, ".stan"))
        return check_many(path, is_forced);
    return cli_output_check(path, is_forced);
}

int cli_save_check_model(const char *path, const hiss_model *model, int chains,
                         double samples)
{
    bool is_text = ends_in(path, ".csv") || ends_in(path, ".stan");
    /* a line has at least "c,d,u\n" and two bytes per coordinate; packed draws
     * have an energy and at least a bit per coordinate */
    double row = is_text ? 6 + 2.0 * hiss_model_dim(model)
                         : 8 + hiss_model_dim(model) / 8.0;
    bool is_standard = cli_is_standard(path);
    char *name = cli_text("x%s", is_standard ? cli_standard_suffix() : path);
    hiss_error err = {0};
    hiss_status status = hiss_output_check(name, model, &err);

    free(name);
    if (status != HISS_OK)
        return cli_fail_status(status, &err);
    if (is_standard || ends_in(path, ".MAR") || ends_in(path, ".MAP"))
        return CLI_DONE;
    return cli_output_check_room(path, row * chains * samples);
}

/* Writes the requested format, or CSV, which needs no room for headers; returns
 * the name, or NULL. */
static char *write_either(const hiss_result *result, const char *wanted,
                          bool is_forced)
{
    char *path = cli_text("%s", wanted);

    if (hiss_result_write(result, path, is_forced, NULL) == HISS_OK)
        return path;
    free(path);
    if (!ends_in(wanted, ".nc"))
        return NULL;
    path = cli_text("%s.csv", wanted);
    if (hiss_result_write(result, path, 0, NULL) == HISS_OK)
        return path;
    free(path);
    return NULL;
}

/* Handles a full disk after a long run: the draws go to the temporary folder
 * or, if that is full too, every second, fourth, ... of them goes to the
 * requested place. */
static char *rescue(hiss_result *result, const char *wanted, bool is_forced,
                    bool may_halve)
{
    const char *folder = getenv("TMPDIR");
    hiss_error err = {0};
    char *path = cli_text("%s/hiss-%ld.csv",
                          folder && *folder ? folder : "/tmp", (long)getpid());

    if (hiss_result_write(result, path, 0, &err) == HISS_OK) {
        cli_note("the draws were saved as %s instead", path);
        return path;
    }
    free(path);
    cli_note("the draws could not be saved elsewhere: %s", err.message);
    path = NULL;
    for (long long n = 2; may_halve && !path && hiss_result_halve(result);
         n *= 2) {
        path = write_either(result, wanted, is_forced);
        if (path)
            cli_note("%s has one of %lld draws: there was no room for more",
                     path, n);
    }
    return path;
}

static hiss_status write_result(const void *from, const char *path,
                                bool replace, hiss_error *err)
{
    return hiss_result_write(from, path, replace, err);
}

int cli_save(hiss_result *result, const char *path, bool is_forced,
             char **saved)
{
    hiss_status status;
    int code =
        cli_output_make(path, is_forced, write_result, result, saved, &status);

    if (status != HISS_OK && !*saved) {
        cli_interrupt_hold(true);
        *saved = rescue(result, path, is_forced,
                        status == HISS_EIO && !ends_in(path, ".MAR") &&
                            !ends_in(path, ".MAP"));
        cli_interrupt_hold(false);
    }
    return code;
}
