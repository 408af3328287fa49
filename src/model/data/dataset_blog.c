/* dataset_blog.c - BlogFeedback: 280 inputs and the comments of the next 24
 * hours, no header.
 *
 * Rows above the 90th percentile of the target over all rows are dropped; the
 * rest is scaled to [0,1].  With blogData_train.csv and every
 * blogData_test*.csv beside it, training and test rows are those of the files.
 * With the rows of 2012 alone, a fifth is drawn for testing. */
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/read/csv.h"
#include "model/data/dataset_known.h"

enum {
    INPUTS = 280
};

static const double KEPT = 0.9;

static hiss_status read_file(hs_raw *out, const char *path, hiss_error *err)
{
    bool is_there = true;
    hiss_status rc;
    hs_csv *in;

    HS_TRY(hs_csv_open(&in, path, err));
    rc = HISS_OK;
    while (rc == HISS_OK) {
        double *input, *target;

        rc = hs_csv_row_of(in, INPUTS + 1, "the file has", &is_there, err);
        if (rc != HISS_OK || !is_there)
            break;
        rc = hs_raw_add(out, &input, &target, err);
        for (int i = 0; rc == HISS_OK && i < INPUTS; i++)
            rc = hs_raw_real(in, i, &input[i], err);
        if (rc == HISS_OK)
            rc = hs_raw_real(in, INPUTS, target, err);
    }
    hs_csv_close(in);
    return rc;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

/* Interpolates between the two nearest ranks, as numpy does. */
static hiss_status percentile(const hs_raw *raw, double *out, hiss_error *err)
{
    size_t rows = (size_t)raw->rows;
    double *sorted = hs_alloc_array(rows, sizeof *sorted);
    double rank = KEPT * (double)(raw->rows - 1);
    int below = (int)floor(rank);

    if (!sorted)
        return hs_fail_memory(err);
    memcpy(sorted, raw->target, rows * sizeof *sorted);
    qsort(sorted, rows, sizeof *sorted, compare);
    *out = sorted[below];
    if (below + 1 < raw->rows)
        *out += (rank - below) * (sorted[below + 1] - sorted[below]);
    hs_free(sorted);
    return HISS_OK;
}

/* Drops the rows above the percentile; *test counts the remaining test rows. */
static hiss_status filter(hs_raw *raw, int *test, hiss_error *err)
{
    int rows = raw->rows, first_test = rows - *test;
    size_t bytes = INPUTS * sizeof *raw->input;
    double most = 0.0;

    HS_TRY(percentile(raw, &most, err));
    raw->rows = *test = 0;
    for (int n = 0; n < rows; n++) {
        int to = raw->rows;

        if (raw->target[n] > most)
            continue;
        memmove(raw->input + (size_t)to * INPUTS,
                raw->input + (size_t)n * INPUTS, bytes);
        raw->target[to] = raw->target[n];
        raw->rows++;
        *test += n >= first_test;
    }
    return hs_raw_scale_target(raw, err);
}

/* Reads the test files in the folder of the training file. */
static hiss_status read_tests(hs_raw *out, const char *path, hiss_error *err)
{
    const char *slash = strrchr(path, '/');
    int length = slash ? (int)(slash - path) + 1 : 0;
    char pattern[HS_KNOWN_PATH];
    hiss_status rc = HISS_OK;
    glob_t found;

    snprintf(pattern, sizeof pattern, "%.*sblogData_test*.csv*", length, path);
    if (glob(pattern, 0, NULL, &found) != 0)
        return hs_fail(err, HISS_EPARSE,
                       "%s: there is no blogData_test*.csv beside it", path);
    for (size_t f = 0; rc == HISS_OK && f < found.gl_pathc; f++)
        rc = read_file(out, found.gl_pathv[f], err);
    globfree(&found);
    return rc;
}

hiss_status hs_known_blog(hs_raw *out, const char *path, hiss_error *err)
{
    bool is_whole = strstr(path, "blogData_train") != NULL;
    int train, test = 0;

    HS_TRY(hs_raw_init(out, path, INPUTS, err));
    HS_TRY(read_file(out, path, err));
    train = out->rows;
    if (train == 0)
        return hs_fail(err, HISS_EPARSE, "%s: the file is empty", path);
    if (is_whole)
        HS_TRY(read_tests(out, path, err));
    test = out->rows - train;
    HS_TRY(filter(out, &test, err));
    if (is_whole)
        return hs_raw_split_last(out, HS_KNOWN_SEED, test, err);
    out->note = hs_strdup("BlogFeedback of 2012 alone: a fifth of its rows is "
                          "kept for testing");
    if (!out->note)
        return hs_fail_memory(err);
    return hs_raw_split(out, HS_KNOWN_SEED, HS_KNOWN_TEST, false, err);
}
