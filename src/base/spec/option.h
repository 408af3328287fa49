/* option.h - the table of options of a sampler or a model.
 *
 * One row serves parsing, range check, default, help, `hiss list` and Python.
 * Values are stored in the fields of a struct by offset.  Positional arguments
 * fill the rows in their order, or are all children if the table has a row of
 * that type.  The table ends with a row without a name. */
#ifndef HS_BASE_SPEC_OPTION_H
#define HS_BASE_SPEC_OPTION_H

#include <stdbool.h>
#include <stddef.h>

#include <hiss/status.h>

#include "base/spec/spec.h"

typedef enum hs_option_type {
    HS_REAL,     /* double */
    HS_AUTO,     /* double; the word auto gives NaN */
    HS_INTEGER,  /* int */
    HS_SEED,     /* uint64_t, decimal; the range is not used */
    HS_BOOL,     /* bool; yes/no/true/false/1/0 */
    HS_CHOICE,   /* int: index into the words of `range`, "a|b|c" */
    HS_TEXT,     /* char *, owned by the struct */
    HS_FILE,     /* char *: a file that is read; words of `range`, "a|b", are
                    not files */
    HS_CODE,     /* char *: a shared library that is loaded */
    HS_REALS,    /* hs_reals: [1,2,4]; the range holds for each number */
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

/* Copies, so that the struct outlives the parsed text. */
typedef struct hs_children {
    hs_spec *at; /* owned, and each spec in it */
    int count;
} hs_children;

typedef struct hs_option {
    const char *name;
    hs_option_type type;
    size_t offset;
    /* Default as text.  NULL if the option is required.  "" for a text, list or
     * child that may be absent (NULL, or a count of 0). */
    const char *standard;
    const char *range; /* "(0,inf)", "[1,100]", words of a choice, or NULL */
    const char *help;
} hs_option;

/* Whether `name` is the option's name or its former name
 * (base/spec/older.h). */
bool hs_option_is_named(const hs_option *o, const char *name);

/* Fills target (a zeroed struct) from the defaults and the arguments of spec.
 * `what` names the owner in messages ("sampler hiss", "model ising").  The
 * message for an unknown key suggests the nearest name, and that for a value
 * out of range gives the range. A repeated key or too many positional arguments
 * are errors.  NaN never passes a range, infinity only one that is closed
 * there.  The spec is not needed afterwards.  On failure (HISS_EARG,
 * HISS_ENOMEM, HISS_EINTERNAL for a bad table) the target is cleared. */
hiss_status hs_options_parse(const hs_option *options, const hs_spec *spec,
                             const char *what, void *target, hiss_error *err);

/* Frees what target owns by the table (texts, lists, children). */
void hs_options_clear(const hs_option *options, void *target);

/* Whether the spec gives that option, by its key or by its position. */
bool hs_options_has(const hs_option *options, const hs_spec *spec,
                    const char *name);

/* Whether two targets have the same values.  Ignores nested samplers: their
 * owner compares what it built. */
bool hs_options_equal(const hs_option *options, const void *a, const void *b);

/* Writes a filled struct as a spec `name(key=value,...)`, children first,
 * without absent options.  Parsing it gives the same target.  The caller clears
 * it. */
hiss_status hs_options_spec(hs_spec *out, const hs_option *options,
                            const char *name, const void *target,
                            hiss_error *err);

/* The same as canonical text, owned by the caller; NULL if memory is short. */
char *hs_options_print(const hs_option *options, const char *name,
                       const void *target);

#endif
