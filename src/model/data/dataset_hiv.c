/* dataset_hiv.c - HIV-1 protease cleavage: octamer,label, no header.
 *
 * One input per position and amino acid, position by position, in the order of
 * LETTERS; eight of 160 are 1.  Labels are 1 and -1. */
#include <string.h>

#include "base/caret.h"
#include "base/error.h"
#include "base/read/csv.h"
#include "model/data/dataset_known.h"

#define LETTERS "ACDEFGHIKLMNPQRSTVWY"

enum {
    POSITIONS = 8,
    KINDS = sizeof LETTERS - 1
};

static hiss_status read_row(hs_csv *in, hs_raw *out, hiss_error *err)
{
    const char *word = hs_csv_text(in, 0), *label = hs_csv_text(in, 1);
    char quoted[HS_QUOTE_MAX];
    double *input, *target;

    if (strlen(word) != POSITIONS || strspn(word, LETTERS) != POSITIONS)
        return hs_csv_fail(in, 0, err,
                           "found '%s', expected 8 letters of " LETTERS,
                           hs_quote(quoted, word, strlen(word)));
    if (strcmp(label, "1") != 0 && strcmp(label, "-1") != 0)
        return hs_csv_fail(in, 1, err, "found '%s', expected 1 or -1",
                           hs_quote(quoted, label, strlen(label)));
    HS_TRY(hs_raw_add(out, &input, &target, err));
    *target = *label == '1';
    for (int p = 0; p < POSITIONS; p++)
        input[p * KINDS + (strchr(LETTERS, word[p]) - LETTERS)] = 1.0;
    return HISS_OK;
}

hiss_status hs_known_hiv(hs_raw *out, const char *path, hiss_error *err)
{
    bool is_there = true;
    hiss_status rc;
    hs_csv *in;

    HS_TRY(hs_csv_open(&in, path, err));
    rc = hs_raw_init(out, path, POSITIONS * KINDS, err);
    while (rc == HISS_OK && is_there) {
        rc = hs_csv_row_of(in, 2, "the file has", &is_there, err);
        if (rc == HISS_OK && is_there)
            rc = read_row(in, out, err);
    }
    hs_csv_close(in);
    HS_TRY(rc);
    return hs_raw_split(out, HS_KNOWN_SEED, HS_KNOWN_TEST, false, err);
}
