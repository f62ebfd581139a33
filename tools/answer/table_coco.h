/* SPDX-License-Identifier: Apache-2.0
 * table_coco.h - one data set of COCO, made of the rows of its images in their order. */
#pragma once

#include "answer/table_rows.h"

typedef struct coco {
    io_file *out;
    text_build images;
    int64_t image, n_annotations; /* ids of the last ones; 0: none */
    int64_t *category;            /* ids of those that have occurred, ascending */
    int n_categories;
    int n_points; /* the greatest number of points of an object */
} coco;

/* Annotations are written as they come; the images wait in memory until coco_end writes them and
 * the categories: all that have a name, and those that have occurred. */
void coco_begin(coco *c, io_file *out);
void coco_put(coco *c, const rows *r, int64_t index);
void coco_end(coco *c, const table_options *o, oc_error *e);
void coco_free(coco *c);
