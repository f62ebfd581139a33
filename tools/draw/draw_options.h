/* SPDX-License-Identifier: Apache-2.0
 * draw_options.h - which parts of an answer are drawn, where, and how large. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum draw_part {
    DRAW_BOXES = 1 << 0,   /* boxes, and rotated ones */
    DRAW_LABELS = 1 << 1,  /* names and scores of objects; without boxes as a list */
    DRAW_MASKS = 1 << 2,   /* the area of each object, and its outline */
    DRAW_POINTS = 1 << 3,  /* points of objects, and the lines between them */
    DRAW_CLASSES = 1 << 4, /* the area of each class */
    DRAW_LEGEND = 1 << 5,  /* names of the classes that occur */
    DRAW_FLOW = 1 << 6,    /* motion, by the colours of Middlebury's wheel */
    DRAW_DEPTH = 1 << 7,   /* from the least value, black, to the greatest, pale yellow */
    DRAW_TEXT = 1 << 8,    /* what was read */
    DRAW_ALL = (1 << 9) - 1,
    /* Not in DRAW_ALL, and in place of DRAW_MASKS: each mask by its probabilities, from clear to
     * pale yellow. */
    DRAW_HEAT = 1 << 9
} draw_part;

/* Where flow and depth are drawn. */
typedef enum draw_place {
    DRAW_BESIDE, /* to the right of the photograph: the picture becomes twice as wide */
    DRAW_OVER    /* over the photograph, which shows through */
} draw_place;

/* Returns the name of a label, in UTF-8 and not NUL-terminated, with its size in *size; NULL when
 * the label has no name. */
typedef const char *draw_name(const void *from, int64_t label, size_t *size);

/* All fields may be 0. */
typedef struct draw_options {
    const char *where; /* the picture's name, for errors; NULL: "picture" */
    draw_name *name;   /* NULL: labels are shown as numbers */
    const void *names; /* the first argument of name */
    unsigned parts;    /* each a draw_part; 0: DRAW_ALL */
    int place;         /* a draw_place */
    /* Width of lines in pixels; 0: by the size of the picture, and less for small objects. */
    int line;
    /* Height of text in pixels, about; 0: by the size of the picture, and half for narrow objects.
     */
    int letters;
    bool by_object; /* true: objects have colours of their own; false: those of their labels */
    /* Points of a lower confidence are left out; 0: 0.5. */
    double least_confidence;
} draw_options;
