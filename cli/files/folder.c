/* folder.c - creates, locks and writes an output folder.
 *
 * The lock is flock(2) on a hidden file, so it ends with its process, however
 * that ends.  The holder removes the file.  A lock on a file that is no longer
 * in the folder is void, and is tried again. */
#include "cli/files/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/files/output.h"

static const char LOCK[] = ".lock";
static const double ROOM = 16e6; /* bytes needed for a whole report */

char *cli_folder_file(const cli_folder *folder, const char *format, ...)
{
    char *name = NULL, *path;
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vasprintf(&name, format, arguments);
    va_end(arguments);
    if (length < 0)
        exit(cli_fail(CLI_FAULT, "out of memory"));
    path = cli_text("%s/%s", folder->path, name);
    free(name);
    return path;
}

static int make(const char *path)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return CLI_DONE;
    return cli_fail(CLI_FAULT, "cannot make the folder %s: %s", path,
                    strerror(errno));
}

int cli_folder_make(const cli_folder *folder, const char *name)
{
    char *path = cli_folder_file(folder, "%s", name);
    int code = make(path);

    free(path);
    return code;
}

/* Whether the folder has anything that is neither hidden nor ours.  A run
 * writes its lock before anything else, and its mark as soon as it can be
 * resumed. */
static bool is_foreign(const char *path, const char *mark)
{
    bool has_mark = false, has_more = false;
    DIR *dir = opendir(path);
    struct dirent *entry;

    if (!dir)
        return false;
    while ((entry = readdir(dir))) {
        if (strcmp(entry->d_name, mark) == 0 ||
            strcmp(entry->d_name, LOCK) == 0)
            has_mark = true;
        else if (entry->d_name[0] != '.')
            has_more = true;
    }
    closedir(dir);
    return has_more && !has_mark;
}

static int check(const char *path, const char *mark, bool is_forced)
{
    struct stat found;

    if (!*path)
        return cli_fail(CLI_BAD_CALL, "the name of the folder is empty");
    if (stat(path, &found) != 0)
        return errno == ENOENT
                   ? CLI_DONE
                   : cli_fail(CLI_FAULT, "%s: %s", path, strerror(errno));
    if (!S_ISDIR(found.st_mode))
        return cli_fail(CLI_BAD_CALL, "%s is not a folder", path);
    if (is_foreign(path, mark) && !is_forced)
        return cli_fail(CLI_BAD_CALL,
                        "%s holds other files and no %s: name another folder, "
                        "or write into it with --force",
                        path, mark);
    return CLI_DONE;
}

/* Fails with the number of the process that holds the lock, which it wrote into
 * the file. */
static int fail_locked(const cli_folder *folder, int lock)
{
    char text[32] = "";
    ssize_t length = read(lock, text, sizeof text - 1);
    long holder;

    text[length > 0 ? length : 0] = '\0';
    holder = strtol(text, NULL, 10);
    close(lock);
    if (holder > 0)
        return cli_fail(CLI_BAD_CALL,
                        "%s is in use by another run (process %ld)",
                        folder->path, holder);
    return cli_fail(CLI_BAD_CALL, "%s is in use by another run", folder->path);
}

/* Whether the open file is the one that the path names. */
static bool is_there(int file, const char *path)
{
    struct stat open_one, named;

    return fstat(file, &open_one) == 0 && stat(path, &named) == 0 &&
           open_one.st_dev == named.st_dev && open_one.st_ino == named.st_ino;
}

/* Returns an open file, and whether it is locked; negative if there is none. */
static int open_lock(const char *path, bool *is_locked)
{
    for (;;) {
        int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

        *is_locked = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0;
        if (!*is_locked || is_there(lock, path))
            return lock;
        close(lock);
    }
}

static int take_lock(cli_folder *folder)
{
    char *path = cli_folder_file(folder, "%s", LOCK);
    bool is_locked;
    int lock = open_lock(path, &is_locked), code = CLI_DONE;

    if (lock < 0) {
        code = cli_fail(CLI_FAULT, "cannot write into %s: %s", folder->path,
                        strerror(errno));
    } else if (!is_locked) {
        code = fail_locked(folder, lock);
    } else {
        /* without the number only the other run's message is poorer */
        if (ftruncate(lock, 0) == 0)
            dprintf(lock, "%ld\n", (long)getpid());
        folder->lock = lock;
    }
    free(path);
    return code;
}

int cli_folder_open(cli_folder *folder, const char *path, const char *mark,
                    bool is_forced)
{
    int code = check(path, mark, is_forced);

    *folder = (cli_folder){.lock = -1};
    if (code == CLI_DONE)
        code = make(path);
    if (code != CLI_DONE)
        return code;
    folder->path = cli_text("%s", path);
    code = take_lock(folder);
    if (code == CLI_DONE) {
        char *inside = cli_folder_file(folder, "%s", mark);

        code = cli_output_check_room(inside, ROOM);
        free(inside);
    }
    if (code != CLI_DONE)
        cli_folder_close(folder);
    return code;
}

void cli_folder_close(cli_folder *folder)
{
    if (folder->lock >= 0) {
        char *path = cli_folder_file(folder, "%s", LOCK);

        unlink(path); /* before others can take it */
        close(folder->lock);
        free(path);
    }
    free(folder->path);
    *folder = (cli_folder){.lock = -1};
}

static bool put(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    bool is_written;
    int fault;

    if (!out)
        return false;
    is_written =
        fputs(text, out) != EOF && fflush(out) == 0 && fsync(fileno(out)) == 0;
    fault = errno;
    if (fclose(out) != 0 && is_written) {
        is_written = false;
        fault = errno;
    }
    errno = fault;
    return is_written;
}

int cli_folder_write(const cli_folder *folder, const char *name,
                     const char *text)
{
    char *path = cli_folder_file(folder, "%s", name);
    char *part = cli_text("%s.part", path);
    int code = CLI_DONE;

    if (!put(part, text) || rename(part, path) != 0) {
        code =
            cli_fail(CLI_FAULT, "cannot write %s: %s", path, strerror(errno));
        unlink(part);
    }
    free(part);
    free(path);
    return code;
}
