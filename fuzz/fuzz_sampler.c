/* fuzz_sampler.c - samplers that the tables of options allow, and some that
 * they do not.
 *
 * The input is read as choices: a model, a sampler, which of its options are
 * given, their values, the samplers nested in it.  What is made of it is
 * printed and parsed to the same sampler, or refused.  Where all numbers are
 * small it also draws, the same with one thread as with two. */
#include <hiss/hiss.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "harness.h"

enum {
    DEPTH_MAX = 3, /* of samplers in samplers */
    CHILDREN_MAX = 3,
    WORD_MAX = 64,
    CHAINS = 2,
    DRAWS = 4
};

static const char *const models[] = {
    "bernoulli4",
    "ising(side=3,beta=0.4)",
    "potts(side=2,states=3,beta=0.8)",
    "ladder(d=3,levels=4,beta=0.5)",
    "rbm(4,3)",
    "mixture(k=2,d=5)",
};

/* Numbers that a run can afford, and others. */
static const char *const small[] = {"0", "1", "2", "3", "0.25", "1.5", "auto"};
static const char *const odd[] = {
    "-1",      "nan",        "inf",        "1e308", "1e-320", "0x10", "",
    "1000000", "2147483647", "2147483648", "1e12",  "1024",   "no",   "gibbs"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

struct choices {
    const uint8_t *at, *end;
    hs_text spec;
    bool is_small;
};

static unsigned choose(struct choices *c, size_t of)
{
    return c->at < c->end ? *c->at++ % (unsigned)of : 0;
}

static void add(struct choices *c, const char *text)
{
    hs_text_add_string(&c->spec, text);
}

static void add_number(struct choices *c)
{
    if (choose(c, 8) > 0) {
        add(c, small[choose(c, COUNT(small))]);
    } else {
        add(c, odd[choose(c, COUNT(odd))]);
        c->is_small = false;
    }
}

/* One of the words "a|b|c". */
static void add_word(struct choices *c, const char *words)
{
    unsigned skip = choose(c, 4);
    char word[WORD_MAX];

    for (; skip > 0 && strchr(words, '|'); skip--)
        words = strchr(words, '|') + 1;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(words, "|"), words);
    add(c, word);
}

static void add_sampler(struct choices *c, int depth);

static void add_value(struct choices *c, const hiss_option_info *o, int depth)
{
    if (strcmp(o->type, "sampler") == 0) {
        add_sampler(c, depth + 1);
    } else if (strcmp(o->type, "choice") == 0) {
        add_word(c, o->range);
    } else if (strcmp(o->type, "yes|no") == 0) {
        add_word(c, "yes|no|maybe");
    } else if (strcmp(o->type, "text") == 0) {
        add(c, "\"no \\\"such\\\" file\"");
    } else if (strcmp(o->type, "list of reals") == 0) {
        add(c, "[");
        for (unsigned n = choose(c, 4); n > 0; n--) {
            add_number(c);
            add(c, n > 1 ? "," : "");
        }
        add(c, "]");
    } else {
        add_number(c);
    }
}

static void separate(struct choices *c)
{
    if (c->spec.length > 0 && c->spec.at[c->spec.length - 1] != '(')
        add(c, ",");
}

static void add_options(struct choices *c, int number, int depth)
{
    hiss_option_info o = HISS_INIT(hiss_option_info);

    for (int i = 0; hiss_sampler_option(number, i, &o); i++) {
        if (strcmp(o.type, "samplers") == 0) {
            for (unsigned n = 1 + choose(c, CHILDREN_MAX); n > 0; n--) {
                separate(c);
                add_sampler(c, depth + 1);
            }
        } else if (choose(c, 3) == 1) {
            separate(c);
            add(c, o.name);
            add(c, "=");
            add_value(c, &o, depth);
        }
    }
}

static void add_sampler(struct choices *c, int depth)
{
    hiss_type_info type = HISS_INIT(hiss_type_info);
    int types = 0, number;

    while (hiss_sampler_info(types, &type))
        types++;
    number = (int)choose(c, (size_t)types);
    if (depth > DEPTH_MAX) {
        add(c, "gibbs");
        return;
    }
    hiss_sampler_info(number, &type);
    add(c, type.name);
    add(c, "(");
    add_options(c, number, depth);
    add(c, ")");
}

static void check_printed(const hiss_sampler *s)
{
    hiss_sampler *again;
    hiss_error err = {0};

    if (hiss_sampler_create(&again, hiss_sampler_spec(s), &err) != HISS_OK) {
        fprintf(stderr, "%s: %s\n", hiss_sampler_spec(s), err.message);
        abort();
    }
    if (strcmp(hiss_sampler_spec(s), hiss_sampler_spec(again)) != 0)
        abort();
    hiss_sampler_destroy(again);
    hiss_free(hiss_sampler_explain(s));
}

static hiss_status draw(hiss_result **out, const hiss_model *m,
                        const hiss_sampler *s, int threads)
{
    hiss_settings set;
    hiss_error err = {0};
    hiss_status rc;

    hiss_settings_init(&set);
    set.chains = CHAINS;
    set.samples = DRAWS;
    set.warmup = 3;
    set.threads = threads;
    rc = hiss_sample(out, m, s, &set, &err);
    if (rc == HISS_EINTERNAL || (rc == HISS_OK) != (*out != NULL)) {
        fprintf(stderr, "%s: %s\n", hiss_sampler_spec(s), err.message);
        abort();
    }
    return rc;
}

static void check_draws(const hiss_model *m, const hiss_sampler *s)
{
    hiss_result *one = NULL, *two = NULL;
    hiss_status rc = draw(&one, m, s, 1);

    if (draw(&two, m, s, 2) != rc)
        abort();
    if (rc == HISS_OK && memcmp(hiss_result_lp(one), hiss_result_lp(two),
                                CHAINS * DRAWS * sizeof(double)) != 0)
        abort();
    hiss_result_destroy(one);
    hiss_result_destroy(two);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static hiss_model *made[COUNT(models)]; /* kept as long as the process */
    struct choices c = {.at = data, .end = data + size, .is_small = true};
    unsigned which = choose(&c, COUNT(models));
    hiss_sampler *s = NULL;
    hiss_error err = {0};
    hiss_status rc;
    char *spec;

    if (!made[which] &&
        hiss_model_create(&made[which], models[which], NULL) != HISS_OK)
        abort();
    add_sampler(&c, 0);
    spec = hs_text_take(&c.spec);
    rc = hiss_sampler_create(&s, spec, &err);
    if (rc == HISS_EINTERNAL || (rc == HISS_EPARSE && c.is_small) ||
        (rc == HISS_OK) != (s != NULL)) {
        fprintf(stderr, "%s: %s\n", spec, err.message);
        abort();
    }
    if (s) {
        check_printed(s);
        if (c.is_small)
            check_draws(made[which], s);
    }
    hiss_sampler_destroy(s);
    hiss_free(spec);
    return 0;
}
