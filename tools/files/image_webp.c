/* SPDX-License-Identifier: Apache-2.0
 * image_webp.c - reads WebP files with libwebp, where the build has it. */
#include "files/image.h"

#ifdef TOOLS_WEBP

#include <stdlib.h>
#include <webp/decode.h>

void image_read_webp(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                     oc_error *e)
{
    WebPBitstreamFeatures features;
    if (WebPGetFeatures(bytes, size, &features) != VP8_STATUS_OK) {
        tool_fail(e, OC_FORMAT, "%s: damaged WebP", where);
        return;
    }
    *m = (image){.width = features.width,
                 .height = features.height,
                 .channels = features.has_alpha ? 4 : 3,
                 .white = 255};
    image_alloc(m, cap, where, e);
    if (e->code != OC_OK)
        return;
    int width, height;
    uint8_t *pixels = features.has_alpha ? WebPDecodeRGBA(bytes, size, &width, &height)
                                         : WebPDecodeRGB(bytes, size, &width, &height);
    if (!pixels || width != m->width || height != m->height)
        tool_fail(e, OC_FORMAT, "%s: damaged WebP", where);
    const size_t n = (size_t)m->width * (size_t)m->height * (size_t)m->channels;
    for (size_t i = 0; e->code == OC_OK && i < n; i++)
        m->sample[i] = pixels[i];
    WebPFree(pixels);
}

#else

void image_read_webp(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                     oc_error *e)
{
    (void)m, (void)bytes, (void)size, (void)cap;
    tool_fail(e, OC_UNSUPPORTED, "%s: this build reads no WebP pictures", where);
}

#endif
