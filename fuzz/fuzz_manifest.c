/* fuzz_manifest.c - the manifest of a result: what a reader makes of it, and
 * what it may open. */
#include <hiss/hiss.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "harness.h"
#include "place.h"

enum {
    CHAINS = 2,
    DRAWS = 6,
    DIM = 4
};

/* Two chains of bernoulli4, after the comments that a result begins with. */
static void add_draws(hs_text *t)
{
    char line[96];

    hs_text_add_string(t, "chain,draw,lp,x.1,x.2,x.3,x.4\n");
    for (int c = 0; c < CHAINS; c++)
        for (int d = 0; d < DRAWS; d++) {
            snprintf(line, sizeof line, "%d,%d,%.17g,%d,%d,%d,%d\n", c, d, -1.5,
                     d & 1, d >> 1 & 1, c, 0);
            hs_text_add_string(t, line);
        }
}

static void look_at(const hiss_result *r, hiss_model *own)
{
    hiss_diagnose_settings set;
    hiss_diagnosis *d = NULL;
    hiss_model *m = NULL;
    hiss_level level = HISS_INIT(hiss_level);
    hiss_error err = {0};
    const char *name;
    double rate;
    char *text;

    for (int n = 0; hiss_result_acceptance(r, n, &name, &rate); n++)
        continue;
    for (int n = 0; hiss_result_level(r, n, &level); n++)
        continue;
    if (hiss_result_model(&m, r, NULL, &err) == HISS_EINTERNAL)
        abort();
    hiss_model_destroy(m);
    hiss_result_check_inputs(r, NULL);
    text = hiss_result_manifest(r);
    hiss_free(text);
    hiss_diagnose_settings_init(&set);
    set.threads = 1;
    set.probe = 1;
    set.effort = 0.01;
    set.seconds = 0.1;
    set.blind = 1;
    if (hiss_diagnose(&d, r, own, &set, &err) == HISS_EINTERNAL)
        abort();
    hiss_diagnosis_destroy(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_place("r.csv");
    hs_text t = {0};
    hiss_result *r = NULL;
    hiss_model *own;
    char *whole;

    hs_text_add_string(&t, "# hiss: 0\n# manifest: ");
    for (size_t i = 0; i < size; i++)
        hs_text_add_char(&t, data[i] == '\n' || !data[i] ? ' ' : (char)data[i]);
    hs_text_add_string(&t, "\n");
    add_draws(&t);
    hs_text_add_string(&t, "# checksum: none\n");
    whole = hs_text_take(&t);
    if (!whole || hiss_model_create(&own, "bernoulli4", NULL) != HISS_OK)
        abort();
    fuzz_write(path, whole, strlen(whole));
    if (hiss_result_read(&r, path, NULL) == HISS_OK)
        look_at(r, own);
    hiss_result_destroy(r);
    hiss_model_destroy(own);
    hs_free(whole);
    return 0;
}
