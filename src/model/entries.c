/* entries.c - sorts entries into rows, by two counting sorts.
 *
 * It takes O(entries + dim) time and twice the memory of the entries, but no
 * extra memory if they are already in order, as in files of large instances. */
#include "model/entries.h"

#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

#define FIRST_ROOM 1024

void hs_entries_clear(hs_entries *e)
{
    hs_free(e->row);
    hs_free(e->column);
    hs_free(e->value);
    *e = (hs_entries){0};
}

static hiss_status grow(void *array, int64_t old, int64_t count, size_t size,
                        hiss_error *err)
{
    void **at = array;
    void *more = hs_realloc_array(*at, (size_t)old, (size_t)count, size);

    if (!more)
        return hs_fail_memory(err);
    *at = more;
    return HISS_OK;
}

hiss_status hs_entries_reserve(hs_entries *e, int64_t count, hiss_error *err)
{
    if (count <= e->room)
        return HISS_OK;
    HS_TRY(grow(&e->row, e->count, count, sizeof *e->row, err));
    HS_TRY(grow(&e->column, e->count, count, sizeof *e->column, err));
    HS_TRY(grow(&e->value, e->count, count, sizeof *e->value, err));
    e->room = count;
    return HISS_OK;
}

hiss_status hs_entries_add(hs_entries *e, int row, int column, double value,
                           hiss_error *err)
{
    int64_t at = e->count;

    if (at == e->room)
        HS_TRY(
            hs_entries_reserve(e, at < FIRST_ROOM ? FIRST_ROOM : 2 * at, err));
    e->row[at] = row;
    e->column[at] = column;
    e->value[at] = value;
    e->count++;
    return HISS_OK;
}

static bool is_sorted(const hs_entries *e)
{
    for (int64_t at = 1; at < e->count; at++)
        if (e->row[at] < e->row[at - 1] ||
            (e->row[at] == e->row[at - 1] && e->column[at] < e->column[at - 1]))
            return false;
    return true;
}

/* Sorts stably by key[0..count), whose values are below dim. */
static void sort_by(const hs_entries *from, const int *key, int64_t *start,
                    int dim, hs_entries *to)
{
    int64_t sum = 0;

    memset(start, 0, (size_t)dim * sizeof *start);
    for (int64_t e = 0; e < from->count; e++)
        start[key[e]]++;
    for (int i = 0; i < dim; i++) {
        int64_t count = start[i];

        start[i] = sum;
        sum += count;
    }
    for (int64_t e = 0; e < from->count; e++) {
        int64_t at = start[key[e]]++;

        to->row[at] = from->row[e];
        to->column[at] = from->column[e];
        to->value[at] = from->value[e];
    }
    to->count = from->count;
}

hiss_status hs_entries_sort(hs_entries *e, int dim, hiss_error *err)
{
    hs_entries other = {0};
    int64_t *start;
    hiss_status rc = HISS_OK;

    if (is_sorted(e))
        return HISS_OK;
    start = hs_alloc_array((size_t)dim, sizeof *start);
    if (!start)
        rc = hs_fail_memory(err);
    if (rc == HISS_OK)
        rc = hs_entries_reserve(&other, e->count, err);
    if (rc == HISS_OK) {
        sort_by(e, e->column, start, dim, &other);
        sort_by(&other, other.row, start, dim, e);
    }
    hs_entries_clear(&other);
    hs_free(start);
    return rc;
}

int64_t hs_entries_merge(hs_entries *e, int64_t *first)
{
    int64_t kept = 0, several = 0;

    for (int64_t at = 0; at < e->count; kept++) {
        int row = e->row[at], column = e->column[at];
        double sum = e->value[at++];
        int64_t next = at;

        while (at < e->count && e->row[at] == row && e->column[at] == column)
            sum += e->value[at++];
        if (at > next && several++ == 0)
            *first = kept;
        e->row[kept] = row;
        e->column[kept] = column;
        e->value[kept] = sum;
    }
    e->count = kept;
    return several;
}
