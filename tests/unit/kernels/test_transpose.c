/* SPDX-License-Identifier: Apache-2.0
 * test_transpose.c - turned planes against copying element by element: any size, any steps, and
 * nothing written beside the plane. */
#include "kernels/layout/transpose.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3000, EDGE = 64 };

/* A side that is narrower than squares, near tiles, or of several. */
static int64_t side(suite_random *r)
{
    static const uint32_t most[] = {4, 20, 70, 300};
    return 1 + suite_below(r, most[suite_below(r, 4)]);
}

static void check_plane(suite_random *r)
{
    const uint32_t seed = r->state;
    const int64_t size = INT64_C(1) << suite_below(r, 5), rows = side(r), cols = side(r);
    const int64_t from_step = (cols + (suite_below(r, 2) ? 0 : suite_below(r, 9))) * size;
    const int64_t to_step = (rows + (suite_below(r, 2) ? 0 : suite_below(r, 9))) * size;
    const bool stream = suite_below(r, 2);
    /* Both are as small as they may be, so that a sanitizer sees what is read past the end. */
    const size_t from_size = (size_t)((rows - 1) * from_step + cols * size);
    const size_t to_size = (size_t)((cols - 1) * to_step + rows * size), all = to_size + 2 * EDGE;
    char *from = malloc(from_size), *got = malloc(all), *want = malloc(all);
    ck_assert(from && got && want);
    for (size_t i = 0; i < from_size; i++)
        from[i] = (char)suite_below(r, 256);
    memset(got, 0x5a, all);
    memset(want, 0x5a, all);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            memcpy(want + EDGE + j * to_step + i * size, from + i * from_step + j * size,
                   (size_t)size);
    oc_transpose(got + EDGE, to_step, from, from_step, rows, cols, (size_t)size, stream);
    suite_assert(memcmp(got, want, all) == 0,
                 "%lld x %lld elements of %lld bytes, steps %lld and %lld; OC_SEED=%u",
                 (long long)rows, (long long)cols, (long long)size, (long long)from_step,
                 (long long)to_step, seed);
    free(from);
    free(got);
    free(want);
}

START_TEST(rows_become_columns)
{
    suite_random r = suite_random_new(41);
    for (int round = 0; round < ROUNDS; round++)
        check_plane(&r);
}
END_TEST

SUITE("turn", rows_become_columns)
