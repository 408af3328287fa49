/* named.c - terms whose indices are names (terms.h).
 *
 * The variables are the numbers that occur, so {3, 1000000000} are two and not
 * a billion. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "format/problem/terms.h"

static int compare(const void *a, const void *b)
{
    int first = *(const int *)a, second = *(const int *)b;

    return (first > second) - (first < second);
}

/* Sorts and removes duplicates. */
static int64_t sort_distinct(int *label, int64_t count)
{
    int64_t kept = 0;

    if (count > 0)
        qsort(label, (size_t)count, sizeof *label, compare);
    for (int64_t n = 0; n < count; n++)
        if (n == 0 || label[n] != label[n - 1])
            label[kept++] = label[n];
    return kept;
}

/* Collects labels.  It is sorted and thinned whenever it is full, so it stays
 * within four times the number of distinct labels. */
struct labels {
    int *at; /* owned */
    int64_t count, room;
};

static hiss_status labels_add(struct labels *l, int label, hiss_error *err)
{
    if (l->count == l->room) {
        int64_t room = 1024;
        int *more;

        l->count = sort_distinct(l->at, l->count);
        if (room < 2 * l->count)
            room = 2 * l->count;
        more = hs_realloc_array(l->at, (size_t)l->count, (size_t)room,
                                sizeof *more);
        if (!more)
            return hs_fail_memory(err);
        l->at = more;
        l->room = room;
    }
    l->at[l->count++] = label;
    return HISS_OK;
}

/* Lists the occurring labels, ascending. */
static hiss_status gather(struct labels *l, const hs_terms *t, hiss_error *err)
{
    for (int64_t e = 0; e < t->count; e++) {
        HS_TRY(labels_add(l, t->row[e], err));
        if (t->column[e] != t->row[e])
            HS_TRY(labels_add(l, t->column[e], err));
    }
    l->count = sort_distinct(l->at, l->count);
    return HISS_OK;
}

static int place_of(const struct labels *l, int label)
{
    const int *found =
        bsearch(&label, l->at, (size_t)l->count, sizeof *l->at, compare);

    return (int)(found - l->at);
}

static hiss_status set_names(hs_problem *p, const struct labels *l,
                             hiss_error *err)
{
    char text[16];

    p->names = hs_alloc_array((size_t)l->count, sizeof *p->names);
    if (!p->names)
        return hs_fail_memory(err);
    p->dim = (int)l->count;
    for (int i = 0; i < p->dim; i++) {
        snprintf(text, sizeof text, "%d", l->at[i]);
        p->names[i] = hs_strdup(text);
        if (!p->names[i])
            return hs_fail_memory(err);
    }
    return HISS_OK;
}

/* 0 ..  dim-1 need no names; this common case is detected without sorting. */
static bool is_range(const hs_terms *t, int *dim, uint8_t *seen, int64_t room)
{
    int64_t distinct = 0;
    int most = -1;

    for (int64_t e = 0; e < 2 * t->count; e++) {
        int label = e % 2 ? t->column[e / 2] : t->row[e / 2];

        if (label >= room)
            return false;
        distinct += !seen[label];
        seen[label] = 1;
        most = label > most ? label : most;
    }
    *dim = most + 1;
    return distinct == *dim;
}

static hiss_status rename_terms(hs_terms *t, hs_problem *p, int *dim,
                                hiss_error *err)
{
    struct labels l = {0};
    hiss_status rc = gather(&l, t, err);

    if (rc == HISS_OK)
        rc = set_names(p, &l, err);
    for (int64_t e = 0; rc == HISS_OK && e < t->count; e++) {
        t->row[e] = place_of(&l, t->row[e]);
        t->column[e] = place_of(&l, t->column[e]);
    }
    *dim = (int)l.count;
    hs_free(l.at);
    return rc;
}

hiss_status hs_terms_finish_named(hs_terms *t, hs_problem *p, hiss_error *err)
{
    int64_t room = 2 * t->count; /* with more labels one would be missing */
    uint8_t *seen = hs_alloc_array((size_t)room, 1);
    int dim = 0;
    hiss_status rc = HISS_OK;

    if (!seen)
        rc = hs_fail_memory(err);
    else if (!is_range(t, &dim, seen, room))
        rc = rename_terms(t, p, &dim, err);
    hs_free(seen);
    if (rc == HISS_OK)
        return hs_terms_finish(t, p, dim, 0, err);
    hs_entries_clear(t);
    return rc;
}
