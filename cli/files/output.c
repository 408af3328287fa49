/* output.c - checks and writes output files.
 *
 * Checks create nothing: the writer makes a temporary file and renames it at
 * the end.  A passed check promises nothing, but prevents most failures. */
#include "cli/files/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "cli/files/standard.h"
#include "cli/print/fail.h"
#include "cli/print/interrupt.h"

/* Returns the folder of a path; free() it. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return cli_text(".");
    if (slash == path)
        return cli_text("/");
    return cli_text("%.*s", (int)(slash - path), path);
}

static int check_folder(const char *path)
{
    char *folder = folder_of(path);
    struct stat found;
    int fault = 0, code = CLI_DONE;

    if (stat(folder, &found) != 0 || access(folder, W_OK | X_OK) != 0)
        fault = errno;
    else if (!S_ISDIR(found.st_mode))
        fault = ENOTDIR;
    if (fault == ENOENT)
        code = cli_fail(CLI_FAULT,
                        "cannot write %s: there is no folder %s; make it first",
                        path, folder);
    else if (fault)
        code = cli_fail(CLI_FAULT, "cannot write %s: folder %s: %s", path,
                        folder, strerror(fault));
    free(folder);
    return code;
}

int cli_output_check(const char *path, bool is_forced)
{
    struct stat found;

    if (cli_is_standard(path))
        return CLI_DONE;
    if (!*path)
        return cli_fail(CLI_BAD_CALL, "the name of the output file is empty");
    if (stat(path, &found) != 0) {
        if (errno == ENAMETOOLONG)
            return cli_fail(CLI_BAD_CALL, "the name %.40s... is too long",
                            path);
        if (lstat(path, &found) == 0 && !is_forced)
            return cli_fail(CLI_BAD_CALL, "%s is a link that leads nowhere",
                            path);
    } else {
        if (!S_ISREG(found.st_mode))
            return cli_fail(CLI_BAD_CALL, "%s is not a plain file", path);
        if (!is_forced)
            return cli_fail(CLI_BAD_CALL, "%s exists, --force replaces it",
                            path);
    }
    return check_folder(path);
}

/* 1.2 MB, 208 GB */
static void amount(char *out, size_t size, double bytes)
{
    static const char *const units[] = {"kB", "MB", "GB", "TB", "PB"};
    double value = bytes / 1e3;
    int unit = 0;

    for (; value >= 999.5 && unit < 4; unit++)
        value /= 1e3;
    snprintf(out, size, "%.3g %s", value, units[unit]);
}

int cli_output_check_room(const char *path, double bytes)
{
    char needs[32], has[32];
    char *folder = folder_of(path);
    struct statvfs disk;
    int code = CLI_DONE;

    if (statvfs(folder, &disk) == 0) {
        double left = (double)disk.f_bavail * (double)disk.f_frsize;

        amount(needs, sizeof needs, bytes);
        amount(has, sizeof has, left);
        if (bytes > left)
            code = cli_fail(CLI_FAULT,
                            "cannot write %s: it needs at least %s, its disk "
                            "has %s left",
                            path, needs, has);
    }
    free(folder);
    return code;
}

static bool write_all(int file, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t done = write(file, text, length);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        text += done;
        length -= (size_t)done;
    }
    return fsync(file) == 0;
}

/* Returns "x.1.csv" for "x.csv", "folder.1/" for "folder/"; free() it. */
static char *beside(const char *path, int number)
{
    size_t length = strlen(path);
    const char *slash = memrchr(path, '/', length - 1);
    const char *name = slash ? slash + 1 : path;
    const char *dot =
        path[length - 1] == '/' ? path + length - 1 : strrchr(name, '.');

    if (!dot || dot == name)
        dot = path + length;
    return cli_text("%.*s.%d%s", (int)(dot - path), path, number, dot);
}

/* Whether it failed because the name is taken: before the writing (HISS_EARG)
 * or at its end. */
static bool is_taken(const char *path, hiss_status status)
{
    struct stat found;

    return status == HISS_EARG ||
           (status == HISS_EIO && lstat(path, &found) == 0);
}

static char *write_beside(const char *path, cli_writer *write, const void *from)
{
    hiss_status status = HISS_EARG;

    for (int n = 1; n < 100 && status != HISS_OK; n++) {
        char *name = beside(path, n);
        hiss_error err = {0};

        status = write(from, name, false, &err);
        if (status == HISS_OK) {
            cli_note("it was saved as %s instead", name);
            return name;
        }
        if (!is_taken(name, status)) {
            cli_note("%s", err.message);
            n = 100;
        }
        free(name);
    }
    return NULL;
}

/* Writes to standard output by way of a temporary file. */
static int make_standard(cli_writer *write, const void *from, char **saved,
                         hiss_status *status)
{
    char *path = cli_standard_begin();
    hiss_error err = {0};
    int code = CLI_FAULT;

    *status = path ? write(from, path, false, &err) : HISS_EIO;
    if (path && *status != HISS_OK) {
        code = cli_fail_status(*status, &err);
        cli_standard_remove(path);
    } else if (path) {
        code = cli_standard_end(path);
    }
    free(path);
    *saved = code == CLI_DONE ? cli_text("standard output") : NULL;
    return code;
}

int cli_output_make(const char *path, bool is_forced, cli_writer *write,
                    const void *from, char **saved, hiss_status *status)
{
    hiss_error err = {0};
    hiss_status made;
    int code = CLI_DONE;

    if (cli_is_standard(path)) {
        code = make_standard(write, from, saved, &made);
        if (status)
            *status = made;
        return code;
    }
    cli_interrupt_hold(true);
    made = write(from, path, is_forced, &err);
    *saved = made == HISS_OK ? cli_text("%s", path) : NULL;
    if (made != HISS_OK && !is_forced && is_taken(path, made)) {
        code = cli_fail(CLI_FAULT,
                        "%s: another program has written it meanwhile, and "
                        "without --force it is kept",
                        path);
        *saved = write_beside(path, write, from);
    } else if (made != HISS_OK) {
        code = cli_fail_status(made, &err);
    }
    cli_interrupt_hold(false);
    if (status)
        *status = made;
    return code;
}

char *cli_output_part(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    int most = NAME_MAX - 32;
    int length = (int)strnlen(name, (size_t)most);

    return cli_text("%.*s%.*s.part%ld", (int)(name - path), path, length, name,
                    (long)getpid());
}

static hiss_status failed(const char *path, hiss_error *err)
{
    err->status = HISS_EIO;
    snprintf(err->message, sizeof err->message, "cannot write %s: %s", path,
             strerror(errno));
    return HISS_EIO;
}

/* Renames the temporary: by a link, which never replaces, if the file system
 * has links, else over an empty file that reserves the name. */
static hiss_status move(const void *part, const char *path, bool replace,
                        hiss_error *err)
{
    int place;

    if (replace)
        return rename(part, path) == 0 ? HISS_OK : failed(path, err);
    if (link(part, path) == 0) {
        unlink(part);
        return HISS_OK;
    }
    place = errno == EEXIST
                ? -1
                : open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (place < 0)
        return failed(path, err);
    close(place);
    if (rename(part, path) == 0)
        return HISS_OK;
    failed(path, err);
    unlink(path);
    return HISS_EIO;
}

int cli_output_move(const char *path, bool is_forced, const char *part)
{
    char *saved;
    int code = cli_output_make(path, is_forced, move, part, &saved, NULL);

    free(saved);
    return code;
}

int cli_output_write(const char *path, bool is_forced, const char *text,
                     size_t length)
{
    char *part;
    bool is_whole;
    int file, code;

    if (cli_is_standard(path)) { /* main checks whether it arrived */
        fwrite(text, 1, length, stdout);
        return CLI_DONE;
    }
    part = cli_output_part(path);
    cli_interrupt_hold(true); /* a signal must not leave the temporary */
    file =
        open(part, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    is_whole = file >= 0 && write_all(file, text, length);
    if (file >= 0 && close(file) != 0)
        is_whole = false;
    if (is_whole)
        code = cli_output_move(path, is_forced, part);
    else
        code =
            cli_fail(CLI_FAULT, "cannot write %s: %s", path, strerror(errno));
    if (file >= 0)
        unlink(part);
    cli_interrupt_hold(false);
    free(part);
    return code;
}
