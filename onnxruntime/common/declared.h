/* SPDX-License-Identifier: Apache-2.0
 * declared.h - what an operator of the program says of itself. It is asked once, when a session is
 * made: what is known later needs no call of the program's. */
#ifndef ORT_DECLARED_H
#define ORT_DECLARED_H

#include "common/status.h"

/* An input or output. */
typedef struct ort_declared_port {
    oc_type type; /* OC_UNDEFINED: any */
    OrtCustomOpInputOutputCharacteristic kind;
} ort_declared_port;

/* The inputs of an operator, or its outputs. A variadic port is the last. */
typedef struct ort_side {
    ort_declared_port *port;
    size_t n;
    int least;  /* operands of a variadic port */
    bool alike; /* the operands of a variadic port have one type */
} ort_side;

typedef struct ort_declared {
    const OrtCustomOp *op;
    char *name;
    int since;      /* the first version of the domain that it serves */
    bool runs_here; /* on the processor */
    ort_side in, out;
} ort_declared;

/* The type of operand i; OC_UNDEFINED: any, or there is no such operand. */
oc_type ort_operand_type(const ort_side *side, size_t i);
/* How many operands port i takes; of a port that is not there the program asks for one. */
OrtCustomOpInputOutputCharacteristic ort_port_kind(const ort_side *side, size_t i);
void ort_declared_clear(ort_declared *declared);

#endif
