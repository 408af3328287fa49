/* targets.h - multimodal laws whose answers are known.
 *
 * A target is a family with its parameters; an instance of it has random
 * numbers of its own, instance 1 being the one that the documentation speaks
 * of.  What a sampler is judged by are the classes of an instance: numbers of
 * a state, mostly indicators, with exact means. */
#ifndef HISS_ARENA_TARGETS_TARGETS_H
#define HISS_ARENA_TARGETS_TARGETS_H

#include <hiss/hiss.h>

#define TARGET_CLASSES 512
#define TARGET_MODES   8

typedef struct target target;
typedef struct instance instance;
typedef struct peer peer;

/* What is known of U.  A sampler of symmetric moves has marginals and masses
 * for nothing; it does not have U. */
typedef struct energy_law {
    double mean, se; /* of the mean: 0 where it is exact */
    double variance; /* 0: not known, or all states have the same U */
} energy_law;

struct instance {
    const target *of;
    int number;
    hiss_model *model; /* owned */
    int classes;
    double mean[TARGET_CLASSES];
    double variance[TARGET_CLASSES]; /* variance of one draw of the law */
    double mean_se; /* mean se of the means where they were measured, else 0 */
    energy_law u;
    int modes;    /* classes, the first ones, that are masses of modes; what
                       they leave of 1 is one more */
    double log_z; /* NaN: not known */
    char *uai;    /* owned: the model as a file (uai.h); or NULL */
    hiss_exact *exact; /* owned; NULL: the truth is had in another way */
    /* P(x_i = v) for every v, [states]; NULL: not known. */
    void (*marginal)(const instance *at, int i, double *out);
    /* Every class of a state that is given by its values. */
    void (*classify)(const instance *at, const double *x, double *out);
    void *own; /* what the model and the classes need, or NULL */
    void (*clear)(void *own);
};

/* A sampler that a target is compared with. */
struct peer {
    const char *name;
    const char *spec;
};

struct target {
    const char *name;
    /* Fills in the model and the classes; 0 (false) when they are not at hand.
     * What was made before a failure is left to instance_clear. */
    int (*make)(instance *at);
    const char *words; /* a spec or a file, for families that need one */
    const peer *peers; /* beside auto, ends with a row without a name; NULL:
                             all samplers that apply */
    int classes, dim;  /* of known.c */
    double scale[TARGET_MODES], weight[TARGET_MODES]; /* likewise */
    int size[3];         /* each family documents the meaning */
    double beta, spread; /* likewise */
    int is_alike;        /* classes do not differ but in name */
    int is_disjoint;     /* classes are modes: a state is in one of them */
    int has_tables;  /* a sum of tables: 1, of pairs that clusters know: 2 */
    int is_marginal; /* class i is coordinate i, two-valued */
    int is_energy;   /* the class is U, not an indicator */
    int is_tour;
    double longer; /* times the usual evaluations; 0: once */
    int seeds;     /* at most; 0: as many as asked for */
};

/* Each ends with a row without a name; the first table is the old suite. */
extern const target *const target_tables[];     /* of bench_modes; ends NULL */
extern const target *const target_tables_new[]; /* targets of the arena alone */

/* By its name, or NULL. */
const target *target_find(const char *name);

/* 0 (false) when it is not at hand; instance_clear it in any case. */
int instance_make(instance *at, const target *t, int number);
/* Fills in u where exact answers are to be had within seconds, if the family
 * has not done so. */
void instance_measure_energy(instance *at);
void instance_clear(instance *at);

#endif
