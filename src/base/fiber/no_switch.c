/* no_switch.c - where a program has one stack (WebAssembly): no fibers.
 *
 * Functions of the user alone need them, and such a program has none. */
#include "base/fiber/switch.h"

bool hs_context_init(hs_context *c, void (*begin)(void))
{
    (void)begin;
    *c = (hs_context){0};
    return false;
}

void hs_context_clear(hs_context *c)
{
    (void)c;
}

void hs_context_here(hs_context *c)
{
    *c = (hs_context){0};
}

void hs_context_arrive(hs_context *from)
{
    (void)from;
}

void hs_context_switch(hs_context *from, hs_context *to)
{
    (void)from;
    (void)to;
}
