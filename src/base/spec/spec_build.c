/* spec_build.c - builds specs argument by argument and copies them. */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/spec/spec.h"

/* Arrays of arguments have a power of two of entries. */
static int room_for(int count)
{
    int room = 1;

    while (room < count)
        room *= 2;
    return room;
}

hs_spec *hs_spec_add(hs_spec *spec)
{
    int count = spec->count;

    if (count == 0 || count == room_for(count)) {
        hs_spec *grown = hs_realloc_array(spec->child, count,
                                          room_for(count + 1), sizeof *grown);

        if (!grown)
            return NULL;
        spec->child = grown;
    }
    return &spec->child[spec->count++];
}

/* Adds one argument of name(...), with a key unless it is NULL. */
static hs_spec *add_argument(hs_spec *spec, const char *key)
{
    hs_spec *added = hs_spec_add(spec);

    if (!added)
        return NULL;
    spec->has_parens = !spec->is_list;
    if (key && !(added->key = hs_strdup(key)))
        return NULL;
    return added;
}

bool hs_spec_add_word(hs_spec *spec, const char *key, const char *word)
{
    hs_spec *added = add_argument(spec, key);

    return added && (added->text = hs_strdup(word));
}

hs_spec *hs_spec_add_list(hs_spec *spec, const char *key)
{
    hs_spec *added = add_argument(spec, key);

    if (added)
        added->is_list = true;
    return added;
}

/* Copies all but the key.  If memory runs out, *out has the part copied so
 * far. */
static bool copy_node(hs_spec *out, const hs_spec *from)
{
    out->column = from->column;
    out->is_list = from->is_list;
    out->is_quoted = from->is_quoted;
    out->has_parens = from->has_parens;
    if (from->text && !(out->text = hs_strdup(from->text)))
        return false;
    for (int i = 0; i < from->count; i++) {
        const hs_spec *child = &from->child[i];
        hs_spec *added = hs_spec_add(out);

        if (!added || !copy_node(added, child))
            return false;
        if (child->key && !(added->key = hs_strdup(child->key)))
            return false;
    }
    return true;
}

bool hs_spec_add_copy(hs_spec *spec, const char *key, const hs_spec *from)
{
    hs_spec *added = add_argument(spec, key);

    return added && copy_node(added, from);
}

hiss_status hs_spec_copy(hs_spec *out, const hs_spec *from, hiss_error *err)
{
    *out = (hs_spec){0};
    if (copy_node(out, from))
        return HISS_OK;
    hs_spec_clear(out);
    return hs_fail_memory(err);
}

void hs_spec_clear(hs_spec *spec)
{
    for (int i = 0; i < spec->count; i++)
        hs_spec_clear(&spec->child[i]);
    hs_free(spec->child);
    hs_free(spec->text);
    hs_free(spec->key);
    *spec = (hs_spec){0};
}
