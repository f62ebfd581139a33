/* SPDX-License-Identifier: Apache-2.0
 * fuzz_npy.c - any bytes as .npy or .npz: an error, or tensors that are written and read alike. */
#include "harness.h"
#include "files/npy.h"
#include "files/npz.h"

#include <stdlib.h>
#include <string.h>

enum { CAP = 16 << 20 };

/* What NumPy cannot tell apart aside (zeros behind a text), a tensor survives its file. */
static void check_round_trip(const oc_value *v)
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

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    oc_error e = {0};
    if (size > 2 && bytes[0] == 'P' && bytes[1] == 'K') {
        npz_file f;
        npz_read(&f, bytes, size, CAP, "fuzz", &e);
        for (int i = 0; i < f.n; i++)
            check_round_trip(f.item[i].value);
        npz_free(&f);
        return 0;
    }
    oc_value *v = npy_read(bytes, size, "fuzz", &e);
    if (v)
        check_round_trip(v);
    oc_value_free(v);
    return 0;
}
