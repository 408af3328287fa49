/* interrupt.c - handles signals, with async-signal-safe calls only. */
#include "cli/print/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "cli/print/fail.h"

static volatile sig_atomic_t is_deferred, is_silent, has_bar, noted, is_held,
    last, is_empty;

/* Ends the line of a progress bar first. */
static void say(const char *line, size_t length)
{
    size_t skip = has_bar ? 0 : 1;

    if (!is_silent)
        (void)!write(STDERR_FILENO, line + skip, length - skip);
}

static void handle(int number)
{
    static const char stopping[] =
        "\nhiss: stopping, what was drawn is kept; once more ends at once\n";
    static const char nothing[] =
        "\nhiss: stopped before the first draw, nothing to save\n";
    int saved = errno;

    if (is_held && (noted || !is_deferred)) {
        last = number;
        return;
    }
    if (!is_deferred && is_empty)
        say(nothing, sizeof nothing - 1);
    if (!is_deferred || noted)
        _exit(CLI_SIGNAL + number);
    noted = number;
    say(stopping, sizeof stopping - 1);
    errno = saved;
}

static void take(int number)
{
    struct sigaction action, before;

    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART;
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void cli_interrupt_init(void)
{
    take(SIGINT);
    take(SIGTERM);
    take(SIGHUP);
    take(SIGUSR1); /* mpirun passes it on, and batch systems send it */
    signal(SIGXFSZ, SIG_IGN);
}

void cli_interrupt_note(int number)
{
    handle(number);
}

void cli_interrupt_defer(bool is_quiet)
{
    is_silent = is_quiet;
    has_bar = isatty(STDERR_FILENO);
    is_deferred = 1;
}

void cli_interrupt_empty(bool is_now, bool is_quiet)
{
    is_silent = is_quiet;
    has_bar = isatty(STDERR_FILENO);
    is_empty = is_now;
}

void cli_interrupt_hold(bool is_now)
{
    is_held += is_now ? 1 : -1;
    if (!is_held && last)
        _exit(CLI_SIGNAL + last);
}

static void give_up(int number)
{
    static const char late[] =
        "\nhiss: the rest of the summary was left out, it takes too long\n";

    (void)number;
    say(late, sizeof late - 1);
    _exit(CLI_SIGNAL + noted);
}

void cli_interrupt_deadline(double seconds)
{
    struct itimerval end = {.it_value.tv_usec = (long)(1e6 * seconds)};
    struct sigaction action;

    if (!noted)
        return;
    memset(&action, 0, sizeof action);
    action.sa_handler = give_up;
    if (sigaction(SIGPROF, &action, NULL) == 0)
        setitimer(ITIMER_PROF, &end, NULL);
}

void cli_interrupt_release(void)
{
    is_deferred = 0;
}

int cli_interrupt_signal(void)
{
    return noted;
}
