/* tables.c - a sum of tables over a few coordinates each, being written. */
#include "arena/targets/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/targets/uai.h"

double *tables_add(tables *t, int size, const int *scope, int entries)
{
    double *out = t->table + t->entries;

    if (t->count == TABLES_MAX || size > TABLES_SCOPE || entries > TABLES_SIZE)
        abort();
    t->size[t->count++] = size;
    memcpy(t->scope + t->scopes, scope, sizeof *scope * (size_t)size);
    t->scopes += size;
    t->entries += entries;
    return out;
}

int tables_use(instance *at, const tables *t, int dim, hiss_kind kind,
               int states)
{
    hiss_domain domain = HISS_INIT(hiss_domain);
    hiss_kind kinds[TABLES_MAX];
    int counts[TABLES_MAX];
    hiss_error err = {0};

    for (int i = 0; i < dim; i++) {
        kinds[i] = kind;
        counts[i] = states;
    }
    domain.dim = dim;
    domain.kind = kinds;
    domain.states = counts;
    at->uai = uai_of_tables(t, dim, states);
    if (hiss_model_factors(&at->model, &domain, t->count, t->size, t->scope,
                           t->table, &err) == HISS_OK)
        return 1;
    fprintf(stderr, "%s: %s\n", at->of->name, err.message);
    return 0;
}
