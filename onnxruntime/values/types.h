/* SPDX-License-Identifier: Apache-2.0
 * types.h - what is known of a value: its kind, element type and dims. */
#pragma once

#include "common/status.h"

struct OrtTensorTypeAndShapeInfo {
    oc_type type;
    int rank;                 /* -1: not known */
    int64_t dim[OC_MAX_RANK]; /* -1: not known */
    char *name[OC_MAX_RANK];  /* name of a dim that is a symbol; NULL: "" */
};

/* The type of a value. OrtMapTypeInfo, OrtSequenceTypeInfo and OrtOptionalTypeInfo are what the
 * interface calls an OrtTypeInfo of that kind. */
struct OrtTypeInfo {
    ONNXType kind;
    OrtTensorTypeAndShapeInfo tensor; /* type and shape of a tensor; the rank of another kind is
                                       * -1 */
    oc_type key;                      /* type of a map's keys */
    OrtTypeInfo *item; /* the type of a map's values, of a sequence's items or of an optional's
                        * value; NULL: a tensor */
};

/* *info becomes the type of an input or output. */
OrtStatus *ort_type_of_port(const oc_port *port, OrtTypeInfo **info);
void ort_tensor_type_clear(OrtTensorTypeAndShapeInfo *info);
