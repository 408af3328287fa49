/* dataset_wdbc.c - Breast Cancer Wisconsin (Diagnostic): id, M or B, then 30
 * numbers, no header; the target is 1 for M (malignant). */
#include <string.h>

#include "base/caret.h"
#include "base/error.h"
#include "base/read/csv.h"
#include "model/data/dataset_known.h"

enum {
    INPUTS = 30,
    FIELDS = INPUTS + 2
};

static hiss_status read_row(hs_csv *in, hs_raw *out, hiss_error *err)
{
    const char *kind = hs_csv_text(in, 1);
    char quoted[HS_QUOTE_MAX];
    double *input, *target;

    if (strcmp(kind, "M") != 0 && strcmp(kind, "B") != 0)
        return hs_csv_fail(in, 1, err, "found '%s', expected M or B",
                           hs_quote(quoted, kind, strlen(kind)));
    HS_TRY(hs_raw_add(out, &input, &target, err));
    *target = *kind == 'M';
    for (int i = 0; i < INPUTS; i++)
        HS_TRY(hs_raw_real(in, i + 2, &input[i], err));
    return HISS_OK;
}

hiss_status hs_known_wdbc(hs_raw *out, const char *path, hiss_error *err)
{
    bool is_there = true;
    hiss_status rc;
    hs_csv *in;

    HS_TRY(hs_csv_open(&in, path, err));
    rc = hs_raw_init(out, path, INPUTS, err);
    while (rc == HISS_OK && is_there) {
        rc = hs_csv_row_of(in, FIELDS, "the file has", &is_there, err);
        if (rc == HISS_OK && is_there)
            rc = read_row(in, out, err);
    }
    hs_csv_close(in);
    HS_TRY(rc);
    return hs_raw_split(out, HS_KNOWN_SEED, HS_KNOWN_TEST, false, err);
}
