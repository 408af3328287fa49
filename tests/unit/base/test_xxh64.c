/* test_xxh64.c - known answers of the reference, and sums in pieces. */
#include "base/read/xxh64.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static uint64_t sum_of(const void *bytes, size_t count)
{
    hs_xxh64 h;

    hs_xxh64_init(&h);
    hs_xxh64_add(&h, bytes, count);
    return hs_xxh64_value(&h);
}

/* xxhsum -H64 of xxHash 0.8. */
static void known_answers(void **state)
{
    static const struct {
        const char *text;
        uint64_t sum;
    } known[] = {
        {"", UINT64_C(0xef46db3751d8e999)},
        {"a", UINT64_C(0xd24ec4f1a98c6e5b)},
        {"abc", UINT64_C(0x44bc2cf5ad770999)},
        {"Nobody inspects the spammish repetition",
         UINT64_C(0xfbcea83c8a378bf1)},
    };

    (void)state;
    for (size_t n = 0; n < sizeof known / sizeof *known; n++)
        if (sum_of(known[n].text, strlen(known[n].text)) != known[n].sum)
            fail_msg("'%s'", known[n].text);
}

/* Whatever the pieces, the sum is that of the whole. */
static void pieces_make_the_whole(void **state)
{
    uint8_t bytes[300];

    (void)state;
    for (int i = 0; i < 300; i++)
        bytes[i] = (uint8_t)(i * 37 + i / 7);
    for (size_t length = 0; length <= 300; length += 7)
        for (size_t step = 1; step < 70; step++) {
            hs_xxh64 h;

            hs_xxh64_init(&h);
            for (size_t at = 0; at < length; at += step)
                hs_xxh64_add(&h, bytes + at,
                             length - at < step ? length - at : step);
            assert_int_equal(hs_xxh64_value(&h), sum_of(bytes, length));
        }
}

/* Each bit of the text counts. */
static void every_bit_counts(void **state)
{
    uint8_t bytes[77] = "x";
    uint64_t sum = sum_of(bytes, sizeof bytes);

    (void)state;
    for (int bit = 0; bit < 8 * 77; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        assert_int_not_equal(sum_of(bytes, sizeof bytes), sum);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(pieces_make_the_whole),
        cmocka_unit_test(every_bit_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
