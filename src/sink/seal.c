/* seal.c - the checksum of a result file. */
#include "sink/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/caret.h"
#include "base/error.h"

#define MARK  "# checksum: "
#define NAMED MARK "xxh64 "
#define NONE  MARK "none"

enum {
    DIGITS = 16,
    LINE = (int)sizeof NAMED - 1 + DIGITS + 1, /* with its end */
    ROOM = 1 << 18,
    HEAD = 255
};

void hs_seal_put(FILE *to, const hs_xxh64 *sum)
{
    fprintf(to, NAMED "%016" PRIx64 "\n", hs_xxh64_value(sum));
}

/* Adds the next `bytes` of a file, or fewer at its end. */
static bool add_bytes(hs_xxh64 *sum, int file, int64_t bytes, char *room)
{
    while (bytes > 0) {
        size_t want = bytes < ROOM ? (size_t)bytes : ROOM;
        ssize_t got = read(file, room, want);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return false;
        if (got == 0)
            break;
        hs_xxh64_add(sum, room, (size_t)got);
        bytes -= got;
    }
    return true;
}

/* The sum of a file of our own, which no other program shortens meanwhile:
 * mapped, so that nothing is copied. */
static bool sum_of(hs_xxh64 *sum, int file)
{
    struct stat info;
    void *bytes;

    if (fstat(file, &info) != 0 || info.st_size == 0)
        return false;
    bytes = mmap(NULL, (size_t)info.st_size, PROT_READ,
                 MAP_SHARED | MAP_POPULATE, file, 0);
    if (bytes == MAP_FAILED)
        return false;
    hs_xxh64_init(sum);
    hs_xxh64_add(sum, bytes, (size_t)info.st_size);
    munmap(bytes, (size_t)info.st_size);
    return true;
}

hiss_status hs_seal_add(const char *file, const char *path, hiss_error *err)
{
    FILE *stream = fopen(file, "r+e");
    hs_xxh64 sum;
    bool is_done = false;
    int fault;

    if (stream && sum_of(&sum, fileno(stream)) &&
        fseek(stream, 0, SEEK_END) == 0) {
        hs_xxh64_add(&sum, "\n", 1); /* a line begins */
        fputc('\n', stream);
        hs_seal_put(stream, &sum);
        is_done = fflush(stream) == 0 && !ferror(stream);
    }
    fault = errno;
    if (stream && fclose(stream) != 0 && is_done) {
        is_done = false;
        fault = errno;
    }
    if (is_done)
        return HISS_OK;
    return hs_fail(err, HISS_EIO, "%s: writing failed: %s", path,
                   strerror(fault));
}

/* The last line of the file, and where it begins; false if it is too long to
 * be ours. */
static bool last_line(int file, int64_t size, char line[LINE + 1],
                      int64_t *start)
{
    char tail[LINE + 1];
    ssize_t count = size < LINE + 1 ? (ssize_t)size : LINE + 1, at;

    if (count < 2 || pread(file, tail, (size_t)count, size - count) != count)
        return false;
    at = count - 1;
    while (at > 0 && tail[at - 1] != '\n')
        at--;
    if (count - at > LINE)
        return false;
    memcpy(line, tail + at, (size_t)(count - at));
    line[count - at] = '\0';
    *start = size - (count - at);
    return true;
}

/* Zero when it is not a number of ours, which a sum is once in 2^64 files. */
static uint64_t number_of(const char *digits)
{
    uint64_t value = 0;

    for (int k = 0; k < DIGITS; k++) {
        const char *set = "0123456789abcdef", *found = strchr(set, digits[k]);

        if (!found || !digits[k])
            return 0;
        value = value << 4 | (uint64_t)(found - set);
    }
    return digits[DIGITS] == '\n' ? value : 0;
}

static hiss_status refuse(const char *path, const char *why, hiss_error *err)
{
    return hs_fail(err, HISS_EPARSE,
                   "%s: %s; echo '" NONE "' >> FILE has it read as it is", path,
                   why);
}

/* Whether its first line is one of draws: a comment, a heading with `chain`, or
 * the signature of netCDF. */
static bool has_draws(int file, char line[HEAD + 1])
{
    ssize_t count = pread(file, line, HEAD, 0);

    line[count > 0 ? count : 0] = '\0';
    line[strcspn(line, "\r\n")] = '\0';
    return line[0] == '#' || line[0] == '\0' || strstr(line, "chain") ||
           strncmp(line, "\x89HDF", 4) == 0 || strncmp(line, "CDF", 3) == 0;
}

/* Of an open plain file. */
static hiss_status check(int file, int64_t size, const char *path,
                         hiss_error *err)
{
    char line[LINE + 1] = "", head[HEAD + 1], quote[HS_QUOTE_MAX], *room;
    int64_t start = 0;
    hs_xxh64 sum;
    bool is_read, is_sealed;

    is_sealed = last_line(file, size, line, &start) &&
                strncmp(line, MARK, sizeof MARK - 1) == 0;
    if (!is_sealed && !has_draws(file, head))
        return hs_fail(err, HISS_EPARSE,
                       "%s:1:1: found '%s': this is no result of hiss, which "
                       "begins with '# hiss:'; models go to `hiss exact` or "
                       "`hiss sample`",
                       path, hs_quote(quote, head, strlen(head)));
    if (!is_sealed)
        return refuse(path,
                      "this is no result of hiss, or it is cut short, or "
                      "another program wrote it anew: its last line is no "
                      "checksum",
                      err);
    if (strncmp(line, NONE, sizeof NONE - 1) == 0 &&
        strspn(line + sizeof NONE - 1, "\r\n") ==
            strlen(line) - sizeof NONE + 1)
        return HISS_OK;
    room = hs_alloc_array(ROOM, 1);
    if (!room)
        return hs_fail_memory(err);
    hs_xxh64_init(&sum);
    is_read = add_bytes(&sum, file, start, room);
    hs_free(room);
    if (!is_read)
        return hs_fail(err, HISS_EIO, "%s: cannot be read: %s", path,
                       strerror(errno));
    if (strncmp(line, NAMED, sizeof NAMED - 1) != 0 ||
        number_of(line + sizeof NAMED - 1) != hs_xxh64_value(&sum))
        return refuse(path,
                      "altered since it was written: its checksum does not fit",
                      err);
    return HISS_OK;
}

hiss_status hs_seal_check(const char *path, hiss_error *err)
{
    /* a FIFO without a writer must not keep us waiting */
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat info;
    hiss_status rc;

    if (file < 0)
        return hs_fail(err, HISS_EPARSE, "%s: cannot be opened: %s", path,
                       strerror(errno));
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode))
        rc = hs_fail(err, HISS_EPARSE, "%s: is not a plain file", path);
    else
        rc = check(file, info.st_size, path, err);
    close(file);
    return rc;
}
