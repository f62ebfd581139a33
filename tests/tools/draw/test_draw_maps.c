/* SPDX-License-Identifier: Apache-2.0
 * test_draw_maps.c - masks, classes, flow and depth: which pixel shows which cell, and as what? */
#include "draw/drawn.h"

#include <math.h>
#include <stdio.h>

enum { WIDE = 120, HIGH = 80, CELLS = 10, INPUT = 60 };

/* A photograph of 120 x 80 in the middle of an input of 60 x 60, over which lie 10 x 10 cells. */
static image letterboxed(answer *a)
{
    image m = drawn_gray(WIDE, HIGH, a);
    a->input_width = a->input_height = INPUT;
    a->fit[0] = a->fit[1] = 0.5;
    a->fit[3] = 10;
    a->grid_width = a->grid_height = CELLS;
    return m;
}

/* Where a pixel lies among the centres of the cells, 0 to 9. */
static double place(int pixel, double offset)
{
    const double at = ((pixel + 0.5) * 0.5 + offset) * CELLS / INPUT - 0.5;
    return fmin(fmax(at, 0), CELLS - 1);
}

/* The value between the cells at a pixel, by the definition. */
static double value_at(const float *cells, int x, int y)
{
    const double u = place(x, 0), v = place(y, 10);
    const int i = (int)fmin(u, CELLS - 2), j = (int)fmin(v, CELLS - 2);
    const float *at = cells + CELLS * j + i;
    const double upper = at[0] * (1 - (u - i)) + at[1] * (u - i);
    const double lower = at[CELLS] * (1 - (u - i)) + at[CELLS + 1] * (u - i);
    return upper * (1 - (v - j)) + lower * (v - j);
}

static void fill(float *cells, int n, uint32_t seed)
{
    suite_random r = suite_random_new(seed);
    for (int i = 0; i < n; i++)
        cells[i] = (float)suite_below(&r, 1000) / 999;
}

/* ---- masks ---- */

static bool is_inside(const float *cells, int x, int y)
{
    return x >= 10 && x < 110 && y >= 20 && y < 70 && value_at(cells, x, y) >= 0.5;
}

static bool is_border(const float *cells, int x, int y)
{
    for (int i = -1; i < 2; i++)
        for (int j = -1; j < 2; j++)
            if (!is_inside(cells, x + i, y + j))
                return true;
    return false;
}

/* Is the value at a pixel, or at one beside it, too near to a half for floats to tell? */
static bool is_doubtful(const float *cells, int x, int y)
{
    for (int i = -1; i < 2; i++)
        for (int j = -1; j < 2; j++)
            if (fabs(value_at(cells, x + i, y + j) - 0.5) < 1e-5)
                return true;
    return false;
}

START_TEST(a_mask_is_where_it_is_a_half)
{
    for (uint32_t seed = 1; seed < 20; seed++) {
        float cells[CELLS * CELLS];
        const float box[] = {10, 20, 110, 70};
        answer a;
        image m = letterboxed(&a);
        fill(cells, CELLS * CELLS, seed);
        a.n = 1;
        a.box = box;
        a.mask = cells;
        drawn_ok(&m, &a, &(draw_options){.parts = DRAW_MASKS, .line = 1});
        for (int y = 0; y < HIGH; y++)
            for (int x = 0; x < WIDE; x++) {
                if (is_doubtful(cells, x, y))
                    continue;
                const bool inside = is_inside(cells, x, y);
                suite_assert(drawn_is_gray(&m, x, y) == !inside, "pixel (%d, %d)", x, y);
                suite_assert(drawn_is(&m, x, y, palette_colour(0)) ==
                                 (inside && is_border(cells, x, y)),
                             "outline at (%d, %d)", x, y);
            }
        image_free(&m);
    }
}
END_TEST

/* The photograph shows through: between gray and the colour. */
START_TEST(a_mask_is_half_transparent)
{
    const float cells[4] = {1, 1, 1, 1};
    static const int widths[] = {WIDE, 3, 63, 64, 65, 127, 128, 129};
    for (int i = 0; i < 8; i++) {
        const int width = widths[i];
        answer a;
        image m = drawn_gray(width, HIGH, &a);
        a.n = 1;
        a.grid_width = a.grid_height = 2;
        a.mask = cells;
        drawn_ok(&m, &a, &(draw_options){.parts = DRAW_MASKS, .line = 2});
        const rgb c = palette_colour(0), mixed = drawn_at(&m, width / 2, 40);
        ck_assert_int_eq(drawn_count(&m, 1, 1, width - 1, HIGH - 1, mixed),
                         (width - 2) * (HIGH - 2));
        const int part = (mixed.r - GRAY) * 100 / (c.r - GRAY);
        ck_assert_msg(part > 35 && part < 60, "%d", part);
        ck_assert_int_eq(drawn_count(&m, 0, 0, width, HIGH, c), 2 * width + 2 * HIGH - 4);
        image_free(&m);
    }
}
END_TEST

/* The larger object is drawn first, whatever the scores are. */
START_TEST(a_small_mask_is_not_covered)
{
    float cells[2 * CELLS * CELLS];
    const float box[] = {40, 30, 70, 60, 0, 0, WIDE, HIGH}, score[] = {0.1F, 0.9F};
    answer a;
    image m = letterboxed(&a);
    for (int i = 0; i < 2 * CELLS * CELLS; i++)
        cells[i] = 1;
    a.n = 2;
    a.box = box;
    a.score = score;
    a.mask = cells;
    drawn_ok(&m, &a, &(draw_options){.parts = DRAW_MASKS, .by_object = true});
    drawn_assert(&m, 40, 40, palette_colour(0));
    image_free(&m);
}
END_TEST

/* Of three objects with two labels the better one of a label has its colour. */
START_TEST(masks_of_one_label_have_shades)
{
    float cells[3] = {1, 1, 1};
    const float box[] = {0, 0, 30, HIGH, 40, 0, 70, HIGH, 80, 0, WIDE, HIGH},
                score[] = {0.5F, 0.9F, 0.7F};
    const int64_t label[] = {2, 2, 1};
    answer a;
    image m = drawn_gray(WIDE, HIGH, &a);
    a.n = 3;
    a.grid_width = a.grid_height = 1;
    a.box = box;
    a.score = score;
    a.label = label;
    a.mask = cells;
    drawn_ok(&m, &a, &(draw_options){.parts = DRAW_MASKS | DRAW_BOXES, .line = 2});
    drawn_assert(&m, 0, 40, palette_shade(palette_colour(2), 1));
    drawn_assert(&m, 40, 40, palette_colour(2));
    drawn_assert(&m, 80, 40, palette_colour(1));
    image_free(&m);
}
END_TEST

START_TEST(heat_grows_with_probability)
{
    const float cells[3] = {0, 0.5F, 1};
    answer a;
    image m = drawn_gray(WIDE, HIGH, &a);
    a.n = 1;
    a.grid_width = 3;
    a.grid_height = 1;
    a.mask = cells;
    drawn_ok(&m, &a, &(draw_options){.parts = DRAW_HEAT});
    ck_assert(drawn_is_gray(&m, 0, 40));
    const rgb half = drawn_at(&m, WIDE / 2, 40), full = drawn_at(&m, WIDE - 1, 40);
    ck_assert_msg(full.r > 200 && full.g > 200 && half.r > 120 && half.g < 100, "%d %d, %d %d",
                  full.r, full.g, half.r, half.g);
    image_free(&m);
}
END_TEST

/* ---- classes ---- */

static const char *name(const void *from, int64_t label, size_t *size)
{
    const char *const *names = from;
    if (label < 0 || label > 2)
        return NULL;
    *size = strlen(names[label]);
    return names[label];
}

START_TEST(classes_have_their_colours)
{
    const int64_t cls[] = {0, 1, 2, -7};
    answer a;
    image m = drawn_gray(WIDE, HIGH, &a);
    a.grid_width = a.grid_height = 2;
    a.cls = cls;
    drawn_ok(&m, &a, &(draw_options){.parts = DRAW_CLASSES});
    static const int at[][3] = {{10, 10, 0}, {59, 39, 0}, {60, 39, 1}, {59, 40, 2}};
    for (int i = 0; i < 4; i++) {
        const rgb c = palette_colour(at[i][2]);
        const rgb mixed = {(unsigned char)((c.r + GRAY + 1) / 2),
                           (unsigned char)((c.g + GRAY + 1) / 2),
                           (unsigned char)((c.b + GRAY + 1) / 2)};
        drawn_assert(&m, at[i][0], at[i][1], mixed);
    }
    ck_assert(drawn_is_gray(&m, 110, 70)); /* a cell without a class */
    image_free(&m);
}
END_TEST

/* Three cells of one class round the corner of the fourth. */
START_TEST(borders_of_large_cells_are_smooth)
{
    const int64_t cls[] = {0, 1, 1, 1};
    answer a;
    image m = drawn_gray(WIDE, WIDE, &a);
    a.grid_width = a.grid_height = 2;
    a.cls = cls;
    drawn_ok(&m, &a, &(draw_options){.parts = DRAW_CLASSES});
    const rgb first = drawn_at(&m, 0, 0), other = drawn_at(&m, WIDE - 1, WIDE - 1);
    ck_assert_int_ne(first.r, other.r);
    drawn_assert(&m, 59, 59, other);
    drawn_assert(&m, 50, 10, first);
    drawn_assert(&m, 61, 10, other);
    image_free(&m);
}
END_TEST

/* Two classes on both sides of a line that falls by one cell in three. By the four nearest cells
 * 704 pixels would be drawn as the other class. */
START_TEST(a_slope_of_cells_becomes_a_line)
{
    enum { SIDE = 240, GRID = 12 };
    int64_t cls[GRID * GRID];
    int wrong = 0;
    answer a;
    image m = drawn_gray(SIDE, SIDE, &a);
    for (int i = 0; i < GRID * GRID; i++)
        cls[i] = 3 * (i / GRID) > i % GRID + GRID;
    a.grid_width = a.grid_height = GRID;
    a.cls = cls;
    drawn_ok(&m, &a, &(draw_options){.parts = DRAW_CLASSES});
    const rgb above = drawn_at(&m, 0, 0), below = drawn_at(&m, 0, SIDE - 1);
    for (int y = 0; y < SIDE; y++)
        for (int x = 20; x < SIDE - 20; x++) {
            const double u = (x + 0.5) / 20 - 0.5, v = (y + 0.5) / 20 - 0.5;
            const bool is_below = 3 * v > u + GRID + 0.5;
            wrong += !drawn_is(&m, x, y, is_below ? below : above);
        }
    ck_assert_int_lt(wrong, 650);
    image_free(&m);
}
END_TEST

/* A cell among others of another class is not lost. */
START_TEST(a_single_cell_is_seen)
{
    const int64_t cls[] = {0, 0, 0, 0, 1, 0, 0, 0, 0};
    answer a;
    image m = drawn_gray(WIDE, WIDE, &a);
    a.grid_width = a.grid_height = 3;
    a.cls = cls;
    drawn_ok(&m, &a, &(draw_options){.parts = DRAW_CLASSES});
    const rgb other = drawn_at(&m, WIDE / 2, WIDE / 2), first = drawn_at(&m, 0, 0);
    ck_assert(!drawn_is(&m, 0, 0, other));
    drawn_assert(&m, 60, 53, other);
    drawn_assert(&m, 42, 42, first); /* a corner of the cell */
    image_free(&m);
}
END_TEST

START_TEST(a_background_is_left_as_it_is)
{
    const int64_t cls[] = {0, 1};
    const char *const names[] = {"__Background__", "cat", ""}, *const others[] = {"back", "cat",
                                                                                  ""};
    for (int i = 0; i < 2; i++) {
        answer a;
        image m = drawn_gray(WIDE, HIGH, &a);
        a.grid_width = 2;
        a.grid_height = 1;
        a.cls = cls;
        drawn_ok(&m, &a,
                 &(draw_options){.parts = DRAW_CLASSES, .name = name, .names = i ? others : names});
        ck_assert(drawn_is_gray(&m, 10, 40) == (i == 0) && !drawn_is_gray(&m, 100, 40));
        image_free(&m);
    }
}
END_TEST

/* The class that covers most is the first, and a class that occurs nowhere is not there. */
START_TEST(the_legend_lists_what_occurs)
{
    const int64_t cls[] = {2, 2, 0, 1};
    const char *const names[] = {"background", "cat", "dog"};
    answer a;
    image m = drawn_gray(2 * WIDE, 2 * HIGH, &a);
    a.grid_width = 4;
    a.grid_height = 1;
    a.cls = cls;
    drawn_ok(&m, &a, &(draw_options){.parts = DRAW_LEGEND, .name = name, .names = names});
    drawn_assert(&m, 24, 22, palette_colour(2));
    drawn_assert(&m, 24, 42, palette_colour(1));
    for (int i = 0; i < 2; i++)
        ck_assert_int_gt(drawn_count(&m, 40, 14 + 20 * i, 70, 30 + 20 * i, palette_white), 30);
    ck_assert(drawn_is_gray(&m, 24, 62) && drawn_is_gray(&m, 100, 22));
    image_free(&m);
}
END_TEST

/* ---- flow and depth ---- */

START_TEST(flow_has_the_colours_of_torchvision)
{
    enum { SIDE = 24, N = SIDE * SIDE };
    static float flow[2 * N];
    static int wanted[N][3];
    char line[200];
    FILE *f = fopen(TEST_DATA "/flow_colours.txt", "r");
    ck_assert(f && fgets(line, sizeof line, f));
    for (int i = 0; i < N; i++) {
        ck_assert(fscanf(f, "%f %f %d %d %d", &flow[i], &flow[N + i], &wanted[i][0], &wanted[i][1],
                         &wanted[i][2]) == 5);
        flow[i] /= 16;
        flow[N + i] /= 16;
    }
    fclose(f);
    answer a;
    image m = drawn_gray(SIDE, SIDE, &a);
    a.grid_width = a.grid_height = SIDE;
    a.flow = flow;
    drawn_ok(&m, &a, NULL);
    ck_assert_int_eq(m.width, 2 * SIDE);
    for (int i = 0; i < N; i++) {
        const rgb c = drawn_at(&m, SIDE + i % SIDE, i / SIDE);
        const int off = abs(c.r - wanted[i][0]) + abs(c.g - wanted[i][1]) + abs(c.b - wanted[i][2]);
        ck_assert_msg(off == 0, "motion %g %g: %d %d %d, torchvision %d %d %d", flow[i],
                      flow[N + i], c.r, c.g, c.b, wanted[i][0], wanted[i][1], wanted[i][2]);
    }
    image_free(&m);
}
END_TEST

/* The cells above and below the photograph, in the plain area of the fit, do not count. */
START_TEST(depth_goes_from_least_to_greatest)
{
    float depth[CELLS * CELLS];
    for (int y = 0; y < CELLS; y++)
        for (int x = 0; x < CELLS; x++)
            depth[CELLS * y + x] = y == 0 || y == CELLS - 1 ? 1e6F : 3 + 2 * (float)x;
    depth[CELLS * 5 + 5] = NAN;
    answer a;
    image m = letterboxed(&a);
    a.depth = depth;
    drawn_ok(&m, &a, NULL);
    ck_assert(m.width == 2 * WIDE && m.height == HIGH);
    ck_assert_int_eq(drawn_count(&m, 0, 0, WIDE, HIGH, (rgb){GRAY, GRAY, GRAY}), WIDE * HIGH);
    rgb level[PALETTE_LEVELS];
    palette_levels(level);
    drawn_assert(&m, WIDE, 20, level[0]);
    drawn_assert(&m, 2 * WIDE - 1, 20, level[255]);
    drawn_assert(&m, WIDE + 59, 20, level[(int)floor((place(59, 0) / 9) * 255 + 0.5)]);
    image_free(&m);
}
END_TEST

START_TEST(maps_lie_over_the_photograph_if_asked)
{
    const float depth[] = {0, 1};
    answer a;
    image m = drawn_gray(WIDE, HIGH, &a);
    a.grid_width = 2;
    a.grid_height = 1;
    a.depth = depth;
    drawn_ok(&m, &a, &(draw_options){.place = DRAW_OVER});
    ck_assert(m.width == WIDE && m.height == HIGH);
    const rgb far = drawn_at(&m, 0, 0), near = drawn_at(&m, WIDE - 1, 0);
    ck_assert(far.r > 20 && far.r < GRAY && near.r > GRAY && near.r < 240);
    image_free(&m);
}
END_TEST

SUITE("draw_maps", a_mask_is_where_it_is_a_half, a_mask_is_half_transparent,
      a_small_mask_is_not_covered, masks_of_one_label_have_shades, heat_grows_with_probability,
      classes_have_their_colours, borders_of_large_cells_are_smooth,
      a_slope_of_cells_becomes_a_line, a_single_cell_is_seen, a_background_is_left_as_it_is,
      the_legend_lists_what_occurs, flow_has_the_colours_of_torchvision,
      depth_goes_from_least_to_greatest, maps_lie_over_the_photograph_if_asked)
