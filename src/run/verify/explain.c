/* explain.c - explains a failure: which states gain and lose.
 *
 * If the distribution is kept, a state is entered as often as it is left.
 * Given the sum of the two, the entries are binomial with probability 1/2: a
 * sign test for every state. */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "diag/tests/paired.h"
#include "run/verify/judge.h"
#include "run/verify/stationary.h"

#define FLOWS_MAX  16
#define BY_CHANCE  0.01 /* fraction of all states together */
#define ONE_WAY    24   /* left this often and never entered: p = 2^-23 */
#define SURE_Z     6.0
#define SOUND      1e-3 /* above this p the first calls keep the distribution */
#define MEMBERS    16   /* most coordinates printed of a state */
#define STATE_TEXT 160

/* The counts of one state, in a trial. */
struct flow {
    int64_t state, entered, left;
    double z;
};

static struct flow flow_of(const hs_tally *t, int64_t n)
{
    struct flow f = {.state = n,
                     .entered = t->count[n] - t->stayed[n],
                     .left = t->began[n] - t->stayed[n]};
    double all = (double)(f.entered + f.left);

    f.z = all > 0.0 ? (double)(f.entered - f.left) / sqrt(all) : 0.0;
    return f;
}

/* Prints "(0 1 0 0)", cut short. */
static const char *state_text(const hs_exact *e, int64_t n,
                              char text[STATE_TEXT])
{
    int used = hs_snprintf(text, STATE_TEXT, "(");
    int16_t *x = hs_alloc_array((size_t)e->dim, sizeof *x);

    if (!x)
        return "";
    hs_exact_state(e, n, x);
    for (int i = 0; i < e->dim && i < MEMBERS; i++)
        used +=
            hs_snprintf(text + used, STATE_TEXT - (size_t)used, "%s%.4g",
                        i ? " " : "", (double)e->values[e->first[i] + x[i]]);
    hs_snprintf(text + used, STATE_TEXT - (size_t)used,
                e->dim > MEMBERS ? " ...)" : ")");
    hs_free(x);
    return text;
}

/* Lists the most significant of them, by falling |z|. */
static int surest(const hs_tally *t, struct flow *out)
{
    int count = 0;

    for (int64_t n = 0; n < t->states; n++) {
        struct flow f = flow_of(t, n);
        int at = count;

        if (f.z == 0.0 ||
            (count == FLOWS_MAX && fabs(f.z) <= fabs(out[FLOWS_MAX - 1].z)))
            continue;
        count += count < FLOWS_MAX;
        at = at < FLOWS_MAX ? at : FLOWS_MAX - 1;
        for (; at > 0 && fabs(out[at - 1].z) < fabs(f.z); at--)
            out[at] = out[at - 1];
        out[at] = f;
    }
    while (count > 0 && hs_sign_p(out[count - 1].entered, out[count - 1].left) *
                                (double)t->states >
                            BY_CHANCE)
        count--;
    return count;
}

static hiss_status keep_flows(hs_verdict *out, const hs_counted *trial,
                              hiss_error *err)
{
    const hs_tally *t = trial->tally;
    struct flow found[FLOWS_MAX];
    int dim = out->exact.dim, count = surest(t, found);
    double n = (double)t->replicates;

    out->flow = hs_alloc_array((size_t)count, sizeof *out->flow);
    out->value =
        hs_alloc_array((size_t)count * (size_t)dim, sizeof *out->value);
    if (!out->flow || !out->value)
        return hs_fail_memory(err);
    for (int i = 0; i < count; i++) {
        double *values = out->value + (size_t)i * (size_t)dim;

        hs_exact_values(&out->exact, found[i].state, values);
        out->flow[i] = (hiss_verify_flow){
            .size = sizeof out->flow[i],
            .values = values,
            .p = t->law[0].p[found[i].state],
            .entered = (double)found[i].entered / n,
            .left = (double)found[i].left / n,
            .z = found[i].z,
            .steps = trial->steps,
        };
    }
    out->flows = count;
    return HISS_OK;
}

/* --- sentences ---------------------------------------------------------- */

static void begin(hs_text *t)
{
    if (t->length > 0)
        hs_text_add_string(t, "; ");
}

static void tell_impossible(hs_text *text, const hs_verdict *v,
                            const hs_counted *trial)
{
    const hs_tally *t = trial->tally;
    char state[STATE_TEXT];
    int64_t replicates = 0, first = -1;

    for (int64_t n = 0; n < t->states; n++)
        if (t->law[0].p[n] == 0.0 && t->count[n] > 0) {
            first = first < 0 ? n : first;
            replicates += t->count[n];
        }
    if (first < 0)
        return;
    begin(text);
    hs_text_print(text,
                  "%lld of %lld replicates ended in states of probability 0, "
                  "%s for one",
                  (long long)replicates, (long long)t->replicates,
                  state_text(&v->exact, first, state));
}

/* Explains the case that each application keeps the distribution, but not all
 * of them together. */
static void tell_memory(hs_text *text, const hs_verdict *v,
                        const hs_counted *trial)
{
    if (v->adapts[0]) {
        begin(text);
        hs_text_add_string(text, v->adapts);
    }
    if (!v->is_memory_shown)
        return;
    begin(text);
    hs_text_print(text,
                  "one application keeps the law, and so do %lld of them to "
                  "states that change places in between: what breaks it is "
                  "what the kernel keeps from one call to the next "
                  "(adaptation that goes on, values of an earlier state), or "
                  "random numbers that are the same in every call",
                  (long long)trial->steps);
}

/* The largest |z| of the difference between late and first calls, over U and
 * all indicators. */
static double apart(hs_shift *late, hs_shift *once)
{
    double n = (double)late->replicates, m = (double)once->replicates;
    double change = (double)late->sum[0] / n - (double)once->sum[0] / m;
    double variance =
        (double)late->squares[0] / (n * n) + (double)once->squares[0] / (m * m);
    double most = variance > 0.0 ? fabs(change) / sqrt(variance) : 0.0;

    for (int k = 0; k < once->features->count; k++) {
        int64_t up, down, up_once, down_once;

        hs_flips_total(&late->flips[0], k, &up, &down);
        hs_flips_total(&once->flips[0], k, &up_once, &down_once);
        change = (double)(up - down) / n - (double)(up_once - down_once) / m;
        variance = (double)(up + down) / (n * n) +
                   (double)(up_once + down_once) / (m * m);
        if (variance > 0.0)
            most = fmax(most, fabs(change) / sqrt(variance));
    }
    return most;
}

/* The first trial of late calls that does not keep the distribution although
 * the first calls do, and that differs from them: a small bias missed at first
 * does not count.  NULL if there is none. */
static const hs_counted *find_worn(const hs_verdict *v, const hs_counted *trial,
                                   int trials)
{
    double members = 1.0 + trial[0].shift->features->count;

    for (int i = 1; i < trials && hs_judge_p(v, &trial[0]) > SOUND; i++)
        if (trial[i].late > 0 && hs_judge_p(v, &trial[i]) <= HS_VERIFY_P &&
            erfc(apart(trial[i].shift, trial[0].shift) / sqrt(2.0)) * members <
                BY_CHANCE)
            return &trial[i];
    return NULL;
}

static void tell_worn(hs_text *text, const hs_counted *trial)
{
    if (!trial)
        return;
    begin(text);
    hs_text_print(text,
                  "right at first, wrong after %lld calls: adaptation that "
                  "never stops, or a state that is kept between calls?",
                  (long long)trial->late);
}

/* Describes states that transitions only enter or only leave. */
static void tell_one_way(hs_text *text, const hs_verdict *v,
                         const hs_counted *trial, bool is_out)
{
    const hs_tally *t = trial->tally;
    char state[STATE_TEXT];
    double mass = 0.0, high = -HUGE_VAL;
    int64_t count = 0, first = -1, below = 0;

    for (int64_t n = 0; n < t->states; n++) {
        struct flow f = flow_of(t, n);

        if ((is_out ? f.left : f.entered) < ONE_WAY ||
            (is_out ? f.entered : f.left) > 0 || t->law[0].p[n] == 0.0)
            continue;
        if (first < 0 || t->law[0].p[n] > t->law[0].p[first])
            first = n;
        mass += t->law[0].p[n];
        high = fmax(high, v->exact.u[n]);
        count++;
    }
    if (count == 0)
        return;
    for (int64_t n = 0; n < t->states; n++)
        below += t->law[0].p[n] > 0.0 && v->exact.u[n] <= high;
    begin(text);
    hs_text_print(
        text,
        "%lld state%s that hold%s %.2g of the law, %s for one, "
        "%s %s",
        (long long)count, count == 1 ? "" : "s", count == 1 ? "s" : "", mass,
        state_text(&v->exact, first, state), count == 1 ? "is" : "are",
        is_out ? "left and never entered" : "entered and never left");
    if (is_out && below <= 2 * count)
        hs_text_add_string(text, "; they are those of the lowest U: a "
                                 "probability that underflows?");
}

/* once: counts of the transitions that give the stationary distribution; NULL
 * if unknown. */
static void tell_energy(hs_text *text, const hs_verdict *v,
                        const hs_counted *once, const hs_counted *trial)
{
    hs_verify_test u;
    double beta;

    if (!hs_shift_test(trial->shift, HS_SHIFT_U, &u) ||
        !(fabs(u.chi2.statistic) > SURE_Z))
        return;
    begin(text);
    hs_text_print(text, "mass goes to states of %s U: its mean %s by %.3g sd",
                  u.change < 0.0 ? "lower" : "higher",
                  u.change < 0.0 ? "falls" : "rises", fabs(u.change));
    if (once && !v->is_memory_shown &&
        hs_stationary_beta(v, once->tally, &beta))
        hs_text_print(text, ", and it converges to about e^(%.3g U)", beta);
}

/* Describes the indicator with the most significant change: "x.1 = x.2 is more
 * frequent". */
static void tell_worst(hs_text *text, const hs_counted *trial)
{
    static const hs_shift_family families[] = {HS_SHIFT_MARGINALS,
                                               HS_SHIFT_PAIRS};
    const char *before = "";
    bool is_right[2] = {false, false};

    for (int k = 0; k < 2; k++) {
        hs_verify_test one;

        if (!hs_shift_test(trial->shift, families[k], &one))
            continue;
        is_right[k] = one.chi2.p > BY_CHANCE;
        if (!(fabs(one.chi2.statistic) > SURE_Z) || !*one.worst)
            continue;
        if (!*before)
            begin(text);
        hs_text_print(text, "%sP(%s) %s by %.2g", before, one.worst,
                      one.change < 0.0 ? "falls" : "rises", fabs(one.change));
        before = ", ";
    }
    if (*before && is_right[0] && !is_right[1])
        hs_text_add_string(text, ", while single coordinates keep their law");
}

/* Describes the indicator in which calls differ most significantly: the sum of
 * squares over calls, minus that of their mean. */
static void tell_shared(hs_text *text, const hs_counted *trial)
{
    hs_shift *s = trial->shift;
    int count = s->features->count, worst = -1;
    double least = BY_CHANCE * BY_CHANCE;
    char name[80];

    for (int k = 0; k < count && trial->has_calls; k++) {
        int64_t up, down, df;
        double statistic = hs_flips_spread(&s->flips[0], k, &df), p;

        hs_flips_total(&s->flips[0], k, &up, &down);
        if (up + down == 0 || df < 2)
            continue;
        statistic -=
            (double)(up - down) * (double)(up - down) / (double)(up + down);
        p = hs_spread_p(statistic, df - 1) * count;
        if (p < least) {
            least = p;
            worst = k;
        }
    }
    if (worst < 0)
        return;
    hs_feature_name(s->features, worst, name, sizeof name);
    begin(text);
    hs_text_print(text,
                  "calls differ from each other by more than chance, most in "
                  "%s: states of one call have random numbers in common",
                  name);
}

static void tell_stillness(hs_text *text, const hs_counted *trial)
{
    const hs_tally *t = trial->tally;

    begin(text);
    if (t->moved == 0)
        hs_text_print(text,
                      "none of %lld states moved: a ratio that is NaN, or a "
                      "proposal that is never accepted?",
                      (long long)t->replicates);
    else
        hs_text_print(text,
                      2 * t->moved < t->replicates
                          ? "only %lld of %lld states moved"
                          : "%lld of %lld states moved, nearly all of them to "
                            "states of the same U: of the others this says "
                            "nothing",
                      (long long)t->moved, (long long)t->replicates);
}

hiss_status hs_explain(hs_verdict *out, const hs_counted *trial, int trials,
                       hiss_error *err)
{
    const hs_counted *at = &trial[hs_judge_worst(out, trial, trials)];
    const hs_counted *worn;
    hs_text text = {0};

    hs_free(out->reason);
    out->reason = NULL;
    if (out->result.verdict == HISS_KEPT)
        return HISS_OK;
    if (out->result.verdict == HISS_UNDECIDED) {
        tell_stillness(&text, &trial[0]);
    } else {
        if (!out->flow)
            HS_TRY(keep_flows(out, at, err));
        worn = find_worn(out, trial, trials);
        out->result.has_memory |= worn != NULL;
        tell_worn(&text, worn);
        tell_memory(&text, out, at);
        tell_impossible(&text, out, at);
        tell_one_way(&text, out, at, true);
        tell_one_way(&text, out, at, false);
        tell_energy(&text, out, worn ? NULL : &trial[0], at);
        tell_worst(&text, at);
        tell_shared(&text, at);
    }
    if (text.length == 0 && !text.failed)
        return HISS_OK;
    out->reason = hs_text_take(&text);
    return out->reason ? HISS_OK : hs_fail_memory(err);
}
