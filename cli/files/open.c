/* open.c - opens models and samplers given on the command line. */
#include "cli/files/open.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/args/names.h"
#include "cli/files/standard.h"
#include "cli/print/number.h"
#include "cli/print/text_file.h"

/* Reads --beta or --temperature; 1 without them. */
static int read_beta(const cli_common *arguments, double *beta)
{
    const char *text =
        arguments->beta ? arguments->beta : arguments->temperature;
    const char *name = arguments->beta ? "beta" : "temperature";

    *beta = 1;
    if (arguments->beta && arguments->temperature)
        return cli_fail(CLI_BAD_CALL, "give --beta or --temperature, not both");
    if (!text)
        return CLI_DONE;
    if (!cli_number_real(text, (int)strlen(text), beta) || !(*beta > 0))
        return cli_fail(CLI_BAD_CALL, "--%s: '%.64s' is not a number above 0",
                        name, text);
    if (arguments->temperature)
        *beta = 1 / *beta;
    return CLI_DONE;
}

int cli_open_model(const cli_common *arguments, hiss_model **out)
{
    hiss_error err = {0};
    hiss_status status;
    double beta;
    int code = read_beta(arguments, &beta);

    if (code != CLI_DONE)
        return code;
    if (cli_is_standard(arguments->words[0]) &&
        cli_is_standard(arguments->evidence))
        return cli_fail(CLI_BAD_CALL, "model and evidence cannot both be "
                                      "standard input (-)");
    if (cli_is_sampler(arguments->words[0]) && !arguments->format &&
        access(arguments->words[0], F_OK) != 0)
        return cli_fail(CLI_BAD_CALL,
                        "'%.64s' is a sampler, expected a model: --sampler "
                        "names samplers",
                        arguments->words[0]);
    status = hiss_model_open_from(out, arguments->words[0], arguments->format,
                                  arguments->model_trust, &err);
    if (status == HISS_OK && arguments->evidence)
        status = hiss_model_evidence_from(*out, arguments->evidence,
                                          arguments->evidence_trust, &err);
    if (status == HISS_OK && arguments->fix)
        status = hiss_model_fix(*out, arguments->fix, &err);
    if (status == HISS_OK && beta != 1)
        status = hiss_model_temper(*out, beta, &err);
    return status == HISS_OK ? CLI_DONE : cli_fail_status(status, &err);
}

void cli_open_note(const cli_common *arguments, const hiss_model *model)
{
    const char *note = hiss_model_note(model);
    const char *reads_as = hiss_model_reads_as(model);

    if (reads_as && !arguments->quiet)
        cli_note("%s", reads_as);
    if (note && !arguments->quiet)
        cli_note("%s", note);
}

int cli_open_sampler(const char *spec, const hiss_trust *trust,
                     hiss_sampler **out)
{
    hiss_error err = {0};
    hiss_status status;

    if (cli_is_model(spec))
        return cli_fail(CLI_BAD_CALL,
                        "--sampler: '%.64s' is a model, expected a sampler; "
                        "`hiss list samplers` shows all",
                        spec);
    status = hiss_sampler_create_from(out, spec, trust, &err);
    return status == HISS_OK ? CLI_DONE : cli_fail_status(status, &err);
}

static bool is_plain(const char *word)
{
    static const char marks[] = "%+,-./:=@_";

    for (const char *c = word; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr(marks, *c))
            return false;
    return *word != '\0';
}

/* Quotes as in 'it'\''s'; unprintable characters, such as line ends, become
 * '?'. */
static void quote(FILE *out, const char *word)
{
    fputc('\'', out);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(iscntrl((unsigned char)*word) ? '?' : *word, out);
    }
    fputc('\'', out);
}

static void add_word(FILE *out, const char *before, const char *word)
{
    if (!word)
        return;
    fputs(before, out);
    if (is_plain(word))
        fputs(word, out);
    else
        quote(out, word);
}

void cli_open_point(const cli_common *arguments, const hiss_model *model)
{
    hiss_exact_cost cost = HISS_INIT(hiss_exact_cost);
    cli_text_file file;
    char *line;

    if (arguments->quiet || cli_is_standard(arguments->words[0]) ||
        !hiss_exact_estimate(model, arguments->threads, &cost))
        return;
    cli_text_file_open(&file);
    add_word(file.to, "hiss exact ", arguments->words[0]);
    add_word(file.to, " --format ", arguments->format);
    add_word(file.to, " --evidence ", arguments->evidence);
    add_word(file.to, " --fix ", arguments->fix);
    add_word(file.to, " --beta ", arguments->beta);
    add_word(file.to, " --temperature ", arguments->temperature);
    line = cli_text_file_close(&file);
    cli_note("`%s` would take about %.2g s", line, fmax(cost.seconds, 0.1));
    free(line);
}

char *cli_open_line(const cli_common *arguments)
{
    cli_text_file file;

    cli_text_file_open(&file);
    fputs("hiss", file.to);
    for (int a = 1; a < arguments->argc; a++)
        add_word(file.to, " ", arguments->argv[a]);
    return cli_text_file_close(&file);
}
