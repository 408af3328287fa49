/* targets.h - multimodal laws whose mode masses are known. */
#ifndef BENCH_TARGETS_H
#define BENCH_TARGETS_H

#include <hiss/hiss.h>

#define TARGET_CLASSES 512
#define TARGET_MODES   8

typedef struct target target;

struct target {
    const char *name;
    const char *model; /* spec, or the name of a file below DATA/uai or tsp */
    int classes;       /* indicators, each with a known mean */
    /* 1 or 0 (or a share) for every class of a state given by its values. */
    void (*classify)(const target *t, const double *x, double *out);
    /* Their exact means; 0 (false) when they are not at hand. */
    int (*means)(const target *t, double *out);
    int dim;
    double scale[TARGET_MODES], weight[TARGET_MODES]; /* of a mixture */
    int is_alike;    /* classes do not differ but in name */
    int has_tables;  /* a sum of tables: 1, of pairs that clusters know: 2 */
    int is_marginal; /* class i is coordinate i */
    int is_tour;
    double longer; /* times the usual evaluations; 0: once */
    int seeds;     /* at most; 0: as many as asked for */
};

extern const target targets[]; /* ends with a row without a name */

/* The model, or NULL when its file is not at hand; hiss_model_destroy it. */
hiss_model *target_model(const target *t);

#endif
