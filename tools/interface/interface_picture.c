/* SPDX-License-Identifier: Apache-2.0
 * interface_picture.c - files, bytes and rows of samples as photographs. */
#include "interface/interface_picture.h"

#include "common/data.h"
#include "common/limits.h"

static const char unnamed[] = "picture";

static given *new_given(const char *name)
{
    given *s = tool_alloc(1, sizeof *s);
    atomic_init(&s->users, 1);
    s->name = tool_format("%s", name);
    return s;
}

/* Takes a copy of the bytes. */
static given *copy(const void *bytes, size_t size, oc_error *e)
{
    given *s = new_given(unnamed);
    s->bytes.data = data_alloc(size, unnamed, e);
    s->bytes.size = s->bytes.room = size;
    if (e->code == OC_OK && size)
        memcpy(s->bytes.data, bytes, size);
    return s;
}

given *given_of_file(const char *path, oc_error *e)
{
    given *s = new_given(io_shown(path));
    io_read(path, LIMIT_FILE, &s->bytes, e);
    return s;
}

given *given_of_bytes(const void *bytes, size_t size, oc_error *e)
{
    return copy(bytes, size, e);
}

given *given_of_samples(const uint8_t *samples, int height, int width, int channels, int turn,
                        oc_error *e)
{
    const bool fits = height > 0 && width > 0 && channels >= 1 && channels <= 4;
    if (!fits)
        tool_fail(e, OC_SHAPE,
                  "%s: %d x %d pixels of %d channels, expected at least one pixel, of 1 to 4",
                  unnamed, width, height, channels);
    else if (width > LIMIT_SIDE || height > LIMIT_SIDE || (int64_t)width * height > LIMIT_PIXELS)
        tool_fail(e, OC_LIMIT, "%s: %d x %d pixels, expected at most %d", unnamed, width, height,
                  LIMIT_PIXELS);
    const bool good = fits && e->code == OC_OK;
    given *s = copy(samples, good ? (size_t)height * (size_t)width * (size_t)channels : 0, e);
    s->width = width;
    s->height = height;
    s->channels = channels;
    s->turn = turn;
    return s;
}

given *given_share(given *s)
{
    atomic_fetch_add(&s->users, 1);
    return s;
}

void given_free(given *s)
{
    if (!s || atomic_fetch_sub(&s->users, 1) > 1)
        return;
    io_bytes_free(&s->bytes);
    free(s->name);
    free(s);
}

void given_read(const given *s, image *m, oc_error *e)
{
    *m = (image){0};
    if (e->code != OC_OK)
        return;
    if (s->channels) {
        *m = (image){.width = s->width,
                     .height = s->height,
                     .channels = s->channels,
                     .white = 255,
                     .turn = s->turn};
        image_alloc(m, LIMIT_FILE, s->name, e);
        if (e->code == OC_OK) {
            memcpy(image_bytes(m, false), s->bytes.data, s->bytes.size);
            image_widen(m, false);
        }
    } else {
        image_read(m, s->bytes.data, s->bytes.size, LIMIT_FILE, s->name, e);
    }
    image_turn(m, LIMIT_FILE, s->name, e);
}
