/* SPDX-License-Identifier: Apache-2.0
 * table.c - the cases that ocellus check makes for each function operator.
 *
 * Slack is what the body's own steps may round, for the kernels round once or hardly more. Bodies
 * that compute in double, or do the same steps, have none: bits are equal, signs of zeros too. A
 * step of the body is off by half a unit; where steps subtract, its units are those of the terms,
 * which near counts, and a sign of zero is not its to tell. */
#include "check/cases.h"

/* Elements in every rank, odd numbers of them, none, and more than a thread takes. */
#define ELEMENTS                                                                                   \
    "T[]", "T[1]", "T[2]", "T[0,3]", "T[7,13]", "T[2,3,4,5]", "T[2,1,3,2,3]", "T[1,2,1,2,1,3]",    \
        "T[40003]"
#define FLOATS "bfloat16 float16 float double"
#define PAIRS                                                                                      \
    "T[]; T[]", "T[1]; T[]", "T[3,4]; T[4]", "T[3,1]; T[2,1,4]", "T[0,3]; T[1]", "T[0]; T[1]",     \
        "T[7,13]; T[7,13]", "T[2,3,4,5]; T[3,1,5]", "T[2,1,2,1,3]; T[1,2,1,2,1]",                  \
        "T[40003]; T[40003]", "! T[3]; T[4]"
#define REDUCE                                                                                     \
    {                                                                                              \
        "", "keepdims = 0", "noop_with_empty_axes = 1", "keepdims = 0, noop_with_empty_axes = 1"   \
    }
/* Rows, columns, both, in blocks; no axes, an empty list of them, wrong ones. */
#define REDUCE_INPUTS                                                                              \
    "T[3,4]; = int64[1] {0}", "T[3,4]; = int64[1] {-1}", "T[2,3,5]; = int64[2] {-1, 0}",           \
        "T[2,3,2,3]; = int64[2] {1, 2}", "T[2,0,3]; = int64[1] {1}", "T[2,0]; = int64[1] {0}",     \
        "T[7,1100]; = int64[1] {1}", "T[1100,7]; = int64[1] {0}", "T[2,3]", "T[]", "T[1]",         \
        "T[5]; = int64[0] {}", "T[2,1,2,1,2]; = int64[3] {0, 2, -1}",                              \
        "n T[300,40,3]; = int64[2] {0, 2}", "! T[2,3]; = int64[1] {2}",                            \
        "! T[2,3]; = int64[2] {0, -2}", "! T[]; = int64[1] {0}", "! T[2,3]; = int64[1] {-3}"
#define AXES                                                                                       \
    {                                                                                              \
        "", "axis = 0", "axis = -2"                                                                \
    }
#define ROWS                                                                                       \
    "T[3,4]", "T[1,1]", "T[7,40]", "T[2,3,5]", "T[2,0,3]", "T[0,2]", "T[2,3,2,2]", "T[1,2,1,3,2]", \
        "T[5,1100]", "T[130,90]", "<axis = 1> T[2,3,5]", "<axis = 3> T[2,1,2,3]",                  \
        "<axis = -4> T[3,1,2,2]", "<axis = -1> T[5]", "! <axis = 2> T[3,4]",                       \
        "! <axis = -3> T[3,4]", "! T[]"
#define WINDOW                                                                                     \
    {                                                                                              \
        "", "periodic = 0", "output_datatype = 2", "output_datatype = 3, periodic = 0",            \
            "output_datatype = 4", "output_datatype = 5", "output_datatype = 6, periodic = 0",     \
            "output_datatype = 7", "output_datatype = 10, periodic = 0", "output_datatype = 11",   \
            "output_datatype = 11, periodic = 0", "output_datatype = 12", "output_datatype = 13",  \
            "output_datatype = 16", "output_datatype = 16, periodic = 0"                           \
    }
#define SIZES                                                                                      \
    "= T[] {0}", "= T[] {1}", "= T[] {2}", "= T[] {3}", "= T[] {9}", "= T[] {300}",                \
        "= T[] {20000}", "! = T[] {-1}", "! = T[2] {4, 4}", "! <output_datatype = 8> = T[] {4}",   \
        "! <output_datatype = 9> = T[] {4}", "! <output_datatype = 99> = T[] {4}"
/* Labels in bounds, ignored, and out of them. */
#define LOSS_ATTRIBUTES                                                                            \
    {                                                                                              \
        "", "reduction = \"sum\"", "reduction = \"none\"", "ignore_index = 1",                     \
            "ignore_index = 2, reduction = \"none\"", "ignore_index = -1, reduction = \"sum\"",    \
            "ignore_index = 9"                                                                     \
    }
#define LOSS_INPUTS                                                                                \
    "n T[3,5]; i5 int64[3]", "n T[3,5]; i5 int32[3]; + T[5]", "n T[3,5]; i5 int64[3]; n T[5]",     \
        "n T[2,4,3,2]; i4 int64[2,3,2]; + T[4]", "T[1,1]; i1 int64[1]", "T[0,3]; i3 int64[0]",     \
        "T[2,3,0]; i3 int32[2,0]", "n T[2,3,2,1,2]; i3 int64[2,2,1,2]",                            \
        "n T[70,90]; i90 int64[70]", "<reduction = \"none\"> T[3,5]; i5 int64[3]; n T[5]",         \
        "<reduction = \"none\"> T[2,4,3,2]; i4 int32[2,3,2]",                                      \
        "<reduction = \"none\", ignore_index = 1> T[2,3,2,1,2]; i3 int64[2,2,1,2]; + T[3]",        \
        "<ignore_index = 1> T[3,5]; = int64[3] {1, 1, 1}",                                         \
        "<ignore_index = -1> n T[3,5]; = int64[3] {4, -1, 0}",                                     \
        "<ignore_index = 9, reduction = \"sum\"> n T[3,5]; = int32[3] {9, 2, 1}; + T[5]",          \
        "! T[3,5]; = int64[3] {4, -1, 0}", "! T[3,5]; = int64[3] {4, 5, 0}",                       \
        "! T[3,5]; = int64[3] {-9, 0, 1}", "! T[3,5]; i5 int64[2]", "! T[3]; i3 int64[]",          \
        "! T[3,5]; i4 int64[3]; + T[4]", "! <reduction = \"most\"> T[3,5]; i5 int64[3]"

#define SPEC(op, ...)                                                                              \
    {                                                                                              \
        op, check_spec_make, NULL, &(const check_spec)                                             \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define KNOWN(op, defects, ...)                                                                    \
    {                                                                                              \
        op, check_spec_make, defects, &(const check_spec)                                          \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static const check_defect bernoulli_defects[] = {
    {"1 has the probability 1 - p: Greater stands where Less should", false},
    {0},
};
static const check_defect clip_defects[] = {
    {"bfloat16 before opset 16: Where has no bfloat16", true},
    {0},
};

/* Heads side by side in rows, which Attention needs attributes for. */
#define HEADS   "q_num_heads = 6, kv_num_heads = 3"
#define IN_ROWS "T[2,3,30]; T[2,7,15]; T[2,7,12]"

/* clang-format off */
const check_family check_families[] = {
    {"AffineGrid", check_affine_grid_make, check_affine_grid_defects, NULL},
    SPEC("Attention", .mild = true, .n_out = 4, .slack = 12, .near = 8,
         .attributes = {"", "is_causal = 1, qk_matmul_output_mode = 2",
                        "qk_matmul_output_mode = 3, q_num_heads = 6, kv_num_heads = 3",
                        "qk_matmul_output_mode = 1, q_num_heads = 6, kv_num_heads = 3, is_causal = 1, softcap = 2.5, scale = 0.3",
                        "@25 qk_matmul_output_mode = 2, softmax_precision = 11, left_window_size = 2",
                        "qk_matmul_output_mode = 3, is_causal = 1, softcap = -1.5, scale = -0.5, softmax_precision = 10",
                        "@25 left_window_size = 1, right_window_size = 1, q_num_heads = 6, kv_num_heads = 3",
                        "@25 qk_matmul_output_mode = 3, right_window_size = 3"},
         .inputs = {"T[1,1,1,1]; T[1,1,1,1]; T[1,1,1,1]", "T[2,6,3,5]; T[2,3,7,5]; T[2,3,7,4]; int32[7]",
                    "<" HEADS "> " IN_ROWS "; T[2,1,3,9]; T[2,3,2,5]; T[2,3,2,4]",
                    "<" HEADS ", qk_matmul_output_mode = 1, is_causal = 1, softcap = 2.5, scale = 0.3> " IN_ROWS "; T[2,1,3,9]; T[2,3,2,5]; T[2,3,2,4]",
                    "<" HEADS ", qk_matmul_output_mode = 3, softmax_precision = 11> " IN_ROWS,
                    "@25 <" HEADS ", left_window_size = 1, right_window_size = 1> " IN_ROWS "; ; T[2,3,2,5]; T[2,3,2,4]",
                    "@24 <" HEADS "> " IN_ROWS "; ; ; ; = int64[2] {1, 6}",
                    "@24 <" HEADS ", qk_matmul_output_mode = 2, is_causal = 1> " IN_ROWS "; ; ; ; = int64[2] {1, 6}", "! " IN_ROWS,
                    "T[2,6,3,5]; T[2,3,7,5]; T[2,3,7,4]; i2 bool[2,6,3,7]",
                    "T[2,6,3,5]; T[2,3,7,5]; float16[2,3,7,4]; double[6,1,7]", "@24 T[2,6,3,5]; T[2,3,7,5]; T[2,3,7,4]; T[3,5]",
                    "@-23 ! T[2,6,3,5]; T[2,3,7,5]; T[2,3,7,4]; T[3,5]",
                    "@24 T[2,6,3,5]; T[2,3,7,5]; T[2,3,7,4]; T[3,5]; ; ; = int64[2] {5, 2}",
                    "@24 T[2,6,3,5]; T[2,3,7,5]; T[2,3,7,4]; i2 bool[3,4]", "T[2,6,3,5]; T[2,3,0,5]; T[2,3,0,4]",
                    "T[1,6,0,0]; T[1,3,2,0]; T[1,3,2,4]", "T[1,6,33,64]; T[1,1,70,64]; T[1,1,70,34]",
                    "T[1,2,2,3]; T[1,1,3,3]; = T[1,1,3,2] {1, inf, nan, -2, 3, -inf}; = bool[2,3] {1, 0, 1, 1, 1, 0}",
                    "T[2,6,3,5]; T[2,3,7,5]; double[2,3,7,4]; T[]", "! T[2,6,3,5]; T[2,4,7,5]; T[2,4,7,4]",
                    "! <q_num_heads = 4, kv_num_heads = 3> T[2,3,30]; T[2,7,15]; T[2,7,12]",
                    "! T[2,6,3,5]; T[2,3,7,5]; T[2,3,7,4]; T[2,7]", "! T[2,6,3,5]; T[2,3,7,5]; T[2,3,7,4]; ; T[2,3,2,5]",
                    "! <qk_matmul_output_mode = 4> T[2,6,3,5]; T[2,3,7,5]; T[2,3,7,4]"}),
    KNOWN("Bernoulli", bernoulli_defects, .n_out = 1,
          .attributes = {"seed = 1.0", "seed = 2.5, dtype = 1", "seed = 0.0, dtype = 2", "seed = -0.0, dtype = 3",
                         "seed = 1e30, dtype = 4", "seed = 4.0, dtype = 5", "seed = 5.0, dtype = 6", "seed = 2.5, dtype = 7",
                         "seed = -3.0, dtype = 9", "seed = 6.0, dtype = 10", "seed = 6.0, dtype = 11",
                         "seed = 7.0, dtype = 12", "seed = 8.0, dtype = 13", "seed = 9.0, dtype = 16"},
          .inputs = {"p T[40]", "p T[3,1,50]", "p T[1000]", "T[300]", "T[]", "T[0,2]", "! <dtype = 8> p T[4]", "! <dtype = 99> p T[4]"}),
    SPEC("BlackmanWindow", .n_out = 1, .slack = 0, .attributes = WINDOW, .inputs = {SIZES}),
    SPEC("CastLike", .n_out = 1, .attributes = {"", "@25 saturate = 0", "@25 round_mode = \"nearest\"", "@25 round_mode = \"down\", saturate = 0"},
         .inputs = {"float[]; = T[0] {}", "double[7,13]; = T[0] {}", "uint64[1]; = T[0] {}", "@25 float16[2,0]; = T[0] {}",
                    "@25 bfloat16[30]; = T[0] {}", "int64[5,3]; = T[0] {}", "@25 int8[2,3,4]; = T[0] {}", "@25 bool[6]; = T[0] {}",
                    "@25 int4[16]; = T[0] {}", "@25 float8e4m3fn[20]; = T[0] {}", "@25 float8e8m0[9]; = T[0] {}",
                    "= string[6] {\"1\", \"-2.5\", \"1e3\", \"nan\", \"-INF\", \"0\"}; = T[0] {}"}),
    SPEC("CausalConvWithState", .n_out = 2, .slack = 2, .near = 2,
         .attributes = {"", "activation = \"none\"", "activation = \"silu\"", "activation = \"swish\""},
         .inputs = {"T[1,1,1]; T[1,1,1]", "T[2,3,5]; T[3,1,4]; T[3]; T[2,3,3]", "T[2,3,5]; T[3,1,4]; ; T[2,3,3]",
                    "T[2,3,5]; T[3,1,2]; T[3]", "T[2,3,2]; T[3,1,5]", "T[1,7,300]; T[7,1,3]; T[7]",
                    "T[2,2,0]; T[2,1,3]; T[2]; T[2,2,2]", "T[0,2,3]; T[2,1,2]", "T[2,0,3]; T[0,1,2]; T[0]",
                    "T[2,2,4]; T[2,1,1]; T[2]; T[2,2,0]", "! T[2,3]; T[3,1,1]"}),
    SPEC("Celu", .attributes = {"", "alpha = 2.0", "alpha = 0.5", "alpha = -1.0", "alpha = 0.0", "alpha = inf", "alpha = -inf", "alpha = nan"},
         .n_out = 1, .slack = 1, .near = 4, .inputs = {ELEMENTS}),
    SPEC("CenterCropPad", .n_out = 1,
         .inputs = {"T[3,4]; = int64[2] {3, 4}", "T[5,4]; = int64[2] {2, 7}", "T[2,0]; = int64[2] {3, 1}", "T[7]; = int64[1] {4}",
                    "T[1,1,6]; = int64[3] {2, 2, 3}", "T[3,4]; = int32[2] {4, 3}", "T[3,4]; = int64[2] {0, 4}",
                    "T[2,3,4,5]; = int64[4] {3, 3, 3, 3}", "T[150,100]; = int64[2] {133, 117}", "<axes = [0]> T[3,4]; = int64[1] {5}",
                    "<axes = [-1]> T[4,3,2]; = int32[1] {1}", "<axes = [1, 0]> T[3,4]; = int64[2] {7, 1}",
                    "<axes = [0, 2]> T[4,3,2]; = int64[2] {7, 1}", "<axes = [3, 1]> T[2,3,1,2,3]; = int64[2] {3, 2}",
                    "! T[3,4]; = int64[1] {5}", "! T[2,3]; = int64[2] {-1, 3}", "! <axes = [3]> T[2,3]; = int64[1] {4}",
                    "! <axes = [0, 0]> T[2,3]; = int64[2] {4, 4}"}),
    KNOWN("Clip", clip_defects, .n_out = 1,
          .inputs = {"T[3,4]; T[]; T[]", "T[100]; T[]", "T[7]; ; T[]", "T[1]", "T[0]; T[]; T[]", "T[]; T[]; T[]",
                     "T[2,3,4,5]; n T[]; n T[]", "T[2,1,3,1,2]; = T[] {2}; = T[] {2}", "T[40]; = T[] {3}; = T[] {1}",
                     "T[40]; = T[] {1}; = T[] {100}", "T[40003]; = T[] {1}; = T[] {3}", "T[3]; T[1]", "! T[]; T[1]; T[]",
                     "! T[3]; T[3]", "! T[3]; T[]; T[0]"}),
    SPEC("DynamicQuantizeLinear", .n_out = 3,
         .inputs = {"T[]", "T[1]", "T[2]", "T[7,40]", "T[2,3,4,5]", "T[2,1,2,1,3]", "p T[9]", "+ T[300]", "= T[2] {0, 0}",
                    "= T[2] {-0.0, 0}", "= T[3] {3, 3, 3}", "= T[2] {-3, -3}", "= T[3] {-1, nan, 2}", "= T[2] {nan, nan}",
                    "= T[3] {-1, inf, 2}", "= T[3] {-1, -inf, 2}", "= T[2] {inf, -inf}", "= T[2] {1e-45, -1e-45}", "= T[1] {1e-45}",
                    "= T[3] {3.4028235e38, -3.4028235e38, 1}", "= T[4] {0, 255, 0.5, 1.5}", "= T[6] {-127.5, 127.5, -0.5, 0.5, 1.5, 2.5}",
                    "T[40003]"}),
    SPEC("Elu", .attributes = {"", "alpha = 2.0", "alpha = 0.0", "alpha = -1.0", "alpha = nan"}, .n_out = 1,
         .slack = 1, .near = 2, .inputs = {ELEMENTS}),
    SPEC("FlexAttention", .domain = "ai.onnx.preview", .opset = 1, .mild = true, .types = FLOATS, .n_out = 1, .slack = 2, .near = 8,
         .attributes = {"", "scale = -0.3, softmax_precision = 11",
                        "score_mod = twice (s) => (t) { t = Add (s, s) }, softmax_precision = 10",
                        "prob_mod = minus (p) => (t) { t = Neg (p) }, softmax_precision = 16",
                        "score_mod = top (s) => (t) { t = Max (s) }, prob_mod = minus (p) => (t) { t = Neg (p) }",
                        "softmax_precision = 1, score_mod = log (s) => (t) { u = Relu (s) t = Log (u) }, "
                        "prob_mod = no_mean (p) => (t) { u = ReduceMean (p) t = Sub (p, u) }"},
         .inputs = {"T[1,1,1,1]; T[1,1,1,1]; T[1,1,1,1]", "T[2,6,3,5]; T[2,3,7,5]; T[2,3,7,4]",
                    "T[2,3,4,8]; T[2,1,4,8]; T[2,1,4,8]", "T[2,6,3,5]; T[2,3,0,5]; T[2,3,0,4]",
                    "T[0,6,3,5]; T[0,3,4,5]; T[0,3,4,0]", "T[1,6,0,0]; T[1,3,2,0]; T[1,3,2,4]",
                    "T[1,6,33,64]; T[1,2,70,64]; T[1,2,70,34]", "! T[2,6,3,5]; T[2,4,7,5]; T[2,4,7,4]",
                    "! T[2,3,5]; T[2,3,5]; T[2,3,5]",
                    "T[1,4,3,2]; T[1,1,3,2]; = T[1,1,3,2] {1, inf, nan, -2, 3, -inf}"}),
    SPEC("Gelu", .attributes = {"", "approximate = \"none\"", "approximate = \"tanh\""}, .n_out = 1, .slack = 2, .near = 8,
         .inputs = {ELEMENTS, "<approximate = \"tanh\"> T[5,9]", "! <approximate = \"erf\"> T[3]"}),
    SPEC("GreaterOrEqual", .n_out = 1, .inputs = {PAIRS}),
    SPEC("GroupNormalization",
         .attributes = {"num_groups = 2", "num_groups = 1, epsilon = 0.1", "num_groups = 4, epsilon = 0.0", "@21 num_groups = 4, stash_type = 11",
                        "@21 num_groups = 2, stash_type = 10, epsilon = 0.1", "@21 num_groups = 1, stash_type = 16, epsilon = 0.1"},
         .n_out = 1, .slack = 2, .near = 32, .stashed = 21,
         .inputs = {"@21 T[1,4,3]; n T[4]; n T[4]", "@21 T[3,8,2,5]; n T[8]; n T[8]", "@21 T[2,4,1]; n T[4]; n T[4]", "@21 T[2,4]; n T[4]; n T[4]",
                    "@21 T[2,4,0]; n T[4]; n T[4]", "@21 T[0,4,2]; n T[4]; n T[4]", "@21 T[1,4,2,1,2,3]; n T[4]; n T[4]",
                    "@21 T[2,8,30,30]; n T[8]; n T[8]", "@21 ! T[1,4,3]; n T[2]; n T[4]", "@21 ! <num_groups = 3> T[1,4,3]; n T[4]; n T[4]",
                    "@21 ! <num_groups = 0> T[1,4,3]; n T[4]; n T[4]", "@21 ! <num_groups = -2> T[1,4,3]; n T[4]; n T[4]",
                    "@21 ! <num_groups = 2, stash_type = 6> T[1,4,3]; n T[4]; n T[4]", "@21 ! T[4]; n T[4]; n T[4]",
                    "@-20 <num_groups = 4> n T[1,4,3]; n T[4]; n T[4]", "@-20 <num_groups = 2> n T[1,4,3]; n T[2]; n T[2]",
                    "@-20 <num_groups = 1, epsilon = 0.1> n T[3,8,2,5]; n T[1]; n T[1]", "@-20 <num_groups = 2> n T[2,4]; n T[2]; n T[2]",
                    "@-20 <num_groups = 2> n T[2,4,0]; n T[2]; n T[2]", "@-20 <num_groups = 2> n T[1,4,2,1,2,3]; n T[2]; n T[2]",
                    "@-20 <num_groups = 2, epsilon = 0.0> n T[2,8,30,30]; n T[2]; n T[2]", "@-20 ! <num_groups = 2> n T[1,4,3]; n T[4]; n T[4]"}),
    SPEC("HammingWindow", .n_out = 1, .slack = 0, .attributes = WINDOW, .inputs = {SIZES}),
    SPEC("HannWindow", .n_out = 1, .slack = 0, .attributes = WINDOW, .inputs = {SIZES}),
    SPEC("HardSigmoid", .attributes = {"", "alpha = 0.5, beta = 0.6", "alpha = 0.0", "alpha = -1.0", "alpha = inf", "beta = inf", "alpha = nan", "beta = -0.0"}, .n_out = 1,
         .slack = 1, .near = 1, .inputs = {ELEMENTS}),
    SPEC("HardSwish", .n_out = 1, .slack = 3, .inputs = {ELEMENTS}),
    SPEC("LayerNormalization", .attributes = {"", "axis = 0, epsilon = 0.01", "epsilon = 0.0", "stash_type = 16, epsilon = 0.1"},
         .n_out = 3, .slack = 2, .near = 32, .stashed = 17,
         .inputs = {"T[3,4]; n T[4]", "T[2,3,5]; n T[5]; n T[5]", "T[2,3,33]; n T[33]; n T[]", "T[2,3,4]; n T[2,3,4]; n T[1,3,1] -> 1",
                    "T[5]; n T[5]; n T[5] -> 2", "T[0,4]; n T[4]", "T[3,0]; n T[0]", "T[2,1,2,1,3]; n T[3]; n T[1]", "T[20,700]; n T[700]; n T[700]",
                    "<axis = 1> T[2,3,4]; n T[3,4]; n T[4]", "<axis = -2> T[2,3,4]; n T[3,1]; n T[2,1,1]", "<axis = 3> T[2,1,2,3]; n T[3]",
                    "<axis = -4> T[2,1,2,3]; n T[3]; n T[2,3] -> 1", "! T[3,4]; n T[3]", "! T[3,4]; n T[4]; n T[3]", "! T[]; n T[]",
                    "! <axis = 2> T[3,4]; n T[4]", "! <axis = -3> T[3,4]; n T[4]", "! <stash_type = 7> T[3,4]; n T[4]",
                    "! <stash_type = 11> T[3,4]; n T[4]"}),
    SPEC("LeakyRelu", .attributes = {"", "alpha = 0.1", "alpha = 0.0", "alpha = -2.0", "alpha = inf", "alpha = nan"}, .n_out = 1,
         .slack = 1, .inputs = {ELEMENTS}),
    SPEC("LessOrEqual", .n_out = 1, .inputs = {PAIRS}),
    SPEC("LinearAttention", .mild = true, .n_out = 2, .slack = 2, .near = 8,
         .attributes = {"q_num_heads = 4, kv_num_heads = 2", "q_num_heads = 4, kv_num_heads = 2, update_rule = \"linear\"",
                        "q_num_heads = 4, kv_num_heads = 2, update_rule = \"gated\", scale = 0.5",
                        "q_num_heads = 4, kv_num_heads = 2, update_rule = \"delta\", chunk_size = 2"},
         .inputs = {"T[2,3,12]; T[2,3,6]; T[2,3,10]; T[2,2,3,5]; T[2,3,6]; p T[2,3,2]",
                    "T[2,3,12]; T[2,3,6]; T[2,3,10]; ; T[2,3,2]; p T[2,3,1]",
                    "T[2,3,12]; T[2,3,6]; T[2,3,10]; float[2,2,3,5]; T[2,3,6]; p T[2,3,1]",
                    "T[1,1,4]; T[1,1,2]; T[1,1,2]; ; T[1,1,2]; p T[1,1,2]",
                    "p T[1,70,64]; p T[1,70,32]; T[1,70,66]; float16[1,2,16,33]; T[1,70,2]; p T[1,70,2]",
                    "T[2,0,0]; T[2,0,0]; T[2,0,4]; ; T[2,0,0]; p T[2,0,1]",
                    "T[0,3,0]; T[0,3,0]; T[0,3,4]; ; T[0,3,0]; p T[0,3,1]",
                    "T[1,3,0]; T[1,3,0]; T[1,3,4]; ; T[1,3,2]; p T[1,3,1]",
                    "<q_num_heads = 2, kv_num_heads = 2, scale = 2.0> T[2,3,4]; T[2,3,4]; T[2,3,6]; ; T[2,3,4]; p T[2,3,2]",
                    "<q_num_heads = 4, kv_num_heads = 1> T[2,3,8]; T[2,3,2]; T[2,3,3]; bfloat16[2,1,2,3]; T[2,3,1]; p T[2,3,1]",
                    "<q_num_heads = 4, kv_num_heads = 2, update_rule = \"linear\"> T[2,3,12]; T[2,3,6]; T[2,3,10]",
                    "<q_num_heads = 4, kv_num_heads = 2, update_rule = \"gated\"> T[2,3,12]; T[2,3,6]; T[2,3,10]; ; T[2,3,2]",
                    "<q_num_heads = 4, kv_num_heads = 2, update_rule = \"delta\"> T[2,3,12]; T[2,3,6]; T[2,3,10]; ; ; p T[2,3,2]",
                    "<q_num_heads = 1, kv_num_heads = 1, update_rule = \"linear\"> T[1,2,2]; T[1,2,2]; = T[1,2,2] {inf, nan, -1, 0}",
                    "! T[2,3,12]; T[2,3,6]; T[2,3,10]", "! T[2,3,4]; T[2,3,4]; T[2,3,6]; ; T[2,3,4]; p T[2,3,2]"}),
    SPEC("LogSoftmax", .attributes = AXES, .n_out = 1, .slack = 2, .near = 4, .inputs = {ROWS}),
    SPEC("MeanVarianceNormalization", .attributes = {"", "axes = [1]", "axes = [0, 1, 2, 3]", "axes = [-1]", "axes = [0, 1]", "axes: ints = []"},
         .n_out = 1, .slack = 2, .near = 2,
         .inputs = {"T[2,3,4,5]", "T[1,1,7,3]", "T[3,1,2,2]", "T[2,0,3,1]", "T[2,1,2,2,3]", "T[4,5,20,50]", "<axes = [0]> T[2,3]", "<axes = [-1]> T[3,70]",
                    "<axes = [0]> T[7]", "! <axes = [1, 1]> T[2,3,4,5]", "! <axes = [4]> T[2,3,4,5]", "! T[2,3]"}),
    SPEC("Mish", .n_out = 1, .slack = 1, .near = 20, .inputs = {ELEMENTS}),
    SPEC("NegativeLogLikelihoodLoss", .attributes = LOSS_ATTRIBUTES, .n_out = 1, .slack = 1, .near = 16, .inputs = {LOSS_INPUTS}),
    SPEC("PRelu", .n_out = 1,
         .inputs = {"T[3,4]; T[4]", "T[2,3,4]; T[3,1]", "T[]; T[]", "T[0,2]; T[2]", "T[7]; T[7]", "T[2,3,4,5]; T[1]", "T[1,2,1,3,2]; T[2,1,3,1]",
                    "T[40003]; T[1]", "! T[3]; T[2,3]", "! T[3]; T[4]"}),
    SPEC("Range", .n_out = 1, .slack = 0, .attributes = {"", "@27 stash_type = 11", "@27 stash_type = 10", "@27 stash_type = 16"},
         .inputs = {"= T[] {1}; = T[] {9}; = T[] {2}", "= T[] {5}; = T[] {-4}; = T[] {-3}", "= T[] {3}; = T[] {3}; = T[] {1}",
                    "= T[] {3}; = T[] {5}; = T[] {-1}", "= T[] {0}; = T[] {20000}; = T[] {1}", "= T[] {30000}; = T[] {-30000}; = T[] {-7}",
                    "= T[] {-9}; = T[] {-1}; = T[] {30000}", "= T[] {32760}; = T[] {32767}; = T[] {5}", "n T[]; n T[]; = T[] {3}",
                    "= float[] {0.1}; = float[] {7}; = float[] {0.3}", "= double[] {0.1}; = double[] {-7}; = double[] {-0.3}",
                    "= float[] {-0.0}; = float[] {1}; = float[] {1e-3}", "= float[] {16777210}; = float[] {16777240}; = float[] {1.5}",
                    "= double[] {9007199254740990}; = double[] {9007199254741000}; = double[] {1.5}", "= float[] {1e-45}; = float[] {1e-44}; = float[] {1e-45}",
                    "= float[] {3e38}; = float[] {-3e38}; = float[] {-1e37}", "= float[] {0}; = float[] {-inf}; = float[] {1}",
                    "= float[] {0}; = float[] {5}; = float[] {inf}", "= int64[] {9223372036854775800}; = int64[] {9223372036854775807}; = int64[] {3}",
                    "= int64[] {-9223372036854775807}; = int64[] {9223372036854775807}; = int64[] {4611686018427387904}",
                    "= int32[] {-2147483648}; = int32[] {2147483647}; = int32[] {1073741824}",
                    "! = T[] {1}; = T[] {9}; = T[] {0}", "! = float[] {nan}; = float[] {9}; = float[] {1}", "! = float[] {1}; = float[] {9}; = float[] {nan}",
                    "! = float[] {0}; = float[] {inf}; = float[] {1}", "! = float[] {0}; = float[] {1}; = float[] {1e-30}", "! = T[] {1}; = T[] {4}; = T[2] {1, 1}"}),
    SPEC("ReduceL1", .attributes = REDUCE, .n_out = 1, .slack = 1, .inputs = {REDUCE_INPUTS}),
    SPEC("ReduceL2", .attributes = REDUCE, .n_out = 1, .slack = 1, .inputs = {REDUCE_INPUTS}),
    SPEC("ReduceLogSum", .attributes = REDUCE, .n_out = 1, .slack = 1, .inputs = {REDUCE_INPUTS}),
    SPEC("ReduceLogSumExp", .attributes = REDUCE, .n_out = 1, .slack = 1, .inputs = {REDUCE_INPUTS}),
    SPEC("ReduceSumSquare", .attributes = REDUCE, .n_out = 1, .slack = 2, .under = 600, .inputs = {REDUCE_INPUTS}),
    SPEC("Relu", .n_out = 1, .inputs = {ELEMENTS}),
    SPEC("RMSNormalization", .attributes = {"", "axis = 0", "epsilon = 0.0", "stash_type = 11", "stash_type = 10", "stash_type = 16"},
         .n_out = 1, .slack = 8, .stashed = 17,
         .inputs = {"T[3,4]; n T[4]", "T[2,3,5]; n T[5]", "T[2,3,33]; n T[33]", "T[2,3,4]; n float[1,3,1]", "n T[2,3,4]; n float16[]", "T[5]; n double[5]",
                    "n T[2,3]; n bfloat16[3]", "T[0,4]; n T[4]", "T[3,0]; n T[0]", "T[2,1,2,1,3]; n T[3]", "T[20,700]; n T[700]", "<axis = 1> T[2,3,4]; n T[3,4]",
                    "<axis = -2, epsilon = 0.1> T[2,3,4]; n T[4]", "<axis = 3> T[2,1,2,3]; n T[1]", "! T[3,4]; n T[3]", "! T[]; n T[]",
                    "! <axis = 2> T[3,4]; n T[4]", "! <axis = -3> T[3,4]; n T[4]", "! <stash_type = 6> T[3,4]; n T[4]"}),
    SPEC("RotaryEmbedding", .n_out = 1, .attributes = {"", "interleaved = 1", "num_heads = 3", "num_heads = 3, interleaved = 1"},
         .inputs = {"T[2,3,5,4]; T[7,2]; T[7,2]; i7 int64[2,5]", "T[2,3,5,4]; T[2,5,2]; T[2,5,2]", "T[1,1,300,4]; T[1,300,2]; T[1,300,2]",
                    "T[0,3,5,4]; T[0,5,2]; T[0,5,2]", "T[2,3,0,4]; T[2,0,2]; T[2,0,2]", "T[1,3,2,4]; T[3,2]; T[3,2]; = int64[1,2] {0, 2}",
                    "<num_heads = 3> T[2,5,12]; T[2,5,2]; T[2,5,2]", "<num_heads = 3, interleaved = 1> T[2,5,12]; T[2,5,2]; T[2,5,2]",
                    "<num_heads = 3> T[2,5,12]; T[7,2]; T[7,2]; i7 int64[2,5]", "<num_heads = 3, rotary_embedding_dim = 2> T[2,5,12]; T[7,1]; T[7,1]; i7 int64[2,5]",
                    "<num_heads = 3, rotary_embedding_dim = 2, interleaved = 1> T[2,5,12]; T[2,5,1]; T[2,5,1]",
                    "<rotary_embedding_dim = 4> T[2,3,5,8]; T[9,2]; T[9,2]; i9 int64[2,5]",
                    "<rotary_embedding_dim = 4, interleaved = 1> T[2,3,5,8]; T[2,5,2]; T[2,5,2]", "<rotary_embedding_dim = 4, num_heads = 3> T[2,3,5,4]; T[2,5,2]; T[2,5,2]",
                    "! T[1,3,2,4]; T[3,2]; T[3,2]; = int64[1,2] {0, 3}", "T[1,3,2,4]; T[3,2]; T[3,2]; = int64[1,2] {0, -1}", "! T[2,3,5,4]; T[2,5,1]; T[2,5,1]",
                    "! T[1,3,2,4]; T[1,2,2]; T[1,2,1]", "! T[3,4]; T[3,2]; T[3,2]", "! <rotary_embedding_dim = 8> T[2,3,5,4]; T[2,5,2]; T[2,5,2]",
                    "! <num_heads = 5> T[2,5,12]; T[2,5,2]; T[2,5,2]", "! T[2,5,12]; T[2,5,2]; T[2,5,2]"}),
    SPEC("Selu", .attributes = {"", "alpha = 2.0, gamma = 3.0", "gamma = 0.0", "alpha = 0.0", "alpha = -1.0", "gamma = -2.0", "gamma = nan"}, .n_out = 1,
         .slack = 3, .near = 4, .inputs = {ELEMENTS}),
    {"SequenceMap", check_sequence_map_make, NULL, NULL},
    SPEC("Shrink", .attributes = {"", "lambd = 1.5, bias = 1.5", "lambd = -1.0", "lambd = 0.0, bias = -3.0", "lambd = inf", "bias = inf", "bias = nan", "lambd = nan", "lambd = 1e10, bias = 1e10"}, .n_out = 1,
         .slack = 0, .inputs = {ELEMENTS}),
    SPEC("Softmax", .attributes = AXES, .n_out = 1, .slack = 2, .near = 1, .inputs = {ROWS}),
    SPEC("SoftmaxCrossEntropyLoss", .attributes = LOSS_ATTRIBUTES, .n_out = 2, .slack = 2, .near = 16, .inputs = {LOSS_INPUTS, "T[3,5]; i5 int64[3] -> 1"}),
    SPEC("Softplus", .n_out = 1, .slack = 1, .near = 2, .inputs = {ELEMENTS}),
    SPEC("Softsign", .n_out = 1, .slack = 2, .inputs = {ELEMENTS}),
    SPEC("SwiGLU", .attributes = {"", "alpha = 1.5", "alpha = 0.0", "alpha = -1.0"}, .n_out = 1, .slack = 4, .near = 2,
         .inputs = {"T[]; n T[]", "T[1]; n T[1]", "T[2]; n T[2]", "T[0,3]; T[0,3]", "T[7,13]; n T[7,13]", "n T[7,13]; T[7,13]",
                    "T[2,1,3,2,3]; n T[2,1,3,2,3]", "T[40003]; n T[40003]", "! T[3]; T[4]", "! T[2,3]; T[3]"}),
    SPEC("Swish", .attributes = {"", "alpha = 1.5", "alpha = 0.0", "alpha = -1.0", "alpha = inf", "alpha = nan"}, .n_out = 1,
         .slack = 4, .near = 2, .inputs = {ELEMENTS}),
    SPEC("ThresholdedRelu", .attributes = {"", "alpha = -1.0", "alpha = 0.0", "alpha = inf", "alpha = -inf", "alpha = nan"}, .n_out = 1, .inputs = {ELEMENTS}),
    {0},
};
/* clang-format on */
