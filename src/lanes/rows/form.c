/* form.c - the value of a quadratic form in indices 0 and 1, in double. */
#include "lanes/lanes.h"
#include "lanes/vec/vec.h"

void HS_NAME(index_energy)(const hs_sparse *j, const double *coupling,
                           const double *field, int first, int last,
                           const int16_t (*x)[HS_LANES], double *u);

/* m ? a + b : a */
HS_INLINE vd add_where(vm m, vd a, vd b)
{
#if defined(__AVX512F__)
    return (vd){(vd_half)_mm512_mask_add_pd((__m512d)a.low, (__mmask8)m,
                                            (__m512d)a.low, (__m512d)b.low),
                (vd_half)_mm512_mask_add_pd((__m512d)a.high, (__mmask8)(m >> 8),
                                            (__m512d)a.high, (__m512d)b.high)};
#else
    typedef int32_t vi_half __attribute__((vector_size(2 * HS_WIDTH)));
    vi_half half[2];
    vl_half low, high;
    vd more = vd_add(a, b);

    memcpy(half, &m, sizeof half);
    low = __builtin_convertvector(half[0], vl_half);
    high = __builtin_convertvector(half[1], vl_half);
    return (vd){
        (vd_half)(((vl_half)more.low & low) | ((vl_half)a.low & ~low)),
        (vd_half)(((vl_half)more.high & high) | ((vl_half)a.high & ~high))};
#endif
}

void HS_NAME(index_energy)(const hs_sparse *j, const double *coupling,
                           const double *field, int first, int last,
                           const int16_t (*x)[HS_LANES], double *u)
{
    HS_EACH_PART(l)
    {
        vd sum = vd_load(u + l);

        for (int i = first; i < last; i++) {
            vd pull = vd_set(field[i]);

            for (int64_t e = j->start[i];
                 e < j->start[i + 1] && j->column[e] < i; e++)
                pull = add_where(vm_load_index(&x[j->column[e]][l]), pull,
                                 vd_set(coupling[e]));
            sum = add_where(vm_load_index(&x[i][l]), sum, pull);
        }
        vd_store(u + l, sum);
    }
}
