/* kernel_pipe.c - a command that moves states, over its standard streams.
 *
 * Both ends are non-blocking and served together, so a command that writes
 * while it still reads does not block.  It has its own process group, so that
 * all of it can be ended. */
#include "cli/files/kernel_pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/print/fail.h"
#include "cli/print/interrupt.h"

enum {
    SHELL_SIGNAL = 128, /* larger codes: a signal ended its program */
    SIGNALS = 64,       /* that there are */
    NUMBER = 32,        /* most bytes of a number as text */
    HEADER = 64,
    SLICE = 100, /* ms between checks for a signal */
};

static const double GRACE = 2; /* seconds it has to end */

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static hiss_status fail(hiss_error *err, hiss_status status, const char *format,
                        ...) CLI_PRINTF(3, 4);

static hiss_status fail(hiss_error *err, hiss_status status, const char *format,
                        ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(err->message, sizeof err->message, format, arguments);
    va_end(arguments);
    err->status = status;
    return status;
}

/* --- the process -------------------------------------------------------- */

static void become(const char *command, int in, int out)
{
    sigset_t none;

    setpgid(0, 0);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
        _exit(126);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

static bool make_ends(int ends[4])
{
    if (pipe(ends) != 0)
        return false;
    if (pipe(ends + 2) != 0) {
        close(ends[0]);
        close(ends[1]);
        return false;
    }
    for (int k = 0; k < 4; k++)
        fcntl(ends[k], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    fcntl(ends[2], F_SETFL, O_NONBLOCK);
    return true;
}

bool cli_kernel_pipe_open(cli_kernel_pipe *p, const char *command,
                          hiss_error *err)
{
    int ends[4]; /* its input: 0 and 1; its output: 2 and 3 */

    p->to = p->from = -1;
    if (!make_ends(ends)) {
        fail(err, HISS_EIO, "no pipe to the kernel: %s", strerror(errno));
        return false;
    }
    fflush(NULL);
    p->pid = fork();
    if (p->pid == 0)
        become(command, ends[0], ends[3]);
    close(ends[0]);
    close(ends[3]);
    p->to = ends[1];
    p->from = ends[2];
    if (p->pid < 0) {
        fail(err, HISS_EIO, "the kernel could not be started: %s",
             errno == ENOSYS ? "a WebAssembly build starts no commands"
                             : strerror(errno));
        close(p->to);
        close(p->from);
        return false;
    }
    setpgid(p->pid, p->pid); /* both processes do this, so the order does not
                                matter */
    p->pipe_signal = signal(SIGPIPE, SIG_IGN);
    return true;
}

/* Describes how it ended; it has closed its output. */
static void describe_end(cli_kernel_pipe *p, char *text, size_t size)
{
    double until = now() + GRACE;
    int status = 0;
    pid_t done;

    while ((done = waitpid(p->pid, &status, WNOHANG)) == 0 && now() < until)
        poll(NULL, 0, 1);
    snprintf(text, size, "it closed its output");
    if (done != p->pid)
        return;
    p->pid = -1;
    if (WIFSIGNALED(status))
        snprintf(text, size, "it was ended by signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status) > SHELL_SIGNAL &&
             WEXITSTATUS(status) <= SHELL_SIGNAL + SIGNALS)
        snprintf(text, size, "it was ended by signal %d (exit code %d)",
                 WEXITSTATUS(status) - SHELL_SIGNAL, WEXITSTATUS(status));
    else
        snprintf(text, size, "it ended with exit code %d", WEXITSTATUS(status));
}

/* --- one exchange -------------------------------------------------------- */

/* Bytes sent and received in a call. */
struct exchange {
    size_t sent, length;
    size_t got, wanted; /* bytes; for text, lines */
    size_t lines;
    double until;
};

static bool is_complete(const cli_kernel_pipe *p, const struct exchange *x)
{
    return (p->is_text ? x->lines : x->got) >= x->wanted;
}

static hiss_status write_some(cli_kernel_pipe *p, struct exchange *x,
                              hiss_error *err)
{
    ssize_t n = write(p->to, p->out + x->sent, x->length - x->sent);

    if (n > 0)
        x->sent += (size_t)n;
    else if (n < 0 && errno == EPIPE)
        x->sent = x->length; /* reading will show its message */
    else if (n < 0 && errno != EAGAIN && errno != EINTR)
        return fail(err, HISS_EIO, "cannot write to it: %s", strerror(errno));
    return HISS_OK;
}

static hiss_status fail_short(cli_kernel_pipe *p, const struct exchange *x,
                              hiss_error *err)
{
    char end[64];

    describe_end(p, end, sizeof end);
    return fail(err, HISS_EPLUGIN, "%s after %zu of %zu %s", end,
                p->is_text ? x->lines : x->got, x->wanted,
                p->is_text ? "lines" : "bytes");
}

static hiss_status read_some(cli_kernel_pipe *p, struct exchange *x,
                             hiss_error *err)
{
    ssize_t n = read(p->from, p->in + x->got, p->in_room - x->got);

    if (n == 0)
        return fail_short(p, x, err);
    if (n < 0 && errno != EAGAIN && errno != EINTR)
        return fail(err, HISS_EIO, "cannot read from it: %s", strerror(errno));
    for (ssize_t k = 0; k < n; k++)
        x->lines += p->in[x->got + (size_t)k] == '\n';
    x->got += n > 0 ? (size_t)n : 0;
    if (x->got == p->in_room && !is_complete(p, x))
        return fail(err, HISS_EPLUGIN,
                    "it wrote %zu bytes, in which there are %zu lines, not %zu",
                    x->got, x->lines, x->wanted);
    return HISS_OK;
}

static hiss_status fail_late(const cli_kernel_pipe *p, const struct exchange *x,
                             hiss_error *err)
{
    if (is_complete(p, x))
        return fail(err, HISS_EPLUGIN, "it has read %zu of %zu bytes in %.3g s",
                    x->sent, x->length, p->seconds);
    return fail(err, HISS_EPLUGIN,
                "no answer in %.3g s: %zu of %zu %s came; does it flush its "
                "output, and does it read no more than it was sent (mawk -W "
                "interactive)?",
                p->seconds, p->is_text ? x->lines : x->got, x->wanted,
                p->is_text ? "lines" : "bytes");
}

static hiss_status exchange(cli_kernel_pipe *p, struct exchange *x,
                            hiss_error *err)
{
    while (!is_complete(p, x) || x->sent < x->length) {
        struct pollfd ends[2] = {{.fd = p->from, .events = POLLIN},
                                 {.fd = p->to, .events = POLLOUT}};

        if (cli_interrupt_signal())
            return fail(err, HISS_ESTOP, "stopped on request");
        if (now() > x->until)
            return fail_late(p, x, err);
        if (poll(ends, x->sent < x->length ? 2 : 1, SLICE) <= 0)
            continue;
        if (x->sent < x->length && ends[1].revents) {
            hiss_status rc = write_some(p, x, err);

            if (rc != HISS_OK)
                return rc;
        }
        if (ends[0].revents && !is_complete(p, x)) {
            hiss_status rc = read_some(p, x, err);

            if (rc != HISS_OK)
                return rc;
        }
    }
    return HISS_OK;
}

/* --- numbers -------------------------------------------------------------- */

static void put_double(char *at, double value)
{
    unsigned char byte[8];
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    for (int k = 0; k < 8; k++)
        byte[k] = (unsigned char)(bits >> 8 * k);
    memcpy(at, byte, sizeof byte);
}

static double get_double(const char *at)
{
    uint64_t bits = 0;
    double value;

    for (int k = 0; k < 8; k++)
        bits |= (uint64_t)(unsigned char)at[k] << 8 * k;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool grow(char **at, size_t *room, size_t wanted)
{
    char *wider;

    if (wanted <= *room)
        return true;
    wider = realloc(*at, wanted);
    if (!wider)
        return false;
    *at = wider;
    *room = wanted;
    return true;
}

static size_t encode(cli_kernel_pipe *p, int64_t n, int dim, uint32_t seed,
                     const double *from)
{
    size_t used = (size_t)snprintf(p->out, HEADER, "%lld %d %lu\n",
                                   (long long)n, dim, (unsigned long)seed);

    for (int64_t k = 0; k < n * dim; k++) {
        if (!p->is_text) {
            put_double(p->out + used, from[k]);
            used += 8;
            continue;
        }
        used += (size_t)snprintf(p->out + used, NUMBER, "%.9g%c", from[k],
                                 (k + 1) % dim ? ' ' : '\n');
    }
    return used;
}

/* Reads the numbers of one line; false if it has more or fewer, or other
 * words. */
static bool read_line(const char *at, int dim, double *out)
{
    for (int i = 0; i < dim; i++) {
        char *end;

        at += strspn(at, " \t,;");
        if (*at == '\n' || *at == '\r')
            return false;
        out[i] = strtod(at, &end);
        if (end == at)
            return false;
        at = end;
    }
    at += strspn(at, " \t\r,;");
    return *at == '\n';
}

static hiss_status decode(cli_kernel_pipe *p, const struct exchange *x,
                          int64_t n, int dim, double *to, hiss_error *err)
{
    const char *line = p->in, *end = p->in + x->got;

    if (x->got > x->wanted && !p->is_text)
        return fail(err, HISS_EPLUGIN, "it wrote more than %zu bytes",
                    x->wanted);
    for (int64_t k = 0; k < n * dim && !p->is_text; k++)
        to[k] = get_double(p->in + 8 * k);
    for (int64_t r = 0; r < n && p->is_text; r++) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));

        if (!stop || !read_line(line, dim, to + r * dim))
            return fail(err, HISS_EPLUGIN,
                        "line %lld of its answer, \"%.*s\", is not %d numbers",
                        (long long)r + 1,
                        stop ? (int)(stop - line < 60 ? stop - line : 60) : 0,
                        line, dim);
        line = stop + 1;
    }
    if (p->is_text && line < end)
        return fail(err, HISS_EPLUGIN, "it wrote more than %lld lines",
                    (long long)n);
    return HISS_OK;
}

hiss_status cli_kernel_pipe_apply(void *context, int64_t n, int dim,
                                  uint32_t seed, const double *from, double *to,
                                  hiss_error *err)
{
    cli_kernel_pipe *p = context;
    size_t values = (size_t)n * (size_t)dim;
    struct exchange x = {.wanted = p->is_text ? (size_t)n : 8 * values,
                         .until = now() + p->seconds};
    hiss_status rc;

    /* one byte more, to detect extra output */
    if (!grow(&p->out, &p->out_room, HEADER + NUMBER * values) ||
        !grow(&p->in, &p->in_room,
              (p->is_text ? NUMBER : 8) * values + (size_t)n + 1))
        return fail(err, HISS_ENOMEM, "out of memory");
    x.length = encode(p, n, dim, seed, from);
    rc = exchange(p, &x, err);
    return rc == HISS_OK ? decode(p, &x, n, dim, to, err) : rc;
}

/* --- the end -------------------------------------------------------------- */

/* Whether it writes unexpected bytes before it closes its output. */
static bool has_more(cli_kernel_pipe *p)
{
    double until = now() + GRACE;
    char byte[256];

    while (now() < until && !cli_interrupt_signal()) {
        struct pollfd end = {.fd = p->from, .events = POLLIN};
        ssize_t n;

        if (poll(&end, 1, SLICE) <= 0)
            continue;
        n = read(p->from, byte, sizeof byte);
        if (n > 0)
            return true;
        if (n == 0)
            return false;
    }
    return false;
}

bool cli_kernel_pipe_close(cli_kernel_pipe *p, bool is_fine, hiss_error *err)
{
    char end[64];
    bool more = false;

    if (p->from < 0)
        return true;
    close(p->to);
    if (is_fine && p->pid > 0) {
        more = has_more(p);
        if (!more)
            describe_end(p, end, sizeof end);
    }
    close(p->from);
    if (p->pid > 0) {
        kill(-p->pid, SIGKILL);
        waitpid(p->pid, NULL, 0);
    }
    signal(SIGPIPE, p->pipe_signal);
    free(p->out);
    free(p->in);
    *p = (cli_kernel_pipe){.to = -1, .from = -1};
    if (more)
        fail(err, HISS_EPLUGIN, "it wrote more than was asked for");
    return !more;
}
