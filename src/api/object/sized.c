/* sized.c - reads and fills structs of callers by their size. */
#include "api/object/sized.h"

#include <string.h>

#include <hiss/version.h>

#include "base/error.h"

static size_t size_of(const void *object)
{
    size_t size;

    memcpy(&size, object, sizeof size);
    return size;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* A struct that begins with a size_t has a size aligned like it: any other size
 * would end within a field. */
static bool is_size(size_t size)
{
    return size > sizeof size && size <= HS_SIZED_MAX &&
           size % sizeof size == 0;
}

bool hs_sized_is_set(const void *to)
{
    return to && is_size(size_of(to));
}

hiss_status hs_sized_check(const void *to, const char *name, hiss_error *err)
{
    if (is_size(size_of(to)))
        return HISS_OK;
    return hs_fail(err, HISS_EARG,
                   "%s.size is %zu, expected sizeof(%s): it was not "
                   "initialized",
                   name, size_of(to), name);
}

/* Copies all but the size itself. */
static void copy(void *to, const void *from, size_t bytes)
{
    memcpy((char *)to + sizeof(size_t), (const char *)from + sizeof(size_t),
           bytes - sizeof(size_t));
}

void hs_sized_init(void *to, size_t size, const void *defaults, size_t known)
{
    if (!to || !is_size(size))
        return;
    memset(to, 0, size);
    memcpy(to, &size, sizeof size);
    copy(to, defaults, smaller(size, known));
}

hiss_status hs_sized_read(void *to, size_t known, const void *from,
                          const char *name, hiss_error *err)
{
    const char *byte = from;
    size_t size;

    HS_TRY(hs_sized_check(from, name, err));
    size = size_of(from);
    for (size_t n = known; n < size; n++)
        if (byte[n] != 0)
            return hs_fail(err, HISS_EUNSUP,
                           "a %s of %zu bytes asks for what hiss %s, which "
                           "knows %zu of them, cannot do: the program was "
                           "compiled for a newer hiss",
                           name, size, HISS_VERSION, known);
    copy(to, from, smaller(size, known));
    return HISS_OK;
}

int hs_sized_fill(void *to, const void *from, size_t known)
{
    if (!from || !hs_sized_is_set(to))
        return 0;
    copy(to, from, smaller(size_of(to), known));
    return 1;
}
