/* claims.h - what the paper claims, and how results.json answers. */
#ifndef HISS_PAPER_CLAIMS_CLAIMS_H
#define HISS_PAPER_CLAIMS_CLAIMS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

typedef enum paper_verdict {
    PAPER_NOT_RUN,
    PAPER_HOLDS,
    PAPER_OTHER_NUMBER,
    PAPER_FAILS,
    PAPER_IN_PART, /* of a claim with several parts, that say so each */
    PAPER_NO_CLAIM /* the paper does not say it: a check beside its claims */
} paper_verdict;

/* How the paper is read where its text and its code differ. */
typedef enum paper_reading_kind {
    PAPER_ALL_READINGS,
    PAPER_PRINTED, /* spins, the sum of squares, a prior */
    PAPER_CODED,   /* bits, the mean of squares, no prior */
    PAPER_CORRECT  /* parameters tuned by a pilot or on validation cases */
} paper_reading_kind;

/* Claims are judged by this reading alone; set once, before any is judged. */
void paper_read_as(paper_reading_kind reading);
paper_reading_kind paper_reading(void);

typedef struct paper_claim {
    const char *id; /* NULL ends a list */
    const char *experiment;
    const char *where; /* in the paper */
    const char *claim;
    /* Judges by the numbers and writes the evidence, in sentences. */
    paper_verdict (*judge)(const json_t *data, FILE *evidence);
    const char *reason; /* why it comes out so */
    const char *by;     /* which printed figure or number it is judged by */
} paper_claim;

/* By number, in the order of the experiments; NULL past the last one. */
const paper_claim *paper_claim_at(int number);

/* PAPER_NOT_RUN when its experiment is not in data.  *evidence, unless NULL,
 * receives text to be freed. */
paper_verdict paper_claim_judge(const paper_claim *claim, const json_t *data,
                                char **evidence);

/* "holds", "holds with another number", "holds in part", "does not hold", "no
 * claim of the paper", "not run" */
const char *paper_verdict_text(paper_verdict verdict);

/* [{id, experiment, claim, verdict, judged_by, evidence, reason}] */
json_t *paper_claims_json(const json_t *data);

/* --- for the files that judge -------------------------------------------- */

extern const paper_claim paper_claims_sampling[];
extern const paper_claim paper_claims_ising[];
extern const paper_claim paper_claims_tsp[];
extern const paper_claim paper_claims_bnn[];
extern const paper_claim paper_claims_theory[];

/* "-5.909 ± 0.003" with spaces that do not break; one of a few static texts,
 * good for one line of output. */
const char *paper_spell(double mean, double se);
const char *paper_spell_metric(const json_t *data, const char *experiment,
                               const char *row, const char *metric);

/* A part of a claim; it counts in its reading, and in all. */
typedef struct paper_part {
    const char *text;
    bool holds;
    paper_reading_kind reading;
} paper_part;

/* Writes which parts hold; the list ends with a part without a text. */
paper_verdict paper_judge_parts(const paper_part *part, FILE *evidence);

/* Is a lower than b by more than three standard errors of the difference? */
bool paper_is_lower(const json_t *data, const char *experiment, const char *a,
                    const char *b, const char *metric);

#endif
