/* SPDX-License-Identifier: Apache-2.0
 * image_webp.c - reads WebP files with libwebp, if the build has it. */
#include "files/image.h"

#ifdef TOOLS_WEBP

#include "common/data.h"

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
    const size_t pixels = (size_t)m->width * (size_t)m->height, n = pixels * (size_t)m->channels;
    /* counts what libwebp allocates against the cap; never written */
    void *own = data_alloc(4 * pixels, where, e);
    if (e->code != OC_OK)
        return;
    uint8_t *const at = image_bytes(m, false);
    const int stride = m->width * m->channels;
    const uint8_t *decoded = features.has_alpha ? WebPDecodeRGBAInto(bytes, size, at, n, stride)
                                                : WebPDecodeRGBInto(bytes, size, at, n, stride);
    if (decoded)
        image_widen(m, false);
    else
        tool_fail(e, OC_FORMAT, "%s: damaged WebP", where);
    data_free(own);
}

#else

void image_read_webp(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                     oc_error *e)
{
    (void)m, (void)bytes, (void)size, (void)cap;
    tool_fail(e, OC_UNSUPPORTED, "%s: this build reads no WebP pictures", where);
}

#endif
