/* text_files.h - small input files, written and opened, for tests of readers.
 * Include after <cmocka.h>. */
#ifndef HS_TESTS_TEXT_FILES_H
#define HS_TESTS_TEXT_FILES_H

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/read/reader.h"

static inline void write_file(const char *path, const void *bytes,
                              size_t length)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_true(fwrite(bytes, 1, length, f) == length);
    fclose(f);
}

static inline void write_gzip(const char *path, const void *bytes,
                              size_t length)
{
    gzFile f = gzopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(gzwrite(f, bytes, (unsigned)length), (int)length);
    gzclose(f);
}

static inline hs_reader *open_bytes(const char *path, const void *bytes,
                                    size_t length)
{
    hs_reader *r;
    hiss_error err;

    write_file(path, bytes, length);
    if (hs_reader_open(&r, path, &err) != HISS_OK)
        fail_msg("%s", err.message);
    return r;
}

static inline hs_reader *open_text(const char *path, const char *text)
{
    return open_bytes(path, text, strlen(text));
}

#endif
