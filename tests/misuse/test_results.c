/* SPDX-License-Identifier: Apache-2.0
 * test_results.c - operators of a host whose results are not what they said: nodes behind them are
 * computed from what is there, or refuse. */
#include "misuse.h"

static bool runs; /* the session is made */

/* An error must name the node 'here'. */
static void run_row(const char *text, const oc_op *row)
{
    begin_rows(text, (const oc_op[]){*row, {0}});
    if (s)
        bind_x(s);
    runs = true;
    oc_run(s, e);
    misuse_check(e->code == OC_OK || strstr(e->text, "'here'"));
}

/* ---- dims: one thing when the plan is made, another in a run ---- */

static oc_status shape_smaller(oc_call *c)
{
    static const int64_t first[] = {1, 512, 16, 16}, later[] = {1, 512, 2, 2};
    return oc_call_set_out(c, 0, OC_F32, 4, runs ? later : first);
}

static oc_status shape_larger(oc_call *c)
{
    static const int64_t first[] = {1, 512, 16, 16}, later[] = {1, 512, 17, 16};
    return oc_call_set_out(c, 0, OC_F32, 4, runs ? later : first);
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

/* Of a constant, as the built-in operator of this name has it. */
static oc_status shape_abs(oc_call *c)
{
    const oc_value *v = oc_call_in(c, 0);
    const int64_t dims[] = {oc_value_dims(v)[0], runs ? 2000 : 2};
    return oc_call_set_out(c, 0, OC_F32, 2, dims);
}

static oc_status write_ones(oc_call *c)
{
    float *y = oc_call_out(c, 0);
    for (int i = 0; i < 4 * (runs ? 2000 : 2); i++)
        y[i] = 1;
    return OC_OK;
}

static const char matmul[] =
    "<ir_version: 8, opset_import: [\"\" : 17]>\n"
    "g (float[4] x) => (float[N] y) <float[4,2] w = {1, 2, 3, 4, 5, 6, 7, 8}>\n"
    "{ h = Abs (w)  [here] y = MatMul (x, h) }";

static void run_shaped(const char *text, oc_op_fn *shape)
{
    run_row(text, &(oc_op){1, "test::Op (T x) => (T y) | T: float", shape, write_one, NULL});
}

static void run_abs(const char *text)
{
    size_t n = 0;
    run_row(text, &(oc_op){1, "Abs (T x) => (T y) | T: float", shape_abs, write_ones, NULL});
    const float *y = oc_fetch(s, "y", &n, e);
    misuse_check(n == 2000 && y[0] == y[1999]);
}

START_TEST(other_dims_than_before)
{
    REFUSED(SHAPE, run_shaped(conv, shape_smaller));
    HARMLESS(run_shaped(conv_transpose, shape_larger)); /* which packed weights suit too */
    HARMLESS(run_abs(matmul));
    misuse_report();
}
END_TEST

/* ---- strings ---- */

static oc_status shape_strings(oc_call *c)
{
    return oc_call_set_out(c, 0, OC_STRING, 1, (const int64_t[]){3});
}

static oc_status write_no_characters(oc_call *c)
{
    ((oc_string *)oc_call_out(c, 0))[1] = (oc_string){NULL, 5};
    return OC_OK;
}

static oc_status write_nothing(oc_call *c)
{
    (void)c;
    return OC_OK;
}

/* Memory of w is free when the host's operator gets some. */
static const char strings[] =
    "<ir_version: 8, opset_import: [\"\" : 17, \"test\" : 1]>\n"
    "g (float[4] x) => (string[3] y, float v)\n"
    "{ w = Concat <axis = 0> (x, x, x)  v = ReduceMax <keepdims = 0> (w)\n"
    "  [here] y = test.Op (x, v) }";

static void run_strings(oc_op_fn *shape, oc_op_fn *run)
{
    run_row(strings,
            &(oc_op){1, "test::Op (T x, T v) => (S y) | T: float; S: string", shape, run, NULL});
    const oc_string *y = oc_fetch(s, "y", NULL, e);
    misuse_check(!y || (y[0].size == 0 && y[2].size == 0));
}

static oc_status set_then_write(oc_call *c)
{
    return shape_strings(c);
}

START_TEST(strings_without_characters)
{
    REFUSED(VALUE, run_strings(shape_strings, write_no_characters));
    HARMLESS(run_strings(shape_strings, write_nothing));
    HARMLESS(run_strings(NULL, set_then_write));
    misuse_report();
}
END_TEST

/* ---- many outputs ---- */

static oc_status shape_one_twice(oc_call *c)
{
    for (int i = 0; i < oc_call_n_out(c); i++)
        oc_call_set_out(c, i, OC_F32, 1, dim);
    return oc_call_set_out(c, oc_call_n_out(c) - 1, OC_F32, 0, NULL);
}

static void run_many(void)
{
    static const char text[] =
        "<ir_version: 8, opset_import: [\"\" : 17, \"test\" : 1]>\n"
        "g (float[4] x) => (float[4] y) { [here] a0,a1,a2,a3,a4,a5,a6,a7,a8,a9,b0,b1,b2,b3,b4,b5,"
        "b6,b7,b8,b9,c0,c1,c2,c3,c4,c5,c6,c7,c8,c9,d0,d1,d2,d3,y = test.Op (x) }";
    run_row(text, &(oc_op){1, "test::Op (T x) => (T y...) | T: float", shape_one_twice,
                           write_nothing, NULL});
}

START_TEST(the_last_of_many_twice)
{
    REFUSED(ARGUMENT, run_many());
    misuse_report();
}
END_TEST

/* ---- values without elements ---- */

static bool take_none(void *ctx, const void *data, size_t size)
{
    (void)ctx;
    return size == 0 || *(const char *)data != 77;
}

/* What prepare sees of an input that is not known, and what is not stored between fused nodes. */
static void use(const oc_value *v, int way)
{
    oc_error error = {OC_OK, ""}, *mine = &error;
    if (oc_value_data(v))
        return;
    oc_model *other = oc_model_load_memory(misuse_model, strlen(misuse_model), NULL, mine);
    oc_session *t = oc_session_new(other, &(oc_session_options){.threads = 1}, mine);
    if (way)
        oc_bind_value(t, "x", v, mine);
    else
        oc_value_write(v, "v", &(oc_writer){.write = take_none}, mine);
    *e = *mine;
    oc_session_free(t);
    oc_model_free(other);
}

static int use_way;

static oc_status prepare_using(oc_call *c)
{
    use(oc_call_in(c, 0), use_way);
    return OC_OK;
}

static oc_status shape_same(oc_call *c)
{
    return oc_call_set_out(c, 0, OC_F32, 1, dim);
}

static void use_unknown(int way)
{
    static const char text[] = "<ir_version: 8, opset_import: [\"\" : 17, \"test\" : 1]>\n"
                               "g (float[N] x) => (float[4] y) <float[1] w = {1}>\n"
                               "{ a = Neg (x)  [here] y = test.Op (a, w) }";
    const oc_op rows[] = {
        {1, "test::Op (T x, T w=) => (T y) | T: float", shape_same, write_one, prepare_using}, {0}};
    oc_error mine = {OC_OK, ""};
    use_way = way;
    oc_model *model = oc_model_load_memory(text, strlen(text), NULL, &mine);
    oc_session_free(oc_session_new(model, &(oc_session_options){.threads = 1, .ops = rows}, &mine));
    oc_model_free(model);
    misuse_check(mine.code == OC_OK);
}

static void use_event(void *ctx, const oc_node_event *event)
{
    for (int i = 0; i < event->n_out && !event->begin; i++)
        if (event->out[i])
            use(event->out[i], *(int *)ctx);
}

static void use_fused(int way)
{
    oc_error mine = {OC_OK, ""};
    const oc_session_options o = {
        .threads = 1,
        .observer = {.on_node = use_event, .on_node_ctx = &way, .view = OC_VIEW_STORED}};
    oc_session *t = oc_session_new(m, &o, &mine);
    oc_bind(t, "x", OC_F32, 1, dim, x, &mine);
    oc_run(t, &mine);
    oc_session_free(t);
    misuse_check(mine.code == OC_OK);
}

START_TEST(values_without_elements)
{
    REFUSED(ARGUMENT, use_unknown(0));
    REFUSED(ARGUMENT, use_unknown(1));
    REFUSED(ARGUMENT, use_fused(0));
    REFUSED(ARGUMENT, use_fused(1));
    misuse_report();
}
END_TEST

/* ---- outputs that the node leaves out ---- */

#define LEAVES_OUT(outputs)                                                                        \
    "<ir_version: 8, opset_import: [\"\" : 17, \"test\" : 1]>\n"                                   \
    "g (float[N] x) => (float[N] v) { [here] " outputs " = test.Op (x)  v = Abs (x) }"

/* Writes output 0 without asking, and output 1, whose signature lets it be missing, if it is there.
 */
static oc_status write_first(oc_call *c)
{
    memcpy(oc_call_out(c, 0), oc_value_data(oc_call_in(c, 0)), sizeof x);
    float *z = oc_call_out(c, 1);
    if (z)
        memset(z, 0, sizeof x);
    return OC_OK;
}

static oc_status shape_two(oc_call *c)
{
    const oc_status status = oc_call_set_out(c, 0, OC_F32, 1, dim);
    return status == OC_OK ? oc_call_set_out(c, 1, OC_F32, 1, dim) : status;
}

static oc_status shape_and_write(oc_call *c)
{
    const oc_status status = shape_two(c);
    return status == OC_OK ? write_first(c) : status;
}

static void leave_out(const char *text, oc_op_fn *shape, oc_op_fn *run)
{
    run_row(text, &(oc_op){1, "test::Op (T x) => (T y, T z?) | T: float", shape, run, NULL});
    misuse_check(oc_fetch(s, "v", NULL, e) != NULL);
}

START_TEST(outputs_without_names)
{
    HARMLESS(leave_out(LEAVES_OUT("\"\", z"), shape_two, write_first));
    HARMLESS(leave_out(LEAVES_OUT("\"\", z"), NULL, shape_and_write));
    HARMLESS(leave_out(LEAVES_OUT("\"\", \"\""), shape_two, write_first));
    HARMLESS(leave_out(LEAVES_OUT("\"\", \"\""), NULL, shape_and_write));
    HARMLESS(leave_out(LEAVES_OUT("\"\""), NULL, shape_and_write));
    HARMLESS(leave_out(LEAVES_OUT("y, \"\""), shape_two, write_first));
    misuse_report();
}
END_TEST

SUITE("results", other_dims_than_before, strings_without_characters, the_last_of_many_twice,
      values_without_elements, outputs_without_names)
