/* tables.h - a sum of tables over a few coordinates each, being written. */
#ifndef HISS_ARENA_TARGETS_TABLES_H
#define HISS_ARENA_TARGETS_TABLES_H

#include "arena/targets/families.h"

#define TABLES_MAX   1024
#define TABLES_SCOPE 3
#define TABLES_SIZE  64

typedef struct tables {
    int64_t count;
    int scopes, entries; /* of all of them */
    int size[TABLES_MAX];
    int scope[TABLES_MAX * TABLES_SCOPE];
    double table[TABLES_MAX * TABLES_SIZE];
} tables;

/* Another table; where to write its entries, the last coordinate fastest. */
double *tables_add(tables *t, int size, const int *scope, int entries);
/* The model of all of them over dim coordinates of one kind; 0 (false) when
 * hiss refuses it. */
int tables_use(instance *at, const tables *t, int dim, hiss_kind kind,
               int states);

#endif
