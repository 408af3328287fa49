/* switch.h - from one stack to another on the same thread.
 *
 * A thing of POSIX (ucontext.h), and what sanitizers want to know of it. */
#ifndef HS_BASE_FIBER_SWITCH_H
#define HS_BASE_FIBER_SWITCH_H

#include <stdbool.h>
#include <stddef.h>
#include <ucontext.h>

typedef struct hs_context {
    ucontext_t place;
    void *map; /* owned: the stack with its guard page; NULL: a thread's own */
    /* for sanitizers: the stack as it grows, and what they keep with it */
    const void *bottom;
    size_t bytes;
    void *fake, *fiber;
} hs_context;

/* With a stack of its own, on which `begin` is called at the first switch and
 * never returns.  false: no memory. */
bool hs_context_init(hs_context *c, void (*begin)(void));
void hs_context_clear(hs_context *c);

/* The caller's own stack, to come back to. */
void hs_context_here(hs_context *c);

/* Goes on at `to`, until something switches back to `from`. */
void hs_context_switch(hs_context *from, hs_context *to);

/* The first thing that `begin` calls: it was `from` that switched here. */
void hs_context_arrive(hs_context *from);

#endif
