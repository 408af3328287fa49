/* nearest.c - Damerau-Levenshtein distance (insert, delete, replace, swap
 * neighbours); O(product of the lengths). */
#include "cli/args/nearest.h"

#include <string.h>

enum {
    LENGTH_MAX = 40
};

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Both lengths are at most LENGTH_MAX. */
static int distance(const char *a, int rows, const char *b, int columns)
{
    int d[LENGTH_MAX + 1][LENGTH_MAX + 1];

    for (int j = 0; j <= columns; j++)
        d[0][j] = j;
    for (int i = 1; i <= rows; i++) {
        d[i][0] = i;
        for (int j = 1; j <= columns; j++) {
            d[i][j] = smaller(smaller(d[i - 1][j], d[i][j - 1]) + 1,
                              d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = smaller(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[rows][columns];
}

const char *cli_nearest(const char *given, const char *const *names, int count)
{
    size_t length = strlen(given);
    const char *nearest = NULL;
    int least = LENGTH_MAX;

    if (length == 0 || length > LENGTH_MAX)
        return NULL;
    for (int n = 0; n < count; n++) {
        size_t other = strlen(names[n]);
        int longer = (int)(other > length ? other : length);
        int far;

        if (other > LENGTH_MAX)
            continue;
        far = distance(given, (int)length, names[n], (int)other);
        /* the beginning of a name means it */
        if (length >= 3 && strncmp(given, names[n], length) == 0)
            far = 1;
        if (far <= (longer + 2) / 3 && far < longer && far < least) {
            least = far;
            nearest = names[n];
        }
    }
    return nearest;
}
