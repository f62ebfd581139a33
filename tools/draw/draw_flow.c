/* SPDX-License-Identifier: Apache-2.0
 * draw_flow.c - motion and depth as colours, beside the photograph or over it. */
#include "draw/draw_grid.h"
#include "draw/drawing.h"

#include "common/data.h"
#include "common/signals.h"

#include <math.h>

enum { OVER_OPACITY = 160 };

/* Returns where flow and depth are drawn. */
static const canvas *find_canvas(const drawing *d, unsigned *opacity)
{
    const bool over = d->beside.width == 0;
    *opacity = over ? OVER_OPACITY : CANVAS_OPAQUE;
    return over ? &d->photo : &d->beside;
}

/* Returns true, and sets the error, after SIGINT. */
static bool is_cancelled(const drawing *d, oc_error *e)
{
    if (signals_cancelled(NULL))
        tool_fail(e, OC_CANCELLED, "%s: cancelled", d->o.where);
    return e->code != OC_OK;
}

/* ---- motion ---- */

/* Returns the greatest speed of the cells that the photograph covers. */
static double find_speed(const draw_grid *g, const answer *a)
{
    const size_t plane = (size_t)g->width * (size_t)g->height;
    int x0, x1, y0, y1;
    draw_grid_used(g, a, &x0, &y0, &x1, &y1);
    double greatest = 0;
    for (int y = y0; y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            const float *at = a->flow + (size_t)y * (size_t)g->width + (size_t)x;
            const double dx = at[0], dy = at[plane], squares = dx * dx + dy * dy;
            greatest = isfinite(squares) && squares > greatest ? squares : greatest;
        }
    return sqrt(greatest);
}

/* Draws with g the motion to the right, and with h, another line of cells, the motion down. */
static void draw_motion(drawing *d, const draw_grid *g, const draw_grid *h, oc_error *e)
{
    const size_t plane = (size_t)g->width * (size_t)g->height;
    unsigned opacity;
    const canvas *c = find_canvas(d, &opacity);
    rgb wheel[PALETTE_WHEEL + 1];
    palette_wheel(wheel);
    const double unit = find_speed(g, d->a) + 1.1920928955078125e-7; /* FLT_EPSILON: never 0 */
    for (int y = 0; y < c->height && !is_cancelled(d, e); y++) {
        draw_grid_line(g, d->a->flow, y, 0, g->width - 1);
        draw_grid_line(h, d->a->flow + plane, y, 0, g->width - 1);
        for (int x = 0; x < c->width; x++) {
            const draw_between at = g->column[x];
            canvas_dot(
                c, x, y,
                palette_motion(wheel, draw_grid_at(g, at) / unit, draw_grid_at(h, at) / unit),
                opacity);
        }
    }
}

void draw_flow(drawing *d, oc_error *e)
{
    if (!d->a->flow || !(d->o.parts & DRAW_FLOW) || e->code != OC_OK)
        return;
    draw_grid g, h;
    draw_grid_open(&g, d->a, d->o.where, e);
    h = g;
    h.line = data_alloc((size_t)g.width * sizeof *h.line, d->o.where, e);
    if (e->code == OC_OK)
        draw_motion(d, &g, &h, e);
    data_free(h.line);
    draw_grid_close(&g);
}

/* ---- depth ---- */

static void draw_values(drawing *d, const draw_grid *g, float least, float greatest, oc_error *e)
{
    unsigned opacity;
    const canvas *c = find_canvas(d, &opacity);
    rgb level[PALETTE_LEVELS];
    palette_levels(level);
    const double range = (double)greatest - least;
    for (int y = 0; y < c->height && !is_cancelled(d, e); y++) {
        draw_grid_line(g, d->a->depth, y, 0, g->width - 1);
        for (int x = 0; x < c->width; x++) {
            const double v = ((double)draw_grid_at(g, g->column[x]) - least) / range;
            const double part = v > 0 ? (v < 1 ? v : 1) : 0; /* NaN is 0 */
            canvas_dot(c, x, y, level[(int)(part * (PALETTE_LEVELS - 1) + 0.5)], opacity);
        }
    }
}

void draw_depth(drawing *d, oc_error *e)
{
    if (!d->a->depth || !(d->o.parts & DRAW_DEPTH) || e->code != OC_OK)
        return;
    draw_grid g;
    float least, greatest;
    draw_grid_open(&g, d->a, d->o.where, e);
    if (e->code == OC_OK && draw_grid_range(&g, d->a, d->a->depth, &least, &greatest))
        draw_values(d, &g, least, greatest, e);
    draw_grid_close(&g);
}
