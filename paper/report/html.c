/* html.c - Greek letters, inlined SVG. */
#include "paper/report/html.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/page/html.h"
#include "cli/print/fail.h"

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The length of a Greek word at text, 0: none. */
static size_t put_greek(FILE *out, const char *text)
{
    static const struct {
        const char *name, *letter;
    } words[] = {
        {"eta", "\u03b7"},
        {"alpha", "\u03b1"},
        {"beta", "\u03b2"},
        {"sigma", "\u03c3"},
        {"mu", "\u03bc"},
        {"eps", "\u03b5"},
        {"pi_x", "\u03c0<sub>x</sub>"},
        {"pi_y", "\u03c0<sub>y</sub>"},
        {"P_xy", "P<sub>xy</sub>"},
        {"P_yx", "P<sub>yx</sub>"},
    };

    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        size_t length = strlen(words[w].name);

        if (strncmp(text, words[w].name, length) == 0 &&
            !is_word(text[length])) {
            fputs(words[w].letter, out);
            return length;
        }
    }
    return 0;
}

/* ^2, ^beta, ^-12, ^(1/T) and the like: a word, or up to its bracket. */
static size_t put_power(FILE *out, const char *text)
{
    size_t length = 1;

    while (text[length] == '-' || is_word(text[length]))
        length++;
    if (text[1] == '(' && strchr(text, ')'))
        length = (size_t)(strchr(text, ')') - text) + 1;
    fputs("<sup>", out);
    for (size_t i = 1; i < length;) {
        size_t greek = put_greek(out, text + i);

        if (!greek)
            cli_html_char(out, text[i]);
        i += greek ? greek : 1;
    }
    fputs("</sup>", out);
    return length;
}

/* The exponent of 5.9e-06 as a power of ten. */
static size_t put_exponent(FILE *out, const char *text)
{
    size_t sign = text[1] == '-' || text[1] == '+', length = 1 + sign;

    if (!isdigit((unsigned char)text[length]))
        return 0;
    fprintf(out, "\u00d710<sup>%s", text[1] == '-' ? "\u2212" : "");
    while (text[length] == '0' && isdigit((unsigned char)text[length + 1]))
        length++;
    while (isdigit((unsigned char)text[length]))
        fputc(text[length++], out);
    fputs("</sup>", out);
    return length;
}

void paper_html_prose(FILE *out, const char *text)
{
    char before = ' ';

    while (*text) {
        size_t used = is_word(before) ? 0 : put_greek(out, text);

        if (!used && *text == '^')
            used = put_power(out, text);
        if (!used && *text == 'e' && isdigit((unsigned char)before))
            used = put_exponent(out, text);
        if (!used && *text == '-' && isdigit((unsigned char)text[1]) &&
            !is_word(before)) {
            fputs("\u2212", out);
            used = 1;
        }
        if (!used) {
            cli_html_char(out, *text);
            used = 1;
        }
        before = text[used - 1];
        text += used;
    }
}

/* The whole file, or NULL; free() it. */
static char *read_all(const char *path)
{
    FILE *in = fopen(path, "r");
    char *text = NULL;
    long length;

    if (!in)
        return NULL;
    if (fseek(in, 0, SEEK_END) == 0 && (length = ftell(in)) >= 0 &&
        fseek(in, 0, SEEK_SET) == 0) {
        text = cli_alloc((size_t)length + 1, 1);
        if (fread(text, 1, (size_t)length, in) != (size_t)length) {
            free(text);
            text = NULL;
        }
    }
    fclose(in);
    return text;
}

bool paper_html_svg(FILE *out, const char *path)
{
    char *text = read_all(path), *at = text ? strstr(text, "<svg") : NULL;
    char *style = at ? strstr(at, "<style>") : NULL;
    char *rest = style ? strstr(style, "</style>") : NULL;

    if (at)
        fprintf(out, "%.*s%s", style ? (int)(style - at) : (int)strlen(at), at,
                rest ? rest + strlen("</style>") : "");
    free(text);
    return at != NULL;
}

const char *paper_html_metric(const char *metric)
{
    static const struct {
        const char *name, *label;
    } known[] = {
        {"log_mae", "log MAE"},
        {"tvd", "TVD"},
        {"seconds", "processor seconds"},
        {"jump_acceptance", "jump accepted"},
        {"jump_acceptance_exact", "jump accepted, exact"},
        {"swap_acceptance", "swap accepted"},
        {"log_mae_average", "log MAE along the run"},
        {"log_mae_spread", "its deviation along the run"},
        {"coverage_average", "coverage along the run"},
        {"energy_per_site", "energy per site"},
        {"errors_from_exact", "standard errors from exact"},
        {"rhat", "R-hat"},
        {"ess_per_million_evaluations", "ESS per 10^6 evaluations"},
        {"bernoulli_paper_count", "Bernoulli, paper's count"},
        {"bernoulli_energy_evals", "Bernoulli, U"},
        {"bernoulli_gradient_evals", "Bernoulli, gradient"},
        {"ising_paper_count", "Ising, paper's count"},
        {"ising_energy_evals", "Ising, U"},
        {"ising_gradient_evals", "Ising, gradient"},
        {"flip_probability_exact", "flip probability, exact"},
        {"epsilon_printed", "eps, printed"},
        {"epsilon_lemma", "eps, lemma's sign"},
        {"epsilon_exact", "eps, exact"},
        {"tv_after_1", "TV after 1 sweep"},
        {"tv_after_10", "TV after 10 sweeps"},
        {"sweeps_to_0.01", "sweeps to TV 0.01"},
        {"printed_bound_violated", "printed bound violated"},
        {"lemma_bound_violated", "lemma's bound violated"},
        {"chi2_per_cell", "chi-square per cell"},
    };
    static char plain[64];
    size_t i;

    for (i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, metric) == 0)
            return known[i].label;
    for (i = 0; metric[i] && i + 1 < sizeof plain; i++)
        plain[i] = metric[i] == '_' ? ' ' : metric[i];
    plain[i] = '\0';
    return plain;
}
