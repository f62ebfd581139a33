/* SPDX-License-Identifier: Apache-2.0
 * fuzz_image.c - any bytes as a picture: an error, or samples within their range, which turning
 * and shrinking keep. */
#include "harness.h"
#include "files/image.h"

#include <stdlib.h>

enum { CAP = 16 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    oc_error e = {0};
    image m;
    image_read(&m, bytes, size, CAP, "fuzz", &e);
    if (m.turn < 0 || m.turn > 8)
        abort();
    image_turn(&m, CAP, "fuzz", &e);
    if (m.width > 4 || m.height > 4)
        image_resize(&m, IMAGE_FIT, 4, 3, 7, CAP, "fuzz", &e);
    if (e.code != OC_OK) {
        image_free(&m);
        return 0;
    }
    const size_t n = (size_t)m.width * (size_t)m.height * (size_t)m.channels;
    for (size_t i = 0; i < n; i++)
        if (m.sample[i] > m.white)
            abort();
    image_free(&m);
    return 0;
}
