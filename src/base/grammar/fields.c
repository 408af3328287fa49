/* fields.c - the fields of a line. */
#include "base/grammar/fields.h"

#include <stdbool.h>
#include <string.h>

int hs_fields_split(char *line, char **field, int most)
{
    static const char blanks[] = " \t\r";
    char *at = line;
    int count = 0;

    for (;;) {
        bool is_quoted;
        char *end;

        at += strspn(at, blanks);
        if (!*at)
            return count;
        if (count == most)
            return most + 1;
        is_quoted = *at == '"' && strchr(at + 1, '"');
        at += is_quoted;
        field[count++] = at;
        end = at + strcspn(at, is_quoted ? "\"" : " \t\r,;");
        at = end + is_quoted;
        at += strspn(at, blanks);
        at += *at == ',' || *at == ';';
        *end = '\0'; /* at may be the end of the line or one byte beyond */
    }
}
