/* SPDX-License-Identifier: Apache-2.0
 * element_type.h - what is known of each element type besides ocellus.h's OC_TYPE_MAP: its class,
 * and the bits of one element in files. All else follows from these: sets, packing, ranges, codes.
 *
 * Each type is in one of these lists, X(name, bits); element_type.c proves it. The recipe for a new
 * one: docs/adding-an-element-type.md. */
#pragma once

#include <ocellus_op.h>

/* clang-format off */
#define OC_TYPES_SIGNED(X)        X(I8, 8) X(I16, 16) X(I32, 32) X(I64, 64)
#define OC_TYPES_UNSIGNED(X)      X(U8, 8) X(U16, 16) X(U32, 32) X(U64, 64)
#define OC_TYPES_REAL(X)          X(F32, 32) X(F64, 64)
#define OC_TYPES_HALF(X)          X(F16, 16) X(BF16, 16)
#define OC_TYPES_COMPLEX(X)       X(C64, 64) X(C128, 128)
#define OC_TYPES_OTHER(X)         X(BOOL, 8) X(STRING, 8 * sizeof(oc_string))
/* One element is one byte in memory. These are integers of fewer than 8 bits, and the floats
 * whose formats smallfloat.c lists. */
#define OC_TYPES_TINY_SIGNED(X)   X(I4, 4) X(I2, 2)
#define OC_TYPES_TINY_UNSIGNED(X) X(U4, 4) X(U2, 2)
#define OC_TYPES_TINY_FLOAT(X) \
    X(F8E4M3FN, 8) X(F8E4M3FNUZ, 8) X(F8E5M2, 8) X(F8E5M2FNUZ, 8) X(F8E8M0, 8) X(F4E2M1, 4)

#define OC_TYPES_LISTED(X) \
    OC_TYPES_SIGNED(X) OC_TYPES_UNSIGNED(X) OC_TYPES_REAL(X) OC_TYPES_HALF(X) OC_TYPES_COMPLEX(X) \
    OC_TYPES_OTHER(X) OC_TYPES_TINY_SIGNED(X) OC_TYPES_TINY_UNSIGNED(X) OC_TYPES_TINY_FLOAT(X)
/* clang-format on */

/* Sets of element types as bit masks. OC_OR_TYPE makes the set of a list: (0 LIST(OC_OR_TYPE)). */
#define OC_SET_(t)            ((oc_type_mask)1 << OC_##t)
#define OC_OR_TYPE(name, ...) | OC_SET_(name)
#define OC_SET_SIGNED         (0 OC_TYPES_SIGNED(OC_OR_TYPE))
#define OC_SET_UNSIGNED       (0 OC_TYPES_UNSIGNED(OC_OR_TYPE))
#define OC_SET_HALF           (0 OC_TYPES_HALF(OC_OR_TYPE))
#define OC_SET_COMPLEX        (0 OC_TYPES_COMPLEX(OC_OR_TYPE))
#define OC_SET_TINY_SIGNED    (0 OC_TYPES_TINY_SIGNED(OC_OR_TYPE))
#define OC_SET_TINY_INT       (OC_SET_TINY_SIGNED OC_TYPES_TINY_UNSIGNED(OC_OR_TYPE))
#define OC_SET_TINY_FLOAT     (0 OC_TYPES_TINY_FLOAT(OC_OR_TYPE))
#define OC_SET_EVERY          (0 OC_TYPE_MAP(OC_OR_TYPE))
#define OC_SET_IEEE           (OC_SET_(F16) | OC_SET_(F32) | OC_SET_(F64))
#define OC_SET_FLOAT          (OC_SET_IEEE | OC_SET_(BF16))
#define OC_SET_F8             (OC_SET_(F8E4M3FN) | OC_SET_(F8E4M3FNUZ) | OC_SET_(F8E5M2) | OC_SET_(F8E5M2FNUZ))

/* 0 LIST(OC_PLUS_ONE) is the number of types in a list; LIST(OC_TYPE_COMMA) lists its types. */
#define OC_PLUS_ONE(name, ...)   +1
#define OC_TYPE_COMMA(name, ...) OC_##name,

static inline bool oc_type_is_listed(int64_t number)
{
    return number > OC_UNDEFINED && number < OC_N_TYPES;
}

static inline oc_type_mask oc_type_bit(oc_type t)
{
    return (oc_type_mask)1 << t;
}

static inline bool oc_type_in(oc_type t, oc_type_mask set)
{
    return (set >> t) & 1;
}

/* Is it float16 or bfloat16? Kernels compute these in float and round each result once. */
static inline bool oc_type_is_half(oc_type t)
{
    return oc_type_in(t, OC_SET_HALF);
}

static inline bool oc_type_is_signed(oc_type t) /* t is an integer type */
{
    return oc_type_in(t, OC_SET_SIGNED | OC_SET_TINY_SIGNED);
}

static inline bool oc_type_is_integer(oc_type t) /* false for bool */
{
    return oc_type_in(t, OC_SET_SIGNED | OC_SET_UNSIGNED | OC_SET_TINY_INT);
}

/* Returns the bits of one element in files, where elements of 2 and 4 bits are packed. For all
 * other types this is 8 times the size in memory. */
int oc_type_bits(oc_type t);

/* Returns the alignment of an element in bytes. */
size_t oc_type_align(oc_type t);

/* Returns the type whose ONNX name, such as "float16", is the size bytes at name; OC_UNDEFINED
 * when there is none. */
oc_type oc_type_find(const char *name, size_t size);

/* Returns the type in which kernels compute numbers of type t: double for double, else float. */
static inline oc_type oc_type_real(oc_type t)
{
    return t == OC_F64 ? OC_F64 : OC_F32;
}
