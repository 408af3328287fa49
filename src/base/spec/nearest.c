/* nearest.c - which name was meant.
 *
 * Damerau-Levenshtein distance (optimal string alignment: insert, delete,
 * replace, swap neighbours), capitals and '-' for '_' free.  A name is meant
 * when at most a third of it, rounded up, is wrong, or when the given text of
 * three letters or more begins it and no other. */
#include <hiss/status.h>

#include <stdbool.h>
#include <string.h>

enum {
    NAME_MAX_BYTES = 64
};

static unsigned char fold(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (unsigned char)(c - 'A' + 'a');
    return (unsigned char)(c == '-' ? '_' : c);
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Both lengths are at most NAME_MAX_BYTES. */
static int distance(const char *a, int a_length, const char *b, int b_length)
{
    int rows[3][NAME_MAX_BYTES + 1];
    int *before = rows[0], *above = rows[1], *row = rows[2];

    for (int j = 0; j <= b_length; j++)
        row[j] = j;
    for (int i = 1; i <= a_length; i++) {
        int *spare = before;

        before = above;
        above = row;
        row = spare;
        row[0] = i;
        for (int j = 1; j <= b_length; j++) {
            int differs = fold(a[i - 1]) != fold(b[j - 1]);

            row[j] = smaller(smaller(above[j], row[j - 1]) + 1,
                             above[j - 1] + differs);
            if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) &&
                fold(a[i - 2]) == fold(b[j - 1]))
                row[j] = smaller(row[j], before[j - 2] + 1);
        }
    }
    return row[b_length];
}

static bool begins(const char *given, const char *name)
{
    for (; *given; given++, name++)
        if (fold(*given) != fold(*name))
            return false;
    return true;
}

const char *hiss_nearest_name(const char *given, const char *const *names)
{
    size_t given_length = given && names ? strlen(given) : 0;
    const char *nearest = NULL, *begun = NULL;
    int least = NAME_MAX_BYTES + 1, begun_count = 0;

    if (given_length == 0 || given_length > NAME_MAX_BYTES)
        return NULL;
    for (; *names; names++) {
        size_t length = strlen(*names);
        int longer = (int)(length > given_length ? length : given_length);
        int far;

        if (length > NAME_MAX_BYTES)
            continue;
        far = distance(given, (int)given_length, *names, (int)length);
        if (far <= (longer + 2) / 3 && far < longer && far < least) {
            least = far;
            nearest = *names;
        }
        if (given_length >= 3 && begins(given, *names)) {
            begun = *names;
            begun_count++;
        }
    }
    return nearest || begun_count != 1 ? nearest : begun;
}
