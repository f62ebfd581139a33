/* SPDX-License-Identifier: Apache-2.0
 * elementwise.h - what the element-by-element families share: choosing a row kernel by type. */
#pragma once

#include "kernels/elementwise/curves.h"
#include "kernels/elementwise/integers.h"
#include "kernels/elementwise/plain.h"
#include "kernels/elementwise/row.h"
#include "ops/kit/stages.h"

/* Row kernels by element type. float16 and bfloat16 use the kernel of OC_F32. */
typedef oc_row_fn *oc_rows[OC_N_TYPES];

/* ---- for stage functions (stages.h). The stage copies size bytes of the context; if size is 0, it
 * keeps the pointer. */

/* Takes the row kernel for the type of x[0]. A type without a kernel is an error. */
oc_status oc_stage_rows(oc_call *c, oc_stage *s, const oc_rows rows, const oc_value *const x[],
                        int n_x, const void *ctx, size_t size);
/* As above, but checks the type of input 0. */
oc_status oc_stage_unary(oc_call *c, oc_stage *s, const oc_rows rows, const void *ctx, size_t size);
/* As oc_stage_unary, with one kernel for all types: elements are converted to `type` before it and
 * back after it. */
void oc_stage_wide(oc_call *c, oc_stage *s, oc_type type, oc_row_fn *row, const void *ctx,
                   size_t size);
/* Makes a stage of input 0, of any float type but double, by a function of
 * kernels/elementwise/curves.h. */
oc_status oc_stage_curve(oc_call *c, oc_stage *s, oc_curve_fn *fn, double a);
/* Makes a stage of input 0, of any float type. OC_ELEMENTARY_STAGE defines op_stage by the function
 * op of kernels/elementwise/elementary.h. */
oc_status oc_stage_elementary(oc_call *c, oc_stage *s, oc_elementary_fn *fn);
/* Makes a stage of inputs 0 and 1, which broadcast as in opset 7 or, with `legacy`, as before. */
oc_status oc_stage_binary(oc_call *c, oc_stage *s, const oc_rows rows);
oc_status oc_stage_binary_legacy(oc_call *c, oc_stage *s, const oc_rows rows);
/* Makes a stage of inputs 0 and 1 whose rows for integers are those of
 * kernels/elementwise/integers.h. */
oc_order oc_order_of_type(oc_type type, bool reverse);
oc_status oc_stage_order(oc_call *c, oc_stage *s, const oc_rows rows, bool reverse);

#define OC_ELEMENTARY_STAGE(op, function)                                                          \
    static oc_status op##_stage(oc_call *c, oc_stage *s)                                           \
    {                                                                                              \
        return oc_stage_elementary(c, s, oc_elementary_pick(oc_call_cpu(c))->function);            \
    }

/* These macros define row kernels for all floats or all integers, named op_f32, op_i8 and so on.
 * result is OC_SAME or OC_TO_BOOL: result(T) is the result's type. The second integer expression is
 * for unsigned types. */
#define OC_SAME(T)    T
#define OC_TO_BOOL(T) uint8_t

#define OC_FLOAT_ROWS1(op, f32, f64)                                                               \
    OC_ROW1(op##_f32, float, float, f32)                                                           \
    OC_ROW1(op##_f64, double, double, f64)

#define OC_FLOAT_ROWS2(op, result, expr)                                                           \
    OC_ROW2(op##_f32, float, result(float), expr)                                                  \
    OC_ROW2(op##_f64, double, result(double), expr)

/* Like OC_ROW2, but with one loop for all steps; it takes a third of the code. */
#define OC_SHORT_ROW2(name, T, R, expr)                                                            \
    OC_ROW(name)                                                                                   \
    {                                                                                              \
        R *y = y_;                                                                                 \
        const T *p = x_[0], *q = x_[1];                                                            \
        (void)ctx;                                                                                 \
        OC_EACH2(T, R, p[i * step[0]], q[i * step[1]], expr)                                       \
    }

#define OC_INTEGER_ROWS1(op, i, u)                                                                 \
    OC_ROW1(op##_i8, int8_t, int8_t, i)                                                            \
    OC_ROW1(op##_i16, int16_t, int16_t, i)                                                         \
    OC_ROW1(op##_i32, int32_t, int32_t, i)                                                         \
    OC_ROW1(op##_i64, int64_t, int64_t, i)                                                         \
    OC_ROW1(op##_u8, uint8_t, uint8_t, u)                                                          \
    OC_ROW1(op##_u16, uint16_t, uint16_t, u)                                                       \
    OC_ROW1(op##_u32, uint32_t, uint32_t, u)                                                       \
    OC_ROW1(op##_u64, uint64_t, uint64_t, u)

/* Defines kernels op_8 and so on by the size of an integer, if the sign does not matter. row is
 * OC_ROW1 or OC_ROW2. */
#define OC_BITS_ROWS(row, op, result, expr)                                                        \
    row(op##_8, uint8_t, result(uint8_t), expr) row(op##_16, uint16_t, result(uint16_t), expr)     \
        row(op##_32, uint32_t, result(uint32_t), expr)                                             \
            row(op##_64, uint64_t, result(uint64_t), expr)

/* row is OC_ROW2, or OC_SHORT_ROW2 if the expression has no vector form. */
#define OC_INTEGER_ROWS2(row, op, result, i, u)                                                    \
    row(op##_i8, int8_t, result(int8_t), i) row(op##_i16, int16_t, result(int16_t), i)             \
        row(op##_i32, int32_t, result(int32_t), i) row(op##_i64, int64_t, result(int64_t), i)      \
            row(op##_u8, uint8_t, result(uint8_t), u) row(op##_u16, uint16_t, result(uint16_t), u) \
                row(op##_u32, uint32_t, result(uint32_t), u)                                       \
                    row(op##_u64, uint64_t, result(uint64_t), u)

/* Entries of an oc_rows table for the kernels defined above. For floats the entries are a function
 * of kernels/elementwise/plain.h in the form for the call's processor, and op_f64. */
#define OC_FLOAT_ENTRIES(op) [OC_F32] = op##_f32, [OC_F64] = op##_f64
#define OC_PLAIN_ENTRIES(c, function, op)                                                          \
    [OC_F32] = oc_plain_pick(oc_plain_##function, oc_call_cpu(c)), [OC_F64] = op##_f64
#define OC_INTEGER_ENTRIES(op)                                                                     \
    [OC_I8] = op##_i8, [OC_I16] = op##_i16, [OC_I32] = op##_i32, [OC_I64] = op##_i64,              \
    [OC_U8] = op##_u8, [OC_U16] = op##_u16, [OC_U32] = op##_u32, [OC_U64] = op##_u64
#define OC_SHORT_ENTRIES(row)                                                                      \
    [OC_I8] = row[0], [OC_U8] = row[0], [OC_I16] = row[1], [OC_U16] = row[1], [OC_I32] = row[2],   \
    [OC_U32] = row[2]
#define OC_SIZE_ENTRIES(row) OC_SHORT_ENTRIES(row), [OC_I64] = row[3], [OC_U64] = row[3]
#define OC_BITS_ENTRIES(op)                                                                        \
    [OC_I8] = op##_8, [OC_I16] = op##_16, [OC_I32] = op##_32, [OC_I64] = op##_64,                  \
    [OC_U8] = op##_8, [OC_U16] = op##_16, [OC_U32] = op##_32, [OC_U64] = op##_64

/* These macros define the stage functions op_stage and op_legacy of a family that has op_list. */
#define OC_BINARY_STAGE(op)                                                                        \
    static oc_status op##_stage(oc_call *c, oc_stage *s)                                           \
    {                                                                                              \
        return oc_stage_binary(c, s, op##_rows);                                                   \
    }
#define OC_BINARY_LEGACY(op)                                                                       \
    static oc_status op##_legacy(oc_call *c, oc_stage *s)                                          \
    {                                                                                              \
        return oc_stage_binary_legacy(c, s, op##_rows);                                            \
    }

/* ---- broadcasting before opset 7: if the node asks for it, B repeats A's axes from `axis` on */

#define OC_LEGACY_ATTRS  "int axis?, int broadcast = 0"
/* for the signature of the first version without these attributes */
#define OC_LEGACY_CHANGE "change without axis; change dropped broadcast"

/* *b becomes input B with the rank of A; its dim is 1 along axes where B repeats. */
oc_status oc_legacy_b(oc_call *c, oc_value *b);
oc_op_fn oc_legacy_shape; /* output 0: A's type and dims */
