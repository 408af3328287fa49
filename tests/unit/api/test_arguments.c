/* test_arguments.c - no public function breaks on an argument that cannot be.
 *
 * The calls are written by make_arguments from the headers: each function with
 * each pointer NULL, each number out of range, each member of a settings
 * struct likewise.  Every call is made in a process of its own, so that one
 * that ends it is told by name and the others are still made.  Files are in a
 * folder of this process, which is removed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <hiss/hiss.h>

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define DIM     2
#define SECONDS 600 /* no call takes more than one on an idle machine */

/* What good arguments are made of. */
static struct {
    hiss_model *model, *network;
    hiss_sampler *sampler;
    hiss_result *result, *tempered, *by_level, *population, *flat, *weighted,
        *with_input, *with_warmup;
    hiss_exact *exact;
    hiss_verdict *verdict, *broken;
    hiss_modes *modes;
    hiss_diagnosis *diagnosis, *quick;
    hiss_optimum *optimum;
    hiss_comparison *comparison;
    hiss_settings run_set;
    hiss_verify_settings verify_set;
    hiss_optimize_settings optimize_set;
    hiss_exact_settings exact_set;
    hiss_diagnose_settings diagnose_set;
    hiss_modes_settings modes_set;
    hiss_compare_settings compare_set;
    hiss_domain domain;
    hiss_callback callback;
    hiss_given given;
    hiss_trust trust;
    hiss_foreign_draws foreign;
    hiss_kernel kernel;
    int zeros_int[64], ones_int[64];
    int format, model_type; /* numbers of some that have options */
    int8_t bits[4096];
    double numbers[64], spins[64];
    float floats[64];
    const char *result_path, *problem_path, *converted_path, *evidence_path;
    const char *checkpoint_path, *mar_path, *state_path;
    const char *samplers[2];
} g;

static char folder[128];

struct call {
    const char *name;
    int (*holds)(hiss_error *err);
};

static int is_fault(hiss_status status, const hiss_error *err)
{
    return (status == HISS_EARG || status == HISS_ELIMIT) &&
           (!err || (err->status == status && err->message[0]));
}

static int is_fine(hiss_status status, const hiss_error *err)
{
    if (status != HISS_OK && err)
        fprintf(stderr, "%s\n", err->message);
    return status == HISS_OK;
}

static int is_all(const void *bytes, size_t count, unsigned char value)
{
    const unsigned char *at = bytes;

    for (size_t n = 0; n < count; n++)
        if (at[n] != value)
            return 0;
    return 1;
}

#include "calls.inc"

static int evaluate(const void *context, const int16_t *x, int lanes, double *u,
                    float *gradient)
{
    (void)context, (void)gradient;
    for (int l = 0; l < lanes; l++)
        u[l] = 0.5 * x[l];
    return 0;
}

static int stop(void *context, const hiss_progress *progress)
{
    (void)context;
    return progress->draws > 0;
}

static void must(hiss_status status, const hiss_error *err)
{
    if (status != HISS_OK)
        fail_msg("%s", err->message);
}

static hiss_result *sample(const char *spec, const hiss_settings *set)
{
    hiss_sampler *sampler;
    hiss_result *result;
    hiss_error err = {0};

    must(hiss_sampler_create(&sampler, spec, &err), &err);
    must(hiss_sample(&result, g.model, sampler, set, &err), &err);
    hiss_sampler_destroy(sampler);
    return result;
}

static void put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* A kernel that does not keep the law. */
static hiss_status all_up(void *context, int64_t n, int dim, uint32_t seed,
                          const double *from, double *to, hiss_error *err)
{
    (void)context, (void)seed, (void)from, (void)err;
    for (int64_t i = 0; i < n * dim; i++)
        to[i] = 1.0;
    return HISS_OK;
}

static void make_settings(void)
{
    hiss_settings_init(&g.run_set);
    g.run_set.chains = 2;
    g.run_set.samples = 16;
    g.run_set.threads = 1;
    hiss_verify_settings_init(&g.verify_set);
    g.verify_set.replicates = 1000;
    g.verify_set.threads = 1;
    hiss_optimize_settings_init(&g.optimize_set);
    g.optimize_set.restarts = 1;
    g.optimize_set.threads = 1;
    hiss_exact_settings_init(&g.exact_set);
    g.exact_set.threads = 1;
    hiss_modes_settings_init(&g.modes_set);
    hiss_diagnose_settings_init(&g.diagnose_set);
    g.diagnose_set.threads = 1;
    g.domain = HISS_INIT(hiss_domain);
    hiss_compare_settings_init(&g.compare_set);
    g.compare_set.samples = 16;
    g.compare_set.threads = 1;
    g.samplers[0] = "gibbs";
    g.samplers[1] = "metropolis";
    g.domain.dim = DIM;
    g.given = HISS_INIT(hiss_given);
    g.given.model = "ising(side=2,beta=0.1)";
    g.trust = HISS_INIT(hiss_trust);
    g.trust.folder = ".";
    g.callback = HISS_INIT(hiss_callback);
    g.callback.domain = &g.domain;
    g.callback.evaluate = evaluate;
    g.foreign = HISS_INIT(hiss_foreign_draws);
    g.foreign.chains = 2;
    g.foreign.samples = 4;
    g.foreign.draws = g.spins;
    g.kernel = HISS_INIT(hiss_kernel);
    g.kernel.apply = all_up;
    for (int n = 0; n < 64; n++) {
        g.ones_int[n] = 1;
        g.spins[n] = 1.0;
    }
}

static void find_options(void)
{
    hiss_file_format format = HISS_INIT(hiss_file_format);
    hiss_type_info type = HISS_INIT(hiss_type_info);

    while (hiss_format_info(g.format, &format) && format.options == 0)
        g.format++;
    while (hiss_model_info(g.model_type, &type) && type.options == 0)
        g.model_type++;
}

static void make_files(void)
{
    hiss_settings set = g.run_set;
    hiss_error err = {0};
    hiss_result *result;

    g.result_path = "arguments.csv";
    g.problem_path = "arguments.rudy";
    g.converted_path = "arguments.json";
    g.evidence_path = "arguments.evid";
    g.checkpoint_path = "arguments.ckpt";
    g.mar_path = "arguments.MAR";
    g.state_path = "arguments.txt";
    put_file(g.problem_path, "2 1\n1 2 1\n");
    put_file(g.evidence_path, "1 0 1\n");
    must(hiss_result_write(g.result, g.result_path, 1, &err), &err);
    set.checkpoint = g.checkpoint_path;
    set.checkpoint_text = "text";
    set.checkpoint_replace = 1;
    set.samples = 1 << 20; /* one that is done takes its checkpoint away */
    set.progress = stop;
    result = sample("gibbs", &set);
    hiss_result_destroy(result);
}

static void enter_folder(void)
{
    const char *base = getenv("TMPDIR");

    snprintf(folder, sizeof folder, "%.80s/hiss-arguments-XXXXXX",
             base ? base : "/tmp");
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
}

static void remove_folder(void)
{
    DIR *files = opendir(folder);
    const struct dirent *file;

    assert_non_null(files);
    while ((file = readdir(files)))
        unlink(file->d_name);
    closedir(files);
    assert_int_equal(rmdir(folder), 0);
}

static int make_objects(void **state)
{
    hiss_error err = {0};
    hiss_diagnose_settings quick;
    hiss_settings set;

    (void)state;
    enter_folder();
    make_settings();
    must(hiss_model_ising(&g.model, DIM, g.numbers, NULL, &err), &err);
    must(hiss_model_create(&g.network,
                           "bnn(data=" HISS_TEST_DATA
                           "/bnn/tiny.csv,target=y,hidden=2)",
                           &err),
         &err);
    must(hiss_sampler_create(&g.sampler, "gibbs", &err), &err);
    g.result = sample("gibbs", &g.run_set);
    g.with_input = sample("gibbs", &g.run_set);
    must(hiss_result_put(g.result, "command", "hiss", &err), &err);
    set = g.run_set;
    set.save_warmup = 1;
    g.with_warmup = sample("gibbs", &set);
    g.tempered =
        sample("pt(base=gibbs,levels=2,max_temperature=2)", &g.run_set);
    set = g.run_set;
    set.level_draws = 1;
    g.by_level = sample("pt(base=gibbs,ladder=[1,2])", &set);
    set = g.run_set;
    set.particles = 1;
    g.population = sample("smc(betas=[0.5,1])", &set);
    g.flat = sample("multicanonical(range=[-1,1],slopes=[0,0.5])", &g.run_set);
    g.weighted = sample("network(bond=2)", &g.run_set);
    must(hiss_exact_create(&g.exact, g.model, 1, &err), &err);
    must(hiss_verify(&g.verdict, g.model, g.sampler, &g.verify_set, &err),
         &err);
    must(hiss_verify_kernel(&g.broken, g.model, &g.kernel, NULL, &g.verify_set,
                            &err),
         &err);
    must(hiss_modes_create(&g.modes, g.result, g.model, g.exact, &err), &err);
    g.diagnose_set.temperature = 1;
    must(hiss_diagnose(&g.diagnosis, g.result, g.model, &g.diagnose_set, &err),
         &err);
    quick = g.diagnose_set;
    quick.quick = 1;
    must(hiss_diagnose(&g.quick, g.result, g.model, &quick, &err), &err);
    must(hiss_optimize(&g.optimum, g.model, &g.optimize_set, &err), &err);
    must(hiss_compare(&g.comparison, g.model, g.samplers, 2, &g.compare_set,
                      &err),
         &err);
    find_options();
    make_files();
    must(hiss_result_add_input(g.with_input, g.problem_path, &err), &err);
    return 0;
}

static int free_objects(void **state)
{
    (void)state;
    hiss_comparison_destroy(g.comparison);
    hiss_optimum_destroy(g.optimum);
    hiss_diagnosis_destroy(g.diagnosis);
    hiss_diagnosis_destroy(g.quick);
    hiss_modes_destroy(g.modes);
    hiss_verdict_destroy(g.verdict);
    hiss_verdict_destroy(g.broken);
    hiss_exact_destroy(g.exact);
    hiss_result_destroy(g.result);
    hiss_result_destroy(g.with_input);
    hiss_result_destroy(g.with_warmup);
    hiss_result_destroy(g.tempered);
    hiss_result_destroy(g.by_level);
    hiss_result_destroy(g.population);
    hiss_result_destroy(g.flat);
    hiss_result_destroy(g.weighted);
    hiss_sampler_destroy(g.sampler);
    hiss_model_destroy(g.network);
    hiss_model_destroy(g.model);
    remove_folder();
    return 0;
}

/* Without a place for the message first, then with one. */
static _Noreturn void make_call(const struct call *call)
{
    static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS};
    hiss_error err = {0};
    int quiet, told;

    for (size_t n = 0; n < sizeof caught / sizeof *caught; n++)
        signal(caught[n], SIG_DFL); /* cmocka would go on with its tests */
    alarm(SECONDS);
    quiet = call->holds(NULL);
    if (strstr(call->name, "_destroy:") || strstr(call->name, "hiss_free:") ||
        strcmp(call->name, "hiss_model_fix: good arguments") == 0)
        _exit(quiet ? 0 : 1); /* not twice */
    told = call->holds(&err);
    _exit(quiet && told ? 0 : 1);
}

static void no_call_breaks(void **state)
{
    size_t count = sizeof calls / sizeof calls[0];
    int faults = 0;

    (void)state;
    for (size_t n = 0; n < count; n++) {
        pid_t child = fork();
        int how;

        assert_true(child >= 0);
        if (child == 0)
            make_call(&calls[n]);
        assert_int_equal(waitpid(child, &how, 0), child);
        if (WIFEXITED(how) && WEXITSTATUS(how) == 0)
            continue;
        faults++;
        if (WIFSIGNALED(how))
            print_error("%s: signal %d\n", calls[n].name, WTERMSIG(how));
        else
            print_error("%s: %s\n", calls[n].name,
                        WEXITSTATUS(how) == 1 ? "not what is promised"
                                              : "a sanitizer's finding");
    }
    if (faults)
        fail_msg("%d of %d calls", faults, (int)count);
}

static void every_function_is_known(void **state)
{
    (void)state;
    for (int n = 0; unknown[n]; n++)
        print_error("%s\n", unknown[n]);
    assert_null(unknown[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_is_known),
        cmocka_unit_test(no_call_breaks),
    };

    return cmocka_run_group_tests(tests, make_objects, free_objects);
}
