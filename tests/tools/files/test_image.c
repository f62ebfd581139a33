/* SPDX-License-Identifier: Apache-2.0
 * test_image.c - pictures through files and back, their conversion, and damaged files. */
#define _POSIX_C_SOURCE 200809L
#include "test_files.h"
#include "files/image.h"
#include "common/limits.h"
#include "common/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <jpeglib.h>

enum { CAP = 1 << 24, WIDTH = 7, HEIGHT = 5 };

static image make(int channels, int white)
{
    image m = {.width = WIDTH, .height = HEIGHT, .channels = channels, .white = white};
    oc_error e = {0};
    image_alloc(&m, CAP, "test", &e);
    for (int i = 0; i < WIDTH * HEIGHT * channels; i++)
        m.sample[i] = (uint16_t)((i * 7919 + 13) % (white + 1));
    return m;
}

static io_bytes write_file(const image *m, const char *path)
{
    oc_error e = {0};
    io_file f;
    io_bytes b;
    io_create(&f, path, &e);
    if (io_ends_with(path, ".png"))
        image_write_png(m, &f, &e);
    else
        image_write_jpeg(m, 95, &f, &e);
    io_commit(&f, &e);
    io_read(path, CAP, &b, &e);
    ck_assert_msg(e.code == OC_OK, "%s", e.text);
    unlink(path);
    return b;
}

START_TEST(png_keeps_every_sample)
{
    for (int channels = 1; channels <= 4; channels++)
        for (int wide = 0; wide < 2; wide++) {
            oc_error e = {0};
            image m = make(channels, wide ? 65535 : 255), back;
            io_bytes b = write_file(&m, "test_image.png");
            image_read(&back, b.data, b.size, CAP, "png", &e);
            ck_assert_msg(e.code == OC_OK, "%s", e.text);
            ck_assert(back.width == WIDTH && back.height == HEIGHT && back.channels == channels &&
                      back.white == m.white);
            ck_assert_int_eq(
                memcmp(m.sample, back.sample, sizeof *m.sample * WIDTH * HEIGHT * (size_t)channels),
                0);
            image_free(&m);
            image_free(&back);
            io_bytes_free(&b);
        }
}
END_TEST

START_TEST(jpeg_keeps_plain_colours)
{
    for (int channels = 1; channels <= 3; channels += 2) {
        oc_error e = {0};
        image m = make(channels, 255), back;
        for (int i = 0; i < WIDTH * HEIGHT * channels; i++)
            m.sample[i] = (uint16_t)(60 + 50 * (i % channels));
        io_bytes b = write_file(&m, "test_image.jpg");
        image_read(&back, b.data, b.size, CAP, "jpg", &e);
        ck_assert_msg(e.code == OC_OK, "%s", e.text);
        ck_assert_int_eq(back.channels, channels);
        for (int i = 0; i < WIDTH * HEIGHT * channels; i++)
            ck_assert_int_le(abs(m.sample[i] - back.sample[i]), 2);
        image_free(&m);
        image_free(&back);
        io_bytes_free(&b);
    }
}
END_TEST

static oc_port port_of(oc_type type, int rank, int64_t a, int64_t b, int64_t c, int64_t d)
{
    return (oc_port){.name = "x", .type = type, .rank = rank, .dim = {a, b, c, d}};
}

START_TEST(becomes_what_the_port_declares)
{
    char text[IMAGE_TEXT];
    oc_error e = {0};
    const image_options plain = {0};
    image m = make(3, 255);
    oc_port port = port_of(OC_F32, 4, -1, 3, -1, -1);
    oc_value *v = image_to_tensor(&m, &port, &plain, "m", text, &e);
    const int64_t nchw[] = {1, 3, HEIGHT, WIDTH}, nhwc[] = {1, HEIGHT, WIDTH, 3};
    ck_assert_int_eq(memcmp(oc_value_dims(v), nchw, sizeof nchw), 0);
    /* channel 1 of row 2, column 3 */
    ck_assert(((const float *)oc_value_data(v))[HEIGHT * WIDTH + 2 * WIDTH + 3] ==
              (float)(m.sample[(2 * WIDTH + 3) * 3 + 1] / 255.0));
    ck_assert_str_eq(text, "m: 7 x 5, 8-bit -> float, element = sample / 255, NCHW rgb");
    oc_value_free(v);

    port = port_of(OC_U8, 4, 1, -1, -1, 3);
    v = image_to_tensor(&m, &port, &plain, "m", text, &e);
    ck_assert_int_eq(memcmp(oc_value_dims(v), nhwc, sizeof nhwc), 0);
    for (int i = 0; i < WIDTH * HEIGHT * 3; i++)
        ck_assert_uint_eq(((const uint8_t *)oc_value_data(v))[i], m.sample[i]);
    oc_value_free(v);

    port = port_of(OC_F32, 2, -1, -1, 0, 0);
    v = image_to_tensor(&m, &port, &plain, "m", text, &e);
    ck_assert(fabs((double)((const float *)oc_value_data(v))[1] * 255 -
                   (0.299 * m.sample[3] + 0.587 * m.sample[4] + 0.114 * m.sample[5])) < 1e-4);
    oc_value_free(v);

    const image_options all = {
        .order = IMAGE_BGR, .scale = 0.5, .mean = {1, 2, 3}, .std = {2, 4, 8}};
    port = port_of(OC_F64, 3, -1, -1, -1, 0);
    v = image_to_tensor(&m, &port, &all, "m", text, &e);
    ck_assert_int_eq(oc_value_rank(v), 3);
    ck_assert(((const double *)oc_value_data(v))[0] == (m.sample[2] * 0.5 - 1) / 2);
    oc_value_free(v);
    ck_assert_int_eq(e.code, OC_OK);

    port = port_of(OC_F32, 5, 1, 1, 1, 1);
    ck_assert_ptr_null(image_to_tensor(&m, &port, &plain, "m", text, &e));
    ck_assert_int_eq(e.code, OC_ARGUMENT);
    image_free(&m);
}
END_TEST

START_TEST(comes_back_from_a_tensor)
{
    char text[IMAGE_TEXT];
    oc_error e = {0};
    const image_options options[] = {
        {0},
        {.mean = {0.4, 0.5, 0.6}, .std = {0.2, 0.3, 0.4}},
        {.layout = IMAGE_NHWC},
        {.order = IMAGE_BGR, .scale = 2},
    };
    image m = make(3, 255), back;
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        const oc_port port = port_of(OC_F32, 4, -1, -1, -1, -1);
        oc_value *v = image_to_tensor(&m, &port, &options[k], "m", text, &e);
        ck_assert(image_is_like(v, &options[k]));
        image_from_tensor(&back, v, &options[k], &options[k], "m", text, &e);
        ck_assert_msg(e.code == OC_OK, "%s", e.text);
        ck_assert_int_eq(memcmp(m.sample, back.sample, sizeof *m.sample * WIDTH * HEIGHT * 3), 0);
        image_free(&back);
        oc_value_free(v);
    }
    image_free(&m);
}
END_TEST

START_TEST(clamps_and_refuses)
{
    char text[IMAGE_TEXT];
    oc_error e = {0};
    image m;
    const image_options plain = {0};
    const int64_t dim[] = {2, 2}, batch[] = {2, 3, 4, 4};
    oc_value *v = oc_tensor_new(OC_F32, 2, dim, NULL, &e);
    const float values[] = {-1, 2, (float)NAN, 0.5f};
    memcpy(oc_value_mutable_data(v), values, sizeof values);
    image_from_tensor(&m, v, &plain, &plain, "m", text, &e);
    ck_assert(m.sample[0] == 0 && m.sample[1] == 255 && m.sample[2] == 0 && m.sample[3] == 128);
    image_free(&m);
    oc_value_free(v);
    v = oc_tensor_new(OC_F32, 4, batch, NULL, &e);
    ck_assert(!image_is_like(v, &plain));
    image_from_tensor(&m, v, &plain, NULL, "m", text, &e);
    ck_assert_int_eq(e.code, OC_SHAPE);
    oc_value_free(v);
}
END_TEST

START_TEST(is_scaled_by_its_own_values)
{
    const struct {
        oc_type type;
        double element[4];
        uint16_t sample[4];
        const char *told;
    } rows[] = {
        {OC_U8, {0, 1, 2, 255}, {0, 1, 2, 255}, "<- uint8, as they are"},
        {OC_BOOL, {0, 1, 1, 0}, {0, 255, 255, 0}, "<- bool, false 0, true 255"},
        {OC_F32, {0, 0.5, 1, NAN}, {0, 128, 255, 0}, "<- float, times 255"},
        {OC_F16, {0, 0.25, 0.5, 0.75}, {0, 64, 128, 191}, "<- float16, times 255"},
        {OC_F64,
         {-1, 0, 1, 0.5},
         {0, 128, 255, 191},
         "<- double, least -1 is 0, greatest 1 is 255"},
        {OC_F32,
         {10, 20, INFINITY, -INFINITY},
         {0, 255, 255, 0},
         "least 10 is 0, greatest 20 is 255"},
        {OC_I64, {0, 1, 2, 3}, {0, 85, 170, 255}, "<- int64, least 0 is 0, greatest 3 is 255"},
        {OC_I8, {-128, 127, 0, -1}, {0, 255, 128, 127}, "<- int8, least -128 is 0"},
        {OC_I32, {7, 7, 7, 7}, {0, 0, 0, 0}, "least 7 is 0, greatest 7 is 255"},
    };
    const image_options plain = {0};
    const int64_t dim[] = {2, 2};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[IMAGE_TEXT];
        oc_error e = {0};
        image m;
        oc_value *v = oc_tensor_new(rows[i].type, 2, dim, NULL, &e);
        for (int k = 0; k < 4; k++)
            number_set(rows[i].type, oc_value_mutable_data(v), k, rows[i].element[k]);
        ck_assert(image_is_like(v, &plain));
        image_from_tensor(&m, v, &plain, NULL, "m", text, &e);
        ck_assert_msg(e.code == OC_OK, "%s", e.text);
        for (int k = 0; k < 4; k++)
            ck_assert_msg(m.sample[k] == rows[i].sample[k], "row %zu, %d: %d", i, k, m.sample[k]);
        ck_assert_msg(strstr(text, rows[i].told) != NULL, "%s", text);
        image_free(&m);
        oc_value_free(v);
    }
}
END_TEST

static void read_quietly(const unsigned char *bytes, size_t size)
{
    oc_error e = {0};
    image m;
    image_read(&m, bytes, size, CAP, "damaged", &e);
    image_free(&m);
}

START_TEST(survives_damaged_files)
{
    for (int jpeg = 0; jpeg < 2; jpeg++) {
        image m = make(3, 255);
        io_bytes b = write_file(&m, jpeg ? "test_damaged.jpg" : "test_damaged.png");
        for (size_t n = 0; n < b.size; n++)
            with_exact_copy(b.data, n, read_quietly);
        for (size_t n = 0; n < b.size; n++) {
            b.data[n] ^= 0x55;
            with_exact_copy(b.data, b.size, read_quietly);
            b.data[n] ^= 0x55;
        }
        oc_error e = {0};
        image back;
        image_read(&back, b.data, b.size / 2, CAP, "half", &e);
        ck_assert_int_eq(e.code, OC_FORMAT);
        e = (oc_error){0};
        image_read(&back, b.data, b.size - 12, CAP, "no end", &e);
        ck_assert_int_eq(e.code, OC_FORMAT);
        e = (oc_error){0};
        image_read(&back, b.data, b.size, 10, "capped", &e);
        ck_assert_int_eq(e.code, OC_LIMIT);
        image_free(&m);
        io_bytes_free(&b);
    }
}
END_TEST

static void refuse_prefix(const unsigned char *bytes, size_t size)
{
    oc_error e = {0};
    image m;
    image_read(&m, bytes, size, CAP, "prefix", &e);
    ck_assert_msg(e.code == OC_FORMAT, "%zu bytes: %s", size, e.text);
}

/* Pictures without compression, whose last byte is a sample: every prefix lacks some. */
START_TEST(refuses_every_prefix_of_plain_pictures)
{
    static const unsigned char bmp[62] = {
        'B', 'M', [10] = 54, [14] = 40, [18] = 2, [22] = 1, [26] = 1, [28] = 24, [54] = 9};
    static const char *const pnm[] = {"P1 2 1 0 1", "P2 2 1 9 3 4", "P3 1 1 9 1 2 3",
                                      "P5 2 1 255 ab", "P6 1 1 255 abc"};
    oc_error e = {0};
    image m;
    image_read(&m, bmp, sizeof bmp, CAP, "bmp", &e);
    ck_assert_msg(e.code == OC_OK && m.sample[2] == 9, "%s", e.text);
    image_free(&m);
    for (size_t n = 0; n < sizeof bmp; n++)
        with_exact_copy(bmp, n, refuse_prefix);
    for (size_t i = 0; i < sizeof pnm / sizeof *pnm; i++) {
        const unsigned char *bytes = (const unsigned char *)pnm[i];
        image_read(&m, bytes, strlen(pnm[i]), CAP, pnm[i], &e);
        ck_assert_msg(e.code == OC_OK, "%s", e.text);
        image_free(&m);
        for (size_t n = 0; n < strlen(pnm[i]); n++)
            with_exact_copy(bytes, n, refuse_prefix);
    }
}
END_TEST

START_TEST(pixels_are_bounded)
{
    static const struct {
        int width, height;
        oc_status code;
    } sizes[] = {
        {10000, LIMIT_PIXELS / 10000, OC_OK},
        {10000, LIMIT_PIXELS / 10000 + 1, OC_LIMIT},
        {LIMIT_SIDE, 1, OC_OK},
        {LIMIT_SIDE + 1, 1, OC_LIMIT},
        {1, LIMIT_SIDE, OC_OK},
        {1, LIMIT_SIDE + 1, OC_LIMIT},
        {LIMIT_SIDE, LIMIT_SIDE, OC_LIMIT},
        {INT32_MAX, INT32_MAX, OC_LIMIT},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        oc_error e = {0};
        image m = {.width = sizes[i].width, .height = sizes[i].height, .channels = 1};
        image_alloc(&m, SIZE_MAX, "m", &e);
        ck_assert_msg(e.code == sizes[i].code, "%d x %d: %s", m.width, m.height, e.text);
        image_free(&m);
    }
}
END_TEST

/* A JPEG of n scans: the first gives all constant parts, and each of the others one bit more of one
 * frequency. */
static io_bytes make_scans(int n)
{
    static jpeg_scan_info scan[1 + 4 * 63];
    scan[0] = (jpeg_scan_info){.comps_in_scan = 1};
    for (int i = 0; i < 4 * 63; i++) {
        const int frequency = 1 + i % 63, bit = 3 - i / 63;
        scan[1 + i] = (jpeg_scan_info){.comps_in_scan = 1,
                                       .Ss = frequency,
                                       .Se = frequency,
                                       .Ah = bit == 3 ? 0 : bit + 1,
                                       .Al = bit};
    }
    struct jpeg_compress_struct jpeg = {0};
    struct jpeg_error_mgr errors;
    JSAMPLE row[16] = {0, 255, 3, 9, 200, 100, 50, 25}, *rows = row;
    unsigned char *bytes = NULL;
    unsigned long size = 0;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &bytes, &size);
    jpeg.image_width = jpeg.image_height = 16;
    jpeg.input_components = 1;
    jpeg.in_color_space = JCS_GRAYSCALE;
    jpeg_set_defaults(&jpeg);
    jpeg.scan_info = scan;
    jpeg.num_scans = n;
    jpeg_start_compress(&jpeg, TRUE);
    for (int y = 0; y < 16; y++)
        jpeg_write_scanlines(&jpeg, &rows, 1);
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    return (io_bytes){bytes, size, size};
}

START_TEST(scans_are_bounded)
{
    for (int more = 0; more <= 1; more++) {
        oc_error e = {0};
        image m;
        io_bytes b = make_scans(LIMIT_SCANS + more);
        image_read(&m, b.data, b.size, CAP, "scans", &e);
        ck_assert_msg(e.code == (more ? OC_LIMIT : OC_OK), "%d more: %s", more, e.text);
        image_free(&m);
        free(b.data);
    }
}
END_TEST

SUITE("image", png_keeps_every_sample, jpeg_keeps_plain_colours, becomes_what_the_port_declares,
      comes_back_from_a_tensor, clamps_and_refuses, is_scaled_by_its_own_values,
      survives_damaged_files, refuses_every_prefix_of_plain_pictures, pixels_are_bounded,
      scans_are_bounded)
