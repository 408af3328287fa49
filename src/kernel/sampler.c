/* sampler.c - trees of samplers: creation, composition, sharing, queries.
 *
 * Not here: the kernels that are made from them (kernel.c). */
#include "kernel/sampler.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/caret.h"
#include "base/error.h"
#include "base/number.h"
#include "base/spec/older.h"

const hs_kernel_type *const hs_kernel_types[] = {
#define HS_KERNEL(name) &hs_kernel_##name,
#include "kernel/kernels.def"
#undef HS_KERNEL
    NULL,
};

const hs_kernel_type *const *hs_kernel_extra;

/* --- names --------------------------------------------------------------- */

static const hs_kernel_type *find_in(const hs_kernel_type *const *types,
                                     const char *name)
{
    for (; types && *types; types++)
        if (name && (strcmp((*types)->name, name) == 0 ||
                     strcmp((*types)->name, hs_older_name(name)) == 0))
            return *types;
    return NULL;
}

const hs_kernel_type *hs_kernel_type_find(const char *name)
{
    const hs_kernel_type *type = find_in(hs_kernel_types, name);

    return type ? type : find_in(hs_kernel_extra, name);
}

static hiss_status unknown(const char *name, hiss_error *err)
{
    const char *names[64] = {0};
    char hint[HISS_SUGGESTION_MAX], quote[HS_QUOTE_MAX] = "[...]";

    for (int i = 0; hs_kernel_types[i] && i < 63; i++)
        names[i] = hs_kernel_types[i]->name;
    if (name)
        hs_quote(quote, name, strlen(name));
    hiss_suggestion(hint, name, names, "'", "'");
    return hs_fail(err, HISS_EARG, "unknown sampler '%s'%s", quote,
                   *hint ? hint : "; `hiss list samplers` shows all");
}

/* --- building ------------------------------------------------------------ */

/* The sampler that a setting gives for this option, or NULL; for a list of
 * children the one with that number. */
static const hs_sampler *given_child(const hs_setting *settings,
                                     const hs_option *o, int number)
{
    for (; settings && (settings->name || settings->sampler); settings++) {
        if (o->type == HS_CHILDREN && !settings->name && number-- == 0)
            return settings->sampler;
        if (o->type == HS_CHILD && settings->name &&
            hs_option_is_named(o, settings->name))
            return settings->sampler;
    }
    return NULL;
}

/* Adds the next child, given or made from *spec, which gets all its defaults
 * spelled out. */
static hiss_status add_child(hs_sampler *s, const hs_sampler *given,
                             hs_spec *spec, hiss_error *err)
{
    size_t count = (size_t)s->children;
    hs_sampler **child =
        hs_realloc_array(s->child, count, count + 1, sizeof *child);
    hs_kernel **shape;
    hs_sampler *added;

    if (!child)
        return hs_fail_memory(err);
    s->child = child;
    shape = hs_realloc_array(s->shape.child, count, count + 1, sizeof *shape);
    if (!shape)
        return hs_fail_memory(err);
    s->shape.child = shape;
    if (given)
        added = hs_sampler_keep(given);
    else
        HS_TRY(hs_sampler_create(&added, spec, err));
    child[s->children++] = added;
    shape[s->shape.children++] = &added->shape;
    hs_spec_clear(spec);
    return hs_options_spec(spec, added->type->options, added->type->name,
                           added->shape.state, err);
}

static hiss_status add_children(hs_sampler *s, const hs_setting *settings,
                                hiss_error *err)
{
    for (const hs_option *o = s->type->options; o->name; o++) {
        void *field = (char *)s->shape.state + o->offset;

        if (o->type == HS_CHILD) {
            hs_spec *spec = *(hs_spec **)field;

            if (spec)
                HS_TRY(add_child(s, given_child(settings, o, 0), spec, err));
        } else if (o->type == HS_CHILDREN) {
            hs_children *list = field;

            for (int i = 0; i < list->count; i++)
                HS_TRY(add_child(s, given_child(settings, o, i), &list->at[i],
                                 err));
        }
    }
    return HISS_OK;
}

/* Replicas belong to the outermost kernel, and a tilt by noise cannot get noise
 * again. */
/* Finds a node with packed sweeps in this tree. */
static const hs_sampler *find_packed(const hs_sampler *s)
{
    const hs_sampler *found = hs_kernel_packs(&s->shape) ? s : NULL;

    for (int i = 0; i < s->children && !found; i++)
        found = find_packed(s->child[i]);
    return found;
}

static hiss_status check_nesting(const hs_sampler *s, hiss_error *err)
{
    for (int i = 0; i < s->children; i++) {
        const hs_sampler *c = s->child[i];

        if (c->type->is_outermost && c->children == 0)
            return hs_fail(err, HISS_EARG,
                           "sampler %s: %s can only stand alone", s->type->name,
                           c->type->name);
        if (c->type->is_outermost)
            return hs_fail(err, HISS_EARG,
                           "sampler %s: %s can only be outermost, as in "
                           "%s(base=...)",
                           s->type->name, c->type->name, c->type->name);
        if ((s->type->couple || s->type->tilts) && find_packed(c))
            return hs_fail(err, HISS_EARG,
                           "sampler %s: %s(packed=yes) wants one law for all "
                           "chains of a word, and here they have several; "
                           "leave packed out",
                           s->type->name, find_packed(c)->type->name);
        if (s->type == &hs_kernel_hiss && hs_sampler_find(c, s->type))
            return hs_fail(err, HISS_EARG,
                           "sampler hiss: hiss cannot be its own inner "
                           "sampler; take dmala, gwg, acs, gibbs, ...");
    }
    return HISS_OK;
}

/* Fills a node from s->given and the nodes among the settings. */
static hiss_status build(hs_sampler *s, const hs_setting *settings,
                         hiss_error *err)
{
    const hs_kernel_type *type = s->type;
    char what[64];

    s->shape.type = type;
    s->shape.state = hs_alloc_array(1, type->size);
    if (!s->shape.state)
        return hs_fail_memory(err);
    snprintf(what, sizeof what, "sampler %s", type->name);
    HS_TRY(
        hs_options_parse(type->options, &s->given, what, s->shape.state, err));
    HS_TRY(add_children(s, settings, err));
    HS_TRY(check_nesting(s, err));
    if (type->check)
        HS_TRY(type->check(&s->shape, err));
    s->traits = hs_kernel_traits(&s->shape);
    s->replicas = hs_kernel_replica_count(&s->shape);
    return HISS_OK;
}

/* Takes ownership of `given`, also on failure. */
static hiss_status create(hs_sampler **out, const hs_kernel_type *type,
                          hs_spec *given, const hs_setting *settings,
                          hiss_error *err)
{
    hs_sampler *s = hs_alloc_array(1, sizeof *s);
    hiss_status rc;

    *out = NULL;
    if (!s) {
        hs_spec_clear(given);
        return hs_fail_memory(err);
    }
    s->self = s;
    atomic_init(&s->owners, 1);
    s->type = type;
    s->given = *given;
    rc = build(s, settings, err);
    if (rc != HISS_OK) {
        hs_sampler_release(s);
        return rc;
    }
    *out = s;
    return HISS_OK;
}

hiss_status hs_sampler_create(hs_sampler **out, const hs_spec *spec,
                              hiss_error *err)
{
    const hs_kernel_type *type = hs_kernel_type_find(spec->text);
    hs_spec given;

    *out = NULL;
    if (!type)
        return unknown(spec->text, err);
    HS_TRY(hs_spec_copy(&given, spec, err));
    return create(out, type, &given, NULL, err);
}

hiss_status hs_sampler_parse(hs_sampler **out, const char *text,
                             hiss_error *err)
{
    hs_spec spec;
    hiss_status rc;

    *out = NULL;
    HS_TRY(hs_spec_parse(&spec, text, err));
    rc = hs_sampler_create(out, &spec, err);
    hs_spec_clear(&spec);
    return rc;
}

/* --- composing ----------------------------------------------------------- */

/* The present name of a setting among these options. */
static const char *present_name(const hs_option *options, const char *name)
{
    for (const hs_option *o = options; name && o->name; o++)
        if (hs_option_is_named(o, name))
            return o->name;
    return name;
}

static bool add_setting(hs_spec *given, const hs_option *options,
                        const hs_setting *s)
{
    const char *name = present_name(options, s->name);
    char number[HS_NUMBER_MAX];
    hs_spec *list;

    if (s->sampler)
        return hs_spec_add_copy(given, name, &s->sampler->given);
    if (s->word)
        return hs_spec_add_word(given, name, s->word);
    if (!s->list) {
        hs_number_print(number, s->number);
        return hs_spec_add_word(given, name, number);
    }
    list = hs_spec_add_list(given, name);
    for (int i = 0; list && i < s->list->count; i++) {
        hs_number_print(number, s->list->at[i]);
        if (!hs_spec_add_word(list, NULL, number))
            return false;
    }
    return list != NULL;
}

hiss_status hs_sampler_make(hs_sampler **out, const hs_kernel_type *type,
                            const hs_setting *settings, hiss_error *err)
{
    hs_spec given = {.text = hs_strdup(type->name)};
    bool is_whole = given.text != NULL;

    *out = NULL;
    for (const hs_setting *s = settings;
         is_whole && s && (s->name || s->sampler); s++)
        is_whole = add_setting(&given, type->options, s);
    if (!is_whole) {
        hs_spec_clear(&given);
        return hs_fail_memory(err);
    }
    return create(out, type, &given, settings, err);
}

hiss_status hs_sampler_spell_out(hs_sampler **out, const hs_sampler *from,
                                 hiss_error *err)
{
    hs_spec full;
    hiss_status rc;

    *out = NULL;
    HS_TRY(hs_options_spec(&full, from->type->options, from->type->name,
                           from->shape.state, err));
    rc = hs_sampler_create(out, &full, err);
    hs_spec_clear(&full);
    return rc;
}

/* --- sharing ------------------------------------------------------------- */

hs_sampler *hs_sampler_keep(const hs_sampler *s)
{
    atomic_fetch_add_explicit(&s->self->owners, 1, memory_order_relaxed);
    return s->self;
}

void hs_sampler_release(hs_sampler *s)
{
    if (!s ||
        atomic_fetch_sub_explicit(&s->owners, 1, memory_order_acq_rel) > 1)
        return;
    for (int i = 0; i < s->children; i++)
        hs_sampler_release(s->child[i]);
    if (s->shape.state)
        hs_options_clear(s->type->options, s->shape.state);
    hs_free(s->shape.state);
    hs_free(s->shape.child);
    hs_free(s->child);
    hs_spec_clear(&s->given);
    hs_free(s);
}

/* --- text and questions -------------------------------------------------- */

char *hs_sampler_print(const hs_sampler *s)
{
    return hs_options_print(s->type->options, s->type->name, s->shape.state);
}

char *hs_sampler_print_given(const hs_sampler *s)
{
    return hs_spec_print(&s->given);
}

const hs_sampler *hs_sampler_find(const hs_sampler *s,
                                  const hs_kernel_type *type)
{
    const hs_sampler *found = s->type == type ? s : NULL;

    for (int i = 0; i < s->children && !found; i++)
        found = hs_sampler_find(s->child[i], type);
    return found;
}

bool hs_sampler_equal(const hs_sampler *a, const hs_sampler *b)
{
    if (a->type != b->type || a->children != b->children ||
        !hs_options_equal(a->type->options, a->shape.state, b->shape.state))
        return false;
    for (int i = 0; i < a->children; i++)
        if (!hs_sampler_equal(a->child[i], b->child[i]))
            return false;
    return true;
}

/* Finds the row and field of an option, or NULL. */
static const hs_option *find_option(const hs_sampler *s, const char *name,
                                    const void **field)
{
    for (const hs_option *o = s->type->options; o->name; o++)
        if (hs_option_is_named(o, name)) {
            *field = (const char *)s->shape.state + o->offset;
            return o;
        }
    return NULL;
}

double hs_sampler_number(const hs_sampler *s, const char *option)
{
    const void *field;
    const hs_option *o = find_option(s, option, &field);

    if (o && (o->type == HS_REAL || o->type == HS_AUTO))
        return *(const double *)field;
    if (o && (o->type == HS_INTEGER || o->type == HS_CHOICE))
        return *(const int *)field;
    if (o && o->type == HS_BOOL)
        return *(const bool *)field;
    return (double)NAN;
}

const char *hs_sampler_text(const hs_sampler *s, const char *option)
{
    const void *field;
    const hs_option *o = find_option(s, option, &field);

    return o && hs_option_is_text(o->type) ? *(char *const *)field : NULL;
}

const hs_reals *hs_sampler_list(const hs_sampler *s, const char *option)
{
    const void *field;
    const hs_option *o = find_option(s, option, &field);

    if (!o || o->type != HS_REALS)
        return NULL;
    return ((const hs_reals *)field)->count > 0 ? field : NULL;
}
