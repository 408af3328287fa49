/* csv.c - a result as tidy CSV: chain,draw,lp,x.1,...
 *
 * `#` lines first; sorted by chain, then draw, both from 0; lp with all its
 * digits. */
#include <stdio.h>
#include <string.h>

#include "api/objects.h"
#include "base/alloc.h"
#include "base/error.h"
#include "sink/file.h"

static void write_header(FILE *to, const char *header, int dim)
{
    while (header && *header) {
        size_t length = strcspn(header, "\n");

        fprintf(to, "# %.*s\n", (int)length, header);
        header += length + (header[length] == '\n');
    }
    fputs("chain,draw,lp", to);
    for (int i = 1; i <= dim; i++)
        fprintf(to, ",x.%d", i);
    fputc('\n', to);
}

/* Whole numbers without printf: they are most of the file. */
static void write_value(FILE *to, double value)
{
    int whole = (int)value, digits = 0;
    unsigned left = whole < 0 ? 0u - (unsigned)whole : (unsigned)whole;
    char text[16];

    fputc(',', to);
    if ((double)whole != value) {
        fprintf(to, "%.9g", value);
        return;
    }
    do
        text[digits++] = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    if (whole < 0)
        fputc('-', to);
    while (digits > 0)
        fputc(text[--digits], to);
}

static void write_rows(FILE *to, const hs_run *run, double *values)
{
    const hiss_run_info *info = &run->info;
    char lp_text[32] = "";
    double lp_last = 0.0;

    for (int c = 0; c < info->chains; c++)
        for (int64_t n = 0; n < info->samples && !ferror(to); n++) {
            double lp = run->store.lp[c * info->samples + n];

            if (lp != lp_last || !*lp_text)
                snprintf(lp_text, sizeof lp_text, "%.17g", lp);
            lp_last = lp;
            fprintf(to, "%d,%lld,%s", c, (long long)n, lp_text);
            hs_store_draw(&run->store, c, n, values);
            for (int i = 0; i < info->dim; i++)
                write_value(to, values[i]);
            fputc('\n', to);
        }
}

hiss_status hiss_result_write_csv(const hiss_result *result, const char *path,
                                  const char *header, int replace,
                                  hiss_error *err)
{
    hs_file file;
    double *values;
    hiss_status rc;

    if (!path || !*path)
        return hs_fail(err, HISS_EARG, "no file name given");
    values = hs_alloc_array((size_t)result->run.info.dim, sizeof *values);
    if (!values)
        return hs_fail_memory(err);
    rc = hs_file_open(&file, path, replace, err);
    if (rc == HISS_OK) {
        write_header(file.stream, header, result->run.info.dim);
        write_rows(file.stream, &result->run, values);
        rc = hs_file_commit(&file, err);
    }
    hs_free(values);
    return rc;
}
