/* SPDX-License-Identifier: Apache-2.0
 * qlinear_concat.c - prints com.microsoft's QLinearConcat for one call: any number of quantized
 * tensors, each with its scale and zero point, become floats, one tensor, and quantized again. */
#include "bodies/call_text.h"
#include "bodies/library.h"

typedef struct printer {
    oc_arena *arena;
    char *text;
    int size;
} printer;

static void put(printer *p, const char *text)
{
    if (text)
        oc_arena_append(p->arena, &p->text, &p->size, text, strlen(text));
}

/* Writes tensor i as floats. Its scale and zero point have one element, whatever their rank. */
static void put_floats(printer *p, const oc_node *call, int i)
{
    const int at = 2 + 3 * i + 2; /* index of the zero point */
    const bool has_zero = at < call->n_in && *call->in[at];
    put(p, oc_arena_printf(p->arena, "  from_%d = Reshape (scale_%d, one)\n", i, i));
    if (has_zero)
        put(p, oc_arena_printf(p->arena, "  zero_%d = Reshape (zero_point_%d, one)\n", i, i));
    put(p, oc_arena_printf(p->arena, "  x_%d = DequantizeLinear (X_%d, from_%d", i, i, i));
    put(p, has_zero ? oc_arena_printf(p->arena, ", zero_%d)\n", i) : ")\n");
}

static void put_body(printer *p, const oc_node *call, int n)
{
    put(p, "<domain: \"com.microsoft\", opset_import: [\"\" : 21]>\n"
           "QLinearConcat <axis> (Y_scale, Y_zero_point");
    for (int i = 0; i < n; i++)
        put(p, oc_arena_printf(p->arena, ", X_%d, scale_%d, zero_point_%d", i, i, i));
    put(p, ") => (Y)\n{\n  one = Constant <value_ints: ints = []> ()\n"
           "  scale = Reshape (Y_scale, one)\n  zero_point = Reshape (Y_zero_point, one)\n");
    for (int i = 0; i < n; i++)
        put_floats(p, call, i);
    put(p, "  all = Concat <axis: int = @axis> ");
    for (int i = 0; i < n; i++)
        put(p, oc_arena_printf(p->arena, "%sx_%d", i ? ", " : "(", i));
    put(p, ")\n  Y = QuantizeLinear (all, scale, zero_point)\n}\n");
}

oc_status oc_print_qlinear_concat(const oc_body_call *call, oc_arena *arena, const char **text,
                                  oc_error *e)
{
    const int n_in = call->node->n_in, n = (n_in - 1) / 3; /* the last zero point may be missing */
    char label[OC_NODE_TEXT];
    if (n < 1 || (n_in != 2 + 3 * n && n_in != 1 + 3 * n))
        return oc_error_set(e, OC_MODEL,
                            "%s: %d inputs, expected a scale, a zero point, and three for each "
                            "tensor",
                            oc_call_text(call->node, call->opset, label), n_in);
    printer p = {.arena = arena};
    put_body(&p, call->node, n);
    OC_TRY(oc_arena_check(arena, e));
    *text = p.text;
    return OC_OK;
}
