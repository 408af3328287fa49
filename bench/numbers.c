/* numbers.c - the numbers of run/policy/policy.def, as a bench changes them. */
#include "numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/policy/policy_set.h"

#define OFFSET UINT64_C(0xcbf29ce484222325) /* FNV-1a */
#define PRIME  UINT64_C(0x100000001b3)

static uint64_t mix(uint64_t h, const void *bytes, size_t count)
{
    const unsigned char *b = bytes;

    for (size_t n = 0; n < count; n++)
        h = (h ^ b[n]) * PRIME;
    return h;
}

static void fail(const char *text)
{
    fprintf(stderr, "bench_modes: policy: %s\n", text);
    exit(2);
}

/* One NAME:VALUE, which ends at a comma or at the end of the text. */
static const char *set_one(const char *at)
{
    char name[64];
    const char *colon = strchr(at, ':'), *comma = strchr(at, ',');
    size_t length = colon ? (size_t)(colon - at) : 0;
    hiss_error err = {0};
    char *end;
    double value;

    if (!colon || (comma && comma < colon) || length >= sizeof name)
        fail("expected NAME:VALUE,NAME:VALUE or 'list'");
    memcpy(name, at, length);
    name[length] = '\0';
    value = strtod(colon + 1, &end);
    if (end == colon + 1 || (*end != ',' && *end != '\0'))
        fail("expected a number after ':'");
    if (hs_policy_set(name, value, &err) != HISS_OK)
        fail(err.message);
    return *end == ',' ? end + 1 : end;
}

void numbers_set(const char *list)
{
    while (*list)
        list = set_one(list);
}

void numbers_note_draws(numbers_trace *t, const hiss_result *r)
{
    hiss_run_info info = HISS_INIT(hiss_run_info);
    const double *lp = hiss_result_lp(r);
    double *x;

    hiss_result_info(r, &info);
    x = malloc(sizeof *x * (size_t)info.dim);
    t->draws = mix(OFFSET, &info.thin, sizeof info.thin);
    for (int64_t n = 0; x && n < info.chains * info.samples; n++) {
        hiss_result_draw(r, (int)(n / info.samples), n % info.samples, x);
        t->draws = mix(t->draws, x, sizeof *x * (size_t)info.dim);
        if (lp)
            t->draws = mix(t->draws, &lp[n], sizeof *lp);
    }
    free(x);
}

void numbers_note_verdict(numbers_trace *t, const hiss_diagnosis *d)
{
    hiss_finding f = HISS_INIT(hiss_finding);

    t->verdict = OFFSET;
    for (int n = 0; hiss_diagnosis_finding(d, n, &f); n++) {
        t->verdict = mix(t->verdict, &f.outcome, sizeof f.outcome);
        t->verdict = mix(t->verdict, f.text, strlen(f.text));
    }
}

void numbers_note_reads(numbers_trace *t)
{
    for (int n = 0; n < HS_POLICIES; n++)
        t->is_read[n] = hs_policy_was_read((hs_policy_name)n);
}

void numbers_add(numbers_trace *to, const numbers_trace *from)
{
    to->draws = mix(to->draws, &from->draws, sizeof from->draws);
    to->verdict = mix(to->verdict, &from->verdict, sizeof from->verdict);
    for (int n = 0; n < HS_POLICIES; n++)
        to->is_read[n] |= from->is_read[n];
}

void numbers_print(FILE *to, const numbers_trace *t, const char *between)
{
    const char *before = "";

    for (int n = 0; n < HS_POLICIES; n++)
        if (t->is_read[n]) {
            fprintf(to, "%s%s", before, hs_policies[n].name);
            before = between;
        }
}
