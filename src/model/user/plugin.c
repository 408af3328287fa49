/* plugin.c - models from shared libraries (include/hiss/plugin.h).
 *
 * A plug-in is trusted code.  hiss checks its version, its description of the
 * coordinates, its return codes and that U is a number. */
#include <hiss/plugin.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/platform/platform.h"
#include "model/model.h"
#include "model/user/callback.h"

#define DIM_MAX      (1 << 28)
#define MESSAGE_ROOM 512

/* The first table of ABI 1: no plug-in has a smaller one.  New fields are added
 * behind it; no table will have more than TABLE_MAX bytes. */
#define TABLE_LEAST                                                            \
  (offsetof(hiss_plugin_table, has_gradient) +                                 \
   sizeof((hiss_plugin_table *)0)->has_gradient)
#define TABLE_MAX 4096

typedef const hiss_plugin_table *(*entry_function)(void);

struct plugin {
    hs_callback call;
    void *library;           /* owned */
    void *instance;          /* owned */
    hiss_plugin_table table; /* a copy; fields that an older plug-in lacks are
                                zero */
};

struct plugin_options {
    char *file;
    char *arguments;
};

#define AT(field) offsetof(struct plugin_options, field)
static const hs_option plugin_options[] = {
    {"file", HS_CODE, AT(file), NULL, NULL, "shared library, see plugin.h"},
    {"arguments", HS_TEXT, AT(arguments), "", NULL,
     "text that is handed to it"},
    {0},
};

static void plugin_destroy(hs_model *base)
{
    struct plugin *m = (struct plugin *)base;

    if (m->instance)
        m->table.destroy(m->instance);
    if (m->library)
        hs_platform_library_close(m->library);
}

static const hs_model_ops plugin_ops = {
    .evaluate = hs_callback_evaluate,
    .destroy = plugin_destroy,
};

/* For plug-ins with a function for changes. */
static const hs_model_ops changed_ops = {
    .evaluate = hs_callback_evaluate,
    .destroy = plugin_destroy,
    .change = hs_callback_change,
};

/* A name without a slash is a file here, not one in the system's search
 * path. */
static hiss_status open_library(struct plugin *m, const char *file,
                                hiss_error *err)
{
    char *path = hs_alloc_array(strlen(file) + 3, 1);
    const char *reason = "no plain file";
    struct stat found;
    bool is_plain;

    if (!path)
        return hs_fail_memory(err);
    strcpy(path, strchr(file, '/') ? "" : "./");
    strcat(path, file);
    is_plain = stat(path, &found) != 0 || S_ISREG(found.st_mode);
    if (is_plain) /* opening a FIFO would wait */
        m->library = hs_platform_library_open(path, &reason);
    hs_free(path);
    if (m->library)
        return HISS_OK;
    return hs_fail(err, HISS_EPLUGIN, "plug-in %s cannot be loaded: %s", file,
                   reason ? reason : "no reason is known");
}

/* Copies a table of any size: fields that an older plug-in lacks are zero, and
 * fields of a newer one that are unknown here must be zero. */
static hiss_status copy_table(hiss_plugin_table *to,
                              const hiss_plugin_table *from, const char *file,
                              hiss_error *err)
{
    const char *byte = (const char *)from;
    size_t size = from->size, known = sizeof *to;

    if (size < TABLE_LEAST || size > TABLE_MAX || size % sizeof(void *) != 0)
        return hs_fail(err, HISS_EPLUGIN,
                       "plug-in %s has a table of %zu bytes, expected "
                       "sizeof(hiss_plugin_table), here %zu",
                       file, size, known);
    for (size_t n = known; n < size; n++)
        if (byte[n] != 0)
            return hs_fail(err, HISS_EPLUGIN,
                           "plug-in %s has a table of %zu bytes and asks for "
                           "what this hiss, which knows %zu of them, cannot "
                           "do: it was compiled for a newer one",
                           file, size, known);
    memset(to, 0, known);
    memcpy(to, from, size < known ? size : known);
    return HISS_OK;
}

static hiss_status find_table(struct plugin *m, const char *file,
                              hiss_error *err)
{
    void *symbol = hs_platform_library_symbol(m->library, "hiss_plugin");
    hiss_plugin_table *t = &m->table;
    const hiss_plugin_table *given;
    entry_function entry;

    if (!symbol)
        return hs_fail(err, HISS_EPLUGIN,
                       "plug-in %s does not export hiss_plugin", file);
    memcpy(&entry, &symbol, sizeof entry); /* POSIX guarantees the same
                                              representation */
    given = entry();
    if (!given)
        return hs_fail(err, HISS_EPLUGIN,
                       "plug-in %s: hiss_plugin returned NULL", file);
    if (given->abi < 1 || given->abi > HISS_PLUGIN_ABI)
        return hs_fail(err, HISS_EPLUGIN,
                       "plug-in %s has ABI %d, expected 1 to %d; compile it "
                       "with this version of hiss/plugin.h",
                       file, given->abi, HISS_PLUGIN_ABI);
    HS_TRY(copy_table(t, given, file, err));
    if (given->abi < 2) {
        t->width = NULL;
        t->by_state = 0;
    }
    if (!t->create || !t->destroy || !t->dim || !t->evaluate)
        return hs_fail(err, HISS_EPLUGIN,
                       "plug-in %s lacks create, destroy, dim or evaluate",
                       file);
    return HISS_OK;
}

static hiss_status make_instance(struct plugin *m, const char *file,
                                 const char *arguments, hiss_error *err)
{
    char message[MESSAGE_ROOM] = "";

    m->instance =
        m->table.create(arguments ? arguments : "", message, sizeof message);
    message[sizeof message - 1] = '\0';
    if (m->instance)
        return HISS_OK;
    return hs_fail(err, HISS_EPLUGIN, "plug-in %s: %s", file,
                   message[0] ? message : "create failed without a reason");
}

/* The coordinates as described by the plug-in. */
struct shape {
    hiss_kind *kind; /* owned, [dim] */
    int *states;     /* owned, [dim] */
    double *level;   /* owned: levels of all ordinal coordinates */
};

static hiss_status read_shape(const struct plugin *m, int dim, struct shape *s,
                              hiss_error *err)
{
    const hiss_plugin_table *t = &m->table;
    size_t levels = 0, at = 0;

    s->kind = hs_alloc_array((size_t)dim, sizeof *s->kind);
    s->states = hs_alloc_array((size_t)dim, sizeof *s->states);
    if (!s->kind || !s->states)
        return hs_fail_memory(err);
    for (int i = 0; i < dim; i++) {
        s->kind[i] = t->kind ? t->kind(m->instance, i) : HISS_BINARY;
        s->states[i] = t->states ? t->states(m->instance, i) : 2;
        if (s->states[i] < 1 || s->states[i] > HS_STATES_MAX)
            return hs_fail(err, HISS_EPLUGIN,
                           "coordinate %d, counted from 0, has %d states, "
                           "expected 1 to %d",
                           i, s->states[i], HS_STATES_MAX);
        levels += s->kind[i] == HISS_ORDINAL ? (size_t)s->states[i] : 0;
    }
    s->level = hs_alloc_array(levels, sizeof *s->level);
    if (!s->level)
        return hs_fail_memory(err);
    for (int i = 0; i < dim; i++)
        for (int v = 0; s->kind[i] == HISS_ORDINAL && v < s->states[i]; v++)
            s->level[at++] = t->level ? t->level(m->instance, i, v) : v;
    return HISS_OK;
}

static hiss_status make_domain(struct plugin *m, const char *file,
                               hiss_error *err)
{
    struct shape s = {0};
    int dim = m->table.dim(m->instance);
    hiss_status rc;

    if (dim < 1 || dim > DIM_MAX)
        return hs_fail(err, HISS_EPLUGIN,
                       "plug-in %s has %d coordinates, expected 1 to %d", file,
                       dim, DIM_MAX);
    rc = read_shape(m, dim, &s, err);
    if (rc == HISS_OK)
        rc = hs_domain_init_mixed(&m->call.base.domain, dim, s.kind, s.states,
                                  s.level, err);
    if (rc != HISS_OK && rc != HISS_ENOMEM) {
        hs_error_prefix(err, "plug-in %s", file);
        rc = HISS_EPLUGIN;
        if (err)
            err->status = rc;
    }
    hs_free(s.kind);
    hs_free(s.states);
    hs_free(s.level);
    return rc;
}

static hiss_status read_width(const struct plugin *m, const char *file,
                              int *width, hiss_error *err)
{
    *width = m->table.width ? m->table.width(m->instance) : 0;
    if (*width < 0 || *width > HS_WIDTH_MAX)
        return hs_fail(err, HISS_EPLUGIN,
                       "plug-in %s wants %d states at once, expected 0 to %d",
                       file, *width, HS_WIDTH_MAX);
    return HISS_OK;
}

static hiss_status plugin_create(hs_model **out, const void *options,
                                 hiss_error *err)
{
    const struct plugin_options *o = options;
    struct plugin *m = hs_alloc_array(1, sizeof *m);
    int width = 0;
    hiss_status rc;

    if (!m)
        return hs_fail_memory(err);
    m->call.base.ops = &plugin_ops;
    rc = open_library(m, o->file, err);
    if (rc == HISS_OK)
        rc = find_table(m, o->file, err);
    if (rc == HISS_OK)
        rc = make_instance(m, o->file, o->arguments, err);
    if (rc == HISS_OK)
        rc = make_domain(m, o->file, err);
    if (rc == HISS_OK)
        rc = read_width(m, o->file, &width, err);
    if (rc == HISS_OK) {
        m->call.evaluate = m->table.evaluate;
        m->call.instance = m->instance;
        m->call.has_gradient = m->table.has_gradient;
        m->call.change = m->table.change;
        m->call.by_state = m->table.by_state;
        m->call.base.width = width;
        m->call.base.is_user = true;
        if (m->table.change)
            m->call.base.ops = &changed_ops;
        hs_callback_reserve(&m->call);
    }
    if (rc != HISS_OK) {
        hs_model_destroy(&m->call.base);
        return rc;
    }
    *out = &m->call.base;
    return HISS_OK;
}

const hs_model_type hs_model_plugin = {
    .name = "plugin",
    .summary = "a model of your own from a shared library (any kinds)",
    .size = sizeof(struct plugin_options),
    .options = plugin_options,
    .create = plugin_create,
};
