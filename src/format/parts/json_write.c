/* json_write.c - writes quadratic models as JSON, number by number, without a
 * tree in memory. */
#include "format/parts/json_write.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "format/parts/lines.h"
#include "format/problem/names.h"

static void separate(FILE *to, int64_t n)
{
    if (n > 0)
        fputs(n % 8 ? ", " : ",\n  ", to);
}

static hiss_status write_labels(const hs_problem *p, FILE *to, hiss_error *err)
{
    json_t *labels = hs_names_to_json(p);
    bool is_done = labels && json_dumpf(labels, to, JSON_ENSURE_ASCII) == 0;

    json_decref(labels);
    if (is_done || ferror(to)) /* the caller checks the stream */
        return HISS_OK;
    return hs_fail_memory(err);
}

hiss_status hs_json_write_dimod(const hs_problem *p, FILE *to, hiss_error *err)
{
    const hs_quadratic_problem *q = &p->quadratic;

    fprintf(to,
            "{\"type\": \"BinaryQuadraticModel\",\n"
            " \"version\": {\"bqm_schema\": \"3.0.0\"},\n"
            " \"use_bytes\": false,\n"
            " \"index_type\": \"int32\",\n"
            " \"bias_type\": \"float64\",\n"
            " \"num_variables\": %d,\n"
            " \"num_interactions\": %" PRId64 ",\n"
            " \"variable_labels\": ",
            p->dim, q->pairs);
    HS_TRY(write_labels(p, to, err));
    fprintf(to, ",\n \"variable_type\": \"%s\",\n \"offset\": ",
            q->kind == HISS_SPIN ? "SPIN" : "BINARY");
    hs_lines_print(to, q->offset);
    fputs(",\n \"info\": {},\n \"linear_biases\": [", to);
    for (int i = 0; i < p->dim; i++) {
        separate(to, i);
        hs_lines_print(to, q->linear[i]);
    }
    fputs("],\n \"quadratic_biases\": [", to);
    for (int64_t e = 0; e < q->pairs; e++) {
        separate(to, e);
        hs_lines_print(to, q->value[e]);
    }
    fputs("],\n \"quadratic_head\": [", to);
    for (int64_t e = 0; e < q->pairs; e++) {
        separate(to, e);
        fprintf(to, "%d", q->row[e]);
    }
    fputs("],\n \"quadratic_tail\": [", to);
    for (int64_t e = 0; e < q->pairs; e++) {
        separate(to, e);
        fprintf(to, "%d", q->column[e]);
    }
    fputs("]}\n", to);
    return HISS_OK;
}

/* Whether all names are whole numbers; otherwise ids are places. */
static bool has_ids(const hs_problem *p)
{
    int64_t value;

    for (int i = 0; p->names && i < p->dim; i++)
        if (!hs_number_whole(p->names[i], p->names[i] + strlen(p->names[i]),
                             &value) ||
            value < 0)
            return false;
    return p->names != NULL;
}

static int64_t id_of(const hs_problem *p, bool has_names, int i)
{
    int64_t value = i;

    if (has_names)
        hs_number_whole(p->names[i], p->names[i] + strlen(p->names[i]), &value);
    return value;
}

hiss_status hs_json_write_bqp(const hs_problem *p, FILE *to, hiss_error *err)
{
    const hs_quadratic_problem *q = &p->quadratic;
    bool has_names = has_ids(p), is_first = true;

    (void)err;
    fprintf(to,
            "{\"version\": \"1.0.0\",\n \"id\": 0,\n \"metadata\": {},\n"
            " \"variable_domain\": \"%s\",\n \"scale\": 1.0,\n"
            " \"offset\": ",
            q->kind == HISS_SPIN ? "spin" : "boolean");
    hs_lines_print(to, q->offset);
    fputs(",\n \"variable_ids\": [", to);
    for (int i = 0; i < p->dim; i++) {
        separate(to, i);
        fprintf(to, "%" PRId64, id_of(p, has_names, i));
    }
    fputs("],\n \"linear_terms\": [", to);
    for (int i = 0; i < p->dim; i++) {
        if (q->linear[i] == 0.0)
            continue;
        fprintf(to,
                "%s\n  {\"id\": %" PRId64 ", \"coeff\": ", is_first ? "" : ",",
                id_of(p, has_names, i));
        hs_lines_print(to, q->linear[i]);
        fputc('}', to);
        is_first = false;
    }
    fputs("],\n \"quadratic_terms\": [", to);
    for (int64_t e = 0; e < q->pairs; e++) {
        fprintf(to,
                "%s\n  {\"id_tail\": %" PRId64 ", \"id_head\": %" PRId64
                ", \"coeff\": ",
                e > 0 ? "," : "", id_of(p, has_names, q->row[e]),
                id_of(p, has_names, q->column[e]));
        hs_lines_print(to, q->value[e]);
        fputc('}', to);
    }
    fputs("]}\n", to);
    return HISS_OK;
}
