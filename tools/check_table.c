/* SPDX-License-Identifier: Apache-2.0
 * check_table.c - the cases that ocellus check makes for each function operator. */
#include "check_cases.h"

#define FLOATS  "bfloat16 float16 float double"
#define NUMBERS FLOATS " int8 int16 int32 int64 uint8 uint16 uint32 uint64"

#define REDUCE                                                                                     \
    {                                                                                              \
        "", "keepdims = 0", "noop_with_empty_axes = 1"                                             \
    }
#define REDUCE_INPUTS                                                                              \
    "T[3,4]; = int64[1] {0}", "T[2,3,5]; = int64[2] {-1, 0}", "T[2,0,3]; = int64[1] {1}",          \
        "T[7,1100]; = int64[1] {1}", "T[2,3]", "T[]", "T[5]; = int64[0] {}"

#define SPEC(op, ...)                                                                              \
    {                                                                                              \
        op, check_spec_make, NULL, &(const check_spec)                                             \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static const check_defect bernoulli_defects[] = {
    {"1 has the probability 1 - p: Greater stands where Less should", false},
    {0},
};

/* clang-format off */
const check_family check_families[] = {
    {"AffineGrid", check_affine_grid_make, check_affine_grid_defects, NULL},
    {"Bernoulli", check_spec_make, bernoulli_defects, &(const check_spec){
         .opset = 15, .types = "float16 float double", .n_out = 1,
         .attributes = {"seed = 1.0", "seed = 2.5, dtype = 7", "seed = -3.0, dtype = 9"},
         .inputs = {"p T[40]", "p T[3,1,50]", "p T[1000]"}}},
    SPEC("BlackmanWindow", .opset = 17, .types = "int32 int64", .n_out = 1, .slack = 2,
         .attributes = {"", "periodic = 0", "output_datatype = 11", "output_datatype = 10, periodic = 0",
                        "output_datatype = 16", "output_datatype = 6, periodic = 0"},
         .inputs = {"= T[] {1}", "= T[] {2}", "= T[] {9}", "= T[] {300}"}),
    SPEC("CausalConvWithState", .opset = 27, .types = "bfloat16 float16 float", .n_out = 2, .slack = 4,
         .attributes = {"", "activation = \"none\"", "activation = \"silu\"", "activation = \"swish\""},
         .inputs = {"T[1,1,1]; T[1,1,1]", "T[2,3,5]; T[3,1,4]; T[3]; T[2,3,3]", "T[2,3,5]; T[3,1,4]; ; T[2,3,3]",
                    "T[2,3,5]; T[3,1,2]; T[3]", "T[2,3,2]; T[3,1,5]", "T[1,7,300]; T[7,1,3]; T[7]",
                    "T[2,2,0]; T[2,1,3]; T[2]; T[2,2,2]", "T[0,2,3]; T[2,1,2]", "T[2,0,3]; T[0,1,2]; T[0]",
                    "T[2,2,4]; T[2,1,1]; T[2]; T[2,2,0]", "T[2,3]; T[3,1,1]"}),
    SPEC("Celu", .opset = 28, .types = FLOATS, .attributes = {"", "alpha = 2.0", "alpha = 0.5"}, .n_out = 1,
         .slack = 8, .inputs = {"T[]", "T[1]", "T[0,3]", "T[7,13]", "T[2,3,4,5]"}),
    SPEC("CenterCropPad", .opset = 18, .types = FLOATS, .n_out = 1,
         .inputs = {"T[3,4]; = int64[2] {3, 4}", "T[5,4]; = int64[2] {2, 7}", "T[2,0]; = int64[2] {3, 1}",
                    "T[7]; = int64[1] {4}", "T[1,1,6]; = int64[3] {2, 2, 3}"}),
    SPEC("Clip", .opset = 16, .types = FLOATS " int8 uint8 int32 uint32 int64 uint64", .n_out = 1,
         .inputs = {"T[3,4]; T[]; T[]", "T[100]; T[]", "T[7]; ; T[]", "T[1]", "T[0]; T[]; T[]"}),
    SPEC("DynamicQuantizeLinear", .opset = 11, .types = "float", .n_out = 3,
         .inputs = {"T[]", "T[1]", "T[7,40]", "T[2,3,4,5]", "p T[9]", "+ T[300]", "= T[2] {0, 0}"}),
    SPEC("Elu", .opset = 22, .types = FLOATS, .attributes = {"", "alpha = 2.0"}, .n_out = 1,
         .slack = 8, .inputs = {"T[]", "T[1]", "T[0,3]", "T[7,13]", "T[2,3,4,5]"}),
    SPEC("Gelu", .opset = 20, .types = FLOATS, .attributes = {"approximate = \"none\"", "approximate = \"tanh\""},
         .n_out = 1, .slack = 16, .inputs = {"T[]", "T[1]", "T[0,3]", "T[7,13]", "T[2,3,4,5]"}),
    SPEC("GreaterOrEqual", .opset = 16, .types = NUMBERS, .n_out = 1,
         .slack = 0, .inputs = {"T[3,4]; T[4]", "T[]; T[1]", "T[0]; T[1]", "T[100]; T[100]"}),
    SPEC("GroupNormalization", .opset = 21, .types = FLOATS,
         .attributes = {"num_groups = 2", "num_groups = 1, epsilon = 0.1", "num_groups = 4, stash_type = 11"},
         .n_out = 1, .slack = 64, .stashed = true,
         .inputs = {"T[1,4,3]; T[4]; T[4]", "T[3,8,2,5]; T[8]; T[8]", "T[2,4,1]; T[4]; T[4]"}),
    SPEC("HammingWindow", .opset = 17, .types = "int32 int64", .n_out = 1, .slack = 2,
         .attributes = {"", "periodic = 0", "output_datatype = 11", "output_datatype = 10, periodic = 0",
                        "output_datatype = 16", "output_datatype = 6, periodic = 0"},
         .inputs = {"= T[] {1}", "= T[] {2}", "= T[] {9}", "= T[] {300}"}),
    SPEC("HannWindow", .opset = 17, .types = "int32 int64", .n_out = 1, .slack = 2,
         .attributes = {"", "periodic = 0", "output_datatype = 11", "output_datatype = 10, periodic = 0",
                        "output_datatype = 16", "output_datatype = 6, periodic = 0"},
         .inputs = {"= T[] {1}", "= T[] {2}", "= T[] {9}", "= T[] {300}"}),
    SPEC("HardSigmoid", .opset = 22, .types = FLOATS, .attributes = {"", "alpha = 0.5, beta = 0.6"}, .n_out = 1,
         .slack = 4, .inputs = {"T[]", "T[1]", "T[0,3]", "T[7,13]", "T[2,3,4,5]"}),
    SPEC("HardSwish", .opset = 22, .types = FLOATS, .n_out = 1,
         .slack = 4, .inputs = {"T[]", "T[1]", "T[0,3]", "T[7,13]", "T[2,3,4,5]"}),
    SPEC("LayerNormalization", .opset = 17, .types = FLOATS,
         .attributes = {"", "axis = 1", "axis = 0, epsilon = 0.01", "axis = -2"},
         .n_out = 3, .slack = 64, .stashed = true,
         .inputs = {"T[3,4]; T[4]", "T[2,3,5]; T[5]; T[5]", "T[2,3,33]; T[33]; T[]"}),
    SPEC("LeakyRelu", .opset = 16, .types = FLOATS, .attributes = {"", "alpha = 0.1"}, .n_out = 1,
         .slack = 4, .inputs = {"T[]", "T[1]", "T[0,3]", "T[7,13]", "T[2,3,4,5]"}),
    SPEC("LessOrEqual", .opset = 16, .types = NUMBERS, .n_out = 1,
         .slack = 0, .inputs = {"T[3,4]; T[4]", "T[]; T[1]", "T[0]; T[1]", "T[100]; T[100]"}),
    SPEC("LinearAttention", .opset = 27, .types = "bfloat16 float16 float", .n_out = 2, .slack = 16,
         .attributes = {"q_num_heads = 4, kv_num_heads = 2", "q_num_heads = 4, kv_num_heads = 2, update_rule = \"linear\"",
                        "q_num_heads = 4, kv_num_heads = 2, update_rule = \"gated\", scale = 0.5",
                        "q_num_heads = 4, kv_num_heads = 2, update_rule = \"delta\", chunk_size = 2",
                        "q_num_heads = 2, kv_num_heads = 2, scale = 2.0", "q_num_heads = 4, kv_num_heads = 1"},
         .inputs = {"T[2,3,12]; T[2,3,6]; T[2,3,10]; T[2,2,3,5]; T[2,3,6]; p T[2,3,2]",
                    "T[2,3,12]; T[2,3,6]; T[2,3,10]; ; T[2,3,2]; p T[2,3,1]",
                    "T[2,3,12]; T[2,3,6]; T[2,3,10]; float[2,2,3,5]; T[2,3,6]; p T[2,3,1]",
                    "T[1,1,4]; T[1,1,2]; T[1,1,2]; ; T[1,1,2]; p T[1,1,2]", "T[2,3,12]; T[2,3,6]; T[2,3,10]",
                    "p T[1,70,64]; p T[1,70,32]; T[1,70,66]; float16[1,2,16,33]; T[1,70,2]; p T[1,70,2]",
                    "T[2,0,0]; T[2,0,0]; T[2,0,4]; ; T[2,0,0]; p T[2,0,1]",
                    "T[0,3,0]; T[0,3,0]; T[0,3,4]; ; T[0,3,0]; p T[0,3,1]",
                    "T[1,3,0]; T[1,3,0]; T[1,3,4]; ; T[1,3,2]; p T[1,3,1]",
                    "T[2,3,4]; T[2,3,4]; T[2,3,6]; ; T[2,3,4]; p T[2,3,2]",
                    "T[2,3,8]; T[2,3,2]; T[2,3,3]; bfloat16[2,1,2,3]; T[2,3,1]; p T[2,3,1]"}),
    SPEC("LogSoftmax", .opset = 13, .types = FLOATS, .attributes = {"", "axis = 0", "axis = 1", "axis = -2"},
         .n_out = 1, .slack = 64, .inputs = {"T[3,4]", "T[1,1]", "T[7,40]", "T[2,3,5]", "T[2,0,3]"}),
    SPEC("MeanVarianceNormalization", .opset = 15, .types = FLOATS,
         .attributes = {"", "axes = [1]", "axes = [0, 1, 2, 3]"}, .n_out = 1, .slack = 256,
         .inputs = {"T[2,3,4,5]", "T[1,1,7,3]", "T[3,1,2,2]"}),
    SPEC("Mish", .opset = 22, .types = FLOATS, .n_out = 1,
         .slack = 8, .inputs = {"T[]", "T[1]", "T[0,3]", "T[7,13]", "T[2,3,4,5]"}),
    SPEC("NegativeLogLikelihoodLoss", .opset = 15, .types = "float16 float double",
         .attributes = {"", "reduction = \"sum\"", "reduction = \"none\"", "ignore_index = 1",
                        "ignore_index = 2, reduction = \"none\""},
         .n_out = 1, .slack = 64,
         .inputs = {"T[3,5]; i5 int64[3]", "T[3,5]; i5 int32[3]; + T[5]", "T[2,4,3,2]; i4 int64[2,3,2]; + T[4]"}),
    SPEC("PRelu", .opset = 16, .types = FLOATS " int32 int64 uint32 uint64", .n_out = 1,
         .slack = 0, .inputs = {"T[3,4]; T[4]", "T[2,3,4]; T[3,1]", "T[]; T[]", "T[0,2]; T[2]", "T[7]; T[7]"}),
    SPEC("Range", .opset = 15, .types = "float double int16 int32 int64", .n_out = 1, .slack = 4,
         .inputs = {"= T[] {1}; = T[] {9}; = T[] {2}", "= T[] {5}; = T[] {-4}; = T[] {-3}",
                    "= T[] {3}; = T[] {3}; = T[] {1}", "= T[] {3}; = T[] {5}; = T[] {-1}"}),
    SPEC("ReduceL1", .opset = 18, .types = FLOATS " int32 int64 uint32 uint64", .attributes = REDUCE, .n_out = 1,
         .slack = 1, .inputs = {REDUCE_INPUTS}),
    SPEC("ReduceL2", .opset = 18, .types = FLOATS " int32 int64 uint32 uint64", .attributes = REDUCE, .n_out = 1,
         .slack = 4, .inputs = {REDUCE_INPUTS}),
    SPEC("ReduceLogSum", .opset = 18, .types = FLOATS " int32 int64 uint32 uint64", .attributes = REDUCE, .n_out = 1,
         .slack = 4, .inputs = {REDUCE_INPUTS}),
    SPEC("ReduceLogSumExp", .opset = 18, .types = FLOATS " int32 int64 uint32 uint64", .attributes = REDUCE, .n_out = 1,
         .slack = 4, .inputs = {REDUCE_INPUTS}),
    SPEC("ReduceSumSquare", .opset = 18, .types = FLOATS " int32 int64 uint32 uint64", .attributes = REDUCE, .n_out = 1,
         .slack = 64, .inputs = {REDUCE_INPUTS}),
    SPEC("Relu", .opset = 18, .types = FLOATS " int8 int16 int32 int64", .n_out = 1,
         .slack = 0, .inputs = {"T[]", "T[1]", "T[0,3]", "T[7,13]", "T[2,3,4,5]"}),
    SPEC("RMSNormalization", .opset = 23, .types = FLOATS,
         .attributes = {"", "axis = 1", "axis = -2, epsilon = 0.1", "stash_type = 11"},
         .n_out = 1, .slack = 64, .stashed = true, .inputs = {"T[3,4]; T[4]", "T[2,3,5]; T[5]", "T[2,3,33]; T[33]"}),
    SPEC("RotaryEmbedding", .opset = 23, .types = "bfloat16 float16 float", .n_out = 1,
         .attributes = {"", "interleaved = 1", "rotary_embedding_dim = 4, num_heads = 3",
                        "interleaved = 1, rotary_embedding_dim = 4, num_heads = 3"},
         .inputs = {"T[2,3,5,4]; T[7,2]; T[7,2]; i7 int64[2,5]", "T[2,3,5,4]; T[2,5,2]; T[2,5,2]",
                    "T[1,1,300,4]; T[1,300,2]; T[1,300,2]"}),
    SPEC("Selu", .opset = 22, .types = FLOATS, .attributes = {"", "alpha = 2.0, gamma = 3.0"}, .n_out = 1,
         .slack = 8, .inputs = {"T[]", "T[1]", "T[0,3]", "T[7,13]", "T[2,3,4,5]"}),
    SPEC("Shrink", .opset = 18, .types = "float16 float double int8 int16 int32 int64 uint8 uint16 uint32 uint64", .attributes = {"", "lambd = 1.5, bias = 1.5"}, .n_out = 1,
         .slack = 2, .inputs = {"T[]", "T[1]", "T[0,3]", "T[7,13]", "T[2,3,4,5]"}),
    SPEC("Softmax", .opset = 13, .types = FLOATS, .attributes = {"", "axis = 0", "axis = 1", "axis = -2"},
         .n_out = 1, .slack = 64, .inputs = {"T[3,4]", "T[1,1]", "T[7,40]", "T[2,3,5]", "T[2,0,3]"}),
    SPEC("SoftmaxCrossEntropyLoss", .opset = 15, .types = "float16 float double",
         .attributes = {"", "reduction = \"sum\"", "reduction = \"none\"", "ignore_index = 1"},
         .n_out = 2, .slack = 64,
         .inputs = {"T[3,5]; i5 int64[3]", "T[3,5]; i5 int32[3]; + T[5]", "T[2,4,3]; i4 int64[2,3]; + T[4]"}),
    SPEC("Softplus", .opset = 22, .types = FLOATS, .n_out = 1,
         .slack = 4, .inputs = {"T[]", "T[1]", "T[0,3]", "T[7,13]", "T[2,3,4,5]"}),
    SPEC("Softsign", .opset = 22, .types = FLOATS, .n_out = 1,
         .slack = 2, .inputs = {"T[]", "T[1]", "T[0,3]", "T[7,13]", "T[2,3,4,5]"}),
    SPEC("SwiGLU", .opset = 28, .types = FLOATS, .attributes = {"", "alpha = 1.5"}, .n_out = 1,
         .slack = 8, .inputs = {"T[]; T[]", "T[1]; T[1]", "T[0,3]; T[0,3]", "T[7,13]; T[7,13]"}),
    SPEC("Swish", .opset = 24, .types = FLOATS, .attributes = {"", "alpha = 1.5"}, .n_out = 1,
         .slack = 8, .inputs = {"T[]", "T[1]", "T[0,3]", "T[7,13]", "T[2,3,4,5]"}),
    SPEC("ThresholdedRelu", .opset = 22, .types = FLOATS, .attributes = {"", "alpha = -1.0"}, .n_out = 1,
         .slack = 0, .inputs = {"T[]", "T[1]", "T[0,3]", "T[7,13]", "T[2,3,4,5]"}),
    {0},
};
/* clang-format on */
