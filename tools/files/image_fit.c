/* SPDX-License-Identifier: Apache-2.0
 * image_fit.c - to which size is a picture scaled for an input, and where does it lie there? */
#include "files/image.h"
#include "files/image_filter.h"

#include "base/int.h"

#include <math.h>

image_fit image_fit_of(const image *m)
{
    image_fit f = {m->width, m->height, .scale_x = 1, .scale_y = 1};
    if (m->fit.width)
        f = m->fit;
    f.to_width = m->width;
    f.to_height = m->height;
    return f;
}

/* Returns side * to / from, rounded half up, at least 1. All are at most LIMIT_SIDE. */
static int64_t scaled(int64_t side, int64_t to, int64_t from)
{
    return oc_max((2 * side * to + from) / (2 * from), (int64_t)1);
}

/* Returns the least multiple of n that is at least side. */
static int64_t next_multiple(int64_t side, int n)
{
    return n ? oc_div_up(side, (int64_t)n) * n : side;
}

/* Brings the whole picture into the wanted size, or, for crop, over all of it. */
static void scale_to_touch(const image_sizing *s, int64_t width, int64_t height, image_placing *p)
{
    const bool flat = s->width * height <= s->height * width; /* the whole width fits */
    if (flat == (s->how != IMAGE_CROP))
        p->height = scaled(height, s->width, width);
    else
        p->width = scaled(width, s->height, height);
}

/* Does so with a factor in double, as programs with OpenCV do. */
static void scale_by_factor(const image_sizing *s, int width, int height, image_placing *p)
{
    const double x = (double)s->width / width, y = (double)s->height / height;
    const double factor = s->how == IMAGE_CROP ? fmax(x, y) : fmin(x, y);
    const double w = width * factor, h = height * factor;
    p->width = (int64_t)(s->how == IMAGE_CORNER ? floor(w) : nearbyint(w));
    p->height = (int64_t)(s->how == IMAGE_CORNER ? floor(h) : nearbyint(h));
    p->width = oc_max(p->width, (int64_t)1);
    p->height = oc_max(p->height, (int64_t)1);
}

/* Brings the short side to s->shorter, or to less where the long side would pass the wanted size.
 */
static void scale_to_sides(const image_sizing *s, int64_t width, int64_t height, image_placing *p)
{
    const int64_t most = oc_max(s->width, s->height), n = s->shorter;
    const int64_t large = oc_max(width, height), small = oc_min(width, height);
    const double factor = fmin((double)most / (double)large, (double)n / (double)small);
    if (image_filter_is_cv2(s->filter)) {
        p->width = (int64_t)floor((double)width * factor + 0.5);
        p->height = (int64_t)floor((double)height * factor + 0.5);
    } else {
        const int64_t side = large * n > most * small
                                 ? (int64_t)nearbyint((double)(most * small) / (double)large)
                                 : n;
        p->width = width <= height ? side : side * width / height;
        p->height = height <= width ? side : side * height / width;
    }
    p->width = oc_max(p->width, (int64_t)1);
    p->height = oc_max(p->height, (int64_t)1);
}

static void place_whole(const image_sizing *s, int width, int height, image_placing *p)
{
    if (s->how == IMAGE_STRETCH)
        return;
    if (s->no_enlarge && s->how != IMAGE_CROP && width <= s->width && height <= s->height) {
        p->width = width;
        p->height = height;
    } else if (s->shorter && s->how == IMAGE_CORNER) {
        scale_to_sides(s, width, height, p);
    } else if (image_filter_is_cv2(s->filter)) {
        scale_by_factor(s, width, height, p);
    } else {
        scale_to_touch(s, width, height, p);
    }
    if (s->multiple) {
        p->total_width = next_multiple(p->width, s->multiple);
        p->total_height = next_multiple(p->height, s->multiple);
    }
    if (s->how == IMAGE_CORNER)
        return;
    p->left = (p->total_width - p->width) / 2;
    p->top = (p->total_height - p->height) / 2;
}

/* Returns the multiple of n that is nearest to side, ties to even, but not less than least. */
static int64_t near_multiple(double side, int n, int least)
{
    const int64_t near = (int64_t)nearbyint(side / n) * n;
    return near < least ? (int64_t)ceil(side / n) * n : near;
}

/* Returns where a side begins that is longer than the whole by `more`, or shorter, below 0. */
static int64_t middle_of(int64_t more)
{
    return more > 0 ? -(int64_t)nearbyint((double)more / 2) : -more / 2;
}

static void place_short(const image_sizing *s, int64_t width, int64_t height, image_placing *p)
{
    const int64_t n = s->shorter;
    if (s->multiple) {
        const double factor = fmax((double)n / (double)width, (double)n / (double)height);
        p->width = near_multiple(factor * (double)width, s->multiple, s->shorter);
        p->height = near_multiple(factor * (double)height, s->multiple, s->shorter);
    } else {
        p->width = width <= height ? n : n * width / height;
        p->height = height <= width ? n : n * height / width;
    }
    if (!s->width) {
        p->total_width = p->width;
        p->total_height = p->height;
    }
    p->left = middle_of(p->width - p->total_width);
    p->top = middle_of(p->height - p->total_height);
}

image_placing image_place(const image_sizing *s, int width, int height)
{
    image_placing p = {s->width, s->height, s->width, s->height, 0, 0};
    if (s->how == IMAGE_SHORT)
        place_short(s, width, height, &p);
    else
        place_whole(s, width, height, &p);
    return p;
}
