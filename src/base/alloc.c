/* alloc.c - every allocation of the library, overflow-checked. */
#include "base/alloc.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform/platform.h"

/* Large blocks keep calloc's own zeros, whose pages cost nothing until they are
 * touched.  calloc aligns too little, so the block starts later, and the word
 * before it stores calloc's address. */
#define MARGIN (2 * HS_ALIGN)

static atomic_llong allocations;
static atomic_llong fail_at; /* 0 = never */

/* Budget of this thread: bytes that it may still allocate. */
static _Thread_local struct {
    int64_t left;
    int is_set, is_spent;
} budget;

int hs_alloc_budget(int64_t bytes)
{
    int was_spent = budget.is_spent;

    budget.left = bytes;
    budget.is_set = bytes > 0;
    budget.is_spent = 0;
    return was_spent;
}

static int is_over_budget(size_t bytes)
{
    if (!budget.is_set)
        return 0;
    budget.is_spent |= bytes > (size_t)budget.left;
    budget.left -= budget.is_spent ? 0 : (int64_t)bytes;
    return budget.is_spent;
}

static int must_fail(void)
{
    long long made = atomic_fetch_add(&allocations, 1) + 1;
    long long limit = atomic_load(&fail_at);

    return limit > 0 && made >= limit;
}

void *hs_alloc_array(size_t count, size_t size)
{
    size_t bytes;
    char *raw, *block;

    if (must_fail() || __builtin_mul_overflow(count, size, &bytes) ||
        bytes > PTRDIFF_MAX - MARGIN || is_over_budget(bytes))
        return NULL;
    raw = calloc(1, bytes + MARGIN);
    if (!raw)
        return NULL;
    hs_platform_widen_pages(raw, bytes + MARGIN);
    block = raw + MARGIN - (uintptr_t)raw % HS_ALIGN;
    ((void **)block)[-1] = raw;
    return block;
}

void *hs_realloc_array(void *old, size_t old_count, size_t count, size_t size)
{
    size_t keep = old_count < count ? old_count : count;
    void *block = hs_alloc_array(count, size);

    if (!block)
        return NULL;
    if (old)
        memcpy(block, old, keep * size);
    hs_free(old);
    return block;
}

char *hs_strndup(const char *text, size_t length)
{
    char *copy = hs_alloc_array(length + 1, 1);

    if (copy)
        memcpy(copy, text, length);
    return copy;
}

char *hs_strdup(const char *text)
{
    return hs_strndup(text, strlen(text));
}

void hs_free(void *block)
{
    if (block)
        free(((void **)block)[-1]);
}

void hs_alloc_fail_after(int64_t n)
{
    atomic_store(&fail_at, n > 0 ? atomic_load(&allocations) + n : 0);
}

int64_t hs_alloc_count(void)
{
    return atomic_load(&allocations);
}

void hs_strings_free(char **at, int count)
{
    for (int n = 0; at && n < count; n++)
        hs_free(at[n]);
    hs_free(at);
}

char **hs_strings_copy(char *const *at, int count)
{
    char **copy = hs_alloc_array((size_t)count, sizeof *copy);

    for (int n = 0; copy && n < count; n++) {
        copy[n] = hs_strdup(at[n]);
        if (!copy[n]) {
            hs_strings_free(copy, n);
            return NULL;
        }
    }
    return copy;
}
