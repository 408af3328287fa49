/* commands.h - the subcommands; each is one file and one line here. */
#ifndef HISS_CLI_COMMANDS_COMMANDS_H
#define HISS_CLI_COMMANDS_COMMANDS_H

#include "cli/args/option.h"

#define CLI_COMMAND_LIST(X)                                                    \
  X(sample)                                                                    \
  X(scan)                                                                      \
  X(optimize)                                                                  \
  X(exact)                                                                     \
  X(verify)                                                                    \
  X(compare)                                                                   \
  X(arena)                                                                     \
  X(summary)                                                                   \
  X(diagnose)                                                                  \
  X(judge)                                                                     \
  X(modes)                                                                     \
  X(report)                                                                    \
  X(select)                                                                    \
  X(communities)                                                               \
  X(list)                                                                      \
  X(explain)                                                                   \
  X(convert)                                                                   \
  X(reproduce)                                                                 \
  X(completions)                                                               \
  X(version)

#define CLI_COMMAND_EXTERN(name) extern const cli_command cli_command_##name;
CLI_COMMAND_LIST(CLI_COMMAND_EXTERN)
#undef CLI_COMMAND_EXTERN

#endif
