/* dca.c - Potts parameters of adabmDCA and bmDCA.
 *
 *     J i j a b v    sites from 0, states as letters or as numbers from 0
 *     h i a v
 * U = sum of v over the present states.  Letters are those of proteins (gap
 * first, then alphabetically), RNA or DNA; missing sites and states have 0. A
 * coupling given in both directions, with the same value, counts once. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/caret.h"
#include "base/number.h"
#include "base/state/domain.h"
#include "format/format.h"
#include "format/parts/lines.h"
#include "format/parts/sniff.h"
#include "format/problem/terms.h"

enum {
    AUTO,
    PROTEIN,
    RNA,
    DNA,
    NUMBERS
};

static const char *const alphabets[] = {
    [PROTEIN] = "-ACDEFGHIKLMNPQRSTVWY",
    [RNA] = "-ACGU",
    [DNA] = "-ACGT",
};

struct dca_options {
    int alphabet;
    int states;
};

#define AT(field) offsetof(struct dca_options, field)
static const hs_option dca_options[] = {
    {"alphabet", HS_CHOICE, AT(alphabet), "auto",
     "auto|protein|rna|dna|numbers", "what the states are; auto: by the file"},
    {"states", HS_INTEGER, AT(states), "0", "[0,32767]",
     "how many, where they are numbers; 0: by the file"},
    {0},
};

/* One line; j is -1 for a field.  States are letters or numbers. */
struct entry {
    int i, j;
    int16_t a, b;
    double value;
};

struct parameters {
    struct entry *at; /* owned */
    int64_t count, room;
    int sites, states; /* largest number of each, plus 1 */
    int64_t repeated;  /* couplings given in both directions */
    bool seen[128];    /* letters */
    bool has_letters, has_numbers;
    int alphabet;
};

static int dca_sniff(const char *head, size_t length)
{
    hs_span line = hs_sniff_line(head, length, "#", 0);
    int words = hs_sniff_words(line);

    if (hs_sniff_is(hs_sniff_word(line, 0), "J") && words == 6 &&
        hs_sniff_is_whole(hs_sniff_word(line, 1)))
        return 90;
    return hs_sniff_is(hs_sniff_word(line, 0), "h") && words == 4 &&
                   hs_sniff_is_whole(hs_sniff_word(line, 1)) &&
                   hs_sniff_is_real(hs_sniff_word(line, 3))
               ? 50
               : 0;
}

static hiss_status read_site(hs_reader *in, struct parameters *p, int *site,
                             hiss_error *err)
{
    int64_t size = hs_reader_size(in);
    int64_t most = size > HS_FREE_VARIABLES ? size : HS_FREE_VARIABLES;

    HS_TRY(hs_lines_within(in, "a site", err));
    HS_TRY(hs_reader_int(in, 0, INT32_MAX - 1, site, err));
    if (*site >= most)
        return hs_reader_fail(in, NULL, err,
                              "site %d is there, but a file of this size can "
                              "mean %lld at most",
                              *site, (long long)most);
    if (*site >= p->sites)
        p->sites = *site + 1;
    return HISS_OK;
}

static hiss_status read_state(hs_reader *in, struct parameters *p,
                              int16_t *state, hiss_error *err)
{
    char quote[HS_QUOTE_MAX];
    const char *word;
    int64_t number;

    HS_TRY(hs_lines_within(in, "a state", err));
    HS_TRY(hs_reader_word(in, &word, err));
    if (hs_number_whole(word, word + strlen(word), &number) && number >= 0 &&
        number < HS_STATES_MAX) {
        *state = (int16_t)number;
        p->has_numbers = true;
        if (number >= p->states)
            p->states = (int)number + 1;
    } else if (strlen(word) == 1 && (unsigned char)word[0] < 128 &&
               strchr("-ACDEFGHIKLMNPQRSTUVWY", word[0])) {
        *state = word[0];
        p->has_letters = true;
        p->seen[(unsigned char)word[0]] = true;
    } else {
        return hs_reader_fail(in, NULL, err,
                              "found '%s', expected a state: a letter of "
                              "proteins, RNA or DNA, - for a gap, or a number "
                              "from 0 to %d",
                              hs_quote(quote, word, strlen(word)),
                              HS_STATES_MAX - 1);
    }
    if (p->has_letters && p->has_numbers)
        return hs_reader_fail(in, NULL, err,
                              "states are letters and numbers, expected one of "
                              "both");
    return HISS_OK;
}

static hiss_status add_entry(struct parameters *p, struct entry entry,
                             hiss_error *err)
{
    if (p->count == p->room) {
        int64_t room = p->room ? 2 * p->room : 1024;
        struct entry *more = hs_realloc_array(p->at, (size_t)p->count,
                                              (size_t)room, sizeof *more);

        if (!more)
            return hs_fail_memory(err);
        p->at = more;
        p->room = room;
    }
    p->at[p->count++] = entry;
    return HISS_OK;
}

static hiss_status read_coupling(hs_reader *in, struct parameters *p,
                                 struct entry *e, hiss_error *err)
{
    HS_TRY(read_site(in, p, &e->i, err));
    HS_TRY(read_site(in, p, &e->j, err));
    if (e->i == e->j)
        return hs_reader_fail(in, NULL, err,
                              "a coupling of site %d with itself", e->i);
    HS_TRY(read_state(in, p, &e->a, err));
    HS_TRY(read_state(in, p, &e->b, err));
    if (e->i > e->j)
        *e = (struct entry){e->j, e->i, e->b, e->a, 0.0};
    return HISS_OK;
}

static hiss_status read_line(hs_reader *in, struct parameters *p,
                             hiss_error *err)
{
    struct entry e = {.j = -1};
    char quote[HS_QUOTE_MAX];
    const char *word;

    HS_TRY(hs_reader_word(in, &word, err));
    if (strcmp(word, "J") == 0) {
        HS_TRY(read_coupling(in, p, &e, err));
    } else if (strcmp(word, "h") == 0) {
        HS_TRY(read_site(in, p, &e.i, err));
        HS_TRY(read_state(in, p, &e.a, err));
    } else {
        return hs_reader_fail(in, NULL, err, "found '%s', expected J or h",
                              hs_quote(quote, word, strlen(word)));
    }
    HS_TRY(hs_lines_within(in, "a value", err));
    HS_TRY(hs_terms_read_value(in, &e.value, err));
    HS_TRY(hs_lines_end(in, err));
    return add_entry(p, e, err);
}

static bool fits(const struct parameters *p, int alphabet)
{
    for (int c = 0; c < 128; c++)
        if (p->seen[c] && !strchr(alphabets[alphabet], c))
            return false;
    return true;
}

/* Chooses the alphabet and converts letters to numbers. */
static hiss_status choose_alphabet(hs_reader *in, struct parameters *p,
                                   const struct dca_options *o, hiss_error *err)
{
    p->alphabet = o->alphabet;
    if (p->alphabet == AUTO && !p->has_letters)
        p->alphabet = NUMBERS;
    if (p->alphabet == AUTO)
        p->alphabet = fits(p, RNA) && p->seen['U'] ? RNA
                      : fits(p, DNA)               ? DNA
                                                   : PROTEIN;
    if ((p->alphabet == NUMBERS) != !p->has_letters ||
        (p->has_letters && !fits(p, p->alphabet)))
        return hs_reader_fail(in, NULL, err,
                              "the states up to here are not those of the "
                              "alphabet%s",
                              o->alphabet == AUTO ? "s that are known" : "");
    if (p->alphabet == NUMBERS) {
        if (o->states > 0 && o->states < p->states)
            return hs_reader_fail(in, NULL, err,
                                  "state %d is there, but states=%d was said",
                                  p->states - 1, o->states);
        p->states = o->states > 0 ? o->states : p->states;
        p->states = p->states < 2 ? 2 : p->states;
        return HISS_OK;
    }
    p->states = (int)strlen(alphabets[p->alphabet]);
    for (int64_t e = 0; e < p->count; e++) {
        const char *letters = alphabets[p->alphabet];

        p->at[e].a = (int16_t)(strchr(letters, p->at[e].a) - letters);
        if (p->at[e].j >= 0)
            p->at[e].b = (int16_t)(strchr(letters, p->at[e].b) - letters);
    }
    return HISS_OK;
}

static int compare(const void *x, const void *y)
{
    const struct entry *a = x, *b = y;

    if (a->i != b->i)
        return a->i < b->i ? -1 : 1;
    if (a->j != b->j)
        return a->j < b->j ? -1 : 1;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return a->b < b->b ? -1 : a->b > b->b;
}

static bool is_same_factor(const struct entry *a, const struct entry *b)
{
    return a->i == b->i && a->j == b->j;
}

static hiss_status fail_twice(hs_reader *in, const struct entry *e,
                              hiss_error *err)
{
    if (e->j < 0)
        return hs_fail(err, HISS_EPARSE,
                       "%s: the field of site %d, state number %d, is given "
                       "twice",
                       hs_reader_name(in), e->i, e->a);
    return hs_fail(err, HISS_EPARSE,
                   "%s: the coupling of sites %d and %d, states number %d and "
                   "%d, is given twice",
                   hs_reader_name(in), e->i, e->j, e->a, e->b);
}

static hiss_status sort(hs_reader *in, struct parameters *p, hiss_error *err)
{
    bool is_sorted = true;
    int64_t kept = 0;

    for (int64_t e = 1; e < p->count && is_sorted; e++)
        is_sorted = compare(&p->at[e - 1], &p->at[e]) < 0;
    if (is_sorted)
        return HISS_OK;
    qsort(p->at, (size_t)p->count, sizeof *p->at, compare);
    for (int64_t e = 0; e < p->count; e++) {
        const struct entry *last = kept > 0 ? &p->at[kept - 1] : NULL;

        if (!last || compare(last, &p->at[e]) != 0)
            p->at[kept++] = p->at[e];
        else if (last->j < 0 || last->value != p->at[e].value)
            return fail_twice(in, &p->at[e], err);
    }
    p->repeated = p->count - kept;
    p->count = kept;
    return HISS_OK;
}

static hiss_status check_tables(hs_reader *in, const struct parameters *p,
                                hiss_error *err)
{
    int64_t entries = 0, q = p->states, most = hs_lines_tables_max(in);

    for (int64_t e = 0; e < p->count && entries <= most; e++)
        if (e == 0 || !is_same_factor(&p->at[e - 1], &p->at[e]))
            entries += p->at[e].j < 0 ? q : q * q;
    if (entries <= most)
        return HISS_OK;
    return hs_fail(err, HISS_ELIMIT,
                   "%s: tables of %d states have more than %lld entries, too "
                   "many for a file of this size",
                   hs_reader_name(in), p->states, (long long)most);
}

static hiss_status make_factors(const struct parameters *p, hs_problem *out,
                                hiss_error *err)
{
    int *states = hs_alloc_array((size_t)p->sites, sizeof *states);
    double *table = NULL;
    hiss_status rc;

    if (!states)
        return hs_fail_memory(err);
    for (int i = 0; i < p->sites; i++)
        states[i] = p->states;
    out->shape = HS_FACTORS;
    out->dim = p->sites;
    rc = hs_factors_init(&out->factors, p->sites, states, err);
    hs_free(states);
    for (int64_t n = 0; n < p->count && rc == HISS_OK; n++) {
        const struct entry *e = &p->at[n];
        int scope[2] = {e->i, e->j};

        if (n == 0 || !is_same_factor(e - 1, e))
            rc = hs_factors_add(&out->factors, e->j < 0 ? 1 : 2, scope, NULL,
                                &table, err);
        if (rc == HISS_OK)
            table[e->j < 0 ? e->a : e->a * p->states + e->b] = e->value;
    }
    return rc;
}

static hiss_status dca_read(hs_problem *out, hs_reader *in, const void *options,
                            hiss_error *err)
{
    static const char *const names[] = {[PROTEIN] = "proteins",
                                        [RNA] = "RNA",
                                        [DNA] = "DNA",
                                        [NUMBERS] = "numbers"};
    struct parameters p = {0};
    hiss_status rc = HISS_OK;

    hs_reader_comments(in, NULL, "#");
    do
        rc = read_line(in, &p, err);
    while (rc == HISS_OK && !hs_reader_at_end(in));
    if (rc == HISS_OK)
        rc = choose_alphabet(in, &p, options, err);
    if (rc == HISS_OK)
        rc = sort(in, &p, err);
    if (rc == HISS_OK)
        rc = check_tables(in, &p, err);
    if (rc == HISS_OK)
        rc = make_factors(&p, out, err);
    if (rc == HISS_OK)
        rc = hs_problem_assume(
            out, err,
            "log p = sum J_ij(a,b) + sum h_i(a) (v > 0 favors "
            "its states), %d sites of %d states: %s",
            p.sites, p.states, names[p.alphabet]);
    if (rc == HISS_OK && p.repeated > 0)
        rc = hs_problem_remark(out, err,
                               "%lld couplings are given in both directions",
                               (long long)p.repeated);
    hs_free(p.at);
    return rc;
}

static const char *const dca_tested[] = {
    "written by adabmDCA 1.0.0 save_params (tests/data/adabmdca)",
    NULL,
};

const hs_format hs_format_dca = {
    .name = "dca",
    .title = "adabmDCA parameters",
    .summary = "Potts parameters of adabmDCA, J i j a b v and h i a v",
    .suffixes = "dca dat",
    .options = dca_options,
    .size = sizeof(struct dca_options),
    .sniff = dca_sniff,
    .read = dca_read,
    .tested = dca_tested,
};
