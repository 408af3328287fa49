/* bnn_score.c - how well an ensemble of networks predicts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "paper/networks/bnn.h"

const char *const bnn_score_names[BNN_SCORES] = {"test_mse",
                                                 "train_mse",
                                                 "test_log_likelihood",
                                                 "train_log_likelihood",
                                                 "test_mse_each",
                                                 "train_mse_each",
                                                 "validation_mse"};

/* Smallest probability of a case; ln 0 would dominate every mean. */
static const double LEAST = 1e-6;

struct quality {
    double mse, each, log_likelihood;
};

/* Sums over networks of f and of its squared error, for all cases. */
static void add_networks(const float *said, int64_t networks, int cases,
                         const float *y, double *sum, double *square)
{
    for (int64_t k = 0; k < networks; k++)
        for (int n = 0; n < cases; n++) {
            double f = (double)said[k * cases + n], e = f - (double)y[n];

            sum[n] += f;
            square[n] += e * e;
        }
}

static struct quality quality_of(const hiss_model *model, hiss_part part,
                                 const float *said, int64_t networks)
{
    const float *y = hiss_network_targets(model, part);
    struct quality q = {NAN, NAN, NAN};
    hiss_network network = HISS_INIT(hiss_network);
    double *sum, *square;
    int cases;

    hiss_model_network(model, &network);
    cases = network.cases[part];
    if (cases == 0)
        return q;
    sum = cli_alloc(2 * (size_t)cases, sizeof *sum);
    square = sum + cases;
    add_networks(said, networks, cases, y, sum, square);
    q = (struct quality){0, 0, 0};
    for (int n = 0; n < cases; n++) {
        double mean = sum[n] / (double)networks, target = (double)y[n];
        double sure = fmin(fmax(mean, LEAST), 1 - LEAST);

        q.mse += (mean - target) * (mean - target) / cases;
        q.each += square[n] / (double)networks / cases;
        q.log_likelihood +=
            (target * log(sure) + (1 - target) * log(1 - sure)) / cases;
    }
    free(sum);
    return q;
}

static void put_quality(double score[BNN_SCORES], hiss_part part,
                        struct quality q)
{
    switch (part) {
    case HISS_FITTED:
        score[BNN_TRAIN_MSE] = q.mse;
        score[BNN_TRAIN_EACH] = q.each;
        score[BNN_TRAIN_LOG_LIKELIHOOD] = q.log_likelihood;
        break;
    case HISS_TEST:
        score[BNN_TEST_MSE] = q.mse;
        score[BNN_TEST_EACH] = q.each;
        score[BNN_TEST_LOG_LIKELIHOOD] = q.log_likelihood;
        break;
    default:
        score[BNN_VALIDATION_MSE] = q.mse;
    }
}

void bnn_score_predictions(const hiss_model *model, const float *fitted,
                           const float *test, double score[BNN_SCORES])
{
    score[BNN_VALIDATION_MSE] = NAN;
    put_quality(score, HISS_FITTED, quality_of(model, HISS_FITTED, fitted, 1));
    put_quality(score, HISS_TEST, quality_of(model, HISS_TEST, test, 1));
}

static int predict(const hiss_model *model, hiss_part part, const char *device,
                   const int8_t *states, int64_t count, float **said)
{
    hiss_network network = HISS_INIT(hiss_network);
    hiss_error err = {0};
    hiss_status status;

    hiss_model_network(model, &network);
    *said = cli_alloc((size_t)count * (size_t)network.cases[part] + 1,
                      sizeof **said);
    status = hiss_network_predict_on(model, device, part, states, count, *said,
                                     &err);
    return status == HISS_OK ? CLI_DONE : cli_fail_status(status, &err);
}

int bnn_score_states(const hiss_model *model, const int8_t *states,
                     int64_t count, double score[BNN_SCORES])
{
    int code = CLI_DONE;

    for (int p = 0; p < HISS_PARTS && code == CLI_DONE; p++) {
        float *said;

        code = predict(model, (hiss_part)p, NULL, states, count, &said);
        if (code == CLI_DONE)
            put_quality(score, (hiss_part)p,
                        quality_of(model, (hiss_part)p, said, count));
        free(said);
    }
    return code;
}

/* Means of a half of a chain, by case, and the sum of their variances; said is
 * [times][chains][cases], from the first time of the half on. */
static double half_means(const float *said, int half, int chains, int cases,
                         double *mean)
{
    double *square = cli_alloc((size_t)cases, sizeof *square), sum = 0;

    memset(mean, 0, (size_t)cases * sizeof *mean);
    for (int t = 0; t < half; t++, said += (int64_t)chains * cases)
        for (int n = 0; n < cases; n++) {
            mean[n] += (double)said[n] / half;
            square[n] += (double)said[n] * (double)said[n];
        }
    for (int n = 0; n < cases; n++)
        sum += fmax(square[n] - half * mean[n] * mean[n], 0) / (half - 1);
    free(square);
    return sum;
}

/* Split R-hat of predictions, variances of all cases added. */
static double rhat_of(const float *said, int times, int chains, int cases)
{
    int half = times / 2, groups = 2 * chains;
    double between = 0, within = 0, *mean, *means;

    if (times < 8 || chains < 2 || cases == 0)
        return NAN;
    means = cli_alloc((size_t)groups * (size_t)cases, sizeof *means);
    mean = cli_alloc((size_t)cases, sizeof *mean);
    for (int g = 0; g < groups; g++) {
        double *own = means + (int64_t)g * cases;

        within += half_means(said + ((int64_t)(g % 2 * half) * chains + g / 2) *
                                        cases,
                             half, chains, cases, own) /
                  groups;
        for (int n = 0; n < cases; n++)
            mean[n] += own[n] / groups;
    }
    for (int64_t k = 0; k < (int64_t)groups * cases; k++) {
        double d = means[k] - mean[k % cases];

        between += d * d / (groups - 1);
    }
    free(means);
    free(mean);
    return within > 0 ? sqrt((half - 1.0) / half + between / within)
                      : (double)NAN;
}

/* Some draws of an ensemble, time by time: [times][chains][dim]. */
static int8_t *take_draws(const hiss_result *result, const hiss_run_info *info,
                          int times)
{
    const int8_t *draws = hiss_result_draws(result);
    int8_t *states =
        cli_alloc((size_t)times * (size_t)info->chains, (size_t)info->dim);

    for (int t = 0; t < times; t++) {
        int64_t draw = info->samples * (t + 1) / times - 1;

        for (int64_t c = 0; c < info->chains; c++)
            memcpy(states + ((int64_t)t * info->chains + c) * info->dim,
                   draws + (c * info->samples + draw) * info->dim,
                   (size_t)info->dim);
    }
    return states;
}

int bnn_score_draws(const hiss_model *model, const hiss_result *result,
                    const char *device, int times, double score[BNN_SCORES],
                    double *rhat)
{
    hiss_run_info info = HISS_INIT(hiss_run_info);
    hiss_network network = HISS_INIT(hiss_network);
    int8_t *states;
    int code = CLI_DONE;

    hiss_model_network(model, &network);
    hiss_result_info(result, &info);
    times = info.samples < times ? (int)info.samples : times;
    states = take_draws(result, &info, times);
    memset(score, 0, BNN_SCORES * sizeof *score);
    for (int p = 0; p < HISS_PARTS && code == CLI_DONE; p++) {
        int64_t cases = network.cases[p];
        double one[BNN_SCORES] = {0};
        float *said;

        code = predict(model, (hiss_part)p, device, states,
                       (int64_t)times * info.chains, &said);
        for (int t = 0; t < times && code == CLI_DONE; t++) {
            put_quality(one, (hiss_part)p,
                        quality_of(model, (hiss_part)p,
                                   said + t * info.chains * cases,
                                   info.chains));
            for (int s = 0; s < BNN_SCORES; s++)
                score[s] += one[s] / times;
        }
        if (p == HISS_TEST && code == CLI_DONE)
            *rhat = rhat_of(said, times, info.chains, (int)cases);
        free(said);
    }
    free(states);
    return code;
}
