/* answer.h - commands that answer the question of a field: they make a model of
 * a file, draw from it or enumerate it, and judge the draws. */
#ifndef HISS_CLI_ANSWER_ANSWER_H
#define HISS_CLI_ANSWER_ANSWER_H

#include <hiss/hiss.h>

#include <stdbool.h>
#include <stdint.h>

#include "cli/args/option.h"
#include "cli/print/json.h"

/* The options of such a command; its struct begins with a cli_question. */
typedef struct cli_question {
    cli_common common;
    const char *sampler, *figure;
    int chains, top;
    int64_t samples, warmup;
} cli_question;

#define CLI_QUESTION_AT(field) offsetof(cli_question, field)
/* clang-format off */
#define CLI_QUESTION_OPTIONS                                                   \
    {"sampler", 0, CLI_TEXT, CLI_QUESTION_AT(sampler), NULL, 0, 0,             \
     "SPEC  how to sample; usually auto, or gibbs where there are many "       \
     "coordinates"},                                                           \
    {"chains", 0, CLI_INT, CLI_QUESTION_AT(chains), "16", 2, 100000,           \
     "N  independent chains"},                                                 \
    {"samples", 0, CLI_LONG, CLI_QUESTION_AT(samples), "0", 0, 1000000000,     \
     "N  kept draws per chain; 0: 2000, or 500 where there are many "          \
     "coordinates"},                                                           \
    {"warmup", 0, CLI_LONG, CLI_QUESTION_AT(warmup), "-1", -1, 1000000000,     \
     "N  steps before the first draw; -1: half of the samples"},               \
    {"top", 0, CLI_INT, CLI_QUESTION_AT(top), "20", 1, 100000,                 \
     "N  rows of a table"},                                                    \
    {"figure", 0, CLI_TEXT, CLI_QUESTION_AT(figure), NULL, 0, 0,               \
     "FILE  draw the answer as SVG"}
/* clang-format on */

typedef struct cli_answer {
    hiss_model *model;         /* owned, like the others */
    hiss_exact *exact;         /* after enumeration of every state; or NULL */
    hiss_sampler *sampler;     /* otherwise */
    hiss_result *result;       /* likewise */
    hiss_diagnosis *diagnosis; /* likewise */
    hiss_run_info info;        /* likewise */
} cli_answer;

/* Quotes a text as a word of a spec; free() it. */
char *cli_answer_quote(const char *text);

/* spec names the model; may_enumerate: use exact answers if they are quick.
 * Returns CLI_DONE, or prints the message and returns its code.  Call
 * cli_answer_clear in any case. */
int cli_answer_make(cli_answer *answer, const cli_question *question,
                    const char *spec, bool may_enumerate);
void cli_answer_clear(cli_answer *answer);

/* The name of a coordinate; free() it. */
char *cli_answer_name(const cli_answer *answer, int coordinate);

/* Print the method of the answer, for people and as JSON. */
void cli_answer_print_method(const cli_answer *answer);
void cli_answer_print_verdict(const cli_answer *answer);
void cli_answer_put(const cli_answer *answer, json_t *object);

#endif
