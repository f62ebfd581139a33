/* SPDX-License-Identifier: Apache-2.0
 * work.c - estimates the operations and bytes of a node from the shapes of its inputs and
 * outputs. */
#include "session/work.h"

#include <math.h>
#include <string.h>

static const oc_value *in_of(const oc_node_event *e, int i)
{
    return i < e->n_in ? e->in[i] : NULL;
}

static const oc_value *out_of(const oc_node_event *e, int i)
{
    return i < e->n_out ? e->out[i] : NULL;
}

static double count(const oc_value *v)
{
    return v && oc_value_kind(v) == OC_TENSOR ? (double)oc_value_count(v) : 0;
}

/* Returns a dim of v; 1 when there is no such axis. A negative axis counts from the last one. */
static double dim(const oc_value *v, int axis)
{
    const int rank = v && oc_value_kind(v) == OC_TENSOR ? oc_value_rank(v) : 0;
    const int at = axis < 0 ? axis + rank : axis;
    return at >= 0 && at < rank ? (double)oc_value_dims(v)[at] : 1;
}

/* ---- operations ---- */

/* Input i holds the weights [maps, ...] of a convolution. */
static double conv(const oc_node_event *e, int i)
{
    const oc_value *w = in_of(e, i);
    return 2 * count(out_of(e, 0)) * count(w) / fmax(dim(w, 0), 1);
}

/* Each pixel of X meets the weights of its channel. */
static double conv_transpose(const oc_node_event *e, int i)
{
    const oc_value *w = in_of(e, i);
    return 2 * count(in_of(e, 0)) * count(w) / fmax(dim(w, 0), 1);
}

static double matmul(const oc_node_event *e, int i)
{
    return 2 * count(out_of(e, 0)) * dim(in_of(e, i), -1);
}

/* A may be transposed. */
static double gemm(const oc_node_event *e, int i)
{
    return 2 * count(out_of(e, 0)) * count(in_of(e, i)) / fmax(dim(out_of(e, 0), 0), 1);
}

/* Counts the scores of all keys, and the sums of all values. Output 1 has the keys of the past
 * too. */
static double attention(const oc_node_event *e, int i)
{
    const oc_value *keys = count(out_of(e, 1)) > 0 ? out_of(e, 1) : in_of(e, i);
    return 2 * dim(keys, -2) * (count(in_of(e, 0)) + count(out_of(e, 0)));
}

static double recurrent(const oc_node_event *e, int i)
{
    const oc_value *x = in_of(e, 0);
    return 2 * dim(x, 0) * dim(x, 1) * (count(in_of(e, i)) + count(in_of(e, i + 1)));
}

/* For two operands without a common batch: sizes mk, kn and mn have the product mkn squared. */
static double einsum(const oc_node_event *e, int i)
{
    const double pair = count(in_of(e, i)) * count(in_of(e, i + 1)) * count(out_of(e, 0));
    return e->n_in == 2 ? 2 * sqrt(pair) : fmax(count(in_of(e, 0)), count(out_of(e, 0)));
}

static double of_inputs(const oc_node_event *e, int each)
{
    return each * fmax(count(in_of(e, 0)), count(out_of(e, 0)));
}

static double of_outputs(const oc_node_event *e, int each)
{
    return each * count(out_of(e, 0));
}

/* The first row whose name is the operator's, or begins it as "Reduce*" does, counts. */
static double flop_of(const oc_node_event *e)
{
    static const struct {
        const char *op;
        double (*flop)(const oc_node_event *e, int n);
        int n;
    } rows[] = {
        {"Conv", conv, 1},
        {"FusedConv", conv, 1},
        {"ConvInteger", conv, 1},
        {"DeformConv", conv, 1},
        {"CausalConvWithState", conv, 1},
        {"QLinearConv", conv, 3},
        {"ConvTranspose", conv_transpose, 1},
        {"MatMul*", matmul, 0},
        {"QLinearMatMul", matmul, 0},
        {"Gemm", gemm, 0},
        {"Attention", attention, 1},
        {"FlexAttention", attention, 1},
        {"LSTM", recurrent, 1},
        {"GRU", recurrent, 1},
        {"RNN", recurrent, 1},
        {"Einsum", einsum, 0},
        {"Reduce*", of_inputs, 1},
        {"Global*", of_inputs, 1},
        {"MaxPool", of_inputs, 1},
        {"AveragePool", of_inputs, 1},
        {"LpPool", of_inputs, 1},
        {"ArgM*", of_inputs, 1},
        {"CumSum", of_inputs, 1},
        {"Softmax", of_outputs, 4},
        {"LogSoftmax", of_outputs, 4},
        {"LRN", of_outputs, 8},
        {"BatchNormalization", of_outputs, 4},
        {"LayerNormalization", of_outputs, 7},
        {"GroupNormalization", of_outputs, 7},
        {"InstanceNormalization", of_outputs, 7},
        {"RMSNormalization", of_outputs, 4},
        {"GridSample", of_outputs, 8},
        {"Resize", of_outputs, 8},
        {"Upsample", of_outputs, 8},
        {"RoiAlign", of_outputs, 8},
    };
    /* Operators that move elements, or make them anew, compute nothing. */
    static const char *const moves =
        " Reshape Transpose Concat Split Slice Gather GatherElements GatherND Scatter ScatterND "
        "ScatterElements Squeeze Unsqueeze Flatten Identity Cast CastLike Pad Tile Expand Shape "
        "Size "
        "Constant ConstantOfShape DepthToSpace SpaceToDepth Where Trilu ReverseSequence OneHot "
        "NonZero Range TopK Compress EyeLike ";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t size = strcspn(rows[i].op, "*");
        if (strncmp(e->op_type, rows[i].op, size) == 0 && (rows[i].op[size] || !e->op_type[size]))
            return rows[i].flop(e, rows[i].n);
    }
    const size_t size = strlen(e->op_type);
    for (const char *at = strstr(moves, e->op_type); at; at = strstr(at + 1, e->op_type))
        if (at > moves && at[-1] == ' ' && at[size] == ' ')
            return 0;
    return of_outputs(e, 1);
}

/* ---- bytes ---- */

/* A value that is not stored has no data. */
static double bytes_of(const oc_value *v)
{
    const bool stored = v && oc_value_kind(v) == OC_TENSOR && oc_value_data(v);
    return stored ? (double)oc_value_count(v) * (double)oc_type_size(oc_value_type(v)) : 0;
}

static bool is_one_of(const char *op, const char *const names[])
{
    for (int i = 0; names[i]; i++)
        if (strcmp(op, names[i]) == 0)
            return true;
    return false;
}

static bool shares_memory(const oc_node_event *e, const oc_value *in)
{
    for (int i = 0; in && oc_value_kind(in) == OC_TENSOR && i < e->n_out; i++)
        if (e->out[i] && oc_value_kind(e->out[i]) == OC_TENSOR &&
            oc_value_data(e->out[i]) == oc_value_data(in))
            return true;
    return false;
}

static double all_bytes(const oc_node_event *e)
{
    static const char *const shapes[] = {"Shape", "Size", NULL};
    static const char *const picks[] = {"Gather", "GatherElements", "GatherND", "Slice", NULL};
    double in = 0, out = 0;
    for (int i = 0; i < e->n_out; i++)
        out += bytes_of(e->out[i]);
    for (int i = 0; i < e->n_in; i++) {
        const double bytes = bytes_of(e->in[i]);
        if (shares_memory(e, e->in[i]))
            out -= bytes;
        else if (i > 0 || !is_one_of(e->op_type, shapes))
            in += i == 0 && is_one_of(e->op_type, picks) ? fmin(bytes, out) : bytes;
    }
    return in + fmax(out, 0);
}

node_work work_of(const oc_node_event *event)
{
    static const char *const holders[] = {"If", "Loop", "Scan", NULL};
    const oc_value *y = out_of(event, 0);
    if (is_one_of(event->op_type, holders))
        return (node_work){.holds_others = true};
    return (node_work){.flop = flop_of(event),
                       .bytes = all_bytes(event),
                       .is_double = y && oc_value_type(y) == OC_F64};
}
