/* SPDX-License-Identifier: Apache-2.0
 * table_json.c - the answer for a photograph as a line of JSON, and as entries of COCO's images and
 * annotations. */
#include "answer/table_rows.h"

#include "common/data.h"
#include "answer/grid_stats.h"
#include "answer/mask_runs.h"

#include <math.h>

/* Most classes of a map that are written, those of the largest areas. */
enum { MOST_CLASSES = 1000 };

/* ---- values ---- */

static void put_number(text_build *to, float x)
{
    if (isfinite(x))
        text_float(to, x);
    else
        text_put(to, "null");
}

/* Appends "[x, y, z]". */
static void put_numbers(text_build *to, const float *x, int n)
{
    for (int i = 0; i < n; i++) {
        text_put(to, i ? ", " : "[");
        put_number(to, x[i]);
    }
    text_put(to, n ? "]" : "[]");
}

/* Appends n lists of `each` numbers as a list. */
static void put_lists(text_build *to, const float *x, int n, int each)
{
    text_put(to, "[");
    for (int i = 0; i < n; i++) {
        text_put(to, i ? ", " : "");
        put_numbers(to, x + (size_t)i * (size_t)each, each);
    }
    text_put(to, "]");
}

static void put_mask(text_build *to, const answer *a, const mask_runs *runs)
{
    text_build counts = {0};
    mask_runs_put(runs, &counts);
    text_put(to, "{\"size\": [%d, %d], \"counts\": ", a->height, a->width);
    text_json(to, text_string(&counts));
    to->failed = to->failed || counts.failed;
    text_put(to, "}");
    text_free(&counts);
}

/* Appends the label and its name, which is null where it has none. */
static void put_label(text_build *to, const table_options *o, int64_t label)
{
    const metadata_names *names = o->names;
    const bool named = names && label >= 0 && label < names->n && names->name[label];
    text_put(to, "\"label\": %" PRId64 ", \"name\": ", label);
    if (named)
        text_json(to, names->name[label]);
    else
        text_put(to, "null");
}

/* ---- a line ---- */

/* Begins one more entry of an object in the making. */
static void key(text_build *to, bool *begun, const char *name)
{
    text_put(to, "%s\"%s\": ", *begun ? ", " : "", name);
    *begun = true;
}

static void put_object(text_build *to, const table_options *o, const answer *a, int i,
                       mask_runs *runs, oc_error *e)
{
    const size_t at = (size_t)i;
    bool begun = a->label != NULL;
    text_put(to, "{");
    if (a->label)
        put_label(to, o, a->label[i]);
    if (a->score) {
        key(to, &begun, "score");
        put_number(to, a->score[i]);
    }
    if (a->box) {
        key(to, &begun, "box");
        put_numbers(to, a->box + 4 * at, 4);
    }
    if (a->corner) {
        key(to, &begun, "corners");
        put_lists(to, a->corner + 8 * at, 4, 2);
    }
    if (a->point) {
        key(to, &begun, "points");
        put_lists(to, a->point + 3 * at * (size_t)a->n_points, a->n_points, 3);
    }
    if (a->mask) {
        mask_runs_object(runs, a, i, e);
        key(to, &begun, "area");
        text_put(to, "%" PRId64, runs->area);
        key(to, &begun, "mask");
        put_mask(to, a, runs);
    }
    text_put(to, "}");
}

static void put_objects(text_build *to, const table_options *o, const answer *a, oc_error *e)
{
    mask_runs runs = {0};
    text_put(to, ", \"objects\": [");
    for (int i = 0; i < a->n && e->code == OC_OK; i++) {
        text_put(to, i ? ", " : "");
        put_object(to, o, a, i, &runs, e);
    }
    text_put(to, "]");
    mask_runs_free(&runs);
}

static void put_classes(text_build *to, const table_options *o, const answer *a, oc_error *e)
{
    mask_runs runs = {0};
    int n;
    const double all = (double)a->width * a->height;
    grid_class *c = grid_classes(a, &n, e);
    text_put(to, ", \"classes\": [");
    for (int i = 0; i < n && i < MOST_CLASSES && e->code == OC_OK; i++) {
        mask_runs_class(&runs, a, c[i].label, e);
        text_put(to, i ? ", {" : "{");
        put_label(to, o, c[i].label);
        text_put(to, ", \"area\": %" PRId64 ", \"share\": ", c[i].area);
        put_number(to, (float)((double)c[i].area / all));
        text_put(to, ", \"mask\": ");
        put_mask(to, a, &runs);
        text_put(to, "}");
    }
    text_put(to, "]");
    mask_runs_free(&runs);
    data_free(c);
}

static void put_range(text_build *to, const char *name, bool any, const grid_range *range)
{
    const float x[] = {any ? (float)range->least : NAN, any ? (float)range->mean : NAN,
                       any ? (float)range->greatest : NAN};
    static const char *const names[] = {"least", "mean", "greatest"};
    text_put(to, ", \"%s\": {", name);
    for (int i = 0; i < 3; i++) {
        text_put(to, "%s\"%s\": ", i ? ", " : "", names[i]);
        put_number(to, x[i]);
    }
    text_put(to, "}");
}

static void put_read(text_build *to, const answer *a)
{
    float score;
    text_put(to, ", \"text\": ");
    text_json(to, a->text);
    if (answer_text_score(a, &score)) {
        text_put(to, ", \"score\": ");
        put_number(to, score);
    }
}

void rows_put_json(rows *r, const table_options *o, const char *file, const answer *a, oc_error *e)
{
    const float fit[] = {(float)a->fit[0], (float)a->fit[1], (float)a->fit[2], (float)a->fit[3]};
    text_build *to = &r->text;
    grid_range range;
    text_put(to, "{\"file\": ");
    text_json(to, file);
    text_put(to, ", \"width\": %d, \"height\": %d, \"input\": [%d, %d], \"fit\": ", a->width,
             a->height, a->input_width, a->input_height);
    put_numbers(to, fit, 4);
    if (a->text)
        put_read(to, a);
    if (rows_kind_of(a) == ROWS_OBJECTS)
        put_objects(to, o, a, e);
    if (a->cls)
        put_classes(to, o, a, e);
    if (a->depth)
        put_range(to, "depth", grid_depth_range(a, &range, e), &range);
    if (a->flow)
        put_range(to, "flow", grid_flow_range(a, &range, e), &range);
    text_put(to, "}\n");
}

/* ---- COCO ---- */

/* Appends the entries of a category and a frame: left, top, width and height. */
static void put_frame(text_build *to, const table_options *o, int64_t label, const float frame[4],
                      double area)
{
    const metadata_coco numbering = o->names ? metadata_coco_of(o->names) : METADATA_NO_COCO;
    text_put(to, "\"category_id\": %" PRId64 ", \"bbox\": ", metadata_coco_id(numbering, label));
    put_numbers(to, frame, 4);
    text_put(to, ", \"area\": ");
    put_number(to, (float)area);
    text_put(to, ", \"iscrowd\": 0");
}

static bool is_finite(const float *x, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

/* COCO's visibility is 2 for a point of a confidence of 0.5 or more; any other is 0, 0, 0. */
static void put_keypoints(text_build *to, const float *p, int n)
{
    int seen = 0;
    text_put(to, ", \"keypoints\": [");
    for (int k = 0; k < n; k++, p += 3) {
        const bool sure = is_finite(p, 3) && p[2] >= 0.5f;
        text_put(to, k ? ", " : "");
        if (sure) {
            text_float(to, p[0]);
            text_put(to, ", ");
            text_float(to, p[1]);
        }
        text_put(to, sure ? ", 2" : "0, 0, 0");
        seen += sure;
    }
    text_put(to, "], \"num_keypoints\": %d", seen);
}

/* Appends an annotation's line; one whose box is not finite is left out. */
static void put_annotation(text_build *to, const table_options *o, const answer *a, int i,
                           mask_runs *runs, oc_error *e)
{
    const float *box = a->box + 4 * (size_t)i;
    const float frame[] = {box[0], box[1], box[2] - box[0], box[3] - box[1]};
    if (!is_finite(frame, 4))
        return;
    if (a->mask)
        mask_runs_object(runs, a, i, e);
    put_frame(to, o, a->label ? a->label[i] : 0, frame,
              a->mask ? (double)runs->area : (double)frame[2] * (double)frame[3]);
    if (a->score) {
        text_put(to, ", \"score\": ");
        put_number(to, a->score[i]);
    }
    if (a->mask) {
        text_put(to, ", \"segmentation\": ");
        put_mask(to, a, runs);
    } else if (a->corner) {
        text_put(to, ", \"segmentation\": [");
        put_numbers(to, a->corner + 8 * (size_t)i, 8);
        text_put(to, "]");
    }
    if (a->point)
        put_keypoints(to, a->point + 3 * (size_t)i * (size_t)a->n_points, a->n_points);
    text_put(to, "\n");
}

static void put_class_annotations(text_build *to, const table_options *o, const answer *a,
                                  oc_error *e)
{
    mask_runs runs = {0};
    int n;
    grid_class *c = grid_classes(a, &n, e);
    for (int i = 0; i < n && i < MOST_CLASSES && e->code == OC_OK; i++) {
        mask_runs_class(&runs, a, c[i].label, e);
        const float frame[] = {(float)runs.left, (float)runs.top, (float)(runs.right - runs.left),
                               (float)(runs.bottom - runs.top)};
        put_frame(to, o, c[i].label, frame, (double)c[i].area);
        text_put(to, ", \"segmentation\": ");
        put_mask(to, a, &runs);
        text_put(to, "\n");
    }
    mask_runs_free(&runs);
    data_free(c);
}

void rows_put_coco(rows *r, const table_options *o, const char *file, const answer *a, oc_error *e)
{
    const rows_kind kind = rows_kind_of(a);
    mask_runs runs = {0};
    if (kind != ROWS_CLASSES && (kind != ROWS_OBJECTS || (a->n && !a->box))) {
        tool_fail(e, OC_ARGUMENT,
                  "%s: COCO has no place for an answer without boxes; expected a "
                  "table .csv, .tsv or .jsonl",
                  file);
        return;
    }
    text_put(&r->text, "\"file_name\": ");
    text_json(&r->text, file);
    text_put(&r->text, ", \"width\": %d, \"height\": %d\n", a->width, a->height);
    if (kind == ROWS_OBJECTS && a->point)
        text_put(&r->head, "%d", a->n_points);
    for (int i = 0; kind == ROWS_OBJECTS && i < a->n && e->code == OC_OK; i++)
        put_annotation(&r->text, o, a, i, &runs, e);
    if (kind == ROWS_CLASSES)
        put_class_annotations(&r->text, o, a, e);
    mask_runs_free(&runs);
}
