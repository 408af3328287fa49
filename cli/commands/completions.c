/* completions.c - `hiss completions`: the completion script of a shell. */
#include <hiss/hiss.h>

#include <stdio.h>
#include <string.h>

#include "cli/args/option.h"
#include "cli/commands/commands.h"
#include "cli/complete/complete.h"

struct arguments {
    cli_common common;
};

static const cli_option options[] = {{0}};

static const cli_command *const commands[] = {
#define COMMAND_ENTRY(name) &cli_command_##name,
    CLI_COMMAND_LIST(COMMAND_ENTRY)
#undef COMMAND_ENTRY
        NULL,
};

static const char *const shells[] = {"bash", "zsh", "fish", NULL};

static void (*const writers[])(FILE *, const cli_command *const *) = {
    cli_complete_bash, cli_complete_zsh, cli_complete_fish};

static int run_completions(const void *arguments)
{
    const struct arguments *a = arguments;
    const char *word = a->common.words[0];
    char hint[HISS_SUGGESTION_MAX];

    for (int s = 0; shells[s]; s++)
        if (strcmp(shells[s], word) == 0) {
            writers[s](stdout, commands);
            return CLI_DONE;
        }
    return cli_usage_fail(&cli_command_completions,
                          "completions: '%.64s' is unknown, expected bash, zsh "
                          "or fish%s",
                          word, hiss_suggestion(hint, word, shells, "", ""));
}

const cli_command cli_command_completions = {
    .name = "completions",
    .words = "bash|zsh|fish",
    .least_words = 1,
    .most_words = 1,
    .summary = "a script by which a shell completes commands and options",
    .about = "Prints the completions for a shell, made from the tables of this "
             "program; `make install` puts them where shells look.",
    .examples =
        "  source <(hiss completions bash)\n"
        "  hiss completions fish > "
        "~/.config/fish/completions/hiss.fish\n"
        "  hiss completions zsh > ~/.zfunc/_hiss   # a folder of fpath\n",
    .options = options,
    .size = sizeof(struct arguments),
    .run = run_completions,
};
