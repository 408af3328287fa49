/* readings.c - the paper as printed, as its code reads it, and done correctly:
 * one row per number, one column per reading. */
#include "paper/report/readings.h"

#include <math.h>

#include "paper/claims/claims.h"
#include "paper/report/html.h"
#include "paper/support/results.h"

enum {
    READINGS = PAPER_CORRECT - PAPER_PRINTED + 1
};

static const char *const HEADS[READINGS] = {"printed", "coded", "correct"};

/* Where a number of a reading is; row NULL: nobody drew it. */
struct place {
    const char *experiment, *row, *metric;
};

#define ISING(title, printed, coded, correct)                                  \
  {                                                                            \
    "3 x 3 Ising model, TVD of " title,                                        \
    {                                                                          \
      {"ising", printed, "tvd"}, {"ising", coded, "tvd"},                      \
          {"ising", correct, "tvd"},                                           \
    }                                                                          \
  }
#define ERROR_OF(set) set "_test_mse"
#define NETWORK(title, set)                                                    \
  {                                                                            \
    title ", test MSE of DMALA",                                               \
    {                                                                          \
      {"bnn", "dmala_sum", ERROR_OF(set)}, {"bnn", "dmala", ERROR_OF(set)},    \
          {"bnn", "dmala_tuned", ERROR_OF(set)},                               \
    }                                                                          \
  }

static const struct line {
    const char *title;
    struct place place[READINGS];
} lines[] = {
    ISING("GWG", "gwg", "gwg", "gwg"),
    ISING("DMALA", "dmala_spins", "dmala", "dmala_tuned"),
    ISING("ACS", "acs_spins", "acs", "acs_tuned"),
    ISING("PT", "pt_spins", "pt", "pt_tuned"),
    ISING("HiSS", "hiss_spins", "hiss", "hiss_tuned"),
    NETWORK("WDBC", "wdbc"),
    NETWORK("COMPAS", "compas"),
    NETWORK("HIV", "hiv"),
    NETWORK("Blog", "blog"),
    {"HIV with a prior of 10, none, and one chosen by validation, test MSE of "
     "DMALA",
     {{"prior", "dmala_10", "hiv_test_mse"},
      {"bnn", "dmala", "hiv_test_mse"},
      {"bnn", "dmala_tuned", "hiv_test_mse"}}},
    {"The same of HiSS",
     {{"prior", "hiss_10", "hiv_test_mse"},
      {"bnn", "hiss", "hiv_test_mse"},
      {"bnn", "hiss_tuned", "hiv_test_mse"}}},
};

enum {
    LINES = sizeof lines / sizeof *lines
};

static double number_of(const json_t *data, const struct place *p,
                        const char **spelled)
{
    *spelled = paper_spell_metric(data, p->experiment, p->row, p->metric);
    return paper_results_mean(data, p->experiment, p->row, p->metric);
}

/* Whether some reading of the line has a number. */
static bool is_known(const json_t *data, const struct line *line)
{
    const char *spelled;
    bool any = false;

    for (int r = 0; r < READINGS; r++)
        any = any || !isnan(number_of(data, &line->place[r], &spelled));
    return any;
}

static bool any_known(const json_t *data)
{
    bool any = false;

    for (int l = 0; l < LINES; l++)
        any = any || is_known(data, &lines[l]);
    return any;
}

static bool is_shown(int reading)
{
    return paper_reading() == PAPER_ALL_READINGS ||
           (int)paper_reading() == PAPER_PRINTED + reading;
}

static const char *const ABOUT =
    "printed: parameters on spins, the sum of squares, a prior. coded: on "
    "bits, 100 times the mean, no prior. correct: every parameter tuned, by a "
    "pilot or on validation cases. --as judges by one reading alone.";

void paper_readings_markdown(FILE *out, const json_t *data)
{
    if (!any_known(data))
        return;
    fprintf(out, "## Readings, side by side\n\n%s\n\n| |", ABOUT);
    for (int r = 0; r < READINGS; r++)
        if (is_shown(r))
            fprintf(out, " %s |", HEADS[r]);
    fputs("\n|---|", out);
    for (int r = 0; r < READINGS; r++)
        fputs(is_shown(r) ? "---:|" : "", out);
    fputs("\n", out);
    for (int l = 0; l < LINES; l++) {
        if (!is_known(data, &lines[l]))
            continue;
        fprintf(out, "| %s |", lines[l].title);
        for (int r = 0; r < READINGS; r++) {
            const char *spelled;

            number_of(data, &lines[l].place[r], &spelled);
            if (is_shown(r))
                fprintf(out, " %s |", spelled);
        }
        fputs("\n", out);
    }
    fputs("\n", out);
}

void paper_readings_html(FILE *out, const json_t *data)
{
    if (!any_known(data))
        return;
    fputs("<section id=\"readings\">\n<h2>Readings, side by side</h2>\n<p>",
          out);
    paper_html_prose(out, ABOUT);
    fputs("</p>\n<div class=\"table\"><table>\n<thead><tr><th></th>", out);
    for (int r = 0; r < READINGS; r++)
        if (is_shown(r))
            fprintf(out, "<th>%s</th>", HEADS[r]);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int l = 0; l < LINES; l++) {
        if (!is_known(data, &lines[l]))
            continue;
        fputs("<tr><th scope=\"row\">", out);
        paper_html_prose(out, lines[l].title);
        fputs("</th>", out);
        for (int r = 0; r < READINGS; r++) {
            const char *spelled;

            number_of(data, &lines[l].place[r], &spelled);
            if (!is_shown(r))
                continue;
            fprintf(out, "<td data-label=\"%s\"><span>", HEADS[r]);
            paper_html_prose(out, spelled);
            fputs("</span></td>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n</section>\n", out);
}
