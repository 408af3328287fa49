/* fuzz_graph.c - graphs in GML, GraphML and lists of edges. */
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "model/graph/graph.h"
#include "place.h"

static void check(const hs_named_graph *g)
{
    if (g->nodes < 1)
        abort();
    for (int i = 0; i < g->nodes; i++)
        if (!g->name[i] ||
            (g->label && (g->label[i] < -1 || g->label[i] >= g->labels)))
            abort();
    for (int64_t e = 0; e < g->edges; e++)
        if (g->from[e] < 0 || g->from[e] > g->to[e] || g->to[e] >= g->nodes ||
            !isfinite(g->weight[e]))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH_MAX];
    int fd = fuzz_memory(path, data, size);
    static const char *const labels[] = {NULL, "value"};

    for (int k = 0; k < 2; k++) {
        hs_named_graph g;
        hiss_status rc = hs_named_graph_read(&g, path, labels[k], NULL);

        if (rc == HISS_OK)
            check(&g);
        else if (rc != HISS_EPARSE || g.name)
            abort();
        hs_named_graph_clear(&g);
    }
    close(fd);
    return 0;
}
