/* SPDX-License-Identifier: Apache-2.0
 * declared.c - reads what an operator of the program has said of itself. */
#include "common/declared.h"

OrtCustomOpInputOutputCharacteristic ort_port_kind(const ort_side *side, size_t i)
{
    return i < side->n ? side->port[i].kind : INPUT_OUTPUT_REQUIRED;
}

/* Operands past the last port are those of that port, as it is variadic. */
oc_type ort_operand_type(const ort_side *side, size_t i)
{
    return side->n ? side->port[i < side->n ? i : side->n - 1].type : OC_UNDEFINED;
}

void ort_declared_clear(ort_declared *declared)
{
    free(declared->name);
    free(declared->in.port);
    free(declared->out.port);
}
