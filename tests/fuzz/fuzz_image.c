/* SPDX-License-Identifier: Apache-2.0
 * fuzz_image.c - any bytes as a picture: an error, or samples within their range, which turning
 * and shrinking keep. */
#include "harness.h"
#include "files/image.h"
#include "files/image_filter.h"

#include <stdlib.h>

enum { CAP = 16 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    oc_error e = {0};
    image m;
    const image_sizing small = {.how = size % 2 ? IMAGE_FIT : IMAGE_SHORT,
                                .filter = (int)(size / 2 % IMAGE_FILTER_KINDS),
                                .width = 4,
                                .height = 3,
                                .shorter = 5,
                                .fill = 7};
    image_read(&m, bytes, size, CAP, "fuzz", &e);
    if (m.turn < 0 || m.turn > 8)
        abort();
    image_turn(&m, CAP, "fuzz", &e);
    if (m.width > 4 || m.height > 4) /* not much larger than it is */
        image_resize(&m, &small, CAP, "fuzz", &e);
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
