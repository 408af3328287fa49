/* contestant.h - who takes part: every sampler of the library, programs that
 * move states, files of draws. */
#ifndef HISS_ARENA_RUN_CONTESTANT_H
#define HISS_ARENA_RUN_CONTESTANT_H

#include <hiss/hiss.h>

#include <stdbool.h>

typedef enum arena_kind {
    ARENA_SAMPLER, /* of the library */
    ARENA_KERNEL,  /* a program, through a pipe */
    ARENA_DRAWS,   /* a file, of one target */
} arena_kind;

typedef struct arena_contestant {
    char *name; /* owned */
    arena_kind kind;
    char *spec;      /* owned: a sampler, a command or a file */
    char *tour_spec; /* owned: the sampler for tours, or NULL: the same */
    char *target;    /* owned: that a file of draws is of, or NULL */
    double evals;    /* evaluations of a program, per state and call */
    bool is_text;    /* what it reads and writes */
    bool is_exact;   /* a sampler that keeps the law */
} arena_contestant;

typedef struct arena_field {
    arena_contestant *at; /* owned */
    int count;
} arena_field;

/* Every sampler that can run by itself, in the order of the library. */
void arena_field_fill(arena_field *field);
/* NAME=COMMAND or NAME(evals=E,format=text)=COMMAND; the exit code, with a
 * message where it is not that. */
int arena_field_add_kernel(arena_field *field, const char *text);
/* NAME=FILE@TARGET, likewise. */
int arena_field_add_draws(arena_field *field, const char *text);
/* Every file of draws can be read; the exit code, with a message. */
int arena_field_check_files(const arena_field *field);
const arena_contestant *arena_field_find(const arena_field *field,
                                         const char *name);
void arena_field_clear(arena_field *field);

/* What it is on this model, for people and commands; borrowed. */
const char *arena_contestant_spec(const arena_contestant *c,
                                  const hiss_model *model);

#endif
