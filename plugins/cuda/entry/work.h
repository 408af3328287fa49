/* work.h - the memory of steps beside the lanes themselves. */
#ifndef HS_CUDA_ENTRY_WORK_H
#define HS_CUDA_ENTRY_WORK_H

#include "cuda/compose/walk.h"
#include "cuda/memory.h"

#ifdef __cplusplus
extern "C" {
#endif
/* What the nodes of a plan need; w->group is there already. */
hiss_status hs_card_put_work(hs_card_walk *w, hs_card_memory *memory,
                             const hs_device_plan *plan, hiss_error *err);

/* The windows of a lattice, if the model is one that fits; *owned, or NULL, is
 * the caller's to free. */
hiss_status hs_card_put_lattice(hs_card_walk *w, hs_card_memory *memory,
                                const hs_device_model *m, size_t shared,
                                void **owned, hiss_error *err);
#ifdef __cplusplus
}
#endif

#endif
