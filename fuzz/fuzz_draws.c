/* fuzz_draws.c - draws of other programs: the first byte chooses the reader.
 * What is read has as many numbers as it says. */
#include "harness.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "format/draws/draws.h"
#include "place.h"

enum {
    DIM = 3
};

typedef hiss_status reader(hs_drawn *out, const char *path, int dim,
                           hiss_error *err);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static reader *const readers[] = {hs_drawn_read_csv, hs_drawn_read_numpy,
                                      hs_drawn_read_sampleset};
    char path[FUZZ_PATH_MAX];
    hiss_error err = {0};
    hs_drawn drawn;
    double sum = 0.0;
    hiss_status rc;
    int fd;

    if (size == 0)
        return 0;
    fd = fuzz_memory(path, data + 1, size - 1);
    rc = readers[data[0] % 3](&drawn, path, DIM, &err);
    if (rc == HISS_EINTERNAL || (rc == HISS_OK) != (drawn.x != NULL))
        abort();
    for (int64_t k = 0; rc == HISS_OK && k < drawn.chains * drawn.samples;
         k++) {
        for (int i = 0; i < DIM; i++)
            sum += drawn.x[k * DIM + i];
        sum += drawn.lp ? drawn.lp[k] : 0.0;
    }
    if (rc == HISS_OK && (drawn.chains < 1 || drawn.samples < 1))
        abort();
    hs_drawn_clear(&drawn);
    close(fd);
    return isnan(sum) && false;
}
