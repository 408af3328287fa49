/* switch.h - switches between stacks on the same thread.
 *
 * It uses POSIX (ucontext.h) and informs the sanitizers. */
#ifndef HS_BASE_FIBER_SWITCH_H
#define HS_BASE_FIBER_SWITCH_H

#include <stdbool.h>
#include <stddef.h>
#include <ucontext.h>

typedef struct hs_context {
    ucontext_t place;
    void *map; /* owned: the stack with its guard page; NULL for a thread's
                  own */
    /* for sanitizers: the stack in its direction of growth, and their state */
    const void *bottom;
    size_t bytes;
    void *fake, *fiber;
} hs_context;

/* Creates a stack on which the first switch calls `begin`, which never returns.
 * False if memory is short. */
bool hs_context_init(hs_context *c, void (*begin)(void));
void hs_context_clear(hs_context *c);

/* Describes the caller's own stack, to return to. */
void hs_context_here(hs_context *c);

/* Continues at `to` until something switches back to `from`. */
void hs_context_switch(hs_context *from, hs_context *to);

/* `begin` must call it first; `from` is the context that switched here. */
void hs_context_arrive(hs_context *from);

#endif
