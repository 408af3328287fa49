/* apart.c - reads results and writes files in a child process.
 *
 * The child is a copy of this process (fork).  It reads the file, writes its
 * contents into a pipe and ends.  If a child crashes, or a limit stops it, this
 * process reports a message.  In a program with threads another thread may hold
 * a lock of the library at the fork; the child then waits in vain until the
 * time limit ends it too.
 *
 * An HDF5 file can name other files, as links, as storage of its numbers, or as
 * code of a filter.  The child may open only one more file, which is the
 * result, so others cannot be opened.
 *
 * Not here: protection from a file that takes over the process. */
#include "sink/apart.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/platform/platform.h"

/* for any file, and one more for this many bytes: */
#define SECONDS 20
#define SPEED   ((int64_t)10 << 20) /* per second */
/* more than the present size, and for each */
#define MEMORY   ((int64_t)4 << 30)
#define UNPACKED 64 /* byte of the file this many */

/* Header of a message through the pipe. */
struct head {
    hiss_status status;
    hiss_error error;
    int chains, dim;
    int64_t samples, values, manifest; /* bytes of the manifest */
    hiss_element element;
    bool has_accept, has_marginal;
};

/* --- the child ---------------------------------------------------------- */

static void put(int to, const void *bytes, size_t count)
{
    const char *at = bytes;

    while (count > 0) {
        ssize_t done = write(to, at, count);

        if (done < 0 && errno != EINTR)
            _exit(1);
        at += done > 0 ? done : 0;
        count -= done > 0 ? (size_t)done : 0;
    }
}

static void limit(int what, rlim_t most)
{
    struct rlimit now;

    if (getrlimit(what, &now) == 0 && most < now.rlim_max) {
        now.rlim_cur = now.rlim_max = most;
        setrlimit(what, &now);
    }
}

/* The memory of this process, in bytes; 0 if unknown. */
static int64_t size_now(void)
{
    char text[64] = "";
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);

    if (file >= 0) {
        (void)!read(file, text, sizeof text - 1);
        close(file);
    }
    return strtoll(text, NULL, 10) * sysconf(_SC_PAGESIZE);
}

/* Keeps the child silent: only the parent reports its end. */
static void die_alone(void)
{
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

    for (size_t n = 0; n < sizeof fatal / sizeof *fatal; n++)
        signal(fatal[n], SIG_DFL);
    limit(RLIMIT_CORE, 0);
    hs_platform_die_with_parent();
}

static void set_limits(int64_t seconds, int64_t bytes)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    die_alone();
    if (null >= 0)
        for (int fd = 0; fd < 3; fd++)
            dup2(null, fd);
    limit(RLIMIT_CPU, (rlim_t)seconds);
    if (null >= 0)
        close(null);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    if (size_now() > 0) /* the sanitizers reserve terabytes */
        limit(RLIMIT_AS, (rlim_t)(size_now() + MEMORY + UNPACKED * bytes));
#endif
}

/* Allows one more open file; our own blocks (base/read/bulk.h) may need a
 * second one. */
static void allow_one_file(void)
{
    int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
    struct rlimit files = {.rlim_cur = (rlim_t)next + 1,
                           .rlim_max = (rlim_t)next + 2};

    if (next < 0)
        _exit(1);
    close(next);
    if (setrlimit(RLIMIT_NOFILE, &files) != 0)
        _exit(1);
}

static _Noreturn void serve(int to, const hs_sink *sink, const char *path,
                            int64_t seconds, int64_t bytes)
{
    struct head h;
    hs_loaded in;
    size_t rows;

    memset(&h, 0, sizeof h);
    set_limits(seconds, bytes);
    allow_one_file();
    h.status = sink->read(&in, path, &h.error);
    if (h.status != HISS_OK) {
        put(to, &h, sizeof h);
        _exit(0);
    }
    h.chains = in.chains;
    h.dim = in.dim;
    h.samples = in.samples;
    h.values = in.values;
    h.element = in.element;
    h.has_accept = in.accept;
    h.has_marginal = in.marginal;
    h.manifest = (int64_t)strlen(in.manifest);
    rows = (size_t)in.chains * (size_t)in.samples;
    put(to, &h, sizeof h);
    put(to, in.x, rows * (size_t)in.dim * hs_element_size(in.element));
    put(to, in.lp, rows * sizeof *in.lp);
    if (in.accept)
        put(to, in.accept, rows * sizeof *in.accept);
    if (in.marginal)
        put(to, in.marginal, (size_t)in.values * sizeof *in.marginal);
    put(to, in.manifest, (size_t)h.manifest);
    _exit(0);
}

/* --- here --------------------------------------------------------------- */

/* Reads the next bytes from the child; false if they are late (-1: no
 * limit). */
static bool get(int from, void *bytes, size_t count, int64_t seconds)
{
    char *at = bytes;

    while (count > 0) {
        struct pollfd ready = {.fd = from, .events = POLLIN};
        int is_ready =
            poll(&ready, 1, seconds < 0 ? -1 : (int)(seconds * 1000));
        ssize_t got = is_ready > 0 ? read(from, at, count) : 0;

        if ((is_ready < 0 || got < 0) && errno == EINTR)
            continue;
        if (is_ready <= 0 || got <= 0)
            return false;
        at += got;
        count -= (size_t)got;
    }
    return true;
}

/* Returns false if the child gave up, which is not a fault of ours. */
static bool receive(hs_loaded *in, int from, const char *path, int64_t seconds,
                    hiss_status *rc, hiss_error *err)
{
    struct head h;
    size_t rows;

    if (!get(from, &h, sizeof h, seconds))
        return false;
    *rc = h.status;
    if (h.status != HISS_OK) {
        if (err)
            *err = h.error;
        return true;
    }
    *rc = hs_loaded_init(in, h.chains, h.samples, h.dim, h.element,
                         h.has_accept, path, err);
    if (*rc != HISS_OK)
        return true;
    rows = (size_t)in->chains * (size_t)in->samples;
    in->values = h.values;
    in->manifest = hs_alloc_array((size_t)h.manifest + 1, 1);
    if (h.has_marginal)
        in->marginal = hs_alloc_array((size_t)h.values, sizeof *in->marginal);
    if (!in->manifest || (h.has_marginal && !in->marginal)) {
        *rc = hs_fail_memory(err);
        return true;
    }
    return get(from, in->x, rows * (size_t)in->dim * hs_element_size(h.element),
               seconds) &&
           get(from, in->lp, rows * sizeof *in->lp, seconds) &&
           (!in->accept ||
            get(from, in->accept, rows * sizeof *in->accept, seconds)) &&
           (!in->marginal ||
            get(from, in->marginal, (size_t)h.values * sizeof *in->marginal,
                seconds)) &&
           get(from, in->manifest, (size_t)h.manifest, seconds);
}

hiss_status hs_apart_read(hs_loaded *in, const hs_sink *sink, const char *path,
                          hiss_error *err)
{
    struct stat file = {0};
    int64_t seconds;
    hiss_status rc = HISS_OK;
    bool is_told;
    int ends[2];
    pid_t child;

    *in = (hs_loaded){0};
    stat(path, &file);
    seconds = SECONDS + (int64_t)file.st_size / SPEED;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return hs_fail(err, HISS_EIO, "%s: cannot be read: %s", path,
                       strerror(errno));
    child = fork();
    if (child == 0)
        serve(ends[1], sink, path, seconds, (int64_t)file.st_size);
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return hs_fail(err, HISS_EIO, "%s: cannot be read: %s", path,
                       strerror(errno));
    }
    /* twice its own limit, so that a busy machine does not decide */
    is_told = receive(in, ends[0], path, 2 * seconds, &rc, err);
    close(ends[0]);
    kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    if (!is_told)
        rc = hs_fail(err, HISS_EPARSE,
                     "%s: damaged: the library that reads %s files crashed on "
                     "it, or did not come to an end",
                     path, sink->name);
    if (rc != HISS_OK)
        hs_loaded_clear(in);
    return rc;
}

/* The child's answer after the work. */
struct answer {
    hiss_status status;
    hiss_error error;
};

hiss_status hs_apart_do(hiss_status (*work)(const void *order, hiss_error *err),
                        const void *order, const char *path, hiss_error *err)
{
    struct answer a;
    sigset_t all, before;
    int ends[2];
    bool is_told;
    pid_t child;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return work(order, err);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    child = fork();
    if (child == 0) {
        memset(&a, 0, sizeof a);
        die_alone();
        a.status = work(order, &a.error);
        put(ends[1], &a, sizeof a);
        _exit(0);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    is_told = child > 0 && get(ends[0], &a, sizeof a, -1);
    close(ends[0]);
    if (child < 0)
        return work(order, err);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    if (!is_told)
        return hs_fail(err, HISS_EIO,
                       "%s: writing failed: its library crashed, for lack of "
                       "memory or room",
                       path);
    if (a.status != HISS_OK && err)
        *err = a.error;
    return a.status;
}
