/* test_json.c - memory that runs out inside jansson, at every call: an error of
 * memory, or a whole result. */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <hiss/format.h>
#include <hiss/hiss.h>

static char folder[] = "/tmp/hiss-json-XXXXXX";

static long calls, fail_at; /* 0: never */
static int only_once;

/* The n-th allocation fails, alone or with all after it. */
static void *give(size_t size)
{
    calls++;
    if (fail_at > 0 && (only_once ? calls == fail_at : calls >= fail_at))
        return NULL;
    return malloc(size);
}

static const char *path_of(const char *name)
{
    static char path[2][256];
    static int turn;

    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

/* The keys of a manifest, sorted, owned by the caller: what has to be there. */
static char *keys_of(const hiss_result *r)
{
    char *line = hiss_result_manifest(r), *text;
    json_t *o = json_loads(line, 0, NULL), *bare = json_object(), *value;
    const char *key;

    json_object_foreach(o, key, value)
    {
        json_object_set_new(bare, key,
                            json_integer((json_int_t)json_object_size(value)));
    }
    text = json_dumps(bare, JSON_SORT_KEYS);
    json_decref(bare);
    json_decref(o);
    hiss_free(line);
    return text;
}

struct work {
    hiss_model *model;
    hiss_sampler *sampler;
    char *keys; /* of a run that has all memory */
};

/* A run and its files; what must be so if it says that all is well. */
static hiss_status sample(const struct work *w, const char *name,
                          hiss_error *err)
{
    hiss_settings set;
    hiss_result *r = NULL, *back = NULL;
    hiss_status rc;
    long armed = fail_at;

    hiss_settings_init(&set);
    set.chains = 2;
    set.samples = 8;
    set.marginals = 1;
    set.threads = 1;
    unlink(path_of(name));
    rc = hiss_sample(&r, w->model, w->sampler, &set, err);
    if (rc == HISS_OK)
        rc = hiss_result_put(r, "word", "a word", err);
    if (rc == HISS_OK)
        rc = hiss_result_write(r, path_of(name), 0, err);
    fail_at = 0;
    if (rc == HISS_OK) {
        char *keys;

        if (hiss_result_read(&back, path_of(name), err) != HISS_OK)
            fail_msg("call %ld: %s", armed, err->message);
        keys = keys_of(back);
        if (w->keys && strcmp(keys, w->keys) != 0)
            fail_msg("call %ld: %s, expected %s", armed, keys, w->keys);
        free(keys);
    } else {
        assert_int_not_equal(access(path_of(name), F_OK), 0);
    }
    hiss_result_destroy(r);
    hiss_result_destroy(back);
    return rc;
}

/* Every call in turn, until a run needs no more of them. */
static void a_run_has_all_or_none(void **state)
{
    struct work w = {0};
    hiss_result *r;
    hiss_error err = {0};
    long first;

    (void)state;
    assert_int_equal(
        hiss_model_create(&w.model, "ising(side=2,beta=0.3)", NULL), HISS_OK);
    assert_int_equal(hiss_sampler_create(&w.sampler,
                                         "pt(base=dmala(alpha=auto),levels=2)",
                                         NULL),
                     HISS_OK);
    assert_int_equal(sample(&w, "a.csv", &err), HISS_OK);
    assert_int_equal(hiss_result_read(&r, path_of("a.csv"), &err), HISS_OK);
    w.keys = keys_of(r);
    hiss_result_destroy(r);
    for (only_once = 0; only_once < 2; only_once++)
        for (first = 1;; first++) {
            hiss_status rc;
            bool is_over;

            calls = 0;
            fail_at = first;
            rc = sample(&w, "a.csv", &err);
            is_over = calls < first;
            if (rc != HISS_OK && rc != HISS_ENOMEM)
                fail_msg("call %ld: status %d, %s", first, rc, err.message);
            if (is_over)
                break;
        }
    assert_true(first > 100);
    free(w.keys);
    hiss_model_destroy(w.model);
    hiss_sampler_destroy(w.sampler);
}

/* A reader without memory says so, and blames no file. */
static hiss_status read_back(const char *path, hiss_error *err)
{
    hiss_result *r = NULL;
    hiss_status rc = hiss_result_read(&r, path, err);

    if (rc == HISS_OK)
        hiss_result_destroy(r);
    return rc;
}

static hiss_status open_file(const char *path, hiss_error *err)
{
    hiss_model *m = NULL;
    hiss_status rc = hiss_model_open(&m, path, NULL, err);

    if (rc == HISS_OK)
        hiss_model_destroy(m);
    return rc;
}

static hiss_status convert(const char *path, hiss_error *err)
{
    return hiss_convert(path, NULL, path_of("out.json"), NULL, 1, NULL, err);
}

static hiss_status convert_bqm(const char *path, hiss_error *err)
{
    return hiss_convert(path, NULL, path_of("out.bqm"), NULL, 1, NULL, err);
}

static void readers_tell(void **state)
{
    static const struct {
        hiss_status (*read)(const char *path, hiss_error *err);
        const char *name;
    } readers[] = {
        {read_back, "b.csv"},    {open_file, "m.json"},  {convert, "m.json"},
        {convert_bqm, "m.json"}, {open_file, "out.bqm"},
    };
    FILE *to = fopen(path_of("m.json"), "w");
    struct work w = {0};
    hiss_error err = {0};

    (void)state;
    fputs("{\"type\": \"BinaryQuadraticModel\", \"version\": {\"bqm_schema\": "
          "\"3.0.0\"}, \"use_bytes\": false, \"index_type\": \"int32\", "
          "\"bias_type\": \"float64\", \"num_variables\": 3, "
          "\"num_interactions\": 1, \"variable_labels\": [\"a\", 5, [1, 2]], "
          "\"variable_type\": \"SPIN\", \"offset\": 0.5, \"info\": {}, "
          "\"linear_biases\": [1.5, 2.0, -1.0], \"quadratic_biases\": [0.25], "
          "\"quadratic_head\": [0], \"quadratic_tail\": [1]}\n",
          to);
    fclose(to);
    assert_int_equal(
        hiss_model_create(&w.model, "ising(side=2,beta=0.3)", NULL), HISS_OK);
    assert_int_equal(hiss_sampler_create(&w.sampler, "gibbs", NULL), HISS_OK);
    fail_at = 0;
    assert_int_equal(sample(&w, "b.csv", &err), HISS_OK);
    for (size_t k = 0; k < sizeof readers / sizeof *readers; k++)
        for (only_once = 0; only_once < 2; only_once++)
            for (long first = 1;; first++) {
                const char *path = path_of(readers[k].name);
                hiss_status rc;

                calls = 0;
                fail_at = first;
                rc = readers[k].read(path, &err);
                fail_at = 0;
                if (calls < first) {
                    assert_int_equal(rc, HISS_OK);
                    break;
                }
                if (rc != HISS_OK && rc != HISS_ENOMEM)
                    fail_msg("%s, call %ld: status %d, %s", readers[k].name,
                             first, rc, err.message);
            }
    hiss_model_destroy(w.model);
    hiss_sampler_destroy(w.sampler);
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
        cmocka_unit_test(a_run_has_all_or_none),
        cmocka_unit_test(readers_tell),
    };

    json_set_alloc_funcs(give, free);
    if (!mkdtemp(folder))
        return 1;
    return cmocka_run_group_tests(tests, NULL, leave);
}
