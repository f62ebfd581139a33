/* SPDX-License-Identifier: Apache-2.0
 * signature.c - what Ocellus is told of an operator of the program: its ports, their types, and the
 * attributes that nodes have. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "operators/kernel.h"

/* ---- the text ---- */

typedef const ort_side *side_of(const ort_declared *op);

static const ort_side *inputs_of(const ort_declared *op)
{
    return &op->in;
}

static const ort_side *outputs_of(const ort_declared *op)
{
    return &op->out;
}

/* Returns the type of a port; OC_UNDEFINED: any, or several. */
static oc_type port_type(const ort_operator *o, side_of *of, size_t i)
{
    oc_type type = OC_UNDEFINED;
    for (size_t k = 0; k < o->n_op; k++) {
        const oc_type other = ort_operand_type(of(&o->op[k]), i);
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
    int found = -1;
    for (size_t i = 0; i < o->op->in.n; i++)
        if (port_type(o, inputs_of, i) == OC_UNDEFINED) {
            if (found >= 0)
                return -1;
            found = (int)i;
        }
    return found;
}

static const char *marks(const ort_side *side, size_t i)
{
    const bool none = side->least < 1, alike = side->alike;
    switch (side->port[i].kind) {
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
    const ort_side *side = of(o->op);
    fputc('(', f);
    for (size_t i = 0; i < side->n; i++) {
        const oc_type type = port_type(o, of, i);
        const char *any = variable ? "T" : "all_ir13";
        fprintf(f, "%s%s %c%zu%s", i ? ", " : "", type == OC_UNDEFINED ? any : oc_type_name(type),
                of == inputs_of ? 'x' : 'y', i, marks(side, i));
    }
    fputc(')', f);
}

/* Is there a variable T: the type of the only input of any type, which all of its operands have? */
static bool has_variable(const ort_operator *o)
{
    const int lone = lone_input(o);
    const ort_side *in = &o->op->in;
    return o->n_op == 1 && lone >= 0 && (in->port[lone].kind != INPUT_OUTPUT_VARIADIC || in->alike);
}

/* Names of attributes may have any characters: they are quoted. */
static void write_quoted(FILE *f, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', f);
        fputc(*text, f);
    }
}

static void write_signature(FILE *f, const ort_operator *o)
{
    const bool variable = has_variable(o);
    fprintf(f, "%s%s%s", o->domain, *o->domain ? "::" : "", o->name);
    for (size_t i = 0; i < o->n_attribute; i++) {
        fprintf(f, "%s%s \"", i ? ", " : " <", o->attribute[i].kind);
        write_quoted(f, o->attribute[i].name);
        fputs("\"?", f);
    }
    fputs(o->n_attribute ? "> " : " ", f);
    write_ports(f, o, inputs_of, variable);
    fputs(" => ", f);
    write_ports(f, o, outputs_of, variable);
    fputs(" | random", f);
    if (variable)
        fputs("; T: all_ir13", f);
}

/* ---- checks ---- */

static OrtStatus *check_side(const ort_operator *o, side_of *of, const char *what)
{
    const ort_side *first = of(o->op);
    for (size_t k = 0; k < o->n_op; k++) {
        const ort_side *side = of(&o->op[k]);
        ORT_EXPECT(side->n == first->n, "operators of name '%s' have %zu and %zu %ss", o->name,
                   first->n, side->n, what);
        for (size_t i = 0; i < side->n; i++) {
            const OrtCustomOpInputOutputCharacteristic kind = side->port[i].kind;
            ORT_EXPECT(kind == first->port[i].kind,
                       "operators of name '%s' differ in whether %s %zu is optional or variadic",
                       o->name, what, i);
            ORT_EXPECT(kind != INPUT_OUTPUT_VARIADIC || i + 1 == side->n,
                       "operator '%s': %s %zu is variadic, expected the last alone", o->name, what,
                       i);
        }
    }
    return NULL;
}

OrtStatus *ort_operator_sign(ort_operator *o)
{
    size_t size;
    ORT_TRY(check_side(o, inputs_of, "input"));
    ORT_TRY(check_side(o, outputs_of, "output"));
    FILE *f = open_memstream(&o->signature, &size);
    if (!f)
        return ort_no_memory(1);
    write_signature(f, o);
    return fclose(f) == 0 && o->signature ? NULL : ort_no_memory(size);
}
