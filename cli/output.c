/* output.c - the checks of an output path.
 *
 * Nothing is created here: the writer makes a temporary file and renames it.
 * A check that passes is no promise, only the end of most bad surprises. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "fail.h"

/* The folder of a path; free() it. */
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
    if (fault)
        code = cli_fail(CLI_FAULT, "cannot write %s: folder %s: %s", path,
                        folder, strerror(fault));
    free(folder);
    return code;
}

int cli_output_check(const char *path, bool is_forced)
{
    struct stat found;

    if (!*path)
        return cli_fail(CLI_BAD_CALL, "the name of the output file is empty");
    if (stat(path, &found) == 0) {
        if (!S_ISREG(found.st_mode))
            return cli_fail(CLI_BAD_CALL, "%s is not a plain file", path);
        if (!is_forced)
            return cli_fail(CLI_BAD_CALL, "%s exists, --force replaces it",
                            path);
    }
    return check_folder(path);
}

int cli_output_check_room(const char *path, double bytes)
{
    char *folder = folder_of(path);
    struct statvfs disk;
    int code = CLI_DONE;

    if (statvfs(folder, &disk) == 0) {
        double left = (double)disk.f_bavail * (double)disk.f_frsize;

        if (bytes > left)
            code = cli_fail(CLI_FAULT,
                            "cannot write %s: it needs at least %.3g MB, its "
                            "disk has %.3g MB left",
                            path, bytes / 1e6, left / 1e6);
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

int cli_output_write(const char *path, const char *text, size_t length)
{
    char *scratch = cli_text("%s.part%ld", path, (long)getpid());
    int file = open(scratch, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool is_whole = file >= 0 && write_all(file, text, length);
    int code = CLI_DONE;

    if (file >= 0 && close(file) != 0)
        is_whole = false;
    if (!is_whole || rename(scratch, path) != 0) {
        code =
            cli_fail(CLI_FAULT, "cannot write %s: %s", path, strerror(errno));
        if (file >= 0)
            unlink(scratch);
    }
    free(scratch);
    return code;
}
