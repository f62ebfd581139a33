/* SPDX-License-Identifier: Apache-2.0
 * table_text.c - rows of aligned columns, for people. */
#include "answer/table_rows.h"

#include "base/int.h"
#include "base/utf8.h"
#include "common/text_width.h"
#include "common/data.h"
#include "answer/grid_stats.h"

enum {
    WIDEST_FILE = 40,
    WIDEST_LABEL = 30,
    FEW_POINTS = 5 /* most points whose places are shown */
};

/* Appends a text, in which what cannot be shown is \x1b, and blanks up to a width in columns. */
static void put_padded(text_build *to, const char *text, int width)
{
    const int shown = text_width(text);
    for (size_t left = strlen(text), n; left; text += n, left -= n) {
        const unsigned char *s = (const unsigned char *)text;
        n = oc_utf8_shown(s, left);
        if (n)
            text_bytes(to, s, n);
        else
            text_put(to, "\\x%02x", *s);
        n = n ? n : 1;
    }
    text_put(to, "%*s", oc_max(width - shown, 0), "");
}

/* All rows have labels of equal width, that of the longest name. */
static int label_width(const table_options *o)
{
    int width = 5;
    for (int i = 0; o->names && i < o->names->n; i++)
        if (o->names->name[i])
            width = oc_max(width, text_width(o->names->name[i]));
    return oc_min(width, WIDEST_LABEL);
}

static void put_file(text_build *to, const table_options *o, const char *file)
{
    put_padded(to, file, oc_max(oc_min(o->widest, WIDEST_FILE), 4));
    text_put(to, "  ");
}

static void end_row(text_build *to)
{
    while (to->bytes.size && to->bytes.data[to->bytes.size - 1] == ' ')
        to->bytes.size--;
    text_put(to, "\n");
}

/* ---- objects ---- */

static void put_titles(text_build *to, const answer *a)
{
    if (a->score)
        text_put(to, "  score");
    if (a->box)
        text_put(to, "  %7s %7s %7s %7s", "left", "top", "right", "bottom");
    if (a->point)
        text_put(to, "  points");
}

static void put_points(text_build *to, const answer *a, int i)
{
    const float *p = a->point + 3 * (size_t)i * (size_t)a->n_points;
    int sure = 0;
    for (int k = 0; k < a->n_points; k++) {
        sure += p[3 * k + 2] >= 0.5f;
        if (a->n_points <= FEW_POINTS)
            text_put(to, "%s%.1f,%.1f", k ? " " : "  ", (double)p[3 * k], (double)p[3 * k + 1]);
    }
    if (a->n_points > FEW_POINTS)
        text_put(to, "  %d of %d", sure, a->n_points);
}

static void put_object(text_build *to, const table_options *o, const answer *a, int i, int width)
{
    char text[32];
    put_padded(to, a->label ? rows_name(o, a->label[i], text) : "", width);
    if (a->score)
        text_put(to, "  %5.3f", (double)a->score[i]);
    for (int k = 0; a->box && k < 4; k++)
        text_put(to, "%s%7.1f", k ? " " : "  ", (double)a->box[4 * (size_t)i + (size_t)k]);
    if (a->point)
        put_points(to, a, i);
}

static void put_objects(rows *r, const table_options *o, const char *file, const answer *a)
{
    const int width = a->label ? label_width(o) : 0;
    put_file(&r->head, o, "file");
    put_padded(&r->head, a->label ? "label" : "", width);
    put_titles(&r->head, a);
    end_row(&r->head);
    for (int i = 0; i < a->n; i++) {
        put_file(&r->text, o, file);
        put_object(&r->text, o, a, i, width);
        end_row(&r->text);
    }
    if (a->n == 0) {
        put_file(&r->text, o, file);
        text_put(&r->text, "nothing\n");
        if (!a->label && !a->score && !a->box)
            r->head.bytes.size = 0; /* the next photograph's objects tell the columns */
    }
}

/* ---- maps and texts ---- */

static void put_classes(rows *r, const table_options *o, const char *file, const answer *a,
                        oc_error *e)
{
    char text[32];
    int n;
    const double all = (double)a->width * a->height;
    grid_class *c = grid_classes(a, &n, e);
    put_file(&r->head, o, "file");
    put_padded(&r->head, "label", label_width(o));
    text_put(&r->head, "   share\n");
    for (int i = 0; i < n; i++) {
        put_file(&r->text, o, file);
        put_padded(&r->text, rows_name(o, c[i].label, text), label_width(o));
        text_put(&r->text, "  %4.1f %%\n", 100 * (double)c[i].area / all);
    }
    data_free(c);
}

static void put_range(rows *r, const table_options *o, const char *file, const answer *a,
                      rows_kind kind, oc_error *e)
{
    grid_range range;
    const bool any =
        kind == ROWS_DEPTH ? grid_depth_range(a, &range, e) : grid_flow_range(a, &range, e);
    put_file(&r->head, o, "file");
    text_put(&r->head, "%10s %10s %10s\n", "least", "mean", "greatest");
    put_file(&r->text, o, file);
    if (any)
        text_put(&r->text, "%10.4g %10.4g %10.4g\n", range.least, range.mean, range.greatest);
    else
        text_put(&r->text, "nothing\n");
}

static void put_read(rows *r, const table_options *o, const char *file, const answer *a)
{
    float score;
    put_file(&r->head, o, "file");
    text_put(&r->head, "score  text\n");
    put_file(&r->text, o, file);
    if (answer_text_score(a, &score))
        text_put(&r->text, "%5.3f  ", (double)score);
    else
        text_put(&r->text, "%5s  ", "");
    put_padded(&r->text, a->text, 0);
    end_row(&r->text);
}

void rows_put_missing(rows *r, const table_options *o, const char *file)
{
    put_file(&r->text, o, file);
    text_put(&r->text, "no answer\n");
}

void rows_put_text(rows *r, const table_options *o, const char *file, const answer *a, oc_error *e)
{
    const rows_kind kind = rows_kind_of(a);
    if (kind == ROWS_TEXT)
        put_read(r, o, file, a);
    else if (kind == ROWS_OBJECTS)
        put_objects(r, o, file, a);
    else if (kind == ROWS_CLASSES)
        put_classes(r, o, file, a, e);
    else
        put_range(r, o, file, a, kind, e);
}
