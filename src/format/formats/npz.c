/* npz.c - arrays of numpy: an archive whose names give their meaning,
 *     J [n,n], h [n]          U =  1/2 s'Js + h's over spins
 *     Q [n,n], h [n]          U = -(x'Qx + h'x) over 0/1
 *     W [v,h], b_v, b_h       a restricted Boltzmann machine over its visible
 *                             units, U = b_v.v + sum_j ln(1 + e^(b_h + vW)_j)
 * perhaps with a constant `offset`, or a single .npy, of which the option `as`
 * says whether it is J or Q.  Only the symmetric part of J and Q counts; the
 * diagonal of J is a constant.  sense=max makes U = +(x'Qx + h'x), sense=min
 * U = -1/2 s'Js - h's. */
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/npz.h"
#include "format/format.h"
#include "format/parts/bytes.h"
#include "format/parts/npy.h"
#include "format/parts/sniff.h"
#include "format/parts/zip.h"

enum {
    AUTO
};
enum {
    ISING = 1,
    QUBO
};
enum {
    MIN = 1,
    MAX
};
enum {
    DENSE_MAX = 16384, /* variables of a matrix that is written whole */
    BLOCK = 64         /* rows and columns; two blocks of doubles are 64 KiB */
};

struct npz_options {
    int as;
    int sense;
};

#define AT(field) offsetof(struct npz_options, field)
static const hs_option npz_options[] = {
    {"as", HS_CHOICE, AT(as), "auto", "auto|ising|qubo",
     "of a single array: J or Q; auto: by the names"},
    {"sense", HS_CHOICE, AT(sense), "auto", "auto|min|max",
     "auto: max for J, min for Q"},
    {0},
};

/* The meanings of arrays. */
enum role {
    ROLE_J,
    ROLE_Q,
    ROLE_H,
    ROLE_OFFSET,
    ROLE_W,
    ROLE_B,
    ROLE_C,
    ROLES
};

static const char *const role_names[ROLES][5] = {
    [ROLE_J] = {"J", NULL},
    [ROLE_Q] = {"Q", NULL},
    [ROLE_H] = {"h", NULL},
    [ROLE_OFFSET] = {"offset", NULL},
    [ROLE_W] = {"W", "weights", NULL},
    [ROLE_B] = {"b_v", "bv", "b", "vbias", NULL},
    [ROLE_C] = {"b_h", "bh", "c", "hbias", NULL},
};

struct arrays {
    const char *path;
    hs_npy of[ROLES];
    bool has[ROLES];
};

static int npz_sniff(const char *head, size_t length)
{
    return hs_sniff_starts(head, length, "PK\3\4") ||
                   hs_sniff_starts(head, length, "\x93NUMPY")
               ? 100
               : 0;
}

static void arrays_clear(struct arrays *a)
{
    for (int r = 0; r < ROLES; r++)
        hs_npy_clear(&a->of[r]);
}

/* The role of an entry `name.npy`, or ROLES. */
static int role_of(const char *name)
{
    size_t length = strlen(name);

    if (length > 4 && strcmp(name + length - 4, ".npy") == 0)
        length -= 4;
    for (int r = 0; r < ROLES; r++)
        for (int k = 0; role_names[r][k]; k++)
            if (strlen(role_names[r][k]) == length &&
                strncmp(name, role_names[r][k], length) == 0)
                return r;
    return ROLES;
}

static hiss_status read_archive(struct arrays *a, hs_problem *out,
                                hiss_error *err)
{
    hs_zip zip;
    hiss_status rc = HISS_OK;

    HS_TRY(hs_zip_open(&zip, a->path, err));
    for (int e = 0; e < zip.count && rc == HISS_OK; e++) {
        int role = role_of(zip.entry[e].name);
        unsigned char *text = NULL;
        char what[512];

        snprintf(what, sizeof what, "%.300s: array '%.128s'", a->path,
                 zip.entry[e].name);
        if (role == ROLES) {
            rc = hs_problem_remark(out, err, "array '%s' was passed over",
                                   zip.entry[e].name);
            continue;
        }
        if (a->has[role])
            rc = hs_fail(err, HISS_EPARSE, "%s: another of this kind is there",
                         what);
        if (rc == HISS_OK)
            rc = hs_zip_read(&zip, e, &text, err);
        if (rc == HISS_OK)
            rc = hs_npy_parse(&a->of[role], text, (size_t)zip.entry[e].size, 2,
                              what, err);
        a->has[role] = true;
        hs_free(text);
    }
    hs_zip_close(&zip);
    return rc;
}

static hiss_status read_arrays(struct arrays *a, const struct npz_options *o,
                               hs_problem *out, hiss_error *err)
{
    int role = o->as == ISING ? ROLE_J : ROLE_Q;
    char magic[4] = "";
    hs_bytes in;
    size_t got;
    hiss_status rc;

    HS_TRY(hs_bytes_open(&in, a->path, err));
    rc = hs_bytes_some(&in, magic, sizeof magic, &got, err);
    hs_bytes_close(&in);
    if (rc != HISS_OK)
        return rc;
    if (memcmp(magic, "PK\3\4", 4) == 0)
        return read_archive(a, out, err);
    if (o->as == AUTO)
        return hs_fail(err, HISS_EARG,
                       "%s: a single array does not say what it is; --format "
                       "'npz(as=ising)' or 'npz(as=qubo)' does",
                       a->path);
    a->has[role] = true;
    return hs_npy_read(&a->of[role], a->path, 2, err);
}

static hiss_status fail_shape(const struct arrays *a, const char *name,
                              const char *expected, hiss_error *err)
{
    return hs_fail(err, HISS_EPARSE, "%s: array '%s': expected %s", a->path,
                   name, expected);
}

/* Checks a vector of `length` numbers, which may be missing. */
static hiss_status check_vector(const struct arrays *a, int role,
                                int64_t length, hiss_error *err)
{
    const hs_npy *v = &a->of[role];
    char expected[64];

    if (!a->has[role] || (v->dims == 1 && v->size[0] == length) ||
        (v->dims == 2 && v->size[0] * v->size[1] == length))
        return HISS_OK;
    snprintf(expected, sizeof expected, "%lld numbers", (long long)length);
    return fail_shape(a, role_names[role][0], expected, err);
}

/* Computes m_ij + m_ji for i < j in the upper triangle, in blocks that fit into
 * a cache: single columns of a large matrix miss it with every number. */
static void fold(double *m, int64_t dim)
{
    for (int64_t r = 0; r < dim; r += BLOCK)
        for (int64_t c = r; c < dim; c += BLOCK)
            for (int64_t i = r; i < r + BLOCK && i < dim; i++)
                for (int64_t j = c > i ? c : i + 1; j < c + BLOCK && j < dim;
                     j++)
                    m[i * dim + j] += m[j * dim + i];
}

/* Lists the pairs of a folded matrix, times a factor; they come out sorted. */
static hiss_status take_pairs(const double *m, int64_t dim, double factor,
                              hs_quadratic_problem *q, hiss_error *err)
{
    int64_t pairs = 0;

    for (int64_t i = 0; i < dim; i++)
        for (int64_t j = i + 1; j < dim; j++)
            pairs += m[i * dim + j] != 0.0;
    q->row = hs_alloc_array((size_t)pairs, sizeof *q->row);
    q->column = hs_alloc_array((size_t)pairs, sizeof *q->column);
    q->value = hs_alloc_array((size_t)pairs, sizeof *q->value);
    if (!q->row || !q->column || !q->value)
        return hs_fail_memory(err);
    for (int64_t i = 0; i < dim; i++)
        for (int64_t j = i + 1; j < dim; j++)
            if (m[i * dim + j] != 0.0) {
                q->row[q->pairs] = (int)i;
                q->column[q->pairs] = (int)j;
                q->value[q->pairs++] = factor * m[i * dim + j];
            }
    return HISS_OK;
}

static hiss_status read_matrix(struct arrays *a, int role, hs_problem *p,
                               hiss_error *err)
{
    const hs_npy *m = &a->of[role];
    hs_quadratic_problem *q = &p->quadratic;
    int64_t dim = m->size[0];

    if (m->dims != 2 || dim != m->size[1] || dim < 1)
        return fail_shape(a, role_names[role][0], "a square matrix", err);
    HS_TRY(check_vector(a, ROLE_H, dim, err));
    if (a->has[ROLE_OFFSET] &&
        a->of[ROLE_OFFSET].size[0] * a->of[ROLE_OFFSET].size[1] != 1)
        return fail_shape(a, "offset", "one number", err);
    p->shape = HS_QUADRATIC;
    p->dim = (int)dim;
    q->linear = hs_alloc_array((size_t)dim, sizeof *q->linear);
    if (!q->linear)
        return hs_fail_memory(err);
    for (int64_t i = 0; i < dim; i++) {
        q->linear[i] = a->has[ROLE_H] ? a->of[ROLE_H].value[i] : 0.0;
        if (role == ROLE_J)
            q->offset += 0.5 * m->value[i * dim + i];
        else
            q->linear[i] += m->value[i * dim + i];
    }
    if (a->has[ROLE_OFFSET])
        q->offset += a->of[ROLE_OFFSET].value[0];
    fold(m->value, dim);
    return take_pairs(m->value, dim, role == ROLE_J ? 0.5 : 1.0, q, err);
}

static hiss_status make_quadratic(struct arrays *a, int role, int sense,
                                  hs_problem *out, hiss_error *err)
{
    static const char *const effects[][2] = {
        [ROLE_J] = {"repels", "attracts"},
        [ROLE_Q] = {"disfavors x_i = x_j = 1", "favors x_i = x_j = 1"},
    };
    hiss_status rc = read_matrix(a, role, out, err);

    if (sense == AUTO)
        sense = role == ROLE_J ? MAX : MIN;
    out->quadratic.kind = role == ROLE_J ? HISS_SPIN : HISS_BINARY;
    out->quadratic.maximize = sense == MAX;
    out->objective = role == ROLE_Q && sense == MAX ? "value" : "energy";
    out->scale = role == ROLE_Q && sense == MAX ? 1.0 : -1.0;
    if (rc == HISS_OK)
        rc = hs_problem_assume(
            out, err, "log p = %s%s%s%s (%s > 0 %s)", sense == MAX ? "" : "-(",
            role == ROLE_J ? "1/2 s'Js" : "x'Qx",
            !a->has[ROLE_H]  ? ""
            : role == ROLE_J ? " + h's"
                             : " + h'x",
            sense == MAX ? "" : ")", role == ROLE_J ? "J" : "Q",
            effects[role][sense == MAX]);
    return rc;
}

/* Takes the numbers of an array, or zeros. */
static double *take(struct arrays *a, int role, int64_t count)
{
    double *value = a->of[role].value;

    if (!a->has[role])
        return hs_alloc_array((size_t)count, sizeof *value);
    a->of[role].value = NULL;
    return value;
}

static hiss_status make_machine(struct arrays *a, hs_problem *out,
                                hiss_error *err)
{
    const hs_npy *w = &a->of[ROLE_W];
    int64_t visible = w->size[0], hidden = w->size[1];

    if (w->dims != 2 || visible < 1 || hidden < 1)
        return fail_shape(a, "W", "a matrix", err);
    HS_TRY(check_vector(a, ROLE_B, visible, err));
    HS_TRY(check_vector(a, ROLE_C, hidden, err));
    out->shape = HS_MACHINE;
    out->dim = (int)visible;
    out->machine.hidden = (int)hidden;
    out->machine.b = take(a, ROLE_B, visible);
    out->machine.c = take(a, ROLE_C, hidden);
    out->machine.weight = take(a, ROLE_W, 0);
    if (!out->machine.b || !out->machine.c)
        return hs_fail_memory(err);
    return hs_problem_assume(out, err,
                             "a Boltzmann machine, hidden units summed out: "
                             "log p = b_v'v + sum_j ln(1 + exp(b_h_j + "
                             "v'W_j))");
}

static hiss_status npz_load(hs_problem *out, const char *path,
                            const void *options, hiss_error *err)
{
    const struct npz_options *o = options;
    struct arrays a = {.path = path};
    hiss_status rc = read_arrays(&a, o, out, err);
    int forms = a.has[ROLE_J] + a.has[ROLE_Q] + a.has[ROLE_W];

    if (rc == HISS_OK && forms != 1)
        rc = hs_fail(err, HISS_EPARSE,
                     "%s: expected one of the arrays J, Q and W, found %s",
                     path, forms ? "several" : "none");
    else if (rc == HISS_OK && a.has[ROLE_W])
        rc = make_machine(&a, out, err);
    else if (rc == HISS_OK)
        rc = make_quadratic(&a, a.has[ROLE_J] ? ROLE_J : ROLE_Q, o->sense, out,
                            err);
    arrays_clear(&a);
    return rc;
}

/* Writes an array of doubles; columns is 0 for a vector. */
static void write_array(hs_npz *z, const char *name, const double *value,
                        int rows, int columns)
{
    char shape[64];

    if (columns > 0)
        snprintf(shape, sizeof shape, "(%d, %d)", rows, columns);
    else
        snprintf(shape, sizeof shape, "(%d,)", rows);
    hs_npz_add(z, name, "<f8", shape, value,
               (uint64_t)rows * (uint64_t)(columns > 0 ? columns : 1) *
                   sizeof *value);
}

static hiss_status write_matrix(const hs_problem *p, hs_npz *z, hiss_error *err)
{
    const hs_quadratic_problem *q = &p->quadratic;
    bool is_spin = q->kind == HISS_SPIN;
    size_t dim = (size_t)p->dim;
    double *m = hs_alloc_array(dim, dim * sizeof *m);

    if (!m)
        return hs_fail_memory(err);
    for (int64_t e = 0; e < q->pairs; e++) {
        size_t i = (size_t)q->row[e], j = (size_t)q->column[e];
        double v = is_spin ? q->value[e] : 0.5 * q->value[e];

        m[i * dim + j] = m[j * dim + i] = v;
    }
    for (size_t i = 0; !is_spin && i < dim; i++)
        m[i * dim + i] = q->linear[i];
    write_array(z, is_spin ? "J" : "Q", m, p->dim, p->dim);
    if (is_spin)
        write_array(z, "h", q->linear, p->dim, 0);
    if (q->offset != 0.0)
        hs_npz_add(z, "offset", "<f8", "()", &q->offset, sizeof q->offset);
    hs_free(m);
    return HISS_OK;
}

static void write_machine(const hs_problem *p, hs_npz *z)
{
    const hs_machine_problem *m = &p->machine;

    write_array(z, "W", m->weight, p->dim, m->hidden);
    write_array(z, "b_v", m->b, p->dim, 0);
    write_array(z, "b_h", m->c, m->hidden, 0);
}

static hiss_status npz_write(const hs_problem *p, FILE *to, const void *options,
                             hiss_error *err)
{
    const struct npz_options *o = options;
    hs_npz z = {.to = to};
    hs_problem q = {0};
    hiss_kind kind = HISS_BINARY;
    hiss_status rc = HISS_OK;

    if (p->dim > DENSE_MAX)
        return hs_fail(err, HISS_EUNSUP,
                       "a whole matrix of %d variables is too large, at most "
                       "%d",
                       p->dim, DENSE_MAX);
    if (o->as == ISING || (o->as == AUTO && p->shape == HS_QUADRATIC &&
                           p->quadratic.kind == HISS_SPIN))
        kind = HISS_SPIN;
    if (p->shape == HS_MACHINE) {
        write_machine(p, &z);
    } else {
        bool is_max = o->sense == AUTO ? kind == HISS_SPIN : o->sense == MAX;

        rc = hs_problem_to_quadratic(&q, p, kind, is_max, err);
        if (rc == HISS_OK)
            rc = write_matrix(&q, &z, err);
    }
    if (rc == HISS_OK)
        hs_npz_end(&z);
    hs_problem_clear(&q);
    return rc;
}

static const char *const npz_tested[] = {
    "written by numpy 2.4.6 savez and savez_compressed (tests/data/numpy)",
    NULL,
};

const hs_format hs_format_npz = {
    .name = "npz",
    .title = "numpy arrays",
    .summary = "arrays of numpy: J and h, Q, or W, b_v and b_h of an RBM",
    .suffixes = "npz npy",
    .options = npz_options,
    .size = sizeof(struct npz_options),
    .sniff = npz_sniff,
    .load = npz_load,
    .write = npz_write,
    .tested = npz_tested,
};
