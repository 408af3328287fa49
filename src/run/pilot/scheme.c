/* scheme.c - a sampler as it will be run. */
#include "run/pilot/scheme.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "run/pilot/independent.h"
#include "run/pilot/tour_spec.h"
#include "run/survey/survey.h"

#define PILOT_EVALS 2e5  /* of a pilot, when nothing else limits it */
#define PILOT_SITES 4e9  /* and coordinates times evaluations */
#define MARGIN      1.25 /* by which a jump must beat a round trip */
#define GIBBS       "gibbs(scan=systematic,updates=0)"
#define BLOCKS      "blocks(table=256)"
#define DRAW_MAX    100.0  /* evaluations that an independent draw may cost */
#define HARD_MAX    1000.0 /* the same where local moves may not be enough */
#define DMALA       "dmala(alpha=auto,adjust=yes)"

struct resolving {
    hs_scheme *scheme;
    const hs_model *m;
    const hs_spec *full; /* the sampler with every default */
    hs_survey_request search;
    hs_spec base; /* owned: of the local sampler */
    hs_survey f;
    hs_text text, spec;
};

static void tell(struct resolving *r, const char *format, ...) HS_PRINTF(2, 3);

/* A line of the report. */
static void tell(struct resolving *r, const char *format, ...)
{
    char line[512];
    va_list args;

    va_start(args, format);
    hs_vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (r->text.length > 0)
        hs_text_add_char(&r->text, '\n');
    hs_text_add_string(&r->text, line);
}

/* A value of a full spec as text, "" when it is not there. */
static const char *value_of(const hs_spec *spec, const char *key)
{
    const hs_spec *found = hs_spec_find(spec, key);

    return found && found->text ? found->text : "";
}

/* The first node of that name, depth first. */
static const hs_spec *node(const hs_spec *spec, const char *name)
{
    if (spec->text && spec->has_parens && strcmp(spec->text, name) == 0)
        return spec;
    for (int i = 0; i < spec->count; i++) {
        const hs_spec *found = node(&spec->child[i], name);

        if (found)
            return found;
    }
    return NULL;
}

static bool is_named(const hs_spec *spec, const char *name)
{
    return spec->text && strcmp(spec->text, name) == 0;
}

static bool has_open_ladder(const hs_spec *full)
{
    return is_named(full, "pt") && !hs_spec_find(full, "ladder") &&
           strcmp(value_of(full, "levels"), "auto") == 0;
}

/* The sampler that the pilot walks with: auto's own, a plain one where bridges
 * wait for what the pilot finds, else the base that is tempered. */
static hiss_status set_base(struct resolving *r, hiss_error *err)
{
    const hs_spec *given = hs_spec_find(r->full, "base");
    char *text = NULL;
    hiss_status rc = HISS_OK;

    if (is_named(r->full, "auto"))
        text = hs_spec_print(given);
    else if (!node(r->full, "bridge"))
        return hs_spec_copy(&r->base, given, err);
    else
        text = hs_strdup(GIBBS);
    if (!text)
        return hs_fail_memory(err);
    if (strcmp(text, GIBBS) == 0 && !hs_has_cheap_sites(r->m))
        rc = hs_spec_parse(&r->base, DMALA, err);
    else if (strcmp(text, GIBBS) == 0 && hs_has_hard_constraints(r->m))
        rc = hs_spec_parse(&r->base, BLOCKS, err);
    else
        rc = hs_spec_parse(&r->base, text, err);
    hs_free(text);
    return rc;
}

/* What is to be searched for; false when nothing is. */
static bool set_search(struct resolving *r)
{
    const hs_spec *bridge = node(r->full, "bridge");
    const char *hottest = value_of(r->full, "max_temperature");
    const char *every = value_of(r->full, "swap_every");
    const char *parts = value_of(r->full, "parts");
    hs_survey_request *s = &r->search;

    s->hottest = HUGE_VAL;
    if (*hottest && strcmp(hottest, "auto") != 0)
        hs_number_real(hottest, &s->hottest);
    s->swap_every = *every ? atoi(every) : 1;
    s->parts = *parts ? atoi(parts) : 0;
    s->wants_choice = is_named(r->full, "auto");
    s->wants_ladder = has_open_ladder(r->full);
    s->wants_modes = bridge != NULL;
    if (bridge && *value_of(bridge, "modes"))
        s->modes = value_of(bridge, "modes");
    s->learn = bridge && strcmp(value_of(bridge, "learn"), "no") != 0;
    s->base = &r->base;
    return s->wants_choice || s->wants_ladder || s->wants_modes;
}

static void add_ladder(struct resolving *r, const char *base)
{
    hs_ladder_request request = {.base = base,
                                 .swap_every = r->search.swap_every,
                                 .parts = r->search.parts};

    hs_ladder_print(&r->f.ladder, &request, &r->spec);
    if (!strstr(base, "bridge(") && !strstr(base, "cluster"))
        r->scheme->settling = r->f.ladder.levels / hs_survey_trips(&r->f);
    tell(r, "%d temperatures, barrier %.2f", r->f.ladder.levels,
         r->f.ladder.barrier);
}

static void tell_modes(struct resolving *r)
{
    hs_text all = {0};
    char *text;

    for (int k = 0; r->f.library && k < r->f.library->modes; k++) {
        char one[32];

        hs_snprintf(one, sizeof one, "%s%.3g", k ? " " : "",
                    r->f.library->weight[k]);
        hs_text_add_string(&all, one);
    }
    text = hs_text_take(&all);
    if (r->f.library)
        tell(r, "%d modes told apart, %d learnt; masses by the pilot: %s",
             r->f.modes, r->f.library->modes, text ? text : "");
    else
        tell(r, "no two modes told apart");
    hs_free(text);
}

/* Fresh states that tempering alone brings, per step. */
static double tempered(const struct resolving *r)
{
    return hs_survey_trips(&r->f) * r->f.freshness;
}

/* The same with moves in a sequence, which double what a step costs: so many
 * are accepted, but a part of the law is not reached by them and is left to
 * tempering.  Its share of the variance is 4 c (1 - c) at most. */
static double with_moves(const struct resolving *r, double accepted,
                         double coverage)
{
    double left = 4.0 * coverage * (1.0 - coverage);

    left = coverage > 0.5 && left < 1.0 ? left : 1.0;
    if (!(accepted > 0.0))
        return 0.0;
    return 0.5 / ((1.0 - left) / accepted + left / tempered(r));
}

static bool pays(const struct resolving *r, double rate)
{
    return rate > MARGIN * tempered(r);
}

/* Relaxation of cluster moves, in steps: chains of n steps that agree but for
 * chance have a discord of 2 tau / n. */
static double cluster_rate(const struct resolving *r)
{
    double discord = r->f.cluster_discord;

    return r->f.has_clusters && discord < 0.7 && discord > 0.0
               ? with_moves(r, 1.0 / (32.0 * discord), 1.0)
               : 0.0;
}

static double jump_rate(const struct resolving *r)
{
    const hs_survey *f = &r->f;

    return f->library ? with_moves(r, fmax(f->carried, f->swapped), f->coverage)
                      : 0.0;
}

static void add_jumps(struct resolving *r, hs_text *base)
{
    const hs_survey *f = &r->f;
    const char *swap = f->swapped > 2.0 * f->carried   ? "1"
                       : f->swapped > 0.5 * f->carried ? "0.5"
                                                       : "0";

    if (!f->library)
        return;
    tell(r,
         "jumps between them: %.3g accepted (carried over), %.3g (exchanged); "
         "%.3g of what tempering brings is in them; %.3g fresh states per step "
         "with jumps, %.3g without: bridge %s",
         f->carried, f->swapped, f->coverage, jump_rate(r), tempered(r),
         pays(r, jump_rate(r)) ? "is used" : "does not pay");
    if (!pays(r, jump_rate(r)))
        return;
    hs_text_add_string(base, ",bridge(swap=");
    hs_text_add_string(base, swap);
    hs_text_add_char(base, ')');
}

/* Tempering around the local sampler and what pays beside it. */
static void temper(struct resolving *r)
{
    hs_text base = {0};
    char *text, *single = NULL;

    hs_text_add_string(&base, "sequence(");
    hs_text_add_string(&base, r->f.base);
    tell_modes(r);
    if (pays(r, cluster_rate(r))) {
        hs_text_add_string(&base, ",cluster");
        tell(r, "clusters help: discord %.3g", r->f.cluster_discord);
    }
    add_jumps(r, &base);
    hs_text_add_char(&base, ')');
    text = hs_text_take(&base);
    if (text && !strstr(text, ",cluster") && !strstr(text, ",bridge("))
        single = hs_strdup(r->f.base);
    if (text)
        add_ladder(r, single ? single : text);
    else
        r->spec.failed = true;
    hs_free(text);
    hs_free(single);
}

/* Effective draws per evaluation that temper() would bring, about. */
static double tempered_rate(const struct resolving *r)
{
    double rate = fmax(cluster_rate(r), jump_rate(r));

    return fmax(tempered(r), rate) / r->f.ladder.levels;
}

/* Without tempering: local moves, and clusters where there are any. */
static void stay_cold(struct resolving *r)
{
    hs_text_add_string(&r->spec, r->f.has_clusters ? "sequence(" : "");
    hs_text_add_string(&r->spec, r->f.base);
    hs_text_add_string(&r->spec, r->f.has_clusters ? ",cluster)" : "");
}

static void compose(struct resolving *r)
{
    const hs_survey *f = &r->f;

    if (f->is_large) {
        tell(r, "too many coordinates to look for modes: no tempering");
        stay_cold(r);
    } else if (f->discord < HS_AGREED) {
        tell(r,
             "chains from all over the space agree (discord %.3g): local "
             "moves are enough",
             f->discord);
        hs_text_add_string(&r->spec, f->base);
    } else if (f->has_clusters && f->cluster_discord < HS_AGREED) {
        tell(r,
             "chains disagree by local moves (discord %.3g) and agree with "
             "clusters (%.3g)",
             f->discord, f->cluster_discord);
        stay_cold(r);
    } else if (f->ladder.rounds == 0) {
        tell(r,
             "chains disagree by local moves (discord %.3g), and the pilot "
             "may not take as many evaluations as tempering needs",
             f->discord);
        stay_cold(r);
    } else if (f->block_rate > MARGIN * tempered_rate(r)) {
        tell(r,
             "chains disagree by local moves (discord %.3g) and agree by "
             "blocks: %.3g effective draws per 1000 evaluations, tempering "
             "%.3g",
             f->discord, 1e3 * f->block_rate, 1e3 * tempered_rate(r));
        hs_text_add_string(&r->spec, HS_BLOCKS);
    } else {
        tell(r, "chains disagree by local moves (discord %.3g)", f->discord);
        temper(r);
    }
}

/* The sampler as it is from what was found. */
static hiss_status settle(struct resolving *r, hs_pilot_account *account,
                          hiss_error *err)
{
    hs_scheme *s = r->scheme;
    char *base = NULL, *printed;
    hiss_status rc = HISS_OK;

    if (r->search.wants_choice) {
        compose(r);
    } else if (r->search.wants_ladder) {
        base = hs_spec_print(hs_spec_find(r->full, "base"));
        if (base)
            add_ladder(r, base);
        else
            r->spec.failed = true;
    }
    if (r->search.wants_modes)
        tell_modes(r);
    tell(r, "%.0f evaluations of the pilot", hs_pilot_account_spent(account));
    s->text = hs_text_take(&r->text);
    if (r->spec.length > 0 || r->spec.failed) {
        printed = hs_text_take(&r->spec);
        hs_spec_clear(&s->sampler);
        rc = printed ? hs_spec_parse(&s->sampler, printed, err)
                     : hs_fail_memory(err);
        hs_free(printed);
    }
    s->library = r->f.library;
    s->knows_all =
        s->library && !r->search.modes && r->f.modes <= s->library->modes;
    r->f.library = NULL;
    if (rc == HISS_OK && !s->text)
        rc = hs_fail_memory(err);
    hs_free(base);
    return rc;
}

/* Whether elimination alone will do, which needs no pilot. */
static hiss_status set_independent(struct resolving *r, bool *is_done,
                                   hiss_error *err)
{
    bool is_hard = hs_has_hard_constraints(r->m);
    double cost;
    int table;
    char spec[48];

    *is_done = false;
    if (!is_named(r->full, "auto") ||
        strcmp(value_of(r->full, "independent"), "yes") != 0)
        return HISS_OK;
    HS_TRY(hs_independent_cost(r->m, is_hard ? HARD_MAX : DRAW_MAX, &cost,
                               &table, err));
    if (isinf(cost))
        return HISS_OK;
    tell(r,
         "elimination draws all coordinates at once, for %.3g evaluations: "
         "every draw is independent",
         cost);
    r->scheme->text = hs_text_take(&r->text);
    if (!r->scheme->text)
        return hs_fail_memory(err);
    snprintf(spec, sizeof spec, "blocks(table=%d)", table);
    hs_spec_clear(&r->scheme->sampler);
    *is_done = true;
    return hs_spec_parse(&r->scheme->sampler, spec, err);
}

/* The spec with every default spelled out. */
static hiss_status spell_out(const hs_spec *sampler, hs_spec *full,
                             hiss_error *err)
{
    hs_kernel *tree;
    char *text;
    hiss_status rc;

    HS_TRY(hs_kernel_create(&tree, sampler, err));
    text = hs_kernel_print(tree);
    hs_kernel_destroy(tree);
    rc = text ? hs_spec_parse(full, text, err) : hs_fail_memory(err);
    hs_free(text);
    return rc;
}

/* The least of what the caller, the sampler and the model's size allow. */
static void set_budget(const struct resolving *r, hs_pilot_account *account)
{
    double size = PILOT_SITES / r->m->domain.dim, own = PILOT_EVALS;

    if (is_named(r->full, "auto"))
        hs_number_real(value_of(r->full, "pilot"), &own);
    own = own < size ? own : size;
    if (!(account->budget > 0.0) || own < account->budget)
        account->budget = own;
}

hiss_status hs_scheme_init(hs_scheme *s, const hs_model *m,
                           const hs_spec *sampler, hs_pilot_account *account,
                           hiss_error *err)
{
    hs_spec full = {0};
    struct resolving r = {.scheme = s, .m = m, .full = &full};
    bool is_done = false;
    hiss_status rc;

    *s = (hs_scheme){0};
    rc = hs_spec_copy(&s->sampler, sampler, err);
    if (rc == HISS_OK)
        rc = hs_tour_spec(&s->sampler, m, err);
    if (rc == HISS_OK)
        rc = spell_out(&s->sampler, &full, err);
    if (rc == HISS_OK)
        rc = set_independent(&r, &is_done, err);
    if (rc == HISS_OK && !is_done && set_search(&r)) {
        set_budget(&r, account);
        rc = set_base(&r, err);
        if (rc == HISS_OK)
            rc = hs_survey_init(&r.f, m, &r.search, account, err);
        if (rc == HISS_OK)
            rc = settle(&r, account, err);
    }
    if (rc == HISS_OK)
        rc = hs_pilot_init(&s->pilot, m, &s->sampler, s->library, account, err);
    s->energy_evals = account->energy_evals;
    s->gradient_evals = account->gradient_evals;
    hs_survey_clear(&r.f);
    hs_spec_clear(&r.base);
    hs_spec_clear(&full);
    hs_free(hs_text_take(&r.text));
    hs_free(hs_text_take(&r.spec));
    if (rc != HISS_OK)
        hs_scheme_clear(s);
    return rc;
}

void hs_scheme_clear(hs_scheme *s)
{
    hs_spec_clear(&s->sampler);
    hs_library_destroy(s->library);
    hs_pilot_clear(&s->pilot);
    hs_free(s->text);
    *s = (hs_scheme){0};
}

void hs_scheme_attach(const hs_scheme *s, hs_group *g)
{
    for (int i = 0; i < g->tiles; i++)
        hs_kernel_attach(g->kernel[i], s->library);
    hs_pilot_apply(&s->pilot, g);
}
