/* standard.c - "-" as a file: standard input and standard output.
 *
 * Readers and writers of results need a file with a name, some of them because
 * their library does.  So there is a temporary one, in its own folder below
 * TMPDIR, while it is copied. */
#include "cli/files/standard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/print/fail.h"

enum {
    ROOM = 1 << 16,
    HEAD = 4
};

static int claimed = -1;           /* descriptor of the data */
static const char *claimed_suffix; /* borrowed */

bool cli_is_standard(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* Makes a new folder and returns a name in it; free() it.  NULL with errno. */
static char *temporary(const char *name)
{
    const char *root = getenv("TMPDIR");
    char *folder = cli_text("%s/hiss-XXXXXX", root && *root ? root : "/tmp");
    char *path = NULL;

    if (mkdtemp(folder))
        path = cli_text("%s/%s", folder, name);
    free(folder);
    return path;
}

void cli_standard_remove(const char *path)
{
    char *folder = cli_text("%.*s", (int)(strrchr(path, '/') - path), path);

    unlink(path);
    rmdir(folder);
    free(folder);
}

static bool write_all(int to, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t done = write(to, bytes, count);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        bytes += done;
        count -= (size_t)done;
    }
    return true;
}

/* Returns false with errno. */
static bool copy(int from, int to)
{
    char room[ROOM];

    for (;;) {
        ssize_t got = read(from, room, sizeof room);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got == 0;
        if (!write_all(to, room, (size_t)got))
            return false;
    }
}

/* --- in ----------------------------------------------------------------- */

/* Reads up to HEAD bytes of standard input. */
static size_t read_head(char head[HEAD])
{
    size_t length = 0;
    ssize_t got = 1;

    while (length < HEAD && got > 0) {
        got = read(STDIN_FILENO, head + length, HEAD - length);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got > 0)
            length += (size_t)got;
    }
    return length;
}

int cli_standard_result(char **path)
{
    char head[HEAD] = "";
    size_t length = read_head(head);
    bool is_netcdf =
        memcmp(head, "CDF", 3) == 0 || memcmp(head, "\x89HDF", HEAD) == 0;
    int file = -1;
    bool is_whole;

    *path = NULL;
    if (length == 0)
        return cli_fail(CLI_BAD_CALL,
                        "standard input (-) is empty, expected a result, .nc "
                        "or .csv");
    *path = temporary(is_netcdf ? "standard_input.nc" : "standard_input.csv");
    if (*path)
        file = open(*path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    is_whole =
        file >= 0 && write_all(file, head, length) && copy(STDIN_FILENO, file);
    if (file >= 0 && close(file) != 0)
        is_whole = false;
    if (is_whole)
        return CLI_DONE;
    cli_fail(CLI_FAULT, "standard input (-) cannot be kept in a file: %s",
             strerror(errno));
    if (*path)
        cli_standard_remove(*path);
    free(*path);
    *path = NULL;
    return CLI_FAULT;
}

/* --- out ---------------------------------------------------------------- */

static bool is_binary(const char *suffix)
{
    return strcmp(suffix, ".nc") == 0 || strcmp(suffix, ".npz") == 0;
}

int cli_standard_claim(const cli_common *arguments, const char *path,
                       const char *suffix)
{
    if (!cli_is_standard(path))
        return CLI_DONE;
    if (arguments->json)
        return cli_fail(CLI_BAD_CALL,
                        "--json and the file - both want standard output");
    if (claimed >= 0)
        return cli_fail(CLI_BAD_CALL,
                        "standard output (-) can be given only once");
    if (is_binary(suffix) && isatty(STDOUT_FILENO))
        return cli_fail(CLI_BAD_CALL,
                        "%s is binary and standard output is a terminal: name "
                        "a file, or use a pipe",
                        suffix);
    claimed = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (claimed < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return cli_fail(CLI_FAULT, "cannot write to standard output: %s",
                        strerror(errno));
    claimed_suffix = suffix;
    return CLI_DONE;
}

const char *cli_standard_suffix(void)
{
    return claimed_suffix;
}

char *cli_standard_begin(void)
{
    char *name = cli_text("standard_output%s", claimed_suffix);
    char *path = temporary(name);

    free(name);
    if (!path)
        cli_fail(CLI_FAULT, "no temporary folder can be made: %s",
                 strerror(errno));
    return path;
}

int cli_standard_end(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool is_whole = file >= 0 && copy(file, claimed);
    int fault = errno;

    if (file >= 0)
        close(file);
    cli_standard_remove(path);
    if (is_whole)
        return CLI_DONE;
    return cli_fail(CLI_FAULT, "cannot write to standard output: %s",
                    strerror(fault));
}
