/* SPDX-License-Identifier: Apache-2.0
 * first_versions.c - the version of its domain in which ONNX introduced each operator. */
#include "commands/first_versions.h"

#include <string.h>

/* From the operators' changelog of ONNX, up to version 28. */
/* clang-format off */
static const struct {
    const char *domain;
    int version;
    const char *names; /* separated by blanks */
} first[] = {
    {"", 1, /* experiments: some were dropped, the others became operators in later versions */
     "Affine Crop DynamicSlice ImageScaler MeanVarianceNormalization "
     "ParametricSoftplus Scale ScaledTanh ThresholdedRelu"},
    {"", 1,
     "Abs Add And ArgMax ArgMin AveragePool BatchNormalization Cast Ceil Clip Concat "
     "Constant Conv ConvTranspose DepthToSpace Div Dropout Elu Equal Exp Flatten "
     "Floor GRU Gather Gemm GlobalAveragePool GlobalLpPool GlobalMaxPool Greater "
     "HardSigmoid Hardmax Identity If InstanceNormalization LRN LSTM LeakyRelu Less "
     "Log LogSoftmax Loop LpNormalization LpPool MatMul Max MaxPool MaxRoiPool Mean "
     "Min Mul Neg Not Or PRelu Pad Pow RNN RandomNormal RandomNormalLike "
     "RandomUniform RandomUniformLike Reciprocal ReduceL1 ReduceL2 ReduceLogSum "
     "ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum "
     "ReduceSumSquare Relu Reshape Selu Shape Sigmoid Size Slice Softmax Softplus "
     "Softsign SpaceToDepth Split Sqrt Squeeze Sub Sum Tanh Tile TopK Transpose "
     "Unsqueeze Upsample Xor"},
    {"", 7,
     "Acos Asin Atan Cos Multinomial Sin Tan"},
    {"", 8,
     "Expand Scan"},
    {"", 9,
     "Acosh Asinh Atanh Compress ConstantOfShape Cosh Erf EyeLike IsNaN MaxUnpool "
     "NonZero OneHot Scatter Shrink Sign Sinh "
     "TfIdfVectorizer Where"},
    {"", 10,
     "ConvInteger DequantizeLinear IsInf MatMulInteger Mod NonMaxSuppression "
     "QLinearConv QLinearMatMul QuantizeLinear Resize ReverseSequence RoiAlign "
     "StringNormalizer"},
    {"", 11,
     "BitShift ConcatFromSequence CumSum Det DynamicQuantizeLinear GatherElements "
     "GatherND Range Round ScatterElements ScatterND SequenceAt SequenceConstruct "
     "SequenceEmpty SequenceErase SequenceInsert SequenceLength SplitToSequence "
     "Unique"},
    {"", 12,
     "Celu Einsum GreaterOrEqual LessOrEqual NegativeLogLikelihoodLoss "
     "SoftmaxCrossEntropyLoss"},
    {"", 14,
     "HardSwish Trilu"},
    {"", 15,
     "Bernoulli CastLike Optional OptionalGetElement OptionalHasElement"},
    {"", 16,
     "GridSample"},
    {"", 17,
     "BlackmanWindow DFT HammingWindow HannWindow LayerNormalization MelWeightMatrix "
     "STFT SequenceMap"},
    {"", 18,
     "BitwiseAnd BitwiseNot BitwiseOr BitwiseXor CenterCropPad Col2Im "
     "GroupNormalization Mish"},
    {"", 19,
     "DeformConv"},
    {"", 20,
     "AffineGrid Gelu ImageDecoder RegexFullMatch StringConcat StringSplit"},
    {"", 23,
     "Attention RMSNormalization RotaryEmbedding"},
    {"", 24,
     "Swish TensorScatter"},
    {"", 26,
     "BitCast CumProd"},
    {"", 27,
     "CausalConvWithState LinearAttention"},
    {"", 28,
     "SwiGLU"},
    {"ai.onnx.ml", 1,
     "ArrayFeatureExtractor Binarizer CastMap CategoryMapper DictVectorizer "
     "FeatureVectorizer Imputer LabelEncoder LinearClassifier LinearRegressor "
     "Normalizer OneHotEncoder SVMClassifier SVMRegressor Scaler "
     "TreeEnsembleClassifier TreeEnsembleRegressor ZipMap"},
    {"ai.onnx.ml", 5,
     "TreeEnsemble"},
    {"ai.onnx.preview", 1,
     "FlexAttention"},
    {"ai.onnx.preview.training", 1,
     "Adagrad Adam Gradient Momentum"},
};
/* clang-format on */

static bool lists(const char *names, const char *name)
{
    const size_t size = strlen(name);
    for (const char *at = names; (at = strstr(at, name)) != NULL; at++)
        if ((at == names || at[-1] == ' ') && (at[size] == ' ' || at[size] == 0))
            return true;
    return false;
}

int first_version(const char *domain, const char *name)
{
    for (size_t i = 0; *name && i < sizeof first / sizeof *first; i++)
        if (strcmp(first[i].domain, domain) == 0 && lists(first[i].names, name))
            return first[i].version;
    return 0;
}

bool is_domain_of_onnx(const char *domain)
{
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (strcmp(first[i].domain, domain) == 0)
            return true;
    return false;
}
