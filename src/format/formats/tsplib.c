/* tsplib.c - travelling-salesman problems of TSPLIB.
 *
 * `hiss sample eil51.tsp` is `hiss sample "tsp(eil51.tsp)"`; the options are
 * those of the model.  Not here: the grammar (model/tour/tsplib.c). */
#include <stddef.h>

#include "format/format.h"
#include "format/parts/sniff.h"

struct tsplib_options {
    hs_tour_law law;
};

#define AT(field) offsetof(struct tsplib_options, field)
static const hs_option tsplib_options[] = {
    {"rounded", HS_BOOL, AT(law.rounded), "no", NULL,
     "distances as TSPLIB rounds them; no: real ones"},
    {"temperature", HS_REAL, AT(law.temperature), "1", "(0,1e300]",
     "log p is the length over this, negative"},
    {"form", HS_CHOICE, AT(law.form), "permutation", "permutation|onehot",
     "onehot: a categorical coordinate per position"},
    {0},
};

/* Whether some line begins with a keyword of this format only. */
static int tsplib_sniff(const char *head, size_t length)
{
    for (int n = 0; n < 16; n++) {
        hs_span line = hs_sniff_line(head, length, "", n);

        if (!line.at)
            return 0;
        if (hs_sniff_starts(line.at, line.length, "EDGE_WEIGHT_TYPE") ||
            hs_sniff_starts(line.at, line.length, "NODE_COORD_SECTION"))
            return 95;
    }
    return 0;
}

static hiss_status tsplib_read(hs_problem *out, hs_reader *in,
                               const void *options, hiss_error *err)
{
    const struct tsplib_options *o = options;

    HS_TRY(hs_tsplib_read(&out->cities, in, err));
    out->shape = HS_TOURS;
    out->dim = out->cities.count;
    out->law = o->law;
    return HISS_OK;
}

static const char *const tsplib_tested[] = {
    "TSPLIB eil51, berlin52 (EUC_2D), burma14, ulysses16 (GEO)",
    NULL,
};

const hs_format hs_format_tsplib = {
    .name = "tsplib",
    .title = "TSPLIB tour",
    .summary = "tours of TSPLIB; log p is minus their length (permutation)",
    .suffixes = "tsp",
    .options = tsplib_options,
    .size = sizeof(struct tsplib_options),
    .sniff = tsplib_sniff,
    .read = tsplib_read,
    .tested = tsplib_tested,
};
