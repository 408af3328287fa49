/* tempering.c - what a pilot chose and what tempering found, printed. */
#include "cli/report/tempering.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print/fail.h"

/* The lines of a text. */
static json_t *lines(const char *text)
{
    json_t *array = cli_json_array();

    while (text && *text) {
        size_t length = strcspn(text, "\n");
        char *line = cli_text("%.*s", (int)length, text);

        cli_json_add(array, cli_json_text(line));
        free(line);
        text += length + (text[length] == '\n');
    }
    return array;
}

static json_t *reals(const double *at, int count)
{
    json_t *array = cli_json_array();

    for (int i = 0; i < count; i++)
        cli_json_add(array, cli_json_real(at[i]));
    return array;
}

/* The leg to a learnt reference. */
static json_t *leg_of(const hiss_tempering *t)
{
    json_t *leg = cli_json_object(), *z = cli_json_object();

    cli_json_put(leg, "share", reals(t->leg_share, t->leg));
    cli_json_put(leg, "swap", reals(t->leg_swap, t->leg));
    cli_json_put_real(leg, "barrier", t->leg_barrier);
    cli_json_put_real(z, "mean", t->leg_log_z);
    cli_json_put_real(z, "se", t->leg_log_z_se);
    cli_json_put_bool(z, "agrees", t->leg_agrees != 0);
    cli_json_put(leg, "log_z", z);
    return leg;
}

static void put_levels(json_t *object, const hiss_tempering *t)
{
    json_t *all = cli_json_object(), *z = cli_json_object();

    cli_json_put_whole(all, "levels", t->levels);
    cli_json_put(all, "beta", reals(t->beta, t->levels));
    cli_json_put(all, "swap", reals(t->swap, t->levels - 1));
    cli_json_put(all, "energy", reals(t->energy, t->levels));
    cli_json_put_real(all, "barrier", t->barrier);
    cli_json_put_real(all, "round_trips", t->round_trips);
    if (t->leg > 0)
        cli_json_put(all, "leg", leg_of(t));
    cli_json_put(object, "tempering", all);
    cli_json_put_real(z, "mean", t->log_z);
    cli_json_put_real(z, "se", t->log_z_se);
    cli_json_put_real(z, "thermodynamic", t->log_z_thermodynamic);
    cli_json_put_bool(z, "absolute", t->is_absolute != 0);
    cli_json_put_bool(z, "settled", t->log_z_settled != 0);
    cli_json_put(object, t->is_absolute ? "log_z" : "log_z_ratio", z);
}

void cli_tempering_json(json_t *object, const hiss_result *result)
{
    hiss_tempering t = HISS_INIT(hiss_tempering);

    cli_json_put_text(object, "resolved", hiss_result_resolved(result));
    if (hiss_result_pilot(result))
        cli_json_put(object, "pilot", lines(hiss_result_pilot(result)));
    if (hiss_result_tempering(result, &t))
        put_levels(object, &t);
}

static char *levels_text(const hiss_tempering *t)
{
    double least = 1.0;

    if (t->levels == 1)
        return cli_text("no temperatures, %.0f round trips", t->round_trips);
    for (int j = 0; j + 1 < t->levels; j++)
        least = t->swap[j] < least ? t->swap[j] : least;
    return cli_text("%d temperatures, exchanges %.2f to the next on average "
                    "(least %.2f), barrier %.2f, %.0f round trips",
                    t->levels, 1.0 - t->barrier / (t->levels - 1), least,
                    t->barrier, t->round_trips);
}

static char *leg_text(const hiss_tempering *t)
{
    double least = 1.0;

    for (int j = 0; j < t->leg; j++)
        least = t->leg_swap[j] < least ? t->leg_swap[j] : least;
    return cli_text("%d level%s to the learnt law, exchanges %.2f on average "
                    "(least %.2f), barrier %.2f, log Z %.6g +- %.2g%s",
                    t->leg, t->leg == 1 ? "" : "s",
                    1.0 - t->leg_barrier / t->leg, least, t->leg_barrier,
                    t->leg_log_z, t->leg_log_z_se,
                    t->leg_agrees ? "" : ": the legs DISAGREE");
}

void cli_tempering_text(const hiss_result *result, const hiss_sampler *sampler,
                        void (*print)(const char *label, char *text))
{
    const char *resolved = hiss_result_resolved(result);
    const char *pilot = hiss_result_pilot(result);
    hiss_tempering t = HISS_INIT(hiss_tempering);

    if (pilot && resolved && strcmp(resolved, hiss_sampler_spec(sampler)) != 0)
        print("resolved", cli_text("%s", resolved));
    while (pilot && *pilot) {
        size_t length = strcspn(pilot, "\n");

        print("pilot", cli_text("%.*s", (int)length, pilot));
        pilot += length + (pilot[length] == '\n');
    }
    if (!hiss_result_tempering(result, &t))
        return;
    print("levels", levels_text(&t));
    if (t.leg > 0)
        print("leg", leg_text(&t));
    if (isnan(t.log_z_se))
        print("log Z", cli_text("%.6g%s%s", t.log_z,
                                t.is_absolute ? "" : " above the hottest",
                                t.log_z_settled
                                    ? ""
                                    : ", not settled: without round trips of "
                                      "every chain no error can be given"));
    else
        print("log Z", cli_text("%.6g +- %.2g%s", t.log_z, t.log_z_se,
                                t.is_absolute ? "" : " above the hottest"));
}
