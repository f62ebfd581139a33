/* SPDX-License-Identifier: Apache-2.0
 * image_view.h - where is each sample of a picture in a tensor? */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct image_view {
    int channels, height, width;
    int64_t channel_step, row_step, pixel_step; /* in elements */
    bool channels_last;
} image_view;

static inline image_view image_view_of(int channels, int height, int width, bool channels_last)
{
    image_view v = {.channels = channels, .height = height, .width = width};
    v.channels_last = channels_last;
    v.channel_step = channels_last ? 1 : (int64_t)height * width;
    v.pixel_step = channels_last ? channels : 1;
    v.row_step = v.pixel_step * width;
    return v;
}

static inline bool image_is_channel_count(int64_t n)
{
    return n == 1 || n == 3 || n == 4;
}

/* Does the last axis look like channels, while the axis that holds them in NCHW does not? */
static inline bool image_looks_channels_last(int rank, const int64_t *dim)
{
    return rank >= 3 && image_is_channel_count(dim[rank - 1]) &&
           !image_is_channel_count(dim[rank - 3]);
}
