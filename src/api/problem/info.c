/* info.c - lists samplers, models and formats, from their tables. */
#include <jansson.h>
#include <stddef.h>
#include <string.h>
#include <zlib.h>

#include "api/object/objects.h"
#include "api/object/sized.h"
#include "base/text.h"
#include "format/format.h"
#include "lanes/lanes.h"
#include "model/gemm.h"
#include "run/comm/ranks.h"
#include "sink/sink.h"

static const char *const type_names[] = {
    [HS_REAL] = "real",       [HS_AUTO] = "real|auto",
    [HS_INTEGER] = "integer", [HS_SEED] = "seed",
    [HS_BOOL] = "yes|no",     [HS_CHOICE] = "choice",
    [HS_TEXT] = "text",       [HS_FILE] = "text",
    [HS_CODE] = "text",       [HS_REALS] = "list of reals",
    [HS_CHILD] = "sampler",   [HS_CHILDREN] = "samplers",
};

const char *hiss_version(void)
{
    return HISS_VERSION;
}

const char *hiss_isa(void)
{
    return hs_lanes()->isa;
}

/* Bytes of the first `count` words of a text. */
static int words(const char *text, int count)
{
    const char *at = text;

    for (int n = 0; n < count; n++)
        at += strspn(at, " ") + strcspn(at + strspn(at, " "), " ");
    return (int)(at - text);
}

char *hiss_libraries(void)
{
    const char *blas = hs_gemm_name(), *own;
    hs_text t = {0};

    hs_text_print(&t, "zlib %s, jansson %s", zlibVersion(),
                  jansson_version_str());
    if (blas) /* "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ..." */
        hs_text_print(&t, ", %.*s", words(blas, 2), blas);
    for (int s = 0; hs_sinks[s]; s++)
        if (hs_sinks[s]->library) { /* "4.9.0 of Aug ..." */
            own = hs_sinks[s]->library();
            hs_text_print(&t, ", %s %.*s", hs_sinks[s]->name, words(own, 1),
                          own);
        }
    hs_text_add_string(&t, hs_ranks_supported() ? ", MPI" : "");
    return hs_text_take(&t);
}

static int count(const hs_option *options)
{
    int n = 0;

    while (options[n].name)
        n++;
    return n;
}

static int option(const hs_option *options, int number, hiss_option_info *out)
{
    const hs_option *o;
    hiss_option_info info;

    if (number < 0 || number >= count(options))
        return 0;
    o = &options[number];
    info = (hiss_option_info){.name = o->name,
                              .type = type_names[o->type],
                              .standard = o->standard,
                              .range = o->type == HS_FILE ? NULL : o->range,
                              .help = o->help};
    return hs_sized_fill(out, &info, sizeof info);
}

static int type(hiss_type_info info, hiss_type_info *out)
{
    return hs_sized_fill(out, &info, sizeof info);
}

static const hs_kernel_type *sampler_type(int number)
{
    for (int i = 0; number >= 0 && hs_kernel_types[i]; i++)
        if (i == number)
            return hs_kernel_types[i];
    return NULL;
}

static const hs_model_type *model_type(int number)
{
    for (int i = 0; number >= 0 && hs_model_types[i]; i++)
        if (i == number)
            return hs_model_types[i];
    return NULL;
}

int hiss_sampler_info(int number, hiss_type_info *out)
{
    const hs_kernel_type *t = sampler_type(number);

    return t ? type((hiss_type_info){.name = t->name,
                                     .summary = t->summary,
                                     .options = count(t->options),
                                     .group =
                                         t->is_baseline ? "baselines" : NULL},
                    out)
             : 0;
}

int hiss_sampler_option(int number, int which, hiss_option_info *out)
{
    const hs_kernel_type *t = sampler_type(number);

    return t ? option(t->options, which, out) : 0;
}

int hiss_model_info(int number, hiss_type_info *out)
{
    const hs_model_type *t = model_type(number);

    return t ? type((hiss_type_info){.name = t->name,
                                     .summary = t->summary,
                                     .options = count(t->options)},
                    out)
             : 0;
}

int hiss_model_option(int number, int which, hiss_option_info *out)
{
    const hs_model_type *t = model_type(number);

    return t ? option(t->options, which, out) : 0;
}

static const hs_format *format_at(int number)
{
    for (int i = 0; number >= 0 && hs_formats[i]; i++)
        if (i == number)
            return hs_formats[i];
    return NULL;
}

int hiss_format_info(int number, hiss_file_format *out)
{
    const hs_format *f = format_at(number);
    hiss_file_format info;

    if (!f)
        return 0;
    info = (hiss_file_format){.name = f->name,
                              .summary = f->summary,
                              .suffixes = f->suffixes,
                              .reads = f->read || f->load,
                              .writes = f->write != NULL,
                              .options = count(f->options)};
    return hs_sized_fill(out, &info, sizeof info);
}

int hiss_format_option(int number, int which, hiss_option_info *out)
{
    const hs_format *f = format_at(number);

    return f ? option(f->options, which, out) : 0;
}

const char *hiss_format_tested(int number, int file)
{
    const hs_format *f = format_at(number);

    for (int n = 0; f && file >= 0 && f->tested[n]; n++)
        if (n == file)
            return f->tested[n];
    return NULL;
}
