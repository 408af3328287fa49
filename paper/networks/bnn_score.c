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

/* Nothing is certain: ln 0 would be all that is said of a table. */
static const double LEAST = 1e-6;

struct quality {
    double mse, each, log_likelihood;
};

static struct quality quality_of(const hiss_model *model, hiss_part part,
                                 const float *said, int64_t networks)
{
    const float *y = hiss_network_targets(model, part);
    struct quality q = {NAN, NAN, NAN};
    hiss_network network = HISS_INIT(hiss_network);
    int cases;

    hiss_model_network(model, &network);
    cases = network.cases[part];
    if (cases > 0)
        q = (struct quality){0, 0, 0};
    for (int n = 0; n < cases; n++) {
        double mean = 0, square = 0, sure;

        for (int64_t k = 0; k < networks; k++) {
            double f = (double)said[k * cases + n];

            mean += f;
            square += (f - (double)y[n]) * (f - (double)y[n]);
        }
        mean /= (double)networks;
        sure = fmin(fmax(mean, LEAST), 1 - LEAST);
        q.mse += (mean - (double)y[n]) * (mean - (double)y[n]);
        q.each += square / (double)networks;
        q.log_likelihood +=
            (double)y[n] * log(sure) + (1 - (double)y[n]) * log(1 - sure);
    }
    q.mse /= cases;
    q.each /= cases;
    q.log_likelihood /= cases;
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

int bnn_score_states(const hiss_model *model, const int8_t *states,
                     int64_t count, double score[BNN_SCORES])
{
    hiss_network network = HISS_INIT(hiss_network);
    hiss_error err = {0};
    hiss_status status = HISS_OK;

    hiss_model_network(model, &network);
    for (int p = 0; p < HISS_PARTS && status == HISS_OK; p++) {
        float *said = cli_alloc((size_t)count * (size_t)network.cases[p] + 1,
                                sizeof *said);

        status = hiss_network_predict(model, (hiss_part)p, states, count, said,
                                      &err);
        if (status == HISS_OK)
            put_quality(score, (hiss_part)p,
                        quality_of(model, (hiss_part)p, said, count));
        free(said);
    }
    return status == HISS_OK ? CLI_DONE : cli_fail_status(status, &err);
}

int bnn_score_draws(const hiss_model *model, const hiss_result *result,
                    int times, double score[BNN_SCORES])
{
    const int8_t *draws = hiss_result_draws(result);
    hiss_run_info info = HISS_INIT(hiss_run_info);
    double one[BNN_SCORES];
    int8_t *states;
    int code = CLI_DONE;

    hiss_result_info(result, &info);
    times = info.samples < times ? (int)info.samples : times;
    states = cli_alloc((size_t)info.chains, (size_t)info.dim);
    memset(score, 0, BNN_SCORES * sizeof *score);
    for (int t = 0; t < times && code == CLI_DONE; t++) {
        int64_t draw = info.samples * (t + 1) / times - 1;

        for (int c = 0; c < info.chains; c++)
            memcpy(states + (int64_t)c * info.dim,
                   draws + (c * info.samples + draw) * info.dim,
                   (size_t)info.dim);
        code = bnn_score_states(model, states, info.chains, one);
        for (int s = 0; s < BNN_SCORES; s++)
            score[s] += one[s] / times;
    }
    free(states);
    return code;
}
