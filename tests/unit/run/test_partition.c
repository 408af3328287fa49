/* test_partition.c - every group, and every tile of a group, has one rank. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/chain/group.h"
#include "run/sampling/partition.h"

enum {
    RANKS_MOST = 9,
    CHAINS_MOST = 70
};

/* How many ranks have a part of each group; their order is that of groups. */
static void check_groups(int size, int chains, int replicas, bool can_split)
{
    int had[CHAINS_MOST] = {0}, last = -1;
    hs_ranks ranks = {.size = size};
    hs_partition s;

    for (int rank = 0; rank < size; rank++) {
        ranks.rank = rank;
        hs_partition_plan(&s, &ranks, chains, replicas, can_split);
        for (int g = s.first; g < s.first + s.count; g++) {
            assert_true(hs_partition_has(&s, g));
            had[g]++;
            assert_true(g >= last);
            last = g;
        }
        if (rank == 0) /* it looks at the first one for all */
            assert_true(s.first == 0 && s.count > 0);
        if (s.is_split)
            assert_true(s.count <= 1);
    }
    for (int g = 0; g < s.groups; g++) {
        int members, first = hs_partition_owner(&s, g, &members);

        assert_int_equal(had[g], members);
        assert_true(first >= 0 && members >= 1 && first + members <= size);
        assert_true(members == 1 || can_split);
    }
}

static void every_group_has_its_ranks(void **state)
{
    (void)state;
    for (int size = 1; size <= RANKS_MOST; size++)
        for (int chains = 1; chains <= CHAINS_MOST; chains++)
            for (int replicas = 1; replicas <= 40; replicas += 13) {
                check_groups(size, chains, replicas, true);
                check_groups(size, chains, replicas, false);
            }
}

/* Parts of a team follow each other, none is empty, together they are all. */
static void every_tile_has_one_member(void **state)
{
    (void)state;
    for (int tiles = 1; tiles < 40; tiles++)
        for (int size = 1; size <= tiles; size++) {
            hs_group g = {.tiles = tiles};

            assert_int_equal(hs_group_part(&g, 0, size), 0);
            assert_int_equal(hs_group_part(&g, size, size), tiles);
            for (int m = 0; m < size; m++)
                assert_true(hs_group_part(&g, m, size) <
                            hs_group_part(&g, m + 1, size));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_group_has_its_ranks),
        cmocka_unit_test(every_tile_has_one_member),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
