/* fuzz_csv.c - CSV files, as rows and as the data of a network. */
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/read/csv.h"
#include "model/model.h"
#include "place.h"

/* Every field is text with an end and has a place. */
static void read_rows(const char *path)
{
    hs_csv *c;
    int fields;

    if (hs_csv_open(&c, path, NULL) != HISS_OK)
        return;
    while (hs_csv_row(c, &fields, NULL) == HISS_OK && fields > 0)
        for (int f = 0; f < fields; f++) {
            double value;

            if (strlen(hs_csv_text(c, f)) > 65536 || hs_csv_column(c, f) < 1)
                abort();
            if (hs_csv_real(c, f, &value, NULL) == HISS_OK && !isfinite(value))
                abort();
        }
    hs_csv_close(c);
}

/* What can be fitted has a finite U. */
static void read_data(const char *path)
{
    char spec[128];
    hiss_error err = {0};
    hiss_status rc;
    hs_model *m;

    snprintf(spec, sizeof spec, "bnn(%s,y,hidden=2,scale=yes,test=0.2)", path);
    rc = hs_model_create(&m, spec, &err);
    if (rc == HISS_EINTERNAL || rc == HISS_EIO ||
        (rc == HISS_OK) != (m != NULL))
        abort();
    if (m && m->domain.dim <= 4096) {
        static int16_t state[4096];
        double u;

        if (hs_model_energy(m, state, &u, NULL) != HISS_OK || !isfinite(u))
            abort();
    }
    hs_model_destroy(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH_MAX];
    int fd = fuzz_memory(path, data, size);

    read_rows(path);
    read_data(path);
    close(fd);
    return 0;
}
