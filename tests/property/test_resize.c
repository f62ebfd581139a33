/* SPDX-License-Identifier: Apache-2.0
 * test_resize.c - Resize is GridSample of the identity: linear and cubic, half_pixel without
 * align_corners and align_corners with it, on random images of random lengths. */
#include "outcome.h"
#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 300, SIDE = 70, ELEMENTS = 4 * SIDE * SIDE * 6, TEXT = 1200 };

/* A random image and lengths for it. */
typedef struct subject {
    int rank; /* spatial axes: 2, or 3 with few elements on each */
    int64_t n[5], out[5];
    bool align, cubic;
    uint32_t seed;
} subject;

static subject draw(suite_random *r)
{
    subject s = {.rank = suite_below(r, 4) ? 2 : 3, .seed = r->state};
    s.align = suite_below(r, 2);
    s.cubic = s.rank == 2 && suite_below(r, 2); /* GridSample has both in version 20 */
    s.n[0] = s.out[0] = 1 + suite_below(r, 2);
    s.n[1] = s.out[1] = 1 + suite_below(r, 2);
    for (int a = 2; a < 2 + s.rank; a++) {
        const uint32_t most = s.rank == 2 ? SIDE : 9;
        s.n[a] = 1 + suite_below(r, most);
        s.out[a] = 1 + s.align + suite_below(r, most); /* one output: the centre, or the corner */
    }
    return s;
}

static void text_of(const subject *s, char text[TEXT])
{
    char dims[OC_DIMS_TEXT], sizes[OC_DIMS_TEXT];
    const oc_dims in = {2 + s->rank, {s->n[0], s->n[1], s->n[2], s->n[3], s->n[4]}};
    const oc_dims out = {2 + s->rank, {s->out[0], s->out[1], s->out[2], s->out[3], s->out[4]}};
    char *list = sizes + 1;
    oc_dims_text(&in, dims);
    oc_dims_text(&out, sizes);
    list[strlen(list) - 1] = 0;
    const char *identity = s->rank == 2 ? "1, 0, 0, 0, 1, 0" : "1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0";
    snprintf(text, TEXT,
             "<ir_version: 10, opset_import: [\"\" : 20]>\n"
             "g (float%s x) => (float[] y, float[] z) <int64[%d] sizes = {%s}, "
             "float[%d,%d,%d] theta = {%s%s%s}> {\n"
             "  y = Resize <mode = \"%s\", coordinate_transformation_mode = \"%s\"> "
             "(x, \"\", \"\", sizes)\n"
             "  grid = AffineGrid <align_corners = %d> (theta, sizes)\n"
             "  z = GridSample <mode = \"%s\", padding_mode = \"border\", align_corners = %d> "
             "(x, grid)\n}\n",
             dims, 2 + s->rank, list, (int)s->n[0], s->rank, s->rank + 1, identity,
             s->n[0] > 1 ? ", " : "", s->n[0] > 1 ? identity : "", s->cubic ? "cubic" : "linear",
             s->align ? "align_corners" : "half_pixel", s->align, s->cubic ? "cubic" : "linear",
             s->align);
}

static void compare(const subject *s, suite_random *r)
{
    static float x[ELEMENTS];
    char text[TEXT];
    oc_value in = {.type = OC_F32,
                   .dims = {2 + s->rank, {s->n[0], s->n[1], s->n[2], s->n[3], s->n[4]}},
                   .data = x};
    ck_assert(oc_value_n(&in) <= ELEMENTS);
    for (int64_t i = 0; i < oc_value_n(&in); i++)
        x[i] = (float)suite_below(r, 1 << 12) / (1 << 11) - 1;
    text_of(s, text);
    outcome o = outcome_of(text, NULL, &in, 1, 2);
    ck_assert_msg(o.error.code == OC_OK, "%s; OC_SEED=%u\n%s", o.error.text, s->seed, text);
    const oc_value *y = o.y[0], *z = o.y[1];
    ck_assert(oc_dims_equal(&y->dims, &z->dims));
    for (int64_t i = 0; i < oc_value_n(y); i++) {
        const float a = ((const float *)y->data)[i], b = ((const float *)z->data)[i];
        suite_assert(fabsf(a - b) < 1e-4f, "result %d is %g, GridSample's is %g; OC_SEED=%u\n%s",
                     (int)i, (double)a, (double)b, s->seed, text);
    }
    outcome_free(&o);
}

START_TEST(resize_is_grid_sample_of_the_identity)
{
    suite_random r = suite_random_new(50);
    for (int round = 0; round < ROUNDS; round++) {
        const subject s = draw(&r);
        compare(&s, &r);
    }
}
END_TEST

SUITE("resize", resize_is_grid_sample_of_the_identity)
