/* SPDX-License-Identifier: Apache-2.0
 * draw_places.h - where on a photograph is room for the plate of an object? */
#pragma once

#include "draw/drawing.h"

typedef struct draw_places {
    int width, height;  /* of the photograph */
    drawing_box *frame; /* of the objects; all zero: the object is not seen */
    drawing_box *plate; /* plates that have their places; all zero: none */
    int n;              /* objects; this number of frames, and at most of plates */
    int n_plates;
} draw_places;

/* A plate that needs a place at the frame `at`, whose line reaches `half` pixels out of it. */
typedef struct draw_plate {
    drawing_box at;
    int half, width, height;
} draw_plate;

/* Finds a place that is on the photograph, covers no other plate, and at most an eighth of any
 * frame, or of itself where the frame is low. Returns false when there is none. */
bool draw_places_clear(const draw_places *p, const draw_plate *plate, drawing_box *place);
/* Finds a place where no other plate is, whatever lies below, else the first on the photograph. */
drawing_box draw_places_any(const draw_places *p, const draw_plate *plate);
