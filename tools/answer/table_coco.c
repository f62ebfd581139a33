/* SPDX-License-Identifier: Apache-2.0
 * table_coco.c - numbers images and annotations, and lists categories. */
#include "answer/table_coco.h"

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

/* Returns the place of the first id that is not less. */
static int find_category(const coco *c, int64_t id)
{
    int low = 0, high = c->n_categories;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (c->category[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void note_category(coco *c, int64_t id)
{
    const int at = find_category(c, id);
    if (at < c->n_categories && c->category[at] == id)
        return;
    c->category = tool_push(c->category, (size_t)c->n_categories, sizeof *c->category);
    memmove(c->category + at + 1, c->category + at,
            (size_t)(c->n_categories - at) * sizeof *c->category);
    c->category[at] = id;
    c->n_categories++;
}

/* Writes an annotation whose other entries are the line; the first of these is its category. */
static void put_annotation(coco *c, const char *line, size_t size)
{
    char ids[96];
    const char *category = memchr(line, ' ', size);
    if (category)
        note_category(c, strtoll(category, NULL, 10));
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

/* Returns the label whose id is that one, or the next less. */
static int64_t label_of(metadata_coco numbering, int64_t id)
{
    int64_t label = id;
    while (label > INT64_MIN && metadata_coco_id(numbering, label) > id)
        label--;
    return label;
}

static void put_categories(text_build *to, const coco *c, const table_options *o,
                           metadata_coco numbering)
{
    char number[32];
    for (int i = 0; i < c->n_categories; i++) {
        text_put(to, "%s\n{\"id\": %" PRId64 ", \"name\": ", i ? "," : "", c->category[i]);
        text_json(to, rows_name(o, label_of(numbering, c->category[i]), number));
        text_put(to, ", \"supercategory\": \"\"");
        if (c->n_points)
            put_points(to, c, o);
        text_put(to, "}");
    }
}

void coco_end(coco *c, const table_options *o, oc_error *e)
{
    text_build categories = {0};
    const metadata_coco numbering = o->names ? metadata_coco_of(o->names) : METADATA_NO_COCO;
    for (int i = 0; o->names && i < o->names->n; i++)
        if (o->names->name[i])
            note_category(c, metadata_coco_id(numbering, i));
    put_categories(&categories, c, o, numbering);
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
    free(c->category);
    *c = (coco){0};
}
