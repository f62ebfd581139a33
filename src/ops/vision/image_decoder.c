/* SPDX-License-Identifier: Apache-2.0
 * image_decoder.c - ImageDecoder: a picture's pixels, by the host's decoder
 * (oc_session_options.image_decoder). A picture that it cannot decode is empty. */
#include "ops/kit/op.h"

enum { RGB, BGR, GRAY };

/* Gray is 0.299 R + 0.587 G + 0.114 B in 16 bits of fraction, rounded. */
static void convert(oc_call *c, uint8_t *y, const uint8_t *x, int64_t n, int format)
{
    if (format == RGB)
        oc_call_copy(c, y, x, 3 * (size_t)n);
    OC_CALL_PIECES (c, round, format == RGB ? 0 : n, 1024) {
        for (int64_t i = round.first; i < round.end && format == BGR; i++)
            for (int k = 0; k < 3; k++)
                y[3 * i + k] = x[3 * i + 2 - k];
        for (int64_t i = round.first; i < round.end && format == GRAY; i++)
            y[i] =
                (uint8_t)((19595 * x[3 * i] + 38470 * x[3 * i + 1] + 7471 * x[3 * i + 2] + 32768) >>
                          16);
    }
}

static oc_status put_picture(oc_call *c, const uint8_t *pixels, int64_t height, int64_t width,
                             int format)
{
    OC_TRY(oc_set_out(c, 0, OC_U8, &(oc_dims){3, {height, width, format == GRAY ? 1 : 3}}));
    OC_TRY(oc_alloc_out(c, 0));
    convert(c, oc_out(c, 0)->data, pixels, height * width, format);
    return OC_OK;
}

static oc_status decoder_run(oc_call *c)
{
    static const char *const names[] = {"RGB", "BGR", "Grayscale", NULL};
    static const uint8_t nothing[1] = {0};
    const oc_image_decoder *d = &oc_call_options(c)->image_decoder;
    const oc_value *x = oc_in(c, 0);
    const size_t cap = oc_call_pool(c)->memory->cap;
    int64_t height = 0, width = 0;
    int format;
    OC_TRY(oc_attr_enum(c, "pixel_format", names, &format));
    OC_TRY(oc_expect_rank(c, 0, 1, 1));
    if (!d->decode)
        return oc_fail(c, OC_UNSUPPORTED,
                       "the session has no image_decoder, expected one that reads pictures");
    uint8_t *pixels = d->decode(d->ctx, x->data, (size_t)oc_value_n(x), cap, &height, &width);
    if (!pixels && height < 0)
        return oc_fail(c, OC_LIMIT,
                       "the picture takes more memory, or more pixels, than the image_decoder may "
                       "use");
    if (!pixels)
        return put_picture(c, nothing, 0, 0, format);
    oc_status status = OC_OK;
    if (height < 0 || width < 0 || (width && height > INT64_MAX / 3 / width))
        status = oc_fail(c, OC_VALUE, "the image_decoder gave a picture of %lld x %lld pixels",
                         (long long)width, (long long)height);
    else
        status = put_picture(c, pixels, height, width, format);
    if (d->release)
        d->release(d->ctx, pixels);
    return status;
}

static oc_status decoder_outline(oc_call *c)
{
    const bool gray = oc_attr_is(c, "pixel_format", "Grayscale");
    return oc_outline(c, 0, OC_U8, &(oc_dims){3, {-1, -1, gray ? 1 : 3}});
}

/* clang-format off */
const oc_op oc_ops_image_decoder[] = {
    {20, "ImageDecoder <string pixel_format = \"RGB\"> (T1 encoded_stream) => (T2 image) "
         "| T1: uint8; T2: uint8", NULL, decoder_run,
         OC_TRAITS(.outline = decoder_outline)},
    {0}
};
