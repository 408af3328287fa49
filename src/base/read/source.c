/* source.c - the bytes of a file, plain or gzip, through a bounded buffer.
 *
 * zlib reads both.  Gzip data expand at most 1032 times, which bounds the text
 * of a file before it is read. */
#include "base/read/source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/read/input.h"

enum {
    EXPANSION_MAX = 1032
};

hiss_status hs_source_open(hs_source *s, const char *path, hiss_error *err)
{
    struct stat info;
    int file;

    *s = (hs_source){0};
    HS_TRY(hs_input_open(&file, path, &info, err));
    s->room = HS_SOURCE_ROOM;
    s->buffer = hs_alloc_array(s->room, 1);
    if (s->buffer)
        s->file = gzdopen(file, "rb"); /* from here on it owns the descriptor */
    if (!s->file) {
        close(file);
        hs_source_close(s);
        return hs_fail_memory(err);
    }
    gzbuffer(s->file, (unsigned)HS_SOURCE_ROOM / 2);
    s->is_regular = S_ISREG(info.st_mode);
    if (!s->is_regular || info.st_size == 0) /* 0 for files such as those under
                                                /proc */
        s->bound = INT64_MAX;
    else if (gzdirect(s->file))
        s->bound = info.st_size;
    else
        s->bound = (int64_t)info.st_size * EXPANSION_MAX;
    return HISS_OK;
}

void hs_source_close(hs_source *s)
{
    if (s->file)
        gzclose(s->file);
    hs_free(s->buffer);
    *s = (hs_source){0};
}

hiss_status hs_source_widen(hs_source *s, size_t room, hiss_error *err)
{
    char *wider;

    if (room <= s->room)
        return HISS_OK;
    wider = hs_realloc_array(s->buffer, s->room, room, 1);
    if (!wider)
        return hs_fail_memory(err);
    s->buffer = wider;
    s->room = room;
    return HISS_OK;
}

/* Stores the fault that zlib reports, if any. */
static void note_fault(hs_source *s)
{
    int saved = errno, code = Z_OK;
    const char *text = gzerror(s->file, &code);

    if (code == Z_OK || code == Z_STREAM_END)
        return;
    if (code == Z_ERRNO) {
        s->fault = HISS_EIO;
        text = strerror(saved);
    } else if (code == Z_BUF_ERROR) {
        s->fault = HISS_EPARSE;
        text = "the gzip data end too early";
    } else if (code == Z_MEM_ERROR) {
        s->fault = HISS_ENOMEM;
        text = "out of memory";
    } else {
        s->fault = HISS_EPARSE;
    }
    snprintf(s->reason, sizeof s->reason, "%s", text);
}

bool hs_source_fill(hs_source *s)
{
    size_t room;
    char *nul;
    int got;

    if (s->ended)
        return false;
    memmove(s->buffer, s->buffer + s->at, s->end - s->at);
    s->base += (int64_t)s->at;
    s->end -= s->at;
    s->at = 0;
    room = s->room - s->end;
    if (room == 0)
        return false;
    got = gzread(s->file, s->buffer + s->end, (unsigned)room);
    if (got < 0 || (size_t)got < room) {
        s->ended = true;
        note_fault(s);
    }
    if (got <= 0)
        return false;
    nul = memchr(s->buffer + s->end, '\0', (size_t)got);
    if (nul) {
        got = (int)(nul - (s->buffer + s->end));
        s->ended = true;
        s->is_binary = true;
        s->fault = HISS_EPARSE;
    }
    s->end += (size_t)got;
    return got > 0;
}

size_t hs_source_window(hs_source *s, int64_t from, char *out, size_t want)
{
    int64_t past = s->base + (int64_t)s->end;
    bool is_here = from >= s->base && from <= past;
    int got;

    if (is_here &&
        (past - from >= (int64_t)want || s->ended || !s->is_regular)) {
        if (past - from < (int64_t)want)
            want = (size_t)(past - from);
        memcpy(out, s->buffer + (from - s->base), want);
        return want;
    }
    if (!s->is_regular || gzseek(s->file, (z_off_t)from, SEEK_SET) != from)
        return 0;
    got = gzread(s->file, out, (unsigned)want);
    s->at = s->end = 0;
    s->ended = true;
    return got > 0 ? (size_t)got : 0;
}
