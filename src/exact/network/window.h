/* window.h - truncated networks of some coordinates given all others.
 *
 * The members of a window have a conditional distribution that changes with
 * their neighbors outside, so a network is made anew for each state.  Its
 * proposal y has the probability q(y) given the neighbors alone, and so has the
 * present state x: a Metropolis test with p(y) q(x) / (p(x) q(y)) keeps the
 * conditional distribution exactly, whatever bonds were cut. */
#ifndef HS_EXACT_NETWORK_WINDOW_H
#define HS_EXACT_NETWORK_WINDOW_H

#include <stdint.h>

#include <hiss/status.h>

#include "base/lane.h"
#include "exact/network/network.h"
#include "model/factors.h"

typedef struct hs_window hs_window;

/* f is borrowed. */
hiss_status hs_window_create(hs_window **out, const hs_factors *f,
                             const int *member, int members, int bond,
                             hiss_error *err);
void hs_window_destroy(hs_window *w);

int hs_window_members(const hs_window *w);
const int *hs_window_member(const hs_window *w);

/* Multiplications of a proposal for one lane, as the first network took. */
double hs_window_work(const hs_window *w);

/* The terms of a lane's distribution that the model does not have. */
typedef struct hs_window_tilt {
    double beta;       /* above 0 */
    const double *phi; /* borrowed, or NULL: of the members' values, in turn */
} hs_window_tilt;

/* Proposes values for the members in one lane of x [dim].  y: [members];
 * *log_ratio: ln of p(y) q(x) / (p(x) q(y)); -infinity where x itself is not
 * possible. */
hiss_status hs_window_propose(hs_window *w, const hs_index_row *x, int lane,
                              const hs_window_tilt *t,
                              const hs_network_address *address, int16_t *y,
                              double *log_ratio, hiss_error *err);

#endif
