/* file.c - an output that appears under its name only when it is complete. */
#include "sink/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"

#define TAIL 32 /* bytes for ".part", a process number, a counter and the NUL */

/* Reports what failed, on which file, and why. */
static hiss_status fault(hiss_error *err, const char *path, const char *what)
{
    return hs_fail(err, HISS_EIO, "%s: %s: %s", path, what, strerror(errno));
}

/* The temporary's name is the file's plus a tail; a long name is shortened so
 * that both fit. */
static hiss_status open_scratch(hs_file *f, hiss_error *err)
{
    const char *slash = strrchr(f->path, '/');
    size_t folder = slash ? (size_t)(slash + 1 - f->path) : 0;
    size_t name = strlen(f->path + folder), size = folder + name + TAIL;
    int fd = -1;

    if (name > NAME_MAX) {
        errno = ENAMETOOLONG;
        return fault(err, f->path, "cannot be written");
    }
    if (name > NAME_MAX - TAIL)
        name = NAME_MAX - TAIL;
    f->scratch = hs_alloc_array(size, 1);
    if (!f->scratch)
        return hs_fail_memory(err);
    for (int n = 0; n < 100 && fd < 0; n++) {
        snprintf(f->scratch, size, "%.*s.part%ld.%d", (int)(folder + name),
                 f->path, (long)getpid(), n);
        fd = open(f->scratch, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd < 0)
        return fault(err, f->path, "cannot be written");
    f->stream = fdopen(fd, "w");
    if (f->stream)
        return HISS_OK;
    close(fd);
    unlink(f->scratch);
    return fault(err, f->path, "cannot be written");
}

hiss_status hs_file_open(hs_file *f, const char *path, bool replace,
                         hiss_error *err)
{
    struct stat there, link;
    bool exists = stat(path, &there) == 0;
    bool is_taken = exists ? S_ISREG(there.st_mode) : lstat(path, &link) == 0;
    hiss_status rc = HISS_OK;

    *f = (hs_file){.replace = replace};
    if (is_taken && !replace)
        return hs_fail(err, HISS_EARG, "%s exists already; --force replaces it",
                       path);
    f->path = hs_strdup(path);
    if (!f->path)
        return hs_fail_memory(err);
    if (exists && S_ISDIR(there.st_mode)) {
        rc = hs_fail(err, HISS_EIO, "%s is a directory", path);
    } else if (exists && !S_ISREG(there.st_mode)) {
        f->stream = fopen(path, "w");
        rc = f->stream ? HISS_OK : fault(err, path, "cannot be written");
    } else {
        rc = open_scratch(f, err);
    }
    if (rc != HISS_OK) {
        hs_free(f->path);
        hs_free(f->scratch);
        *f = (hs_file){0};
    }
    return rc;
}

hiss_status hs_file_reserve(hs_file *f, const char *path, bool replace,
                            hiss_error *err)
{
    HS_TRY(hs_file_open(f, path, replace, err));
    if (!f->scratch) {
        hs_file_drop(f);
        return hs_fail(err, HISS_EARG, "%s is not a plain file", path);
    }
    fclose(f->stream);
    f->stream = NULL;
    return HISS_OK;
}

void hs_file_drop(hs_file *f)
{
    if (f->stream)
        fclose(f->stream);
    if (f->scratch)
        unlink(f->scratch);
    hs_free(f->path);
    hs_free(f->scratch);
    *f = (hs_file){0};
}

/* Opens the temporary that a library wrote, for the sync. */
static bool reopen(hs_file *f)
{
    int fd = open(f->scratch, O_WRONLY | O_CLOEXEC);

    f->stream = fd < 0 ? NULL : fdopen(fd, "w"); /* does not truncate */
    if (!f->stream && fd >= 0)
        close(fd);
    return f->stream;
}

/* Gives the temporary its name; false and EEXIST if that is taken.  It makes a
 * link if links exist; otherwise an empty file reserves the name. */
static bool place(const hs_file *f)
{
    int fd;

    if (f->replace)
        return rename(f->scratch, f->path) == 0;
    if (link(f->scratch, f->path) == 0) {
        unlink(f->scratch);
        return true;
    }
    if (errno == EEXIST)
        return false;
    fd = open(f->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return false;
    close(fd);
    if (rename(f->scratch, f->path) == 0)
        return true;
    unlink(f->path);
    return false;
}

static hiss_status fail_place(const hs_file *f, hiss_error *err)
{
    if (errno == EEXIST)
        return hs_fail(err, HISS_EIO,
                       "%s: another program has written it meanwhile, and "
                       "without --force it is kept",
                       f->path);
    return fault(err, f->path, "cannot be renamed into place");
}

hiss_status hs_file_commit(hs_file *f, hiss_error *err)
{
    bool is_whole = f->stream || reopen(f);
    hiss_status rc = HISS_OK;

    if (!is_whole) {
        rc = fault(err, f->path, "writing failed");
        hs_file_drop(f);
        return rc;
    }
    is_whole = fflush(f->stream) == 0 && !ferror(f->stream);

    if (is_whole && f->scratch)
        is_whole = fsync(fileno(f->stream)) == 0;
    if (!is_whole)
        rc = fault(err, f->path, "writing failed");
    if (fclose(f->stream) != 0 && rc == HISS_OK)
        rc = fault(err, f->path, "writing failed");
    f->stream = NULL;
    if (rc == HISS_OK && f->scratch && !place(f))
        rc = fail_place(f, err);
    if (rc == HISS_OK && f->scratch) {
        hs_free(f->scratch);
        f->scratch = NULL;
    }
    hs_file_drop(f);
    return rc;
}
