/* SPDX-License-Identifier: Apache-2.0
 * npy_round_trip.h - the rule that .npy and .npz share: a tensor survives its file. */
#pragma once

#include "files/io.h"
#include "files/npy.h"

#include <stdlib.h>
#include <string.h>

/* What NumPy cannot tell apart aside: zeros behind a text. */
static inline void check_npy_round_trip(const oc_value *v)
{
    oc_error e = {0};
    io_bytes b = {0};
    const oc_writer out = io_bytes_writer(&b);
    npy_write(v, &out, &e);
    oc_value *back = npy_read(b.data, b.size, "again", &e);
    const size_t size = (size_t)oc_value_count(v) * oc_type_size(oc_value_type(v));
    if (!back || oc_value_type(back) != oc_value_type(v) || oc_value_rank(back) != oc_value_rank(v))
        abort();
    if (oc_value_type(v) != OC_STRING && size &&
        memcmp(oc_value_data(back), oc_value_data(v), size) != 0)
        abort();
    oc_value_free(back);
    io_bytes_free(&b);
}
