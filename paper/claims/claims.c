/* claims.c - the list of claims, and numbers as text. */
#include "paper/claims/claims.h"

#include <math.h>
#include <stdlib.h>

#include "cli/print/fail.h"
#include "cli/print/json.h"
#include "paper/support/results.h"

enum {
    SPELL_MAX = 96,
    SPELL_RING = 12,
    DIGITS_MAX = 9
};

static const paper_claim *const LISTS[] = {
    paper_claims_sampling, paper_claims_ising,  paper_claims_tsp,
    paper_claims_bnn,      paper_claims_theory,
};

static paper_reading_kind wanted = PAPER_ALL_READINGS;

void paper_read_as(paper_reading_kind reading)
{
    wanted = reading;
}

paper_reading_kind paper_reading(void)
{
    return wanted;
}

const paper_claim *paper_claim_at(int number)
{
    for (size_t l = 0; l < sizeof LISTS / sizeof *LISTS; l++)
        for (const paper_claim *c = LISTS[l]; c->id; c++)
            if (number-- == 0)
                return c;
    return NULL;
}

const char *paper_verdict_text(paper_verdict verdict)
{
    switch (verdict) {
    case PAPER_HOLDS:
        return "holds";
    case PAPER_OTHER_NUMBER:
        return "holds with another number";
    case PAPER_FAILS:
        return "does not hold";
    case PAPER_IN_PART:
        return "holds in part";
    case PAPER_NO_CLAIM:
        return "no claim of the paper";
    default:
        return "not run";
    }
}

paper_verdict paper_claim_judge(const paper_claim *claim, const json_t *data,
                                char **evidence)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    paper_verdict verdict = PAPER_NOT_RUN;

    if (!out)
        exit(cli_fail(CLI_FAULT, "out of memory"));
    if (json_object_get(data, claim->experiment))
        verdict = claim->judge(data, out);
    if (fclose(out) != 0)
        exit(cli_fail(CLI_FAULT, "out of memory"));
    if (evidence)
        *evidence = text;
    else
        free(text);
    return verdict;
}

json_t *paper_claims_json(const json_t *data)
{
    json_t *list = cli_json_array();
    const paper_claim *claim;

    for (int n = 0; (claim = paper_claim_at(n)); n++) {
        json_t *entry = cli_json_object();
        char *evidence;
        paper_verdict verdict = paper_claim_judge(claim, data, &evidence);

        cli_json_put_text(entry, "id", claim->id);
        cli_json_put_text(entry, "experiment", claim->experiment);
        cli_json_put_text(entry, "claim", claim->claim);
        cli_json_put_text(entry, "verdict", paper_verdict_text(verdict));
        cli_json_put_text(entry, "judged_by", claim->by);
        cli_json_put_text(entry, "evidence", evidence);
        cli_json_put_text(entry, "reason", claim->reason);
        cli_json_add(list, entry);
        free(evidence);
    }
    return list;
}

paper_verdict paper_judge_parts(const paper_part *part, FILE *evidence)
{
    int parts = 0, kept = 0;

    for (; part->text; part++) {
        if (wanted != PAPER_ALL_READINGS &&
            part->reading != PAPER_ALL_READINGS && part->reading != wanted)
            continue;
        fprintf(evidence, " Part %d, %s: %s.", ++parts, part->text,
                part->holds ? "holds" : "does not hold");
        kept += part->holds;
    }
    if (parts == 0)
        return PAPER_NOT_RUN;
    return kept == parts ? PAPER_HOLDS : kept > 0 ? PAPER_IN_PART : PAPER_FAILS;
}

/* 1250000 as 1,250,000. */
static void spell_whole(char *out, double number)
{
    char digits[SPELL_MAX];
    int length = snprintf(digits, sizeof digits, "%.0f", fabs(number)), at = 0;

    if (number < 0)
        out[at++] = '-';
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = '\0';
}

/* Two digits of the error; one where that takes more than five digits of the
 * number. */
const char *paper_spell(double mean, double se)
{
    static char ring[SPELL_RING][SPELL_MAX];
    static int next;
    char *out = ring[next = (next + 1) % SPELL_RING];
    int digits;

    if (isnan(mean)) {
        snprintf(out, SPELL_MAX, "-");
    } else if (fabs(mean) >= 1e4 && fabs(mean) < 1e12) {
        spell_whole(out, mean);
    } else if (!(se > 0) || se < 1e-8) {
        snprintf(out, SPELL_MAX, "%.5g", mean);
    } else if (fabs(mean) < 1e-3) {
        snprintf(out, SPELL_MAX, "%.3g\u00a0\u00b1\u00a0%.2g", mean, se);
    } else {
        digits = 1 - (int)floor(log10(se));
        if (mean != 0 && digits > 4 - (int)floor(log10(fabs(mean))))
            digits--;
        digits = digits < 0 ? 0 : digits > DIGITS_MAX ? DIGITS_MAX : digits;
        snprintf(out, SPELL_MAX, "%.*f\u00a0\u00b1\u00a0%.*f", digits, mean,
                 digits, se);
    }
    return out;
}

const char *paper_spell_metric(const json_t *data, const char *experiment,
                               const char *row, const char *metric)
{
    return paper_spell(paper_results_mean(data, experiment, row, metric),
                       paper_results_se(data, experiment, row, metric));
}

bool paper_is_lower(const json_t *data, const char *experiment, const char *a,
                    const char *b, const char *metric)
{
    double gap = paper_results_mean(data, experiment, b, metric) -
                 paper_results_mean(data, experiment, a, metric);
    double error = hypot(paper_results_se(data, experiment, a, metric),
                         paper_results_se(data, experiment, b, metric));

    return gap > 3 * error;
}
