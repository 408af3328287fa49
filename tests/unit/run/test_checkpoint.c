/* test_checkpoint.c - a run that was stopped goes on bit for bit, whatever the
 * kernel; what is damaged is refused; groups to bytes and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "unit/brief.h"
#include "unit/run_fixture.h"

#include <hiss/hiss.h>

#include "api/object/objects.h"
#include "base/alloc.h"
#include "kernel/kernel.h"
#include "run/chain/blob.h"
#include "run/chain/group_state.h"
#include "unit/xorshift.h"

static const char *const specs[] = {
    "dmala(alpha=auto)",
    "gwg",
    "acs",
    "acs(tune=no,cycle=3,hold=2)",
    "gibbs",
    "gibbs(scan=random,updates=7)",
    "metropolis",
    "hiss(eta=auto,steps=2,inner=dmala(alpha=auto))",
    "hiss(eta=0.6,steps=1,tilt=gradient,block=3,inner=dmala(alpha=0.5))",
    "hiss(eta=0.7,kernel=gaussian,steps=1,inner=gibbs)",
    "pt(base=dmala(alpha=auto),levels=3)",
    "pt(base=hiss(eta=auto,steps=1,inner=acs),ladder=[1,2,5],swap_every=2)",
    "replicas(base=dmala(alpha=auto),count=3)",
    "mix(gwg,hiss(eta=1,steps=0),gibbs,weights=[1,2,1])",
    "sequence(gibbs,hiss(eta=auto,steps=0))",
    "pt(levels=auto)",
};

static const char *const models[] = {
    "ising(side=4,beta=0.4)",
    "potts(side=3,states=3,beta=0.5)",
    "mixture(3,20)",
    "rbm(visible=12,hidden=6)",
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char path[] = "test_checkpoint.tmp";
static const char draws_path[] = "test_checkpoint.tmp.draws";

/* Stops when it was asked so often. */
struct patience {
    int calls, most;
};

static int lose_patience(void *context, const hiss_progress *now)
{
    struct patience *p = context;

    if (now->is_pilot)
        return 0; /* a pilot is repeated, not resumed */
    return ++p->calls > p->most;
}

static void settings_of(hiss_settings *set, struct patience *patience)
{
    hiss_settings_init(set);
    set->samples = 40;
    set->warmup = 40;
    set->thin = 2;
    set->seed = 5;
    set->threads = 2;
    set->chains = 18;
    set->marginals = 1;
    set->save_warmup = 1;
    set->checkpoint_replace = 1;
    set->checkpoint_every = 1e9;
    set->progress = lose_patience;
    set->context = patience;
}

static void same(const hiss_result *a, const hiss_result *b, const char *model,
                 const char *spec)
{
    hiss_run_info x = HISS_INIT(hiss_run_info);
    hiss_run_info y = HISS_INIT(hiss_run_info);
    size_t draws;
    double p[64], q[64];

    hiss_result_info(a, &x);
    hiss_result_info(b, &y);
    draws = (size_t)x.chains * (size_t)x.samples;
    if (x.samples != y.samples || x.thin != y.thin || x.warmup != y.warmup ||
        x.energy_evals != y.energy_evals ||
        x.gradient_evals != y.gradient_evals)
        fail_msg("%s on %s: %d draws, thin %d, warm-up %d, %g evaluations, "
                 "not %d, %d, %d, %g",
                 spec, model, (int)y.samples, (int)y.thin, (int)y.warmup,
                 y.energy_evals + y.gradient_evals, (int)x.samples, (int)x.thin,
                 (int)x.warmup, x.energy_evals + x.gradient_evals);
    if (memcmp(hiss_result_lp(a), hiss_result_lp(b), draws * sizeof(double)) ||
        memcmp(hiss_result_draws(a), hiss_result_draws(b),
               draws * (size_t)x.dim))
        fail_msg("%s on %s: draws differ", spec, model);
    draws = (size_t)x.chains * (size_t)x.warmup_samples;
    if (x.warmup_samples != y.warmup_samples ||
        memcmp(a->run.warm.lp, b->run.warm.lp, draws * sizeof(double)) ||
        memcmp(a->run.warm.draws, b->run.warm.draws, draws * (size_t)x.dim))
        fail_msg("%s on %s: draws of the warm-up differ", spec, model);
    for (int i = 0; i < x.dim; i++) {
        hiss_result_marginal(a, i, p);
        hiss_result_marginal(b, i, q);
        if (memcmp(p, q, (size_t)hiss_result_states(a, i) * sizeof *p))
            fail_msg("%s on %s: marginals differ", spec, model);
    }
}

/* Rounds have 1, 2, 4, ... steps at first, so that n of them lead into the
 * warm-up (n = 4) or behind it (n = 6). */
static void goes_on(const char *model, const char *spec, hiss_settings *set,
                    struct patience *patience)
{
    hiss_result *whole, *part, *rest;

    *patience = (struct patience){.most = 1 << 30};
    set->resume = set->checkpoint = NULL;
    whole = run(model, spec, set);
    for (int rounds = 4; rounds <= 6; rounds += 2) {
        *patience = (struct patience){.most = rounds};
        set->checkpoint = path;
        set->resume = NULL;
        part = run(model, spec, set);
        patience->most = 1 << 30;
        set->checkpoint = NULL;
        set->resume = path;
        set->threads = 1;
        rest = run(model, spec, set);
        same(whole, rest, model, spec);
        hiss_result_destroy(part);
        hiss_result_destroy(rest);
    }
    hiss_result_destroy(whole);
    unlink(path);
    unlink(draws_path);
}

static void every_spec_goes_on(void **state)
{
    (void)state;
    for (size_t m = 0; m < COUNT(models); m++)
        for (size_t k = test_is_brief() ? m % 2 : 0; k < COUNT(specs);
             k += test_is_brief() ? 2 : 1) {
            struct patience patience;
            hiss_settings set;

            settings_of(&set, &patience);
            goes_on(models[m], specs[k], &set, &patience);
        }
}

/* What there is, with its defaults, if it fits the model. */
static void every_kernel_goes_on(void **state)
{
    (void)state;
    for (size_t m = 0; m < COUNT(models); m++)
        for (int k = 0; hs_kernel_types[k]; k++) {
            const char *spec = hs_kernel_types[k]->name;
            struct patience patience = {.most = 1 << 30};
            hiss_settings set;
            hiss_sampler *sampler;
            hiss_model *model;
            hiss_result *r;
            hiss_status rc;

            if (test_is_brief() && (k + (int)m) % 2 == 0)
                continue;
            if (hs_kernel_types[k] == &hs_kernel_smc)
                continue; /* whose runs have no checkpoints */
            settings_of(&set, &patience);
            assert_int_equal(hiss_model_create(&model, models[m], NULL), 0);
            if (hiss_sampler_create(&sampler, spec, NULL) == HISS_OK) {
                rc = hiss_sample(&r, model, sampler, &set, NULL);
                if (rc == HISS_OK) {
                    hiss_result_destroy(r);
                    goes_on(models[m], spec, &set, &patience);
                }
                hiss_sampler_destroy(sampler);
            }
            hiss_model_destroy(model);
        }
}

/* The thinning doubles while it runs, and draws are dropped. */
static void a_run_without_samples_goes_on(void **state)
{
    struct patience patience;
    hiss_settings set;

    (void)state;
    settings_of(&set, &patience);
    set.samples = 0;
    set.samples_most = 17;
    set.evals = 18.0 * 150.0;
    set.warmup = -1;
    goes_on("ising(side=4,beta=0.4)", "gibbs", &set, &patience);
    set.evals = 0.0;
    set.ess = 300.0;
    goes_on("ising(side=4,beta=0.2)", "gibbs", &set, &patience);
}

/* Every single flipped byte, and every length, of a small checkpoint. */
static void what_is_damaged_is_refused(void **state)
{
    struct patience patience;
    hiss_settings set;
    hiss_model *m;
    hiss_sampler *s;
    hiss_result *r;
    static char whole[1 << 16], copy[1 << 16];
    size_t size;
    FILE *f;

    (void)state;
    settings_of(&set, &patience);
    set.chains = 1;
    patience = (struct patience){.most = 6};
    set.checkpoint = path;
    hiss_result_destroy(run("bernoulli4", "gwg", &set));
    f = fopen(path, "rb");
    size = fread(whole, 1, sizeof whole, f);
    fclose(f);
    assert_in_range(size, 100, sizeof whole - 1);
    assert_int_equal(hiss_model_create(&m, "bernoulli4", NULL), 0);
    assert_int_equal(hiss_sampler_create(&s, "gwg", NULL), 0);
    set.checkpoint = NULL;
    set.resume = path;
    patience.most = 1 << 30;
    for (size_t n = 0; n < 2 * size; n++) {
        memcpy(copy, whole, size);
        f = fopen(path, "wb");
        if (n < size)
            copy[n] ^= 0x10;
        fwrite(copy, 1, n < size ? size : n - size, f);
        fclose(f);
        assert_int_equal(hiss_sample(&r, m, s, &set, NULL), HISS_EPARSE);
    }
    f = fopen(path, "wb");
    fwrite(whole, 1, size, f);
    fclose(f);
    set.seed = 6;
    assert_int_equal(hiss_sample(&r, m, s, &set, NULL), HISS_EPARSE);
    set.seed = 5;
    assert_int_equal(hiss_sample(&r, m, s, &set, NULL), HISS_OK);
    hiss_result_destroy(r);
    hiss_sampler_destroy(s);
    hiss_model_destroy(m);
    unlink(path);
    unlink(draws_path);
}

static void make_walker(hs_group_state *w, hs_model **m)
{
    hs_sampler *tree;

    *w = (hs_group_state){.thin = 1, .warm_thin = 1, .warmup = 10};
    assert_int_equal(hs_model_create(m, "ising(side=3,beta=0.4)", NULL), 0);
    assert_int_equal(
        hs_sampler_parse(&tree, "pt(base=dmala(alpha=auto),levels=3)", NULL),
        0);
    assert_int_equal(hs_group_create(&w->group, *m, tree, 1, 0, 7, NULL), 0);
    assert_int_equal(hs_group_start(w->group, false, NULL), 0);
    assert_int_equal(hs_marginals_init(&w->marginals, w->group, true, NULL), 0);
    hs_sampler_release(tree);
}

static void free_walker(hs_group_state *w, hs_model *m)
{
    hs_marginals_clear(&w->marginals);
    hs_group_destroy(w->group);
    hs_model_destroy(m);
}

/* A checksum does not help against a file that was made to deceive. */
static void no_bytes_break_a_walker(void **state)
{
    uint64_t random = 99;
    hs_blob saved = {0};
    hs_group_state w;
    hs_model *m;
    int refused = 0;

    (void)state;
    make_walker(&w, &m);
    for (int n = 0; n < 20; n++)
        assert_int_equal(hs_group_step(w.group, NULL), 0);
    hs_group_state_save(&w, &saved);
    assert_false(saved.is_broken);
    for (int n = 0; n < 3000; n++) {
        hs_blob b = {0};

        hs_blob_put(&b, saved.at, saved.used);
        for (int k = xorshift_below(&random, 8); k >= 0; k--)
            b.at[xorshift_below(&random, (int)b.used)] =
                (char)xorshift_below(&random, 256);
        if (n % 7 == 0)
            b.used = (size_t)xorshift_below(&random, (int)b.used);
        w.thin = 1;
        if (hs_group_state_load(&w, &b, 1000, 0))
            hs_group_state_check(&w, "x", NULL);
        else
            refused++;
        hs_blob_clear(&b);
    }
    assert_in_range(refused, 400, 3000);
    w.thin = 1;
    assert_true(hs_group_state_load(&w, &saved, 1000, 0));
    assert_int_equal(hs_group_state_check(&w, "x", NULL), HISS_OK);
    w.group->tile[0].at.x[0][0] ^= 1; /* not the state that U belongs to */
    assert_int_equal(hs_group_state_check(&w, "x", NULL), HISS_EPARSE);
    hs_blob_clear(&saved);
    free_walker(&w, m);
}

static void blobs_give_back_what_was_put(void **state)
{
    hs_blob b = {0};
    double x = 1.5, y = 0.0;
    char *text;

    (void)state;
    hs_blob_put_text(&b, "a text");
    hs_blob_put(&b, &x, sizeof x);
    hs_blob_put_text(&b, NULL);
    text = hs_blob_get_text(&b);
    assert_string_equal(text, "a text");
    hs_free(text);
    hs_blob_get(&b, &y, sizeof y);
    assert_true(x == y);
    text = hs_blob_get_text(&b);
    assert_string_equal(text, "");
    hs_free(text);
    assert_false(b.is_broken);
    hs_blob_get(&b, &y, sizeof y);
    assert_true(b.is_broken && y == 0.0);
    assert_null(hs_blob_get_text(&b));
    hs_blob_clear(&b);
    hs_alloc_fail_after(1);
    hs_blob_put(&b, &x, sizeof x);
    hs_alloc_fail_after(0);
    assert_true(b.is_broken);
    hs_blob_put(&b, &x, sizeof x);
    assert_int_equal(b.used, 0);
    hs_blob_clear(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_spec_goes_on),
        cmocka_unit_test(every_kernel_goes_on),
        cmocka_unit_test(a_run_without_samples_goes_on),
        cmocka_unit_test(what_is_damaged_is_refused),
        cmocka_unit_test(no_bytes_break_a_walker),
        cmocka_unit_test(blobs_give_back_what_was_put),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
