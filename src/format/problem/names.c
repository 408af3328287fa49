/* names.c - labels of variables in the JSON of dimod. */
#include "format/problem/names.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"
#include "base/read/json.h"

static bool is_range(const json_t *labels)
{
    size_t count = json_array_size(labels);

    for (size_t i = 0; i < count; i++) {
        const json_t *label = json_array_get(labels, i);

        if (!json_is_integer(label) ||
            json_integer_value(label) != (json_int_t)i)
            return false;
    }
    return true;
}

static char *name_of(const json_t *label)
{
    if (json_is_string(label))
        return hs_strdup(json_string_value(label));
    return hs_json_print(label, JSON_ENCODE_ANY | JSON_COMPACT);
}

hiss_status hs_names_from_json(hs_problem *p, const json_t *labels, int dim,
                               const char *path, hiss_error *err)
{
    if (!json_is_array(labels) || json_array_size(labels) != (size_t)dim)
        return hs_fail(err, HISS_EPARSE,
                       "%s: expected a list of %d variable labels", path, dim);
    if (is_range(labels))
        return HISS_OK;
    p->dim = dim;
    p->names = hs_alloc_array((size_t)dim, sizeof *p->names);
    if (!p->names)
        return hs_fail_memory(err);
    for (int i = 0; i < dim; i++) {
        p->names[i] = name_of(json_array_get(labels, (size_t)i));
        if (!p->names[i])
            return hs_fail_memory(err);
    }
    return HISS_OK;
}

/* Whether a name is the canonical text of a whole number. */
static bool is_whole(const char *name, int64_t *value)
{
    char text[32];

    if (!hs_number_whole(name, name + strlen(name), value))
        return false;
    snprintf(text, sizeof text, "%lld", (long long)*value);
    return strcmp(text, name) == 0;
}

json_t *hs_names_to_json(const hs_problem *p)
{
    json_t *list = json_array();
    bool is_done = list != NULL;
    int64_t value;

    for (int i = 0; i < p->dim && is_done; i++) {
        json_t *label;

        if (!p->names)
            label = json_integer(i);
        else if (is_whole(p->names[i], &value))
            label = json_integer(value);
        else
            label = json_string(p->names[i]);
        is_done = json_array_append_new(list, label) == 0;
    }
    if (!is_done) {
        json_decref(list);
        list = NULL;
    }
    return list;
}
