/* SPDX-License-Identifier: Apache-2.0
 * signature.c - what Ocellus is told of an operator of the program: its ports, their types, and the
 * attributes that nodes have. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "kernel.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- ports ---- */

ort_side ort_inputs_of(const OrtCustomOp *op)
{
    const bool variadic = op->version >= 14;
    return (ort_side){op->GetInputTypeCount, op->GetInputType,
                      op->version >= 8 ? op->GetInputCharacteristic : NULL,
                      variadic ? op->GetVariadicInputMinArity : NULL,
                      variadic ? op->GetVariadicInputHomogeneity : NULL};
}

ort_side ort_outputs_of(const OrtCustomOp *op)
{
    const bool variadic = op->version >= 14;
    return (ort_side){op->GetOutputTypeCount, op->GetOutputType,
                      op->version >= 8 ? op->GetOutputCharacteristic : NULL,
                      variadic ? op->GetVariadicOutputMinArity : NULL,
                      variadic ? op->GetVariadicOutputHomogeneity : NULL};
}

OrtCustomOpInputOutputCharacteristic ort_port_kind(const OrtCustomOp *op, const ort_side *side,
                                                   size_t i)
{
    return side->kind ? side->kind(op, i) : INPUT_OUTPUT_REQUIRED;
}

/* Operands past the last port are those of that port, as it is variadic. */
oc_type ort_operand_type(const OrtCustomOp *op, const ort_side *side, size_t i)
{
    const size_t n = side->count(op);
    return n ? ort_type(side->type(op, i < n ? i : n - 1)) : OC_UNDEFINED;
}

/* ---- the text ---- */

typedef ort_side side_of(const OrtCustomOp *op);

/* The type of a port; OC_UNDEFINED: any, or several. */
static oc_type port_type(const ort_operator *o, side_of *of, size_t i)
{
    oc_type type = OC_UNDEFINED;
    for (size_t k = 0; k < o->n_op; k++) {
        const ort_side side = of(o->op[k]);
        const oc_type other = ort_operand_type(o->op[k], &side, i);
        if (k && other != type)
            return OC_UNDEFINED;
        type = other;
    }
    return type;
}

/* The only input of any type, whose type outputs of any type have too; -1: there are none, or
 * several. */
static int lone_input(const ort_operator *o)
{
    const size_t n = o->op[0]->GetInputTypeCount(o->op[0]);
    int found = -1;
    for (size_t i = 0; i < n; i++)
        if (port_type(o, ort_inputs_of, i) == OC_UNDEFINED) {
            if (found >= 0)
                return -1;
            found = (int)i;
        }
    return found;
}

static const char *marks(const OrtCustomOp *op, const ort_side *side, size_t i)
{
    const bool none = side->least && side->least(op) < 1;
    const bool alike = !side->alike || side->alike(op);
    switch (ort_port_kind(op, side, i)) {
    case INPUT_OUTPUT_OPTIONAL:
        return "?";
    case INPUT_OUTPUT_VARIADIC:
        return none ? alike ? "?..." : "~?..." : alike ? "..." : "~...";
    default:
        return "";
    }
}

/* "(float x0, T x1?, all_ir13 x2...)" */
static void write_ports(FILE *f, const ort_operator *o, side_of *of, bool variable)
{
    const OrtCustomOp *op = o->op[0];
    const ort_side side = of(op);
    const size_t n = side.count(op);
    fputc('(', f);
    for (size_t i = 0; i < n; i++) {
        const oc_type type = port_type(o, of, i);
        const char *any = variable ? "T" : "all_ir13";
        fprintf(f, "%s%s %c%zu%s", i ? ", " : "", type == OC_UNDEFINED ? any : oc_type_name(type),
                of == ort_inputs_of ? 'x' : 'y', i, marks(op, &side, i));
    }
    fputc(')', f);
}

/* Is there a variable T: the type of the only input of any type, which all of its operands have? */
static bool has_variable(const ort_operator *o)
{
    const int lone = lone_input(o);
    const ort_side in = ort_inputs_of(o->op[0]);
    return o->n_op == 1 && lone >= 0 &&
           !(ort_port_kind(o->op[0], &in, (size_t)lone) == INPUT_OUTPUT_VARIADIC && in.alike &&
             !in.alike(o->op[0]));
}

static void write_signature(FILE *f, const ort_operator *o)
{
    const bool variable = has_variable(o);
    fprintf(f, "%s%s%s", o->domain, *o->domain ? "::" : "", o->name);
    for (size_t i = 0; i < o->n_attribute; i++)
        fprintf(f, "%s%s %s?", i ? ", " : " <", o->attribute[i].kind, o->attribute[i].name);
    fputs(o->n_attribute ? "> " : " ", f);
    write_ports(f, o, ort_inputs_of, variable);
    fputs(" => ", f);
    write_ports(f, o, ort_outputs_of, variable);
    fputs(" | random", f);
    if (variable)
        fputs("; T: all_ir13", f);
}

/* ---- checks ---- */

static OrtStatus *check_side(const ort_operator *o, side_of *of, const char *what)
{
    const ort_side first = of(o->op[0]);
    const size_t n = first.count(o->op[0]);
    for (size_t k = 0; k < o->n_op; k++) {
        const ort_side side = of(o->op[k]);
        ORT_EXPECT(side.count(o->op[k]) == n, "operators of name '%s' have %zu and %zu %ss",
                   o->name, n, side.count(o->op[k]), what);
        for (size_t i = 0; i < n; i++) {
            const OrtCustomOpInputOutputCharacteristic kind = ort_port_kind(o->op[k], &side, i);
            ORT_EXPECT(kind == ort_port_kind(o->op[0], &first, i),
                       "operators of name '%s' differ in whether %s %zu is optional or variadic",
                       o->name, what, i);
            ORT_EXPECT(kind != INPUT_OUTPUT_VARIADIC || i + 1 == n,
                       "operator '%s': %s %zu is variadic, expected the last alone", o->name, what,
                       i);
        }
    }
    return NULL;
}

OrtStatus *ort_operator_sign(ort_operator *o)
{
    size_t size;
    ORT_TRY(check_side(o, ort_inputs_of, "input"));
    ORT_TRY(check_side(o, ort_outputs_of, "output"));
    FILE *f = open_memstream(&o->signature, &size);
    if (!f)
        return ort_no_memory(1);
    write_signature(f, o);
    return fclose(f) == 0 && o->signature ? NULL : ort_no_memory(size);
}
