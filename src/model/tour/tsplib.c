/* tsplib.c - reads cities and their distances from a TSPLIB file.
 *
 *   NAME : eil51 KEY : value, one per line, any order
 *   TYPE : TSP
 *   DIMENSION : 51
 *   EDGE_WEIGHT_TYPE : EUC_2D
 *   NODE_COORD_SECTION city x y, one per line, cities from 1
 *   1 37 52
 *   ...
 *   EOF may be missing
 *
 * It reads symmetric problems with EUC_2D, CEIL_2D, GEO, ATT, or EXPLICIT
 * weights as FULL_MATRIX, UPPER_ROW, LOWER_ROW, UPPER_DIAG_ROW, LOWER_DIAG_ROW.
 * Coordinates for pictures beside weights are read and dropped.  Not here:
 * writing tours (api/run/optimize.c). */
#include "model/tour/tsplib.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/caret.h"
#include "base/number.h"
#include "base/state/tour.h"

#define COORDINATE_MAX 1e15
#define WEIGHT_MAX     1e15

enum {
    FULL_MATRIX,
    UPPER_ROW,
    LOWER_ROW,
    UPPER_DIAG_ROW,
    LOWER_DIAG_ROW,
};

static const char *const metrics[] = {"EUC_2D", "CEIL_2D",  "GEO",
                                      "ATT",    "EXPLICIT", NULL};
static const char *const layouts[] = {"FULL_MATRIX",    "UPPER_ROW",
                                      "LOWER_ROW",      "UPPER_DIAG_ROW",
                                      "LOWER_DIAG_ROW", NULL};

struct file {
    hs_reader *in; /* borrowed */
    hs_cities *out;
    int metric, layout; /* -1 until given */
    bool *is_given;     /* owned, [count] */
    bool has_cities;
    char key[32], value[64]; /* the present line */
};

void hs_cities_clear(hs_cities *c)
{
    hs_free(c->x);
    hs_free(c->y);
    hs_free(c->weight);
    *c = (hs_cities){0};
}

static hiss_status fail_word(const struct file *f, const char *word,
                             const char *expected, hiss_error *err)
{
    char quote[HS_QUOTE_MAX];

    return hs_reader_fail(f->in, NULL, err, "found '%s', expected %s",
                          hs_quote(quote, word, strlen(word)), expected);
}

/* --- keywords before the cities ------------------------------------------ */

/* Reads the colon after a key and the first word of its value: "KEY : v", "KEY:
 * v", "KEY:v".  The value may be missing, and is cut to fit. */
static hiss_status take_value(struct file *f, hiss_error *err)
{
    const char *word = f->value;

    if (!strchr(f->key, ':')) {
        if (hs_reader_at_line_end(f->in))
            return hs_reader_fail(f->in, NULL, err,
                                  "the line ends after this word, expected "
                                  "':' and a value");
        HS_TRY(hs_reader_word(f->in, &word, err));
        if (word[0] != ':')
            return fail_word(f, word, "':' behind the keyword", err);
        word++;
    }
    f->key[strcspn(f->key, ":")] = '\0';
    if (!*word && !hs_reader_at_line_end(f->in))
        HS_TRY(hs_reader_word(f->in, &word, err));
    if (word != f->value)
        snprintf(f->value, sizeof f->value, "%s", word);
    return HISS_OK;
}

static hiss_status drop_line(struct file *f, hiss_error *err)
{
    const char *rest;

    return hs_reader_at_line_end(f->in) ? HISS_OK
                                        : hs_reader_line(f->in, &rest, err);
}

static int find(const char *const *names, const char *word)
{
    for (int n = 0; names[n]; n++)
        if (strcmp(names[n], word) == 0)
            return n;
    return -1;
}

static hiss_status take_type(struct file *f, hiss_error *err)
{
    if (strcmp(f->value, "TSP") != 0)
        return fail_word(f, f->value,
                         "TSP: other problems, directed ones (ATSP) among "
                         "them, are not supported",
                         err);
    return drop_line(f, err);
}

static hiss_status take_dimension(struct file *f, hiss_error *err)
{
    char expected[64];
    int64_t value;

    snprintf(expected, sizeof expected, "a number of cities from %d to %d",
             HS_TOUR_MIN, HS_TOUR_MAX);
    if (!hs_number_whole(f->value, f->value + strlen(f->value), &value) ||
        value < HS_TOUR_MIN || value > HS_TOUR_MAX)
        return fail_word(f, f->value, expected, err);
    if (f->out->count)
        return hs_reader_fail(f->in, NULL, err, "a second DIMENSION");
    f->out->count = (int)value;
    return drop_line(f, err);
}

static hiss_status take_metric(struct file *f, hiss_error *err)
{
    f->metric = find(metrics, f->value);
    if (f->metric < 0)
        return fail_word(f, f->value, "EUC_2D, CEIL_2D, GEO, ATT or EXPLICIT",
                         err);
    return drop_line(f, err);
}

/* FUNCTION means that the file has no weights. */
static hiss_status take_layout(struct file *f, hiss_error *err)
{
    f->layout = find(layouts, f->value);
    if (f->layout < 0 && strcmp(f->value, "FUNCTION") != 0)
        return fail_word(f, f->value,
                         "FULL_MATRIX, UPPER_ROW, LOWER_ROW, UPPER_DIAG_ROW, "
                         "LOWER_DIAG_ROW or FUNCTION",
                         err);
    return drop_line(f, err);
}

static hiss_status take_coordinates(struct file *f, hiss_error *err)
{
    if (strcmp(f->value, "TWOD_COORDS") != 0 &&
        strcmp(f->value, "NO_COORDS") != 0)
        return fail_word(f, f->value, "TWOD_COORDS or NO_COORDS", err);
    return drop_line(f, err);
}

static hiss_status take_key(struct file *f, hiss_error *err)
{
    static const char *const dropped[] = {"NAME", "COMMENT",
                                          "DISPLAY_DATA_TYPE", NULL};
    static const char expected[] = "a keyword of TSPLIB";
    static const struct {
        const char *key;
        hiss_status (*take)(struct file *f, hiss_error *err);
    } keys[] = {
        {"TYPE", take_type},
        {"DIMENSION", take_dimension},
        {"EDGE_WEIGHT_TYPE", take_metric},
        {"EDGE_WEIGHT_FORMAT", take_layout},
        {"NODE_COORD_TYPE", take_coordinates},
    };
    size_t length = strcspn(f->key, ":");
    char name[sizeof f->key];

    memcpy(name, f->key, length);
    name[length] = '\0';
    for (size_t n = 0; n < sizeof keys / sizeof *keys; n++)
        if (strcmp(keys[n].key, name) == 0) {
            HS_TRY(take_value(f, err));
            return keys[n].take(f, err);
        }
    if (find(dropped, name) < 0)
        return fail_word(f, name, expected, err);
    return drop_line(f, err);
}

/* --- the cities ---------------------------------------------------------- */

/* Moves to number `done` of `all`; fails if the file ends too soon. */
static hiss_status next_word(struct file *f, int64_t done, int64_t all,
                             const char *what, const char **word,
                             hiss_error *err)
{
    hs_place end;

    if (!hs_reader_at_end(f->in)) {
        HS_TRY(hs_reader_word(f->in, word, err));
        if (strcmp(*word, "EOF") != 0)
            return HISS_OK;
        return hs_reader_fail(f->in, NULL, err,
                              "the file ends here, after %lld of %lld %s",
                              (long long)done, (long long)all, what);
    }
    end = hs_reader_place(f->in);
    return hs_reader_fail(f->in, &end, err,
                          "the file ends here, after %lld of %lld %s",
                          (long long)done, (long long)all, what);
}

/* Reads "city x y" lines, in any order, each city once. */
static hiss_status read_coordinates(struct file *f, double *x, double *y,
                                    hiss_error *err)
{
    int count = f->out->count;

    memset(f->is_given, 0, (size_t)count * sizeof *f->is_given);
    for (int n = 0; n < count; n++) {
        char expected[64];
        const char *word;
        int64_t city;

        HS_TRY(next_word(f, n, count, "cities", &word, err));
        snprintf(expected, sizeof expected,
                 "the number of a city, from 1 to %d", count);
        if (!hs_number_whole(word, word + strlen(word), &city) || city < 1 ||
            city > count)
            return fail_word(f, word, expected, err);
        if (f->is_given[city - 1])
            return hs_reader_fail(f->in, NULL, err, "city %d was given before",
                                  (int)city);
        f->is_given[city - 1] = true;
        for (int side = 0; side < 2; side++) {
            if (hs_reader_at_line_end(f->in))
                return hs_reader_fail(f->in, NULL, err,
                                      "the line ends after this word, "
                                      "expected two coordinates");
            HS_TRY(hs_reader_real(f->in, -COORDINATE_MAX, COORDINATE_MAX,
                                  side ? &y[city - 1] : &x[city - 1], err));
        }
        if (!hs_reader_at_line_end(f->in)) {
            HS_TRY(hs_reader_word(f->in, &word, err));
            return fail_word(f, word, "the end of the line", err);
        }
    }
    return HISS_OK;
}

static hiss_status fail_section(const struct file *f, const char *lacks,
                                hiss_error *err)
{
    return hs_reader_fail(f->in, NULL, err, "expected %s before this section",
                          lacks);
}

static hiss_status begin_section(struct file *f, hiss_error *err)
{
    if (f->out->count == 0)
        return fail_section(f, "DIMENSION", err);
    if (f->metric < 0)
        return fail_section(f, "EDGE_WEIGHT_TYPE", err);
    if (!f->is_given)
        f->is_given = hs_alloc_array((size_t)f->out->count, sizeof(bool));
    return f->is_given ? HISS_OK : hs_fail_memory(err);
}

/* Reads coordinates, for distances or only for pictures. */
static hiss_status take_coordinate_section(struct file *f, bool is_display,
                                           hiss_error *err)
{
    size_t count;
    double *x, *y;
    hiss_status rc;
    bool is_used;

    HS_TRY(begin_section(f, err));
    is_used = !is_display && f->metric != HS_EXPLICIT;
    if (is_used && f->has_cities)
        return hs_reader_fail(f->in, NULL, err, "a second NODE_COORD_SECTION");
    count = (size_t)f->out->count;
    x = hs_alloc_array(count, sizeof *x);
    y = hs_alloc_array(count, sizeof *y);
    rc = x && y ? read_coordinates(f, x, y, err) : hs_fail_memory(err);
    if (rc == HISS_OK && is_used) {
        f->out->x = x;
        f->out->y = y;
        f->has_cities = true;
        return HISS_OK;
    }
    hs_free(x);
    hs_free(y);
    return rc;
}

/* Columns *from ..  *to - 1 of row i in a layout. */
static void row_range(int layout, int i, int count, int *from, int *to)
{
    bool is_upper = layout == UPPER_ROW || layout == UPPER_DIAG_ROW;
    bool has_diagonal = layout == UPPER_DIAG_ROW || layout == LOWER_DIAG_ROW;

    *from = is_upper ? i + !has_diagonal : 0;
    *to = is_upper || layout == FULL_MATRIX ? count : i + has_diagonal;
}

static int64_t weight_count(int layout, int64_t count)
{
    int64_t pairs = count * (count - 1) / 2;

    if (layout == FULL_MATRIX)
        return count * count;
    return layout == UPPER_DIAG_ROW || layout == LOWER_DIAG_ROW ? pairs + count
                                                                : pairs;
}

static hiss_status read_weights(struct file *f, double *weight, hiss_error *err)
{
    int count = f->out->count, from, to;
    int64_t all = weight_count(f->layout, count), done = 0;

    for (int i = 0; i < count; i++) {
        row_range(f->layout, i, count, &from, &to);
        for (int j = from; j < to; j++, done++) {
            const char *word;
            double w;

            HS_TRY(next_word(f, done, all, "weights", &word, err));
            if (!hs_number_real(word, &w) || !(fabs(w) <= WEIGHT_MAX))
                return fail_word(f, word, "a distance, at most 1e15", err);
            if (f->layout == FULL_MATRIX && j < i && weight[j * count + i] != w)
                return hs_reader_fail(
                    f->in, NULL, err,
                    "from city %d to %d it is %.15g and back %.15g: directed "
                    "problems are not supported",
                    j + 1, i + 1, weight[j * count + i], w);
            weight[i * count + j] = weight[j * count + i] = w;
        }
    }
    return HISS_OK;
}

static hiss_status take_weight_section(struct file *f, hiss_error *err)
{
    int64_t all;

    HS_TRY(begin_section(f, err));
    if (f->metric != HS_EXPLICIT)
        return hs_reader_fail(f->in, NULL, err,
                              "weights, though EDGE_WEIGHT_TYPE is %s",
                              metrics[f->metric]);
    if (f->layout < 0)
        return fail_section(f, "EDGE_WEIGHT_FORMAT", err);
    if (f->has_cities)
        return hs_reader_fail(f->in, NULL, err, "a second EDGE_WEIGHT_SECTION");
    all = weight_count(f->layout, f->out->count);
    if (all > hs_reader_size(f->in) / 2) /* at least a digit and a space each */
        return hs_reader_fail(f->in, NULL, err,
                              "%lld weights are more than the file can hold",
                              (long long)all);
    f->out->weight = hs_alloc_array(
        (size_t)f->out->count * (size_t)f->out->count, sizeof(double));
    if (!f->out->weight)
        return hs_fail_memory(err);
    f->has_cities = true;
    return read_weights(f, f->out->weight, err);
}

/* --- all of it ------------------------------------------------------------ */

static bool ends_with(const char *word, const char *tail)
{
    size_t length = strlen(word), wanted = strlen(tail);

    return length >= wanted && strcmp(word + length - wanted, tail) == 0;
}

/* Reads one keyword and its data; *is_end after EOF. */
static hiss_status take(struct file *f, bool *is_end, hiss_error *err)
{
    const char *word, *colon;

    HS_TRY(hs_reader_word(f->in, &word, err));
    colon = strchr(word, ':');
    snprintf(f->key, sizeof f->key, "%s", word);
    snprintf(f->value, sizeof f->value, "%s", colon ? colon + 1 : "");
    if (strlen(word) == strcspn(word, ":") + 1 && ends_with(word, "_SECTION:"))
        f->key[strcspn(f->key, ":")] = '\0';
    if (strcmp(f->key, "NODE_COORD_SECTION") == 0)
        return take_coordinate_section(f, false, err);
    if (strcmp(f->key, "DISPLAY_DATA_SECTION") == 0)
        return take_coordinate_section(f, true, err);
    if (strcmp(f->key, "EDGE_WEIGHT_SECTION") == 0)
        return take_weight_section(f, err);
    *is_end = strcmp(f->key, "EOF") == 0;
    if (*is_end)
        return hs_reader_expect_end(f->in, err);
    if (ends_with(f->key, "_SECTION"))
        return fail_word(f, f->key,
                         "NODE_COORD_SECTION, EDGE_WEIGHT_SECTION or "
                         "DISPLAY_DATA_SECTION: others are not supported",
                         err);
    return take_key(f, err);
}

static hiss_status read_file(struct file *f, hiss_error *err)
{
    bool is_end = false;
    hs_place end;

    while (!is_end && !hs_reader_at_end(f->in))
        HS_TRY(take(f, &is_end, err));
    if (f->has_cities) {
        f->out->metric = (hs_metric)f->metric;
        if ((f->metric == HS_EXPLICIT) == (f->out->weight != NULL))
            return HISS_OK;
        return hs_reader_fail(f->in, NULL, err,
                              "EDGE_WEIGHT_TYPE %s does not fit the sections",
                              metrics[f->metric]);
    }
    end = hs_reader_place(f->in);
    return hs_reader_fail(f->in, &end, err, "the file ends here, expected %s",
                          f->metric == HS_EXPLICIT ? "EDGE_WEIGHT_SECTION"
                                                   : "NODE_COORD_SECTION");
}

hiss_status hs_tsplib_read(hs_cities *out, hs_reader *in, hiss_error *err)
{
    struct file f = {.in = in, .out = out, .metric = -1, .layout = -1};
    hiss_status rc;

    *out = (hs_cities){0};
    rc = read_file(&f, err);
    hs_free(f.is_given);
    if (rc != HISS_OK)
        hs_cities_clear(out);
    return rc;
}

/* --- distances ------------------------------------------------------------ */

/* Converts degrees and minutes, as DDD.MM, to radians, with TSPLIB's own pi. */
static double radians(double x)
{
    const double pi = 3.141592;
    double degrees = trunc(x);

    return pi * (degrees + 5.0 * (x - degrees) / 3.0) / 180.0;
}

static double geographic(const hs_cities *c, int i, int j)
{
    const double radius = 6378.388;
    double across = radians(c->y[i]) - radians(c->y[j]);
    double a = radians(c->x[i]), b = radians(c->x[j]);
    double q1 = cos(across), q2 = cos(a - b), q3 = cos(a + b);
    double angle = 0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3);

    angle = angle > 1.0 ? 1.0 : angle < -1.0 ? -1.0 : angle;
    return radius * acos(angle);
}

double hs_cities_distance(const hs_cities *c, int i, int j, bool rounded)
{
    double dx, dy, d;

    if (c->metric == HS_EXPLICIT)
        return c->weight[i * c->count + j];
    if (i == j)
        return 0.0;
    if (c->metric == HS_GEO) {
        d = geographic(c, i, j);
        return rounded ? floor(d + 1.0) : d;
    }
    dx = c->x[i] - c->x[j];
    dy = c->y[i] - c->y[j];
    d = sqrt(c->metric == HS_ATT ? (dx * dx + dy * dy) / 10.0
                                 : dx * dx + dy * dy);
    if (!rounded)
        return d;
    if (c->metric == HS_EUC_2D)
        return floor(d + 0.5);
    if (c->metric == HS_CEIL_2D)
        return ceil(d);
    return floor(d + 0.5) < d ? floor(d + 0.5) + 1.0 : floor(d + 0.5); /* ATT */
}
