/* api.h - shared by all headers: visibility, sized structs, hiss_free. */
#ifndef HISS_API_H
#define HISS_API_H

#include <stddef.h>

#if defined(__GNUC__)
#  define HISS_API __attribute__((visibility("default")))
#else
#  define HISS_API
#endif

/** Initializes a struct of this type: all zero except for its size (hiss.h has
 * the reason):
 * hiss_run_info info = HISS_INIT(hiss_run_info); */
#ifdef __cplusplus
extern "C++" { /* the headers may be included within extern "C" */
template <class type> inline type hiss_init()
{
    type zero = type();
    zero.size = sizeof(type);
    return zero;
}
}
#  define HISS_INIT(type) (hiss_init<type>())
#else
#  define HISS_INIT(type) ((type){.size = sizeof(type)})
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Frees a text from the library; NULL is allowed. */
HISS_API void hiss_free(void *text);

#ifdef __cplusplus
}
#endif
#endif
