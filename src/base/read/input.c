/* input.c - opens a file for reading if it is a plain file. */
#include "base/read/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/read/standard.h"

static hiss_status refuse(const char *path, const char *reason, hiss_error *err)
{
    return hs_fail(err, HISS_EPARSE, "%s: cannot be opened: %s", path, reason);
}

/* Whether the path names a descriptor that the process already has open. */
static bool is_handed(const char *path)
{
    return strcmp(path, "/dev/stdin") == 0 ||
           strncmp(path, "/dev/fd/", 8) == 0 ||
           strncmp(path, "/proc/self/fd/", 14) == 0;
}

static const char *fault_of(mode_t mode, const char *path)
{
    if (S_ISDIR(mode))
        return "it is a folder, expected a file";
    if (S_ISREG(mode) || is_handed(path))
        return NULL;
    return S_ISFIFO(mode)   ? "it is a FIFO, expected a plain file"
           : S_ISSOCK(mode) ? "it is a socket, expected a plain file"
                            : "it is a device, expected a plain file";
}

hiss_status hs_input_open(int *fd, const char *path, struct stat *info,
                          hiss_error *err)
{
    char standard[HS_STANDARD_PATH];
    const char *place = path, *fault;
    struct stat own;

    *fd = -1;
    info = info ? info : &own;
    if (hs_is_standard(path)) {
        HS_TRY(hs_standard_path(standard, err));
        place = standard;
    }
    if (stat(place, info) != 0)
        return refuse(path, strerror(errno), err);
    fault = fault_of(info->st_mode, path);
    if (fault)
        return refuse(path, fault, err);
    /* do not wait if a FIFO has replaced the file in the meantime */
    *fd = open(place, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (*fd < 0)
        return refuse(path, strerror(errno), err);
    fault =
        fstat(*fd, info) == 0 ? fault_of(info->st_mode, path) : strerror(errno);
    if (!fault && fcntl(*fd, F_SETFL, 0) != 0)
        fault = strerror(errno);
    if (!fault)
        return HISS_OK;
    close(*fd);
    *fd = -1;
    return refuse(path, fault, err);
}

hiss_status hs_input_stream(FILE **out, const char *path, struct stat *info,
                            hiss_error *err)
{
    int fd;

    *out = NULL;
    HS_TRY(hs_input_open(&fd, path, info, err));
    *out = fdopen(fd, "rb");
    if (*out)
        return HISS_OK;
    close(fd);
    return hs_fail_memory(err);
}

hiss_status hs_input_check(const char *path, hiss_error *err)
{
    int fd;

    HS_TRY(hs_input_open(&fd, path, NULL, err));
    close(fd);
    return HISS_OK;
}
