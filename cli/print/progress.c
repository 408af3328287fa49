/* progress.c - a progress bar that fits the terminal, or a line per minute. */
#include "cli/print/progress.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/print/interrupt.h"
#include "cli/print/terminal.h"

enum {
    PART_MAX = 64,
    BAR_MAX = 40,
    BAR_MIN = 4
};

static const double FIRST_BAR = 0.3, BAR_EVERY = 0.1, LINE_EVERY = 60;

void cli_progress_begin(cli_progress *progress, const char *what, bool is_quiet)
{
    *progress = (cli_progress){.what = what, .is_quiet = is_quiet};
    progress->is_terminal = cli_terminal_is(stderr);
    progress->next = progress->is_terminal ? FIRST_BAR : LINE_EVERY;
}

/* Prints "12.3M evals/s", or nothing while it is unknown. */
static void print_rate(char out[PART_MAX], const hiss_progress *now)
{
    static const char units[] = " kMGT";
    double rate = now->seconds > 0 ? now->evaluations / now->seconds : 0;
    int unit = 0;

    out[0] = '\0';
    if (!(rate >= 1))
        return;
    while (rate >= 999.5 && units[unit + 1]) {
        rate /= 1000;
        unit++;
    }
    if (unit)
        snprintf(out, PART_MAX, "%.3g%c evals/s", rate, units[unit]);
    else
        snprintf(out, PART_MAX, "%.3g evals/s", rate);
}

/* Prints "1:02:03 left". */
static void print_left(char out[PART_MAX], const hiss_progress *now)
{
    double left = now->seconds * (1 - now->fraction) / now->fraction;
    long seconds;

    out[0] = '\0';
    if (!(now->fraction > 0 && left < 1e8))
        return;
    seconds = lround(ceil(left));
    if (seconds >= 3600)
        snprintf(out, PART_MAX, "%ld:%02ld:%02ld left", seconds / 3600,
                 seconds / 60 % 60, seconds % 60);
    else
        snprintf(out, PART_MAX, "%ld:%02ld left", seconds / 60, seconds % 60);
}

/* Prints "log p -123.4 ESS 210 R-hat 1.01": statistics of the draws so far. */
static void print_state(char out[PART_MAX], const hiss_progress *now)
{
    bool is_there = now->size >= offsetof(hiss_progress, rhat) + sizeof(double);
    int used;

    out[0] = '\0';
    if (!is_there || now->is_pilot || !(now->ess > 0) || isnan(now->log_p))
        return;
    used =
        snprintf(out, PART_MAX, "log p %.5g  ESS %.3g", now->log_p, now->ess);
    if (!isnan(now->rhat))
        snprintf(out + used, (size_t)(PART_MAX - used), "  R-hat %.2f",
                 now->rhat);
}

static int percent(const hiss_progress *now)
{
    double share = now->fraction > 0 ? now->fraction : 0;

    return (int)(100 * (share < 1 ? share : 1));
}

static const char *phase(const cli_progress *p, const hiss_progress *now)
{
    return now->is_pilot ? "pilot" : now->is_warmup ? "warm-up" : p->what;
}

/* Drops the part if it does not fit. */
static void fit(char part[PART_MAX], int *used, int width)
{
    if (*used + (int)strlen(part) + 2 > width)
        part[0] = '\0';
    *used += part[0] ? (int)strlen(part) + 2 : 0;
}

static void print_part(const char *part)
{
    fprintf(stderr, "%s%s", part[0] ? "  " : "", part);
}

/* Draws: what [#####-----] 45% 0:23 left log p -12.3 ESS 210 R-hat 1.01 12.3M
 * evals/s.  On a narrow terminal the bar is dropped first, then parts from the
 * end. */
static void draw_bar(cli_progress *p, const hiss_progress *now)
{
    char rate[PART_MAX], left[PART_MAX], state[PART_MAX], bar[BAR_MAX + 1];
    int width = cli_terminal_width(stderr) - 1;
    const char *what = phase(p, now);
    int used = (int)strlen(what) + 6, cells, full;

    print_rate(rate, now);
    print_left(left, now);
    print_state(state, now);
    fit(left, &used, width);
    fit(state, &used, width);
    fit(rate, &used, width);
    cells = width - used - 3;
    cells = cells > BAR_MAX ? BAR_MAX : cells < BAR_MIN ? 0 : cells;
    full = cells * percent(now) / 100;
    memset(bar, '-', (size_t)cells);
    memset(bar, '#', (size_t)full);
    bar[cells] = '\0';
    fprintf(stderr, "\r\033[K%s %s%s%s%3d%%", what, cells ? "[" : "", bar,
            cells ? "] " : "", percent(now));
    print_part(left);
    print_part(state);
    print_part(rate);
    fflush(stderr);
    p->is_drawn = true;
}

static void print_line(const cli_progress *p, const hiss_progress *now)
{
    char rate[PART_MAX], left[PART_MAX], state[PART_MAX];

    print_rate(rate, now);
    print_left(left, now);
    print_state(state, now);
    fprintf(stderr, "hiss: %s %d%%, %.0f s%s%s%s%s%s%s\n", phase(p, now),
            percent(now), now->seconds, rate[0] ? ", " : "", rate,
            left[0] ? ", " : "", left, state[0] ? ", " : "", state);
}

int cli_progress_show(void *context, const hiss_progress *now)
{
    cli_progress *p = context;

    if (p->defers && !now->is_pilot) {
        cli_interrupt_defer(p->is_quiet);
        p->defers = false;
    }
    if (cli_interrupt_signal())
        return 1;
    if (p->is_quiet || now->seconds < p->next)
        return 0;
    if (p->is_terminal)
        draw_bar(p, now);
    else
        print_line(p, now);
    p->next = now->seconds + (p->is_terminal ? BAR_EVERY : LINE_EVERY);
    return 0;
}

void cli_progress_end(cli_progress *progress)
{
    if (progress->is_drawn)
        fputs("\r\033[K", stderr);
    progress->is_drawn = false;
}
