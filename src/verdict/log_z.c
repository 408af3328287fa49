/* log_z.c - judges the log Z of tempering or of a population: by its two paths,
 * by its error, and by the exact value if there is one. */
#include <math.h>

#include "verdict/verdict.h"

#define PATHS_AGREE 4.0 /* errors; the run decides (tempering_report.c) */
#define LOG_Z_OFF   0.1 /* and HS_SIGMAS */

static double real(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static double number(const json_t *object, const char *key)
{
    return real(json_object_get(object, key));
}

/* A value of the reference path, which older files call "leg". */
static const json_t *path_entry(const json_t *t, const char *now,
                                const char *old)
{
    const json_t *value = json_object_get(t, now);

    return value ? value : json_object_get(t, old);
}

/* Reports that the temperature path and the reference path give different
 * values: one of them misses a mode, or has not burned in. */
static void judge_paths(hiss_diagnosis *d, const json_t *t)
{
    double log_z = number(t, "log_z"),
           path = real(path_entry(t, "path_log_z", "leg_log_z"));
    double se = hypot(number(t, "log_z_se"),
                      real(path_entry(t, "path_log_z_se", "leg_log_z_se")));

    if (!json_is_false(path_entry(t, "path_agrees", "leg_agrees")))
        return;
    hs_find(d, "paths of tempering", HISS_DOUBT, fabs(log_z - path) / se,
            PATHS_AGREE,
            "log Z is %.6g by temperatures and %.6g by the path to the "
            "learned reference",
            log_z, path);
    hs_find_need(d, HISS_NEED_DRAWS, 4.0);
}

/* Skips a log Z without an error. */
static void skip_log_z(hiss_diagnosis *d, const hs_evidence *e,
                       const json_t *tempering)
{
    if (tempering)
        hs_find(d, "log Z", HISS_SKIPPED, number(tempering, "round_trips"), NAN,
                "log Z has no error: %.0f round trips of %d chains",
                number(tempering, "round_trips"), e->result->run.info.chains);
    else
        hs_find(d, "log Z", HISS_SKIPPED, NAN, NAN,
                "log Z has no error: there is one population only");
}

void hs_judge_log_z(hiss_diagnosis *d, const hs_evidence *e,
                    const hiss_exact *exact)
{
    const json_t *tempering = json_object_get(e->result->manifest, "tempering");
    const json_t *t = tempering
                          ? tempering
                          : json_object_get(e->result->manifest, "population");
    double log_z = number(t, "log_z"), se = number(t, "log_z_se"), off;

    if (isnan(log_z) || !json_is_true(json_object_get(t, "absolute")))
        return;
    judge_paths(d, t);
    if (isnan(se)) {
        skip_log_z(d, e, tempering);
        return;
    }
    if (!exact)
        return;
    off = fabs(log_z - hiss_exact_log_z(exact));
    if (off > LOG_Z_OFF && off > HS_SIGMAS * se) {
        hs_find(d, "log Z", HISS_FAILED, off / se, HS_SIGMAS,
                "log Z is off by %.3g, %.1f of its errors", off, off / se);
        hs_find_need(d, HISS_NEED_DRAWS, 4.0);
    } else {
        hs_find(d, "log Z", HISS_PASSED, off / se, HS_SIGMAS,
                "log Z agrees with the exact one: off by %.2g, %.1f of its "
                "errors",
                off, off / se);
    }
}
