/* info.h - which samplers and models there are, and their options.
 *
 * All texts last as long as the library. */
#ifndef HISS_INFO_H
#define HISS_INFO_H

#include <hiss/api.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An option of a sampler, a model or a file format. */
typedef struct hiss_option_info {
    size_t size; /* sizeof(hiss_option_info) */
    const char *name;
    const char *type;     /* "real", "real|auto", "integer", ... */
    const char *standard; /* default as text; NULL: must be given */
    const char *range;    /* NULL when any value will do */
    const char *help;
} hiss_option_info;

/** A sampler or a model. */
typedef struct hiss_type_info {
    size_t size; /* sizeof(hiss_type_info) */
    const char *name;
    const char *summary;
    int options; /* how many it has */
    /* "baselines": samplers that are there to be compared with; NULL: others */
    const char *group;
} hiss_type_info;

/** Samplers by number, 0 ... until 0 (false) is returned. */
HISS_API int hiss_sampler_info(int number, hiss_type_info *out);
/** Options of a sampler by number; 0 (false) past the last. */
HISS_API int hiss_sampler_option(int number, int option, hiss_option_info *out);
/** Models by number, 0 ... until 0 (false) is returned. */
HISS_API int hiss_model_info(int number, hiss_type_info *out);
/** Options of a model by number; 0 (false) past the last. */
HISS_API int hiss_model_option(int number, int option, hiss_option_info *out);

/** Devices that can make the steps of a run, by number: first "cpu", then
 * "cuda:0" and so on, with what each is; 0 (false) past the last.  Where there
 * is no GPU that can be used, "cuda" stands for it, with the reason. */
HISS_API int hiss_device_info(int number, hiss_type_info *out);

#ifdef __cplusplus
}
#endif
#endif
