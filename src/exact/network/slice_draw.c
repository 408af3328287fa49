/* slice_draw.c - draws a layer in 16 lanes at once.
 *
 * From the right to the first drawn site, it sums over all values to the right
 * of a site, for each combination of carried values.  Then it draws from the
 * left, value by value, with weights from both sides.  Every lane has its own
 * scale at every site, because only ratios count. */
#include <math.h>
#include <string.h>

#include "base/logarithm.h"
#include "exact/network/slice.h"
#include "lanes/lanes.h"

typedef double (*rows)[HS_LANES];
typedef const double (*const_rows)[HS_LANES];

#define TINY 1e-200 /* below it, the ln of a product is stored instead */

/* Divides rows by the largest entry of each lane. */
static void level(rows a, int count)
{
    double top[HS_LANES] = {0.0}, factor[HS_LANES];

    for (int r = 0; r < count; r++)
        for (int l = 0; l < HS_LANES; l++) {
            double size = fabs(a[r][l]);

            top[l] = size > top[l] ? size : top[l];
        }
    for (int l = 0; l < HS_LANES; l++)
        factor[l] = top[l] > 0.0 ? 1.0 / top[l] : 1.0;
    for (int r = 0; r < count; r++)
        for (int l = 0; l < HS_LANES; l++)
            a[r][l] *= factor[l];
}

/* Multiplies rows n of `weight` by a table's entries at the lanes' states. */
static void times_table(const hs_slice_table *t, int count,
                        const hs_index_row *x, rows weight)
{
    int64_t base[HS_LANES] = {0};

    for (int n = 0; n < t->others; n++)
        for (int l = 0; l < HS_LANES; l++)
            base[l] += t->stride[n] * x[t->variable[n]][l];
    for (int n = 0; n < count; n++)
        for (int l = 0; l < HS_LANES; l++)
            weight[n][l] *= t->weight[base[l] + t->offset[n]];
}

/* Computes the weights of a site's own values, by carried values. */
static void set_weights(const hs_slice_site *s, const hs_index_row *x, rows own,
                        rows weight)
{
    for (int o = 0; o < s->states; o++)
        for (int l = 0; l < HS_LANES; l++)
            own[o][l] = 1.0;
    for (int t = 0; t < s->tables; t++)
        if (s->table[t].is_own)
            times_table(&s->table[t], s->states, x, own);
    for (int c = 0; c < s->width; c++)
        for (int o = 0; o < s->states; o++) {
            int n = c * s->states + o;

            for (int l = 0; l < HS_LANES; l++)
                weight[n][l] = s->inner[n] * own[o][l];
        }
    for (int t = 0; t < s->tables; t++)
        if (!s->table[t].is_own)
            times_table(&s->table[t], s->width * s->states, x, weight);
}

/* Multiplies the part of value o of a site by the sums to the right at
 * combination k. */
static const_rows product_right(const hs_slice_site *s, int o, int k,
                                const_rows right, rows part)
{
    const_rows from = right + (size_t)k * (size_t)s->right;

    if (!s->tensor)
        return from;
    hs_lanes()->train_right(s->left, s->states * s->right, s->right,
                            s->tensor->a + (size_t)o * (size_t)s->right, from,
                            part);
    return (const_rows)part;
}

static void add_times(rows to, const_rows from, const double *factor, int count)
{
    for (int r = 0; r < count; r++)
        for (int l = 0; l < HS_LANES; l++)
            to[r][l] += factor[l] * from[r][l];
}

/* Computes the sums at a drawn site. */
static void sum_drawn(const hs_slice_site *s, const_rows weight,
                      const_rows right, rows part, rows out)
{
    size_t left = (size_t)s->left;

    for (int o = 0; o < s->states; o++)
        for (int k = 0; k < s->next_width; k++) {
            const_rows from = NULL;

            for (int c = 0; c < s->width; c++) {
                if (s->next[c * s->states + o] != k)
                    continue;
                if (!from)
                    from = product_right(s, o, k, right, part);
                add_times(out + (size_t)c * left, from,
                          weight[c * s->states + o], s->left);
            }
        }
}

/* Computes the sums at a site whose value is given, lane by lane. */
static void sum_given(const hs_slice_site *s, const int16_t *value,
                      const_rows right, rows part, rows out)
{
    for (int o = 0; o < s->states; o++) {
        double is[HS_LANES];
        bool any = false;

        for (int l = 0; l < HS_LANES; l++) {
            is[l] = value[l] == o ? 1.0 : 0.0;
            any = any || value[l] == o;
        }
        for (int k = 0; any && k < s->next_width; k++)
            add_times(out + (size_t)k * (size_t)s->left,
                      product_right(s, o, k, right, part), is, s->left);
    }
}

static void go_back(const hs_slice *s, hs_slice_scratch *w,
                    const hs_index_row *x)
{
    rows right = w->right, weight = w->weight;

    for (int l = 0; l < HS_LANES; l++)
        right[0][l] = 1.0;
    for (int n = s->sites - 1; n >= s->first; n--) {
        const hs_slice_site *site = &s->site[n];
        int count = site->width * site->left;
        rows next = right + (size_t)site->next_width * (size_t)site->right;

        memset(next, 0, (size_t)count * sizeof *next);
        if (site->is_drawn) {
            set_weights(site, x, w->values, weight);
            sum_drawn(site, (const_rows)weight, (const_rows)right, w->part,
                      next);
            weight += site->width * site->states;
        } else {
            sum_given(site, x[site->variable], (const_rows)right, w->part,
                      next);
        }
        level(next, count);
        right = next;
    }
}

/* The combination carried so far in each lane, as a row. */
struct forward {
    const_rows right, weight;
    int carried[HS_LANES];
};

/* The part of value o from the left; w->left itself if there is no tensor. */
static const_rows product_left(const hs_slice_site *s, int o,
                               hs_slice_scratch *w)
{
    rows part = w->part + (size_t)o * (size_t)s->right;

    if (!s->tensor)
        return (const_rows)w->left;
    hs_lanes()->train_left(s->left, s->states * s->right, s->right,
                           s->tensor->a + (size_t)o * (size_t)s->right,
                           (const_rows)w->left, part);
    return (const_rows)part;
}

/* Weight of value o before raising: both sides, times the tables. */
static void weigh_value(const hs_slice_site *s, int o, const_rows part,
                        const struct forward *f, double *out)
{
    double sum[HS_LANES] = {0.0};
    bool same = true;

    for (int l = 1; l < HS_LANES; l++)
        same = same && s->next[f->carried[l] * s->states + o] ==
                           s->next[f->carried[0] * s->states + o];
    if (same) {
        const_rows from =
            f->right +
            (size_t)s->next[f->carried[0] * s->states + o] * (size_t)s->right;

        for (int r = 0; r < s->right; r++)
            for (int l = 0; l < HS_LANES; l++)
                sum[l] += part[r][l] * from[r][l];
    } else {
        for (int l = 0; l < HS_LANES; l++) {
            const_rows from =
                f->right + (size_t)s->next[f->carried[l] * s->states + o] *
                               (size_t)s->right;

            for (int r = 0; r < s->right; r++)
                sum[l] += part[r][l] * from[r][l];
        }
    }
    for (int l = 0; l < HS_LANES; l++)
        out[l] = sum[l] * f->weight[f->carried[l] * s->states + o][l];
}

/* Raises weights to the floor if the tables leave the value possible; uniform
 * if nothing is left. */
static void raise_floor(const hs_slice_site *s, double floor,
                        const struct forward *f, rows value, double *noise)
{
    for (int l = 0; l < HS_LANES; l++) {
        double top = 0.0, total = 0.0;

        for (int o = 0; o < s->states; o++)
            top = value[o][l] > top ? value[o][l] : top;
        for (int o = 0; o < s->states; o++) {
            bool can = f->weight[f->carried[l] * s->states + o][l] > 0.0;

            if (value[o][l] < -*noise * top)
                *noise = -value[o][l] / top;
            if (!(top > 0.0))
                value[o][l] = can ? 1.0 : 0.0;
            else if (can && !(value[o][l] >= floor * top))
                value[o][l] = floor * top;
            total += value[o][l];
        }
        for (int o = 0; o < s->states; o++)
            value[o][l] = total > 0.0 ? value[o][l] / total : 1.0 / s->states;
    }
}

/* Finds the value whose part of [0, 1) contains the numbers from `low` to
 * `high`, both below 1; -1 if several do. */
static int find_value(const hs_slice_site *s, const_rows value, int lane,
                      double low, double high)
{
    double sum = 0.0;
    int last = 0;

    for (int o = 0; o < s->states; o++) {
        if (!(value[o][lane] > 0.0))
            continue;
        sum += value[o][lane];
        last = o;
        if (high <= sum)
            return o;
        if (low < sum)
            return -1;
    }
    return last;
}

/* Draws by inversion: 32 random bits for each lane, and 32 more if these do not
 * decide, so that small probabilities are precise too. */
static void pick(const hs_slice_site *s, const_rows value,
                 const hs_slice_words *w, int16_t *x)
{
    for (int l = 0; l < HS_LANES; l++) {
        double word = w->word[s->variable][l], more;
        int o = find_value(s, value, l, word * 0x1p-32, (word + 1.0) * 0x1p-32);

        if (o < 0) {
            more = hs_rng_word(w->seed, w->chain[l], w->replica[l], w->clock[l],
                               HS_DRAW_TIE, (uint32_t)s->variable);
            word = (word + (more + 0.5) * 0x1p-32) * 0x1p-32;
            o = find_value(s, value, l, word, word);
        }
        x[l] = (int16_t)o;
    }
}

/* Moves the chosen values to the left side. */
static void move_on(const hs_slice_site *s, const int16_t *x, struct forward *f,
                    hs_slice_scratch *w)
{
    if (s->tensor) {
        for (int r = 0; r < s->right; r++)
            for (int l = 0; l < HS_LANES; l++)
                w->left[r][l] = w->part[x[l] * s->right + r][l];
        level(w->left, s->right);
    }
    for (int l = 0; l < HS_LANES; l++)
        f->carried[l] =
            s->next[f->carried[l] * s->states + (s->is_drawn ? x[l] : 0)];
}

static void count_in(const_rows value, const int16_t *x, double *q,
                     double *log_q)
{
    for (int l = 0; l < HS_LANES; l++) {
        q[l] *= value[x[l]][l];
        if (q[l] < TINY) {
            log_q[l] += hs_logarithm(q[l]);
            q[l] = 1.0;
        }
    }
}

void hs_slice_draw(const hs_slice *s, hs_slice_scratch *w, double floor,
                   const hs_slice_words *words, hs_index_row *x, double *q,
                   double *log_q)
{
    struct forward f = {.carried = {0}};
    size_t rows_before = 1, weights = 0;

    go_back(s, w, (const hs_index_row *)x);
    for (int n = s->sites - 1; n >= s->first; n--) {
        rows_before += (size_t)s->site[n].width * (size_t)s->site[n].left;
        if (s->site[n].is_drawn)
            weights += (size_t)(s->site[n].width * s->site[n].states);
    }
    f.right = (const_rows)w->right + rows_before;
    f.weight = (const_rows)w->weight + weights;
    for (int l = 0; l < HS_LANES; l++)
        w->left[0][l] = 1.0;
    for (int n = 0; n <= s->last; n++) {
        const hs_slice_site *site = &s->site[n];
        int16_t *own = x[site->variable];

        if (n == s->first) /* the sums at the first site itself */
            f.right -= (size_t)site->width * (size_t)site->left;
        if (n >= s->first)
            f.right -= (size_t)site->next_width * (size_t)site->right;
        if (site->is_drawn)
            f.weight -= site->width * site->states;
        for (int o = 0; o < site->states; o++) {
            const_rows part = product_left(site, o, w);

            if (site->is_drawn)
                weigh_value(site, o, part, &f, w->values[o]);
        }
        if (site->is_drawn) {
            raise_floor(site, floor, &f, w->values, &w->noise);
            if (words)
                pick(site, (const_rows)w->values, words, own);
            count_in((const_rows)w->values, own, q, log_q);
        }
        move_on(site, own, &f, w);
    }
}
