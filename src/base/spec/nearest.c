/* nearest.c - guesses which name was meant.
 *
 * It uses the Damerau-Levenshtein distance (optimal string alignment: insert,
 * delete, replace, swap neighbors).  Case, and '-' for '_', cost nothing.  If
 * names begin with the given text, all of them were meant.  Otherwise the names
 * with the fewest faults, at most a third of their letters, rounded up. */
#include <hiss/status.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    NAME_MAX_BYTES = 64,
    BEGINNING = 2, /* letters that suffice to complete a name */
    MEANT_MAX = 4,
    NOT_MEANT = 1 << 20
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

/* Both lengths must be at most NAME_MAX_BYTES. */
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

/* Rank of a name: 0 is the best guess; NOT_MEANT if it is none. */
static int rank_of(const char *given, const char *name)
{
    int given_length = (int)strlen(given), length = (int)strlen(name);
    int longer = length > given_length ? length : given_length;
    int far;

    if (length > NAME_MAX_BYTES)
        return NOT_MEANT;
    far = distance(given, given_length, name, length);
    if (far == 0)
        return 0;
    if (given_length >= BEGINNING && begins(given, name))
        return length;
    return far <= (longer + 2) / 3 && far < longer ? NAME_MAX_BYTES + far
                                                   : NOT_MEANT;
}

/* Stores the names of the best kind of guess in near[MEANT_MAX]. */
static int find(const char *given, const char *const *names, const char **near)
{
    int best = NOT_MEANT, count = 0;

    for (const char *const *n = names; *n; n++) {
        int rank = rank_of(given, *n);

        best = rank < best ? rank : best;
    }
    for (; *names && best < NOT_MEANT && count < MEANT_MAX; names++) {
        int rank = rank_of(given, *names);

        if (rank == best || (best > 0 && best <= NAME_MAX_BYTES && rank > 0 &&
                             rank <= NAME_MAX_BYTES))
            near[count++] = *names;
    }
    return count;
}

const char *hiss_suggestion(char out[HISS_SUGGESTION_MAX], const char *given,
                            const char *const *names, const char *before,
                            const char *after)
{
    const char *near[MEANT_MAX];
    size_t length;
    int count = 0, at = 0;

    if (out)
        *out = '\0';
    if (!out || !given || !names)
        return NULL;
    length = strlen(given);
    if (length > 0 && length <= NAME_MAX_BYTES)
        count = find(given, names, near);
    for (int n = 0; n < count && at < HISS_SUGGESTION_MAX; n++)
        at += snprintf(out + at, (size_t)(HISS_SUGGESTION_MAX - at),
                       "%s%s%.64s%s%s",
                       n == 0           ? "; did you mean "
                       : n == count - 1 ? " or "
                                        : ", ",
                       before ? before : "", near[n], after ? after : "",
                       n == count - 1 ? "?" : "");
    hiss_clean(out);
    return out;
}
