/* scale.c - positions along an axis, and its ticks. */
#include "cli/plot/scale.h"

#include <math.h>
#include <stdio.h>

/* With fewer decades the ticks at 2 and 5 are needed. */
#define SHORT 2.0

double cli_scale_at(const cli_scale *s, double value)
{
    double share = s->is_log ? log(value / s->low) / log(s->high / s->low)
                             : (value - s->low) / (s->high - s->low);

    return s->from + share * (s->to - s->from);
}

double cli_scale_step(double low, double high, int ticks, bool counts)
{
    double rough = (high - low) / ticks;
    double power = pow(10, floor(log10(rough)));
    double part = rough / power;

    power *= part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10;
    return counts && power < 1 ? 1 : power;
}

int cli_scale_number(char *out, size_t size, double at, double step)
{
    return snprintf(out, size, "%.10g", fabs(at) < 1e-9 * step ? 0 : at);
}

static int log_ticks(const cli_scale *s, int about, double *ticks)
{
    static const double parts[] = {1, 2, 5};
    double first = floor(log10(s->low)), last = ceil(log10(s->high));
    int each = log10(s->high / s->low) < SHORT ? 3 : 1, count = 0;
    double step = fmax(1, ceil((last - first) / (1.5 * about)));

    first = ceil(first / step) * step;
    for (double power = first; power <= last; power += step)
        for (int p = 0; p < each && count < CLI_SCALE_TICKS; p++) {
            double at = parts[p] * pow(10, power);

            if (at >= s->low * (1 - 1e-9) && at <= s->high * (1 + 1e-9))
                ticks[count++] = at;
        }
    return count;
}

int cli_scale_ticks(const cli_scale *s, int about, double *ticks)
{
    double step;
    int count = 0;

    if (s->is_log)
        return log_ticks(s, about, ticks);
    step = cli_scale_step(s->low, s->high, about, false);
    for (double at = ceil(s->low / step - 1e-9) * step;
         at <= s->high + 1e-9 * step && count < CLI_SCALE_TICKS; at += step)
        ticks[count++] = fabs(at) < 1e-9 * step ? 0 : at;
    return count;
}
