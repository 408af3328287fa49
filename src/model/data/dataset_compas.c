/* dataset_compas.c - ProPublica's COMPAS scores, two years.
 *
 * It uses the 6172 of 7214 rows that have an arrest within 30 days of the
 * screening, a known is_recid, an ordinary charge and a score.  Inputs: five
 * counts, then one-hot race and sex.  Where a column's name appears twice, the
 * first one counts.  The split differs from that of the other sets: seed 78712,
 * four fifths from the head of the permutation for training. */
#include <stdlib.h>
#include <string.h>

#include "base/caret.h"
#include "base/error.h"
#include "base/read/csv.h"
#include "model/data/dataset_known.h"

enum {
    DAYS,
    RECID,
    DEGREE,
    SCORE,
    TARGET,
    RACE,
    SEX,
    COUNTS,
    COLUMNS = COUNTS + 5,
    INPUTS = 5 + 6 + 2,
    SEED = 78712
};

static const char *const names[COLUMNS] = {
    "days_b_screening_arrest",
    "is_recid",
    "c_charge_degree",
    "score_text",
    "two_year_recid",
    "race",
    "sex",
    "priors_count",
    "juv_fel_count",
    "juv_misd_count",
    "juv_other_count",
    "age",
};
static const char *const races[] = {
    "African-American", "Hispanic", "Asian", "Caucasian",
    "Native American",  "Other",    NULL};
static const char *const sexes[] = {"Male", "Female", NULL};

static hiss_status read_header(hs_csv *in, int *fields, int at[COLUMNS],
                               hiss_error *err)
{
    HS_TRY(hs_csv_row(in, fields, err));
    for (int c = 0; c < COLUMNS; c++) {
        at[c] = -1;
        for (int f = *fields - 1; f >= 0; f--)
            at[c] = strcmp(hs_csv_text(in, f), names[c]) == 0 ? f : at[c];
        if (at[c] < 0)
            return hs_fail(err, HISS_EPARSE, "%s:1:1: there is no column '%s'",
                           hs_csv_name(in), names[c]);
    }
    return HISS_OK;
}

static hiss_status is_kept(hs_csv *in, const int at[COLUMNS], bool *kept,
                           hiss_error *err)
{
    double days;

    *kept = false;
    if (!*hs_csv_text(in, at[DAYS]))
        return HISS_OK;
    HS_TRY(hs_raw_real(in, at[DAYS], &days, err));
    *kept = days >= -30.0 && days <= 30.0 &&
            strcmp(hs_csv_text(in, at[RECID]), "-1") != 0 &&
            strcmp(hs_csv_text(in, at[DEGREE]), "O") <= 0 &&
            strcmp(hs_csv_text(in, at[SCORE]), "N/A") != 0;
    return HISS_OK;
}

static hiss_status one_hot(hs_csv *in, int field, const char *const *words,
                           double *input, hiss_error *err)
{
    const char *text = hs_csv_text(in, field);
    char quoted[HS_QUOTE_MAX];

    for (int w = 0; words[w]; w++)
        if (strcmp(words[w], text) == 0) {
            input[w] = 1.0;
            return HISS_OK;
        }
    return hs_csv_fail(in, field, err,
                       "found '%s', which is none of the kinds expected here",
                       hs_quote(quoted, text, strlen(text)));
}

static hiss_status read_row(hs_csv *in, const int at[COLUMNS], hs_raw *out,
                            hiss_error *err)
{
    double *input, *target;

    HS_TRY(hs_raw_add(out, &input, &target, err));
    for (int c = 0; c < 5; c++)
        HS_TRY(hs_raw_real(in, at[COUNTS + c], &input[c], err));
    HS_TRY(one_hot(in, at[RACE], races, input + 5, err));
    HS_TRY(one_hot(in, at[SEX], sexes, input + 11, err));
    HS_TRY(hs_raw_real(in, at[TARGET], target, err));
    if (*target != 0.0 && *target != 1.0)
        return hs_csv_fail(in, at[TARGET], err, "found %g, expected 0 or 1",
                           *target);
    return HISS_OK;
}

hiss_status hs_known_compas(hs_raw *out, const char *path, hiss_error *err)
{
    bool is_there = true, kept = false;
    int fields = 0, at[COLUMNS];
    hiss_status rc;
    hs_csv *in;

    HS_TRY(hs_csv_open(&in, path, err));
    rc = hs_raw_init(out, path, INPUTS, err);
    if (rc == HISS_OK)
        rc = read_header(in, &fields, at, err);
    while (rc == HISS_OK && is_there) {
        rc = hs_csv_row_of(in, fields, "the header has", &is_there, err);
        if (rc == HISS_OK && is_there)
            rc = is_kept(in, at, &kept, err);
        if (rc == HISS_OK && is_there && kept)
            rc = read_row(in, at, out, err);
    }
    hs_csv_close(in);
    HS_TRY(rc);
    return hs_raw_split(out, SEED, HS_KNOWN_TEST, true, err);
}
