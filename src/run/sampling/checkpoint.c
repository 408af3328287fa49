/* checkpoint.c - checkpoints of a run, which can be killed at any moment and
 * resumed. */
#include "run/sampling/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <hiss/version.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/read/disk.h"
#include "base/read/input.h"
#include "base/read/xxh64.h"

#define MAGIC "hiss checkpoint"
#define DRAWS "hiss draws"
#define OTHERS                                                                 \
  "these are the draws of another run, or of another moment of this one"
#define VERSION 8

#define SECONDS_MAX 1e10 /* three centuries */
#define KEPT_FROM   2    /* the first state precedes all steps */

/* The first bytes of FILE. */
struct header {
    char magic[16];
    uint32_t version;
    uint32_t crc;    /* crc of everything after the header */
    uint64_t length; /* length of that */
};

/* The first bytes of FILE.draws: the run of the draws. */
struct draws_header {
    char magic[16];
    uint64_t version;
    uint64_t run;
};

/* Header of each piece of FILE.draws: draws from ..  to-1 of every chain. */
struct piece {
    int64_t from, to;
    uint64_t store;
    uint64_t check; /* of everything written so far, and what follows it */
};

static hiss_status fault(hiss_error *err, const char *path, const char *what)
{
    return hs_fail(err, HISS_EIO, "%s: %s: %s", path, what, strerror(errno));
}

static hiss_status refuse(hiss_error *err, const char *path, const char *why)
{
    return hs_fail(err, HISS_EPARSE, "%s: %s", path, why);
}

/* Continues a checksum from h. */
static uint64_t chained(uint64_t h, const void *bytes, size_t count)
{
    hs_xxh64 sum;

    hs_xxh64_init(&sum);
    hs_xxh64_add(&sum, &h, sizeof h);
    hs_xxh64_add(&sum, bytes, count);
    return hs_xxh64_value(&sum);
}

/* Returns path plus suffix; NULL if memory is short. */
static char *name_of(const char *path, const char *suffix)
{
    size_t size = strlen(path) + strlen(suffix) + 1;
    char *name = hs_alloc_array(size, 1);

    if (name)
        snprintf(name, size, "%s%s", path, suffix);
    return name;
}

static hiss_status set_names(hs_checkpoint *c, const char *path,
                             hiss_error *err)
{
    c->draws = -1;
    c->path = name_of(path, "");
    c->draws_path = name_of(path, ".draws");
    c->new_path = name_of(path, ".new");
    return c->path && c->draws_path && c->new_path ? HISS_OK
                                                   : hs_fail_memory(err);
}

/* Opens and locks FILE.draws. */
static hiss_status open_draws(hs_checkpoint *c, int flags, hiss_error *err)
{
    struct stat found;

    /* do not wait for a FIFO in its place */
    c->draws =
        open(c->draws_path, O_RDWR | O_CLOEXEC | O_NONBLOCK | flags, 0666);
    if (c->draws < 0 && !(flags & O_CREAT) && errno == ENOENT)
        return refuse(err, c->draws_path,
                      "the draws of this checkpoint are missing");
    if (c->draws < 0)
        return fault(err, c->draws_path, "cannot be opened");
    if (fstat(c->draws, &found) != 0 || !S_ISREG(found.st_mode))
        return refuse(err, c->draws_path, "this is not a plain file");
    if (flock(c->draws, LOCK_EX | LOCK_NB) == 0)
        return HISS_OK;
    close(c->draws); /* another run's, not to be removed by this one */
    c->draws = -1;
    return hs_fail(err, HISS_EARG, "%s: another run writes to this checkpoint",
                   c->path);
}

/* Only checkpoints may be replaced by a checkpoint. */
static bool is_checkpoint(const char *path)
{
    FILE *in;
    struct header h;
    bool is;

    if (hs_input_stream(&in, path, NULL, NULL) != HISS_OK)
        return false;
    is = fread(&h, sizeof h, 1, in) == 1 &&
         memcmp(h.magic, MAGIC, sizeof MAGIC) == 0;
    fclose(in);
    return is;
}

/* Whether FILE.draws holds nothing, or only the header of a run that was killed
 * before its first checkpoint. */
static bool has_no_draws(const char *path)
{
    struct stat found;
    struct draws_header h;
    bool is_empty;
    FILE *in;

    if (stat(path, &found) != 0 || found.st_size == 0)
        return true;
    if (found.st_size != sizeof h ||
        hs_input_stream(&in, path, NULL, NULL) != HISS_OK)
        return false;
    is_empty = fread(&h, sizeof h, 1, in) == 1 &&
               memcmp(h.magic, DRAWS, sizeof DRAWS) == 0;
    fclose(in);
    return is_empty;
}

/* A new run must not destroy existing files. */
static hiss_status check_place(const hs_checkpoint *c, bool may_replace,
                               hiss_error *err)
{
    bool is_there = access(c->path, F_OK) == 0;

    if (is_there && !is_checkpoint(c->path))
        return hs_fail(err, HISS_EARG,
                       "%s exists and is not a checkpoint of hiss", c->path);
    if (is_there && !may_replace)
        return hs_fail(err, HISS_EARG,
                       "%s exists already; --resume %s goes on with it, "
                       "--force starts anew",
                       c->path, c->path);
    if (!is_there && !may_replace && !has_no_draws(c->draws_path))
        return hs_fail(err, HISS_EARG,
                       "%s exists already, without its checkpoint; --force "
                       "starts anew",
                       c->draws_path);
    return HISS_OK;
}

static hiss_status begin_draws(hs_checkpoint *c, hiss_error *err)
{
    struct draws_header h = {.magic = DRAWS, .version = VERSION, .run = c->run};

    c->length = sizeof h;
    return hs_disk_write(c->draws, (const char *)&h, sizeof h, 0)
               ? HISS_OK
               : fault(err, c->draws_path, "writing failed");
}

hiss_status hs_checkpoint_open(hs_checkpoint *c, const hiss_settings *set,
                               const hs_fingerprint *fingerprint,
                               hiss_error *err)
{
    *c = (hs_checkpoint){.text = set->checkpoint_text,
                         .every = set->checkpoint_every,
                         .draws = -1,
                         .thin = {set->thin, set->thin},
                         .fingerprint = *fingerprint};
    HS_TRY(set_names(c, set->checkpoint, err));
    HS_TRY(check_place(c, set->checkpoint_replace, err));
    HS_TRY(open_draws(c, O_CREAT, err));
    /* again, because another run may have begun and ended in the meantime */
    HS_TRY(check_place(c, set->checkpoint_replace, err));
    if (unlink(c->path) != 0 && errno != ENOENT)
        return fault(err, c->path, "cannot be replaced");
    if (ftruncate(c->draws, 0) != 0)
        return fault(err, c->draws_path, "cannot be written");
    c->run = chained(VERSION, fingerprint, sizeof *fingerprint);
    c->check = c->run;
    return begin_draws(c, err);
}

void hs_checkpoint_close(hs_checkpoint *c)
{
    (void)hs_checkpoint_wait(c, NULL);
    /* draws without a state are of no use, and a run that is done before its
     * second checkpoint leaves nothing behind */
    if (c->draws >= 0 &&
        (access(c->path, F_OK) != 0 || (c->is_done && c->states < KEPT_FROM))) {
        (void)unlink(c->path);
        (void)unlink(c->draws_path);
    }
    if (c->draws >= 0)
        close(c->draws);
    hs_free(c->path);
    hs_free(c->draws_path);
    hs_free(c->new_path);
    *c = (hs_checkpoint){.draws = -1};
}

static uint64_t begin_check(const hs_checkpoint *c, struct piece piece)
{
    piece.check = 0;
    return chained(c->check, &piece, sizeof piece);
}

/* Writes a piece behind the last one, chain by chain; its first bytes last,
 * because they have the checksum of the others. */
static hiss_status write_piece(hs_checkpoint *c, struct piece piece,
                               const hs_store *store, hiss_error *err)
{
    uint64_t at = c->length + sizeof piece;
    hs_blob b = {0};
    bool is_written = true;

    piece.check = begin_check(c, piece);
    for (int chain = 0; chain < store->chains && is_written; chain++) {
        b.used = 0;
        hs_store_save(store, chain, piece.from, piece.to, &b);
        if (b.is_broken)
            break;
        piece.check = chained(piece.check, b.at, b.used);
        is_written = hs_disk_write(c->draws, b.at, b.used, at);
        at += b.used;
    }
    if (is_written)
        is_written = hs_disk_write(c->draws, (const char *)&piece, sizeof piece,
                                   c->length);
    if (!is_written)
        fault(err, c->draws_path, "writing failed");
    hs_blob_clear(&b);
    if (b.is_broken)
        return hs_fail_memory(err);
    if (!is_written)
        return HISS_EIO;
    c->length = at;
    c->check = piece.check;
    return HISS_OK;
}

/* Adds the new draws of every chain, as one piece. */
static hiss_status add_draws(hs_checkpoint *c, int which, const hs_store *store,
                             int64_t kept, int64_t thin, hiss_error *err)
{
    struct piece piece = {.to = kept, .store = (uint64_t)which};

    if (thin != c->thin[which]) {
        /* half of the draws are gone: write all again, behind the old ones,
         * which the state on disk still needs */
        c->thin[which] = thin;
        c->kept[which] = 0;
    }
    if (!store || kept == c->kept[which])
        return HISS_OK;
    piece.from = c->kept[which];
    HS_TRY(write_piece(c, piece, store, err));
    c->kept[which] = kept;
    return HISS_OK;
}

/* Renames FILE.new to FILE when it is complete.  The name is fixed, because the
 * lock excludes others; leftovers of a killed run are removed.  It is created
 * anew each time, so that nothing is written through a link. */
static hiss_status replace_state(const hs_checkpoint *c, const hs_blob *b,
                                 hiss_error *err)
{
    struct header h = {.magic = MAGIC, .version = VERSION, .length = b->used};
    hiss_status rc = HISS_OK;
    int to;

    (void)unlink(c->new_path);
    to = open(c->new_path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
              0666);
    if (to < 0)
        return fault(err, c->new_path, "cannot be written");
    h.crc = (uint32_t)crc32_z(0, (const Bytef *)b->at, b->used);
    if (!hs_disk_write(to, (const char *)&h, sizeof h, 0) ||
        !hs_disk_write(to, b->at, b->used, sizeof h) || fsync(to) != 0)
        rc = fault(err, c->new_path, "writing failed");
    if (close(to) != 0 && rc == HISS_OK)
        rc = fault(err, c->new_path, "writing failed");
    if (rc == HISS_OK && rename(c->new_path, c->path) != 0)
        rc = fault(err, c->path, "cannot be renamed into place");
    if (rc == HISS_OK)
        hs_disk_sync_folder(c->path);
    else
        unlink(c->new_path);
    return rc;
}

/* Waits for the disk, so that the chains do not.  The draws must be on disk
 * before a state that counts on them. */
static void *deposit(void *checkpoint)
{
    hs_checkpoint *c = checkpoint;

    c->has_draws = fdatasync(c->draws) == 0;
    c->rc = c->has_draws ? replace_state(c, &c->state, &c->error)
                         : fault(&c->error, c->draws_path, "writing failed");
    atomic_store(&c->is_over, true);
    return NULL;
}

/* Runs in a separate thread without signals; if there is none, at once. */
static void start_deposit(hs_checkpoint *c)
{
    sigset_t all, before;

    atomic_store(&c->is_over, false);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    c->has_thread = pthread_create(&c->thread, NULL, deposit, c) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!c->has_thread)
        deposit(c);
}

bool hs_checkpoint_is_busy(hs_checkpoint *c)
{
    return c->has_thread && !atomic_load(&c->is_over);
}

hiss_status hs_checkpoint_wait(hs_checkpoint *c, hiss_error *err)
{
    hiss_status rc;

    if (c->has_thread)
        pthread_join(c->thread, NULL);
    c->has_thread = false;
    hs_blob_clear(&c->state);
    rc = c->rc;
    c->rc = HISS_OK;
    if (rc != HISS_OK && !c->has_draws)
        memset(c->kept, 0, sizeof c->kept); /* write all of them again */
    if (rc != HISS_OK && err)
        *err = c->error;
    return rc;
}

hiss_status hs_checkpoint_begin(hs_checkpoint *c, const hs_group_state *first,
                                hs_store *const *store, double seconds,
                                hiss_error *err)
{
    hs_blob *b = &c->state;

    c->earlier = hs_checkpoint_wait(c, err);
    HS_TRY(
        add_draws(c, HS_KEPT, store[HS_KEPT], first->kept, first->thin, err));
    HS_TRY(add_draws(c, HS_WARM, store[HS_WARM], first->warm_kept,
                     first->warm_thin, err));
    hs_blob_put_text(b, c->text);
    hs_blob_put_text(b, HISS_VERSION);
    hs_blob_put(b, &c->fingerprint, sizeof c->fingerprint);
    hs_blob_put(b, &seconds, sizeof seconds);
    hs_blob_put(b, &c->run, sizeof c->run);
    hs_blob_put(b, &c->check, sizeof c->check);
    hs_blob_put(b, &c->length, sizeof c->length);
    hs_blob_put(b, &c->thin, sizeof c->thin);
    return HISS_OK;
}

hiss_status hs_checkpoint_commit(hs_checkpoint *c, hiss_error *err)
{
    if (c->state.is_broken)
        return hs_fail_memory(err);
    c->states++;
    start_deposit(c);
    return c->earlier;
}

/* Reads and checks the contents of FILE behind its header. */
static hiss_status read_state(const char *path, hs_blob *b, hiss_error *err)
{
    FILE *in;
    struct header h;
    struct stat size;
    hiss_status rc = HISS_OK;

    *b = (hs_blob){0};
    HS_TRY(hs_input_stream(&in, path, &size, err));
    if (fread(&h, sizeof h, 1, in) != 1 ||
        memcmp(h.magic, MAGIC, sizeof MAGIC) != 0)
        rc = refuse(err, path, "this is not a checkpoint of hiss");
    else if (h.version != VERSION)
        rc = hs_fail(err, HISS_EPARSE,
                     "%s: a checkpoint of format %u, this hiss reads %d", path,
                     h.version, VERSION);
    else if ((uint64_t)size.st_size < sizeof h ||
             (uint64_t)size.st_size - sizeof h != h.length)
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

/* Reads the rest of a piece, chain by chain; *fits is false if it is not what
 * was written. */
static hiss_status load_piece(hs_checkpoint *c, struct piece piece,
                              hs_store *store, uint64_t at, bool *fits,
                              hiss_error *err)
{
    hs_blob b = {.size = hs_store_bytes(store, piece.from, piece.to)};

    c->check = begin_check(c, piece);

    b.at = hs_alloc_array(b.size, 1);
    if (!b.at)
        return hs_fail_memory(err);
    for (int chain = 0; chain < store->chains && *fits; chain++) {
        *fits = hs_disk_read(c->draws, b.at, b.size, at);
        at += b.size;
        b.used = b.size;
        b.read = 0;
        c->check = chained(c->check, b.at, b.size);
        if (*fits)
            hs_store_load(store, chain, piece.from, piece.to, &b);
    }
    hs_blob_clear(&b);
    *fits = *fits && c->check == piece.check;
    return HISS_OK;
}

/* Loads the draws of all pieces.  A piece that starts at 0 again comes from a
 * doubled thinning and replaces the earlier ones. */
static hiss_status load_draws(hs_checkpoint *c, hs_store *const *stores,
                              hiss_error *err)
{
    uint64_t wanted = c->check;

    c->check = c->run;
    for (uint64_t at = sizeof(struct draws_header); at < c->length;) {
        struct piece piece;
        bool fits = hs_disk_read(c->draws, (char *)&piece, sizeof piece, at) &&
                    piece.store < HS_STORES && stores[piece.store];
        hs_store *store = fits ? stores[piece.store] : NULL;

        fits = fits &&
               (piece.from == c->kept[piece.store] || piece.from == 0) &&
               piece.from >= 0 && piece.to > piece.from &&
               piece.to <= store->capacity;
        at += sizeof piece;
        if (fits) {
            HS_TRY(load_piece(c, piece, store, at, &fits, err));
            at += (uint64_t)store->chains *
                  hs_store_bytes(store, piece.from, piece.to);
            c->kept[piece.store] = piece.to;
        }
        if (!fits)
            return refuse(err, c->draws_path,
                          "the draws are cut short or corrupted");
    }
    if (c->check != wanted)
        return refuse(err, c->draws_path, OTHERS);
    return HISS_OK;
}

/* Checks that the draws belong to the run of the state. */
static hiss_status check_draws(const hs_checkpoint *c, hiss_error *err)
{
    struct draws_header h;

    if (!hs_disk_read(c->draws, (char *)&h, sizeof h, 0) ||
        memcmp(h.magic, DRAWS, sizeof DRAWS) != 0)
        return refuse(err, c->draws_path,
                      "these are not the draws of a checkpoint");
    return h.version == VERSION && h.run == c->run
               ? HISS_OK
               : refuse(err, c->draws_path, OTHERS);
}

/* Checks the part before the states: who wrote them, and for which run. */
static hiss_status check_head(hs_checkpoint *c, hs_blob *b, bool may_differ,
                              bool *is_bitwise, hiss_error *err)
{
    char *text = hs_blob_get_text(b), *version = hs_blob_get_text(b);
    bool is_same = version && strcmp(version, HISS_VERSION) == 0;
    hs_fingerprint saved;
    hiss_status rc = HISS_OK;

    hs_blob_get(b, &saved, sizeof saved);
    *is_bitwise = saved.energies == c->fingerprint.energies;
    if (b->is_broken || !version)
        rc = refuse(err, c->path, "the checkpoint is not whole");
    else if (!is_same)
        rc = hs_fail(err, HISS_EPARSE,
                     "%s: a checkpoint of hiss %s, this is %s, which may draw "
                     "other numbers",
                     c->path, version, HISS_VERSION);
    else if (saved.settings != c->fingerprint.settings)
        rc = refuse(err, c->path,
                    "this checkpoint is of another model, sampler or "
                    "setting (has the model file changed?)");
    else if (!*is_bitwise && !may_differ)
        rc = refuse(err, c->path,
                    "this checkpoint is of another model: its energies are "
                    "others (has the model file changed?)");
    hs_free(text);
    hs_free(version);
    return rc;
}

hiss_status hs_checkpoint_read(hs_checkpoint *c, const hiss_settings *set,
                               const hs_fingerprint *fingerprint,
                               bool may_differ, hs_blob *states,
                               double *seconds, bool *is_bitwise,
                               hiss_error *err)
{
    *c = (hs_checkpoint){.text = set->checkpoint_text,
                         .every = set->checkpoint_every,
                         .draws = -1,
                         .states = KEPT_FROM,
                         .fingerprint = *fingerprint};
    HS_TRY(set_names(c, set->resume, err));
    HS_TRY(read_state(c->path, states, err));
    HS_TRY(check_head(c, states, may_differ, is_bitwise, err));
    hs_blob_get(states, seconds, sizeof *seconds);
    hs_blob_get(states, &c->run, sizeof c->run);
    hs_blob_get(states, &c->check, sizeof c->check);
    hs_blob_get(states, &c->length, sizeof c->length);
    hs_blob_get(states, &c->thin, sizeof c->thin);
    if (states->is_broken || !(*seconds >= 0.0 && *seconds <= SECONDS_MAX))
        return refuse(err, c->path, "the checkpoint is not whole");
    return HISS_OK;
}

hiss_status hs_checkpoint_read_draws(hs_checkpoint *c,
                                     const hs_group_state *first,
                                     hs_store *const *store, hiss_error *err)
{
    HS_TRY(open_draws(c, 0, err));
    HS_TRY(check_draws(c, err));
    HS_TRY(load_draws(c, store, err));
    if (c->kept[HS_KEPT] != first->kept || c->kept[HS_WARM] != first->warm_kept)
        return refuse(err, c->draws_path, "the draws do not fit the state");
    return HISS_OK;
}
