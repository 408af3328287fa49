/* open.c - finds the plug-in for GPUs. */
#include "device/open.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/platform/platform.h"

#define FILE_NAME "libhiss_cuda.so"
#define PATH_ROOM 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const hs_device_table *opened;

hiss_status hs_device_parse(const char *text, hs_device_choice *out,
                            hiss_error *err)
{
    char *end;
    long number;

    *out = (hs_device_choice){0};
    if (!text || !*text || strcmp(text, "cpu") == 0)
        return HISS_OK;
    out->is_card = true;
    out->number = -1;
    out->may_not = strcmp(text, "auto") == 0;
    if (out->may_not || strcmp(text, "cuda") == 0)
        return HISS_OK;
    if (strncmp(text, "cuda:", 5) == 0 && text[5] >= '0' && text[5] <= '9') {
        number = strtol(text + 5, &end, 10);
        out->number = (int)number;
        if (!*end && number < 1024)
            return HISS_OK;
    }
    return hs_fail(err, HISS_EARG,
                   "device '%.64s' is not known, expected cpu, cuda, cuda:N or "
                   "auto",
                   text);
}

/* The folder of the file with this function: the library, or a program that
 * includes it. */
static bool beside(char *path, size_t size)
{
    char own[PATH_MAX];
    const char *slash;

    if (!hs_platform_own_file(own))
        return false;
    slash = strrchr(own, '/');
    snprintf(path, size, "%.*s%s", slash ? (int)(slash + 1 - own) : 0, own,
             FILE_NAME);
    return true;
}

static hiss_status find(char *path, size_t size, hiss_error *err)
{
    const char *given = getenv("HISS_CUDA");

    if (given && *given) {
        snprintf(path, size, "%s", given);
        if (access(path, R_OK) == 0)
            return HISS_OK;
        return hs_fail(err, HISS_EUNSUP,
                       "no device cuda: HISS_CUDA names %.500s, which cannot "
                       "be read",
                       given);
    }
    if (beside(path, size) && access(path, R_OK) == 0)
        return HISS_OK;
    return hs_fail(err, HISS_EUNSUP,
                   "no device cuda: its plug-in " FILE_NAME " is not beside "
                   "the library; build it with `make cuda`, or name it in "
                   "HISS_CUDA, or use --device cpu");
}

static hiss_status load(const char *path, hiss_error *err)
{
    const char *reason;
    void *library = hs_platform_library_open(path, &reason);
    hs_device_entry_function *entry = NULL;
    const hs_device_table *table;

    if (!library)
        return hs_fail(err, HISS_EPLUGIN, "no device cuda: %.500s",
                       reason ? reason : path);
    *(void **)&entry = hs_platform_library_symbol(library, HS_DEVICE_ENTRY);
    table = entry ? entry() : NULL;
    if (!table || table->abi != HS_DEVICE_ABI ||
        table->plan_size != sizeof(hs_device_plan)) {
        hs_platform_library_close(library);
        return hs_fail(err, HISS_EPLUGIN,
                       "no device cuda: %.500s is of another version of hiss; "
                       "build both from one source",
                       path);
    }
    opened = table; /* never closed, because a GPU's memory belongs to it */
    return HISS_OK;
}

hiss_status hs_device_open(const hs_device_table **out, hiss_error *err)
{
    char path[PATH_ROOM];
    hiss_status rc = HISS_OK;

    pthread_mutex_lock(&lock);
    if (!opened)
        rc = find(path, sizeof path, err);
    if (rc == HISS_OK && !opened)
        rc = load(path, err);
    *out = opened;
    pthread_mutex_unlock(&lock);
    return rc;
}

hiss_status hs_device_open_card(const hs_device_table **out, int number,
                                hiss_error *err)
{
    int cards;

    HS_TRY(hs_device_open(out, err));
    HS_TRY((*out)->count(&cards, err));
    if (cards == 0)
        return hs_fail(err, HISS_EUNSUP,
                       "no device cuda: there is no card that can be used; "
                       "see nvidia-smi, or use --device cpu");
    if (number >= cards)
        return hs_fail(err, HISS_EUNSUP,
                       "there is no device cuda:%d, the last is cuda:%d",
                       number, cards - 1);
    return HISS_OK;
}
