/* regression.c - which variables matter: a distribution over linear models.
 *
 * A state tells which columns of a data set are in the model of the response.
 * Coefficients and the variance are integrated out in closed form.  With n
 * rows, k variables in the model and R^2 the share of variance that it
 * explains, log p is, up to a constant, the log marginal likelihood
 *     g          (n-1-k)/2 ln(1+g) - (n-1)/2 ln(1 + g (1 - R^2))
 *                [Zellner 1986; Liang et al. 2008]
 *     bic        -n/2 ln(1 - R^2) - k/2 ln n
 *     spikeslab  coefficients of standardized columns ~ N(0, slab sigma^2),
 *                p(sigma^2) = 1/sigma^2
 * plus the log prior of the model:
 *     betabinomial  the chance of a variable is Beta(1, b): with b = 1 all
 *                   sizes are equally likely
 *     binomial      each variable with chance size / p
 *     uniform       all models alike
 * The empty model has log likelihood 0.
 *
 * A response of two values has a logistic regression (logistic.c), with
 *     g          coefficients ~ N(0, 4 g (X'X)^-1), which carries as much
 *                information as 1/g of the rows at even odds
 *     bic        log likelihood - k/2 ln n; a prior of PRECISION_BIC keeps
 *                coefficients finite if variables separate the two values
 *     spikeslab  coefficients of standardized columns ~ N(0, slab) */
#include <math.h>
#include <stddef.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/logarithm.h"
#include "base/text.h"
#include "model/regress/linear_build.h"
#include "model/regress/logistic_build.h"

/* Most variables in a model by default: working memory grows with the
 * square. */
#define MOST 256

#define PRECISION_BIC 1e-6 /* relative to that of a row at even odds */

enum {
    FAMILY_AUTO,
    FAMILY_LINEAR,
    FAMILY_LOGISTIC
};
enum {
    PRIOR_G,
    PRIOR_BIC,
    PRIOR_SLAB
};
enum {
    MODELS_BETA,
    MODELS_BINOMIAL,
    MODELS_UNIFORM
};

struct regression_options {
    char *file, *formula;
    int prior, models, most, family;
    double g, slab, size;
};

#define AT(field) offsetof(struct regression_options, field)
static const hs_option regression_options[] = {
    {"file", HS_FILE, AT(file), NULL, NULL, "CSV with a header and numbers"},
    {"formula", HS_TEXT, AT(formula), NULL, NULL,
     "\"y ~ x1 + x2\"; \"y ~ .\": all other columns, \"y ~ .^2\": and all "
     "pairs, a:b: a product, - a: not this one"},
    {"prior", HS_CHOICE, AT(prior), "g", "g|bic|spikeslab",
     "of the coefficients: Zellner's g, the approximation by BIC, or "
     "independent normal ones"},
    {"g", HS_AUTO, AT(g), "auto", "(0,1e12]",
     "of prior=g; auto: the number of rows (unit information)"},
    {"slab", HS_REAL, AT(slab), "1", "(0,1e12]",
     "variance of prior=spikeslab, for columns of deviation 1, in units of "
     "the noise (linear)"},
    {"models", HS_CHOICE, AT(models), "betabinomial",
     "betabinomial|binomial|uniform",
     "prior of models: by default all sizes are equally likely"},
    {"size", HS_AUTO, AT(size), "auto", "(0,1e6)",
     "expected number of variables in a model; auto: half of them"},
    {"most", HS_INTEGER, AT(most), "0", "[0,4096]",
     "variables in a model at most; 0: 256, and less than the rows"},
    {"family", HS_CHOICE, AT(family), "auto", "auto|linear|logistic",
     "auto: logistic if the response has two values"},
    {0},
};

/* ln a (a+1) ... (a+count-1) */
static double log_rising(double a, int count)
{
    double sum = 0.0;

    for (int k = 0; k < count; k++)
        sum += hs_logarithm(a + k);
    return sum;
}

/* ln B(a + k, b + p - k) - ln B(a, b), for k = 0..most */
static void add_beta(double *penalty, int most, int p, double b)
{
    double rest = log_rising(b, p) - log_rising(1.0 + b, p);

    for (int k = 0; k <= most; k++) {
        penalty[k] += rest;
        /* from k to k + 1: (1 + k) / (b + p - k - 1) */
        rest += hs_logarithm(1.0 + k) - hs_logarithm(b + p - k - 1.0);
    }
}

static void add_binomial(double *penalty, int most, int p, double chance)
{
    for (int k = 0; k <= most; k++)
        penalty[k] +=
            k * hs_logarithm(chance) + (p - k) * hs_logarithm(1.0 - chance);
}

static void add_models(double *penalty, const struct regression_options *o,
                       int most, int p)
{
    double size = isnan(o->size) ? 0.5 * p : o->size;

    if (o->models == MODELS_BETA)
        add_beta(penalty, most, p, (p - size) / size);
    else if (o->models == MODELS_BINOMIAL)
        add_binomial(penalty, most, p, size / p);
    else
        add_binomial(penalty, most, p, 0.5);
}

/* Computes the price of each variable, and the shape of rss. */
static double set_shape(hs_linear_law *law, const struct regression_options *o,
                        int rows)
{
    double g = isnan(o->g) ? rows : o->g, spread = o->slab * rows;

    law->power = 0.5 * (rows - 1);
    law->base = 0.0;
    law->slope = 1.0;
    if (o->prior == PRIOR_BIC) {
        law->power = 0.5 * rows;
        return 0.5 * hs_logarithm(rows);
    }
    if (o->prior == PRIOR_SLAB) {
        /* columns have length 1, not deviation 1: X'X + I/slab, over n */
        law->has_determinant = true;
        law->ridge = 1.0 / spread;
        return 0.5 * hs_logarithm(spread);
    }
    law->base = 1.0 / (1.0 + g);
    law->slope = g / (1.0 + g);
    return 0.5 * hs_logarithm(1.0 + g);
}

/* Makes the prior of models with a cost for each variable. */
static hiss_status make_penalty(double **out, int *most, double cost,
                                const struct regression_options *o,
                                const hs_design *d, hiss_error *err)
{
    int limit = d->rows - 3 < d->terms ? d->rows - 3 : d->terms;

    if (limit < 1)
        return hs_fail(err, HISS_EARG,
                       "%s has %d rows, expected at least 4 for a model with "
                       "one variable",
                       o->file, d->rows);
    if (!isnan(o->size) && o->size >= d->terms)
        return hs_fail(err, HISS_EARG,
                       "size is %g, expected less than the %d variables",
                       o->size, d->terms);
    *most = o->most > 0 ? o->most : MOST;
    *most = *most < limit ? *most : limit;
    *out = hs_alloc_array((size_t)*most + 2, sizeof **out);
    if (!*out)
        return hs_fail_memory(err);
    for (int k = 0; k <= *most; k++)
        (*out)[k] = -cost * k;
    (*out)[*most + 1] = -HUGE_VAL;
    add_models(*out, o, *most, d->terms);
    return HISS_OK;
}

static hiss_status build_linear(hs_model **out,
                                const struct regression_options *o,
                                hs_design *d, hiss_error *err)
{
    hs_linear_law law = {0};
    double cost = set_shape(&law, o, d->rows);
    hiss_status rc;

    HS_TRY(make_penalty(&law.penalty, &law.most, cost, o, d, err));
    rc = hs_linear_build(out, d, &law, err);
    hs_free(law.penalty); /* NULL if the model owns it */
    return rc;
}

static hiss_status build_logistic(hs_model **out,
                                  const struct regression_options *o,
                                  hs_design *d, hiss_error *err)
{
    hs_logistic_law law = {.is_bic = o->prior == PRIOR_BIC};
    double g = isnan(o->g) ? d->rows : o->g;
    hiss_status rc;

    if (!hs_logistic_fits(d))
        return hs_fail(err, HISS_EARG,
                       "'%s' has more than two values, expected two for "
                       "family=logistic",
                       d->response);
    if (o->prior == PRIOR_SLAB)
        law.ridge = 1.0 / o->slab;
    else
        law.alike = 0.25 * (law.is_bic ? PRECISION_BIC : d->rows / g);
    HS_TRY(make_penalty(&law.penalty, &law.most,
                        law.is_bic ? 0.5 * hs_logarithm(d->rows) : 0.0, o, d,
                        err));
    rc = hs_logistic_build(out, d, &law, err);
    hs_free(law.penalty); /* NULL if the model owns it */
    return rc;
}

static hiss_status describe(char **out, const struct regression_options *o,
                            const hs_design *d, bool is_logistic,
                            hiss_error *err)
{
    hs_text text = {0};

    hs_text_print(&text,
                  "%s: %d rows, %d variables that may explain '%s', read as a "
                  "%s regression: log p = log marginal likelihood%s + log "
                  "prior of the model",
                  o->file, d->rows, d->terms, d->response,
                  is_logistic ? "logistic" : "linear",
                  !is_logistic            ? ""
                  : o->prior == PRIOR_BIC ? " by BIC"
                                          : " by Laplace's approximation");
    *out = hs_text_take(&text);
    return *out ? HISS_OK : hs_fail_memory(err);
}

static hiss_status regression_create(hs_model **out, const void *options,
                                     hiss_error *err)
{
    const struct regression_options *o = options;
    hs_design design;
    char *note = NULL, *reading = NULL;
    bool is_logistic = o->family == FAMILY_LOGISTIC;
    hiss_status rc;

    *out = NULL;
    HS_TRY(hs_design_read(&design, o->file, o->formula, err));
    rc = hs_design_prepare(&design, &note, err);
    if (rc == HISS_OK && o->family == FAMILY_AUTO)
        is_logistic = hs_logistic_fits(&design);
    if (rc == HISS_OK)
        rc = describe(&reading, o, &design, is_logistic, err);
    if (rc == HISS_OK)
        rc = is_logistic ? build_logistic(out, o, &design, err)
                         : build_linear(out, o, &design, err);
    hs_design_clear(&design);
    if (rc == HISS_OK) {
        (*out)->note = note;
        (*out)->reads_as = reading;
        return HISS_OK;
    }
    hs_free(note);
    hs_free(reading);
    return rc;
}

const hs_model_type hs_model_regression = {
    .name = "regression",
    .summary = "which columns of a CSV file explain another (binary)",
    .size = sizeof(struct regression_options),
    .options = regression_options,
    .create = regression_create,
};
