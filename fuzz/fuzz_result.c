/* fuzz_result.c - result files of the text kind, as they are and with their
 * checksum waived: what is read has the shape that it says, and is written and
 * read as the same draws. */
#include <hiss/hiss.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "place.h"

enum {
    VALUES_MAX = 4096 /* beyond this only reading is tried */
};

static void put_file(const char *path, const uint8_t *data, size_t size,
                     const char *end)
{
    FILE *to = fopen(path, "wb");

    if (!to || fwrite(data, 1, size, to) != size || fputs(end, to) < 0 ||
        fclose(to) != 0)
        abort();
}

/* The same draws once more. */
static void check_written(const hiss_result *r, const hiss_run_info *info)
{
    hiss_result *again = NULL;
    hiss_error err = {0};
    size_t rows = (size_t)info->chains * (size_t)info->samples;
    hiss_status rc = hiss_result_write(r, fuzz_place("again.csv"), 1, &err);

    if (rc == HISS_OK)
        rc = hiss_result_read(&again, fuzz_place("again.csv"), &err);
    if (rc != HISS_OK) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
    if (memcmp(hiss_result_lp(r), hiss_result_lp(again),
               rows * sizeof(double)) != 0)
        abort();
    hiss_result_destroy(again);
}

static void try_file(const char *path)
{
    hiss_result *r = NULL;
    hiss_run_info info = HISS_INIT(hiss_run_info);
    hiss_column column = HISS_INIT(hiss_column);
    hiss_error err = {0};
    hiss_status rc = hiss_result_read(&r, path, &err);

    if (rc == HISS_EINTERNAL || rc == HISS_EIO || (rc == HISS_OK) != (r != 0))
        abort();
    if (rc != HISS_OK)
        return;
    hiss_result_info(r, &info);
    if (info.chains < 1 || info.samples < 1 || info.dim < 1)
        abort();
    if ((int64_t)info.dim * info.chains * info.samples <= VALUES_MAX) {
        hiss_result_energy(r, &column, NULL);
        hiss_result_coordinate(r, info.dim - 1, &column, NULL);
        check_written(r, &info);
    }
    hiss_result_destroy(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    put_file(fuzz_place("r.csv"), data, size, "");
    try_file(fuzz_place("r.csv"));
    put_file(fuzz_place("r.csv"), data, size, "\n# checksum: none\n");
    try_file(fuzz_place("r.csv"));
    put_file(fuzz_place("r.csv"), data, size, "# checksum: none\n");
    try_file(fuzz_place("r.csv"));
    return 0;
}
