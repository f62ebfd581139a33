/* SPDX-License-Identifier: Apache-2.0
 * interface_answer.c - keeps what a session has computed, and tells it. */
#include "common/data.h"
#include "interface/interface.h"
#include "answer/grid_axis.h"
#include "answer/mask_runs.h"
#include "answer/table_rows.h"

static const char where[] = "answer";

/* ---- keeping ---- */

/* Returns a copy of n elements; NULL for NULL. */
static void *keep(const void *from, size_t n, size_t each, oc_error *e)
{
    void *copy = from ? data_alloc(n * each + 1, where, e) : NULL; /* n may be 0 */
    if (copy && n)
        memcpy(copy, from, n * each);
    return copy;
}

/* Replaces the session's arrays by copies. */
static void keep_arrays(answer *a, oc_error *e)
{
    const answer of = *a;
    const size_t n = (size_t)a->n, cells = (size_t)a->grid_width * (size_t)a->grid_height;
    a->box = keep(of.box, 4 * n, sizeof *of.box, e);
    a->score = keep(of.score, n, sizeof *of.score, e);
    a->label = keep(of.label, n, sizeof *of.label, e);
    a->point = keep(of.point, 3 * n * (size_t)of.n_points, sizeof *of.point, e);
    a->corner = keep(of.corner, 8 * n, sizeof *of.corner, e);
    a->mask = keep(of.mask, n * cells, sizeof *of.mask, e);
    a->cls = keep(of.cls, cells, sizeof *of.cls, e);
    a->flow = keep(of.flow, 2 * cells, sizeof *of.flow, e);
    a->depth = keep(of.depth, cells, sizeof *of.depth, e);
    a->text = keep(of.text, of.text ? strlen(of.text) + 1 : 0, 1, e);
}

oc_answer *oc_photograph_answer(oc_photograph *f, const oc_session *session, oc_error *e)
{
    guard g;
    if (e->code != OC_OK || GUARD_FAILS(&g, e))
        return NULL;
    oc_answer *a = tool_alloc(1, sizeof *a);
    answer told;
    predictor_held held = {0};
    predictor_answer(&f->predictor->made, &f->fit, 0, session, &told, &held, e);
    a->predictor = f->predictor;
    a->given = given_share(f->given);
    if (e->code == OC_OK) {
        a->told = told;
        keep_arrays(&a->told, e);
    }
    predictor_held_free(&held);
    guard_end(&g);
    if (e->code == OC_OK)
        return a;
    oc_answer_free(a);
    return NULL;
}

void oc_answer_free(oc_answer *a)
{
    if (!a)
        return;
    const answer *t = &a->told;
    const void *const owned[] = {t->box,  t->score, t->label, t->point, t->corner,
                                 t->mask, t->cls,   t->flow,  t->depth, t->text};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        data_free((void *)(uintptr_t)owned[i]);
    given_free(a->given);
    free(a);
}

/* ---- telling ---- */

void oc_answer_describe_sized(const oc_answer *of, oc_answer_info *out, size_t out_size)
{
    static const answer nothing;
    const answer *a = of ? &of->told : &nothing;
    const oc_answer_info info = {
        .width = a->width,
        .height = a->height,
        .input_width = a->input_width,
        .input_height = a->input_height,
        .fit = {a->fit[0], a->fit[1], a->fit[2], a->fit[3]},
        .n = a->n,
        .boxes = a->box,
        .scores = a->score,
        .labels = a->label,
        .n_points = a->n_points,
        .points = a->point,
        .corners = a->corner,
        .grid_width = a->grid_width,
        .grid_height = a->grid_height,
        .masks = a->mask,
        .classes = a->cls,
        .flow = a->flow,
        .depth = a->depth,
        .text = a->text,
    };
    memset(out, 0, out_size);
    memcpy(out, &info, out_size < sizeof info ? out_size : sizeof info);
}

void oc_answer_mask(const oc_answer *of, int i, uint8_t *out, oc_error *e)
{
    const answer *a = &of->told;
    mask_runs runs = {0};
    if (!a->mask || i < 0 || i >= a->n)
        tool_fail(e, OC_ARGUMENT, "there is no mask %d: the answer has %d", i, a->mask ? a->n : 0);
    if (e->code == OC_OK)
        mask_runs_object(&runs, a, i, e);
    size_t at = 0; /* down the columns, from the left */
    const size_t height = (size_t)a->height, width = (size_t)a->width;
    for (int k = 0; k < runs.n && e->code == OC_OK; k++)
        for (uint32_t left = runs.run[k]; left; left--, at++)
            out[at % height * width + at / height] = k % 2 != 0;
    mask_runs_free(&runs);
}

void oc_answer_classes(const oc_answer *of, int64_t *out, oc_error *e)
{
    const answer *a = &of->told;
    if (!a->cls)
        tool_fail(e, OC_ARGUMENT, "the answer has no classes of pixels");
    if (e->code != OC_OK)
        return;
    grid_axis across = grid_columns(a, e), down = grid_rows(a, e);
    for (int y = 0; y < a->height && e->code == OC_OK; y++) {
        const int64_t *row = a->cls + (size_t)grid_nearest(&down, y) * (size_t)a->grid_width;
        for (int x = 0; x < a->width; x++)
            *out++ = row[grid_nearest(&across, x)];
    }
    grid_axis_free(&across);
    grid_axis_free(&down);
}

/* Writes what put appends for the answer. */
static void write_rows(const oc_answer *of, const oc_writer *out,
                       void (*put)(rows *, const table_options *, const char *, const answer *,
                                   oc_error *),
                       oc_error *e)
{
    const metadata *m = &of->predictor->made.metadata;
    const table_options names = {
        .names = &m->names, .point_names = &m->point_names, .widest = (int)strlen(of->given->name)};
    rows r = {0};
    put(&r, &names, of->given->name, &of->told, e);
    text_bytes(&r.head, text_string(&r.text), strlen(text_string(&r.text)));
    const char *text = text_string(&r.head);
    if (r.text.failed || r.head.failed)
        tool_fail(e, OC_NOMEM, "%s: no memory for its text", where);
    if (e->code == OC_OK && !out->write(out->ctx, text, strlen(text)))
        tool_fail(e, OC_IO, "%s: it cannot be written", where);
    text_free(&r.text);
    text_free(&r.head);
}

void oc_answer_json(const oc_answer *of, const oc_writer *out, oc_error *e)
{
    guard g;
    if (e->code != OC_OK || GUARD_FAILS(&g, e))
        return;
    write_rows(of, out, rows_put_json, e);
    guard_end(&g);
}

void oc_answer_table(const oc_answer *of, const oc_writer *out, oc_error *e)
{
    guard g;
    if (e->code != OC_OK || GUARD_FAILS(&g, e))
        return;
    write_rows(of, out, rows_put_text, e);
    guard_end(&g);
}
