/* catalogue.c - the targets of `hiss arena`, and what they are there for. */
#include "arena/run/catalogue.h"

#include <stddef.h>
#include <string.h>

#define STATES      "all states"
#define ELIMINATION "elimination"
#define KAUFMAN     "Kaufman's formula, symmetry"
#define MEASURED    "symmetry; U measured by clusters"
#define WEIGHTS     "the weights of its components"

const arena_entry arena_catalogue[] = {
    {"torus3", "small", "Ising, 3 x 3",
     "512 states; the target to try a contestant of your own on", STATES,
     "ising(side=3,beta=0.4)", 1e5, true},
    {"bernoulli4", "small", "the paper's law of four bits",
     "16 states, most of the mass in a few that differ in two bits or more",
     STATES, "bernoulli4", 1e5, true},
    {"cross5", "small", "the paper's cross-diagonal Ising model, 5 x 5",
     "two modes with an interface between them that no single bit crosses",
     STATES, "cross(side=5)", 2e5, false},
    {"discs_bernoulli", "discs", "DISCS: 1000 independent bits",
     "nothing is hard but the number of coordinates", ELIMINATION, NULL, 1e5,
     true},
    {"discs_ising_high", "discs", "DISCS: Ising with fields, hot",
     "weak couplings: everything mixes", ELIMINATION, NULL, 5e5, false},
    {"discs_ising_low", "discs", "DISCS: Ising with fields, cold",
     "couplings of 1 against fields up to 2: domains that move as a whole",
     ELIMINATION, NULL, 5e5, true},
    {"discs_potts", "discs", "DISCS: Potts with fields, four labels",
     "couplings of 2: phases of one label, whose masses the fields decide",
     ELIMINATION, NULL, 5e5, true},
    {"discs_fhmm", "discs", "DISCS: factorial hidden Markov model",
     "ten chains of 50 bits, seen as one noisy sum", ELIMINATION, NULL, 3e5,
     false},
    {"discs_fhmm_sharp", "discs", "the same with a quarter of the noise",
     "sums that several sets of chains explain: many modes", ELIMINATION, NULL,
     3e5, true},
    {"rbm200", "discs", "trained Boltzmann machine, 200 visible units",
     "six prototypes of unequal mass, far apart; trained with exact gradients",
     "all states of its 12 hidden units", NULL, 5e5, true},
    {"ising16_28", "lattices", "Ising 16 x 16, beta 0.28", "no order", KAUFMAN,
     "ising(side=16,beta=0.28)", 5e5, false},
    {"ising16_44", "lattices", "Ising 16 x 16, beta 0.4407",
     "the critical point: clusters of all sizes", KAUFMAN,
     "ising(side=16,beta=0.4407)", 5e5, false},
    {"ising16_60", "lattices", "Ising 16 x 16, beta 0.6",
     "two phases, and a wall of probability e^-30 between them", KAUFMAN,
     "ising(side=16,beta=0.6)", 5e5, true},
    {"ising24_28", "lattices", "Ising 24 x 24, beta 0.28", "no order", KAUFMAN,
     "ising(side=24,beta=0.28)", 5e5, false},
    {"ising24_44", "lattices", "Ising 24 x 24, beta 0.4407",
     "the critical point: clusters of all sizes", KAUFMAN,
     "ising(side=24,beta=0.4407)", 5e5, true},
    {"ising24_60", "lattices", "Ising 24 x 24, beta 0.6",
     "two phases, and a higher wall", KAUFMAN, "ising(side=24,beta=0.6)", 5e5,
     false},
    {"potts16_50", "lattices", "Potts 16 x 16, 3 labels, beta 0.5", "no order",
     MEASURED, "potts(side=16,states=3,beta=0.5)", 5e5, false},
    {"potts16_100", "lattices", "Potts 16 x 16, 3 labels, beta 1.005",
     "the critical point", MEASURED, "potts(side=16,states=3,beta=1.005)", 5e5,
     false},
    {"potts16_120", "lattices", "Potts 16 x 16, 3 labels, beta 1.2",
     "three phases", MEASURED, "potts(side=16,states=3,beta=1.2)", 5e5, true},
    {"pm10_b3", "glasses", "spin glass 10 x 10, +-1, beta 3",
     "valleys without a name, cold", ELIMINATION, NULL, 5e5, true},
    {"ga16_b2", "glasses", "spin glass 16 x 16, normal couplings, beta 2",
     "valleys that differ by clusters of any shape", ELIMINATION, NULL, 5e5,
     false},
    {"slab_b2", "glasses", "spin glass 4 x 4 x 12, beta 2",
     "three dimensions, where clusters percolate", ELIMINATION, NULL, 5e5,
     false},
    {"sk22", "glasses", "Sherrington-Kirkpatrick, 22 spins, beta 4",
     "all pairs are coupled", STATES, NULL, 5e5, true},
    {"grid10", "grids", "UAI grid 10 x 10 (Grids_11)",
     "the inference competition's, with the marginals that came with it",
     "its .MAR file", "data/uai/Grids_11.uai", 5e5, true},
    {"grid20", "grids", "UAI grid 20 x 20 (Grids_15)",
     "four times as many coordinates", "its .MAR file", "data/uai/Grids_15.uai",
     3e5, false},
    {"potts3", "glasses", "Potts glass 8 x 8, 3 labels, beta 2",
     "labels that attract and repel", ELIMINATION, NULL, 5e5, false},
    {"pairs64", "mixtures", "the paper's 32 coupled pairs",
     "2^32 modes, each pair a barrier of e^10", "pair by pair", "pairs(d=64)",
     5e5, true},
    {"two_200", "mixtures", "mixture of two, 200 spins",
     "one wide mode and one narrow, of equal mass: e^20 times as many states",
     WEIGHTS, "mixture(k=2,d=200,seed=5,scales=[0.8,1.2])", 5e5, true},
    {"ten_20", "mixtures", "mixture of ten, 200 spins",
     "ten modes of different width and equal mass", WEIGHTS, NULL, 5e5, false},
    {"labels", "mixtures", "black box of 50 labels, four modes",
     "a function of the user; modes of mass .4 .3 .2 .1", WEIGHTS, NULL, 1e6,
     false},
    {"levels", "mixtures", "black box of 40 levels, four modes",
     "the same over ordered values", WEIGHTS, NULL, 1e6, false},
    {"colour", "constraints", "3-coloring, 40 nodes, 80 edges",
     "hard constraints: most single changes are impossible", ELIMINATION, NULL,
     3e5, true},
    {"sat", "constraints", "3-SAT, 24 variables, 84 clauses",
     "hard constraints: few solutions, apart from each other", STATES, NULL,
     3e5, true},
    {"sat_soft", "constraints", "the same, each clause at a cost of 3",
     "soft constraints: solutions behind walls", STATES, NULL, 3e5, false},
    {"select10", "selection", "variable selection, ten twins",
     "either of two predictors that nearly agree: 2^10 modes, each change of "
     "one costs 30 nats",
     "block by block", NULL, 1e5, true},
    {0},
};

const arena_entry *arena_entry_find(const char *name)
{
    for (const arena_entry *e = arena_catalogue; e->name; e++)
        if (strcmp(e->name, name) == 0)
            return e;
    return NULL;
}

bool arena_is_group(const char *name)
{
    for (const arena_entry *e = arena_catalogue; e->name; e++)
        if (strcmp(e->group, name) == 0)
            return true;
    return false;
}
