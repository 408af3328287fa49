/* uai.c - targets as files that other programs read. */
#include "arena/targets/uai.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void begin(FILE *to, int dim, int states, int64_t factors)
{
    fprintf(to, "MARKOV\n%d\n", dim);
    for (int i = 0; i < dim; i++)
        fprintf(to, "%d%c", states, i + 1 < dim ? ' ' : '\n');
    fprintf(to, "%lld\n", (long long)factors);
}

static void put_table(FILE *to, int entries, const double *u)
{
    fprintf(to, "\n%d\n", entries);
    for (int n = 0; n < entries; n++)
        fprintf(to, "%.15g%c", exp(u[n]), n + 1 < entries ? ' ' : '\n');
}

char *uai_of_pairs(int dim, int is_spin, int64_t entries, const int *row,
                   const int *column, const double *value, const double *field)
{
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);

    if (!to)
        return NULL;
    begin(to, dim, 2, dim + entries);
    for (int i = 0; i < dim; i++)
        fprintf(to, "1 %d\n", i);
    for (int64_t e = 0; e < entries; e++)
        fprintf(to, "2 %d %d\n", row[e], column[e]);
    for (int i = 0; i < dim; i++)
        put_table(to, 2, (const double[]){is_spin ? -field[i] : 0.0, field[i]});
    for (int64_t e = 0; e < entries; e++) {
        double same = is_spin ? value[e] : 0.0, other = -same;

        put_table(to, 4, (const double[]){same, other, other, value[e]});
    }
    if (fclose(to) == 0)
        return text;
    free(text);
    return NULL;
}

char *uai_of_tables(const tables *t, int dim, int states)
{
    const int *scope = t->scope;
    const double *u = t->table;
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);

    if (!to)
        return NULL;
    begin(to, dim, states, t->count);
    for (int64_t f = 0; f < t->count; f++) {
        fprintf(to, "%d", t->size[f]);
        for (int i = 0; i < t->size[f]; i++)
            fprintf(to, " %d", *scope++);
        fputc('\n', to);
    }
    for (int64_t f = 0; f < t->count; f++) {
        int entries = 1;

        for (int i = 0; i < t->size[f]; i++)
            entries *= states;
        put_table(to, entries, u);
        u += entries;
    }
    if (fclose(to) == 0)
        return text;
    free(text);
    return NULL;
}
