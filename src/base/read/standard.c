/* standard.c - standard input as a file that can be opened repeatedly.
 *
 * A pipe can be read once, but a model is read several times: for its format,
 * its content and its checksum.  So standard input is copied once to an unnamed
 * file in memory. */
#include "base/read/standard.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/platform/platform.h"

enum {
    ROOM = 1 << 16
};

#define BYTES_MAX ((int64_t)1 << 30)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int copy = -1; /* the file; open until the process ends */

bool hs_is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
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

/* Copies standard input.  Returns NULL, or the reason for a failure. */
static const char *copy_to(int to)
{
    char room[ROOM];
    int64_t total = 0;

    for (;;) {
        ssize_t got = read(STDIN_FILENO, room, sizeof room);

        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            return NULL;
        total += got > 0 ? got : 0;
        if (total > BYTES_MAX)
            return "it has more than 2^30 bytes, save it to a file";
        if (got < 0 || !write_all(to, room, (size_t)got))
            return strerror(errno);
    }
}

hiss_status hs_standard_path(char path[HS_STANDARD_PATH], hiss_error *err)
{
    const char *fault = NULL;

    pthread_mutex_lock(&lock);
    if (copy < 0) {
        int made = hs_platform_unnamed_file("standard input");

        fault = made < 0 ? strerror(errno) : copy_to(made);
        if (!fault)
            copy = made;
        else if (made >= 0)
            close(made);
    }
    pthread_mutex_unlock(&lock);
    if (fault)
        return hs_fail(err, HISS_EPARSE,
                       "standard input (-) cannot be read: %s", fault);
    snprintf(path, HS_STANDARD_PATH, "/proc/self/fd/%d", copy);
    return HISS_OK;
}
