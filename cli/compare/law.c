/* law.c - how far draws are from a law that is known exactly.
 *
 * The probability of a state that was drawn is exp(U - log Z), and the states
 * that were not drawn have the rest of the mass:
 *     TVD = 1/2 [ sum_seen |f - p| + 1 - sum_seen p ]. */
#include "cli/compare/law.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print/fail.h"
#include "cli/print/state.h"

struct cli_law_entry {
    const char *state; /* borrowed: the bytes of a draw; NULL: empty */
    double u;
    int64_t count;
};

hiss_status cli_law_init(cli_law *law, const hiss_model *model, int threads,
                         hiss_error *err)
{
    hiss_status status;

    *law = (cli_law){.model = model};
    status = hiss_exact_quick(&law->exact, model, threads, err);
    if (status != HISS_OK || !law->exact)
        return status;
    law->log_z = hiss_exact_log_z(law->exact);
    law->has_states = cli_state_count(model) <= CLI_LAW_STATES;
    if (law->has_states) {
        law->room = 4 * (int)cli_state_count(model);
        law->entry = cli_alloc((size_t)law->room, sizeof *law->entry);
    }
    return HISS_OK;
}

void cli_law_clear(cli_law *law)
{
    hiss_exact_destroy(law->exact);
    free(law->entry);
    *law = (cli_law){0};
}

const char *cli_law_metric(const cli_law *law)
{
    if (!law->exact)
        return NULL;
    return law->has_states ? "tvd" : "marginal_error";
}

static size_t element_size(hiss_element element)
{
    return element == HISS_INT8 ? 1 : element == HISS_INT16 ? 2 : 4;
}

static void note_state(cli_law *law, const char *state, size_t size, double u)
{
    uint64_t h = 0xcbf29ce484222325u;
    struct cli_law_entry *e;

    for (size_t b = 0; b < size; b++)
        h = (h ^ (unsigned char)state[b]) * 0x100000001b3u;
    h ^= h >> 29;
    for (int at = (int)(h % (uint64_t)law->room);; at = (at + 1) % law->room) {
        e = &law->entry[at];
        if (!e->state) {
            e->state = state;
            e->u = u;
        }
        if (memcmp(e->state, state, size) == 0)
            break;
    }
    e->count++;
}

static double state_distance(cli_law *law, const hiss_result *result, int first,
                             int chains, int64_t n)
{
    hiss_run_info info = HISS_INIT(hiss_run_info);
    const char *draws = hiss_result_draws(result);
    const double *lp = hiss_result_lp(result);
    double apart = 0, mass = 0;
    size_t size;

    hiss_result_info(result, &info);
    size = element_size(info.element) * (size_t)info.dim;
    law->seen = 0;
    memset(law->entry, 0, (size_t)law->room * sizeof *law->entry);
    for (int c = first; c < first + chains; c++)
        for (int64_t d = 0; d < n; d++) {
            size_t at = (size_t)(c * info.samples + d);

            note_state(law, draws + at * size, size, lp[at]);
        }
    for (int e = 0; e < law->room; e++)
        if (law->entry[e].state) {
            double p = exp(law->entry[e].u - law->log_z);

            apart +=
                fabs((double)law->entry[e].count / (double)(chains * n) - p);
            mass += p;
            law->seen++;
        }
    return 0.5 * (apart + fabs(1 - mass));
}

/* Total variation of the marginal of one coordinate. */
static double marginal_distance(const cli_law *law, const hiss_result *result,
                                int coordinate, const double *column,
                                int64_t count)
{
    const double *p = hiss_exact_marginal(law->exact, coordinate);
    double apart = 0;

    for (int s = 0; s < hiss_result_states(result, coordinate); s++) {
        double value = hiss_result_value(result, coordinate, s);
        int64_t seen = 0;

        for (int64_t d = 0; d < count; d++)
            seen += column[d] == value;
        apart += fabs((double)seen / (double)count - p[s]);
    }
    return 0.5 * apart;
}

static double mean_marginal(const cli_law *law, const hiss_result *result,
                            int first, int chains, int64_t n)
{
    hiss_run_info info = HISS_INIT(hiss_run_info);
    double *column, *block, sum = 0;

    hiss_result_info(result, &info);
    column =
        cli_alloc((size_t)info.chains * (size_t)info.samples, sizeof *column);
    block = cli_alloc((size_t)chains * (size_t)n, sizeof *block);
    for (int i = 0; i < info.dim; i++) {
        hiss_result_column(result, i, column);
        for (int c = 0; c < chains; c++)
            memcpy(block + c * n, column + (first + c) * info.samples,
                   (size_t)n * sizeof *block);
        sum += marginal_distance(law, result, i, block, chains * n);
    }
    free(block);
    free(column);
    return sum / info.dim;
}

double cli_law_distance(cli_law *law, const hiss_result *result, int first,
                        int chains, int64_t n)
{
    if (law->has_states)
        return state_distance(law, result, first, chains, n);
    return mean_marginal(law, result, first, chains, n);
}
