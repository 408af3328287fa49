/* mode_file.c - modes that a user knows, one state per line. */
#include "run/atlas/mode_file.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/read/reader.h"

#define LARGEST 1e300 /* precision: no finite number is much larger */

static hiss_status read_state(hs_reader *in, const hs_domain *d, int16_t *state,
                              hiss_error *err)
{
    for (int i = 0; i < d->dim; i++) {
        double x;
        int at = -1;

        HS_TRY(hs_reader_real(in, -LARGEST, LARGEST, &x, err));
        for (int v = 0; v < d->states[i]; v++)
            if ((double)d->values[d->value[i] + v] == x)
                at = v;
        if (at < 0)
            return hs_reader_fail(in, NULL, err,
                                  "coordinate %d (%s) has no value %g", i + 1,
                                  hs_kind_name(d->kind[i]), x);
        state[i] = (int16_t)at;
    }
    return HISS_OK;
}

static hiss_status read_all(hs_reader *in, int16_t *states, int *count,
                            const hs_domain *d, int most, hiss_error *err)
{
    while (!hs_reader_at_end(in)) {
        if (*count == most)
            return hs_reader_fail(in, NULL, err,
                                  "more than %d modes, expected at most that",
                                  most);
        HS_TRY(
            read_state(in, d, states + (size_t)*count * (size_t)d->dim, err));
        ++*count;
    }
    if (*count < 2)
        return hs_reader_fail(in, NULL, err,
                              "%d mode, expected at least two to go between",
                              *count);
    return HISS_OK;
}

hiss_status hs_mode_file_read(int16_t **states, int *count, const char *path,
                              const hs_domain *d, int most, hiss_error *err)
{
    hs_reader *in;
    hiss_status rc = HISS_OK;

    *states = NULL;
    *count = 0;
    HS_TRY(hs_reader_open(&in, path, err));
    hs_reader_comments(in, NULL, "#");
    *states = hs_alloc_array((size_t)most * (size_t)d->dim, sizeof **states);
    if (!*states)
        rc = hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = read_all(in, *states, count, d, most, err);
    hs_reader_close(in);
    if (rc != HISS_OK) {
        hs_free(*states);
        *states = NULL;
        *count = 0;
    }
    return rc;
}
