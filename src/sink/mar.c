/* mar.c - the solution files of the UAI competitions.
 *
 *     MAR            MAP
 *     n k p p ...    n v v ...
 *
 * n variables; for each its number of states and their probabilities, or the
 * index of its state in the best draw.  A variable that was fixed by evidence
 * is written with all its states, as the competitions ask.
 *
 * Draws of a sampler that is not exact say so in a line after the numbers,
 * which readers of the format ignore. Not here: .PR, the log of Z, which draws
 * of one distribution do not give. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/number.h"
#include "sink/file.h"
#include "sink/sink.h"

static void finish_line(const hs_output *out, FILE *to)
{
    fputc('\n', to);
    if (out->is_biased)
        fputs("# NOT EXACT: the draws follow another law than the model's\n",
              to);
}

static bool is_fixed(const hs_output *out, int i)
{
    return out->fixed_at && out->fixed_at[i] >= 0;
}

static hiss_status mar_write(const hs_output *out, const char *path,
                             bool replace, hiss_error *err)
{
    const hs_domain *d = out->domain;
    hs_file file;

    HS_TRY(hs_file_open(&file, path, replace, err));
    fprintf(file.stream, "MAR\n%d", d->dim);
    for (int i = 0; i < d->dim && !ferror(file.stream); i++) {
        int states = is_fixed(out, i) ? out->full_states[i] : d->states[i];

        fprintf(file.stream, " %d", states);
        for (int v = 0; v < states; v++)
            hs_fprintf(file.stream, " %.9g",
                       is_fixed(out, i) ? (double)(v == out->fixed_at[i])
                                        : out->marginal[d->value[i] + v]);
    }
    finish_line(out, file.stream);
    return hs_file_commit(&file, err);
}

/* Finds the draw of highest U. */
static int64_t best_draw(const hs_output *out)
{
    int64_t best = 0;

    for (int64_t n = 0; n < out->chains * out->kept.samples; n++)
        if (out->kept.lp[n] > out->kept.lp[best])
            best = n;
    return best;
}

static int index_of(const hs_output *out, int64_t draw, int i)
{
    const hs_domain *d = out->domain;
    double x = hs_element_at(out->element, out->kept.x, draw * d->dim + i);

    if (is_fixed(out, i))
        return out->fixed_at[i];
    for (int v = 0; v < d->states[i]; v++)
        if ((double)d->values[d->value[i] + v] == x)
            return v;
    return 0;
}

static hiss_status map_write(const hs_output *out, const char *path,
                             bool replace, hiss_error *err)
{
    int64_t best = best_draw(out);
    hs_file file;

    HS_TRY(hs_file_open(&file, path, replace, err));
    fprintf(file.stream, "MAP\n%d", out->domain->dim);
    for (int i = 0; i < out->domain->dim && !ferror(file.stream); i++)
        fprintf(file.stream, " %d", index_of(out, best, i));
    finish_line(out, file.stream);
    return hs_file_commit(&file, err);
}

const hs_sink hs_sink_mar = {
    .name = "mar",
    .suffixes = ".MAR .mar",
    .summary = "UAI: the marginals, accumulated over every step",
    .write = mar_write,
};

const hs_sink hs_sink_map = {
    .name = "map",
    .suffixes = ".MAP .map",
    .summary = "UAI: the best draw",
    .write = map_write,
};
