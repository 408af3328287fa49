/* main.c - the command `hiss`: finds the subcommand and returns its exit
 * code.
 *
 * A subcommand is one file and one line in commands.h. */
#include <hiss/hiss.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/args/help.h"
#include "cli/args/names.h"
#include "cli/args/option.h"
#include "cli/args/ranks.h"
#include "cli/commands/commands.h"
#include "cli/print/interrupt.h"

static const cli_command *const commands[] = {
#define COMMAND_ENTRY(name) &cli_command_##name,
    CLI_COMMAND_LIST(COMMAND_ENTRY)
#undef COMMAND_ENTRY
        NULL,
};

enum {
#define COMMAND_NUMBER(name) COMMAND_##name,
    CLI_COMMAND_LIST(COMMAND_NUMBER)
#undef COMMAND_NUMBER
    COMMAND_COUNT,
};

static const cli_command *find(const char *name)
{
    for (int c = 0; c < COMMAND_COUNT; c++)
        if (strcmp(commands[c]->name, name) == 0)
            return commands[c];
    return NULL;
}

/* Whether the name is that of a file of draws. */
static bool is_result(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot && (strcmp(dot, ".nc") == 0 || strcmp(dot, ".csv") == 0) &&
           access(name, F_OK) == 0;
}

static int unknown_command(const char *name)
{
    const char *names[COMMAND_COUNT + 2] = {NULL};
    char hint[HISS_SUGGESTION_MAX];

    for (int c = 0; c < COMMAND_COUNT; c++)
        names[c] = commands[c]->name;
    names[COMMAND_COUNT] = "help";
    if (*name == '-')
        cli_fail(CLI_BAD_CALL,
                 "unknown option %.64s before a command: options stand behind "
                 "it",
                 name);
    else if (is_result(name))
        cli_fail(CLI_BAD_CALL,
                 "unknown command '%.64s'; did you mean hiss summary %.64s?",
                 name, name);
    else if (cli_is_model(name) || access(name, F_OK) == 0)
        cli_fail(CLI_BAD_CALL,
                 "unknown command '%.64s'; did you mean hiss sample %.64s?",
                 name, name);
    else
        cli_fail(CLI_BAD_CALL, "unknown command '%.64s'%s", name,
                 hiss_suggestion(hint, name, names, "", ""));
    fputs("usage: hiss COMMAND [ARGUMENT ...]  (hiss --help lists them)\n",
          stderr);
    return CLI_BAD_CALL;
}

/* Runs `hiss help` with the words after it. */
static int run_help(int argc, char *const *argv)
{
    const cli_command *command;

    if (argc == 0 || argv[0][0] == '-') {
        cli_help_all(stdout, commands);
        return CLI_DONE;
    }
    command = find(argv[0]);
    if (!command)
        return unknown_command(argv[0]);
    cli_help_command(stdout, command);
    return CLI_DONE;
}

static int run_command(const cli_command *command, int argc, char *const *argv)
{
    const cli_command *other =
        command->meant ? command->meant(argc - 2, argv + 2) : NULL;
    cli_common *arguments;
    int code;

    command = other ? other : command;
    arguments = cli_alloc(1, command->size);
    arguments->argc = argc;
    arguments->argv = argv;
    code = cli_option_parse(command, argc - 2, argv + 2, arguments);
    if (code == CLI_DONE && arguments->help && !cli_ranks_is_other())
        cli_help_command(stdout, command);
    else if (code == CLI_DONE && !arguments->help)
        code = command->run(arguments);
    free(arguments);
    return code;
}

static int dispatch(int argc, char *const *argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;
    const cli_command *command;

    if (cli_ranks_is_other() && (!word || find(word) != &cli_command_sample))
        return CLI_DONE; /* rank 0 does it */
    if (!word) {
        cli_fail(CLI_BAD_CALL, "COMMAND is missing");
        cli_help_all(stderr, commands);
        return CLI_BAD_CALL;
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        printf("hiss %s (%s)\n", hiss_version(), hiss_isa());
        return CLI_DONE;
    }
    if (strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 ||
        strcmp(word, "-h") == 0)
        return run_help(argc - 2, argv + 2);
    command = find(word);
    if (!command)
        return unknown_command(word);
    if (command != &cli_command_sample)
        cli_ranks_alone(command->name);
    return run_command(command, argc, argv);
}

static bool has_memory_limit(void)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

/* A wish that cannot be met: the run would be another than the one meant. */
static int check_isa(void)
{
    const char *wish = getenv("HISS_ISA");

    if (!wish || !*wish || strcmp(wish, hiss_isa()) == 0)
        return CLI_DONE;
    return cli_fail(CLI_BAD_CALL,
                    "HISS_ISA=%.32s: expected base, avx2 or avx512, and one "
                    "that this processor has; unset it to let hiss choose (%s)",
                    wish, hiss_isa());
}

int main(int argc, char **argv)
{
    int code;

    cli_interrupt_init();
    cli_ranks_init();
    code = check_isa();
    if (code == CLI_DONE)
        code = dispatch(argc, argv);
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout))
        code = cli_fail(CLI_FAULT, "cannot write to standard output: %s",
                        errno ? strerror(errno) : "a write failed");
    code = cli_ranks_end(code);
    /* After a failed netCDF file the exit handlers of HDF5 crash.  Under a
     * memory limit a thread of OpenBLAS may wait for memory forever, and its
     * exit handler for that thread. */
    if (code == CLI_FAULT || has_memory_limit())
        _Exit(code);
    return code;
}
