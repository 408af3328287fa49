/* team.h - Gibbs sweeps of few chains by the multiprocessors of a team.
 *
 * A team of blocks (a cluster of the card) has some chains with all their
 * sites, a bit per chain; each of its blocks has the states of all sites, the
 * couplings of its own, and sends what it visited to all of them.  A lane of
 * a warp is a chain of a visit, so that with one chain 32 sites are visited at
 * once, and what they become is one word, which is sent as it is: words cost
 * more than what is in them.  Visits come in records of eight, those that share
 * random words, or fewer where a stage (bits.h) begins or ends.  A place is the
 * first bit of a visit: 32 times the byte that its word begins at, and which of
 * its bits it is. */
#ifndef HS_CUDA_TEAM_H
#define HS_CUDA_TEAM_H

#include "cuda/gibbs/bits.h"

#define HS_TEAM_RANKS   16  /* at most */
#define HS_TEAM_THREADS 512 /* of a block, at most */
#define HS_TEAM_DRAWS   128 /* random words of a warp */

/* Couplings are in rows of four for each of the eight visits: values, then
 * places of neighbors. */
#define HS_TEAM_ROW    64 /* words */
#define HS_TEAM_PLACES 32

typedef struct HS_ALIGN_SIXTEEN hs_team_record {
    int eight;  /* visits 8 eight + k, */
    int valid;  /* of which bit k is set */
    int at;     /* word of the first row, from the list's beginning on */
    int length; /* rows */
    float field[8], base[8];
} hs_team_record;

/* What a block has in shared memory: the words of all sites; its list: the
 * number of words of each stage, where its records of each begin, where its
 * words of each begin, the records, the rows; two gates; 32 counts; what its
 * warps have drawn, and the eights of their units. */
typedef struct hs_card_team {
    int chains; /* of a team: a power of two, at most 32 */
    int ranks, teams, threads;
    int warps, units; /* of a block, and of each of these in a sweep */
    int is_full;      /* each warp has units of each stage: no gate opens twice
                  * before it has waited */
    int row;          /* visits of a record that are made at once: as chains */
    int turns;        /* how often a warp does that: as chains */
    int chain_shift, row_shift, turn_shift; /* their logarithms */
    int stages;
    int sites;      /* words of states, a multiple of 4 */
    int records;    /* word of the list where they begin */
    int words;      /* of a list */
    int bytes;      /* of shared memory */
    uint32_t *list; /* [ranks][words] */
} hs_card_team;

/* The logarithm of the records that a warp visits at once. */
HS_EITHER int hs_team_record_shift(const hs_card_team *t)
{
    return 5 - t->chain_shift - t->row_shift;
}

#ifdef __cplusplus
extern "C" {
#endif
/* The team that should be fastest for so many lanes; 0 if there can be none.
 * chains, ranks: 0, or as they must be. */
int hs_card_team_plan(hs_card_team *t, const hs_card_bits *b,
                      const hs_device_model *m, int64_t lanes, int processors,
                      size_t shared, int chains, int ranks);

/* Lists for all ranks, in this machine's memory, owned by the caller; NULL if
 * there is no memory. */
uint32_t *hs_card_team_lists(const hs_card_team *t, const hs_card_bits *b,
                             const hs_device_model *m);

/* How many such teams run at once. */
int hs_card_team_at_once(const hs_card_team *t, const hs_device_model *m);

void hs_card_gibbs_team(const hs_card_group *g, const hs_card_team *t,
                        const hs_card_steps *s);
#ifdef __cplusplus
}
#endif

#endif
