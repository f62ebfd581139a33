/* SPDX-License-Identifier: Apache-2.0
 * test_build.c - models made, filled and freed; sparse tensors made dense. */
#include "suite.h"

#include "graph/build.h"
#include "tensor/sparse.h"

#include <string.h>

static oc_model *new_model(const oc_model_options *options)
{
    oc_error e = {.code = OC_OK};
    oc_model *m = NULL;
    ck_assert_int_eq(oc_model_new(options, &m, &e), OC_OK);
    return m;
}

START_TEST(names_are_interned_and_absent_ones_are_empty)
{
    oc_model *m = new_model(NULL);
    ck_assert_ptr_eq(oc_model_name(m, "x"), oc_model_name_n(m, "xyz", 1));
    ck_assert_ptr_ne(oc_model_name(m, "x"), oc_model_name(m, "y"));
    ck_assert_str_eq(oc_model_name(m, NULL), "");
    ck_assert_str_eq(m->producer_name, "");
    oc_model_free(m);
    oc_model_free(NULL);
}
END_TEST

typedef struct closing {
    int order[3], n;
} closing;

static closing closed;

static void close_it(void *ctx, size_t size)
{
    (void)ctx;
    closed.order[closed.n++] = (int)size;
}

START_TEST(closers_run_newest_first)
{
    oc_error e = {.code = OC_OK};
    oc_model *m = new_model(NULL);
    for (size_t i = 1; i <= 3; i++)
        ck_assert_int_eq(oc_model_on_free(m, close_it, NULL, i, &e), OC_OK);
    closed.n = 0;
    oc_model_free(m);
    ck_assert_int_eq(closed.n, 3);
    ck_assert_int_eq(closed.order[0], 3);
    ck_assert_int_eq(closed.order[2], 1);
}
END_TEST

static int n_left;
static const char *last_left;

static void leave(const void *bytes, size_t n)
{
    n_left += (int)n;
    last_left = bytes;
}

/* Ranges of 10 bytes with gaps of 10 between, given in some order. */
START_TEST(parts_of_what_may_leave_are_left)
{
    enum { N = 1000, RANGE = 10, STEP = 20 };
    static char bytes[N * STEP];
    oc_error e = {.code = OC_OK};
    oc_model *m = new_model(NULL);
    n_left = 0;
    oc_model_leave(m, bytes, 1);
    for (int i = 0; i < N; i++)
        oc_model_may_leave(m, bytes + i * 7 % N * STEP, RANGE, leave, &e);
    ck_assert_int_eq(e.code, OC_OK);
    ck_assert_int_eq(n_left, 0);
    for (int i = 0; i < N; i++) {
        n_left = 0;
        oc_model_leave(m, bytes + i * STEP + 3, 7);
        ck_assert(n_left == 7 && last_left == bytes + i * STEP + 3);
        oc_model_leave(m, bytes + i * STEP + 3, 8); /* reaches past the end */
        oc_model_leave(m, bytes + i * STEP + 12, 1);
        ck_assert_int_eq(n_left, 7);
    }
    oc_model_free(m);
}
END_TEST

START_TEST(tensors_are_aligned_within_the_cap)
{
    oc_error e = {.code = OC_OK};
    oc_model *m = new_model(&(oc_model_options){.limits.memory_cap = 1 << 20});
    oc_value v;
    ck_assert_int_eq(oc_model_tensor(m, OC_F32, &(oc_dims){2, {3, 5}}, &v, &e), OC_OK);
    ck_assert_uint_eq((uintptr_t)v.data % OC_ALIGN, 0);
    ck_assert_int_eq(oc_model_tensor(m, OC_STRING, &(oc_dims){2, {3, 5}}, &v, &e), OC_OK);
    for (int i = 0; i < 15; i++)
        ck_assert_uint_eq(((const oc_string *)v.data)[i].size, 0);
    ck_assert_int_eq(oc_model_tensor(m, OC_F32, &(oc_dims){2, {3, -1}}, &v, &e), OC_SHAPE);
    e.code = OC_OK;
    const oc_dims huge = {2, {INT64_C(1) << 32, INT64_C(1) << 32}};
    ck_assert_int_eq(oc_model_tensor(m, OC_F32, &huge, &v, &e), OC_SHAPE);
    e.code = OC_OK;
    ck_assert_int_eq(oc_model_tensor(m, OC_F32, &(oc_dims){1, {1 << 20}}, &v, &e), OC_LIMIT);
    oc_model_free(m);
}
END_TEST

START_TEST(opsets_and_attributes_are_found)
{
    oc_model *m = new_model(NULL);
    const oc_name onnx = oc_model_name(m, ""), my = oc_model_name(m, "my");
    oc_opset item[] = {{my, 3}, {onnx, 20}};
    const oc_opsets opsets = {item, 2};
    ck_assert_int_eq(oc_opsets_find(&opsets, onnx), 20);
    ck_assert_int_eq(oc_opsets_find(&opsets, my), 3);
    ck_assert_int_eq(oc_opsets_find(&opsets, oc_model_name(m, "other")), 0);
    const oc_attr attr[] = {{.name = my}, {.name = onnx}};
    const oc_node n = {.attr = attr, .n_attr = 2};
    ck_assert_ptr_eq(oc_node_attr(&n, ""), &attr[1]);
    ck_assert_ptr_null(oc_node_attr(&n, "m"));
    oc_model_free(m);
}
END_TEST

static oc_sparse sparse(const float *values, oc_dims shape, const int64_t *indices, oc_dims dims)
{
    return (oc_sparse){.values.name = "s",
                       .dims = shape,
                       .values.value = oc_value_borrow(OC_F32, oc_dims_1d(2), values),
                       .indices.value = oc_value_borrow(OC_I64, dims, indices)};
}

START_TEST(sparse_tensors_become_dense)
{
    oc_error e = {.code = OC_OK};
    oc_model *m = new_model(NULL);
    const float values[] = {5, 7}, expected[] = {0, 0, 5, 0, 7, 0};
    const int64_t linear[] = {2, 4}, pairs[] = {0, 2, 1, 1};
    const oc_dims shape = {2, {2, 3}};
    oc_value v;
    oc_sparse s = sparse(values, shape, linear, oc_dims_1d(2));
    ck_assert_int_eq(oc_sparse_densify(&m->arena, &s, &v, &e), OC_OK);
    ck_assert_mem_eq(v.data, expected, sizeof expected);
    s = sparse(values, shape, pairs, (oc_dims){2, {2, 2}});
    ck_assert_int_eq(oc_sparse_densify(&m->arena, &s, &v, &e), OC_OK);
    ck_assert_mem_eq(v.data, expected, sizeof expected);
    ck_assert(oc_dims_equal(&v.dims, &shape));
    oc_model_free(m);
}
END_TEST

START_TEST(bad_sparse_tensors_are_refused)
{
    oc_model *m = new_model(NULL);
    const float values[] = {5, 7};
    const int64_t over[] = {2, 6}, under[] = {-1, 4}, pairs[] = {0, 2, 1, 3}, falling[] = {4, 2},
                  twice[] = {2, 2}, rows[] = {1, 0, 0, 2};
    const struct {
        oc_dims shape;
        const int64_t *indices;
        oc_dims dims;
        oc_status code;
    } bad[] = {
        {{2, {2, 3}}, over, {1, {2}}, OC_VALUE},
        {{2, {2, 3}}, under, {1, {2}}, OC_VALUE},
        {{2, {2, 3}}, pairs, {2, {2, 2}}, OC_VALUE},
        {{2, {2, 3}}, falling, {1, {2}}, OC_VALUE},
        {{2, {2, 3}}, twice, {1, {2}}, OC_VALUE},
        {{2, {2, 3}}, rows, {2, {2, 2}}, OC_VALUE},
        {{2, {2, 3}}, over, {1, {1}}, OC_MODEL},
        {{3, {2, 3, 1}}, pairs, {2, {2, 2}}, OC_MODEL},
        {{2, {2, -3}}, over, {1, {2}}, OC_MODEL},
        {{2, {INT64_MAX, 3}}, over, {1, {2}}, OC_MODEL},
        {{2, {1 << 20, 1 << 20}}, over, {1, {2}}, SUITE_NARROW ? OC_MODEL : OC_LIMIT},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        oc_error e = {.code = OC_OK};
        oc_value v;
        const oc_sparse s = sparse(values, bad[i].shape, bad[i].indices, bad[i].dims);
        oc_arena arena = oc_arena_new(&m->memory);
        oc_sparse_densify(&arena, &s, &v, &e);
        ck_assert_msg(e.code == bad[i].code, "case %zu: %s", i, e.text);
        oc_arena_free(&arena);
    }
    oc_model_free(m);
}
END_TEST

SUITE("build", names_are_interned_and_absent_ones_are_empty, closers_run_newest_first,
      parts_of_what_may_leave_are_left, tensors_are_aligned_within_the_cap,
      opsets_and_attributes_are_found, sparse_tensors_become_dense, bad_sparse_tensors_are_refused)
