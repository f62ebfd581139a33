/* SPDX-License-Identifier: Apache-2.0
 * palette.h - the colours of objects, probabilities, distances and motion in a picture. */
#pragma once

#include <stdint.h>

/* A colour in sRGB. */
typedef struct rgb {
    unsigned char r, g, b;
} rgb;

enum { PALETTE_COLOURS = 20, PALETTE_LEVELS = 256, PALETTE_WHEEL = 55, PALETTE_SHADES = 5 };
extern const rgb palette_black, palette_white;

/* Returns colour i of PALETTE_COLOURS. i may be any number: the first colour is that of 0 alone,
 * and the others repeat. Any two of them are told apart by eyes without the receptors for red
 * (protanopia) or for green (deuteranopia), too. */
rgb palette_colour(int64_t i);
/* Returns shade i of a colour, for i from 0 on: 0 is the colour itself, others are lighter or
 * darker, and PALETTE_SHADES of them repeat. */
rgb palette_shade(rgb c, int i);
/* Returns black or white, whichever is easier to read on that ground. */
rgb palette_ink(rgb ground);
/* Sets colours that are the lighter the higher the level is: from black, for level 0, by violet,
 * red and orange to a pale yellow. */
void palette_levels(rgb level[PALETTE_LEVELS]);
/* Sets the colour wheel of Middlebury's benchmark of optical flow, with its first colour once more
 * at the end. */
void palette_wheel(rgb wheel[PALETTE_WHEEL + 1]);
/* Returns the colour of a motion to the right by x and down by y, on that wheel: a direction is a
 * hue, and a speed, 1 being the greatest, a saturation. A motion that is no number is black. */
rgb palette_motion(const rgb wheel[PALETTE_WHEEL + 1], double x, double y);
