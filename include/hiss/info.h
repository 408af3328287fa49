/* info.h - lists samplers and models, and their options.  All texts last as
 * long as the library. */
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
    const char *standard; /* default as text; NULL if required */
    const char *range;    /* NULL if any value is allowed */
    const char *help;
} hiss_option_info;

/** A sampler or a model. */
typedef struct hiss_type_info {
    size_t size; /* sizeof(hiss_type_info) */
    const char *name;
    const char *summary;
    int options; /* number of options */
    /* "baselines": samplers for comparison; NULL for others */
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

/** Devices that can run steps, by number: first "cpu", then "cuda:0" and so on,
 * with a description; 0 (false) past the last.  If no GPU can be used, one
 * entry "cuda" gives the reason. */
HISS_API int hiss_device_info(int number, hiss_type_info *out);

#ifdef __cplusplus
}
#endif
#endif
