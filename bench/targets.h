/* targets.h - multimodal laws whose mode masses are known. */
#ifndef BENCH_TARGETS_H
#define BENCH_TARGETS_H

#include <hiss/hiss.h>

#define TARGET_CLASSES 512

typedef struct target target;

struct target {
    const char *name;
    const char *model; /* spec */
    int classes;       /* indicators, each with a known mean */
    /* 1 or 0 (or a share) for every class of a state given by its values. */
    void (*classify)(const target *t, const double *x, double *out);
    /* their exact means */
    void (*means)(const target *t, double *out);
    int number;       /* what classify needs: coordinates, labels, patterns */
    int size;         /* components, sites of an edge, ... */
    double parameter; /* fields, widths */
    int is_core;      /* one of the six with a goal */
};

extern const target targets[]; /* ends with a row without a name */

#endif
