/* format.c - the registry of file formats; detects the format of a file.
 *
 * Each format reads the first bytes and returns a score.  A signature (from
 * SIGNATURE on) overrides the suffix.  Similar content counts unless the suffix
 * names another format that fits too. */
#include "format/format.h"

#include <string.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/caret.h"
#include "base/error.h"
#include "base/read/source.h"
#include "base/spec/spec.h"
#include "base/text.h"

#define HS_FORMAT(name) extern const hs_format hs_format_##name;
#include "format/formats.def"
#undef HS_FORMAT

const hs_format *const hs_formats[] = {
#define HS_FORMAT(name) &hs_format_##name,
#include "format/formats.def"
#undef HS_FORMAT
    NULL,
};

enum {
#define HS_FORMAT(name) COUNT_##name,
#include "format/formats.def"
#undef HS_FORMAT
    FORMAT_COUNT
};

enum {
    SIGNATURE = 80,
    SUFFIX_MAX = 16
};

void hs_format_release(hs_format_use *use)
{
    if (use->options)
        hs_options_clear(use->format->options, use->options);
    hs_free(use->options);
    *use = (hs_format_use){0};
}

/* Uses a format with the options of spec; a spec without arguments means
 * defaults. */
static hiss_status set_use(hs_format_use *out, const hs_format *format,
                           const hs_spec *spec, hiss_error *err)
{
    char what[64] = "format ";
    hiss_status rc;

    *out = (hs_format_use){.format = format};
    strncat(what, format->name, sizeof what - sizeof "format ");
    out->options = hs_alloc_array(1, format->size ? format->size : 1);
    if (!out->options)
        return hs_fail_memory(err);
    rc = hs_options_parse(format->options, spec, what, out->options, err);
    if (rc != HISS_OK) {
        hs_free(out->options);
        *out = (hs_format_use){0};
    }
    return rc;
}

static hiss_status use_defaults(hs_format_use *out, const hs_format *format,
                                hiss_error *err)
{
    hs_spec spec = {0};

    return set_use(out, format, &spec, err);
}

/* Returns "uai, rudy, ...", owned by the caller; NULL if memory is short. */
static char *list_names(bool for_writing)
{
    hs_text text = {0};

    for (int f = 0; f < FORMAT_COUNT; f++) {
        if (for_writing && !hs_formats[f]->write)
            continue;
        if (text.length > 0)
            hs_text_add_string(&text, ", ");
        hs_text_add_string(&text, hs_formats[f]->name);
    }
    return hs_text_take(&text);
}

static hiss_status fail_name(const char *name, hiss_error *err)
{
    const char *names[FORMAT_COUNT + 1] = {0};
    char quote[HS_QUOTE_MAX], hint[HISS_SUGGESTION_MAX];
    char *list = list_names(false);

    if (!list)
        return hs_fail_memory(err);
    for (int f = 0; f < FORMAT_COUNT; f++)
        names[f] = hs_formats[f]->name;
    hs_quote(quote, name, strlen(name));
    if (*hiss_suggestion(hint, name, names, "'", "'"))
        hs_fail(err, HISS_EARG, "unknown format '%s'%s", quote, hint);
    else
        hs_fail(err, HISS_EARG, "unknown format '%s', expected one of %s",
                quote, list);
    hs_free(list);
    return HISS_EARG;
}

static hiss_status use_wanted(hs_format_use *out, const char *wanted,
                              hiss_error *err)
{
    hs_spec spec = {0};
    hiss_status rc = hs_spec_parse_as(&spec, wanted, "format", err);
    const hs_format *found = NULL;

    if (rc != HISS_OK)
        return rc;
    for (int f = 0; f < FORMAT_COUNT; f++)
        if (strcmp(hs_formats[f]->name, spec.text) == 0)
            found = hs_formats[f];
    rc = found ? set_use(out, found, &spec, err) : fail_name(spec.text, err);
    hs_spec_clear(&spec);
    return rc;
}

/* The lower-case suffix of a path, without ".gz"; "" if it has none. */
static void suffix_of(const char *path, char out[SUFFIX_MAX])
{
    const char *name = strrchr(path, '/'), *dot;
    size_t length;

    name = name ? name + 1 : path;
    length = strlen(name);
    if (length > 3 && strcmp(name + length - 3, ".gz") == 0)
        length -= 3;
    dot = memrchr(name, '.', length);
    out[0] = '\0';
    if (!dot || dot == name || (size_t)(name + length - dot) > SUFFIX_MAX)
        return;
    length = (size_t)(name + length - dot) - 1;
    for (size_t i = 0; i < length; i++)
        out[i] = hs_lower(dot[1 + i]);
    out[length] = '\0';
}

static bool has_suffix(const hs_format *format, const char *suffix)
{
    size_t length = strlen(suffix);
    const char *at = format->suffixes;

    while (length > 0 && *at) {
        size_t word = strcspn(at, " ");

        if (word == length && memcmp(at, suffix, length) == 0)
            return true;
        at += word + (at[word] == ' ');
    }
    return false;
}

static const hs_format *format_of_suffix(const char *suffix)
{
    for (int f = 0; f < FORMAT_COUNT; f++)
        if (has_suffix(hs_formats[f], suffix))
            return hs_formats[f];
    return NULL;
}

/* Chooses by the first bytes; *score is 0 if none fits. */
static const hs_format *format_of_head(const char *head, size_t length,
                                       const char *suffix, int *score)
{
    const hs_format *best = NULL;
    int most = 0;

    for (int f = 0; f < FORMAT_COUNT; f++) {
        int found = hs_formats[f]->sniff(head, length);

        /* similar content counts more if the suffix agrees */
        if (found > 0 && found < SIGNATURE && has_suffix(hs_formats[f], suffix))
            found = SIGNATURE - 1;
        if (found > most) {
            most = found;
            best = hs_formats[f];
        }
    }
    *score = most;
    return best;
}

/* Whether it is a result file of `hiss sample -o`: CSV or netCDF. */
static bool is_result(const hs_source *in)
{
    static const char csv[] = "# hiss: ", hdf[] = "\x89HDF";

    return (in->end >= sizeof csv - 1 &&
            memcmp(in->buffer, csv, sizeof csv - 1) == 0) ||
           (in->end >= sizeof hdf - 1 &&
            memcmp(in->buffer, hdf, sizeof hdf - 1) == 0);
}

static hiss_status fail_unknown(const char *path, const hs_source *in,
                                hiss_error *err)
{
    char *list;

    if (in->fault != HISS_OK && !in->is_binary)
        return hs_fail(err, in->fault, "%s: cannot be read: %s", path,
                       in->reason);
    if (in->end == 0 && !in->is_binary)
        return hs_fail(err, HISS_EPARSE,
                       "%s:1:1: the file is empty, expected a model", path);
    if (is_result(in))
        return hs_fail(err, HISS_EPARSE,
                       "%s: these are draws that hiss wrote, expected a model",
                       path);
    list = list_names(false);
    if (!list)
        return hs_fail_memory(err);
    hs_fail(err, HISS_EPARSE,
            "%s:1:1: not a model file that hiss knows: tried %s; --format "
            "says which",
            path, list);
    hs_free(list);
    return HISS_EPARSE;
}

static hiss_status note_suffix(char **note, const hs_format *by_suffix,
                               const hs_format *by_head, hiss_error *err)
{
    hs_text text = {0};

    hs_text_add_string(&text, "the suffix says ");
    hs_text_add_string(&text, by_suffix->name);
    hs_text_add_string(&text, ", the content ");
    hs_text_add_string(&text, by_head->name);
    hs_text_add_string(&text, ": read as ");
    hs_text_add_string(&text, by_head->name);
    *note = hs_text_take(&text);
    return *note ? HISS_OK : hs_fail_memory(err);
}

/* Chooses by the bytes in `in` and the path. */
static hiss_status choose(const hs_format **out, const char *path,
                          const hs_source *in, char **note, hiss_error *err)
{
    size_t bom =
        in->end >= 3 && memcmp(in->buffer, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    char suffix[SUFFIX_MAX];
    const hs_format *by_suffix, *by_head;
    int score;

    suffix_of(path, suffix);
    by_suffix = format_of_suffix(suffix);
    by_head = format_of_head(in->buffer + bom, in->end - bom, suffix, &score);
    *out = by_head ? by_head : by_suffix;
    if (!*out || (in->end == 0 && !in->is_binary))
        return fail_unknown(path, in, err);
    if (note && by_head && by_suffix && !has_suffix(by_head, suffix))
        return note_suffix(note, by_suffix, by_head, err);
    return HISS_OK;
}

hiss_status hs_format_find(hs_format_use *out, const char *path,
                           const char *wanted, char **note, hiss_error *err)
{
    const hs_format *format = NULL;
    hs_source in;
    hiss_status rc;

    *out = (hs_format_use){0};
    if (note)
        *note = NULL;
    if (wanted)
        return use_wanted(out, wanted, err);
    HS_TRY(hs_source_open(&in, path, err));
    if (!in.is_regular) {
        hs_source_close(&in);
        return hs_fail(err, HISS_EARG,
                       "%s is not a plain file and can be read only once: "
                       "--format must say what it holds",
                       path);
    }
    hs_source_fill(&in);
    rc = choose(&format, path, &in, note, err);
    hs_source_close(&in);
    if (rc == HISS_OK) {
        rc = use_defaults(out, format, err);
        if (rc == HISS_EARG)
            hs_error_prefix(err, "%s", path);
    }
    if (rc != HISS_OK && note) {
        hs_free(*note);
        *note = NULL;
    }
    return rc;
}

hiss_status hs_format_find_output(hs_format_use *out, const char *path,
                                  const char *wanted, hiss_error *err)
{
    char suffix[SUFFIX_MAX];
    const hs_format *format;
    char *list;

    *out = (hs_format_use){0};
    suffix_of(path, suffix);
    format = format_of_suffix(suffix);
    if (wanted) {
        HS_TRY(use_wanted(out, wanted, err));
    } else if (format) {
        HS_TRY(use_defaults(out, format, err));
    } else {
        list = list_names(true);
        if (!list)
            return hs_fail_memory(err);
        hs_fail(err, HISS_EARG,
                "%s: its suffix names no format; --to says which: %s", path,
                list);
        hs_free(list);
        return HISS_EARG;
    }
    if (out->format->write)
        return HISS_OK;
    hs_fail(err, HISS_EUNSUP, "format %s is read but not written",
            out->format->name);
    hs_format_release(out);
    return HISS_EUNSUP;
}

hiss_status hs_format_read_as(hs_problem *out, const char *path,
                              const hs_format_use *use, hiss_error *err)
{
    hs_reader *in = NULL;
    hiss_status rc;

    *out = (hs_problem){.scale = 1.0};
    if (use->format->load) {
        rc = use->format->load(out, path, use->options, err);
    } else {
        rc = hs_reader_open(&in, path, err);
        if (rc == HISS_OK)
            rc = use->format->read(out, in, use->options, err);
        hs_reader_close(in);
    }
    if (rc != HISS_OK)
        hs_problem_clear(out);
    return rc;
}

hiss_status hs_format_read(hs_problem *out, const char *path,
                           const char *wanted, hiss_error *err)
{
    hs_format_use use;
    char *note = NULL;
    hiss_status rc;

    *out = (hs_problem){0};
    HS_TRY(hs_format_find(&use, path, wanted, &note, err));
    rc = hs_format_read_as(out, path, &use, err);
    if (rc == HISS_OK && note)
        rc = hs_problem_remark(out, err, "%s", note);
    if (rc == HISS_OK)
        rc = hs_problem_say(
            out, path, use.format->title ? use.format->title : use.format->name,
            err);
    if (rc != HISS_OK)
        hs_problem_clear(out);
    hs_free(note);
    hs_format_release(&use);
    return rc;
}

hiss_status hs_format_write(const hs_problem *p, FILE *to,
                            const hs_format_use *use, hiss_error *err)
{
    hiss_status rc = use->format->write(p, to, use->options, err);

    if (rc == HISS_EUNSUP)
        hs_error_prefix(err, "format %s cannot hold this model",
                        use->format->name);
    return rc;
}

hiss_status hs_format_model(hs_model **out, const char *path,
                            const char *wanted, hiss_error *err)
{
    hs_problem problem;
    hiss_status rc;

    *out = NULL;
    HS_TRY(hs_format_read(&problem, path, wanted, err));
    rc = hs_problem_model(out, &problem, path, err);
    if (rc != HISS_OK && rc != HISS_ENOMEM)
        hs_error_prefix(err, "%s", path);
    hs_problem_clear(&problem);
    return rc;
}
