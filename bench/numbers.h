/* numbers.h - the numbers of run/policy/policy.def, as a bench changes them. */
#ifndef BENCH_NUMBERS_H
#define BENCH_NUMBERS_H

#include <stdint.h>
#include <stdio.h>

#include <hiss/hiss.h>

#include "run/policy/policy.h"

/* What a run leaves beside its figures, so that two runs can be compared. */
typedef struct numbers_trace {
    uint64_t draws;   /* hash of all draws and their log p */
    uint64_t verdict; /* hash of the findings of a diagnosis */
    unsigned char is_read[HS_POLICIES];
} numbers_trace;

/* Sets what NAME:VALUE,NAME:VALUE asks for; ends the program with status 2 if
 * it cannot. */
void numbers_set(const char *list);

/* Called in the process of a run; reads last. */
void numbers_note_draws(numbers_trace *t, const hiss_result *r);
void numbers_note_verdict(numbers_trace *t, const hiss_diagnosis *d);
void numbers_note_reads(numbers_trace *t);

/* Adds the trace of another run. */
void numbers_add(numbers_trace *to, const numbers_trace *from);

/* The names that were read. */
void numbers_print(FILE *to, const numbers_trace *t, const char *between);

#endif
