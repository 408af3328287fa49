/* place.c - files of an input: in memory, or with a name in a folder. */
#include "place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    NAMES = 8,
    ROOM = 128
};

static char folder[ROOM], paths[NAMES][ROOM];
static int used;

static void clean_up(void)
{
    for (int n = 0; n < used; n++)
        unlink(paths[n]);
    rmdir(folder);
}

int fuzz_memory(char path[FUZZ_PATH_MAX], const void *bytes, size_t count)
{
    int fd = memfd_create("fuzz", 0);

    if (fd < 0 || (count > 0 && write(fd, bytes, count) != (ssize_t)count))
        abort();
    snprintf(path, FUZZ_PATH_MAX, "/proc/self/fd/%d", fd);
    return fd;
}

const char *fuzz_place(const char *name)
{
    char path[ROOM];

    if (!*folder) {
        const char *base = getenv("TMPDIR");

        snprintf(folder, sizeof folder, "%.80s/hiss-fuzz-XXXXXX",
                 base ? base : "/tmp");
        if (!mkdtemp(folder))
            abort();
        atexit(clean_up);
    }
    snprintf(path, sizeof path, "%.100s/%.20s", folder, name);
    for (int n = 0; n < used; n++)
        if (strcmp(paths[n], path) == 0)
            return paths[n];
    if (used == NAMES)
        abort();
    return strcpy(paths[used++], path);
}

void fuzz_write(const char *path, const void *bytes, size_t count)
{
    FILE *to = fopen(path, "wb");

    if (!to || (count > 0 && fwrite(bytes, count, 1, to) != 1) ||
        fclose(to) != 0)
        abort();
}
