/* decode.c - errors in a quantum circuit, given its detections.
 *
 * There is one bit per error mechanism of a detector error model (dem.h), e_j =
 * 1 if it happened, and one bit L_k per logical observable:
 *
 *   log p(e, L) = sum_j [e_j ln p_j + (1 - e_j) ln(1 - p_j)],
 *
 * where the sum of e_j over the mechanisms that flip a detector is odd if and
 * only if the detector flipped, and likewise for L_k.  So Z is the probability
 * of these detections, and P(L_k = 1) that of a logical error given them.
 *
 * A parity of many bits is a chain of parities of three, with an extra bit for
 * each partial sum.  These bits follow from the others, so the distribution of
 * the errors does not change. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/text.h"
#include "model/decode/dem.h"
#include "model/factor/factor_graph.h"

/* Most bits of a table of parities: a check of a surface code has 4. */
#define WIDTH 4

struct decode_options {
    char *file, *detections, *observables;
};

#define AT(field) offsetof(struct decode_options, field)
static const hs_option decode_options[] = {
    {"file", HS_FILE, AT(file), NULL, NULL,
     "detector error model of stim (.dem)"},
    {"detections", HS_TEXT, AT(detections), "", NULL,
     "flipped detectors, as \"D0 D7\" or one 0 or 1 for each detector; "
     "default: none"},
    {"observables", HS_TEXT, AT(observables), "", NULL,
     "only errors with these logical flips: \"L0\", \"none\", or a 0 or 1 for "
     "each; absent: all, and L0, L1, ... are coordinates"},
    {0},
};

struct decoder {
    const struct decode_options *o;
    hs_dem d;       /* owned */
    bool *flips;    /* owned, [detectors + observables]: whether the parity is
                       odd */
    bool is_free;   /* observables are coordinates */
    int64_t *start; /* owned, [detectors + observables + 1]: starts of the
                       mechanisms */
    int *mechanism; /* owned: each of them */
    int bits;       /* coordinates so far */
    char **name;    /* owned, [room], each owned */
    int room;
    hs_factors f; /* owned */
};

static int symptom_count(const struct decoder *c)
{
    return c->d.detectors + c->d.observables;
}

/* --- what was seen ------------------------------------------------------- */

static hiss_status fail_list(const char *text, const char *option,
                             const char *what, int count, hiss_error *err)
{
    return hs_fail(err, HISS_EARG,
                   "model decode: %s is '%.40s', expected %s or %d times 0 "
                   "or 1",
                   option, text, what, count);
}

static bool is_bits(const char *text, int count)
{
    size_t length = strlen(text);

    return length == (size_t)count && strspn(text, "01") == length;
}

/* Reads "D3 D5", separated by spaces or commas, also without the letters. */
static hiss_status set_listed(bool *flips, const char *text, char letter,
                              int count, const char *option, const char *what,
                              hiss_error *err)
{
    const char *at = text;

    for (;;) {
        char *end;
        long number;

        at += strspn(at, " ,\t\"");
        if (!*at)
            return HISS_OK;
        at += *at == letter;
        number = *at >= '0' && *at <= '9' ? strtol(at, &end, 10) : -1;
        if (number < 0 || !strchr(" ,\t\"", *end))
            return fail_list(text, option, what, count, err);
        if (number >= count)
            return hs_fail(err, HISS_EARG,
                           "model decode: %s has %c%ld, expected a number "
                           "below %d",
                           option, letter, number, count);
        flips[number] = !flips[number];
        at = end;
    }
}

static hiss_status set_flips(struct decoder *c, hiss_error *err)
{
    const char *seen = c->o->detections, *logical = c->o->observables;
    int n = c->d.detectors, m = c->d.observables;

    c->flips = hs_alloc_array((size_t)symptom_count(c), sizeof *c->flips);
    if (!c->flips)
        return hs_fail_memory(err);
    for (int i = 0; seen && is_bits(seen, n) && i < n; i++)
        c->flips[i] = seen[i] == '1';
    if (seen && !is_bits(seen, n))
        HS_TRY(set_listed(c->flips, seen, 'D', n, "detections",
                          "detectors such as D0 D7", err));
    c->is_free = !logical || !*logical;
    if (c->is_free || strcmp(logical, "none") == 0)
        return HISS_OK;
    if (!is_bits(logical, m))
        return set_listed(c->flips + n, logical, 'L', m, "observables",
                          "observables such as L0, none", err);
    for (int i = 0; i < m; i++)
        c->flips[n + i] = logical[i] == '1';
    return HISS_OK;
}

/* Lists the mechanisms of every detector and observable. */
static hiss_status index_symptoms(struct decoder *c, hiss_error *err)
{
    const hs_dem *d = &c->d;
    size_t symptoms = (size_t)symptom_count(c);

    c->start = hs_alloc_array(symptoms + 2, sizeof *c->start);
    c->mechanism =
        hs_alloc_array((size_t)d->at[d->count], sizeof *c->mechanism);
    if (!c->start || !c->mechanism)
        return hs_fail_memory(err);
    for (int64_t s = 0; s < d->at[d->count]; s++)
        c->start[d->symptom[s] + 2]++;
    for (size_t s = 1; s <= symptoms; s++)
        c->start[s + 1] += c->start[s];
    for (int j = 0; j < d->count; j++)
        for (int64_t s = d->at[j]; s < d->at[j + 1]; s++)
            c->mechanism[c->start[d->symptom[s] + 1]++] = j;
    return HISS_OK;
}

/* --- coordinates and tables ---------------------------------------------- */

static hiss_status add_bit(struct decoder *c, char *name, hiss_error *err)
{
    if (!name)
        return hs_fail_memory(err);
    HS_ASSERT(c->bits < c->room);
    c->name[c->bits++] = name;
    return HISS_OK;
}

/* "D0^D4^L0" */
static char *mechanism_name(const hs_dem *d, int j)
{
    hs_text t = {0};

    for (int64_t s = d->at[j]; s < d->at[j + 1]; s++) {
        bool is_logical = d->symptom[s] >= d->detectors;

        hs_text_print(&t, "%s%c%d", s > d->at[j] ? "^" : "",
                      is_logical ? 'L' : 'D',
                      d->symptom[s] - (is_logical ? d->detectors : 0));
    }
    return hs_text_take(&t);
}

/* Names a parity: "L0", or "D5.2" for the second partial parity of a
 * detector. */
static char *parity_name(const hs_dem *d, int symptom, int part)
{
    bool is_logical = symptom >= d->detectors;
    hs_text t = {0};

    hs_text_print(&t, "%c%d", is_logical ? 'L' : 'D',
                  symptom - (is_logical ? d->detectors : 0));
    if (part > 0)
        hs_text_print(&t, ".%d", part);
    return hs_text_take(&t);
}

/* Bits of a detector's or an observable's parity, and extra bits of its
 * chain. */
static int64_t size_of(const struct decoder *c, int symptom)
{
    return c->start[symptom + 1] - c->start[symptom] +
           (c->is_free && symptom >= c->d.detectors);
}

static int64_t partial_sums(const struct decoder *c, int symptom)
{
    int64_t size = size_of(c, symptom);

    return size <= WIDTH ? 0 : size - WIDTH;
}

static hiss_status add_mechanisms(struct decoder *c, hiss_error *err)
{
    int64_t bits = c->d.count + (c->is_free ? c->d.observables : 0);

    for (int s = 0; s < symptom_count(c); s++)
        bits += partial_sums(c, s);
    if (bits > HS_DEM_TARGETS_MAX)
        return hs_fail(err, HISS_ELIMIT, "model decode: %lld bits",
                       (long long)bits);
    c->room = (int)bits;
    c->name = hs_alloc_array((size_t)bits, sizeof *c->name);
    if (!c->name)
        return hs_fail_memory(err);
    for (int j = 0; j < c->d.count; j++)
        HS_TRY(add_bit(c, mechanism_name(&c->d, j), err));
    for (int k = 0; c->is_free && k < c->d.observables; k++)
        HS_TRY(add_bit(c, parity_name(&c->d, c->d.detectors + k, 0), err));
    return HISS_OK;
}

static hiss_status set_factors(struct decoder *c, hiss_error *err)
{
    int *states = hs_alloc_array((size_t)c->room, sizeof *states);
    hiss_status rc;

    if (!states)
        return hs_fail_memory(err);
    for (int i = 0; i < c->room; i++)
        states[i] = 2;
    rc = hs_factors_init(&c->f, c->room, states, err);
    hs_free(states);
    for (int j = 0; rc == HISS_OK && j < c->d.count; j++) {
        double p = c->d.p[j], table[2] = {log1p(-p), log(p)};

        rc = hs_factors_add(&c->f, 1, &j, table, NULL, err);
    }
    return rc;
}

/* Requires that the sum of these bits is odd, or even. */
static hiss_status add_parity(struct decoder *c, int size, const int *bit,
                              bool is_odd, hiss_error *err)
{
    double table[1 << WIDTH];

    for (int entry = 0; entry < 1 << size; entry++) {
        int sum = 0;

        for (int i = 0; i < size; i++)
            sum += entry >> i & 1;
        table[entry] = sum % 2 == is_odd ? 0.0 : -HUGE_VAL;
    }
    return hs_factors_add(&c->f, size, bit, table, NULL, err);
}

/* Sums pairs into a new bit each until the rest fits a table. */
static hiss_status add_chain(struct decoder *c, int symptom, int *bit,
                             hiss_error *err)
{
    int64_t from = c->start[symptom], size = c->start[symptom + 1] - from;
    int first = 0;

    for (int64_t n = 0; n < size; n++)
        bit[n] = c->mechanism[from + n];
    if (c->is_free && symptom >= c->d.detectors)
        bit[size++] = c->d.count + symptom - c->d.detectors;
    for (int part = 1; size - first > WIDTH; part++) {
        int three[3] = {bit[first], bit[first + 1], c->bits};

        HS_TRY(add_parity(c, 3, three, false, err));
        bit[++first] = c->bits;
        HS_TRY(add_bit(c, parity_name(&c->d, symptom, part), err));
    }
    if (size == 0 && c->flips[symptom])
        return hs_fail(
            err, HISS_EINFEASIBLE, "model decode: no error flips %c%d",
            symptom < c->d.detectors ? 'D' : 'L',
            symptom < c->d.detectors ? symptom : symptom - c->d.detectors);
    return size == 0 ? HISS_OK
                     : add_parity(c, (int)(size - first), bit + first,
                                  c->flips[symptom], err);
}

static hiss_status add_parities(struct decoder *c, hiss_error *err)
{
    int *bit = hs_alloc_array((size_t)c->d.count + 1, sizeof *bit);
    hiss_status rc = bit ? HISS_OK : hs_fail_memory(err);

    for (int s = 0; rc == HISS_OK && s < symptom_count(c); s++)
        rc = add_chain(c, s, bit, err);
    hs_free(bit);
    return rc;
}

static hiss_status make_tables(struct decoder *c, hiss_error *err)
{
    HS_TRY(hs_dem_read(&c->d, c->o->file, err));
    HS_TRY(set_flips(c, err));
    HS_TRY(index_symptoms(c, err));
    HS_TRY(add_mechanisms(c, err));
    HS_TRY(set_factors(c, err));
    HS_TRY(add_parities(c, err));
    HS_ASSERT(c->bits == c->room);
    return HISS_OK;
}

/* --- the model ----------------------------------------------------------- */

static char *reading(const struct decoder *c)
{
    hs_text t = {0};
    int seen = 0;

    for (int i = 0; i < c->d.detectors; i++)
        seen += c->flips[i];
    hs_text_print(&t,
                  "%s: %d error mechanisms, %d detectors, %d observables, read "
                  "as a detector error model: log p = log probability of the "
                  "errors, if %d detectors flip",
                  c->o->file, c->d.count, c->d.detectors, c->d.observables,
                  seen);
    if (!c->is_free)
        hs_text_print(&t, " and the observables are %s", c->o->observables);
    return hs_text_take(&t);
}

static hiss_status make_model(hs_model **out, struct decoder *c,
                              hiss_error *err)
{
    hs_domain domain;
    hiss_status rc;

    HS_TRY(hs_domain_init(&domain, HISS_BINARY, c->bits, 2, err));
    rc = hs_domain_name(&domain, c->name, NULL, err);
    if (rc != HISS_OK) {
        hs_domain_clear(&domain);
        return rc;
    }
    HS_TRY(hs_factor_graph_create_over(out, "decode", &domain, &c->f, err));
    hs_free((*out)->name); /* the caller replaces it by the whole spec */
    (*out)->name = NULL;
    (*out)->reads_as = reading(c);
    if ((*out)->reads_as)
        return HISS_OK;
    hs_model_destroy(*out);
    *out = NULL;
    return hs_fail_memory(err);
}

static hiss_status decode_create(hs_model **out, const void *options,
                                 hiss_error *err)
{
    struct decoder c = {.o = options};
    hiss_status rc;

    *out = NULL;
    rc = make_tables(&c, err);
    if (rc == HISS_OK)
        rc = make_model(out, &c, err);
    hs_dem_clear(&c.d);
    hs_factors_clear(&c.f);
    for (int i = 0; c.name && i < c.bits; i++)
        hs_free(c.name[i]);
    hs_free(c.name);
    hs_free(c.flips);
    hs_free(c.start);
    hs_free(c.mechanism);
    return rc;
}

const hs_model_type hs_model_decode = {
    .name = "decode",
    .summary = "errors of a quantum circuit given its detectors (binary)",
    .size = sizeof(struct decode_options),
    .options = decode_options,
    .create = decode_create,
};
