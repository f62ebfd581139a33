/* SPDX-License-Identifier: Apache-2.0
 * drawing.h - what the parts of draw_answer share: where they draw, how large, in which order. */
#pragma once

#include "answer/answer.h"
#include "draw/canvas.h"
#include "draw/draw_options.h"
#include "draw/font.h"

#include "common/tool.h"

enum { DRAWING_NAME = 240 }; /* bytes of a name that are shown, and of what follows it */

typedef struct drawing {
    const answer *a;
    draw_options o;   /* with all fields set */
    canvas photo;     /* the photograph */
    canvas beside;    /* to its right; width 0: nothing is drawn there */
    canvas below;     /* height 0: nothing is drawn there */
    int n;            /* objects to draw */
    const int *best;  /* their numbers, the greatest score first */
    int *shade;       /* of object k, which tells it from others of its label; NULL: all have one */
    char *read;       /* what was read, with its score; NULL: nothing */
    font font, small; /* small: of objects that are narrow for the other one */
    bool fits_line;   /* true: small objects have thin lines and small points */
} drawing;

/* A box on the photograph, in whole pixels: at least one wide and high. */
typedef struct drawing_box {
    int x0, y0, x1, y1;
} drawing_box;

/* The colour of object k, and of an area of class `label`. */
rgb drawing_colour(const drawing *d, int k);
rgb drawing_class_colour(int64_t label);
/* Finds the part of the photograph that box or corners of object k frame; all of it for an object
 * with neither. Returns false when there is no such part. */
bool drawing_frame(const answer *a, int k, drawing_box *b);
/* Returns the length in pixels of the longer side of object k, or of all its points; that of the
 * photograph for an object with neither. */
int drawing_side(const drawing *d, int k);
/* Returns how wide lines of object k are, in pixels. */
int drawing_line(const drawing *d, int k);
/* Writes the name of a label, or its number, and returns the size of the text. */
size_t drawing_name(const drawing *d, int64_t label, char text[DRAWING_NAME]);

/* ---- parts, in the order in which they are drawn ---- */

void draw_classes(drawing *d, oc_error *e);
void draw_flow(drawing *d, oc_error *e);
void draw_depth(drawing *d, oc_error *e);
void draw_masks(drawing *d, oc_error *e);
void draw_boxes(drawing *d);
void draw_points(drawing *d);
void draw_labels(drawing *d);
void draw_legend(drawing *d, oc_error *e);
/* Returns what was read, with its score; NULL: nothing. Free with free. */
char *drawing_read(const answer *a);
/* Returns the height of the area below the photograph that the text needs; 0: none, the text has
 * a box, or there is no text. The area is `width` wide. */
int draw_text_height(const drawing *d, int width);
void draw_text(drawing *d);
