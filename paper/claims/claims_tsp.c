/* claims_tsp.c - the claims about tours. */
#include <math.h>

#include "paper/claims/claims.h"
#include "paper/support/results.h"

#define T "tsp"

static double mean_of(const json_t *data, const char *row, const char *metric)
{
    return paper_results_mean(data, T, row, metric);
}

static const char *spell(const json_t *data, const char *row,
                         const char *metric)
{
    return paper_spell_metric(data, T, row, metric);
}

/* The lowest of the five, by more than chance, and near the optimum. */
static paper_verdict judge_cost(const json_t *data, FILE *out)
{
    static const char *const others[] = {"gwg", "dmala", "acs", "pt"};
    bool is_lowest = true;

    for (int i = 0; i < 4; i++)
        is_lowest = is_lowest &&
                    paper_is_lower(data, T, "hiss", others[i], "distinct_cost");
    fprintf(
        out,
        "Mean length of distinct tours: GWG %s, DMALA %s, ACS %s, PT %s, "
        "HiSS %s; random tours have %s. The shortest that a chain of HiSS "
        "met is on average %s %% above the optimum %.4f. On permutations "
        "2-opt mixed with HiSS on keys finds the optimum (gap %s %%) and "
        "its mean length is %s; exactly it is %.4f.",
        spell(data, "gwg", "distinct_cost"),
        spell(data, "dmala", "distinct_cost"),
        spell(data, "acs", "distinct_cost"), spell(data, "pt", "distinct_cost"),
        spell(data, "hiss", "distinct_cost"),
        spell(data, "random", "mean_cost"), spell(data, "hiss", "gap"),
        mean_of(data, "exact", "best_cost"), spell(data, "permutation", "gap"),
        spell(data, "permutation", "mean_cost"),
        mean_of(data, "exact", "mean_cost"));
    return is_lowest && mean_of(data, "hiss", "gap") < 1 ? PAPER_HOLDS
           : is_lowest                                   ? PAPER_OTHER_NUMBER
                                                         : PAPER_FAILS;
}

static paper_verdict judge_diversity(const json_t *data, FILE *out)
{
    double hiss = mean_of(data, "hiss", "unique");

    fprintf(out,
            "Distinct tours of a chain: GWG %s, DMALA %s, ACS %s, PT %s, HiSS "
            "%s; PMC of HiSS %s and Jaccard %s. Two noised positions instead "
            "of all: %s tours. On permutations: %s.",
            spell(data, "gwg", "unique"), spell(data, "dmala", "unique"),
            spell(data, "acs", "unique"), spell(data, "pt", "unique"),
            spell(data, "hiss", "unique"), spell(data, "hiss", "pmc"),
            spell(data, "hiss", "jaccard"), spell(data, "onehot", "unique"),
            spell(data, "permutation", "unique"));
    fprintf(out,
            " The records of 100,000 random tours, each shorter than all "
            "before it: %s tours of mean length %s, PMC %s, Jaccard %s.",
            spell(data, "random_search", "unique"),
            spell(data, "random_search", "distinct_cost"),
            spell(data, "random_search", "pmc"),
            spell(data, "random_search", "jaccard"));
    return fabs(hiss - 11) < 2 ? PAPER_HOLDS
           : hiss > 4          ? PAPER_OTHER_NUMBER
                               : PAPER_FAILS;
}

/* The smallest eta at which some chain has two tours: in short runs they stand
 * still below. */
static const char *least_eta(const json_t *data)
{
    static const char *const rows[] = {"onehot_eta_0.1", "onehot_eta_0.15",
                                       "onehot_eta_0.2"};
    int first = 0;

    while (first < 2 && isnan(mean_of(data, rows[first], "pmc")))
        first++;
    return rows[first];
}

static paper_verdict judge_eta(const json_t *data, FILE *out)
{
    const char *least = least_eta(data);

    fprintf(
        out,
        "One-hot at eta = 0.1, 0.2 and 10: PMC %s, %s and %s, Jaccard %s, %s "
        "and %s. ",
        spell(data, "onehot_eta_0.1", "pmc"),
        spell(data, "onehot_eta_0.2", "pmc"),
        spell(data, "onehot_eta_10", "pmc"),
        spell(data, "onehot_eta_0.1", "jaccard"),
        spell(data, "onehot_eta_0.2", "jaccard"),
        spell(data, "onehot_eta_10", "jaccard"));
    fprintf(out,
            "Distinct tours of a chain at eta = 0.1, 0.2, 0.5, 2, 10: %s, "
            "%s, %s, %s, %s.",
            spell(data, "onehot_eta_0.1", "unique"),
            spell(data, "onehot_eta_0.2", "unique"),
            spell(data, "onehot_eta_0.5", "unique"),
            spell(data, "onehot_eta_2", "unique"),
            spell(data, "onehot_eta_10", "unique"));
    fprintf(out,
            " With keys at eta = 0.02, 0.1, 0.5, 2: %s, %s, %s, %s, and the "
            "mean length %s, %s, %s, %s.",
            spell(data, "keys_eta_0.02", "unique"),
            spell(data, "keys_eta_0.1", "unique"),
            spell(data, "keys_eta_0.5", "unique"),
            spell(data, "keys_eta_2", "unique"),
            spell(data, "keys_eta_0.02", "mean_cost"),
            spell(data, "keys_eta_0.1", "mean_cost"),
            spell(data, "keys_eta_0.5", "mean_cost"),
            spell(data, "keys_eta_2", "mean_cost"));
    return mean_of(data, least, "pmc") <
                       mean_of(data, "onehot_eta_10", "pmc") &&
                   mean_of(data, "onehot_eta_10", "jaccard") <
                       mean_of(data, least, "jaccard")
               ? PAPER_HOLDS
               : PAPER_FAILS;
}

static paper_verdict judge_landscape(const json_t *data, FILE *out)
{
    double optima = mean_of(data, "landscape", "local_optima");
    double rise = mean_of(data, "landscape", "rise_out_of_the_shortest");
    double share = mean_of(data, "exact", "best_share");

    fprintf(out,
            "20,000 descents by 2-opt end in %.0f closed tours, %.0f %% of "
            "them in the shortest (%.4f, the next %.4f). The cheapest move out "
            "of it is %.3f longer. At T = 1 it has %.0f %% of the mass.",
            optima, 100 * mean_of(data, "landscape", "share_in_the_shortest"),
            mean_of(data, "landscape", "shortest"),
            mean_of(data, "landscape", "second_shortest"), rise, 100 * share);
    return paper_judge_parts(
        (const paper_part[]){
            {"there are several local optima, each below its neighbors",
             optima > 1 && rise > 0, PAPER_ALL_READINGS},
            {"several of them have mass at T = 1", share < 0.9,
             PAPER_ALL_READINGS},
            {0}},
        out);
}

const paper_claim paper_claims_tsp[] = {
    {"S1", T, "section 6.3",
     "HiSS achieves the lowest cost with minimal variance, ensuring both "
     "optimality and stability (277.9; the others 337 to 383).",
     judge_cost,
     "With what is no tour rejected, as the text says, a noised state is a "
     "tour with probability 14!/14^14 = 7.8e-6 when eta is large, so that in "
     "10^5 sweeps hardly one is met; every single change of GWG leaves the "
     "tours, and at alpha = 0.02 a change of DMALA costs 50 nats before its "
     "gain. Chains stay where they start: at random tours. The published "
     "code repairs what is no tour, which makes nearly uniform proposals of "
     "it; its 277.9, 45 % above the optimum, is in the range of the records "
     "of a random search (S2).",
     "Table \"Performance comparison of different samplers on the eil14 "
     "dataset\": its column of costs."},
    {"S2", T, "section 6.3",
     "HiSS produces structurally diverse low-cost solutions: PMC 103, Jaccard "
     "0.10, 11 unique tours.",
     judge_diversity,
     "The printed row is what the records of a random search among 10^5 "
     "tours look like, of which there are ln(10^5) + 0.58 = 12. The law at "
     "T = 1 itself has 98 % of its mass on one closed tour: few distinct "
     "tours are what it has to show.",
     "The same table: PMC, Jaccard and unique solutions."},
    {"S3", T, "appendix D.4", "Sample diversity improves as eta increases.",
     judge_eta,
     "The distances between the distinct tours of a chain do grow with eta. "
     "The number of these tours does not: one-hot noise reaches most of them "
     "where it changes two or three positions at a time, about eta = 0.2; "
     "larger noise changes all of them, and what comes out is no tour. Keys "
     "always give tours; there the shortest come at about eta = 0.5, and "
     "larger noise is rejected for its length.",
     "Figure \"Impact of scale of logistic noise on solution quality\": PMC "
     "and Jaccard against eta."},
    {"S4", T, "section 1",
     "The landscape of tours is multimodal: solutions are separated by "
     "barriers.",
     judge_landscape,
     "There are local optima in plenty, but at the temperature of the "
     "experiments the next best tour weighs little against the best. The "
     "problem is hard for search and not an example of modes that share the "
     "mass.",
     "Figure 1, a drawing without numbers: 2-opt local optima and the exact "
     "law of eil14."},
    {0},
};
