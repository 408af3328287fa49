/* source.h - the bytes of a file, plain or gzip, through a bounded buffer. */
#ifndef HS_BASE_READ_SOURCE_H
#define HS_BASE_READ_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hiss/status.h>

#define HS_SOURCE_ROOM ((size_t)1 << 17)

struct gzFile_s;

typedef struct hs_source {
    struct gzFile_s *file; /* owned */
    char *buffer;          /* owned, room bytes */
    size_t room;           /* HS_SOURCE_ROOM, unless it was widened */
    size_t at, end;        /* what is not used yet */
    int64_t base;          /* offset of buffer[0] in the text */
    int64_t bound;         /* the text has at most so many bytes */
    bool is_regular;       /* not a pipe: it can be read again */
    bool ended;            /* nothing comes after end */
    bool is_binary;        /* it ended before a zero byte */
    hiss_status fault;     /* why it ended before its time, or HISS_OK */
    char reason[128];      /* of the fault */
} hs_source;

/* HISS_EPARSE with the reason when the file cannot be opened. */
hiss_status hs_source_open(hs_source *s, const char *path, hiss_error *err);
void hs_source_close(hs_source *s);

/* A buffer of at least that many bytes, with what it holds. */
hiss_status hs_source_widen(hs_source *s, size_t room, hiss_error *err);

/* Moves [at, end) to the front and reads more behind it; false when there is
 * nothing more, or no room.  at becomes 0. */
bool hs_source_fill(hs_source *s);

/* For a message: copies up to `want` bytes of the text from offset `from`, if
 * they are available.  The source may be at its end afterwards. */
size_t hs_source_window(hs_source *s, int64_t from, char *out, size_t want);

#endif
