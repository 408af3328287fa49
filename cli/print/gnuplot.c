/* gnuplot.c - drawing by gnuplot, where there is one. */
#include "cli/print/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "cli/print/fail.h"

extern char **environ;

/* One of the three streams of a child: a descriptor, or nothing. */
static void connect(posix_spawn_file_actions_t *actions, int stream, int from)
{
    if (from >= 0)
        posix_spawn_file_actions_adddup2(actions, from, stream);
    else
        posix_spawn_file_actions_addopen(actions, stream, "/dev/null", O_RDWR,
                                         0);
}

/* `env -C` changes the folder: what spawning has for that is not in every C
 * library (glibc: from 2.29 on). */
int cli_gnuplot_run(const cli_gnuplot *g)
{
    char env[] = "env", option[] = "-C", name[] = "gnuplot";
    char *folder = cli_text("%s", g->folder ? g->folder : ".");
    char *script = cli_text("%s", g->script);
    char *log = g->log ? cli_text("%s/%s", folder, g->log) : NULL;
    char *const words[] = {env, option, folder, name, script, NULL};
    posix_spawn_file_actions_t actions;
    int status = 0, fault;
    pid_t child;

    posix_spawn_file_actions_init(&actions);
    connect(&actions, 0, g->input);
    connect(&actions, 1, g->output);
    posix_spawn_file_actions_addopen(&actions, 2, log ? log : "/dev/null",
                                     O_WRONLY | O_CREAT | O_TRUNC, 0666);
    fault = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    free(folder);
    free(script);
    free(log);
    if (fault)
        return -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

void cli_gnuplot_text(FILE *to, const char *text)
{
    fputc('\'', to);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', to);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, to);
    }
    fputc('\'', to);
}
