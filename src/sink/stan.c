/* stan.c - a result as Stan CSV: one file per chain, as CmdStan writes them.
 *
 * NAME.stan gives NAME-1.csv, NAME-2.csv, ...; a name that ends in a slash is a
 * folder and gives FOLDER/chain-1.csv, ...  Columns are lp__, accept_stat__ and
 * x.1, x.2, ...; warm-up draws, if kept, come first. All files are written
 * before the first one gets its name. Two runs compete only for the first file;
 * the run that gets it gets all. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "sink/file.h"
#include "sink/sink.h"

/* The file of a chain, counted from 0; owned by the caller. */
static char *name_of(const char *path, int chain)
{
    size_t length = strlen(path), size = length + 32;
    bool is_folder = path[length - 1] == '/';
    char *name = hs_alloc_array(size, 1);

    if (name && is_folder)
        snprintf(name, size, "%schain-%d.csv", path, chain + 1);
    else if (name)
        snprintf(name, size, "%.*s-%d.csv", (int)(length - strlen(".stan")),
                 path, chain + 1);
    return name;
}

static void write_head(FILE *to, const hs_output *out, int chain)
{
    fprintf(to,
            "# stan_version_major = 2\n# stan_version_minor = 0\n"
            "# stan_version_patch = 0\n# model = hiss\n"
            "# method = sample (Default)\n#   sample\n"
            "#     num_samples = %lld\n#     num_warmup = %lld\n"
            "#     save_warmup = %d\n#     thin = 1\n"
            "# id = %d\n# random\n#   seed = %llu\n"
            "# hiss_version = %s\n# manifest = %s\n",
            (long long)out->kept.samples, (long long)out->warmup.samples,
            out->warmup.samples > 0, chain + 1, (unsigned long long)out->seed,
            out->version, out->manifest);
    if (out->is_biased)
        fputs("# exact = no, the draws follow another law\n", to);
    fputs("lp__,accept_stat__", to);
    for (int i = 1; i <= out->domain->dim; i++)
        fprintf(to, ",x.%d", i);
    fputc('\n', to);
}

static void write_draws(FILE *to, const hs_output *out, const hs_draws *draws,
                        int chain)
{
    int dim = out->domain->dim;

    for (int64_t n = 0; n < draws->samples && !ferror(to); n++) {
        int64_t row = chain * draws->samples + n;

        hs_fprintf(to, "%.17g,%.6g", draws->lp[row],
                   draws->accept ? (double)draws->accept[row] : 1.0);
        for (int i = 0; i < dim; i++)
            hs_fprintf(to, ",%.9g",
                       hs_element_at(out->element, draws->x, row * dim + i));
        fputc('\n', to);
    }
}

static void write_chain(FILE *to, const hs_output *out, int chain)
{
    write_head(to, out, chain);
    write_draws(to, out, &out->warmup, chain);
    write_draws(to, out, &out->kept, chain);
    hs_fprintf(to, "# \n#  Elapsed Time: %.6f seconds (Total)\n# \n",
               out->seconds);
}

static hiss_status open_chain(hs_file *file, const char *path, int chain,
                              bool replace, hiss_error *err)
{
    char *name = name_of(path, chain);
    hiss_status rc =
        name ? hs_file_open(file, name, replace, err) : hs_fail_memory(err);

    hs_free(name);
    return rc;
}

/* Closes it until all are written, because chains may outnumber the files that
 * may be open. */
static hiss_status close_chain(hs_file *file, hiss_error *err)
{
    bool is_whole = !ferror(file->stream) && fflush(file->stream) == 0;
    int fault = errno;

    if (!file->scratch) /* a pipe */
        return HISS_OK;
    is_whole = fclose(file->stream) == 0 && is_whole;
    file->stream = NULL;
    if (is_whole)
        return HISS_OK;
    return hs_fail(err, HISS_EIO, "%s: writing failed: %s", file->path,
                   strerror(fault));
}

static hiss_status make_folder(const char *path, hiss_error *err)
{
    if (path[strlen(path) - 1] != '/' || mkdir(path, 0777) == 0 ||
        errno == EEXIST)
        return HISS_OK;
    return hs_fail(err, HISS_EIO, "%s: cannot be made: %s", path,
                   strerror(errno));
}

/* Removes the first files if another program has made the next one. */
static void withdraw(const char *path, int files)
{
    for (int chain = 0; chain < files; chain++) {
        char *name = name_of(path, chain);

        if (name)
            unlink(name);
        hs_free(name);
    }
}

static hiss_status stan_write(const hs_output *out, const char *path,
                              bool replace, hiss_error *err)
{
    hs_file *file = hs_alloc_array((size_t)out->chains, sizeof *file);
    int opened = 0, named = 0;
    hiss_status rc;

    if (!file)
        return hs_fail_memory(err);
    rc = make_folder(path, err);
    for (; opened < out->chains && rc == HISS_OK; opened++) {
        rc = open_chain(&file[opened], path, opened, replace, err);
        if (rc != HISS_OK)
            break;
        write_chain(file[opened].stream, out, opened);
        rc = close_chain(&file[opened], err);
    }
    for (; named < opened && rc == HISS_OK; named++)
        rc = hs_file_commit(&file[named], err);
    if (rc != HISS_OK && named > 0 && !replace)
        withdraw(path, named - 1);
    for (; named < opened; named++)
        hs_file_drop(&file[named]);
    hs_free(file);
    return rc;
}

const hs_sink hs_sink_stan = {
    .name = "stan",
    .suffixes = ".stan /",
    .summary = "Stan CSV, a file per chain: NAME.stan, or FOLDER/",
    .write = stan_write,
};
