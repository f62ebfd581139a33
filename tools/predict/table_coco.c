/* SPDX-License-Identifier: Apache-2.0
 * table_coco.c - numbers images and annotations, and lists categories. */
#include "predict/table_coco.h"

#include "common/data.h"

static void put_text(io_file *out, const char *text)
{
    io_put(out, text, strlen(text));
}

void coco_begin(coco *c, io_file *out)
{
    *c = (coco){.out = out};
    put_text(out, "{\"info\": {}, \"licenses\": [], \"annotations\": [");
}

/* Returns the place of the first label that is not less. */
static int find_label(const coco *c, int64_t label)
{
    int low = 0, high = c->n_labels;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (c->label[middle] < label)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void note_label(coco *c, int64_t label)
{
    const int at = find_label(c, label);
    if (at < c->n_labels && c->label[at] == label)
        return;
    c->label = tool_push(c->label, (size_t)c->n_labels, sizeof *c->label);
    memmove(c->label + at + 1, c->label + at, (size_t)(c->n_labels - at) * sizeof *c->label);
    c->label[at] = label;
    c->n_labels++;
}

/* Writes an annotation whose other entries are the line; the first of these is its category. */
static void put_annotation(coco *c, const char *line, size_t size)
{
    char ids[96];
    const char *category = memchr(line, ' ', size);
    if (category)
        note_label(c, strtoll(category, NULL, 10) - 1);
    snprintf(ids, sizeof ids, "%s\n{\"id\": %" PRId64 ", \"image_id\": %" PRId64 ", ",
             c->n_annotations ? "," : "", c->n_annotations + 1, c->image);
    c->n_annotations++;
    put_text(c->out, ids);
    io_put(c->out, line, size);
    put_text(c->out, "}");
}

void coco_put(coco *c, const rows *r, int64_t index)
{
    const char *line = (const char *)r->text.bytes.data, *end = line + r->text.bytes.size;
    const int points = r->head.bytes.size ? atoi((const char *)r->head.bytes.data) : 0;
    c->n_points = points > c->n_points ? points : c->n_points;
    for (const char *stop; line < end; line = stop + 1) {
        stop = memchr(line, '\n', (size_t)(end - line));
        if (!stop)
            return;
        const size_t size = (size_t)(stop - line);
        if (line != (const char *)r->text.bytes.data) {
            put_annotation(c, line, size);
            continue;
        }
        text_put(&c->images, "%s\n{\"id\": %" PRId64 ", ", c->image ? "," : "", index + 1);
        text_bytes(&c->images, line, size);
        text_put(&c->images, "}");
        c->image = index + 1;
    }
}

/* ---- categories ---- */

static void put_points(text_build *to, const coco *c, const table_options *o)
{
    const metadata_names *names = o->point_names;
    text_put(to, ", \"keypoints\": [");
    for (int i = 0; i < c->n_points; i++) {
        char number[32];
        snprintf(number, sizeof number, "%d", i);
        text_put(to, i ? ", " : "");
        text_json(to, names && i < names->n && names->name[i] ? names->name[i] : number);
    }
    text_put(to, "], \"skeleton\": []");
}

static void put_categories(text_build *to, const coco *c, const table_options *o)
{
    char number[32];
    for (int i = 0; i < c->n_labels; i++) {
        text_put(to, "%s\n{\"id\": %" PRId64 ", \"name\": ", i ? "," : "", c->label[i] + 1);
        text_json(to, rows_name(o, c->label[i], number));
        text_put(to, ", \"supercategory\": \"\"");
        if (c->n_points)
            put_points(to, c, o);
        text_put(to, "}");
    }
}

void coco_end(coco *c, const table_options *o, oc_error *e)
{
    text_build categories = {0};
    for (int i = 0; o->names && i < o->names->n; i++)
        if (o->names->name[i])
            note_label(c, i);
    put_categories(&categories, c, o);
    if (categories.failed || c->images.failed)
        data_fail(c->images.bytes.size, "table", e);
    put_text(c->out, "\n], \"images\": [");
    io_put(c->out, c->images.bytes.data, c->images.bytes.size);
    put_text(c->out, "\n], \"categories\": [");
    io_put(c->out, categories.bytes.data, categories.bytes.size);
    put_text(c->out, "\n]}\n");
    text_free(&categories);
}

void coco_free(coco *c)
{
    text_free(&c->images);
    free(c->label);
    *c = (coco){0};
}
