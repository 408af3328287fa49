/* network_sets.h - the paper's data sets, for tests of binary networks, where
 * their files are at hand.  Include after <cmocka.h>. */
#ifndef HS_TESTS_NETWORK_SETS_H
#define HS_TESTS_NETWORK_SETS_H

#include <stdio.h>
#include <string.h>

#include "foreign.h"
#include "model/network/network.h"

#define TINY HISS_TEST_DATA "/bnn/tiny.csv"

static inline hs_model *create(const char *spec)
{
    hiss_error err = {0};
    hs_model *m;

    if (hs_model_create(&m, spec, &err) != HISS_OK)
        fail_msg("%s: %s", spec, err.message);
    return m;
}

static const struct set {
    const char *name, *file;
    int inputs, cases[HS_PARTS];
    int ones[HS_PARTS]; /* targets that are 1; -1: not counted */
} sets[] = {
    {"wdbc", "bnn/wdbc.data", 30, {450, 5, 114}, {168, -1, 43}},
    {"compas",
     "bnn/compas-scores-two-years.csv",
     13,
     {4887, 50, 1235},
     {2252, -1, 538}},
    {"hiv", "bnn/hiv-1625.txt", 160, {1287, 13, 325}, {290, -1, 83}},
    {"blog",
     "bnn/blogfeedback-2012-test.csv",
     280,
     {5467, 56, 1381},
     {-1, -1, -1}},
};

/* The model of a set, where its file is at hand. */
static inline hs_model *open_set(const struct set *s, const char *more)
{
    char path[512], spec[256];

    foreign(s->file, path, sizeof path);
    snprintf(spec, sizeof spec, "bnn(data=%s%s)", s->name, more);
    return create(spec);
}

#endif
