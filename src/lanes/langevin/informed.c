/* informed.c - the gain of each single-site change, and its weight.
 *
 * logit(i, v) = b [beta g_i(v) + phi_i(v) - phi_i(x_i)]
 *
 * A pair domain has one row per coordinate (its flip).  Other domains have one
 * row per value, with -infinity for the present one. */
#include "lanes/lanes.h"
#include "lanes/vec/balance.h"
#include "lanes/vec/gain.h"
#include "lanes/vec/vec.h"

void HS_NAME(informed_logits)(const hs_dlp *d, int first, int last,
                              const float (*grad)[HS_LANES],
                              const int16_t (*x)[HS_LANES],
                              float (*logits)[HS_LANES]);
void HS_NAME(balance_logits)(hs_balance balance, int rows,
                             float (*logits)[HS_LANES]);
void HS_NAME(tempered_logits)(const hs_domain *d, float a,
                              float (*logits)[HS_LANES]);

static void logits_pair(const hs_dlp *d, int first, int last,
                        const float (*grad)[HS_LANES],
                        const int16_t (*x)[HS_LANES], float (*logits)[HS_LANES],
                        int l)
{
    gain_terms t = gain_begin(d, l);
    vf balance = vf_load(d->balance + l);

    for (int i = first; i < last; i++) {
        vf g = vf_load(&grad[i - first][l]);
        vi s = vi_load_index(&x[i][l]);

        vf_store(&logits[i][l], balance * gain_flip(d, &t, g, s, i, l));
    }
}

static void logits_values(const hs_dlp *d, int i, const float (*grad)[HS_LANES],
                          vi x, float (*logits)[HS_LANES], int l)
{
    gain_terms t = gain_begin(d, l);
    vf balance = vf_load(d->balance + l);

    gain_values(d, &t, i, grad, x, l, logits);
    for (int v = 0; v < d->domain->states[i]; v++)
        vf_store(&logits[v][l],
                 vf_select(vi_equal(x, vi_set(v)), vf_set(-__builtin_inff()),
                           balance * vf_load(&logits[v][l])));
}

void HS_NAME(informed_logits)(const hs_dlp *d, int first, int last,
                              const float (*grad)[HS_LANES],
                              const int16_t (*x)[HS_LANES],
                              float (*logits)[HS_LANES])
{
    const hs_domain *domain = d->domain;
    int base = domain->row[first];

    HS_EACH_PART(l)
    {
        if (domain->is_pair) {
            logits_pair(d, first, last, grad, x, logits, l);
            continue;
        }
        for (int i = first; i < last; i++)
            logits_values(d, i, grad + (domain->row[i] - base),
                          vi_load_index(&x[i][l]), logits + domain->value[i],
                          l);
    }
}

void HS_NAME(balance_logits)(hs_balance balance, int rows,
                             float (*logits)[HS_LANES])
{
    HS_EACH_PART(l)
    for (int r = 0; r < rows; r++)
        vf_store(&logits[r][l], balance_log(balance, vf_load(&logits[r][l])));
}

static void temper(float power, int rows, float (*logits)[HS_LANES], int l)
{
    vf a = vf_set(power), zero = vf_set(0.0f), most = zero;
    vf none = vf_set(-__builtin_inff()), sum, powers, shift;

    for (int r = 0; r < rows; r++)
        most = vf_max(most, vf_load(&logits[r][l]));
    sum = vf_exp_negative(-most);
    powers = vf_exp_negative(-a * most);
    for (int r = 0; r < rows; r++) {
        vf z = vf_load(&logits[r][l]), less = z - most;

        sum += vf_exp_negative(less);
        powers += vf_select(vf_equal(z, none), zero, vf_exp_negative(a * less));
    }
    shift =
        most + vf_log_normal(sum) - 2.0f * (a * most + vf_log_normal(powers));
    for (int r = 0; r < rows; r++) {
        vf z = vf_load(&logits[r][l]);

        vf_store(&logits[r][l],
                 vf_select(vf_equal(z, none), none, a * z + shift));
    }
}

void HS_NAME(tempered_logits)(const hs_domain *d, float a,
                              float (*logits)[HS_LANES])
{
    HS_EACH_PART(l)
    for (int i = 0; i < d->dim; i++) {
        int first = d->is_pair ? i : d->value[i];

        temper(a, d->is_pair ? 1 : d->states[i], logits + first, l);
    }
}
