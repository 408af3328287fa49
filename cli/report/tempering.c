/* tempering.c - prints the choice of a pilot and the results of tempering. */
#include "cli/report/tempering.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print/fail.h"

/* The lines of a text, as a JSON list. */
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

/* The reference path. */
static json_t *path_of(const hiss_tempering *t)
{
    json_t *path = cli_json_object(), *z = cli_json_object();

    cli_json_put(path, "share", reals(t->leg_share, t->leg));
    cli_json_put(path, "swap", reals(t->leg_swap, t->leg));
    cli_json_put_real(path, "barrier", t->leg_barrier);
    cli_json_put_real(z, "mean", t->leg_log_z);
    cli_json_put_real(z, "se", t->leg_log_z_se);
    cli_json_put_bool(z, "agrees", t->leg_agrees != 0);
    cli_json_put(path, "log_z", z);
    return path;
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
    if (t->leg > 0) {
        cli_json_put(all, "path", path_of(t));
        cli_json_put(all, "leg", path_of(t)); /* until 0.3 */
    }
    cli_json_put(object, "tempering", all);
    cli_json_put_real(z, "mean", t->log_z);
    cli_json_put_real(z, "se", t->log_z_se);
    cli_json_put_real(z, "thermodynamic", t->log_z_thermodynamic);
    cli_json_put_bool(z, "absolute", t->is_absolute != 0);
    cli_json_put_bool(z, "settled", t->log_z_settled != 0);
    cli_json_put(object, t->is_absolute ? "log_z" : "log_z_ratio", z);
}

static void put_population(json_t *object, const hiss_population *p)
{
    json_t *all = cli_json_object(), *z = cli_json_object();

    cli_json_put_whole(all, "replicas", p->replicas);
    cli_json_put_whole(all, "temperatures", p->temperatures);
    cli_json_put(all, "beta", reals(p->beta, p->temperatures));
    cli_json_put(all, "counts", reals(p->counts, p->temperatures));
    cli_json_put(all, "resampled", reals(p->resampled, p->temperatures));
    cli_json_put(all, "energy", reals(p->energy, p->temperatures));
    cli_json_put(all, "chain_log_z", reals(p->chain_log_z, p->chains));
    cli_json_put(all, "ess", reals(p->ess, p->chains));
    cli_json_put(all, "rho_t", reals(p->rho_t, p->chains));
    cli_json_put(all, "rho_s", reals(p->rho_s, p->chains));
    cli_json_put(all, "families", reals(p->families, p->chains));
    cli_json_put(object, "population", all);
    cli_json_put_real(z, "mean", p->log_z);
    cli_json_put_real(z, "se", p->log_z_se);
    cli_json_put_bool(z, "absolute", true);
    cli_json_put_bool(z, "settled", true);
    cli_json_put(object, "log_z", z);
}

static void put_network(json_t *object, const hiss_network_weights *w)
{
    json_t *all = cli_json_object(), *z = cli_json_object();

    cli_json_put_whole(all, "bond", w->bond);
    cli_json_put_whole(all, "largest", w->largest);
    cli_json_put_whole(all, "frontier", w->frontier);
    cli_json_put_whole(all, "layers", w->layers);
    cli_json_put_real(all, "discarded", w->discarded);
    cli_json_put_real(all, "proposals", w->proposals);
    cli_json_put_real(all, "acceptance", w->acceptance);
    cli_json_put_real(all, "effective", w->effective);
    cli_json_put_real(all, "log_z", w->log_z);
    cli_json_put_real(all, "log_z_se", w->log_z_se);
    cli_json_put(object, "network", all);
    if (json_object_get(object, "log_z")) { /* of tempering */
        json_decref(z);
        return;
    }
    cli_json_put_real(z, "mean", w->log_z);
    cli_json_put_real(z, "se", w->log_z_se);
    cli_json_put_bool(z, "absolute", true);
    cli_json_put_bool(z, "settled", !isnan(w->log_z_se));
    cli_json_put(object, "log_z", z);
}

void cli_tempering_json(json_t *object, const hiss_result *result)
{
    hiss_tempering t = HISS_INIT(hiss_tempering);
    hiss_population p = HISS_INIT(hiss_population);
    hiss_network_weights w = HISS_INIT(hiss_network_weights);

    cli_json_put_text(object, "resolved", hiss_result_resolved(result));
    if (hiss_result_pilot(result))
        cli_json_put(object, "pilot", lines(hiss_result_pilot(result)));
    if (hiss_result_tempering(result, &t))
        put_levels(object, &t);
    cli_flat_json(object, result);
    if (hiss_result_population(result, &p))
        put_population(object, &p);
    if (hiss_result_network_weights(result, &w))
        put_network(object, &w);
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

static char *path_text(const hiss_tempering *t)
{
    double least = 1.0;

    for (int j = 0; j < t->leg; j++)
        least = t->leg_swap[j] < least ? t->leg_swap[j] : least;
    return cli_text("%d level%s to the learnt law, exchanges %.2f on average "
                    "(least %.2f), barrier %.2f, log Z %.6g +- %.2g%s",
                    t->leg, t->leg == 1 ? "" : "s",
                    1.0 - t->leg_barrier / t->leg, least, t->leg_barrier,
                    t->leg_log_z, t->leg_log_z_se,
                    t->leg_agrees ? "" : ": the paths DISAGREE");
}

static double mean_of(const double *at, int count)
{
    double sum = 0.0;

    for (int i = 0; i < count; i++)
        sum += at[i] / count;
    return sum;
}

static void population_text(const hiss_population *p,
                            void (*print)(const char *label, char *text))
{
    double times = mean_of(p->resampled, p->temperatures) * p->temperatures;

    print("replicas",
          cli_text("%lld per chain, %d temperatures, resampled %.3g "
                   "times; %.2f of them count at each",
                   (long long)p->replicas, p->temperatures, times,
                   mean_of(p->counts, p->temperatures)));
    print("families",
          cli_text("%.4g left of %lld, rho_t %.3g, rho_s %.3g",
                   mean_of(p->families, p->chains), (long long)p->replicas,
                   mean_of(p->rho_t, p->chains), mean_of(p->rho_s, p->chains)));
    if (isnan(p->log_z_se))
        print("log Z", cli_text("%.6g, without an error: one chain", p->log_z));
    else
        print("log Z", cli_text("%.6g +- %.2g", p->log_z, p->log_z_se));
}

static void network_text(const hiss_network_weights *w,
                         void (*print)(const char *label, char *text))
{
    print("network", cli_text("bond %d (%d needed), frontier %d, %.2g of the "
                              "squared weight left out",
                              w->bond, w->largest, w->frontier, w->discarded));
    print("weights", cli_text("%.3f of %.0f proposals count, %.3f accepted",
                              w->effective, w->proposals, w->acceptance));
    if (isnan(w->log_z_se))
        print("log Z", cli_text("%.10g, without an error: too few proposals "
                                "count",
                                w->log_z));
    else
        print("log Z", cli_text("%.10g +- %.2g", w->log_z, w->log_z_se));
}

void cli_tempering_text(const hiss_result *result, const hiss_sampler *sampler,
                        void (*print)(const char *label, char *text))
{
    const char *resolved = hiss_result_resolved(result);
    const char *pilot = hiss_result_pilot(result);
    hiss_tempering t = HISS_INIT(hiss_tempering);
    hiss_population p = HISS_INIT(hiss_population);
    hiss_network_weights w = HISS_INIT(hiss_network_weights);

    if (pilot && resolved && strcmp(resolved, hiss_sampler_spec(sampler)) != 0)
        print("resolved", cli_text("%s", resolved));
    while (pilot && *pilot) {
        size_t length = strcspn(pilot, "\n");

        print("pilot", cli_text("%.*s", (int)length, pilot));
        pilot += length + (pilot[length] == '\n');
    }
    cli_flat_text(result, print);
    if (hiss_result_population(result, &p))
        population_text(&p, print);
    if (hiss_result_network_weights(result, &w))
        network_text(&w, print);
    if (!hiss_result_tempering(result, &t))
        return;
    print("levels", levels_text(&t));
    if (t.leg > 0)
        print("reference path", path_text(&t));
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
