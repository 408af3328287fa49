/* collection_colors.c - all coordinates of a random color at once. */
#include "conformance/support/collection.h"

#include <math.h>
#include <string.h>

/* Whether a change of both is not what the changes of each add up to. */
static bool are_coupled(const space *s, int i, int j)
{
    for (int x = 0; x < s->n; x++)
        for (int v = 0; v < s->states[i]; v++)
            for (int w = 0; w < s->states[j]; w++) {
                int a = space_changed(s, x, i, v);
                int b = space_changed(s, x, j, w);
                int both = space_changed(s, a, j, w);

                if (fabs(s->u[both] - s->u[a] - s->u[b] + s->u[x]) > 1e-6)
                    return true;
            }
    return false;
}

/* The least that no coordinate before it has that it is coupled with. */
static int color_all(const space *s, int *color)
{
    int colors = 0;

    for (int i = 0; i < s->dim; i++) {
        bool is_used[SPACE_DIM] = {false};

        for (int j = 0; j < i; j++)
            if (are_coupled(s, i, j))
                is_used[color[j]] = true;
        for (color[i] = 0; is_used[color[i]];)
            color[i]++;
        colors = color[i] + 1 > colors ? color[i] + 1 : colors;
    }
    return colors;
}

/* p(y_C | rest of x), from the law of all states that differ in C alone. */
static void add_joint(const space *s, const int *color, int c, double share,
                      bool is_reversed, matrix p)
{
    for (int x = 0; x < s->n; x++) {
        double law[SPACE_STATES], sum = 0.0;

        for (int y = 0; y < s->n; y++) {
            bool is_near = true;

            for (int i = 0; i < s->dim; i++)
                is_near =
                    is_near && (color[i] == c ||
                                space_index(s, x, i) == space_index(s, y, i));
            law[y] = is_near ? exp(is_reversed ? -s->u[y] : s->u[y]) : 0.0;
            sum += law[y];
        }
        for (int y = 0; y < s->n; y++)
            p[x][y] += share * law[y] / sum;
    }
}

/* Every coordinate of two colors from its own conditional, given all others:
 * what becomes of a coloring with a conflict; or given others at their first
 * value. */
static void add_product(const space *s, const int *color, int c, double share,
                        bool is_blind, matrix p)
{
    for (int x = 0; x < s->n; x++) {
        double own[SPACE_DIM][SPACE_VALUES];
        int at = is_blind ? 0 : x;

        for (int i = 0; i < s->dim; i++) {
            double sum = 0.0;

            for (int v = 0; v < s->states[i]; v++)
                sum += own[i][v] = exp(s->u[space_changed(s, at, i, v)]);
            for (int v = 0; v < s->states[i]; v++)
                own[i][v] /= sum;
        }
        for (int y = 0; y < s->n; y++) {
            double all = share;

            for (int i = 0; i < s->dim; i++) {
                int v = space_index(s, y, i);

                if (color[i] == c || (!is_blind && color[i] == c + 1))
                    all *= own[i][v];
                else if (v != space_index(s, x, i))
                    all = 0.0;
            }
            p[x][y] += all;
        }
    }
}

void matrix_colors(const space *s, const void *rule, collection_fault fault,
                   matrix p)
{
    int color[SPACE_DIM], colors = color_all(s, color);

    (void)rule;
    memset(p, 0, sizeof(matrix));
    for (int c = 0; c < colors; c++)
        if (fault == NO_REVERSE || fault == ITS_OWN)
            add_product(s, color, c, 1.0 / colors, fault == ITS_OWN, p);
        else
            add_joint(s, color, c, 1.0 / colors, fault == WRONG_SIGN, p);
}
