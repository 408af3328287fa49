/* open.h - the requested device, and its plug-in. */
#ifndef HS_DEVICE_OPEN_H
#define HS_DEVICE_OPEN_H

#include <stdbool.h>

#include <hiss/status.h>

#include "device/device.h"

/* `cpu`, `cuda`, `cuda:N`, `auto`; NULL and "" are cpu. */
typedef struct hs_device_choice {
    bool is_card; /* a GPU is requested, */
    bool may_not; /* but the processor is accepted */
    int number;   /* which GPU, or -1 for any */
} hs_device_choice;

hiss_status hs_device_parse(const char *text, hs_device_choice *out,
                            hiss_error *err);

/* Returns the plug-in: the file in HISS_CUDA, else libhiss_cuda.so beside the
 * library.  It is loaded once and stays.  Messages say what to do. */
hiss_status hs_device_open(const hs_device_table **out, hiss_error *err);

/* The same, and checks that this GPU exists. */
hiss_status hs_device_open_card(const hs_device_table **out, int number,
                                hiss_error *err);

#endif
