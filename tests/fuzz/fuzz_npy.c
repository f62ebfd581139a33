/* SPDX-License-Identifier: Apache-2.0
 * fuzz_npy.c - any bytes as .npy: an error, or a tensor that is written and read alike. */
#include "harness.h"
#include "npy_round_trip.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    oc_error e = {0};
    oc_value *v = npy_read(bytes, size, "fuzz", &e);
    if (v)
        check_npy_round_trip(v);
    oc_value_free(v);
    return 0;
}
