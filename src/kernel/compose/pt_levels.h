/* pt_levels.h - parallel tempering: its options, and the levels they make. */
#ifndef HS_KERNEL_COMPOSE_PT_LEVELS_H
#define HS_KERNEL_COMPOSE_PT_LEVELS_H

#include "kernel/compose/pt_end.h"
#include "kernel/compose/reference.h"
#include "kernel/kernel.h"
#include "kernel/parts.h"

struct hs_pt {
    hs_spec *base;
    double levels;          /* NaN: auto */
    double max_temperature; /* NaN: auto */
    hs_reals ladder;
    int swap_every;
    int parts_every; /* 0 means never */
    hs_parts parts;  /* owned, if Houdayer moves are made */
    int reference;
    hs_reals path;           /* lambda of its levels */
    hs_reference law;        /* owned, if there is a reference path */
    hs_pt_end end;           /* owned, if the hottest level has a network */
    const hs_domain *domain; /* borrowed */
};

/* Number of levels: those of the ladder, then those of the reference path. */
int hs_pt_replicas(const hs_kernel *k);
/* beta of a level; on the reference path lambda, the share of U. */
float hs_pt_beta(const hs_kernel *k, int level);
/* lambda of level n of the reference path; the target's, at -1, is 1. */
double hs_pt_lambda(const hs_kernel *k, int n);

/* Whether the hottest level has a network. */
bool hs_pt_has_end(const hs_kernel *k);
/* Makes its proposals for the lanes at that level, always at the same times. */
hiss_status hs_pt_renew_end(hs_kernel *k, const hs_model *m, hs_tile *x);

hiss_status hs_pt_check(const hs_kernel *k, hiss_error *err);

#endif
