/* test_seal.c - results that were altered are refused, or read when that is
 * asked for, and never bring the process down. */
#include "sink/seal.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <hiss/hiss.h>

#include "sink/apart.h"
#include "unit/xorshift.h"

enum {
    CHAINS = 3,
    SAMPLES = 40
};

static char folder[] = "/tmp/hiss-seal-XXXXXX";

static const char *const readable[] = {
#ifdef HS_HAVE_NETCDF
    "r.nc",
#endif
    "r.csv",
};

#define READABLE (sizeof readable / sizeof *readable)

static const char *path_of(const char *name)
{
    static char path[256];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static hiss_result *draw(void)
{
    hiss_settings set;
    hiss_model *m;
    hiss_sampler *s = NULL;
    hiss_result *r = NULL;
    hiss_error err = {0};

    hiss_settings_init(&set);
    set.chains = CHAINS;
    set.samples = SAMPLES;
    set.marginals = 1;
    if (hiss_model_create(&m, "ising(side=3,beta=0.3)", &err) ||
        hiss_sampler_create(&s, "gibbs", &err) ||
        hiss_sample(&r, m, s, &set, &err))
        fail_msg("%s", err.message);
    hiss_model_destroy(m);
    hiss_sampler_destroy(s);
    return r;
}

/* The bytes of a file, at most `room` of them. */
static size_t slurp(const char *path, char *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    size_t size = fread(bytes, 1, room, file);

    fclose(file);
    return size;
}

static void dump(const char *path, const char *bytes, size_t size,
                 const char *more)
{
    FILE *file = fopen(path, "wb");

    fwrite(bytes, 1, size, file);
    fputs(more, file);
    fclose(file);
}

/* Alters some bytes: a bit, a byte, a run of zeros, two places exchanged. */
static void alter(char *bytes, size_t size, uint64_t *random)
{
    size_t at = (size_t)xorshift_below(random, (int)size);
    size_t to = (size_t)xorshift_below(random, (int)size);
    char was = bytes[at];

    switch (xorshift_below(random, 4)) {
    case 0:
        bytes[at] ^= (char)(1 << xorshift_below(random, 8));
        break;
    case 1:
        bytes[at] = (char)(was + 1 + xorshift_below(random, 255));
        break;
    case 2:
        memset(bytes + at, was == '\0', size - at < 9 ? size - at : 9);
        break;
    default:
        bytes[at] = bytes[to];
        bytes[to] = was;
    }
}

enum {
    ALTERED_QUICK = 400,
    APART_QUICK = 40,
    SLOW = 25 /* times as many */
};

static int times(int quick)
{
    return getenv("HISS_TEST_SLOW") ? SLOW * quick : quick;
}

/* Bytes that were altered are noticed wherever they are. */
static void an_altered_file_is_refused(void **state)
{
    hiss_result *r = draw();
    static char bytes[1 << 18], copy[1 << 18];
    uint64_t random = 20261;

    (void)state;
    for (size_t f = 0; f < READABLE; f++) {
        const char *path = path_of(readable[f]);
        size_t size;

        assert_int_equal(hiss_result_write(r, path, 1, NULL), HISS_OK);
        size = slurp(path, bytes, sizeof bytes);
        for (int n = 0; n < times(ALTERED_QUICK); n++) {
            hiss_result *back = NULL;
            hiss_error err = {0};
            hiss_status rc;

            memcpy(copy, bytes, size);
            alter(copy, size, &random);
            if (memcmp(copy, bytes, size) == 0)
                continue;
            dump(path, copy, size, "");
            rc = hiss_result_read(&back, path, &err);
            if (rc != HISS_EPARSE || back || !strstr(err.message, path))
                fail_msg("%s, %d: status %d, %s", path, n, rc, err.message);
        }
    }
    hiss_result_destroy(r);
}

/* On request an altered file is read; a damaged one is an error all the
 * same, and no crash. */
static void an_altered_file_can_be_read(void **state)
{
    hiss_result *r = draw();
    static char bytes[1 << 18], copy[1 << 18];
    uint64_t random = 20262;

    (void)state;
    for (size_t f = 0; f < READABLE; f++) {
        const char *path = path_of(readable[f]);
        hiss_result *back = NULL;
        hiss_error err = {0};
        int refused = 0;
        size_t size;

        assert_int_equal(hiss_result_write(r, path, 1, NULL), HISS_OK);
        size = slurp(path, bytes, sizeof bytes);
        dump(path, bytes, size, "# checksum: none\n");
        if (hiss_result_read(&back, path, &err) != HISS_OK)
            fail_msg("%s", err.message);
        assert_memory_equal(hiss_result_lp(r), hiss_result_lp(back),
                            CHAINS * SAMPLES * sizeof(double));
        hiss_result_destroy(back);
        for (int n = 0; n < times(APART_QUICK); n++) {
            memcpy(copy, bytes, size);
            for (int k = 0; k < 20; k++)
                alter(copy, size, &random);
            dump(path, copy, size, "# checksum: none\n");
            if (hiss_result_read(&back, path, &err) == HISS_OK)
                hiss_result_destroy(back);
            else
                refused++;
        }
        assert_true(refused > 0);
    }
    hiss_result_destroy(r);
}

static hiss_status never_read(hs_loaded *in, const char *path, hiss_error *err)
{
    (void)in, (void)err;
    if (strstr(path, "crash"))
        raise(SIGSEGV);
    _exit(1);
}

/* What a library does to its own process is a message here. */
static void a_crash_is_told(void **state)
{
    static const hs_sink sink = {.name = "odd", .read = never_read};
    static const char *const paths[] = {"crash.odd", "exit.odd"};

    (void)state;
    for (int n = 0; n < 2; n++) {
        hs_loaded in;
        hiss_error err = {0};

        assert_int_equal(hs_apart_read(&in, &sink, paths[n], &err),
                         HISS_EPARSE);
        assert_non_null(strstr(err.message, "crashed"));
        assert_null(in.x);
    }
}

/* The line itself: what counts as one. */
static void last_lines(void **state)
{
    static const struct {
        const char *text;
        hiss_status status;
    } known[] = {
        /* xxhsum of "abc\n" */
        {"abc\n# checksum: xxh64 e8a1523b824c6e2d\n", HISS_OK},
        {"abc\n# checksum: xxh64 e8a1523b824c6e2e\n", HISS_EPARSE},
        {"abd\n# checksum: xxh64 e8a1523b824c6e2d\n", HISS_EPARSE},
        {"abc\n# checksum: xxh64 e8a1523b824c6e2d", HISS_EPARSE},
        {"abc\n# checksum: xxh64 E8A1523B824C6E2D\n", HISS_EPARSE},
        {"abc\n# checksum: xxh64 e8a1523b824c6e2d\n\n", HISS_EPARSE},
        {"abc\n# checksum: none\n", HISS_OK},
        {"abc\n# checksum: none", HISS_OK},
        {"abc\n# checksum: none\r\n", HISS_OK},
        {"# checksum: none", HISS_OK},
        {"abc\n# checksum: nonesuch\n", HISS_EPARSE},
        {"abc # checksum: none\n", HISS_EPARSE},
        {"# checksum: none\nabc\n", HISS_EPARSE},
        {"", HISS_EPARSE},
        {"\n", HISS_EPARSE},
    };

    (void)state;
    for (size_t n = 0; n < sizeof known / sizeof *known; n++) {
        hiss_error err = {0};
        hiss_status rc;

        dump(path_of("x"), known[n].text, strlen(known[n].text), "");
        rc = hs_seal_check(path_of("x"), &err);
        if (rc != known[n].status)
            fail_msg("%zu: status %d, %s", n, rc, err.message);
    }
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
        cmocka_unit_test(last_lines),
        cmocka_unit_test(an_altered_file_is_refused),
        cmocka_unit_test(an_altered_file_can_be_read),
        cmocka_unit_test(a_crash_is_told),
    };

    if (!mkdtemp(folder))
        return 1;
    return cmocka_run_group_tests(tests, NULL, leave);
}
