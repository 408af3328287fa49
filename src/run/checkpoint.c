/* checkpoint.c - a run that can be killed at any moment and go on. */
#include "run/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/rng.h"
#include "sink/file.h"

#define MAGIC   "hiss checkpoint"
#define VERSION 2

/* First bytes of FILE. */
struct header {
    char magic[16];
    uint32_t version;
    uint32_t crc;    /* of all that follows the header */
    uint64_t length; /* of that */
};

/* Before each piece of FILE.draws: draws from .. to-1 of every chain. */
struct piece {
    int64_t from, to;
    uint32_t crc; /* of what follows it */
};

static hiss_status fault(hiss_error *err, const char *path, const char *what)
{
    return hs_fail(err, HISS_EIO, "%s: %s: %s", path, what, strerror(errno));
}

static hiss_status refuse(hiss_error *err, const char *path, const char *why)
{
    return hs_fail(err, HISS_EPARSE, "%s: %s", path, why);
}

static uint64_t mix(uint64_t h, const void *from, size_t size)
{
    const unsigned char *p = from;

    for (size_t i = 0; i < size; i++)
        h = (h ^ p[i]) * 0x100000001b3u;
    return h;
}

/* Energies of sixteen fixed random states stand for the model's contents. */
static uint64_t mix_energies(uint64_t h, const hs_model *m)
{
    hs_point p;

    if (hs_point_init(&p, m, NULL) != HISS_OK)
        return h;
    for (int i = 0; i < m->domain.dim; i++)
        for (uint32_t l = 0; l < HS_LANES; l++)
            p.x[i][l] = (int16_t)hs_below(
                hs_rng_word(0, l, 0, 0, HS_DRAW_INIT, (uint32_t)i),
                m->domain.states[i]);
    p.have = 0;
    if (hs_model_evaluate(m, &p, HS_U) == HISS_OK)
        h = mix(h, p.u, sizeof p.u);
    hs_point_clear(&p);
    return h;
}

uint64_t hs_checkpoint_fingerprint(const hs_model *m, const hs_spec *sampler,
                                   const hiss_settings *set)
{
    uint64_t h = 0xcbf29ce484222325u;
    char *spec = hs_spec_print(sampler);

    h = mix(h, &m->domain.dim, sizeof m->domain.dim);
    h = mix_energies(h, m);
    if (spec)
        h = mix(h, spec, strlen(spec));
    hs_free(spec);
    h = mix(h, &set->chains, sizeof set->chains);
    h = mix(h, &set->samples, sizeof set->samples);
    h = mix(h, &set->warmup, sizeof set->warmup);
    h = mix(h, &set->thin, sizeof set->thin);
    h = mix(h, &set->seed, sizeof set->seed);
    return mix(h, &set->evals, sizeof set->evals);
}

static hiss_status set_names(hs_checkpoint *c, const char *path,
                             hiss_error *err)
{
    size_t size = strlen(path) + 8;

    c->draws = -1;
    c->path = hs_strdup(path);
    c->draws_path = hs_alloc_array(size, 1);
    if (!c->path || !c->draws_path)
        return hs_fail_memory(err);
    snprintf(c->draws_path, size, "%s.draws", path);
    return HISS_OK;
}

/* Opens and locks FILE.draws. */
static hiss_status open_draws(hs_checkpoint *c, int flags, hiss_error *err)
{
    c->draws = open(c->draws_path, O_RDWR | O_CLOEXEC | flags, 0666);
    if (c->draws < 0 && !(flags & O_CREAT) && errno == ENOENT)
        return refuse(err, c->draws_path,
                      "the draws of this checkpoint are missing");
    if (c->draws < 0)
        return fault(err, c->draws_path, "cannot be opened");
    if (flock(c->draws, LOCK_EX | LOCK_NB) != 0)
        return hs_fail(err, HISS_EARG,
                       "%s: another run writes to this checkpoint", c->path);
    return HISS_OK;
}

hiss_status hs_checkpoint_open(hs_checkpoint *c, const hiss_settings *set,
                               uint64_t fingerprint, hiss_error *err)
{
    *c = (hs_checkpoint){.text = set->checkpoint_text,
                         .every = set->checkpoint_every,
                         .thin = set->thin,
                         .fingerprint = fingerprint};
    HS_TRY(set_names(c, set->checkpoint, err));
    if (!set->checkpoint_replace && access(c->path, F_OK) == 0)
        return hs_fail(err, HISS_EARG,
                       "%s exists already; --resume %s goes on with it, "
                       "--force starts anew",
                       c->path, c->path);
    HS_TRY(open_draws(c, O_CREAT, err));
    if (unlink(c->path) != 0 && errno != ENOENT)
        return fault(err, c->path, "cannot be replaced");
    return ftruncate(c->draws, 0) == 0
               ? HISS_OK
               : fault(err, c->draws_path, "cannot be written");
}

void hs_checkpoint_close(hs_checkpoint *c)
{
    if (c->path && c->draws >= 0)
        close(c->draws);
    hs_free(c->path);
    hs_free(c->draws_path);
    *c = (hs_checkpoint){.draws = -1};
}

/* The new draws of every chain, as one piece behind the last. */
static hiss_status add_draws(hs_checkpoint *c, const hs_store *store,
                             int64_t kept, hiss_error *err)
{
    struct piece piece = {.from = c->kept, .to = kept};
    hs_blob b = {0};
    hiss_status rc = HISS_OK;

    if (kept == c->kept)
        return HISS_OK;
    hs_blob_put(&b, &piece, sizeof piece);
    hs_store_save(store, c->kept, kept, &b);
    if (b.is_broken) {
        hs_blob_clear(&b);
        return hs_fail_memory(err);
    }
    piece.crc = (uint32_t)crc32_z(0, (const Bytef *)b.at + sizeof piece,
                                  b.used - sizeof piece);
    memcpy(b.at, &piece, sizeof piece);
    for (size_t done = 0; done < b.used && rc == HISS_OK;) {
        ssize_t n = pwrite(c->draws, b.at + done, b.used - done,
                           (off_t)(c->length + done));

        if (n < 0 && errno != EINTR)
            rc = fault(err, c->draws_path, "writing failed");
        done += n > 0 ? (size_t)n : 0;
    }
    if (rc == HISS_OK && fdatasync(c->draws) != 0)
        rc = fault(err, c->draws_path, "writing failed");
    if (rc == HISS_OK) {
        c->length += b.used;
        c->kept = kept;
    }
    hs_blob_clear(&b);
    return rc;
}

hiss_status hs_checkpoint_write(hs_checkpoint *c, const hs_walker *walker,
                                int walkers, const hs_store *store,
                                double seconds, hiss_error *err)
{
    struct header h = {.magic = MAGIC, .version = VERSION};
    hs_blob b = {0};
    hs_file file;
    hiss_status rc;

    if (walker[0].thin != c->thin) { /* half of the draws are gone: anew */
        c->thin = walker[0].thin;
        c->kept = 0;
        /* behind the old ones, which the state on disk still needs */
    }
    HS_TRY(add_draws(c, store, walker[0].kept, err));
    hs_blob_put_text(&b, c->text);
    hs_blob_put(&b, &c->fingerprint, sizeof c->fingerprint);
    hs_blob_put(&b, &seconds, sizeof seconds);
    hs_blob_put(&b, &c->length, sizeof c->length);
    hs_blob_put(&b, &c->thin, sizeof c->thin);
    for (int i = 0; i < walkers; i++)
        hs_walker_save(&walker[i], &b);
    if (b.is_broken) {
        hs_blob_clear(&b);
        return hs_fail_memory(err);
    }
    h.length = b.used;
    h.crc = (uint32_t)crc32_z(0, (const Bytef *)b.at, b.used);
    rc = hs_file_open(&file, c->path, true, err);
    if (rc == HISS_OK) {
        fwrite(&h, sizeof h, 1, file.stream);
        fwrite(b.at, 1, b.used, file.stream);
        rc = hs_file_commit(&file, err);
    }
    hs_blob_clear(&b);
    return rc;
}

/* The checked contents of FILE behind its header. */
static hiss_status read_state(const char *path, hs_blob *b, hiss_error *err)
{
    FILE *in = fopen(path, "rb");
    struct header h;
    struct stat size;
    hiss_status rc = HISS_OK;

    *b = (hs_blob){0};
    if (!in)
        return hs_fail(err, HISS_EPARSE, "%s: cannot be opened: %s", path,
                       strerror(errno));
    if (fread(&h, sizeof h, 1, in) != 1 ||
        memcmp(h.magic, MAGIC, sizeof MAGIC) != 0)
        rc = refuse(err, path, "this is not a checkpoint of hiss");
    else if (h.version != VERSION)
        rc = hs_fail(err, HISS_EPARSE,
                     "%s: a checkpoint of format %u, this hiss reads %d", path,
                     h.version, VERSION);
    else if (fstat(fileno(in), &size) != 0 ||
             (uint64_t)size.st_size != sizeof h + h.length)
        rc = refuse(err, path, "the checkpoint is cut short or too long");
    if (rc == HISS_OK) {
        b->at = hs_alloc_array((size_t)h.length, 1);
        b->used = b->size = (size_t)h.length;
        if (!b->at)
            rc = hs_fail_memory(err);
        else if (fread(b->at, 1, b->used, in) != b->used)
            rc = refuse(err, path, "the checkpoint cannot be read");
        else if (crc32_z(0, (const Bytef *)b->at, b->used) != h.crc)
            rc = refuse(err, path, "the checksum is wrong: a corrupted file");
    }
    fclose(in);
    if (rc != HISS_OK)
        hs_blob_clear(b);
    return rc;
}

hiss_status hs_checkpoint_text(const char *path, char **text, hiss_error *err)
{
    hs_blob b;

    *text = NULL;
    HS_TRY(read_state(path, &b, err));
    *text = hs_blob_get_text(&b);
    hs_blob_clear(&b);
    return *text ? HISS_OK : hs_fail_memory(err);
}

/* Draws of all pieces into the store.  A piece that starts at 0 again comes
 * from a doubled thinning and replaces what came before. */
static hiss_status load_draws(hs_checkpoint *c, hs_store *store,
                              hiss_error *err)
{
    for (uint64_t at = 0; at < c->length;) {
        struct piece piece;
        hs_blob b = {0};
        ssize_t got = pread(c->draws, &piece, sizeof piece, (off_t)at);
        bool fits = got == (ssize_t)sizeof piece && piece.from >= 0 &&
                    piece.to > piece.from && piece.to <= store->capacity;

        if (fits) {
            b.used = b.size = hs_store_bytes(store, piece.from, piece.to);
            b.at = hs_alloc_array(b.size, 1);
            if (!b.at)
                return hs_fail_memory(err);
            at += sizeof piece;
            got = pread(c->draws, b.at, b.used, (off_t)at);
            fits = got == (ssize_t)b.used &&
                   crc32_z(0, (const Bytef *)b.at, b.used) == piece.crc;
        }
        if (fits)
            hs_store_load(store, piece.from, piece.to, &b);
        at += b.used;
        c->kept = fits ? piece.to : 0;
        hs_blob_clear(&b);
        if (!fits)
            return refuse(err, c->draws_path,
                          "the draws are cut short or corrupted");
    }
    return HISS_OK;
}

hiss_status hs_checkpoint_resume(hs_checkpoint *c, const hiss_settings *set,
                                 uint64_t fingerprint, hs_walker *walker,
                                 int walkers, hs_store *store, double *seconds,
                                 hiss_error *err)
{
    uint64_t saved;
    hs_blob b;
    char *text;
    bool is_whole;

    *c = (hs_checkpoint){.text = set->checkpoint_text,
                         .every = set->checkpoint_every,
                         .fingerprint = fingerprint};
    HS_TRY(set_names(c, set->resume, err));
    HS_TRY(read_state(c->path, &b, err));
    text = hs_blob_get_text(&b);
    hs_free(text);
    hs_blob_get(&b, &saved, sizeof saved);
    if (saved != fingerprint) {
        hs_blob_clear(&b);
        return refuse(err, c->path,
                      "this checkpoint is of another model, sampler or "
                      "setting (has the model file changed?)");
    }
    hs_blob_get(&b, seconds, sizeof *seconds);
    hs_blob_get(&b, &c->length, sizeof c->length);
    hs_blob_get(&b, &c->thin, sizeof c->thin);
    for (int i = 0; i < walkers; i++)
        hs_walker_load(&walker[i], &b);
    is_whole = !b.is_broken && b.read == b.used;
    hs_blob_clear(&b);
    if (!is_whole)
        return refuse(err, c->path, "the checkpoint does not fit this run");
    HS_TRY(open_draws(c, 0, err));
    HS_TRY(load_draws(c, store, err));
    if (c->kept != walker[0].kept)
        return refuse(err, c->draws_path, "the draws do not fit the state");
    return HISS_OK;
}
