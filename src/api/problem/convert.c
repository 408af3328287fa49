/* convert.c - converts a model to another format, and checks the file before it
 * is kept. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "api/object/objects.h"
#include "base/alloc.h"
#include "base/error.h"
#include "format/format.h"
#include "sink/file.h"

static ssize_t gzip_write(void *cookie, const char *bytes, size_t count)
{
    unsigned some = count > 1 << 30 ? 1 << 30 : (unsigned)count;

    return gzwrite(cookie, bytes, some);
}

static int gzip_close(void *cookie)
{
    return gzclose(cookie) == Z_OK ? 0 : EOF;
}

/* Opens a stream that compresses into another one, which stays open. */
static FILE *open_gzip(FILE *onto)
{
    static const cookie_io_functions_t functions = {.write = gzip_write,
                                                    .close = gzip_close};
    int fd = dup(fileno(onto));
    gzFile file = fd < 0 ? NULL : gzdopen(fd, "wb");
    FILE *stream = file ? fopencookie(file, "w", functions) : NULL;

    if (!stream && file)
        gzclose(file);
    else if (!file && fd >= 0)
        close(fd);
    return stream;
}

static bool is_gzip(const char *path)
{
    size_t length = strlen(path);

    return length > 3 && strcmp(path + length - 3, ".gz") == 0;
}

static hiss_status fail_write(const char *path, hiss_error *err)
{
    return hs_fail(err, HISS_EIO, "%s: writing failed: %s", path,
                   strerror(errno));
}

/* Writes everything; the bytes are in the file, perhaps not yet on disk. */
static hiss_status write_problem(const hs_problem *p, const hs_file *file,
                                 const hs_format_use *use, hiss_error *err)
{
    FILE *to = is_gzip(file->path) ? open_gzip(file->stream) : file->stream;
    hiss_status rc;

    if (!to)
        return hs_fail_memory(err);
    rc = hs_format_write(p, to, use, err);
    if (rc == HISS_OK && (fflush(to) != 0 || ferror(to)))
        rc = fail_write(file->path, err);
    if (to != file->stream && fclose(to) != 0 && rc == HISS_OK)
        rc = fail_write(file->path, err);
    return rc;
}

/* Reads the file back and compares the distributions. */
static hiss_status prove(hs_problem *p, const hs_file *file,
                         const hs_format_use *use, hiss_error *err)
{
    hs_problem again;
    double shift = 0.0;
    hiss_status rc = hs_format_read_as(&again, file->scratch, use, err);

    if (rc == HISS_OK)
        rc = hs_problem_compare(p, &again, &shift, err);
    hs_problem_clear(&again);
    if (rc == HISS_OK && shift != 0.0)
        return hs_problem_remark(
            p, err,
            "a constant has no place in format %s: log p is "
            "%s by %.15g in what was written",
            use->format->name, shift > 0.0 ? "larger" : "smaller", fabs(shift));
    if (rc == HISS_OK || rc == HISS_ENOMEM || rc == HISS_EIO)
        return rc;
    hs_error_prefix(err, "%s was not written, a fault of hiss: format %s",
                    file->path, use->format->name);
    if (err)
        err->status = HISS_EINTERNAL;
    return HISS_EINTERNAL;
}

static hiss_status convert(hs_problem *p, const char *out,
                           const hs_format_use *use, bool replace,
                           hiss_error *err)
{
    hs_file file;
    hiss_status rc;

    HS_TRY(hs_file_open(&file, out, replace, err));
    rc = write_problem(p, &file, use, err);
    if (rc == HISS_OK && file.scratch) /* a pipe cannot be read back */
        rc = prove(p, &file, use, err);
    if (rc == HISS_OK)
        return hs_file_commit(&file, err);
    hs_file_drop(&file);
    return rc;
}

/* Gives a text of the problem to the caller, on request. */
static void take(char **out, char **text)
{
    if (!out)
        return;
    *out = *text;
    *text = NULL;
}

hiss_status hiss_convert(const char *in, const char *in_format, const char *out,
                         const char *out_format, int replace, char **note,
                         hiss_error *err)
{
    return hiss_convert_reads_as(in, in_format, out, out_format, replace, NULL,
                                 note, err);
}

hiss_status hiss_convert_reads_as(const char *in, const char *in_format,
                                  const char *out, const char *out_format,
                                  int replace, char **reads_as, char **note,
                                  hiss_error *err)
{
    hs_format_use use;
    hs_problem problem;
    hiss_status rc;

    if (note)
        *note = NULL;
    if (reads_as)
        *reads_as = NULL;
    if (!in || !*in || !out || !*out)
        return hs_fail(err, HISS_EARG, "hiss_convert: a file name is missing");
    HS_TRY(hs_format_find_output(&use, out, out_format, err));
    rc = hs_format_read(&problem, in, in_format, err);
    if (rc == HISS_OK)
        rc = convert(&problem, out, &use, replace != 0, err);
    if (rc == HISS_OK) {
        take(reads_as, &problem.reads_as);
        take(note, &problem.note);
    }
    hs_problem_clear(&problem);
    hs_format_release(&use);
    return rc;
}
