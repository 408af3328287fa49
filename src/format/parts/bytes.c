/* bytes.c - a binary file read through zlib, which reads plain files too. */
#include "format/parts/bytes.h"
#include "base/number.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/read/input.h"

enum {
    EXPANSION_MAX = 1032, /* of gzip data */
    PIECE = 1 << 20
};

hiss_status hs_bytes_open(hs_bytes *b, const char *path, hiss_error *err)
{
    struct stat info;
    int fd;

    *b = (hs_bytes){.path = path};
    HS_TRY(hs_input_open(&fd, path, &info, err));
    b->file = gzdopen(fd, "rb");
    if (!b->file) {
        close(fd);
        return hs_fail_memory(err);
    }
    gzbuffer(b->file, 1 << 16);
    if (!S_ISREG(info.st_mode))
        b->bound = INT64_MAX;
    else
        b->bound = gzdirect(b->file) ? (int64_t)info.st_size
                                     : (int64_t)info.st_size * EXPANSION_MAX;
    return HISS_OK;
}

void hs_bytes_close(hs_bytes *b)
{
    if (b->file)
        gzclose(b->file);
    *b = (hs_bytes){0};
}

hiss_status hs_bytes_fail(const hs_bytes *b, hiss_error *err,
                          const char *format, ...)
{
    char message[HISS_ERROR_MAX / 2];
    va_list args;

    va_start(args, format);
    hs_vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return hs_fail(err, HISS_EPARSE, "%s: byte %lld: %s", b->path,
                   (long long)b->offset, message);
}

hiss_status hs_bytes_some(hs_bytes *b, void *to, size_t count, size_t *got,
                          hiss_error *err)
{
    char *at = to;
    int piece;

    *got = 0;
    while (*got < count) {
        size_t want = count - *got < PIECE ? count - *got : PIECE;

        errno = 0;
        piece = gzread(b->file, at + *got, (unsigned)want);
        if (piece < 0) {
            int code = Z_OK;
            const char *text = gzerror(b->file, &code);

            if (code == Z_ERRNO)
                return hs_fail(err, HISS_EIO, "%s: cannot be read: %s", b->path,
                               strerror(errno));
            return hs_fail(err, HISS_EPARSE, "%s: cannot be read: %s", b->path,
                           text);
        }
        if (piece == 0)
            break;
        *got += (size_t)piece;
        b->offset += piece;
    }
    return HISS_OK;
}

hiss_status hs_bytes_read(hs_bytes *b, void *to, size_t count, const char *what,
                          hiss_error *err)
{
    size_t got;

    HS_TRY(hs_bytes_some(b, to, count, &got, err));
    if (got == count)
        return HISS_OK;
    return hs_bytes_fail(b, err,
                         "the file ends here, expected %zu bytes more "
                         "of %s",
                         count - got, what);
}

int64_t hs_bytes_left(const hs_bytes *b)
{
    return b->bound - b->offset;
}

uint64_t hs_bytes_unsigned(const unsigned char *at, int size)
{
    uint64_t value = 0;

    for (int k = size - 1; k >= 0; k--)
        value = value << 8 | at[k];
    return value;
}

int64_t hs_bytes_signed(const unsigned char *at, int size)
{
    uint64_t value = hs_bytes_unsigned(at, size);
    uint64_t sign = UINT64_C(1) << (8 * size - 1);

    return (int64_t)((value ^ sign) - sign);
}

double hs_bytes_real(const unsigned char *at, int size)
{
    uint64_t bits = hs_bytes_unsigned(at, size);
    uint32_t low = (uint32_t)bits;
    double wide;
    float narrow;

    if (size == 8) {
        memcpy(&wide, &bits, sizeof wide);
        return wide;
    }
    memcpy(&narrow, &low, sizeof narrow);
    return (double)narrow;
}

void hs_bytes_put(unsigned char *at, int size, uint64_t value)
{
    for (int k = 0; k < size; k++)
        at[k] = (unsigned char)(value >> (8 * k));
}

void hs_bytes_put_real(unsigned char *at, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    hs_bytes_put(at, 8, bits);
}
