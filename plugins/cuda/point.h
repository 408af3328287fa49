/* point.h - where all lanes stand, or may go, and what the model says there.
 *
 * A step that moves all coordinates is made in phases, launches over all lanes:
 * propose y from x, evaluate y, decide and move.  Between them points are in
 * the card's memory, laid out as tiles are. */
#ifndef HS_CUDA_POINT_H
#define HS_CUDA_POINT_H

#include "cuda/group.h"

typedef struct hs_card_point {
    int16_t (*x)[HS_LANES]; /* [tiles][dim] */
    double (*u)[HS_LANES];  /* [tiles] */
    /* [tiles][domain.rows], or NULL: the model is local, and a row is made from
     * the states where it is needed (rows.h) */
    float (*grad)[HS_LANES];
    float (*cache)[HS_LANES]; /* [tiles][cache_rows], or NULL: what the model
                                 keeps with a point */
    int cache_rows;
} hs_card_point;

#define HS_CARD_ENTRIES (2 * (HS_DEGREE_MAX + 1))

/* What is asked of an evaluation. */
enum {
    HS_CARD_U = 1,
    HS_CARD_GRAD = 2,
    /* U of a local model as steps of all coordinates have it on the processor:
     * the parts of HS_DEVICE_BLOCK coordinates are added up by themselves */
    HS_CARD_IN_BLOCKS = 4
};

/* What steps need beside where the lanes stand.  Terms are what the processor
 * adds up in double, one after the other, so that the sums have its bits. */
typedef struct hs_card_work {
    hs_card_point at, y; /* at: x and u are those of the group's lanes */
    int terms;           /* of a tile, at most: one per coordinate */
    float (*forward)[HS_LANES], (*reverse)[HS_LANES], (*bend)[HS_LANES];
    double (*part)[HS_LANES];    /* [tiles][blocks]: of U */
    uint8_t (*moved)[HS_LANES];  /* [tiles][blocks]: y differs there */
    uint8_t (*accept)[HS_LANES]; /* [tiles] */
    int *arrived; /* [tiles], 0: blocks of one that are done (cuda/whole) */
    float (*logit)[HS_LANES];  /* [tiles][logits], for gwg */
    int logits;                /* rows of a tilt */
    int32_t (*row)[HS_LANES];  /* [tiles]: that gwg has drawn, or -1 */
    double (*log_q)[HS_LANES]; /* [tiles]: its ln q */
    int16_t (*kept)[HS_LANES]; /* [tiles][dim]: y while hiss refines */
    int *rank;                 /* [dim]: coordinates in the order of blocks */
    /* [tiles][2 * HS_CARD_ENTRIES]: of x and of y, sites by what they see
     * (cuda/langevin/entry.h); 0 between steps */
    int32_t (*site_counts)[HS_LANES];
    int blocks;
} hs_card_work;

#ifdef __cplusplus
extern "C" {
#endif
/* Makes what is wanted valid at p, for all lanes. */
void hs_card_evaluate(const hs_card_group *g, const hs_card_work *w,
                      const hs_card_point *p, int want);

/* at = y where w->accept says so, with all that belongs to it but U. */
void hs_card_move(const hs_card_group *g, const hs_card_work *w);

/* Steps of g->sampler, at this clock: that of its random numbers.  position:
 * how many it has made before. */
void hs_card_langevin(const hs_card_group *g, const hs_card_work *w,
                      uint64_t clock, uint64_t position);
void hs_card_gwg(const hs_card_group *g, const hs_card_work *w, uint64_t clock);

/* The parts of a sweep of hiss (cuda/compose/hiss.cu): y and the tilt `to` at
 * this clock; y where there is no noise; the jump to y, which is evaluated. */
void hs_card_noise(const hs_card_group *g, const hs_card_work *w,
                   const hs_card_tilt *to, uint64_t clock);
void hs_card_follow(const hs_card_group *g, const hs_card_work *w);
void hs_card_jump(const hs_card_group *g, const hs_card_work *w,
                  uint64_t clock);

/* Adds where the lanes stand to the marginals. */
void hs_card_count_states(const hs_card_group *g, const hs_card_work *w);

/* The same of a model that is evaluated as a whole (cuda/whole), where a
 * gradient is stored; steps are those of a pair domain. */
void hs_whole_evaluate(const struct hs_whole_model *m, const hs_card_point *p,
                       int want);
/* It is not evaluated any more: what it says is not to be used. */
int hs_whole_has_failed(const struct hs_whole_model *m);
void hs_whole_langevin(const hs_card_group *g, const hs_card_work *w,
                       uint64_t clock, int position);
void hs_whole_gwg(const hs_card_group *g, const hs_card_work *w,
                  uint64_t clock);
void hs_whole_move(const hs_card_group *g, const hs_card_work *w);
#ifdef __cplusplus
}
#endif

/* A thread is a lane and a block of coordinates, number n of lanes times
 * blocks: by `size`, or g->span, coordinates. */
typedef struct hs_card_place {
    int64_t number, tile; /* of the lane */
    int lane;
    int block, first, last; /* coordinates */
} hs_card_place;

HS_EITHER int64_t hs_card_places(const hs_card_group *g, const hs_card_work *w)
{
    return hs_card_lanes(g) * w->blocks;
}

HS_ON_CARD hs_card_place hs_card_place_by(const hs_card_group *g, int64_t n,
                                          int size)
{
    int64_t lanes = hs_card_lanes(g);
    hs_card_place at;

    at.number = n % lanes;
    at.tile = at.number / HS_LANES;
    at.lane = (int)(at.number % HS_LANES);
    at.block = (int)(n / lanes);
    at.first = at.block * size;
    at.last = g->model.dim - at.first < size ? g->model.dim : at.first + size;
    return at;
}

HS_ON_CARD hs_card_place hs_card_place_at(const hs_card_group *g, int64_t n)
{
    return hs_card_place_by(g, n, g->span);
}

/* Row r of a tile's rows, of one lane. */
#define HS_CARD_ROW(array, tile, rows, r, lane)                                \
  ((array)[(tile) * (int64_t)(rows) + (r)][lane])

#endif
