/* judge.c - `hiss judge`: draws, or a transition, of another program.
 *
 * Two forms in one word: of draws it is `hiss diagnose`, with --kernel it is
 * `hiss verify`.  Each has the options of that command. */
#include <string.h>

#include "cli/commands/commands.h"

struct arguments {
    cli_common common;
    const char *model, *kernel;
};

#define AT(field) offsetof(struct arguments, field)

static const cli_option options[] = {
    {"model", 0, CLI_TEXT, AT(model), NULL, 0, 0,
     "MODEL  what the draws are of; a result of hiss names it itself"},
    {"kernel", 0, CLI_TEXT, AT(kernel), NULL, 0, 0,
     "COMMAND  judge a transition of your own, states through its standard "
     "streams"},
    {0},
};

static bool is_option(const char *word, const char *name)
{
    size_t length = strlen(name);

    return strncmp(word, name, length) == 0 &&
           (word[length] == '\0' || word[length] == '=');
}

/* NULL where the help of this command is wanted, or nothing was given. */
static const cli_command *meant(int argc, char *const *argv)
{
    const cli_command *command = argc > 0 ? &cli_command_diagnose : NULL;

    for (int n = 0; n < argc; n++) {
        if (strcmp(argv[n], "--help") == 0 || strcmp(argv[n], "-h") == 0)
            return NULL;
        if (is_option(argv[n], "--kernel") || is_option(argv[n], "--sampler"))
            command = &cli_command_verify;
    }
    return command;
}

const cli_command cli_command_judge = {
    .name = "judge",
    .words = "DRAWS ... --model MODEL | MODEL --kernel COMMAND",
    .least_words = 1,
    .most_words = CLI_WORDS_MAX,
    .summary = "draws, or a transition, of another program: are they right?",
    .about = "With draws it does what hiss diagnose does, and has its options: "
             "whether they can be trusted as draws of MODEL, in one of six "
             "words. With --kernel it does what hiss verify does, and has its "
             "options: whether a transition of your own keeps the law of "
             "MODEL. docs/judge.md has examples of both. Exit codes: 0 yes, 1 "
             "no, 4 not decided.",
    .examples = "  hiss judge chain-1.csv chain-2.csv --model grid.uai\n"
                "  hiss judge 'ising(side=3,beta=0.4)' --kernel 'python3 "
                "mine.py'\n",
    .options = options,
    .size = sizeof(struct arguments),
    .meant = meant,
};
