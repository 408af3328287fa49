/* dataset.c - splits a table of numbers into the parts of a data set. */
#include "model/data/dataset.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/random/twister.h"

void hs_dataset_clear(hs_dataset *data)
{
    for (int p = 0; p < HS_PARTS; p++) {
        hs_free(data->part[p].input);
        hs_free(data->part[p].target);
    }
    hs_free(data->note);
    *data = (hs_dataset){0};
}

/* --- rows ---------------------------------------------------------------- */

hiss_status hs_raw_init(hs_raw *raw, const char *name, int inputs,
                        hiss_error *err)
{
    *raw = (hs_raw){.inputs = inputs};
    raw->name = hs_strdup(name);
    return raw->name ? HISS_OK : hs_fail_memory(err);
}

void hs_raw_clear(hs_raw *raw)
{
    for (int i = 0; raw->heading && i < raw->inputs; i++)
        hs_free(raw->heading[i].name);
    hs_free(raw->heading);
    hs_free(raw->input);
    hs_free(raw->target);
    hs_free(raw->order);
    hs_free(raw->name);
    hs_free(raw->note);
    *raw = (hs_raw){0};
}

static hiss_status grow(hs_raw *raw, hiss_error *err)
{
    size_t old = (size_t)raw->room, room = old ? 2 * old : 256;
    size_t width = (size_t)raw->inputs * sizeof *raw->input;
    double *input = hs_realloc_array(raw->input, old, room, width);
    double *target;

    if (!input)
        return hs_fail_memory(err);
    raw->input = input;
    target = hs_realloc_array(raw->target, old, room, sizeof *target);
    if (!target)
        return hs_fail_memory(err);
    raw->target = target;
    raw->room = (int)room;
    return HISS_OK;
}

hiss_status hs_raw_add(hs_raw *raw, double **input, double **target,
                       hiss_error *err)
{
    if (raw->rows == HS_CASES_MAX)
        return hs_fail(err, HISS_ELIMIT, "%s: more than %d rows", raw->name,
                       HS_CASES_MAX);
    if (raw->rows == raw->room)
        HS_TRY(grow(raw, err));
    *input = raw->input + (size_t)raw->rows * (size_t)raw->inputs;
    *target = raw->target + raw->rows++;
    return HISS_OK;
}

hiss_status hs_raw_real(hs_csv *in, int field, double *value, hiss_error *err)
{
    HS_TRY(hs_csv_real(in, field, value, err));
    if (fabs(*value) > HS_INPUT_MAX)
        return hs_csv_fail(in, field, err,
                           "found %g, expected a number from -1e30 to 1e30",
                           *value);
    return HISS_OK;
}

hiss_status hs_raw_scale_target(hs_raw *raw, hiss_error *err)
{
    double low = HUGE_VAL, high = -HUGE_VAL;

    for (int n = 0; n < raw->rows; n++) {
        low = fmin(low, raw->target[n]);
        high = fmax(high, raw->target[n]);
    }
    if (raw->rows > 0 && low == high)
        return hs_fail(err, HISS_EPARSE,
                       "%s: the target is %g in all %d rows, expected one that "
                       "varies",
                       raw->name, low, raw->rows);
    for (int n = 0; n < raw->rows; n++)
        raw->target[n] = (raw->target[n] - low) / (high - low);
    return HISS_OK;
}

/* --- which rows are for what --------------------------------------------- */

static hiss_status make_order(hs_raw *raw, uint32_t seed, int shuffled,
                              hiss_error *err)
{
    hs_twister twister;

    raw->order = hs_alloc_array((size_t)raw->rows, sizeof *raw->order);
    if (!raw->order)
        return hs_fail_memory(err);
    hs_twister_init(&twister, seed);
    hs_twister_permute(&twister, shuffled, raw->order);
    for (int n = shuffled; n < raw->rows; n++)
        raw->order[n] = n;
    return HISS_OK;
}

/* Returns the first raw->test entries of the order. */
static hiss_status move_to_end(hs_raw *raw, hiss_error *err)
{
    size_t test = (size_t)raw->test, train = (size_t)raw->rows - test;
    int *order = hs_alloc_array(test + train, sizeof *order);

    if (!order)
        return hs_fail_memory(err);
    memcpy(order, raw->order + test, train * sizeof *order);
    memcpy(order + train, raw->order, test * sizeof *order);
    hs_free(raw->order);
    raw->order = order;
    return HISS_OK;
}

hiss_status hs_raw_split(hs_raw *raw, uint32_t seed, double share, bool is_head,
                         hiss_error *err)
{
    HS_TRY(make_order(raw, seed, raw->rows, err));
    if (is_head) {
        raw->test = raw->rows - (int)floor((1.0 - share) * raw->rows + 1e-9);
        return HISS_OK;
    }
    raw->test = (int)ceil(share * raw->rows - 1e-9);
    return move_to_end(raw, err);
}

hiss_status hs_raw_split_last(hs_raw *raw, uint32_t seed, int test,
                              hiss_error *err)
{
    raw->test = test;
    return make_order(raw, seed, raw->rows - test, err);
}

/* --- the parts ----------------------------------------------------------- */

static hiss_status take_part(hs_cases *out, const hs_raw *raw, int first,
                             int count, hiss_error *err)
{
    size_t inputs = (size_t)raw->inputs, width = inputs + 1;

    out->count = count;
    out->input = hs_alloc_array((size_t)count, width * sizeof *out->input);
    out->target = hs_alloc_array((size_t)count, sizeof *out->target);
    if (!out->input || !out->target)
        return hs_fail_memory(err);
    for (int n = 0; n < count; n++) {
        size_t row = (size_t)raw->order[first + n];
        float *to = out->input + (size_t)n * width;

        for (size_t i = 0; i < inputs; i++)
            to[i] = (float)raw->input[row * inputs + i];
        to[inputs] = 1.0f;
        out->target[n] = (float)raw->target[row];
    }
    return HISS_OK;
}

static hiss_status refuse_constant(const hs_raw *raw, int i, int rows,
                                   double value, hiss_error *err)
{
    const hs_heading *h = raw->heading ? &raw->heading[i] : NULL;

    if (!h)
        return hs_fail(err, HISS_EPARSE, "%s: input %d is %g in all %d rows",
                       raw->name, i + 1, value, rows);
    return hs_fail(err, HISS_EPARSE,
                   "%s:%lld:%lld: column '%.64s' is %g in all %d rows that are "
                   "fitted, expected one that varies (inputs=raw keeps it)",
                   raw->name, (long long)h->line, (long long)h->column, h->name,
                   value, rows);
}

/* Standardizes column i of all rows: mean 0 and deviation 1 (n - 1) over the
 * first `rows` of the order; 0 if the deviation is 0. */
static hiss_status standardise(hs_raw *raw, int i, int rows,
                               bool keeps_constant, hiss_error *err)
{
    size_t inputs = (size_t)raw->inputs;
    double *at = raw->input + i, mean = 0.0, square = 0.0, deviation;
    bool varies = false;

    for (int n = 0; n < rows; n++) {
        double value = at[(size_t)raw->order[n] * inputs];

        varies |= value != at[(size_t)raw->order[0] * inputs];
        mean += value / rows;
    }
    for (int n = 0; n < rows; n++) {
        double gap = at[(size_t)raw->order[n] * inputs] - mean;

        square += gap * gap;
    }
    deviation = sqrt(square / (rows - 1));
    varies &= deviation > 0.0; /* squares of tiny numbers underflow */
    if (!varies && !keeps_constant)
        return refuse_constant(raw, i, rows, mean, err);
    for (int n = 0; n < raw->rows; n++, at += inputs)
        *at = varies ? (*at - mean) / deviation : 0.0;
    return HISS_OK;
}

hiss_status hs_dataset_shape(hs_dataset *out, hs_raw *raw,
                             const hs_shaping *shaping, hiss_error *err)
{
    int train = raw->rows - raw->test;
    int fitted = (int)floor((1.0 - shaping->validation) * train + 1e-9);
    hiss_status rc = HISS_OK;

    *out = (hs_dataset){.inputs = raw->inputs};
    if (fitted < 1)
        return hs_fail(err, HISS_EPARSE,
                       "%s: %d rows of which %d are for testing leave none to "
                       "be fitted",
                       raw->name, raw->rows, raw->test);
    for (int i = 0; rc == HISS_OK && shaping->is_standard && i < raw->inputs;
         i++)
        rc = standardise(raw, i, fitted, shaping->keeps_constant, err);
    if (rc == HISS_OK)
        rc = take_part(&out->part[HS_FITTED], raw, 0, fitted, err);
    if (rc == HISS_OK)
        rc = take_part(&out->part[HS_VALIDATION], raw, fitted, train - fitted,
                       err);
    if (rc == HISS_OK)
        rc = take_part(&out->part[HS_TEST], raw, train, raw->test, err);
    if (rc != HISS_OK) {
        hs_dataset_clear(out);
        return rc;
    }
    out->note = raw->note;
    raw->note = NULL;
    return HISS_OK;
}
