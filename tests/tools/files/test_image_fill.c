/* SPDX-License-Identifier: Apache-2.0
 * test_image_fill.c - each element of a picture's tensor is that of the formula, to the bit. */
#include "files/image.h"
#include "base/element_type.h"
#include "common/number.h"
#include "suite.h"

#include <string.h>

enum { WIDTH = 19, HEIGHT = 17 };

/* A picture with all samples of 8 bits, and some of 16. */
static image make(int channels, int white)
{
    image m = {.width = WIDTH, .height = HEIGHT, .channels = channels, .white = white};
    oc_error e = {0};
    image_alloc(&m, SIZE_MAX, "test", &e);
    for (int i = 0; i < WIDTH * HEIGHT * channels; i++)
        m.sample[i] = (uint16_t)((uint32_t)i * 40503u % (uint32_t)(white + 1));
    return m;
}

/* The sample that a channel of the tensor shows. */
static double sample_of(const image *m, int pixel, int order, int channel)
{
    const uint16_t *s = m->sample + pixel * m->channels;
    if (channel == 3)
        return m->channels % 2 == 0 ? s[m->channels - 1] : m->white;
    if (m->channels < 3)
        return s[0];
    if (order == IMAGE_GRAY)
        return 0.299 * s[0] + 0.587 * s[1] + 0.114 * s[2];
    return s[order == IMAGE_BGR ? 2 - channel : channel];
}

static double element_of(const image_options *o, oc_type type, int white, double sample,
                         int channel)
{
    const int divisor = number_is_float(type) ? white : type == OC_U8 && white == 65535 ? 257 : 1;
    const double scaled = o->scale != 0 ? sample * o->scale : sample / divisor;
    return (scaled - o->mean[channel]) / (o->std[channel] != 0 ? o->std[channel] : 1);
}

static void compare(const image *m, oc_type type, const image_options *o)
{
    const int channels = o->order == IMAGE_GRAY ? 1 : o->order == IMAGE_RGBA ? 4 : 3;
    const oc_port port = {
        .name = "x", .type = type, .rank = 4, .dim = {-1, -1, -1, -1}, .kind = OC_TENSOR};
    oc_error e = {0};
    char text[IMAGE_TEXT];
    oc_value *got = image_to_tensor(m, &port, o, "m", text, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    oc_value *want = oc_tensor_new(type, 4, oc_value_dims(got), NULL, &e);
    const size_t size = (size_t)oc_value_count(want) * oc_type_size(type);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        for (int c = 0; c < channels; c++) {
            const double x = element_of(o, type, m->white, sample_of(m, i, o->order, c), c);
            number_set(type, oc_value_mutable_data(want),
                       o->layout == IMAGE_NHWC ? i * channels + c : c * WIDTH * HEIGHT + i, x);
        }
    ck_assert_msg(memcmp(oc_value_data(got), oc_value_data(want), size) == 0,
                  "%d channels of %d as %s, %s %s", m->channels, m->white, oc_type_name(type),
                  image_layout_names[o->layout], image_order_names[o->order]);
    oc_value_free(got);
    oc_value_free(want);
}

START_TEST(elements_are_those_of_the_formula)
{
    const image_options ways[] = {
        {0},
        {.scale = 0.7},
        {.mean = {0.485, 0.456, 0.406, 0.5}, .std = {0.229, 0.224, 0.225, 0.25}},
        {.scale = 1, .mean = {127.5, 3, -4, 128}, .std = {-2, 0.25, 1, 3}},
    };
    int types = 0;
    for (int k = 0; k < OC_N_TYPES; k++) {
        const oc_type type = (oc_type)k;
        if (!number_is_float_or_integer(type))
            continue;
        types++;
        for (int i = 0; i < 4 * 2 * 4 * 2 * 4; i++) {
            image_options o = ways[i % 4];
            o.layout = i / 4 % 2 ? IMAGE_NHWC : IMAGE_NCHW;
            o.order = IMAGE_GRAY + i / 8 % 4;
            image m = make(1 + i / 64, i / 32 % 2 ? 65535 : 255);
            compare(&m, type, &o);
            image_free(&m);
        }
    }
    ck_assert_int_ge(types, 12);
}
END_TEST

SUITE("image_fill", elements_are_those_of_the_formula)
