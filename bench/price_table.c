/* price_table.c - samples of steps, and the table that is made of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "price_fit.h"

#define LITTLE 0.05 /* of what a part is measured in */
#define ALIKE  0.3  /* times what was measured */

static price_sample *all;
static int count, room;

void price_table_add(const price_sample *s)
{
    if (count == room) {
        price_sample *more =
            realloc(all, sizeof *all * (size_t)(2 * room + 64));

        if (!more)
            return;
        all = more;
        room = 2 * room + 64;
    }
    all[count++] = *s;
}

void price_table_print(FILE *f, const price_sample *s)
{
    fprintf(f, "sample %s %s %s", s->kernel, s->variant, s->family);
    for (int u = 1; u < PRICE_UNITS; u++)
        fprintf(f, " %.9g", s->unit[u]);
    fprintf(f, " %.9g %.9g\n", s->cost, 1.0 / s->weight);
}

int price_table_read(FILE *f)
{
    char line[256];

    while (fgets(line, sizeof line, f)) {
        price_sample s = {.unit[0] = 1.0};
        double total;

        if (sscanf(line, "sample %15s %15s %15s %lf %lf %lf %lf %lf %lf",
                   s.kernel, s.variant, s.family, &s.unit[1], &s.unit[2],
                   &s.unit[3], &s.unit[4], &s.cost, &total) != 9)
            continue;
        s.weight = 1.0 / total;
        price_table_add(&s);
    }
    return ferror(f) != 0;
}

static int is_same(const price_sample *a, const price_sample *b)
{
    return strcmp(a->kernel, b->kernel) == 0 &&
           strcmp(a->variant, b->variant) == 0 &&
           strcmp(a->family, b->family) == 0;
}

/* The samples of one row, to `out`: how many. */
static int gather(const price_sample *like, price_sample *out)
{
    int n = 0;

    for (int k = 0; k < count; k++)
        if (is_same(&all[k], like))
            out[n++] = all[k];
    return n;
}

/* The largest error of these prices, and the largest price, as shares of what
 * was measured. */
static void look(const price_sample *s, int n, const double *price,
                 double *error, double *most)
{
    *error = *most = 0.0;
    for (int k = 0; k < n; k++) {
        double now = 0.0;

        for (int u = 0; u < PRICE_UNITS; u++)
            now += price[u] * s[k].unit[u];
        *error = fmax(*error, fabs(now - s[k].cost) * s[k].weight);
        *most = fmax(*most, now * s[k].weight);
    }
}

/* Whether a row says nothing: it costs next to nothing of what it is a part of,
 * or the plain row of its kernel predicts it. */
static int is_idle(const price_sample *s, int n, const double *price,
                   price_sample *room_for_plain)
{
    double error, most, plain[PRICE_UNITS];
    price_sample like = s[0];
    int plains;

    look(s, n, price, &error, &most);
    if (most < LITTLE)
        return 1;
    snprintf(like.variant, sizeof like.variant, "plain");
    plains = gather(&like, room_for_plain);
    if (is_same(&like, &s[0]) || plains < 2)
        return 0;
    price_fit(room_for_plain, plains, plain);
    look(s, n, plain, &error, &most);
    return error < ALIKE;
}

/* The row of all samples that are like this one. */
static void write_row(FILE *f, const price_sample *like)
{
    price_sample *s = malloc(sizeof *s * (size_t)count);
    price_sample *plain = malloc(sizeof *s * (size_t)count);
    double price[PRICE_UNITS];
    int n;

    if (s && plain) {
        n = gather(like, s);
        price_fit(s, n, price);
        if (!is_idle(s, n, price, plain)) {
            fprintf(f, "HS_PRICE(%s, %s, %s", like->kernel, like->variant,
                    like->family);
            for (int u = 0; u < PRICE_UNITS; u++)
                fprintf(f, ", %.3g", price[u]);
            fprintf(f, ")\n");
        }
    }
    free(s);
    free(plain);
}

int price_table_write(const char *path)
{
    FILE *f = fopen(path, "w");

    if (!f) {
        perror(path);
        return 1;
    }
    fprintf(f,
            "/* price.def - nanoseconds of a step of sixteen chains, by "
            "kernel, variant and\n * family of models: per step, coordinate, "
            "other value, term and unit of the\n * kernel's own (price.h).  "
            "Written by `make bench-prices`; a change of it is a\n * change "
            "of what auto draws. */\n");
    for (int k = 0; k < count; k++) {
        int is_first = 1;

        for (int n = 0; n < k && is_first; n++)
            is_first = !is_same(&all[n], &all[k]);
        if (is_first)
            write_row(f, &all[k]);
    }
    return fclose(f) != 0;
}
