/* math.c - the elementary functions of vec.h as callable functions, for tests
 * and for tuning, which decides sixteen numbers at once. */
#include "lanes/lanes.h"
#include "lanes/vec/normal.h"
#include "lanes/vec/vec.h"

void HS_NAME(exp)(const float *x, float *out);
void HS_NAME(log)(const float *x, float *out);
void HS_NAME(tanh)(const float *x, float *out);
void HS_NAME(normal_quantile)(const float *p, float *out);

void HS_NAME(exp)(const float *x, float *out)
{
    HS_EACH_PART(l)
    vf_store(out + l, vf_exp(vf_load(x + l)));
}

void HS_NAME(log)(const float *x, float *out)
{
    HS_EACH_PART(l)
    vf_store(out + l, vf_log(vf_load(x + l)));
}

void HS_NAME(tanh)(const float *x, float *out)
{
    HS_EACH_PART(l)
    vf_store(out + l, vf_tanh(vf_load(x + l)));
}

void HS_NAME(normal_quantile)(const float *p, float *out)
{
    HS_EACH_PART(l)
    {
        vf v = vf_load(p + l);
        vm upper = vf_less(vf_set(0.5f), v);
        vf tail = vf_select(upper, 1.0f - v, v);

        vf_store(out + l, vf_normal_quantile(tail, upper));
    }
}
