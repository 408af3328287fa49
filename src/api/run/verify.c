/* verify.c - tests whether a kernel keeps the distribution, in the public
 * interface. */
#include <inttypes.h>
#include <string.h>

#include "api/object/objects.h"
#include "api/object/sized.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "device/open.h"
#include "run/verify/replicate.h"
#include "run/verify/verify.h"
#include "sink/file.h"

#define CALLS_MAX 100000000

struct hiss_verdict {
    hs_verdict verdict; /* owned */
};

static const hiss_verify_settings defaults = {
    .size = sizeof defaults, .replicates = 1000000, .seed = 1, .calls = 40000};

void hiss_verify_settings_defaults(hiss_verify_settings *settings, size_t size)
{
    hs_sized_init(settings, size, &defaults, sizeof defaults);
}

/* is_own: the kernel belongs to the caller. */
static hiss_status check_settings(const hiss_verify_settings *s, bool is_own,
                                  hiss_error *err)
{
    hs_device_choice device;

    if (s->replicates < 1 || s->replicates > HS_REPLICATES_MAX)
        return hs_fail(err, HISS_EARG,
                       "replicates must be in [1,%" PRId64 "], not %" PRId64,
                       HS_REPLICATES_MAX, s->replicates);
    if (s->steps < 0 || s->steps > HS_ROW_STEPS_MAX)
        return hs_fail(err, HISS_EARG, "steps must be in [0,%d], not %" PRId64,
                       HS_ROW_STEPS_MAX, s->steps);
    if (s->batch < 0 || s->batch > HS_REPLICATES_MAX)
        return hs_fail(err, HISS_EARG,
                       "batch must be in [0,%" PRId64 "], not %" PRId64,
                       HS_REPLICATES_MAX, s->batch);
    if (s->calls < 0 || s->calls > CALLS_MAX)
        return hs_fail(err, HISS_EARG, "calls must be in [0,%d], not %" PRId64,
                       CALLS_MAX, s->calls);
    HS_TRY(hs_check_threads(s->threads, err));
    HS_TRY(hs_device_parse(s->device, &device, err));
    if (is_own && device.is_card)
        return hs_fail(err, HISS_EARG,
                       "a kernel of your own makes its steps itself: device "
                       "%.64s is for samplers",
                       s->device);
    if (s->pairs && !*s->pairs)
        return hs_fail(err, HISS_EARG,
                       "the name of the file of pairs is empty");
    return HISS_OK;
}

/* Values joined by spaces. */
static void write_state(FILE *to, const hs_exact *e, uint32_t n, double *values)
{
    char text[HS_NUMBER_MAX];

    hs_exact_values(e, n, values);
    for (int i = 0; i < e->dim; i++) {
        hs_number_print(text, values[i]);
        fprintf(to, "%s%s", i ? " " : "", text);
    }
}

static hiss_status write_pairs(const hs_verdict *v, hs_file *file,
                               hiss_error *err)
{
    const hs_exact *e = &v->exact;
    double *values = hs_alloc_array((size_t)e->dim, sizeof *values);

    if (!values) {
        hs_file_drop(file);
        return hs_fail_memory(err);
    }
    fputs("from,to,count\n", file->stream);
    for (int64_t i = 0; i < v->pairs && !ferror(file->stream); i++) {
        write_state(file->stream, e, v->pair[i].from, values);
        fputc(',', file->stream);
        write_state(file->stream, e, v->pair[i].to, values);
        fprintf(file->stream, ",%" PRId64 "\n", v->pair[i].count);
    }
    hs_free(values);
    return hs_file_commit(file, err);
}

/* The subject of a test: a sampler; or a kernel with the sampler that it claims
 * to be, or NULL. */
struct subject {
    const hs_model *model;
    const hs_sampler *sampler;
    const hiss_kernel *kernel;
};

static hiss_status test(hs_verdict *out, const struct subject *of,
                        const hiss_verify_settings *s, hiss_error *err)
{
    return of->kernel ? hs_verify_kernel(out, of->model, of->kernel,
                                         of->sampler, s, err)
                      : hs_verify(out, of->model, of->sampler, s, err);
}

/* Opens the file first, so that a bad name costs no run. */
static hiss_status verify(hs_verdict *out, const struct subject *of,
                          const hiss_verify_settings *s, hiss_error *err)
{
    hs_file file;
    hiss_status rc;

    if (!s->pairs)
        return test(out, of, s, err);
    HS_TRY(hs_file_open(&file, s->pairs, s->replace, err));
    rc = test(out, of, s, err);
    if (rc != HISS_OK) {
        hs_file_drop(&file);
        return rc;
    }
    rc = write_pairs(out, &file, err);
    if (rc != HISS_OK)
        hs_verdict_clear(out);
    return rc;
}

static hiss_status give(hiss_verdict **out, const struct subject *of,
                        const hiss_verify_settings *settings, hiss_error *err)
{
    hiss_verify_settings s = defaults;
    hiss_verdict *v;
    hiss_status rc;

    HS_TRY(hs_sized_read(&s, sizeof s, settings, "hiss_verify_settings", err));
    HS_TRY(check_settings(&s, of->kernel != NULL, err));
    s.threads = hs_threads(s.threads);
    v = hs_alloc_array(1, sizeof *v);
    if (!v)
        return hs_fail_memory(err);
    rc = verify(&v->verdict, of, &s, err);
    if (rc != HISS_OK) {
        hs_free(v);
        return rc;
    }
    *out = v;
    return HISS_OK;
}

hiss_status hiss_verify(hiss_verdict **out, const hiss_model *model,
                        const hiss_sampler *sampler,
                        const hiss_verify_settings *settings, hiss_error *err)
{
    if (out)
        *out = NULL;
    if (!out || !model || !sampler || !settings)
        return hs_fail(err, HISS_EARG, "hiss_verify: an argument is NULL");
    return give(
        out, &(struct subject){.model = model->model, .sampler = sampler->tree},
        settings, err);
}

hiss_status hiss_verify_kernel(hiss_verdict **out, const hiss_model *model,
                               const hiss_kernel *kernel,
                               const hiss_sampler *same,
                               const hiss_verify_settings *settings,
                               hiss_error *err)
{
    hiss_kernel k = {.size = sizeof k};

    if (out)
        *out = NULL;
    if (!out || !model || !kernel || !settings)
        return hs_fail(err, HISS_EARG,
                       "hiss_verify_kernel: an argument is NULL");
    HS_TRY(hs_sized_read(&k, sizeof k, kernel, "hiss_kernel", err));
    if (!k.apply)
        return hs_fail(err, HISS_EARG, "hiss_kernel: apply is NULL");
    k.name = k.name && *k.name ? k.name : "the kernel";
    return give(out,
                &(struct subject){.model = model->model,
                                  .sampler = same ? same->tree : NULL,
                                  .kernel = &k},
                settings, err);
}

const char *hiss_verdict_reason(const hiss_verdict *verdict)
{
    return verdict ? verdict->verdict.reason : NULL;
}

int hiss_verdict_flow(const hiss_verdict *verdict, int number,
                      hiss_verify_flow *out)
{
    const hs_verdict *v = verdict ? &verdict->verdict : NULL;

    if (!v || number < 0 || number >= v->flows)
        return 0;
    return hs_sized_fill(out, &v->flow[number], sizeof *out);
}

int hiss_verdict_result(const hiss_verdict *verdict, hiss_verify_result *out)
{
    return hs_sized_fill(out, verdict ? &verdict->verdict.result : NULL,
                         sizeof *out);
}

int hiss_verdict_test(const hiss_verdict *verdict, int number,
                      hiss_verify_test *out)
{
    const hs_verdict *v = verdict ? &verdict->verdict : NULL;
    hiss_verify_test test;

    if (!v || number < 0 || number >= v->tests)
        return 0;
    test = (hiss_verify_test){.name = v->test[number].name,
                              .statistic = v->test[number].chi2.statistic,
                              .freedom = (double)v->test[number].chi2.df,
                              .p_value = v->test[number].chi2.p,
                              .steps = v->test[number].steps,
                              .members = v->test[number].members,
                              .worst = v->test[number].worst,
                              .change = v->test[number].change};
    return hs_sized_fill(out, &test, sizeof test);
}

void hiss_verdict_destroy(hiss_verdict *verdict)
{
    if (!verdict)
        return;
    hs_verdict_clear(&verdict->verdict);
    hs_free(verdict);
}
