/* advice.c - advises one call that would help.
 *
 * tests/cli/test_advice.py tries each advice: a run that is not trusted, the
 * advised call, and a run that is trusted.  If the model can be solved exactly,
 * the advice is to solve it and nothing else. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "api/object/objects.h"
#include "base/alloc.h"
#include "base/ascii.h"
#include "base/text.h"

/* times as long, if nothing shows how much is missing */
#define LONGER     4
#define TIMES_MAX  1024 /* most times as many steps */
#define HOPELESS   32.0 /* times: beyond this another sampler is better */
#define USUAL      1000 /* draws of each chain, stored without thinning */
#define SOON       60.0 /* seconds: longer exact answers are not advised */
#define SPEC_USUAL "auto"

/* A run to be advised; default options are not written. */
struct call {
    char *sampler; /* owned */
    int chains;    /* 0 for the default */
    int64_t samples, thin;
    uint64_t seed;
};

/* --- words -------------------------------------------------------------- */

static void add_shell(hs_text *t, const char *word)
{
    static const char marks[] = "%+,-./:=@_";
    bool is_plain = *word;

    for (const char *c = word; *c; c++)
        is_plain = is_plain &&
                   (hs_is_letter(*c) || hs_is_digit(*c) || strchr(marks, *c));
    if (is_plain) {
        hs_text_add_string(t, word);
        return;
    }
    hs_text_add_char(t, '\'');
    for (; *word; word++)
        if (*word == '\'')
            hs_text_add_string(t, "'\\''");
        else
            hs_text_add_char(t, *word);
    hs_text_add_char(t, '\'');
}

static void add_option(hs_text *t, const char *name, const char *value)
{
    if (!value)
        return;
    hs_text_print(t, " --%s ", name);
    add_shell(t, value);
}

/* Adds a command such as "hiss exact grid.uai --evidence grid.evid", with the
 * run's own options. */
static void add_command(hs_text *t, const char *verb, const hiss_result *r)
{
    const char *word = hiss_result_text(r, "word");
    const json_t *beta = json_object_get(r->manifest, "beta");

    hs_text_print(t, "hiss %s ", verb);
    if (word && strcmp(word, "-") != 0)
        add_shell(t, word);
    else
        hs_text_add_string(t, "MODEL");
    add_option(t, "format", hiss_result_text(r, "model_format"));
    add_option(t, "evidence", hiss_result_text(r, "evidence"));
    add_option(t, "fix", hiss_result_text(r, "fix"));
    if (json_is_real(beta) && json_real_value(beta) != 1.0)
        hs_text_print(t, " --beta %.15g", json_real_value(beta));
}

/* Adds the number of chains, unless it is the known default. */
static void add_chains(hs_text *t, hiss_voice voice, const hiss_model *model,
                       int chains)
{
    if (chains > 0 && chains != hiss_default_chains(model))
        hs_text_print(t, voice == HISS_PYTHON ? ", chains=%d" : " --chains %d",
                      chains);
}

static void add_number(hs_text *t, hiss_voice voice, const char *name,
                       long long value, long long usual)
{
    if (value != usual)
        hs_text_print(t, voice == HISS_PYTHON ? ", %s=%lld" : " --%s %lld",
                      name, value);
}

static void add_call(hs_text *t, hiss_voice voice, const hiss_result *r,
                     const hiss_model *model, const struct call *c)
{
    hs_text_add_char(t, '`');
    if (voice == HISS_PYTHON) {
        hs_text_print(t, "hiss.sample(model, \"%s\"", c->sampler);
    } else {
        add_command(t, "sample", r);
        add_option(t, "sampler", c->sampler);
    }
    add_chains(t, voice, model, c->chains);
    add_number(t, voice, "samples", c->samples, USUAL);
    add_number(t, voice, "thin", c->thin, 1);
    add_number(t, voice, "seed", (long long)c->seed, 1);
    hs_text_add_string(t, voice == HISS_PYTHON ? ")`" : "`");
}

static void add_time(hs_text *t, double seconds)
{
    if (seconds < 1.0)
        hs_text_add_string(t, "less than a second");
    else if (seconds < 100.0)
        hs_text_print(t, "about %.0f s", seconds);
    else
        hs_text_print(t, "about %.0f minutes", ceil(seconds / 60.0));
}

static bool add_exact(hs_text *t, hiss_voice voice, const hiss_result *r,
                      const hiss_model *model, double most)
{
    hiss_exact_cost cost = HISS_INIT(hiss_exact_cost);

    if (!model || !hiss_exact_estimate(model, 0, &cost) || cost.seconds > most)
        return false;
    hs_text_add_char(t, '`');
    if (voice == HISS_PYTHON)
        hs_text_add_string(t, "hiss.exact(model)");
    else
        add_command(t, "exact", r);
    hs_text_add_string(t, "` would take ");
    add_time(t, cost.seconds);
    return true;
}

/* --- what to run -------------------------------------------------------- */

/* Returns the spec with dmala for dula, with acceptance; NULL if memory is
 * short. */
static char *exact_spec(const char *spec)
{
    static const char *const changes[][2] = {{"dula", "dmala"},
                                             {"adjust=no", "adjust=yes"}};
    hs_text t = {0};

    while (*spec) {
        const char *to = NULL;

        for (size_t n = 0; n < sizeof changes / sizeof *changes && !to; n++)
            if (strncmp(spec, changes[n][0], strlen(changes[n][0])) == 0) {
                to = changes[n][1];
                spec += strlen(changes[n][0]);
            }
        if (to)
            hs_text_add_string(&t, to);
        else
            hs_text_add_char(&t, *spec++);
    }
    return hs_text_take(&t);
}

/* Lengthens the run at least this many times: first the default number of
 * draws, then steps between them. */
static void lengthen(struct call *c, double times)
{
    double draws = fmin(fmax(ceil(times), 2.0), TIMES_MAX) * (double)c->samples;

    c->samples = c->samples > USUAL ? c->samples : USUAL;
    c->thin *= (int64_t)fmax(ceil(draws / (double)c->samples), 1.0);
}

/* Words before the call. */
static const char *propose(struct call *c, const char *spec, hiss_need need,
                           double times)
{
    bool is_auto = strncmp(spec, "auto", 4) == 0;

    if (need == HISS_NEED_DRAWS && times > HOPELESS && !is_auto)
        need = HISS_NEED_MODES;
    if (need == HISS_NEED_LAW) {
        c->sampler = exact_spec(spec);
        return "take an exact sampler: ";
    }
    c->sampler =
        need == HISS_NEED_MODES ? hs_strdup(SPEC_USUAL) : hs_strdup(spec);
    if (need == HISS_NEED_CHAINS) {
        c->chains = 0;
        return "compare several chains: ";
    }
    if (need == HISS_NEED_MODES && !is_auto) {
        c->samples = c->samples > USUAL ? c->samples : USUAL;
        return "let a pilot choose a sampler that crosses between modes: ";
    }
    if (need == HISS_NEED_MODES)
        c->seed++;
    lengthen(c, need == HISS_NEED_DRAWS ? times : LONGER);
    return "draw for longer: ";
}

static bool is_known(hiss_voice voice)
{
    return voice == HISS_SHELL || voice == HISS_PYTHON;
}

char *hiss_advice(const hiss_result *result, const hiss_model *model,
                  hiss_need need, double times, hiss_voice voice)
{
    const char *spec = hiss_result_text(result, "asked"), *words;
    bool is_foreign = result && result->is_foreign;
    const hiss_run_info *info;
    struct call c;
    hs_text t = {0};

    if (result && !spec) /* an older version did not write it */
        spec = hiss_result_text(result, "sampler");
    if (is_foreign)
        spec = SPEC_USUAL;
    if (!spec || need <= HISS_NEED_NONE || need > HISS_NEED_MODES ||
        !(times >= 0.0) || !is_known(voice))
        return NULL;
    info = &result->run.info;
    if (need == HISS_NEED_MODES &&
        add_exact(&t, voice, result, model,
                  fmax(SOON, LONGER * result->run.info.seconds)))
        return hs_text_take(&t);
    c = (struct call){.chains = info->chains > 1 ? info->chains : 0,
                      .samples = info->samples > 0 ? info->samples : USUAL,
                      .thin = info->thin > 0 ? info->thin : 1,
                      .seed = info->seed};
    if (is_foreign) {
        c = (struct call){hs_strdup(spec), 0, USUAL, 1, 1};
        words = "compare with draws of hiss: ";
    } else {
        words = propose(&c, spec, need, times);
    }
    if (c.sampler) {
        hs_text_add_string(&t, words);
        add_call(&t, voice, result, model, &c);
    }
    hs_free(c.sampler);
    return hs_text_take(&t);
}

char *hiss_advice_exact(const hiss_result *result, const hiss_model *model,
                        hiss_voice voice)
{
    hs_text t = {0};

    if (!result || !model || !is_known(voice) ||
        !add_exact(&t, voice, result, model, HUGE_VAL))
        return NULL;
    return hs_text_take(&t);
}
