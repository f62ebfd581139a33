/* SPDX-License-Identifier: Apache-2.0
 * image_gif.c - reads the first frame of a GIF. */
#include "files/image.h"

#include "base/int.h"
#include "common/signals.h"

enum { HEAD = 13, TABLE = 1 << 12, LONGEST_CODE = 12 };

/* ---- blocks ---- */

typedef struct reader {
    const uint8_t *at, *end;
} reader;

/* A frame in the picture, in pixels, and its palette. */
typedef struct frame {
    int left, top, width, height;
    bool interlaced;
    const uint8_t *palette; /* red, green and blue of each colour; NULL when there are none */
    int colours;
    int transparent; /* the index that is transparent; -1: none */
} frame;

static int word(const uint8_t *at)
{
    return at[0] | at[1] << 8;
}

static bool has(const reader *r, size_t n)
{
    return (size_t)(r->end - r->at) >= n;
}

/* Reads a palette that the flags announce. Returns false when it is cut off. */
static bool read_palette(reader *r, int flags, frame *f)
{
    if (!(flags & 0x80))
        return true;
    const int colours = 2 << (flags & 7);
    if (!has(r, (size_t)colours * 3))
        return false;
    f->palette = r->at;
    f->colours = colours;
    r->at += colours * 3;
    return true;
}

/* Skips blocks of data, which begin with their sizes, up to and with the one of size 0. */
static void skip_data(reader *r)
{
    while (r->at < r->end) {
        const size_t size = *r->at++;
        if (size == 0)
            return;
        r->at = has(r, size) ? r->at + size : r->end;
    }
}

/* Goes behind the mark of the next frame, and notes what an extension tells of it. A byte that
 * begins no block is skipped, as Pillow does. Returns false when there is no other frame. */
static bool find_frame(reader *r, frame *f)
{
    enum { EXTENSION = '!', FRAME = ',', TRAILER = ';', CONTROL = 0xf9, CONTROL_SIZE = 4 };
    while (r->at < r->end && *r->at != TRAILER) {
        const uint8_t mark = *r->at++;
        if (mark == FRAME)
            return true;
        if (mark != EXTENSION || !has(r, 1))
            continue;
        const uint8_t label = *r->at++;
        if (label == CONTROL && has(r, 1 + CONTROL_SIZE) && r->at[0] == CONTROL_SIZE &&
            (r->at[1] & 1))
            f->transparent = r->at[4];
        skip_data(r);
    }
    return false;
}

/* Reads all up to the data of the first frame. Returns false when something is missing. */
static bool read_head(reader *r, image *m, frame *f)
{
    enum { PLACE = 9 };
    *f = (frame){.transparent = -1};
    if (!has(r, HEAD))
        return false;
    const uint8_t *screen = r->at + 6, *place;
    r->at += HEAD;
    if (!read_palette(r, screen[4], f) || !find_frame(r, f) || !has(r, PLACE))
        return false;
    place = r->at;
    r->at += PLACE;
    f->left = word(place);
    f->top = word(place + 2);
    f->width = word(place + 4);
    f->height = word(place + 6);
    f->interlaced = place[8] & 0x40;
    const int right = f->left + f->width, bottom = f->top + f->height;
    *m = (image){.width = word(screen) > right ? word(screen) : right,
                 .height = word(screen + 2) > bottom ? word(screen + 2) : bottom,
                 .channels = f->transparent < 0 ? 3 : 4,
                 .white = 255};
    return read_palette(r, place[8], f) && f->width && f->height;
}

/* ---- pixels ---- */

/* Where the next pixel of a frame goes. */
typedef struct painter {
    const image *m;
    const frame *f;
    int x, y, pass;
    int64_t left; /* pixels that are not painted */
} painter;

/* Writes the colour of an index. One that the palette lacks is a gray. */
static void set_pixel(const image *m, const frame *f, int index, int x, int y)
{
    uint16_t *pixel = m->sample + ((size_t)y * (size_t)m->width + (size_t)x) * (size_t)m->channels;
    for (int c = 0; c < 3; c++)
        pixel[c] = (uint16_t)(index < f->colours ? f->palette[3 * index + c] : index);
    if (m->channels == 4)
        pixel[3] = index == f->transparent ? 0 : 255;
}

static void paint(painter *p, int index)
{
    static const int first[] = {0, 4, 2, 1}, step[] = {8, 8, 4, 2};
    const frame *f = p->f;
    set_pixel(p->m, f, index, f->left + p->x, f->top + p->y);
    p->left--;
    if (++p->x < f->width)
        return;
    p->x = 0;
    p->y += f->interlaced ? step[p->pass] : 1;
    while (f->interlaced && p->y >= f->height && p->pass < 3)
        p->y = first[++p->pass];
}

/* What is beside a smaller frame is transparent, or of the first colour if nothing is. */
static void paint_around(const image *m, const frame *f)
{
    if (f->width == m->width && f->height == m->height)
        return;
    for (int y = 0; y < m->height && !signals_cancelled(NULL); y++)
        for (int x = 0; x < m->width; x++)
            set_pixel(m, f, f->transparent < 0 ? 0 : f->transparent, x, y);
}

/* ---- codes ---- */

/* The codes of a frame lie in blocks of data, the lowest bits first. Each stands for a string of
 * indices: codes below `clear` for one index, others for the string of another code and one index
 * more. */
typedef struct codes {
    reader r;
    size_t block; /* bytes of this block that are not read */
    uint32_t bits;
    int n_bits;
    int clear, next, size; /* the code that empties the table, the next new code, bits of a code */
    uint16_t shorter[TABLE];
    uint8_t last[TABLE], string[TABLE + 1];
} codes;

static void empty_table(codes *c, int least)
{
    c->clear = 1 << least;
    c->next = c->clear + 2;
    c->size = least + 1;
}

/* Returns the next code; -1 when there is none. */
static int read_code(codes *c)
{
    for (; c->n_bits < c->size; c->n_bits += 8) {
        if (c->block == 0 && (!has(&c->r, 1) || *c->r.at == 0))
            return -1;
        if (c->block == 0)
            c->block = *c->r.at++;
        if (!has(&c->r, 1))
            return -1;
        c->bits |= (uint32_t)*c->r.at++ << c->n_bits;
        c->block--;
    }
    const int code = (int)(c->bits & ((1u << c->size) - 1));
    c->bits >>= c->size;
    c->n_bits -= c->size;
    return code;
}

/* Paints the string of a code and returns its first index. before: the code before it, whose
 * string with its own first index added is what the next new code stands for; first: that index. */
static int paint_code(codes *c, int code, int before, int first, painter *p)
{
    int n = 0;
    if (code == c->next) {
        c->string[n++] = (uint8_t)first;
        code = before;
    }
    for (; code >= c->clear; code = c->shorter[code])
        c->string[n++] = c->last[code];
    c->string[n++] = (uint8_t)code;
    while (n && p->left)
        paint(p, c->string[--n]);
    return code;
}

static void add_code(codes *c, int before, int last)
{
    if (c->next == TABLE)
        return;
    c->shorter[c->next] = (uint16_t)before;
    c->last[c->next++] = (uint8_t)last;
    c->size += c->next == 1 << c->size && c->size < LONGEST_CODE;
}

/* Paints all pixels. Returns what is wrong; NULL: nothing. */
static const char *paint_frame(codes *c, int least, painter *p)
{
    empty_table(c, least);
    for (int before = -1, first = 0; p->left && !signals_cancelled(NULL);) {
        const int code = read_code(c);
        if (code < 0)
            return "it is cut off";
        if (code == c->clear) {
            empty_table(c, least);
            before = -1;
            continue;
        }
        if (code == c->clear + 1)
            return "its pixels end too early";
        if (code > c->next || (before < 0 && code > c->clear))
            return "a code stands for nothing";
        first = paint_code(c, code, before, first, p);
        if (before >= 0)
            add_code(c, before, first);
        before = code;
    }
    return NULL;
}

void image_read_gif(image *m, const void *bytes, size_t size, size_t cap, const char *where,
                    oc_error *e)
{
    frame f;
    reader r = {bytes, (const uint8_t *)bytes + size};
    const bool whole = read_head(&r, m, &f) && has(&r, 1);
    const int least = whole ? *r.at++ : 0;
    if (!whole || least < 1 || least > 8) {
        tool_fail(e, OC_FORMAT, "%s: damaged GIF: %s", where,
                  whole ? "its codes have a size that there is not" : "it has no whole frame");
        return;
    }
    image_alloc(m, cap, where, e);
    if (e->code != OC_OK)
        return;
    codes *c = tool_alloc(1, sizeof *c);
    painter p = {.m = m, .f = &f, .left = (int64_t)f.width * f.height};
    c->r = r;
    paint_around(m, &f);
    const char *wrong = paint_frame(c, least, &p);
    r.at = c->r.at + oc_min(c->block, (size_t)(c->r.end - c->r.at));
    free(c);
    skip_data(&r);
    if (signals_cancelled(NULL))
        tool_fail(e, OC_CANCELLED, "%s: cancelled", where);
    else if (wrong)
        tool_fail(e, OC_FORMAT, "%s: damaged GIF: %s", where, wrong);
    else if (find_frame(&r, &f))
        image_note(m, m, ", the first of several frames");
}
