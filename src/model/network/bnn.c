/* bnn.c - the paper's binary Bayesian neural network, from data.
 *
 * The option energy chooses the loss: energy=sum is the paper's -sum (f - y)^2,
 * energy=mean100 is 100 times the mean, as the paper's experiments were run.
 * lambda is the prior log odds of a weight -1 against +1.  network.c has the
 * network itself. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/network/network.h"

enum {
    SUM,
    MEAN100
};
enum {
    AUTO,
    STANDARD,
    RAW
};

struct bnn_options {
    char *data, *target; /* owned */
    int hidden, energy, inputs;
    double lambda, test, validation;
    uint64_t split_seed;
    bool is_scaled;
    char *folder; /* owned */
};

#define AT(field) offsetof(struct bnn_options, field)
static const hs_option bnn_options[] = {
    {"data", HS_FILE, AT(data), NULL, HS_KNOWN_WORDS,
     "CSV file with a header, or wdbc, compas, hiv, blog"},
    {"target", HS_TEXT, AT(target), "", NULL,
     "column that is to be predicted, of a CSV file"},
    {"hidden", HS_INTEGER, AT(hidden), "100", "[1,65536]", "hidden units"},
    {"energy", HS_CHOICE, AT(energy), "sum", "sum|mean100",
     "squared errors: their sum, or 100 times their mean"},
    {"lambda", HS_REAL, AT(lambda), "0", "[-1e6,1e6]",
     "sparsity: nats that a weight of +1 costs"},
    {"inputs", HS_CHOICE, AT(inputs), "auto", "auto|standard|raw",
     "mean 0 and deviation 1, or as they are; auto: raw for hiv"},
    {"test", HS_AUTO, AT(test), "auto", "[0,1)",
     "share of rows kept for testing; auto: 0, or the set's own"},
    {"validation", HS_AUTO, AT(validation), "auto", "[0,1)",
     "share of the others not fitted; auto: 0, or the set's own"},
    {"split_seed", HS_SEED, AT(split_seed), "42", NULL,
     "of the split of a CSV file, as numpy's RandomState"},
    {"scale", HS_BOOL, AT(is_scaled), "no", NULL,
     "map the range of the target to [0,1]"},
    {"folder", HS_TEXT, AT(folder), "", NULL,
     "of the named sets; default $HISS_DATA, or ./data, then hiss' own"},
    {0},
};

/* Share of the training rows; the authors set aside these rows but never used
 * them. */
static const double KNOWN_VALIDATION = 0.01;

static hiss_status read_known(hs_raw *out, const struct bnn_options *o,
                              hiss_error *err)
{
    const char *given = o->target && *o->target ? "target"
                        : !isnan(o->test)       ? "test"
                        : o->is_scaled          ? "scale"
                                                : NULL;

    if (given)
        return hs_fail(err, HISS_EARG,
                       "model bnn: %s is given, but data=%s has its own", given,
                       o->data);
    return hs_known_read(out, o->data, o->folder, err);
}

static hiss_status read_file(hs_raw *out, const struct bnn_options *o,
                             hiss_error *err)
{
    double test = isnan(o->test) ? 0.0 : o->test;
    hiss_status rc;

    if (!o->target || !*o->target)
        return hs_fail(err, HISS_EARG,
                       "model bnn: target must be given, the column of %.256s "
                       "that is to be predicted",
                       o->data);
    if (o->split_seed > UINT32_MAX)
        return hs_fail(err, HISS_EARG,
                       "model bnn: split_seed must be below 2^32");
    HS_TRY(hs_raw_read_csv(out, o->data, o->target, o->is_scaled, err));
    rc = hs_raw_split(out, (uint32_t)o->split_seed, test, false, err);
    if (rc != HISS_OK)
        hs_raw_clear(out);
    return rc;
}

static hiss_status bnn_create(hs_model **out, const void *options,
                              hiss_error *err)
{
    const struct bnn_options *o = options;
    bool is_known = hs_known_exists(o->data);
    bool stays_raw = o->inputs == RAW || (o->inputs == AUTO && is_known &&
                                          strcmp(o->data, "hiv") == 0);
    hs_shaping shaping = {.validation = o->validation,
                          .is_standard = !stays_raw,
                          .keeps_constant = is_known};
    hs_network_options network = {
        .hidden = o->hidden, .scale = 1.0, .lambda = o->lambda};
    hs_dataset data;
    hiss_status rc;
    hs_raw raw;

    if (isnan(shaping.validation))
        shaping.validation = is_known ? KNOWN_VALIDATION : 0.0;
    HS_TRY(is_known ? read_known(&raw, o, err) : read_file(&raw, o, err));
    rc = hs_dataset_shape(&data, &raw, &shaping, err);
    hs_raw_clear(&raw);
    HS_TRY(rc);
    if (o->energy == MEAN100)
        network.scale = 100.0 / data.part[HS_FITTED].count;
    return hs_network_create(out, &data, &network, err);
}

/* Searches for a named set only where the user said. */
static hiss_status bnn_check_foreign(const void *options, hiss_error *err)
{
    const struct bnn_options *o = options;
    const char *folder = getenv("HISS_DATA");

    if (o->folder && *o->folder)
        return hs_fail(err, HISS_EREFUSED,
                       "the folder %.256s of data set %.64s is refused: give "
                       "the model with --model",
                       o->folder, o->data);
    if (hs_known_exists(o->data) && !(folder && *folder))
        return hs_fail(err, HISS_EARG,
                       "data set %s: set HISS_DATA to its folder, or give the "
                       "model with --model",
                       o->data);
    return HISS_OK;
}

const hs_model_type hs_model_bnn = {
    .name = "bnn",
    .summary = "neural network whose weights are -1 or 1, from data (binary)",
    .size = sizeof(struct bnn_options),
    .options = bnn_options,
    .create = bnn_create,
    .check_foreign = bnn_check_foreign,
};
