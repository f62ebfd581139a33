/* SPDX-License-Identifier: Apache-2.0
 * mask_runs.h - which pixels of a photograph a mask covers, as runs down its columns, which is
 * COCO's run-length encoding. */
#pragma once

#include "files/text_build.h"
#include "answer/answer.h"

/* Starts as all zero. Lengths of runs of pixels that are outside, inside, outside ... column by
 * column from the left, each from the top; the first may be 0. */
typedef struct mask_runs {
    uint32_t *run;
    int n, room;
    int64_t area;                 /* pixels inside */
    int left, top, right, bottom; /* the least frame around them; all 0: there are none */
} mask_runs;

/* Sets *r to the pixels of object i: those whose centres lie in its box and where its mask,
 * bilinear between the centres of its cells, is 0.5 or more. OC_CANCELLED after SIGINT. Free with
 * mask_runs_free, also after an error. */
void mask_runs_object(mask_runs *r, const answer *a, int i, oc_error *e);
/* Sets *r to the pixels whose nearest cell is of the class. */
void mask_runs_class(mask_runs *r, const answer *a, int64_t label, oc_error *e);
/* Appends the runs as pycocotools compresses them: characters '0' to 'o'. */
void mask_runs_put(const mask_runs *r, text_build *to);
void mask_runs_free(mask_runs *r);
