/* page_folders.c - removes folders from a page, which names files without their
 * place on the user's disk.
 *
 * It removes absolute folders of the result, of its inputs and of the run from
 * the text. */
#include "cli/page/page.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/page/html.h"
#include "cli/print/text_file.h"

enum {
    MANY = 16
};

/* Returns its form in the page, with its last slash; free() it. */
static char *escaped(const char *folder)
{
    cli_text_file file;

    cli_text_file_open(&file);
    cli_html_text(file.to, folder);
    if (folder[strlen(folder) - 1] != '/')
        fputc('/', file.to);
    return cli_text_file_close(&file);
}

static bool is_of_path(char c)
{
    return isalnum((unsigned char)c) || strchr("._-/~", c);
}

/* Removes `folder` wherever a path begins with it. */
static void take_out(char *text, const char *folder)
{
    char *name = escaped(folder), *from = text, *to = text, *found;
    size_t length = strlen(name);

    while ((found = strstr(from, name))) {
        size_t before = (size_t)(found - from);
        bool begins = found == text || !is_of_path(found[-1]);

        before += begins ? 0 : length;
        memmove(to, from, before);
        to += before;
        from = found + length;
    }
    memmove(to, from, strlen(from) + 1);
    free(name);
}

/* Returns the folder of a file, if it is absolute and not the root; free()
 * it. */
static char *folder_of(const char *path)
{
    const char *slash = path && *path == '/' ? strrchr(path, '/') : NULL;

    return slash && slash > path ? cli_text("%.*s", (int)(slash - path), path)
                                 : NULL;
}

/* Adds it, the longest first, because another one may be its beginning. */
static int add(char **list, int count, char *folder)
{
    int at = count;

    if (!folder || count == MANY) {
        free(folder);
        return count;
    }
    for (; at > 0 && strlen(list[at - 1]) < strlen(folder); at--)
        list[at] = list[at - 1];
    list[at] = folder;
    return count + 1;
}

void cli_page_hide_folders(const cli_page *p, char *text)
{
    char *folders[MANY], *whole = realpath(p->file, NULL);
    const char *path, *digest, *run = hiss_result_text(p->result, "folder");
    int count = add(folders, 0, folder_of(p->file));

    count = add(folders, count, folder_of(whole));
    count =
        add(folders, count, folder_of(hiss_result_text(p->result, "model")));
    for (int n = 0; hiss_result_input(p->result, n, &path, &digest); n++)
        count = add(folders, count, folder_of(path));
    if (run && run[0] == '/' && run[1])
        count = add(folders, count, cli_text("%s", run));
    for (int n = 0; n < count; n++) {
        take_out(text, folders[n]);
        free(folders[n]);
    }
    free(whole);
}
