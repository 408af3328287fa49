/* bit_couplings.cu - couplings in the order of visits (bits.h), made on the
 * card from those of the model: of 10^8 sites they are gigabytes, which need
 * not pass through this machine's memory. */
#include "cuda/gibbs/bits.h"

/* What fills a row up is the site itself, which no other warp visits. */
HS_ON_CARD hs_card_pair pair_at(const hs_device_model *m, int site, int64_t e,
                                int64_t last, int bytes)
{
    hs_card_pair p;

    for (int k = 0; k < 2; k++) {
        int is_there = e + k < last;

        p.place[k] = (is_there ? m->j.column[e + k] : site) * bytes;
        p.value[k] = is_there ? hs_card_bit_value(m, e + k) : 0.0f;
    }
    return p;
}

/* A thread is a visit; those past the last have no neighbors. */
HS_KERNEL void fill(hs_card_group g, hs_card_bits b, int bytes)
{
    const hs_device_model *m = &g.model;
    int64_t n = hs_card_thread(), first = 0, last = 0;
    hs_card_visit visit = {0, 0, 0.0f, 0};

    if (n >= (int64_t)8 * b.eights)
        return;
    if (n < m->dim) {
        visit = hs_card_visit_at(m, (int)n);
        first = m->j.start[visit.site];
        last = first + visit.degree;
    }
    b.visit[n] = visit;
    for (int p = 0; p < b.row; p++)
        b.pair[n * b.row + p] =
            pair_at(m, visit.site, first + 2 * p, last, bytes);
}

void hs_card_bits_fill(const hs_card_group *g, const hs_card_bits *b, int bytes)
{
    HS_LAUNCH(fill, (int64_t)8 * b->eights, *g, *b, bytes);
}

void hs_card_terms_fill(const hs_card_group *g, const hs_card_bits *b)
{
    hs_card_group by_site = *g;
    hs_card_bits terms = *b;

    by_site.model.order = NULL;
    terms.pair = b->term_pair;
    terms.visit = b->term_visit;
    terms.eights = (int)(hs_card_term_sites(&g->model) / 8);
    hs_card_bits_fill(&by_site, &terms, HS_WARP);
}
