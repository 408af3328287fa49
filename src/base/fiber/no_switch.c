/* no_switch.c - for systems with one stack (WebAssembly): no fibers.  Only
 * models that are functions of the user need them. */
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
