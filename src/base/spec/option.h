/* option.h - a table that says which options a sampler or model takes.
 *
 * One row is parsing, range, default, help, `hiss list` and Python.  Rows are
 * filled into the fields of a struct by offset.  Positional arguments fill
 * the rows in their order, or are all children where the table has a row of
 * that type.  The table ends with a row without a name. */
#ifndef HS_BASE_SPEC_OPTION_H
#define HS_BASE_SPEC_OPTION_H

#include <stdbool.h>
#include <stddef.h>

#include <hiss/status.h>

#include "base/spec/spec.h"

typedef enum hs_option_type {
    HS_REAL,     /* double */
    HS_AUTO,     /* double; the word auto is NaN */
    HS_INTEGER,  /* int */
    HS_SEED,     /* uint64_t; decimal, the range is not used */
    HS_BOOL,     /* bool; yes/no/true/false/1/0 */
    HS_CHOICE,   /* int: index into the words of `range`, "a|b|c" */
    HS_TEXT,     /* char *, owned by the struct */
    HS_FILE,     /* the same: a file that is read; the words of `range`, "a|b",
                    are names of something else */
    HS_CODE,     /* the same: a shared library that is loaded */
    HS_REALS,    /* hs_reals: [1,2,4]; the range holds for each */
    HS_CHILD,    /* hs_spec *, owned by the struct: a nested sampler */
    HS_CHILDREN, /* hs_children: all positional arguments */
} hs_option_type;

static inline int hs_option_is_text(hs_option_type type)
{
    return type == HS_TEXT || type == HS_FILE || type == HS_CODE;
}

typedef struct hs_reals {
    double *at; /* owned */
    int count;
} hs_reals;

/* Copies, so that the struct outlives the text it was parsed from. */
typedef struct hs_children {
    hs_spec *at; /* owned, and each spec in it */
    int count;
} hs_children;

typedef struct hs_option {
    const char *name;
    hs_option_type type;
    size_t offset;
    /* Its default as text.  NULL: must be given.  "": a text, list or child
     * that may be absent (NULL, or a count of 0). */
    const char *standard;
    const char *range; /* "(0,inf)", "[1,100]", words of a choice, or NULL */
    const char *help;
} hs_option;

/* Whether that is the option's name, or its older one (base/spec/older.h). */
bool hs_option_is_named(const hs_option *o, const char *name);

/* Fills target (a zeroed struct) from the defaults and the arguments of spec.
 * `what` names the owner in messages ("sampler hiss", "model ising").  Unknown
 * keys get the nearest name suggested, values out of range say the range, a
 * key given twice and too many positional arguments are errors.  NaN never
 * passes a range, infinity only one that is closed there.  The spec is not
 * needed afterwards.  On failure (HISS_EARG, HISS_ENOMEM, HISS_EINTERNAL for a
 * bad table) the target is cleared. */
hiss_status hs_options_parse(const hs_option *options, const hs_spec *spec,
                             const char *what, void *target, hiss_error *err);

/* Frees what the table owns in target (texts, lists, children). */
void hs_options_clear(const hs_option *options, void *target);

/* Whether the spec gives that option: by its key, or by its place. */
bool hs_options_has(const hs_option *options, const hs_spec *spec,
                    const char *name);

/* Whether two targets have the same values.  Nested samplers are not looked
 * at: who built them compares what was built. */
bool hs_options_equal(const hs_option *options, const void *a, const void *b);

/* The given options and the defaults of the rest, as a spec
 * `name(key=value,...)`, children first; what is absent is left out.  Parsing
 * it gives the same target.  To be cleared by the caller. */
hiss_status hs_options_spec(hs_spec *out, const hs_option *options,
                            const char *name, const void *target,
                            hiss_error *err);

/* Its canonical text.  Owned by the caller; NULL without memory. */
char *hs_options_print(const hs_option *options, const char *name,
                       const void *target);

#endif
