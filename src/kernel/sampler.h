/* sampler.h - a sampler as a tree: a spec, looked up and checked.
 *
 * A user's spec is parsed into a tree once.  Interface, pilot, runner and
 * search share it, compose new trees from its nodes and query them.  Kernels
 * are made from it, a tree per tile, without text in between.
 *
 * A sampler never changes, so threads may share it.  Nodes are counted: each
 * owner keeps (hs_sampler_keep) and releases what it needs, and kernels keep
 * the node they were made from, whose texts and lists they use.  It remembers
 * the original spec, option by option, for checkpoints and results. */
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
    hs_spec given;    /* owned: the original spec */
    hs_traits traits; /* traits of the tree */
    int replicas;     /* replicas of a chain */
    atomic_int owners;
    hs_sampler *self; /* itself, because the owner count changes behind const
                         pointers */
};

#define HS_KERNEL(name) extern const hs_kernel_type hs_kernel_##name;
#include "kernel/kernels.def"
#undef HS_KERNEL

/* The type with that name, or NULL. */
const hs_kernel_type *hs_kernel_type_find(const char *name);

/* Create a sampler from text, or from a parsed spec.  They check names, options
 * and nesting. */
hiss_status hs_sampler_parse(hs_sampler **out, const char *text,
                             hiss_error *err);
hiss_status hs_sampler_create(hs_sampler **out, const hs_spec *spec,
                              hiss_error *err);

/* An option of a composed node: its value is the one of sampler, list or word
 * that is set, else the number.  Without a name: one more child of mix or
 * sequence. */
typedef struct hs_setting {
    const char *name;
    const hs_sampler *sampler;
    const hs_reals *list;
    const char *word;
    double number;
} hs_setting;

/* Makes a node of that type around others, which it keeps.  settings end with
 * one that has neither name nor sampler; NULL means all defaults. */
hiss_status hs_sampler_make(hs_sampler **out, const hs_kernel_type *type,
                            const hs_setting *settings, hiss_error *err);

/* Makes the same sampler with every default spelled out. */
hiss_status hs_sampler_spell_out(hs_sampler **out, const hs_sampler *from,
                                 hiss_error *err);

/* Adds an owner; returns its argument. */
hs_sampler *hs_sampler_keep(const hs_sampler *s);
/* Removes an owner; the last one destroys it.  NULL is allowed. */
void hs_sampler_release(hs_sampler *s);

/* Canonical text with every default, or as originally given.  The caller owns
 * it; NULL if memory is short. */
char *hs_sampler_print(const hs_sampler *s);
char *hs_sampler_print_given(const hs_sampler *s);

/* The first node of that type, depth first, or NULL. */
const hs_sampler *hs_sampler_find(const hs_sampler *s,
                                  const hs_kernel_type *type);

/* Whether both have the same types with the same options. */
bool hs_sampler_equal(const hs_sampler *a, const hs_sampler *b);

/* Values of a node's own options.  A number may be a real (NaN: auto), an
 * integer, a choice, or yes (1) or no (0).  NaN or NULL if the type has no such
 * option; NULL if it is absent. */
double hs_sampler_number(const hs_sampler *s, const char *option);
const char *hs_sampler_text(const hs_sampler *s, const char *option);
const hs_reals *hs_sampler_list(const hs_sampler *s, const char *option);

#endif
