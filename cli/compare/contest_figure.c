/* contest_figure.c - a race as a figure, drawn by gnuplot.
 *
 * Distance from the law along the race where that is known, else the effective
 * draws for the price as points. */
#include "cli/compare/contest.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/files/output.h"
#include "cli/print/fail.h"
#include "cli/print/gnuplot.h"

/* Of the pages (cli/page/style.c).  Where there are more racers they come again
 * with another mark and a dashed line. */
static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73",
                                     "#ae87f6", "#672300", "#3019ae",
                                     "#973f48", "#4a2c5d"};
static const int marks[] = {7, 5, 9, 11, 13};

enum {
    COLORS = sizeof colors / sizeof *colors,
    MARKS = sizeof marks / sizeof *marks
};

static const char *const suffix[] = {"", " (equal time)", " (equal length)"};

static void put_curves(const cli_contest *c, const char *metric, FILE *to)
{
    const hiss_racer *racer;
    const char *sign = "plot";

    for (int n = 0; (racer = hiss_comparison_racer(c->comparison, n)); n++) {
        fprintf(to, "$d%d << EOD\n", n);
        for (int k = 0; k < racer->points; k++)
            if (!isnan(racer->curve[k].mean))
                fprintf(to, "%.9g %.9g %.9g\n", racer->curve[k].evals,
                        racer->curve[k].mean, racer->curve[k].se);
        fputs("EOD\n", to);
    }
    fprintf(to,
            "set logscale xy\nset autoscale xfix\nset xlabel 'evaluations'\n"
            "set ylabel '%s'\nset key outside bottom center vertical "
            "spacing 1.1 height 1\n",
            strcmp(metric, "tvd") == 0 ? "total variation distance"
                                       : "total variation of marginals");
    for (int n = 0; (racer = hiss_comparison_racer(c->comparison, n)); n++) {
        fprintf(to,
                "%s $d%d using 1:2:3 with yerrorlines lw 2 dt %d pt %d ps 0.5 "
                "lc rgb '%s' title ",
                sign, n, 1 + n / COLORS, marks[n % MARKS], colors[n % COLORS]);
        cli_gnuplot_text(to, racer->sampler);
        if (*suffix[racer->race])
            fprintf(to, " . '%s'", suffix[racer->race]);
        sign = ",";
    }
    fputc('\n', to);
}

static void put_points(const cli_contest *c, FILE *to)
{
    const hiss_racer *racer;
    int n = 0;

    fputs("$d << EOD\n", to);
    for (; (racer = hiss_comparison_racer(c->comparison, n)); n++) {
        char *label = cli_text("%s%s", racer->sampler, suffix[racer->race]);

        for (char *at = label; *at; at++)
            *at = *at == '"' || *at == '\\' || (unsigned char)*at < ' ' ? ' '
                                                                        : *at;
        fprintf(to, "%d %.9g %.9g \"%s\"\n", n, racer->ess_per_eval.mean,
                racer->ess_per_eval.se, label);
        free(label);
    }
    fprintf(to,
            "EOD\nset xlabel 'effective draws per evaluation'\n"
            "set xrange [0:*]\nset yrange [%d.5:-0.5]\nset key off\n"
            "plot $d using 2:1:3:yticlabels(4) with xerrorbars lw 2 pt 7 "
            "lc rgb '%s'\n",
            n - 1, colors[0]);
}

/* The script, to be read from its beginning; NULL: there is no place for it. */
static FILE *script_of(const cli_contest *c)
{
    const char *metric = hiss_comparison_metric(c->comparison);
    FILE *to = tmpfile();

    if (!to)
        return NULL;
    /* to standard output: a name that begins with '|' is a command to it */
    fputs("set terminal svg size 720,480 dynamic noenhanced\nset title ", to);
    cli_gnuplot_text(to, hiss_model_name(c->model));
    fputs("\nset grid\n", to);
    if (metric)
        put_curves(c, metric, to);
    else
        put_points(c, to);
    if (fflush(to) == 0 && fseek(to, 0, SEEK_SET) == 0)
        return to;
    fclose(to);
    return NULL;
}

/* The status of gnuplot, which draws to a descriptor. */
static int draw(const cli_contest *c, int output)
{
    FILE *script = script_of(c);
    int status;

    if (!script)
        return 126;
    status = cli_gnuplot_run(&(cli_gnuplot){
        .script = "-", .input = fileno(script), .output = output});
    fclose(script);
    return status;
}

int cli_contest_figure(const cli_contest *contest, const char *path,
                       bool is_forced)
{
    char *part = cli_output_part(path);
    int output = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    struct stat made;
    int status = output < 0 ? 0 : draw(contest, output), code = CLI_DONE;

    if (output < 0)
        code = cli_fail(CLI_FAULT, "%s: %s", part, strerror(errno));
    else if (status == -1 || status == 127)
        cli_note("gnuplot was not found (Debian: gnuplot-nox): there is no %s",
                 path);
    else if (status != 0 || fstat(output, &made) != 0 || made.st_size == 0)
        code = cli_fail(CLI_FAULT, "gnuplot failed: there is no %s", path);
    else
        code = cli_output_move(path, is_forced, part);
    if (output >= 0) {
        close(output);
        unlink(part);
    }
    free(part);
    return code;
}
