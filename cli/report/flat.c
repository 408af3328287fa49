/* flat.c - prints the results of multicanonical sampling. */
#include "cli/report/tempering.h"

#include <math.h>
#include <string.h>

#include "cli/print/fail.h"

#define BARS 60 /* columns of the histogram */

static json_t *reals(const double *at, int count)
{
    json_t *array = cli_json_array();

    for (int i = 0; i < count; i++)
        cli_json_add(array, cli_json_real(at[i]));
    return array;
}

void cli_flat_json(json_t *object, const hiss_result *result)
{
    hiss_multicanonical f = HISS_INIT(hiss_multicanonical);
    json_t *all, *z;

    if (!hiss_result_multicanonical(result, &f))
        return;
    all = cli_json_object();
    z = cli_json_object();
    cli_json_put(all, "u", reals(f.u, f.cells));
    cli_json_put(all, "histogram", reals(f.histogram, f.cells));
    cli_json_put(all, "target", reals(f.target, f.cells));
    if (f.has_phases)
        cli_json_put(all, "phases", reals(f.phase, 2));
    cli_json_put_real(all, "valley", f.valley);
    cli_json_put_real(all, "barrier", f.barrier);
    cli_json_put_real(all, "share", f.share);
    cli_json_put_real(all, "share_se", f.share_se);
    cli_json_put_real(all, "gap", f.gap);
    cli_json_put_real(all, "round_trips", f.round_trips);
    cli_json_put(object, "multicanonical", all);
    cli_json_put_real(z, "mean", f.log_z);
    cli_json_put_real(z, "se", f.log_z_se);
    cli_json_put_bool(z, "absolute", f.is_absolute != 0);
    cli_json_put_bool(z, "settled", f.log_z_settled != 0);
    cli_json_put(object, f.is_absolute ? "log_z" : "log_z_ratio", z);
}

/* The target's histogram on a logarithmic scale, in steps of an eighth of
 * e^8. */
static char *bars(const hiss_multicanonical *f)
{
    static const char *const bar[] = {" ",      "\u2581", "\u2582",
                                      "\u2583", "\u2584", "\u2585",
                                      "\u2586", "\u2587", "\u2588"};
    int columns = f->cells < BARS ? f->cells : BARS;
    char text[BARS * 4 + 1] = "";
    double height[BARS] = {0}, top = 0.0;

    for (int n = 0; n < f->cells; n++) {
        double *at = &height[(int)((int64_t)n * columns / f->cells)];

        *at = fmax(*at, f->target[n]);
        top = fmax(top, *at);
    }
    for (int n = 0; n < columns; n++) {
        double level = 8.0 + log(height[n] / top);

        strcat(text, bar[level > 0.0 ? (int)ceil(fmin(level, 8.0)) : 0]);
    }
    return cli_text("%.5g |%s| %.5g  (log scale, 8 units high)", f->u[0], text,
                    f->u[f->cells - 1]);
}

void cli_flat_text(const hiss_result *result,
                   void (*print)(const char *label, char *text))
{
    hiss_multicanonical f = HISS_INIT(hiss_multicanonical);

    if (!hiss_result_multicanonical(result, &f))
        return;
    print("log p", bars(&f));
    if (f.has_phases) {
        print("phases",
              cli_text("at log p %.5g and %.5g, least likely %.5g between; "
                       "barrier %.3g",
                       f.phase[0], f.phase[1], f.valley, f.barrier));
        print("", cli_text("%.4f +- %.2g of the draws above it; %.0f round "
                           "trips",
                           f.share, f.share_se, f.round_trips));
    } else {
        print("phases", cli_text("one; %.0f round trips between the ends",
                                 f.round_trips));
    }
    if (isnan(f.log_z_se))
        print("log Z",
              cli_text("%.6g, not settled: without round trips of every chain "
                       "no error can be given",
                       f.log_z));
    else
        print("log Z", cli_text("%.6g +- %.2g", f.log_z, f.log_z_se));
}
