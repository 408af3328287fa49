/* switch.c - switches between stacks on the same thread.
 *
 * Stacks are mapped, so only pages that were used take memory.  Each ends in a
 * guard page that no access may touch. */
#include "base/fiber/switch.h"

#include <sys/mman.h>
#include <unistd.h>

#if defined(__has_feature)
#  if __has_feature(address_sanitizer)
#    define HAS_ADDRESS 1
#  endif
#  if __has_feature(thread_sanitizer)
#    define HAS_THREAD 1
#  endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#  define HAS_ADDRESS 1
#endif
#if defined(__SANITIZE_THREAD__)
#  define HAS_THREAD 1
#endif

#if defined(HAS_ADDRESS)
#  include <sanitizer/common_interface_defs.h>
#endif
#if defined(HAS_THREAD)
#  include <sanitizer/tsan_interface.h>
#endif

/* A step of the deepest kernel tree takes about 20 KiB, and several times as
 * much with the frames of a sanitizer. */
#if defined(HAS_ADDRESS) || defined(HAS_THREAD)
#  define STACK_BYTES ((size_t)1 << 20)
#else
#  define STACK_BYTES ((size_t)1 << 18)
#endif

bool hs_context_init(hs_context *c, void (*begin)(void))
{
    size_t guard = (size_t)sysconf(_SC_PAGESIZE);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE;

    *c = (hs_context){.bytes = STACK_BYTES};
    c->map =
        mmap(NULL, guard + STACK_BYTES, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (c->map == MAP_FAILED) {
        c->map = NULL;
        return false;
    }
    if (mprotect(c->map, guard, PROT_NONE) != 0 || getcontext(&c->place) != 0) {
        hs_context_clear(c);
        return false;
    }
    c->bottom = (const char *)c->map + guard;
    c->place.uc_stack.ss_sp = (char *)c->map + guard;
    c->place.uc_stack.ss_size = STACK_BYTES;
    c->place.uc_link = NULL;
    makecontext(&c->place, begin, 0);
#if defined(HAS_THREAD)
    c->fiber = __tsan_create_fiber(0);
#endif
    return true;
}

void hs_context_clear(hs_context *c)
{
    if (!c->map)
        return;
#if defined(HAS_THREAD)
    if (c->fiber)
        __tsan_destroy_fiber(c->fiber);
#endif
    munmap(c->map, (size_t)sysconf(_SC_PAGESIZE) + STACK_BYTES);
    *c = (hs_context){0};
}

void hs_context_here(hs_context *c)
{
    *c = (hs_context){0};
#if defined(HAS_THREAD)
    c->fiber = __tsan_get_current_fiber();
#endif
}

void hs_context_arrive(hs_context *from)
{
#if defined(HAS_ADDRESS)
    __sanitizer_finish_switch_fiber(NULL, &from->bottom, &from->bytes);
#endif
    (void)from;
}

void hs_context_switch(hs_context *from, hs_context *to)
{
#if defined(HAS_ADDRESS)
    __sanitizer_start_switch_fiber(&from->fake, to->bottom, to->bytes);
#endif
#if defined(HAS_THREAD)
    __tsan_switch_to_fiber(to->fiber, 0);
#endif
    swapcontext(&from->place, &to->place);
    /* back again: `to` is the context that switched, perhaps on another
     * thread */
#if defined(HAS_ADDRESS)
    __sanitizer_finish_switch_fiber(from->fake, &to->bottom, &to->bytes);
#endif
}
