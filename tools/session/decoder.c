/* SPDX-License-Identifier: Apache-2.0
 * decoder.c - decodes a picture to bytes of red, green and blue, for models that decode
 * pictures. */
#include "session/decoder.h"

#include "common/data.h"
#include "files/image.h"

static uint8_t *decode(OC_UNUSED void *ctx, const void *bytes, size_t size, size_t cap,
                       int64_t *height, int64_t *width)
{
    oc_error e = {0};
    image m;
    image_read(&m, bytes, size, cap, "picture", &e);
    if (e.code != OC_OK) {
        *height = e.code == OC_LIMIT || e.code == OC_NOMEM ? -1 : 0;
        return NULL;
    }
    const size_t n = (size_t)m.width * (size_t)m.height;
    const int step = m.channels >= 3;
    uint8_t *pixels = data_resize(NULL, 3 * n);
    for (size_t i = 0; pixels && i < n; i++)
        for (int c = 0; c < 3; c++) {
            const uint16_t sample = m.sample[i * (size_t)m.channels + (size_t)(c * step)];
            pixels[3 * i + (size_t)c] = (uint8_t)(m.white == 255 ? sample : sample / 257);
        }
    *height = pixels ? m.height : -1;
    *width = m.width;
    image_free(&m);
    return pixels;
}

static void release(OC_UNUSED void *ctx, uint8_t *pixels)
{
    data_free(pixels);
}

oc_image_decoder session_decoder(void)
{
    return (oc_image_decoder){decode, release, NULL};
}
