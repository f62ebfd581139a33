/* SPDX-License-Identifier: Apache-2.0
 * test_shapes.c - operators of a host whose shape functions tell one thing when the plan is made,
 * and another in a run: the node that was prepared for what they told first refuses. */
#include "misuse.h"

static int shaped; /* how often */

static oc_status shape_smaller(oc_call *c)
{
    static const int64_t first[] = {1, 512, 16, 16}, later[] = {1, 512, 2, 2};
    return oc_call_set_out(c, 0, OC_F32, 4, shaped++ ? later : first);
}

static oc_status shape_larger(oc_call *c)
{
    static const int64_t first[] = {1, 512, 16, 16}, later[] = {1, 512, 17, 16};
    return oc_call_set_out(c, 0, OC_F32, 4, shaped++ ? later : first);
}

static oc_status write_one(oc_call *c)
{
    *(float *)oc_call_out(c, 0) = 1;
    return OC_OK;
}

/* The weights take megabytes, are packed for the dims of u, and freed. */
#define MODEL(kernel, op)                                                                          \
    "<ir_version: 8, opset_import: [\"\" : 17, \"test\" : 1]>\n"                                   \
    "g (float[4] x) => (float[A,B,C,D] y)\n"                                                       \
    "<int64[4] n = {512, 512, " kernel "}, float one = {1}>\n"                                     \
    "{ u = test.Op (x)  w = Expand (one, n)  [here] y = " op " (u, w) }"
static const char conv[] = MODEL("3, 3", "Conv <pads = [1, 1, 1, 1]>");
static const char conv_transpose[] =
    MODEL("2, 2", "ConvTranspose <strides = [2, 2], output_shape = [32, 32]>");

static void run_shaped(const char *text, oc_op_fn *shape)
{
    const oc_op rows[] = {{1, "test::Op (T x) => (T y) | T: float", shape, write_one, NULL}, {0}};
    oc_session_free(s);
    oc_model_free(m);
    m = load(text);
    s = start((oc_session_options){.ops = rows});
    bind_x(s);
    oc_run(s, e);
    misuse_check(e->code != OC_OK && strstr(e->text, "'here'"));
}

START_TEST(other_dims_than_before)
{
    REFUSED(SHAPE, run_shaped(conv, shape_smaller));
    REFUSED(SHAPE, run_shaped(conv_transpose, shape_larger));
    misuse_report();
}
END_TEST

SUITE("shapes", other_dims_than_before)
