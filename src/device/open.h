/* open.h - which device a run was asked for, and the plug-in that has it. */
#ifndef HS_DEVICE_OPEN_H
#define HS_DEVICE_OPEN_H

#include <stdbool.h>

#include <hiss/status.h>

#include "device/device.h"

/* `cpu`, `cuda`, `cuda:N`, `auto`; NULL and "" are cpu. */
typedef struct hs_device_choice {
    bool is_card; /* a GPU is wanted, */
    bool may_not; /* but the processor will do */
    int number;   /* which GPU, or -1: any */
} hs_device_choice;

hiss_status hs_device_parse(const char *text, hs_device_choice *out,
                            hiss_error *err);

/* The plug-in: the file in HISS_CUDA, else libhiss_cuda.so beside the library.
 * Loaded once, and kept.  Messages say what to do. */
hiss_status hs_device_open(const hs_device_table **out, hiss_error *err);

/* The same, and that it has this GPU. */
hiss_status hs_device_open_card(const hs_device_table **out, int number,
                                hiss_error *err);

#endif
