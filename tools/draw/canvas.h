/* SPDX-License-Identifier: Apache-2.0
 * canvas.h - draws plain shapes into 8-bit pixels.
 *
 * Nothing outside the canvas is touched, whatever the coordinates are. Coordinates are those of
 * edges: pixel (x, y) covers x to x + 1 and y to y + 1. */
#pragma once

#include "draw/palette.h"

#include <stddef.h>

/* A part of a picture: three samples, 0 to 255, for each pixel. */
typedef struct canvas {
    uint16_t *sample;
    int width, height;
    size_t stride; /* samples from one row to the next */
} canvas;

/* How much of a pixel a colour covers. */
enum { CANVAS_CLEAR = 0, CANVAS_OPAQUE = 256 };

/* Returns the sample below a colour's sample of that opacity. */
static inline uint16_t canvas_mix(unsigned below, unsigned colour, unsigned opacity)
{
    return (uint16_t)((below * (CANVAS_OPAQUE - opacity) + colour * opacity + 128) >> 8);
}

/* Colours one pixel, which lies on the canvas. */
static inline void canvas_dot(const canvas *c, int x, int y, rgb colour, unsigned opacity)
{
    uint16_t *at = c->sample + (size_t)y * c->stride + 3 * (size_t)x;
    at[0] = canvas_mix(at[0], colour.r, opacity);
    at[1] = canvas_mix(at[1], colour.g, opacity);
    at[2] = canvas_mix(at[2], colour.b, opacity);
}

/* Colours the pixels x0 to x1 - 1 of row y. */
void canvas_row(const canvas *c, int y, int x0, int x1, rgb colour, unsigned opacity);
/* Fills a rectangle. */
void canvas_fill(const canvas *c, int x0, int y0, int x1, int y1, rgb colour, unsigned opacity);
/* Draws the border of a rectangle, inside of it, of that width. */
void canvas_frame(const canvas *c, int x0, int y0, int x1, int y1, int width, rgb colour);
/* Draws a line with round ends and smooth edges; one without length is a disc. Nothing is drawn
 * when a coordinate or the width is no finite number. */
void canvas_line(const canvas *c, double x0, double y0, double x1, double y1, double width,
                 rgb colour);
