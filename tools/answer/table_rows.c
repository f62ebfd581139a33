/* SPDX-License-Identifier: Apache-2.0
 * table_rows.c - rows of fields with a separator between them. */
#include "answer/table_rows.h"

#include "base/utf8.h"
#include "common/data.h"
#include "answer/grid_stats.h"
#include "answer/mask_runs.h"

#include <math.h>

rows_kind rows_kind_of(const answer *a)
{
    return a->text && !a->box ? ROWS_TEXT
           : a->n || a->box || a->score || a->label || !(a->cls || a->depth || a->flow)
               ? ROWS_OBJECTS
           : a->cls   ? ROWS_CLASSES
           : a->depth ? ROWS_DEPTH
                      : ROWS_FLOW;
}

const char *rows_name(const table_options *o, int64_t label, char text[32])
{
    const metadata_names *names = o->names;
    if (names && label >= 0 && label < names->n && names->name[label])
        return names->name[label];
    snprintf(text, 32, "%" PRId64, label);
    return text;
}

/* ---- fields ---- */

/* A row in the making. titles: the titles of its fields are written in their place. */
typedef struct fields {
    text_build *to;
    char separator;
    bool titles, begun;
} fields;

/* Appends the text of a field, escaped for TSV. */
static void put_escaped(text_build *to, const char *text)
{
    static const char special[] = "\t\n\r\\", letters[] = "tnr\\";
    for (const char *found; *text; text++) {
        found = strchr(special, *text);
        if (found)
            text_put(to, "\\%c", letters[found - special]);
        else
            text_bytes(to, text, 1);
    }
}

static void put_quoted(text_build *to, const char *text)
{
    text_bytes(to, "\"", 1);
    for (; *text; text++)
        text_bytes(to, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    text_bytes(to, "\"", 1);
}

/* Returns a copy whose bytes that are not UTF-8 are U+FFFD. Free it with free. */
static char *valid_of(const char *text)
{
    size_t left = strlen(text);
    char *copy = tool_alloc(3 * left + 1, 1), *at = copy;
    for (size_t n; left; text += n, left -= n) {
        n = oc_utf8_size((const unsigned char *)text, left);
        memcpy(at, n ? text : "\xef\xbf\xbd", n ? n : 3);
        at += n ? n : 3;
        n = n ? n : 1;
    }
    return copy;
}

static void put_field(fields *f, const char *text)
{
    if (f->begun)
        text_bytes(f->to, &f->separator, 1);
    f->begun = true;
    char *valid = valid_of(text);
    const size_t size = strlen(valid);
    const bool edge = size && (valid[0] == ' ' || valid[size - 1] == ' ');
    if (f->separator == '\t')
        put_escaped(f->to, valid);
    else if (edge || strpbrk(valid, ",\"\r\n"))
        put_quoted(f->to, valid);
    else
        text_bytes(f->to, valid, size);
    free(valid);
}

static void field_text(fields *f, const char *title, const char *text)
{
    put_field(f, f->titles ? title : text);
}

static void field_int(fields *f, const char *title, int64_t n)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, n);
    field_text(f, title, text);
}

static void field_float(fields *f, const char *title, float x)
{
    field_text(f, title, "");
    if (!f->titles)
        text_float(f->to, x);
}

/* As field_float, with the title's letters and then a number from 1 on. */
static void field_numbered(fields *f, const char *title, int i, float x)
{
    char text[32];
    snprintf(text, sizeof text, "%s%d", title, i + 1);
    field_float(f, text, x);
}

static void end_row(fields *f)
{
    text_bytes(f->to, "\n", 1);
    f->begun = false;
}

/* The photograph, and how it lay in the network's input. */
static void put_photograph(fields *f, const char *file, const answer *a)
{
    field_text(f, "file", file);
    field_int(f, "width", a->width);
    field_int(f, "height", a->height);
    field_float(f, "scale_x", (float)a->fit[0]);
    field_float(f, "scale_y", (float)a->fit[1]);
    field_float(f, "offset_x", (float)a->fit[2]);
    field_float(f, "offset_y", (float)a->fit[3]);
}

static void put_label(fields *f, const table_options *o, const int64_t *label)
{
    char text[32];
    if (label)
        field_int(f, "label", *label);
    else
        field_text(f, "label", "");
    field_text(f, "name", label ? rows_name(o, *label, text) : "");
}

static void put_points(fields *f, const answer *a, int i)
{
    const float *p = a->point + 3 * (size_t)i * (size_t)a->n_points;
    for (int k = 0; k < a->n_points; k++, p += 3) {
        field_numbered(f, "x", k, p[0]);
        field_numbered(f, "y", k, p[1]);
        field_numbered(f, "confidence", k, p[2]);
    }
}

static void put_object(fields *f, const table_options *o, const answer *a, int i, int64_t area)
{
    static const char *const sides[] = {"left", "top", "right", "bottom"};
    put_label(f, o, a->label ? &a->label[i] : NULL);
    if (a->score)
        field_float(f, "score", a->score[i]);
    else
        field_text(f, "score", "");
    for (int k = 0; a->box && k < 4; k++)
        field_float(f, sides[k], a->box[4 * (size_t)i + (size_t)k]);
    for (int k = 0; a->corner && k < 4; k++) {
        field_numbered(f, "corner_x", k, a->corner[8 * (size_t)i + 2 * (size_t)k]);
        field_numbered(f, "corner_y", k, a->corner[8 * (size_t)i + 2 * (size_t)k + 1]);
    }
    if (a->point)
        put_points(f, a, i);
    if (a->mask)
        field_int(f, "area", area);
}

static void put_objects(fields *f, const table_options *o, const char *file, const answer *a,
                        oc_error *e)
{
    mask_runs runs = {0};
    for (int i = 0; i < (f->titles ? 1 : a->n) && e->code == OC_OK; i++) {
        if (a->mask && !f->titles)
            mask_runs_object(&runs, a, i, e);
        put_photograph(f, file, a);
        put_object(f, o, a, i, runs.area);
        end_row(f);
    }
    mask_runs_free(&runs);
}

static void put_class(fields *f, const table_options *o, const char *file, const answer *a,
                      const grid_class *c)
{
    put_photograph(f, file, a);
    put_label(f, o, &c->label);
    field_int(f, "area", c->area);
    field_float(f, "share", (float)((double)c->area / ((double)a->width * a->height)));
    end_row(f);
}

static void put_classes(fields *f, const table_options *o, const char *file, const answer *a,
                        oc_error *e)
{
    int n;
    grid_class *c = f->titles ? NULL : grid_classes(a, &n, e);
    if (f->titles)
        put_class(f, o, file, a, &(grid_class){0});
    for (int i = 0; c && i < n; i++)
        put_class(f, o, file, a, &c[i]);
    data_free(c);
}

static void put_range(fields *f, const char *file, const answer *a, rows_kind kind, oc_error *e)
{
    grid_range range = {0};
    const bool any = f->titles            ? false
                     : kind == ROWS_DEPTH ? grid_depth_range(a, &range, e)
                                          : grid_flow_range(a, &range, e);
    put_photograph(f, file, a);
    field_float(f, "least", any ? (float)range.least : NAN);
    field_float(f, "mean", any ? (float)range.mean : NAN);
    field_float(f, "greatest", any ? (float)range.greatest : NAN);
    end_row(f);
}

static void put_read(fields *f, const char *file, const answer *a)
{
    float score;
    put_photograph(f, file, a);
    field_text(f, "text", a->text);
    if (answer_text_score(a, &score))
        field_float(f, "score", score);
    else
        field_text(f, "score", "");
    end_row(f);
}

static void put_all(fields *f, const table_options *o, const char *file, const answer *a,
                    oc_error *e)
{
    const rows_kind kind = rows_kind_of(a);
    if (kind == ROWS_TEXT)
        put_read(f, file, a);
    else if (kind == ROWS_OBJECTS)
        put_objects(f, o, file, a, e);
    else if (kind == ROWS_CLASSES)
        put_classes(f, o, file, a, e);
    else
        put_range(f, file, a, kind, e);
}

void rows_put_fields(rows *r, const table_options *o, char separator, const char *file,
                     const answer *a, oc_error *e)
{
    fields row = {.to = &r->text, .separator = separator};
    fields titles = {.to = &r->head, .separator = separator, .titles = true};
    put_all(&row, o, file, a, e);
    if (e->code == OC_OK && (r->text.bytes.size || !a->width))
        put_all(&titles, o, file, a, e);
}
