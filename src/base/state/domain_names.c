/* domain_names.c - names of coordinates and of their values. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "base/state/domain.h"

/* Length of the UTF-8 character that begins here; 0 if it is invalid or could
 * steer a terminal. */
static int character(const char *at)
{
    const unsigned char *c = (const unsigned char *)at;
    int length = c[0] < 0x80   ? 1
                 : c[0] < 0xc2 ? 0
                 : c[0] < 0xe0 ? 2
                 : c[0] < 0xf0 ? 3
                 : c[0] < 0xf5 ? 4
                               : 0;

    if (c[0] < 0x20 || c[0] == 0x7f)
        return 0;
    for (int k = 1; k < length; k++)
        if ((c[k] & 0xc0) != 0x80)
            return 0;
    if (c[0] == 0xc2 && c[1] < 0xa0) /* control characters of Latin-1 */
        return 0;
    return length;
}

/* Replaces unprintable characters by '?' and cuts long names, in place. */
static void make_printable(char *name)
{
    size_t at = 0;

    while (name[at]) {
        int length = character(name + at);

        if (at + (size_t)(length > 0 ? length : 1) > HS_NAME_MAX) {
            name[at] = '\0';
            return;
        }
        if (length == 0)
            name[at++] = '?';
        at += (size_t)length;
    }
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Finds the first repeated name, or NULL; room has `count` entries. */
static const char *find_twice(char *const *name, int count, char **room)
{
    memcpy(room, name, (size_t)count * sizeof *room);
    qsort(room, (size_t)count, sizeof *room, compare);
    for (int n = 1; n < count; n++)
        if (strcmp(room[n - 1], room[n]) == 0)
            return room[n];
    return NULL;
}

static hiss_status check_names(const hs_domain *d, hiss_error *err)
{
    int most = d->dim > d->states_max ? d->dim : d->states_max;
    char **room = hs_alloc_array((size_t)most, sizeof *room);
    const char *twice = NULL;
    int where = -1;
    char name[HS_NAME_MAX + 1];
    hiss_status rc = HISS_OK;

    if (!room)
        return hs_fail_memory(err);
    if (d->names)
        twice = find_twice(d->names, d->dim, room);
    for (int i = 0; !twice && d->state_names && i < d->dim; i++) {
        twice = find_twice(d->state_names + d->value[i], d->states[i], room);
        where = i;
    }
    if (twice && where < 0)
        rc = hs_fail(err, HISS_EARG, "two coordinates are called '%s'", twice);
    else if (twice)
        rc = hs_fail(err, HISS_EARG, "two states of %s are called '%s'",
                     hs_domain_coordinate(d, where, name), twice);
    hs_free(room);
    return rc;
}

static void forget(hs_domain *d)
{
    hs_strings_free(d->names, d->dim);
    hs_strings_free(d->state_names, d->value_count);
    d->names = d->state_names = NULL;
}

hiss_status hs_domain_name(hs_domain *d, char *const *names,
                           char *const *states, hiss_error *err)
{
    hiss_status rc = HISS_OK;

    forget(d);
    if (names)
        d->names = hs_strings_copy(names, d->dim);
    if (states)
        d->state_names = hs_strings_copy(states, d->value_count);
    if ((names && !d->names) || (states && !d->state_names))
        rc = hs_fail_memory(err);
    for (int i = 0; d->names && i < d->dim; i++)
        make_printable(d->names[i]);
    for (int v = 0; d->state_names && v < d->value_count; v++)
        make_printable(d->state_names[v]);
    if (rc == HISS_OK)
        rc = check_names(d, err);
    if (rc != HISS_OK)
        forget(d);
    return rc;
}

const char *hs_domain_coordinate(const hs_domain *d, int i,
                                 char room[HS_NAME_MAX + 1])
{
    if (d->names)
        return d->names[i];
    hs_snprintf(room, HS_NAME_MAX + 1, "x.%d", i + 1);
    return room;
}

const char *hs_domain_state(const hs_domain *d, int i, int index,
                            char room[HS_NAME_MAX + 1])
{
    if (d->state_names)
        return d->state_names[d->value[i] + index];
    hs_snprintf(room, HS_NAME_MAX + 1, "%.10g",
                (double)d->values[d->value[i] + index]);
    return room;
}

/* Copies the names of the values that remain. */
static char **pick_states(const hs_domain *d, const hs_domain *from,
                          const int *at)
{
    char **name = hs_alloc_array((size_t)d->value_count, sizeof *name);

    for (int i = 0; name && i < d->dim; i++)
        for (int v = 0; v < d->states[i]; v++) {
            int index = at && at[i] >= 0 ? at[i] : v;
            char **to = &name[d->value[i] + v];

            *to = hs_strdup(from->state_names[from->value[i] + index]);
            if (!*to) {
                hs_strings_free(name, d->value_count);
                return NULL;
            }
        }
    return name;
}

hiss_status hs_domain_inherit(hs_domain *d, const hs_domain *from,
                              const int *at, hiss_error *err)
{
    forget(d);
    if (from->names)
        d->names = hs_strings_copy(from->names, d->dim);
    if (from->state_names)
        d->state_names = pick_states(d, from, at);
    if ((from->names && !d->names) || (from->state_names && !d->state_names)) {
        forget(d);
        return hs_fail_memory(err);
    }
    return HISS_OK;
}
