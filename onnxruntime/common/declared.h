/* SPDX-License-Identifier: Apache-2.0
 * declared.h - what an operator of the program says of itself. It is asked once, when a session is
 * made, so that nothing calls the program for it later. */
#pragma once

#include "common/status.h"

/* An input or output. */
typedef struct ort_declared_port {
    oc_type type; /* OC_UNDEFINED: any */
    OrtCustomOpInputOutputCharacteristic kind;
} ort_declared_port;

/* The inputs of an operator, or its outputs. Only the last port may be variadic. */
typedef struct ort_side {
    ort_declared_port *port;
    size_t n;
    int least;  /* how many operands a variadic port takes at least */
    bool alike; /* true: all operands of a variadic port have one type */
} ort_side;

typedef struct ort_declared {
    const OrtCustomOp *op;
    char *name;
    int since;      /* the first version of the domain that it serves */
    bool runs_here; /* true: it runs on the processor */
    ort_side in, out;
} ort_declared;

/* Returns the type of operand i, or OC_UNDEFINED: it may have any type, or is not there. */
oc_type ort_operand_type(const ort_side *side, size_t i);
/* Returns how many operands port i takes: one where the operator has no port i. */
OrtCustomOpInputOutputCharacteristic ort_port_kind(const ort_side *side, size_t i);
void ort_declared_clear(ort_declared *declared);
