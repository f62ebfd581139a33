/* SPDX-License-Identifier: Apache-2.0
 * matmul_pieces.h - cuts the rows and the columns of a product into pieces. */
#pragma once

#include "base/int.h"

#include <stdint.h>

typedef struct oc_matmul_pieces {
    int64_t rows, columns; /* number of pieces of rows and of columns; a unit is one of each */
} oc_matmul_pieces;

/* Cuts m rows into pieces of `together` rows. Then cuts the columns, into at most `most` pieces,
 * until all threads have equally much to do. */
static inline oc_matmul_pieces oc_matmul_cut(int64_t m, int64_t together, int64_t most, int threads)
{
    together = oc_max(together, m / (INT32_MAX / 2));
    oc_matmul_pieces p = {oc_div_up(m, together), 1};
    while (p.columns < most && p.columns < INT32_MAX && p.rows * p.columns < 4 * (int64_t)threads &&
           p.rows * p.columns % threads)
        p.columns++;
    return p;
}
