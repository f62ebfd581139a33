/* SPDX-License-Identifier: Apache-2.0
 * type.h - element types, their properties, and sets of element types.
 *
 * The tensor layer knows types, shapes and elements, but no nodes. */
#ifndef OC_TENSOR_TYPE_H
#define OC_TENSOR_TYPE_H

#include <ocellus_op.h>

/* The type whose ONNX name, such as "float16", is the size bytes at name; OC_UNDEFINED when there
 * is none. */
oc_type oc_type_find(const char *name, size_t size);

static inline oc_type_mask oc_type_bit(oc_type t)
{
    return (oc_type_mask)1 << t;
}

static inline bool oc_type_is_listed(int64_t number)
{
    return number > OC_UNDEFINED && number < OC_N_TYPES;
}

/* The alignment of an element in bytes. */
size_t oc_type_align(oc_type t);

/* Bits of one element in files: 2 or 4 for packed types, else 8 times its size in memory. */
int oc_type_bits(oc_type t);

/* Sets of element types as bit masks. */
#define OC_SET_(t)        ((oc_type_mask)1 << OC_##t)
#define OC_SET_SIGNED     (OC_SET_(I8) | OC_SET_(I16) | OC_SET_(I32) | OC_SET_(I64))
#define OC_SET_UNSIGNED   (OC_SET_(U8) | OC_SET_(U16) | OC_SET_(U32) | OC_SET_(U64))
#define OC_SET_IEEE       (OC_SET_(F16) | OC_SET_(F32) | OC_SET_(F64))
#define OC_SET_FLOAT      (OC_SET_IEEE | OC_SET_(BF16))
#define OC_SET_HALF       (OC_SET_(F16) | OC_SET_(BF16))
#define OC_SET_F8         (OC_SET_(F8E4M3FN) | OC_SET_(F8E4M3FNUZ) | OC_SET_(F8E5M2) | OC_SET_(F8E5M2FNUZ))
#define OC_SET_TINY_INT   (OC_SET_(U4) | OC_SET_(I4) | OC_SET_(U2) | OC_SET_(I2))
#define OC_SET_TINY_FLOAT (OC_SET_F8 | OC_SET_(F8E8M0) | OC_SET_(F4E2M1))
#define OC_SET_COMPLEX    (OC_SET_(C64) | OC_SET_(C128))

static inline bool oc_type_in(oc_type t, oc_type_mask set)
{
    return (set >> t) & 1;
}

/* Is it float16 or bfloat16? Kernels compute these in float and round each result once. */
static inline bool oc_type_is_half(oc_type t)
{
    return oc_type_in(t, OC_SET_HALF);
}

/* The type in which kernels compute numbers of type t: double for double, else float. */
static inline oc_type oc_type_real(oc_type t)
{
    return t == OC_F64 ? OC_F64 : OC_F32;
}

#endif
