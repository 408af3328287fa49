/* comma.c - loaded before a program, it sets a locale whose decimal point is a
 * comma, as a program around the library may.  Exit 77 where there is none. */
#include <locale.h>
#include <stdio.h>
#include <unistd.h>

__attribute__((constructor)) static void set_comma(void)
{
    if (setlocale(LC_ALL, "de_DE.UTF-8") && *localeconv()->decimal_point == ',')
        return;
    fputs("skipped: the locale de_DE.UTF-8 is not here\n", stderr);
    _exit(77);
}
