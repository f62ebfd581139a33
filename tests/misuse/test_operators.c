/* SPDX-License-Identifier: Apache-2.0
 * test_operators.c - operators of a host that do not keep the rules of oc_op: each error names the
 * node, and no run ends well. */
#include "misuse.h"

#include <limits.h>

/* ---- shape functions */

static oc_status same_shape(oc_call *c)
{
    const oc_value *v = oc_call_in(c, 0);
    return oc_call_set_out(c, 0, OC_F32, oc_value_rank(v), oc_value_dims(v));
}

static oc_status shape_nothing(oc_call *c)
{
    (void)c;
    return OC_OK;
}

static oc_status shape_bare(oc_call *c)
{
    (void)c;
    return OC_SHAPE;
}

static oc_status shape_unknown_status(oc_call *c)
{
    (void)c;
    return (oc_status)77;
}

static oc_status shape_negative_status(oc_call *c)
{
    (void)c;
    return (oc_status)-1;
}

static oc_status shape_forgotten(oc_call *c)
{
    same_shape(c);
    oc_call_fail(c, OC_SHAPE, "never right");
    return OC_OK;
}

static oc_status shape_twice(oc_call *c)
{
    same_shape(c);
    return same_shape(c);
}

static oc_status shape_negative(oc_call *c)
{
    return oc_call_set_out(c, 0, OC_F32, 1, (const int64_t[]){-7});
}

static oc_status shape_huge(oc_call *c)
{
    return oc_call_set_out(c, 0, OC_F32, 2, (const int64_t[]){INT64_MAX, INT64_MAX});
}

static oc_status shape_too_large(oc_call *c)
{
    return oc_call_set_out(c, 0, OC_F32, 1, (const int64_t[]){INT64_C(1) << 50});
}

static oc_status shape_rank(oc_call *c)
{
    return oc_call_set_out(c, 0, OC_F32, 17, dim);
}

static oc_status shape_below_rank(oc_call *c)
{
    return oc_call_set_out(c, 0, OC_F32, -1, dim);
}

static oc_status shape_no_dims(oc_call *c)
{
    return oc_call_set_out(c, 0, OC_F32, 1, NULL);
}

static oc_status shape_no_type(oc_call *c)
{
    return oc_call_set_out(c, 0, OC_UNDEFINED, 1, dim);
}

static oc_status shape_other_type(oc_call *c)
{
    return oc_call_set_out(c, 0, OC_I64, 1, dim);
}

static oc_status shape_of_past(oc_call *c)
{
    return oc_call_set_out(c, 1, OC_F32, 1, dim);
}

static oc_status shape_of_before(oc_call *c)
{
    return oc_call_set_out(c, -1, OC_F32, 1, dim);
}

static oc_status shape_ignoring(oc_call *c) /* the status of a call that fails */
{
    oc_call_set_out(c, 5, OC_F32, 1, dim);
    return same_shape(c);
}

static oc_status shape_keeping(oc_call *c)
{
    oc_call_keep(c, 4);
    return same_shape(c);
}

static oc_status shape_writing(oc_call *c)
{
    oc_call_out(c, 0);
    return same_shape(c);
}

/* ---- run functions */

static oc_status copy(oc_call *c)
{
    const oc_value *v = oc_call_in(c, 0);
    memcpy(oc_call_out(c, 0), oc_value_data(v), (size_t)oc_value_count(v) * sizeof(float));
    return OC_OK;
}

/* Takes the number of elements from the output. */
static oc_status copy_to_value(oc_call *c)
{
    const oc_value *to = oc_call_out_value(c, 0);
    if (oc_value_type(to) != OC_F32 || oc_value_rank(to) != 1 || oc_call_out_value(c, 1))
        return OC_VALUE;
    memcpy(oc_call_out(c, 0), oc_value_data(oc_call_in(c, 0)),
           (size_t)oc_value_count(to) * sizeof(float));
    return oc_value_data(to) == oc_call_out(c, 0) ? OC_OK : OC_VALUE;
}

static oc_status value_past(oc_call *c)
{
    oc_call_out_value(c, 1);
    return copy(c);
}

static oc_status run_nothing(oc_call *c)
{
    (void)c;
    return OC_OK;
}

static oc_status run_bare(oc_call *c)
{
    (void)c;
    return OC_VALUE;
}

static oc_status run_unknown_status(oc_call *c)
{
    (void)c;
    return (oc_status)INT_MAX;
}

static oc_status run_forgotten(oc_call *c)
{
    oc_call_fail(c, OC_VALUE, "never good enough");
    return OC_OK;
}

static oc_status run_other_code(oc_call *c) /* than that of the error */
{
    oc_call_fail(c, OC_TYPE, "never good enough");
    return OC_VALUE;
}

static oc_status fail_ok(oc_call *c)
{
    return oc_call_fail(c, OC_OK, "this is no failure");
}

static oc_status fail_unknown(oc_call *c)
{
    return oc_call_fail(c, (oc_status)-5, "of no known kind");
}

static oc_status fail_without_text(oc_call *c)
{
    return oc_call_fail(c, OC_TYPE, NULL);
}

static oc_status fail_with_format(oc_call *c)
{
    return oc_call_fail(c, OC_TYPE, "%s%s%n");
}

static oc_status run_shaping(oc_call *c)
{
    same_shape(c);
    return copy(c);
}

static oc_status run_shaping_twice(oc_call *c)
{
    same_shape(c);
    same_shape(c);
    return OC_OK;
}

static oc_status run_keeping(oc_call *c)
{
    oc_call_keep(c, 4);
    return copy(c);
}

static oc_status in_past(oc_call *c)
{
    oc_call_in(c, 1);
    return copy(c);
}

static oc_status in_before(oc_call *c)
{
    oc_call_in(c, INT_MIN);
    return copy(c);
}

static oc_status out_past(oc_call *c)
{
    oc_call_out(c, 1);
    return copy(c);
}

static oc_status out_before(oc_call *c)
{
    oc_call_out(c, -1);
    return copy(c);
}

static oc_status out_unset(oc_call *c)
{
    oc_call_out(c, 0);
    return OC_OK;
}

static oc_status int_unknown(oc_call *c)
{
    oc_call_int(c, "nobody");
    return copy(c);
}

static oc_status int_null(oc_call *c)
{
    oc_call_int(c, NULL);
    return copy(c);
}

static oc_status int_of_float(oc_call *c)
{
    oc_call_int(c, "f");
    return copy(c);
}

static oc_status float_of_string(oc_call *c)
{
    oc_call_float(c, "s");
    return copy(c);
}

static oc_status string_of_int(oc_call *c)
{
    oc_call_string(c, "i");
    return copy(c);
}

static oc_status attributes(oc_call *c) /* missing ones are no mistake */
{
    const bool empty = oc_call_int(c, "i") == 0 && !(oc_call_float(c, "f") > 0) &&
                       oc_call_string(c, "s").size == 0;
    return empty ? copy(c) : oc_call_fail(c, OC_VALUE, "not empty");
}

/* ---- prepare functions */

static oc_status prepare_bare(oc_call *c)
{
    (void)c;
    return OC_NOMEM;
}

static oc_status prepare_huge(oc_call *c)
{
    return oc_call_keep(c, SIZE_MAX) ? OC_OK : OC_NOMEM;
}

static oc_status prepare_ignoring(oc_call *c)
{
    oc_call_keep(c, SIZE_MAX / 2);
    return OC_OK;
}

static oc_status prepare_shaping(oc_call *c)
{
    same_shape(c);
    return OC_OK;
}

static oc_status prepare_writing(oc_call *c)
{
    oc_call_out(c, 0);
    return OC_OK;
}

/* ---- rows and runs */

#define PORTS "(T x, T w=) => (T y) | T: float"
#define ONE   "test::Op <int i?, float f?, string s?> (T x) => (T y) | T: float"
#define TWO   "test::Op (T x) => (T y, T z?) | T: float"

static const char calls_op[] = "<ir_version: 8, opset_import: [\"\" : 17, \"test\" : 1]>\n"
                               "g (float[N] x) => (float[M] y) { [here] y = test.Op (x) }";
static const char folds_op[] = "<ir_version: 8, opset_import: [\"\" : 17, \"test\" : 1]>\n"
                               "g (float[N] x) => (float[M] y) <float[1] w = {1}>\n"
                               "{ [here] a = test.Op (w)  y = Add (x, a) }";
static const char prepares_op[] = "<ir_version: 8, opset_import: [\"\" : 17, \"test\" : 1]>\n"
                                  "g (float[N] x) => (float[M] y) <float[1] w = {1}>\n"
                                  "{ [here] y = test.Op (x, w) }";

/* Errors of memory tell how much is in use, not by whom. */
static bool names_node(void)
{
    return e->code == OC_LIMIT || e->code == OC_NOMEM || strstr(e->text, "'here'");
}

static void run_rows(const char *text, const oc_op *rows)
{
    begin_rows(text, rows);
    if (s)
        bind_x(s);
    oc_run(s, e);
    const float *y = oc_fetch(s, "y", NULL, e);
    misuse_check(y ? y[3] == x[3] || text == folds_op : names_node());
}

static void run_op(oc_op_fn *shape, oc_op_fn *run)
{
    run_rows(calls_op, (const oc_op[]){{1, ONE, shape, run, NULL}, {0}});
}

static void fold_op(oc_op_fn *shape, oc_op_fn *run)
{
    run_rows(folds_op, (const oc_op[]){{1, ONE, shape, run, NULL}, {0}});
}

static void prepare_op(oc_op_fn *prepare)
{
    run_rows(prepares_op, (const oc_op[]){{1, "test::Op " PORTS, same_shape, copy, prepare}, {0}});
}

static void run_two(oc_op_fn *shape, oc_op_fn *run)
{
    run_rows(calls_op, (const oc_op[]){{1, TWO, shape, run, NULL}, {0}});
}

START_TEST(shapes)
{
    HARMLESS(run_op(same_shape, copy));
    REFUSED(UNSUPPORTED, run_op(shape_nothing, copy));
    REFUSED(SHAPE, run_op(shape_bare, copy));
    REFUSED(VALUE, run_op(shape_unknown_status, copy));
    REFUSED(VALUE, run_op(shape_negative_status, copy));
    REFUSED(SHAPE, run_op(shape_forgotten, copy));
    REFUSED(SHAPE, fold_op(shape_forgotten, copy));
    REFUSED(ARGUMENT, run_op(shape_twice, copy));
    REFUSED(SHAPE, run_op(shape_negative, copy));
    REFUSED(SHAPE, run_op(shape_huge, copy));
    REFUSED_SIZE(SHAPE, LIMIT, run_op(shape_too_large, copy));
    REFUSED(ARGUMENT, run_op(shape_rank, copy));
    REFUSED(ARGUMENT, run_op(shape_below_rank, copy));
    REFUSED(ARGUMENT, run_op(shape_no_dims, copy));
    REFUSED(ARGUMENT, run_op(shape_no_type, copy));
    REFUSED(TYPE, run_op(shape_other_type, copy));
    REFUSED(ARGUMENT, run_op(shape_of_past, copy));
    REFUSED(ARGUMENT, run_op(shape_of_before, copy));
    REFUSED(ARGUMENT, run_op(shape_ignoring, copy));
    REFUSED(ARGUMENT, run_op(shape_keeping, copy));
    REFUSED(ARGUMENT, run_op(shape_writing, copy));
    REFUSED(ARGUMENT, fold_op(shape_writing, copy));
    misuse_report();
}
END_TEST

START_TEST(runs)
{
    REFUSED(VALUE, run_op(same_shape, run_bare));
    REFUSED(VALUE, fold_op(same_shape, run_bare));
    REFUSED(VALUE, run_op(same_shape, run_unknown_status));
    REFUSED(VALUE, run_op(same_shape, run_forgotten));
    REFUSED(TYPE, run_op(same_shape, run_other_code));
    REFUSED(VALUE, run_op(same_shape, fail_ok));
    REFUSED(VALUE, run_op(same_shape, fail_unknown));
    REFUSED(TYPE, run_op(same_shape, fail_without_text));
    REFUSED(TYPE, run_op(same_shape, fail_with_format));
    REFUSED(ARGUMENT, run_op(same_shape, run_shaping));
    REFUSED(ARGUMENT, fold_op(same_shape, run_shaping));
    REFUSED(ARGUMENT, run_op(same_shape, run_keeping));
    REFUSED(ARGUMENT, run_op(same_shape, in_past));
    REFUSED(ARGUMENT, run_op(same_shape, in_before));
    REFUSED(ARGUMENT, run_op(same_shape, out_past));
    REFUSED(ARGUMENT, run_op(same_shape, out_before));
    REFUSED(ARGUMENT, run_op(same_shape, value_past));
    HARMLESS(run_two(same_shape, out_past));
    HARMLESS(run_two(same_shape, copy_to_value));
    misuse_report();
}
END_TEST

START_TEST(rows_without_shape)
{
    HARMLESS(run_op(NULL, run_shaping));
    REFUSED(ARGUMENT, run_op(NULL, out_unset));
    REFUSED(UNSUPPORTED, run_op(NULL, run_nothing));
    REFUSED(ARGUMENT, run_op(NULL, run_shaping_twice));
    REFUSED(SHAPE, run_op(NULL, shape_negative));
    REFUSED_SIZE(SHAPE, LIMIT, run_op(NULL, shape_too_large));
    REFUSED(TYPE, run_op(NULL, shape_other_type));
    REFUSED(VALUE, run_op(NULL, run_bare));
    misuse_report();
}
END_TEST

START_TEST(attributes_by_name)
{
    HARMLESS(run_op(same_shape, attributes));
    REFUSED(ARGUMENT, run_op(same_shape, int_unknown));
    REFUSED(ARGUMENT, run_op(same_shape, int_null));
    REFUSED(ARGUMENT, run_op(same_shape, int_of_float));
    REFUSED(ARGUMENT, run_op(same_shape, float_of_string));
    REFUSED(ARGUMENT, run_op(same_shape, string_of_int));
    misuse_report();
}
END_TEST

START_TEST(preparing)
{
    REFUSED(NOMEM, prepare_op(prepare_bare));
    REFUSED(NOMEM, prepare_op(prepare_huge));
    REFUSED_SIZE(NOMEM, LIMIT, prepare_op(prepare_ignoring));
    REFUSED(ARGUMENT, prepare_op(prepare_shaping));
    REFUSED(ARGUMENT, prepare_op(prepare_writing));
    misuse_report();
}
END_TEST

/* Only begins a session with such a row. */
static void begin_row(const char *signature, oc_op_fn *shape, oc_op_fn *run)
{
    begin_rows(calls_op, (const oc_op[]){{1, signature, shape, run, NULL}, {0}});
}

START_TEST(rows)
{
    REFUSED(ARGUMENT, begin_row(ONE, same_shape, NULL));
    REFUSED(ARGUMENT, begin_row(ONE, NULL, NULL));
    REFUSED(FORMAT, begin_row("test::Op (", same_shape, copy));
    REFUSED(FORMAT, begin_row("test::Op (T x) => (T y)", same_shape, copy));
    REFUSED(FORMAT, begin_row("test::Op <what w> (T x) => (T y) | T: float", same_shape, copy));
    REFUSED(FORMAT, begin_row("test::Op (T x*) => (T y) | T: float", same_shape, copy));
    REFUSED(FORMAT, begin_row("test::Op (T x) => (T y^) | T: float", same_shape, copy));
    REFUSED(UNSUPPORTED, begin_row("", same_shape, copy));
    REFUSED(UNSUPPORTED, begin_row("test::Op", same_shape, copy));
    REFUSED(UNSUPPORTED, begin_row("::", same_shape, copy));
    misuse_report();
}
END_TEST

START_TEST(without_a_call)
{
    GIVES(oc_call_n_in(NULL) == 0 && oc_call_n_out(NULL) == 0);
    GIVES(oc_call_in(NULL, 0) == NULL);
    GIVES(oc_call_out(NULL, 0) == NULL);
    GIVES(oc_call_out_value(NULL, 0) == NULL);
    GIVES(oc_call_keep(NULL, 4) == NULL);
    GIVES(oc_call_prepared(NULL) == NULL);
    GIVES(oc_call_set_out(NULL, 0, OC_F32, 1, dim) == OC_ARGUMENT);
    GIVES(oc_call_int(NULL, "i") == 0);
    GIVES(!(oc_call_float(NULL, "f") > 0));
    GIVES(oc_call_string(NULL, "s").size == 0);
    GIVES(oc_call_fail(NULL, OC_TYPE, "no") == OC_TYPE);
    GIVES(oc_call_fail(NULL, OC_OK, NULL) == OC_VALUE);
    misuse_report();
}
END_TEST

SUITE("operators", shapes, runs, rows_without_shape, attributes_by_name, preparing, rows,
      without_a_call)
