/* learned.h - noise of hiss along directions that a pilot has learned.
 *
 * A direction is a piece C of the difference of two modes (pieces.h): sites
 * with two values each, which change together, so that their relative signs
 * are kept.  Let b be the bit that says whether a piece is exchanged, E_C the
 * exchange, E_C E_C = 1.  One jump, for n pieces C_1 .. C_n:
 *     noise    a_j = 0 + eta * logistic, one number for all sites of C_j
 *     denoise  b_j in {0, 1} with P(b_j) ~ exp(-2 ln cosh((a_j - b_j) / 2 eta))
 *     jump     x' = E_Cn^bn .. E_C1^b1 x, accepted with min(1, p(x') / p(x))
 * 0 stands for where x is, so with a_j integrated out every piece is exchanged
 * with probability rho(eta), whatever x is.  x' comes from x by a list of
 * pieces; x comes from x' by the same ones in the opposite order, exchanges
 * being their own inverses.  Pieces are drawn independently and alike, and so
 * are their bits, so both lists are as likely: the proposal is symmetric, and
 * p(x') / p(x) alone decides, also where pieces overlap.  Each lane draws its
 * own; n and eta are drawn for all lanes and do not depend on states.
 *
 * Exact whatever the pieces are; where they are none nothing happens, and the
 * independent noise beside it (compose/noise_mix.h) keeps the chain
 * irreducible.  Of a model that is a sum of tables a jump costs the tables that
 * its pieces touch, and there are as many as cost one evaluation. */
#ifndef HS_KERNEL_NOISE_LEARNED_H
#define HS_KERNEL_NOISE_LEARNED_H

#include "kernel/kernel.h"
#include "kernel/library.h"

#define HS_LEARNED_MOST 4 /* pieces of a jump */

typedef struct hs_learned {
    const hs_library *library; /* borrowed, or NULL */
    bool is_local; /* U changes by the tables of a piece, all of them finite */
    hs_point y;    /* owned: x' */
} hs_learned;

/* On failure clear is still due. */
hiss_status hs_learned_init(hs_learned *s, const hs_model *m, hiss_error *err);
void hs_learned_clear(hs_learned *s);

/* Borrows the modes that a pilot has found; NULL: none. */
void hs_learned_attach(hs_learned *s, const hs_library *library);

/* Whether there is a direction. */
static inline bool hs_learned_any(const hs_learned *s)
{
    return s->library && s->library->pieces.count > 0;
}

/* The jumps of one sweep; wants: what the inner kernel needs at x'. */
hiss_status hs_learned_jump(hs_learned *s, hs_kernel *k, const hs_model *m,
                            const hs_tilt *t, hs_tile *x, unsigned wants);

#endif
