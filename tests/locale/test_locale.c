/* test_locale.c - what is written and what is told has the same bytes in a
 * locale with a decimal comma as in the C locale, and both read it back. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <hiss/format.h>
#include <hiss/hiss.h>
#include <hiss/optimize.h>

#include "base/alloc.h"
#include "base/text.h"
#include "format/format.h"

static const char comma[] = "de_DE.UTF-8";
static char folder[] = "/tmp/hiss-locale-XXXXXX";

/* Values of all kinds that are no whole numbers, and energies with digits. */
static const char model_text[] = "MARKOV\n2\n2 3\n2\n1 0\n2 0 1\n"
                                 "2 0.25 0.75\n6 1.5 2.25 .125 1e-3 0.7 9.5\n";
static const char qubo_text[] = "0 0 -1.5\n1 1 .125\n0 1 2.75e-1\n1 2 -0.5\n";

static const char *path_of(const char *locale, const char *name)
{
    static char path[2][256];
    static int turn;

    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s-%s", folder,
             *locale == 'C' ? "c" : "comma", name);
    return path[turn];
}

static void put_file(const char *name, const char *text)
{
    char path[256];
    FILE *to;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    to = fopen(path, "w");
    assert_non_null(to);
    fputs(text, to);
    assert_int_equal(fclose(to), 0);
}

static char *slurp(const char *path)
{
    FILE *in = fopen(path, "rb");
    hs_text text = {0};
    int c;

    if (!in)
        fail_msg("%s was not written", path);
    while ((c = fgetc(in)) != EOF)
        hs_text_add_char(&text, (char)(c ? c : ' '));
    fclose(in);
    return hs_text_take(&text);
}

static hiss_result *draw(const char *model, const char *sampler)
{
    hiss_settings set;
    hiss_model *m;
    hiss_sampler *s = NULL;
    hiss_result *r = NULL;
    hiss_error err = {0};

    hiss_settings_init(&set);
    set.chains = 4;
    set.samples = 60;
    set.warmup = 200;
    set.threads = 1;
    set.marginals = 1;
    if (hiss_model_open(&m, model, NULL, &err) ||
        hiss_sampler_create(&s, sampler, &err) ||
        hiss_sample(&r, m, s, &set, &err))
        fail_msg("%s, %s: %s", model, sampler, err.message);
    hiss_model_destroy(m);
    hiss_sampler_destroy(s);
    return r;
}

/* One result, written in both: the same bytes. */
static void files_are_the_same(void **state)
{
    static const char *const names[] = {"r.csv",  "r.MAR", "r.MAP",
                                        "r.json", "r.npz", "r.stan"};
    static const char *const made[] = {"r.csv",  "r.MAR", "r.MAP",
                                       "r.json", "r.npz", "r-1.csv"};
    hiss_result *r = draw("ising(side=3,beta=0.3)", "dmala(alpha=auto)");
    hiss_error err = {0};

    (void)state;
    for (int n = 0; n < 6; n++) {
        char *a, *b;

        if (hiss_result_write(r, path_of("C", names[n]), 0, &err))
            fail_msg("%s: %s", names[n], err.message);
        assert_non_null(setlocale(LC_ALL, comma));
        if (hiss_result_write(r, path_of(comma, names[n]), 0, &err))
            fail_msg("%s: %s", names[n], err.message);
        setlocale(LC_ALL, "C");
        a = slurp(path_of("C", made[n]));
        b = slurp(path_of(comma, made[n]));
        if (strcmp(a, b) != 0)
            fail_msg("%s is another file with a decimal comma", names[n]);
        hs_free(a);
        hs_free(b);
    }
    hiss_result_destroy(r);
}

/* Each reads what the other wrote. */
static void files_are_read(void **state)
{
    static const char *const locales[] = {"C", comma};

    (void)state;
    for (int w = 0; w < 2; w++)
        for (int p = 0; p < 2; p++) {
            static const char *const names[] = {"s.csv", "s.nc"};
            hiss_result *a, *b = NULL;
            hiss_run_info info = HISS_INIT(hiss_run_info);
            hiss_error err = {0};

#ifndef HS_HAVE_NETCDF
            if (p == 1)
                continue;
#endif
            setlocale(LC_ALL, locales[w]);
            a = draw("ising(side=3,beta=0.37)", "dmala(alpha=auto)");
            if (hiss_result_write(a, path_of(locales[w], names[p]), 0, &err))
                fail_msg("%s", err.message);
            setlocale(LC_ALL, locales[!w]);
            if (hiss_result_read(&b, path_of(locales[w], names[p]), &err))
                fail_msg("%s", err.message);
            hiss_result_info(a, &info);
            assert_memory_equal(hiss_result_lp(a), hiss_result_lp(b),
                                (size_t)info.chains * (size_t)info.samples *
                                    sizeof(double));
            setlocale(LC_ALL, "C");
            hiss_result_destroy(a);
            hiss_result_destroy(b);
        }
}

static void say(hs_text *to, const char *text)
{
    hs_text_add_string(to, text ? text : "(none)");
    hs_text_add_char(to, '\n');
}

static void say_bits(hs_text *to, double value)
{
    char text[64];
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    snprintf(text, sizeof text, "%llx", (unsigned long long)bits);
    say(to, text);
}

/* What the manifest tells of tuning and pilots; not the time. */
static void say_result(hs_text *to, const char *model, const char *sampler)
{
    static const char *const keys[] = {"model", "sampler", "tuning", "resolved",
                                       "pilot", "doubt",   "note"};
    hiss_result *r = draw(model, sampler);

    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        say(to, hiss_result_text(r, keys[k]));
    hiss_result_destroy(r);
}

static void say_observables(hs_text *to)
{
    static const char *const words[] = {"0.25 * x.1 + 1.5e-1", "mean(x) > 0.4",
                                        "1,5 * x.1", ".5"};
    hiss_result *r = draw("ising(side=3,beta=0.3)", "gibbs");
    double *values = hs_alloc_array(240, sizeof *values);

    for (size_t n = 0; n < sizeof words / sizeof *words; n++) {
        hiss_error err = {0};

        if (hiss_result_observable(r, words[n], values, &err) == HISS_OK)
            for (int i = 0; i < 240; i++)
                say_bits(to, values[i]);
        else
            say(to, err.message);
    }
    hs_free(values);
    hiss_result_destroy(r);
}

static void say_faults(hs_text *to)
{
    static const char *const models[] = {"ising(side=3,beta=-0.5)",
                                         "ising(side=3,beta=0,5)",
                                         "mixture(strength_low=2.5)"};
    double half[4] = {0.5, 0.5, 0.5, 0.5}, u;
    hiss_sampler *s = NULL;
    hiss_model *m;

    for (size_t n = 0; n < sizeof models / sizeof *models; n++) {
        hiss_error err = {0};

        if (hiss_model_create(&m, models[n], &err) == HISS_OK)
            hiss_model_destroy(m);
        say(to, err.message);
    }
    for (int n = 0; n < 2; n++) {
        hiss_error err = {0};

        if (hiss_sampler_create(&s, n ? "dmala(alpha=-0.5)" : "pt(t=2.5)",
                                &err) == HISS_OK)
            hiss_sampler_destroy(s);
        say(to, err.message);
    }
    assert_int_equal(hiss_model_create(&m, "bernoulli4", NULL), HISS_OK);
    for (int n = 0; n < 1; n++) {
        hiss_error err = {0};

        assert_int_not_equal(hiss_model_energy(m, half, &u, &err), HISS_OK);
        say(to, err.message);
    }
    hiss_model_destroy(m);
}

static void say_diagnosis(hs_text *to)
{
    hiss_result *r = draw("ising(side=3,beta=0.3)", "gibbs");
    hiss_diagnose_settings set;
    hiss_diagnosis *d;
    hiss_finding f = HISS_INIT(hiss_finding);
    hiss_model *m;

    hiss_diagnose_settings_init(&set);
    assert_int_equal(hiss_model_create(&m, "ising(side=3,beta=0.3)", NULL),
                     HISS_OK);
    assert_int_equal(hiss_diagnose(&d, r, m, &set, NULL), HISS_OK);
    for (int n = 0; hiss_diagnosis_finding(d, n, &f); n++)
        say(to, f.text);
    hiss_diagnosis_destroy(d);
    hiss_model_destroy(m);
    hiss_result_destroy(r);
}

/* Every format that is written, from a problem that it can hold. */
static void say_formats(hs_text *to, const char *locale)
{
    for (int f = 0; hs_formats[f]; f++) {
        static const char *const from[] = {"m.uai", "q.qubo"};

        for (int k = 0; hs_formats[f]->write && k < 2; k++) {
            char in[256], name[64];
            hiss_error err = {0};
            hiss_status rc;

            snprintf(in, sizeof in, "%s/%s", folder, from[k]);
            snprintf(name, sizeof name, "%d.%s", k, hs_formats[f]->name);
            rc = hiss_convert(in, k ? "coo" : NULL, path_of(locale, name),
                              hs_formats[f]->name, 1, NULL, &err);
            say(to, hs_formats[f]->name);
            if (rc == HISS_OK) {
                char *text = slurp(path_of(locale, name));

                say(to, text);
                hs_free(text);
            } else {
                say(to, err.message);
            }
        }
    }
}

static void say_exact(hs_text *to, const char *locale)
{
    hiss_optimize_settings set;
    hiss_optimum *best;
    hiss_exact *e;
    hiss_model *m;
    char in[256], *text;

    snprintf(in, sizeof in, "%s/m.uai", folder);
    assert_int_equal(hiss_model_open(&m, in, NULL, NULL), HISS_OK);
    assert_int_equal(hiss_exact_create(&e, m, 1, NULL), HISS_OK);
    assert_int_equal(
        hiss_exact_write_mar(e, m, path_of(locale, "e.MAR"), 1, NULL), HISS_OK);
    text = slurp(path_of(locale, "e.MAR"));
    say(to, text);
    hs_free(text);
    hiss_optimize_settings_init(&set);
    set.restarts = 4;
    set.sampler = "anneal(base=gibbs,sweeps=20)";
    assert_int_equal(hiss_optimize(&best, m, &set, NULL), HISS_OK);
    assert_int_equal(
        hiss_optimum_write(best, path_of(locale, "e.txt"), "", 1, NULL),
        HISS_OK);
    text = slurp(path_of(locale, "e.txt"));
    say(to, text);
    hs_free(text);
    hiss_optimum_destroy(best);
    hiss_exact_destroy(e);
    hiss_model_destroy(m);
}

/* All of it; owned by the caller. */
static char *everything(const char *locale)
{
    hs_text all = {0};

    assert_non_null(setlocale(LC_ALL, locale));
    say_result(&all, "ising(side=3,beta=0.35)",
               "hiss(eta=auto,inner=dmala(alpha=auto))");
    say_result(&all, "ising(side=4,beta=0.65)", "auto");
    say_result(&all, "ising(side=3,beta=0.35)", "pt(base=acs,levels=auto)");
    say_observables(&all);
    say_faults(&all);
    say_diagnosis(&all);
    say_formats(&all, locale);
    say_exact(&all, locale);
    setlocale(LC_ALL, "C");
    return hs_text_take(&all);
}

static void texts_are_the_same(void **state)
{
    char *a, *b, *p, *q;

    (void)state;
    put_file("m.uai", model_text);
    put_file("q.qubo", qubo_text);
    a = everything("C");
    b = everything(comma);
    p = a;
    q = b;
    while (*p || *q) {
        size_t n = strcspn(p, "\n"), k = strcspn(q, "\n");
        /* the names of the files differ */
        const char *odd = strstr(p, "/c-");

        if ((n != k || strncmp(p, q, n) != 0) && !(odd && odd < p + n))
            fail_msg("'%.*s' is '%.*s' with a decimal comma", (int)n, p, (int)k,
                     q);
        p += n + (p[n] == '\n');
        q += k + (q[k] == '\n');
    }
    hs_free(a);
    hs_free(b);
}

static int leave(void **state)
{
    char command[300];

    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_the_same),
        cmocka_unit_test(files_are_read),
        cmocka_unit_test(texts_are_the_same),
    };

    if (!setlocale(LC_ALL, comma) || *localeconv()->decimal_point != ',') {
        puts("skipped: the locale de_DE.UTF-8 is not here");
        return 77;
    }
    setlocale(LC_ALL, "C");
    if (!mkdtemp(folder))
        return 1;
    return cmocka_run_group_tests(tests, NULL, leave);
}
