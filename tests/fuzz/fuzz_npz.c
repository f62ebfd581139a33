/* SPDX-License-Identifier: Apache-2.0
 * fuzz_npz.c - any bytes as an archive of tensors: an error, or tensors that are written and read
 * alike. */
#include "files/npz.h"
#include "harness.h"
#include "npy_round_trip.h"

enum { CAP = 16 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    oc_error e = {0};
    npz_file f;
    npz_read(&f, bytes, size, CAP, "fuzz", &e);
    for (int i = 0; i < f.n; i++)
        check_npy_round_trip(f.item[i].value);
    npz_free(&f);
    return 0;
}
