/* SPDX-License-Identifier: Apache-2.0
 * interface_drawing.c - draws answers into their photographs, and cuts objects out of them. */
#include "base/int.h"
#include "common/data.h"
#include "common/limits.h"
#include "files/image_filter.h"
#include "interface/interface.h"
#include "draw/draw_answer.h"

/* Makes 8-bit red, green and blue of a picture; alpha is left out. */
static void take_pixels(const image *m, oc_picture *out, const char *where, oc_error *e)
{
    const size_t n = (size_t)m->width * (size_t)m->height, each = (size_t)m->channels;
    const bool colour = each >= 3;
    uint8_t *to = m->sample ? data_alloc(3 * n, where, e) : NULL;
    for (size_t i = 0; to && i < n; i++)
        for (size_t c = 0; c < 3; c++) {
            const uint16_t sample = m->sample[i * each + (colour ? c : 0)];
            to[3 * i + c] = (uint8_t)(m->white == 255 ? sample : sample / 257);
        }
    if (to)
        *out = (oc_picture){m->width, m->height, to};
}

/* Free with image_free, also after an error. */
static void draw(const oc_answer *a, image *m, oc_error *e)
{
    given_read(a->given, m, e);
    if (e->code == OC_OK)
        predictor_draw(&a->predictor->made, &a->told, m, a->given->name, e);
}

void oc_picture_free(oc_picture *p)
{
    data_free(p->samples);
    *p = (oc_picture){0};
}

void oc_answer_draw(const oc_answer *a, oc_picture *out, oc_error *e)
{
    guard g;
    image m = {0};
    *out = (oc_picture){0};
    if (e->code != OC_OK || GUARD_FAILS(&g, e))
        return;
    draw(a, &m, e);
    if (e->code == OC_OK)
        take_pixels(&m, out, a->given->name, e);
    image_free(&m);
    guard_end(&g);
}

/* Makes the longer side of a picture that is larger `most` pixels long. */
static void shrink(image *m, int most, const char *where, oc_error *e)
{
    const int longer = oc_max(m->width, m->height);
    if (e->code != OC_OK || most <= 0 || longer <= most)
        return;
    const image_sizing s = {.how = IMAGE_STRETCH,
                            .filter = IMAGE_FILTER_CV2_AREA,
                            .width = oc_max(1, (int)((int64_t)m->width * most / longer)),
                            .height = oc_max(1, (int)((int64_t)m->height * most / longer))};
    image_resize(m, &s, LIMIT_FILE, where, e);
}

void oc_answer_draw_png(const oc_answer *a, int most, const oc_writer *out, oc_error *e)
{
    guard g;
    image m = {0};
    io_file file = {.to = out};
    if (e->code != OC_OK || GUARD_FAILS(&g, e))
        return;
    draw(a, &m, e);
    shrink(&m, most, a->given->name, e);
    image_write_png(&m, &file, e);
    image_free(&m);
    guard_end(&g);
}

void oc_answer_draw_file(const oc_answer *a, const char *path, oc_error *e)
{
    guard g;
    image m = {0};
    if (!image_can_write(path))
        tool_fail(e, OC_ARGUMENT,
                  "the drawn picture goes to '%s', expected a file that ends with .png or .jpg",
                  path);
    if (e->code != OC_OK || GUARD_FAILS(&g, e))
        return;
    draw(a, &m, e);
    image_write_file(&m, path, e);
    image_free(&m);
    guard_end(&g);
}

void oc_answer_crop(const oc_answer *a, int i, oc_picture *out, oc_error *e)
{
    guard g;
    image m = {0}, cut = {0};
    *out = (oc_picture){0};
    if (!a->told.box || i < 0 || i >= a->told.n)
        tool_fail(e, OC_ARGUMENT, "there is no object %d with a box: the answer has %d", i,
                  a->told.box ? a->told.n : 0);
    if (e->code != OC_OK || GUARD_FAILS(&g, e))
        return;
    given_read(a->given, &m, e);
    if (e->code == OC_OK)
        draw_crop(&m, &a->told, i, &cut, a->given->name, e);
    if (e->code == OC_OK)
        take_pixels(&cut, out, a->given->name, e);
    image_free(&m);
    image_free(&cut);
    guard_end(&g);
}
