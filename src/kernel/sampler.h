/* sampler.h - a sampler as a tree: what a spec says, looked up and checked.
 *
 * What a user writes is parsed into a tree once.  Interface, pilot, runner and
 * search share it, compose new ones of its nodes and ask questions of nodes;
 * kernels are made from it, a tree per tile, without text in between.
 *
 * A sampler never changes, so threads may share it.  Nodes are counted: each
 * owner keeps (hs_sampler_keep) and releases what it needs, and kernels keep
 * the node they were made from, whose texts and lists they use.
 *
 * It remembers how it was asked for, option by option, which is what a
 * checkpoint and a result say of it. */
#ifndef HS_KERNEL_SAMPLER_H
#define HS_KERNEL_SAMPLER_H

#include <stdatomic.h>
#include <stdbool.h>

#include <hiss/status.h>

#include "base/spec/option.h"
#include "base/spec/spec.h"
#include "kernel/kernel.h"

struct hs_sampler {
    const hs_kernel_type *type;
    hs_kernel shape;    /* a kernel that is never set up: options, children */
    hs_sampler **child; /* owned array of kept nodes */
    int children;
    hs_spec given;    /* owned: as it was asked for */
    hs_traits traits; /* of the tree */
    int replicas;     /* of a chain */
    atomic_int owners;
    hs_sampler *self; /* itself: owners change behind const pointers, too */
};

#define HS_KERNEL(name) extern const hs_kernel_type hs_kernel_##name;
#include "kernel/kernels.def"
#undef HS_KERNEL

/* The type of that name, or NULL. */
const hs_kernel_type *hs_kernel_type_find(const char *name);

/* From text; from what was parsed.  Names, options, nesting are checked. */
hiss_status hs_sampler_parse(hs_sampler **out, const char *text,
                             hiss_error *err);
hiss_status hs_sampler_create(hs_sampler **out, const hs_spec *spec,
                              hiss_error *err);

/* An option of a node that is composed: one of sampler, list, word or else the
 * number is its value.  Without a name: one more of the children of mix or
 * sequence. */
typedef struct hs_setting {
    const char *name;
    const hs_sampler *sampler;
    const hs_reals *list;
    const char *word;
    double number;
} hs_setting;

/* A node of that type around others, which it keeps.  settings end with one
 * that has neither name nor sampler; NULL: every option has its default. */
hiss_status hs_sampler_make(hs_sampler **out, const hs_kernel_type *type,
                            const hs_setting *settings, hiss_error *err);

/* The same sampler as if every default had been asked for. */
hiss_status hs_sampler_spell_out(hs_sampler **out, const hs_sampler *from,
                                 hiss_error *err);

/* Adds an owner; returns its argument. */
hs_sampler *hs_sampler_keep(const hs_sampler *s);
/* One owner less, and the end with the last; NULL is fine. */
void hs_sampler_release(hs_sampler *s);

/* Canonical text with every default, or as it was asked for.  Owned by the
 * caller; NULL without memory. */
char *hs_sampler_print(const hs_sampler *s);
char *hs_sampler_print_given(const hs_sampler *s);

/* The first node of that type, depth first, or NULL. */
const hs_sampler *hs_sampler_find(const hs_sampler *s,
                                  const hs_kernel_type *type);

/* The same types with the same options. */
bool hs_sampler_equal(const hs_sampler *a, const hs_sampler *b);

/* Values of a node's own options.  A number may be that of a real (NaN: auto),
 * an integer, a choice or a yes (1) or no (0); NaN and NULL where the type has
 * no such option, NULL where it is absent. */
double hs_sampler_number(const hs_sampler *s, const char *option);
const char *hs_sampler_text(const hs_sampler *s, const char *option);
const hs_reals *hs_sampler_list(const hs_sampler *s, const char *option);

#endif
