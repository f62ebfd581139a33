/* SPDX-License-Identifier: Apache-2.0
 * test_image_fit.c - where pictures lie in inputs, and resizing without memory. */
#include "files/image.h"
#include "files/image_filter.h"
#include "common/data.h"
#include "common/limits.h"
#include "suite.h"

#include <string.h>

/* ---- placements; those of networks' programs were computed by their own rules in Python ---- */

START_TEST(lies_as_in_training)
{
    enum { CV2 = IMAGE_FILTER_CV2_LINEAR, PIL = IMAGE_FILTER_PIL_BILINEAR };
    static const struct {
        image_sizing s;
        int width, height;
        image_placing want;
    } rows[] = {
        {{IMAGE_STRETCH, .width = 640, .height = 480}, 7, 9, {640, 480, 640, 480, 0, 0}},
        {{IMAGE_FIT, CV2, 640, 640}, 1280, 960, {640, 480, 640, 640, 0, 80}},
        {{IMAGE_FIT, CV2, 640, 640}, 1280, 961, {640, 480, 640, 640, 0, 80}}, /* 480.5 to even */
        {{IMAGE_FIT, CV2, 640, 640}, 1280, 963, {640, 482, 640, 640, 0, 79}}, /* 481.5 to even */
        {{IMAGE_FIT, PIL, 640, 640}, 1280, 961, {640, 481, 640, 640, 0, 79}}, /* half up */
        {{IMAGE_FIT, CV2, 640, 640}, 810, 1080, {480, 640, 640, 640, 80, 0}},
        {{IMAGE_FIT, CV2, 416, 416}, 768, 576, {416, 312, 416, 416, 0, 52}},
        {{IMAGE_FIT, CV2, 640, 640}, 451, 301, {640, 427, 640, 640, 0, 106}}, /* 106.5 to the top */
        {{IMAGE_FIT, CV2, 64, 64}, 1000, 1, {64, 1, 64, 64, 0, 31}},          /* no side is 0 */
        {{IMAGE_FIT, CV2, 640, 640, .multiple = 32}, 1280, 720, {640, 360, 640, 384, 0, 12}},
        {{IMAGE_FIT, CV2, 640, 640, .multiple = 32}, 451, 301, {640, 427, 640, 448, 0, 10}},
        {{IMAGE_FIT, CV2, 640, 640, .no_enlarge = true}, 100, 51, {100, 51, 640, 640, 270, 294}},
        {{IMAGE_CORNER, CV2, 640, 640}, 451, 301, {640, 427, 640, 640, 0, 0}},
        {{IMAGE_CORNER, CV2, 416, 416}, 500, 375, {416, 312, 416, 416, 0, 0}},
        {{IMAGE_CORNER, CV2, 416, 416}, 500, 333, {416, 277, 416, 416, 0, 0}}, /* 277.06 */
        {{IMAGE_CORNER, CV2, 416, 416}, 353, 500, {293, 416, 416, 416, 0, 0}}, /* 293.7 down */
        {{IMAGE_CORNER, PIL, 416, 416}, 353, 500, {294, 416, 416, 416, 0, 0}},
        {{IMAGE_CROP, PIL, 224, 224}, 640, 480, {299, 224, 224, 224, -37, 0}},
        {{IMAGE_SHORT, PIL, 224, 224, .shorter = 256}, 640, 480, {341, 256, 224, 224, -58, -16}},
        {{IMAGE_SHORT, PIL, 224, 224, .shorter = 224}, 500, 375, {298, 224, 224, 224, -37, 0}},
        {{IMAGE_SHORT, PIL, 224, 224, .shorter = 224}, 375, 503, {224, 300, 224, 224, 0, -38}},
        {{IMAGE_SHORT, PIL, 0, 0, .shorter = 800}, 427, 640, {800, 1199, 800, 1199, 0, 0}},
        {{IMAGE_SHORT, CV2, 0, 0, .shorter = 518, .multiple = 14}, 640, 480, {686, 518, 686, 518}},
        {{IMAGE_SHORT, CV2, 0, 0, .shorter = 520, .multiple = 14}, 480, 640, {532, 700, 532, 700}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const image_placing p = image_place(&rows[i].s, rows[i].width, rows[i].height);
        ck_assert_msg(memcmp(&p, &rows[i].want, sizeof p) == 0,
                      "row %zu: %d x %d at %d, %d of %d x %d", i, (int)p.width, (int)p.height,
                      (int)p.left, (int)p.top, (int)p.total_width, (int)p.total_height);
    }
}
END_TEST

/* What is shown touches two edges, lies within the input, and is not empty. */
START_TEST(every_picture_fits)
{
    uint64_t state = 1;
    for (int i = 0; i < 200000; i++) {
        int side[4];
        for (int k = 0; k < 4; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            side[k] = 1 + (int)((state >> 33) % (i % 3 ? 2000 : LIMIT_SIDE));
        }
        const image_sizing s = {i % 2 ? IMAGE_FIT : IMAGE_CORNER, i / 2 % IMAGE_FILTER_KINDS,
                                side[2], side[3]};
        const image_placing p = image_place(&s, side[0], side[1]);
        const bool wide = p.width == s.width, high = p.height == s.height;
        /* a factor of double may miss the edge of the corner by one, as it does for YOLOX */
        const bool near = s.how == IMAGE_CORNER && image_filter_is_cv2(s.filter) &&
                          (p.width == s.width - 1 || p.height == s.height - 1);
        ck_assert_msg((wide || high || near) && p.width >= 1 && p.height >= 1 &&
                          p.width <= s.width && p.height <= s.height && p.left >= 0 && p.top >= 0 &&
                          p.left + p.width <= s.width && p.top + p.height <= s.height,
                      "%d x %d in %d x %d", side[0], side[1], side[2], side[3]);
    }
}
END_TEST

/* ---- all filters ---- */

static image make(int width, int height, int channels)
{
    image m = {.width = width, .height = height, .channels = channels, .white = 255};
    oc_error e = {0};
    image_alloc(&m, SIZE_MAX, "test", &e);
    for (int i = 0; i < width * height * channels; i++)
        m.sample[i] = (uint16_t)(i * 7919 % 256);
    return m;
}

/* A picture of one colour keeps it, at every size and with every filter. */
START_TEST(plain_pictures_stay_plain)
{
    static const int sides[] = {1, 2, 3, 7, 16, 50};
    enum { SIDES = sizeof sides / sizeof *sides };
    for (int i = 0; i < IMAGE_FILTER_KINDS * SIDES * SIDES * 4; i++) {
        oc_error e = {0};
        image m = make(13, 16, 1 + i % 4);
        const int filter = i / 4 % IMAGE_FILTER_KINDS, at = i / 4 / IMAGE_FILTER_KINDS;
        const image_sizing s = {IMAGE_STRETCH, filter, sides[at % SIDES], sides[at / SIDES]};
        for (int k = 0; k < m.width * m.height * m.channels; k++)
            m.sample[k] = (uint16_t)(i % 256);
        image_resize(&m, &s, SIZE_MAX, "m", &e);
        ck_assert_msg(e.code == OC_OK, "%s", e.text);
        for (int k = 0; k < m.width * m.height * m.channels; k++)
            suite_assert(m.sample[k] == i % 256, "%s to %d x %d: %d became %d",
                         image_filter_told(filter), m.width, m.height, i % 256, m.sample[k]);
        image_free(&m);
    }
}
END_TEST

START_TEST(ends_without_memory)
{
    for (int k = 0; k < IMAGE_FILTER_KINDS; k++) {
        bool done = false;
        for (size_t cap = 1; !done; cap += 97) {
            oc_error e = {0};
            data_set_cap(0);
            image m = make(40, 31, 3);
            const image_sizing s = {IMAGE_FIT, k, 20, 30};
            data_set_cap(40 * 31 * 3 * sizeof *m.sample + cap);
            image_resize(&m, &s, SIZE_MAX, "m", &e);
            done = e.code == OC_OK;
            ck_assert_msg(done || e.code == OC_LIMIT, "%s: %s", image_filter_told(k), e.text);
            ck_assert(m.width == (done ? 20 : m.width) && m.sample);
            image_free(&m);
        }
    }
    data_set_cap(0);
}
END_TEST

SUITE("image_fit", lies_as_in_training, every_picture_fits, plain_pictures_stay_plain,
      ends_without_memory)
