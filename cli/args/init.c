/* init.c - start states from a file.
 *
 * The file is read line by line, and memory is taken for chains x dim values,
 * whatever its length.  Messages are
 *
 *   FILE:LINE:COLUMN: what is there, what was expected
 *
 * with the line and a caret below. */
#include "cli/args/init.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/print/fail.h"
#include "cli/print/number.h"

enum {
    SHOWN_MAX = 60
};

struct reader {
    const char *path;
    FILE *file;
    char *line; /* owned, NUL-terminated, without comment and line end */
    size_t room;
    long number; /* number of the line, from 1 */
    const hiss_model *model;
};

static int fail_at(const struct reader *r, const char *at, const char *format,
                   ...) CLI_PRINTF(3, 4);

/* Shows the neighborhood of the caret if the line is long. */
static int fail_at(const struct reader *r, const char *at, const char *format,
                   ...)
{
    long column = at - r->line;
    long first = column > SHOWN_MAX / 2 ? column - SHOWN_MAX / 2 : 0;
    va_list arguments;
    char *what = NULL;

    va_start(arguments, format);
    if (vasprintf(&what, format, arguments) < 0)
        what = NULL;
    va_end(arguments);
    cli_fail(CLI_BAD_CALL, "%s:%ld:%ld: %s\n  %.*s\n  %*s^", r->path, r->number,
             column + 1, what ? what : "", SHOWN_MAX, r->line + first,
             (int)(column - first), "");
    free(what);
    return CLI_BAD_CALL;
}

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t");
}

/* Moves to the next line with values: 1, or 0 at the end of the file. */
static int next_line(struct reader *r)
{
    while (getline(&r->line, &r->room, r->file) > 0) {
        r->number++;
        r->line[strcspn(r->line, "#\r\n")] = '\0';
        for (char *c = r->line; *c; c++)
            if (*c == '\t') /* so that the caret is aligned */
                *c = ' ';
        if (*skip_blanks(r->line))
            return 1;
    }
    return 0;
}

static int bad_value(const struct reader *r, const char *at, int length, int i)
{
    int states = hiss_model_states(r->model, i);
    double low = hiss_model_value(r->model, i, 0);
    double high = hiss_model_value(r->model, i, states - 1);

    return fail_at(r, at, "x.%d is '%.*s', expected %s%.10g%s%.10g", i + 1,
                   length < 20 ? length : 20, at,
                   states > 2 ? "one of the values " : "", low,
                   states > 2 ? " .. " : " or ", high);
}

static bool is_value(const hiss_model *model, int i, double value)
{
    int states = hiss_model_states(model, i);

    for (int s = 0; s < states; s++)
        if (hiss_model_value(model, i, s) == value)
            return true;
    return false;
}

static int read_state(const struct reader *r, double *values)
{
    int dim = hiss_model_dim(r->model);
    const char *at = skip_blanks(r->line);

    for (int i = 0; i < dim; i++) {
        int length = (int)strcspn(at, " ,");

        if (!*at)
            return fail_at(r, at, "%d value%s, the model has %d coordinates", i,
                           i == 1 ? "" : "s", dim);
        if (!cli_number_real(at, length, &values[i]) ||
            !is_value(r->model, i, values[i]))
            return bad_value(r, at, length, i);
        at = skip_blanks(at + length);
        if (*at == ',')
            at = skip_blanks(at + 1);
    }
    if (*at)
        return fail_at(r, at,
                       "more values than the %d coordinates of the model", dim);
    return CLI_DONE;
}

static bool is_tour_file(const char *path)
{
    size_t length = strlen(path);

    return length > 5 && strcmp(path + length - 5, ".tour") == 0;
}

/* Reads the cities of a TSPLIB tour as one line of values. */
static int read_tour(struct reader *r, double *values)
{
    int dim = hiss_model_dim(r->model), count = 0;
    bool is_inside = false;

    while (next_line(r)) {
        const char *at = skip_blanks(r->line);

        if (!is_inside) {
            is_inside = strncmp(at, "TOUR_SECTION", 12) == 0;
            continue;
        }
        while (*at && count <= dim) {
            int length = (int)strcspn(at, " ");

            if (count == dim && strncmp(at, "-1", 2) == 0)
                return CLI_DONE;
            if (count == dim)
                return fail_at(r, at, "more than the %d cities of the model",
                               dim);
            if (!cli_number_real(at, length, &values[count]) ||
                !is_value(r->model, count, values[count]))
                return bad_value(r, at, length, count);
            count++;
            at = skip_blanks(at + length);
        }
    }
    if (count == dim)
        return CLI_DONE;
    return cli_fail(CLI_BAD_CALL,
                    "%s:%ld:1: the file ends after %d of %d cities", r->path,
                    r->number + 1, count, dim);
}

static int read_states(struct reader *r, int chains, double *values)
{
    size_t dim = (size_t)hiss_model_dim(r->model);
    int states = 0, code = CLI_DONE;

    bool is_tour = hiss_model_kind(r->model, 0) == HISS_PERMUTATION &&
                   is_tour_file(r->path);

    if (is_tour) {
        code = read_tour(r, values);
        states = 1;
    }
    while (!is_tour && code == CLI_DONE && next_line(r)) {
        if (states == chains)
            return fail_at(r, skip_blanks(r->line),
                           "more states than the %d chain%s", chains,
                           chains == 1 ? "" : "s");
        code = read_state(r, values + (size_t)states++ * dim);
    }
    if (code != CLI_DONE)
        return code;
    if (ferror(r->file))
        return cli_fail(CLI_FAULT, "%s: cannot be read: %s", r->path,
                        strerror(errno));
    if (states == 0 || (states > 1 && states < chains))
        return cli_fail(CLI_BAD_CALL,
                        "%s:%ld:1: %d state%s in the file, expected 1 or one "
                        "for each of %d chains",
                        r->path, r->number + 1, states, states == 1 ? "" : "s",
                        chains);
    for (int c = states; c < chains; c++)
        memcpy(values + (size_t)c * dim, values, dim * sizeof *values);
    return CLI_DONE;
}

/* NULL, with errno.  Also for a file that is neither plain nor the requested
 * standard input, because it may never end. */
static FILE *open_plain(const char *path)
{
    struct stat found;
    int file;

    if (strcmp(path, "-") == 0) {
        file = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
        return file < 0 ? NULL : fdopen(file, "r");
    }
    file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file >= 0 && fstat(file, &found) == 0 && S_ISREG(found.st_mode))
        return fdopen(file, "r");
    if (file >= 0) {
        close(file);
        errno = EINVAL;
    }
    return NULL;
}

static int read_file(const char *path, const hiss_model *model, int chains,
                     double **owned)
{
    static const char *const words[] = {"random", "best", NULL};
    struct reader r = {.path = path, .file = open_plain(path), .model = model};
    char hint[HISS_SUGGESTION_MAX];
    int code;

    if (!r.file && errno == ENOENT)
        return cli_fail(CLI_BAD_CALL,
                        "--init: there is no file '%s', expected random, best "
                        "or a file of states%s",
                        path, hiss_suggestion(hint, path, words, "", ""));
    if (!r.file && errno == EINVAL)
        return cli_fail(CLI_BAD_CALL,
                        "--init: %s: cannot be opened: expected a plain file",
                        path);
    if (!r.file)
        return cli_fail(CLI_FAULT, "%s: cannot be read: %s", path,
                        strerror(errno));
    *owned = cli_alloc((size_t)chains * (size_t)hiss_model_dim(model),
                       sizeof **owned);
    code = read_states(&r, chains, *owned);
    fclose(r.file);
    free(r.line);
    return code;
}

int cli_init_read(const char *word, const hiss_model *model,
                  hiss_settings *settings, double **owned)
{
    int code;

    *owned = NULL;
    settings->init_best = strcmp(word, "best") == 0;
    if (settings->init_best || strcmp(word, "random") == 0)
        return CLI_DONE;
    code = read_file(word, model, settings->chains, owned);
    settings->init = *owned;
    return code;
}
