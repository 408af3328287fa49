/* disk.c - whole reads and writes at a place of a file.
 *
 * The system may do a part, or be interrupted by a signal; these go on until
 * all is done or a call fails. */
#include "base/read/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

bool hs_disk_write(int to, const char *from, size_t size, uint64_t at)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = pwrite(to, from + done, size - done, (off_t)(at + done));

        if (n < 0 && errno != EINTR)
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

bool hs_disk_read(int from, char *to, size_t size, uint64_t at)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = pread(from, to + done, size - done, (off_t)(at + done));

        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

void hs_disk_sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    char *folder = length ? hs_strndup(path, length) : hs_strdup(".");
    int fd = folder ? open(folder, O_RDONLY | O_CLOEXEC) : -1;

    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
    hs_free(folder);
}
