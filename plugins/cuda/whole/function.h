/* function.h - U and gradient of all lanes by a function of the user. */
#ifndef HS_CUDA_WHOLE_FUNCTION_H
#define HS_CUDA_WHOLE_FUNCTION_H

#include "cuda/memory.h"
#include "cuda/thread.h"
#include "device/plan.h"

/* What went wrong; here, where the card writes to it, too. */
typedef struct hs_function_state {
    int code; /* of the function, or 0 */
    /* 0, or 1 + 2 times the number of a lane whose U is no number; and 1 more
     * if it is its gradient */
    volatile int odd;
} hs_function_state;

/* All pointers but `state` and those of `form` are into the card's memory. */
typedef struct hs_card_function {
    hs_function_form form;
    int card; /* its number, as the function is told */
    int tiles;
    hs_domain domain;
    int *owner; /* [rows]: the coordinate of a row; NULL: its number */
    int *used;  /* [tiles]: lanes in use */
    float *x;   /* [lanes][rows], as the function has it */
    double *u;
    float *gradient;
    hs_function_state *state;
    cudaEvent_t event; /* owned: states have been spread */
} hs_card_function;

/* Where the function has left what it was asked for. */
typedef struct hs_function_answer {
    const double *u; /* or, if it is NULL: */
    const float *u_float;
    const float *gradient; /* [lanes][rows], or NULL: it was not asked for */
} hs_function_answer;

HS_ON_CARD double hs_answer_energy(const hs_function_answer *a, int64_t lane)
{
    return a->u ? a->u[lane] : (double)a->u_float[lane];
}

HS_ON_CARD int hs_answer_is_finite(double a)
{
    return a - a == 0.0;
}

/* Notes a lane in use, some one if there are several, whose U, or gradient
 * where U is finite, is no number. */
HS_ON_CARD void hs_answer_note(const hs_card_function *f, int64_t lane,
                               int is_gradient)
{
    if ((int)(lane % HS_LANES) < f->used[lane / HS_LANES])
        f->state->odd = 1 + 2 * (int)lane + is_gradient;
}

HS_ON_CARD void hs_answer_check(const hs_card_function *f, int64_t lane,
                                double u)
{
    if (!hs_answer_is_finite(u) && !(u < 0.0))
        hs_answer_note(f, lane, 0);
}

HS_ON_CARD void hs_answer_check_gradient(const hs_card_function *f,
                                         const hs_function_answer *a,
                                         int64_t lane, float gradient)
{
    if (!hs_answer_is_finite((double)gradient) &&
        hs_answer_is_finite(hs_answer_energy(a, lane)))
        hs_answer_note(f, lane, 1);
}

#ifdef __cplusplus
extern "C" {
#endif
hiss_status hs_card_function_build(hs_card_function *f, hs_card_memory *memory,
                                   const hs_device_plan *plan,
                                   const hs_domain *domain, int number,
                                   hiss_error *err);

/* U and, unless it is NULL, the gradient of the states x; nothing once the
 * function has failed. */
void hs_card_function_evaluate(const hs_card_function *f, const int16_t *x,
                               double *u, float *gradient);

/* The middle of it: calls the function on the states that are in f->x, behind
 * what is under way; false: it has failed. */
int hs_card_function_call(const hs_card_function *f, int has_gradient,
                          hs_function_answer *a);

/* Whether all went well so far; chain: [lanes], their names. */
hiss_status hs_card_function_check(const hs_card_function *f,
                                   const uint32_t *chain, hiss_error *err);
#ifdef __cplusplus
}
#endif

#endif
