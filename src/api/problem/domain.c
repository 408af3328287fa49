/* domain.c - the coordinates of a result: copied, as JSON, and back.
 *
 * In JSON a domain is a list of runs of equal coordinates:
 *     [{"kind": "spin", "values": [-1, 1], "count": 64}, ...]
 * where coordinates and values have names, with these too:
 *     "names": ["Burglary", ...], "states": ["true", "false"]
 */
#include <stdint.h>
#include <string.h>

#include "api/object/manifest.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/read/json.h"

static hiss_status allocate(hs_domain *d, int dim, int values, hiss_error *err)
{
    *d = (hs_domain){.dim = dim, .value_count = values};
    d->kind = hs_alloc_array((size_t)dim, sizeof *d->kind);
    d->states = hs_alloc_array((size_t)dim, sizeof *d->states);
    d->row = hs_alloc_array((size_t)dim + 1, sizeof *d->row);
    d->value = hs_alloc_array((size_t)dim + 1, sizeof *d->value);
    d->values = hs_alloc_array((size_t)values, sizeof *d->values);
    if (d->kind && d->states && d->row && d->value && d->values)
        return HISS_OK;
    hs_domain_clear(d);
    return hs_fail_memory(err);
}

hiss_status hs_domain_copy(hs_domain *to, const hs_domain *from,
                           hiss_error *err)
{
    return hs_domain_clone(to, from, err);
}

static bool has_same_names(const hs_domain *d, int i, int j)
{
    for (int v = 0; d->state_names && v < d->states[i]; v++)
        if (strcmp(d->state_names[d->value[i] + v],
                   d->state_names[d->value[j] + v]) != 0)
            return false;
    return true;
}

static bool is_same(const hs_domain *d, int i, int j)
{
    return d->kind[i] == d->kind[j] && d->states[i] == d->states[j] &&
           memcmp(d->values + d->value[i], d->values + d->value[j],
                  (size_t)d->states[i] * sizeof *d->values) == 0 &&
           has_same_names(d, i, j);
}

static json_t *texts(char *const *text, int count, bool *failed)
{
    json_t *list = json_array();

    for (int n = 0; n < count; n++)
        hs_json_add(list, json_string(text[n]), failed);
    return list;
}

json_t *hs_domain_json(const hs_domain *d)
{
    json_t *list = json_array();
    bool failed = false;
    int next;

    for (int i = 0; i < d->dim; i = next) {
        json_t *one = json_object(), *values = json_array();

        next = i + 1;
        while (next < d->dim && is_same(d, i, next))
            next++;
        for (int v = 0; v < d->states[i]; v++) {
            double x = (double)d->values[d->value[i] + v];

            hs_json_add(values,
                        x == (double)(json_int_t)x ? json_integer((json_int_t)x)
                                                   : json_real(x),
                        &failed);
        }
        hs_json_put_text(one, "kind", hs_kind_name(d->kind[i]), &failed);
        hs_json_put(one, "values", values, &failed);
        hs_json_put_whole(one, "count", next - i, &failed);
        if (d->names)
            hs_json_put(one, "names", texts(d->names + i, next - i, &failed),
                        &failed);
        if (d->state_names)
            hs_json_put(
                one, "states",
                texts(d->state_names + d->value[i], d->states[i], &failed),
                &failed);
        hs_json_add(list, one, &failed);
    }
    if (failed) {
        json_decref(list);
        list = NULL;
    }
    return list;
}

static int kind_of(const json_t *one)
{
    const char *name = json_string_value(json_object_get(one, "kind"));

    for (int k = HISS_BINARY; name && k <= HISS_PERMUTATION; k++)
        if (strcmp(name, hs_kind_name((hiss_kind)k)) == 0)
            return k;
    return -1;
}

/* Counts coordinates and values of the list; false if it is invalid. */
static bool measure(const json_t *list, int64_t *dim, int64_t *values)
{
    const json_t *one;
    size_t n;

    *dim = *values = 0;
    json_array_foreach(list, n, one)
    {
        int64_t count = json_integer_value(json_object_get(one, "count"));
        size_t states = json_array_size(json_object_get(one, "values"));

        if (kind_of(one) < 0 || count < 1 || count > INT32_MAX || states < 1 ||
            states > HS_STATES_MAX)
            return false;
        *dim += count;
        *values += count * (int64_t)states;
        if (*dim > INT32_MAX || *values > INT32_MAX)
            return false;
    }
    return true;
}

static void add(hs_domain *d, int i, const json_t *one)
{
    const json_t *values = json_object_get(one, "values");
    int states = (int)json_array_size(values);

    d->kind[i] = (hiss_kind)kind_of(one);
    d->states[i] = states;
    d->states_max = states > d->states_max ? states : d->states_max;
    d->row[i + 1] = d->row[i] + (d->kind[i] == HISS_CATEGORICAL ? states : 1);
    d->value[i + 1] = d->value[i] + states;
    for (int v = 0; v < states; v++)
        d->values[d->value[i] + v] =
            (float)json_number_value(json_array_get(values, (size_t)v));
}

/* Takes the names of a run, repeated `times` times; false unless there are
 * `count` of them. */
static bool take_names(const json_t *list, int count, json_int_t times,
                       const char **name)
{
    if (json_array_size(list) != (size_t)count)
        return false;
    for (json_int_t k = 0; k < times; k++)
        for (int n = 0; n < count; n++) {
            *name = json_string_value(json_array_get(list, (size_t)n));
            if (!*name++)
                return false;
        }
    return true;
}

/* Collects all names, if all runs have them; borrowed from the list. */
static bool gather_names(const hs_domain *d, const json_t *list,
                         const char **name, const char **state)
{
    const json_t *one;
    size_t n;
    int i = 0;

    json_array_foreach(list, n, one)
    {
        int count = (int)json_integer_value(json_object_get(one, "count"));

        if ((name &&
             !take_names(json_object_get(one, "names"), count, 1, name + i)) ||
            (state && !take_names(json_object_get(one, "states"), d->states[i],
                                  count, state + d->value[i])))
            return false;
        i += count;
    }
    return true;
}

static hiss_status read_names(hs_domain *d, const json_t *list,
                              const char *path, hiss_error *err)
{
    const json_t *first = json_array_get(list, 0);
    bool has_names = json_object_get(first, "names");
    bool has_states = json_object_get(first, "states");
    const char **name, **state;
    hiss_status rc = HISS_OK;

    if (!has_names && !has_states)
        return HISS_OK;
    name = hs_alloc_array((size_t)d->dim, sizeof *name);
    state = hs_alloc_array((size_t)d->value_count, sizeof *state);
    if (!name || !state)
        rc = hs_fail_memory(err);
    else if (!gather_names(d, list, has_names ? name : NULL,
                           has_states ? state : NULL))
        rc =
            hs_fail(err, HISS_EPARSE,
                    "%s: its manifest does not name all its coordinates", path);
    else
        rc = hs_domain_name(
            d, has_names ? (char *const *)(uintptr_t)name : NULL,
            has_states ? (char *const *)(uintptr_t)state : NULL, err);
    hs_free(name);
    hs_free(state);
    return rc;
}

hiss_status hs_domain_from_json(hs_domain *d, const json_t *list, int dim,
                                const char *path, hiss_error *err)
{
    int64_t total, values;
    const json_t *one;
    size_t n;
    int i = 0;
    hiss_status rc;

    if (!measure(list, &total, &values) || total != dim)
        return hs_fail(err, HISS_EPARSE,
                       "%s: its manifest does not describe its %d coordinates",
                       path, dim);
    HS_TRY(allocate(d, dim, (int)values, err));
    json_array_foreach(list, n, one) for (json_int_t k = json_integer_value(
                                              json_object_get(one, "count"));
                                          k > 0; k--) add(d, i++, one);
    d->rows = d->row[dim];
    rc = read_names(d, list, path, err);
    if (rc == HISS_EARG) { /* two have the same name */
        hs_error_prefix(err, "%s", path);
        rc = HISS_EPARSE;
    }
    if (rc != HISS_OK)
        hs_domain_clear(d);
    return rc;
}
