/* SPDX-License-Identifier: Apache-2.0
 * macs.c - counts the multiply-accumulates of a node by the shapes of its values. */
#include "inspect/macs.h"

#include "base/int.h"

#include <string.h>

/* Multiplies two numbers; -1 stands for an unknown one. A product that does not fit is unknown. */
static int64_t times(int64_t a, int64_t b)
{
    int64_t product;
    return a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product) ? -1 : product;
}

static const oc_port *in_of(const oc_node_info *node, int i)
{
    return i < node->n_in && *node->in[i].name ? &node->in[i] : NULL;
}

static const oc_port *out_of(const oc_node_info *node, int i)
{
    return i < node->n_out && *node->out[i].name ? &node->out[i] : NULL;
}

/* Returns a dim of the port. A negative axis counts from the last one. */
static int64_t dim(const oc_port *p, int axis)
{
    const int at = !p ? -1 : axis < 0 ? axis + p->rank : axis;
    return at >= 0 && at < p->rank ? p->dim[at] : -1;
}

static int64_t count(const oc_port *p)
{
    int64_t n = p && p->kind == OC_TENSOR && p->rank >= 0 ? 1 : -1;
    for (int i = 0; p && i < p->rank; i++)
        n = times(n, p->dim[i]);
    return n;
}

static int64_t int_attribute(const oc_node_info *node, const char *name, int64_t otherwise)
{
    for (int i = 0; i < node->n_attr; i++) {
        const oc_attribute a = oc_node_attribute(node, i);
        if (strcmp(a.name, name) == 0 && a.ints && a.n == 1)
            return a.ints[0];
    }
    return otherwise;
}

/* ---- rules: i is the number of an input ---- */

/* Returns the elements of the weights [maps, ...] that each map has. */
static int64_t per_map(const oc_port *w)
{
    int64_t n = w && w->rank > 0 && dim(w, 0) >= 0 ? 1 : -1;
    for (int i = 1; w && i < w->rank; i++)
        n = times(n, w->dim[i]);
    return n;
}

static int64_t conv(const oc_node_info *node, int i)
{
    return times(count(out_of(node, 0)), per_map(in_of(node, i)));
}

static int64_t conv_transpose(const oc_node_info *node, int i)
{
    return times(count(in_of(node, 0)), per_map(in_of(node, i)));
}

static int64_t matmul(const oc_node_info *node, int i)
{
    const bool turned = int_attribute(node, "transA", 0) != 0;
    return times(count(out_of(node, 0)), dim(in_of(node, i), turned ? -2 : -1));
}

/* Each element of Q meets all keys, and each element of Y all values. Output 1 includes the keys
 * of the past. */
static int64_t attention(const oc_node_info *node, int i)
{
    const oc_port *past = in_of(node, 4), *present = out_of(node, 1);
    int64_t keys = dim(in_of(node, i), -2);
    if (past)
        keys = present                         ? dim(present, -2)
               : keys < 0 || dim(past, -2) < 0 ? -1
                                               : keys + dim(past, -2);
    const int64_t q = times(count(in_of(node, 0)), keys), y = times(count(out_of(node, 0)), keys);
    return q < 0 || y < 0 || q > INT64_MAX - y ? -1 : q + y;
}

/* FlexAttention has no past. */
static int64_t flex_attention(const oc_node_info *node, int i)
{
    oc_node_info alone = *node;
    alone.n_in = oc_min(alone.n_in, 3);
    return attention(&alone, i);
}

/* Counts the weights of input and of state, of each direction, for each step of each sequence. */
static int64_t recurrent(const oc_node_info *node, int i)
{
    const oc_port *x = in_of(node, 0);
    const int64_t w = count(in_of(node, i)), r = count(in_of(node, i + 1));
    const int64_t both = w < 0 || r < 0 || w > INT64_MAX - r ? -1 : w + r;
    return times(times(dim(x, 0), dim(x, 1)), both);
}

/* Counts two operands without "...": the product of the sizes of all letters. */
static int64_t einsum(const oc_node_info *node, int i)
{
    const oc_attribute a = oc_node_attribute(node, 0);
    int64_t n = 1;
    int operand = i, axis = 0;
    bool seen[256] = {false};
    if (node->n_in != 2)
        return node->n_in < 2 ? 0 : -1;
    for (size_t k = 0; a.strings && k < a.strings->size && a.strings->data[k] != '-'; k++) {
        const unsigned char c = (unsigned char)a.strings->data[k];
        if (c == ' ')
            continue;
        if (c == '.' || operand > 1)
            return -1;
        if (c == ',') {
            operand++;
            axis = 0;
            continue;
        }
        const int64_t size = dim(in_of(node, operand), axis++);
        n = seen[c] ? n : times(n, size);
        seen[c] = true;
    }
    return a.strings ? n : -1;
}

node_macs macs_of(const oc_node_info *node)
{
    static const struct {
        const char *op;
        int64_t (*rule)(const oc_node_info *node, int i);
        int i;
    } rows[] = {
        {"Conv", conv, 1},
        {"ConvInteger", conv, 1},
        {"FusedConv", conv, 1},
        {"DeformConv", conv, 1},
        {"CausalConvWithState", conv, 1},
        {"QLinearConv", conv, 3},
        {"ConvTranspose", conv_transpose, 1},
        {"MatMul", matmul, 0},
        {"MatMulInteger", matmul, 0},
        {"FusedMatMul", matmul, 0},
        {"QLinearMatMul", matmul, 0},
        {"Gemm", matmul, 0},
        {"FusedGemm", matmul, 0},
        {"Attention", attention, 1},
        {"FlexAttention", flex_attention, 1},
        {"LSTM", recurrent, 1},
        {"GRU", recurrent, 1},
        {"RNN", recurrent, 1},
        {"Einsum", einsum, 0},
    };
    const bool own_attention = *node->domain && strcmp(node->op_type, "Attention") == 0;
    /* the model's function of that name, not the operator */
    if (node->support == OC_SUPPORT_FUNCTION || own_attention)
        return (node_macs){.kind = MACS_UNKNOWN};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(node->op_type, rows[i].op) != 0)
            continue;
        const int64_t n = rows[i].rule(node, rows[i].i);
        return (node_macs){.kind = n < 0 ? MACS_UNKNOWN : MACS_KNOWN, .n = n < 0 ? 0 : n};
    }
    return (node_macs){.kind = node->support == OC_SUPPORT_NONE ? MACS_UNKNOWN : MACS_NONE};
}
