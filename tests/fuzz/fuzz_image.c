/* SPDX-License-Identifier: Apache-2.0
 * fuzz_image.c - any bytes as a picture: an error, or samples within their range. */
#include "harness.h"
#include "files/image.h"

#include <stdlib.h>

enum { CAP = 16 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    oc_error e = {0};
    image m;
    image_read(&m, bytes, size, CAP, "fuzz", &e);
    const size_t n = (size_t)m.width * (size_t)m.height * (size_t)m.channels;
    for (size_t i = 0; e.code == OC_OK && i < n; i++)
        if (m.sample[i] > m.white)
            abort();
    image_free(&m);
    return 0;
}
