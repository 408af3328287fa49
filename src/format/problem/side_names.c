/* side_names.c - names of variables and states in a file beside a UAI file,
 * which has numbers only.  No other program is known to read this file. */
#include "format/problem/side_names.h"

#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/read/reader.h"
#include "base/text.h"

struct names {
    char **names, **states; /* owned, [dim] and [value_count] */
    int variables, values;
    bool has_states; /* set by the first line */
};

/* Returns grid.uai.names; NULL if it is not a UAI file or memory is short. */
static char *path_of(const char *path)
{
    size_t length = strlen(path);
    hs_text text = {0};

    if (length > 3 && strcmp(path + length - 3, ".gz") == 0)
        length -= 3;
    if (length < 5 || strncmp(path + length - 4, ".uai", 4) != 0)
        return NULL;
    hs_text_print(&text, "%.*s.names", (int)length, path);
    return hs_text_take(&text);
}

static char *take(const char *from, size_t length)
{
    char *out = hs_alloc_array(length + 1, 1);

    if (out)
        memcpy(out, from, length);
    return out;
}

/* Reads the states of a variable, behind its colon. */
static hiss_status read_states(struct names *n, hs_reader *in, const char *at,
                               int states, hiss_error *err)
{
    int found = 0;

    for (at += strspn(at, " \t,"); *at; at += strspn(at, " \t,")) {
        size_t length = strcspn(at, " \t,");

        if (found++ < states) {
            n->states[n->values] = take(at, length);
            if (!n->states[n->values++])
                return hs_fail_memory(err);
        }
        at += length;
    }
    if (found != states)
        return hs_reader_fail(in, NULL, err,
                              "%d states, expected %d as in the UAI file",
                              found, states);
    return HISS_OK;
}

static hiss_status read_line(struct names *n, hs_reader *in, const char *line,
                             const hs_domain *d, hiss_error *err)
{
    const char *colon = strchr(line, ':');
    size_t length = colon ? (size_t)(colon - line) : strlen(line);

    while (length > 0 && strchr(" \t", line[length - 1]))
        length--;
    if (length == 0 || memchr(line, '=', length))
        return hs_reader_fail(in, NULL, err,
                              "expected a name, as in 'Rain' or 'Rain: no "
                              "yes'");
    if (n->variables == 0)
        n->has_states = colon != NULL;
    if ((colon != NULL) != n->has_states)
        return hs_reader_fail(in, NULL, err,
                              "the states of all variables have names, or of "
                              "none");
    n->names[n->variables] = take(line, length);
    if (!n->names[n->variables])
        return hs_fail_memory(err);
    n->variables++;
    return colon
               ? read_states(n, in, colon + 1, d->states[n->variables - 1], err)
               : HISS_OK;
}

static hiss_status read_all(struct names *n, hs_reader *in, hs_domain *d,
                            hiss_error *err)
{
    const char *line;

    hs_reader_comments(in, "#", NULL);
    n->names = hs_alloc_array((size_t)d->dim + 1, sizeof *n->names);
    n->states = hs_alloc_array((size_t)d->value_count + 1, sizeof *n->states);
    if (!n->names || !n->states)
        return hs_fail_memory(err);
    while (!hs_reader_at_end(in)) {
        HS_TRY(hs_reader_line(in, &line, err));
        if (n->variables == d->dim)
            return hs_reader_fail(in, NULL, err,
                                  "more names than the %d variables of the "
                                  "UAI file",
                                  d->dim);
        HS_TRY(read_line(n, in, line, d, err));
    }
    if (n->variables < d->dim)
        return hs_fail(err, HISS_EPARSE,
                       "%s: %d names, expected %d as in the UAI file",
                       hs_reader_name(in), n->variables, d->dim);
    return hs_domain_name(d, n->names, n->has_states ? n->states : NULL, err);
}

static void clear(struct names *n)
{
    for (int i = 0; n->names && i < n->variables; i++)
        hs_free(n->names[i]);
    for (int v = 0; n->states && v < n->values; v++)
        hs_free(n->states[v]);
    hs_free(n->names);
    hs_free(n->states);
}

hiss_status hs_side_names_read(hs_model *m, const char *path, hiss_error *err)
{
    char *own = path_of(path);
    struct names n = {0};
    hs_reader *in;
    hiss_status rc;

    if (!own || access(own, F_OK) != 0) {
        hs_free(own);
        return HISS_OK;
    }
    rc = hs_reader_open(&in, own, err);
    hs_free(own);
    HS_TRY(rc);
    rc = read_all(&n, in, &m->domain, err);
    clear(&n);
    hs_reader_close(in);
    return rc;
}
