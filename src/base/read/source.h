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
    size_t room;           /* HS_SOURCE_ROOM, or the value of hs_source_widen */
    size_t at, end;        /* unread part of the buffer */
    int64_t base;          /* offset of buffer[0] in the text */
    int64_t bound;         /* upper bound on the bytes of text */
    bool is_regular;       /* not a pipe, so it can be read again */
    bool ended;            /* no data follow after end */
    bool is_binary;        /* it ended at a zero byte */
    hiss_status fault;     /* reason of an early end, or HISS_OK */
    char reason[128];      /* reason of the fault */
} hs_source;

/* Opens a file; HISS_EPARSE with the reason if that fails. */
hiss_status hs_source_open(hs_source *s, const char *path, hiss_error *err);
void hs_source_close(hs_source *s);

/* Makes the buffer at least that large and keeps its contents. */
hiss_status hs_source_widen(hs_source *s, size_t room, hiss_error *err);

/* Moves [at, end) to the front and reads more behind it.  False at the end of
 * the file or if there is no room.  at becomes 0. */
bool hs_source_fill(hs_source *s);

/* Copies up to `want` bytes of text from offset `from`, if available, for a
 * message.  Afterwards the source may be at its end. */
size_t hs_source_window(hs_source *s, int64_t from, char *out, size_t want);

#endif
