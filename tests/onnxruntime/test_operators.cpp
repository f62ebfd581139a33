/* SPDX-License-Identifier: Apache-2.0
 *
 * test_operators.cpp - operators of the host: kernels with attributes, several outputs, optional
 * and variadic ports, shapes, errors; and functions as operators.
 */
#include "client.hpp"

#include <onnxruntime_lite_custom_op.h>

#include <atomic>

static std::atomic<int> kernels{0};

/* weight * (x^power + y^power) */
struct WeightedSumKernel {
    float weight;
    int64_t power;
    std::string label, name;

    explicit WeightedSumKernel(const OrtKernelInfo *raw)
    {
        Ort::ConstKernelInfo info(raw);
        weight = info.GetAttribute<float>("weight");
        power = info.GetAttribute<int64_t>("power");
        label = info.GetAttribute<std::string>("label");
        name = info.GetNodeName();
        CHECK_EQUAL(info.GetInputCount(), 2u);
        CHECK_EQUAL(info.GetOutputCount(), 1u);
        CHECK_EQUAL(info.GetInputName(1), std::string("y"));
        CHECK_EQUAL(info.GetOutputName(0), std::string("sum"));
        CHECK_EQUAL(info.GetInputTypeInfo(0).GetTensorTypeAndShapeInfo().GetElementType(),
                    ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT);
        CHECK(code_of([&] { info.GetAttribute<float>("none"); }, __FILE__, __LINE__, {}) != ORT_OK);
        kernels++;
    }

    ~WeightedSumKernel() { kernels--; }

    void Compute(OrtKernelContext *raw)
    {
        Ort::KernelContext context(raw);
        CHECK_EQUAL(context.GetInputCount(), 2u);
        CHECK_EQUAL(context.GetOutputCount(), 1u);
        Ort::ConstValue x = context.GetInput(0), y = context.GetInput(1);
        auto shape = x.GetTensorTypeAndShapeInfo().GetShape();
        float *sum = context.GetOutput(0, shape).GetTensorMutableData<float>();
        const size_t count = x.GetTensorTypeAndShapeInfo().GetElementCount();
        for (size_t i = 0; i < count; i++)
            sum[i] = weight * (float)(std::pow(x.GetTensorData<float>()[i], (double)power) +
                                      std::pow(y.GetTensorData<float>()[i], (double)power));
    }
};

struct WeightedSum : Ort::CustomOpBase<WeightedSum, WeightedSumKernel> {
    void *CreateKernel(const OrtApi &, const OrtKernelInfo *info) const
    {
        return new WeightedSumKernel(info);
    }
    const char *GetName() const { return "WeightedSum"; }
    size_t GetInputTypeCount() const { return 2; }
    ONNXTensorElementDataType GetInputType(size_t) const
    {
        return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT;
    }
    size_t GetOutputTypeCount() const { return 1; }
    ONNXTensorElementDataType GetOutputType(size_t) const
    {
        return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT;
    }
};

/* The elements at some places, times factors, and their count; the kernel tells of errors by a
 * status. */
struct TakeKernel {
    std::vector<int64_t> places;
    std::vector<float> factors;

    explicit TakeKernel(const OrtKernelInfo *raw)
    {
        Ort::ConstKernelInfo info(raw);
        places = info.GetAttributes<int64_t>("places");
        factors = info.GetAttributes<float>("factors");
        CHECK_EQUAL(factors.size(), places.size());
    }

    OrtStatusPtr ComputeV2(OrtKernelContext *raw)
    {
        Ort::KernelContext context(raw);
        Ort::ConstValue x = context.GetInput(0);
        const int64_t taken = (int64_t)places.size();
        float *out = context.GetOutput(0, {taken}).GetTensorMutableData<float>();
        for (size_t i = 0; i < places.size(); i++) {
            if (places[i] >= (int64_t)x.GetTensorTypeAndShapeInfo().GetElementCount())
                return Ort::Status("no such place: here", ORT_RUNTIME_EXCEPTION).release();
            out[i] = factors[i] * x.GetTensorData<float>()[places[i]];
        }
        *context.GetOutput(1, {1}).GetTensorMutableData<int64_t>() = taken;
        return nullptr;
    }
};

struct Take : Ort::CustomOpBase<Take, TakeKernel, true> {
    OrtStatusPtr CreateKernelV2(const OrtApi &, const OrtKernelInfo *info, void **kernel) const
    {
        *kernel = new TakeKernel(info);
        return nullptr;
    }
    const char *GetName() const { return "Take"; }
    size_t GetInputTypeCount() const { return 1; }
    ONNXTensorElementDataType GetInputType(size_t) const
    {
        return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT;
    }
    size_t GetOutputTypeCount() const { return 2; }
    ONNXTensorElementDataType GetOutputType(size_t i) const
    {
        return i ? ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64 : ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT;
    }
    static Ort::Status InferOutputShape(Ort::ShapeInferContext &context)
    {
        CHECK_EQUAL(context.GetInputCount(), 1u);
        return context.SetOutputShape(0, {(int64_t)context.GetAttrInts("places").size()});
    }
};

static std::vector<Ort::Value> pair(std::vector<float> &x, std::vector<float> &y)
{
    std::vector<Ort::Value> values;
    values.push_back(over(x, {(int64_t)x.size()}));
    values.push_back(over(y, {(int64_t)y.size()}));
    return values;
}

static void test_kernels()
{
    static WeightedSum weighted_sum;
    static Take take;
    Ort::CustomOpDomain domain("test.host");
    domain.Add(&weighted_sum);
    domain.Add(&take);
    {
        Ort::SessionOptions options;
        options.Add(domain);
        Ort::Session session = load("taps", options);
        CHECK_EQUAL(kernels.load(), 1);
        std::vector<float> x = {1, 2, 3}, y = {4, 0, 1};
        std::vector<Ort::Value> got =
            run(session, {"x", "y"}, pair(x, y), {"sum", "taken", "count"});
        CHECK_EQUAL(elements_of<float>(got[0]), std::vector<float>{42.5, 10, 25});
        CHECK_EQUAL(elements_of<float>(got[1]), std::vector<float>{25, 425});
        CHECK_EQUAL(elements_of<int64_t>(got[2]), std::vector<int64_t>{2});
        std::vector<float> a = {1}, b = {2};
        CHECK_FAILS(
            ORT_RUNTIME_EXCEPTION,
            [&] {
                run(session, {"x", "y"}, pair(a, b), {"taken"});
            },
            "no such place: here", "Take");
    }
    CHECK_EQUAL(kernels.load(), 0);
    CHECK(code_of([] { load("taps"); }, __FILE__, __LINE__, {"WeightedSum"}) != ORT_OK);
}

/* A struct and a function as operators: the types of their arguments say what the operator takes.
 */
struct Tap {
    float factor;

    Tap(const OrtApi *, const OrtKernelInfo *info)
        : factor(Ort::ConstKernelInfo(info).GetAttribute<float>("factor"))
    {
    }

    Ort::Status Compute(const Ort::Custom::Tensor<float> &x,
                        std::optional<const Ort::Custom::Tensor<float> *> bias,
                        Ort::Custom::Tensor<float> &out)
    {
        float *to = out.Allocate(x.Shape());
        for (int64_t i = 0; i < x.NumberOfElement(); i++)
            to[i] = x.Data()[i] * factor + (bias.has_value() ? bias.value()->Data()[0] : 100);
        return Ort::Status{};
    }
};

static Ort::Status shout(const Ort::Custom::Tensor<std::string> &words,
                         Ort::Custom::Tensor<std::string> &loud)
{
    std::vector<std::string> all;
    for (const auto &word : words.Data()) {
        if (word.empty())
            return Ort::Status("an empty word", ORT_INVALID_ARGUMENT);
        all.push_back(word + "!");
    }
    loud.SetStringOutput(all, words.Shape());
    return Ort::Status{};
}

static void test_functions()
{
    std::unique_ptr<Ort::Custom::OrtLiteCustomOp> tap{
        Ort::Custom::CreateLiteCustomOp<Tap>("Tap", "CPUExecutionProvider")};
    std::unique_ptr<Ort::Custom::OrtLiteCustomOp> loud{
        Ort::Custom::CreateLiteCustomOp("Shout", "CPUExecutionProvider", shout)};
    Ort::CustomOpDomain domain("test.host");
    domain.Add(tap.get());
    domain.Add(loud.get());
    Ort::SessionOptions options;
    options.Add(domain);
    Ort::Session session = load("functions", options);
    std::vector<float> x = {1, 2};
    Ort::AllocatorWithDefaultOptions allocator;
    const int64_t shape[] = {2};
    const char *words[] = {"a", "bee"}, *empty[] = {"a", ""};
    std::vector<Ort::Value> values;
    values.push_back(over(x, {2}));
    values.push_back(
        Ort::Value::CreateTensor(allocator, shape, 1, ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING));
    values[1].FillStringTensor(words, 2);
    std::vector<Ort::Value> got = run(session, {"x", "words"}, values, {"with", "without", "loud"});
    CHECK_EQUAL(elements_of<float>(got[0]), std::vector<float>{3.5, 6.5});
    CHECK_EQUAL(elements_of<float>(got[1]), std::vector<float>{102, 104});
    CHECK_EQUAL(got[2].GetStringTensorElement(1), std::string("bee!"));
    values[1].FillStringTensor(empty, 2);
    CHECK_FAILS(
        ORT_INVALID_ARGUMENT,
        [&] {
            run(session, {"x", "words"}, values, {"loud"});
        },
        "an empty word");
}

/* Any number of inputs of any type, and a scratch of the context's allocator. */
struct CountKernel {
    void Compute(OrtKernelContext *raw)
    {
        Ort::KernelContext context(raw);
        int64_t total = 0;
        for (size_t i = 0; i < context.GetInputCount(); i++)
            total += (int64_t)context.GetInput(i).GetTensorTypeAndShapeInfo().GetElementCount();
        Ort::MemoryInfo info = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
        OrtAllocator *scratch = context.GetAllocator(*static_cast<const OrtMemoryInfo *>(info));
        void *block = scratch->Alloc(scratch, 64);
        std::memset(block, 0, 64);
        scratch->Free(scratch, block);
        struct Shared {
            std::atomic<int64_t> sum{0};
        } shared;
        context.ParallelFor(
            [](void *data, size_t i) { static_cast<Shared *>(data)->sum += (int64_t)i; }, 10, 0,
            &shared);
        *context.GetOutput(0, std::vector<int64_t>{}).GetTensorMutableData<int64_t>() =
            total + 1000 * shared.sum;
    }
};

struct CountAll : Ort::CustomOpBase<CountAll, CountKernel> {
    void *CreateKernel(const OrtApi &, const OrtKernelInfo *) const { return new CountKernel(); }
    const char *GetName() const { return "CountAll"; }
    size_t GetInputTypeCount() const { return 1; }
    ONNXTensorElementDataType GetInputType(size_t) const
    {
        return ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
    }
    OrtCustomOpInputOutputCharacteristic GetInputCharacteristic(size_t) const
    {
        return INPUT_OUTPUT_VARIADIC;
    }
    bool GetVariadicInputHomogeneity() const { return false; }
    int GetVariadicInputMinArity() const { return 1; }
    size_t GetOutputTypeCount() const { return 1; }
    ONNXTensorElementDataType GetOutputType(size_t) const
    {
        return ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64;
    }
};

static void test_variadic_inputs()
{
    static CountAll count_all;
    Ort::CustomOpDomain domain("test.host");
    domain.Add(&count_all);
    Ort::SessionOptions options;
    options.Add(domain);
    Ort::Session session = load("count", options);
    std::vector<float> x = {1, 2};
    std::vector<int64_t> n = {1, 2, 3};
    std::vector<Ort::Value> values;
    values.push_back(over(x, {2}));
    values.push_back(over(n, {3}));
    CHECK_EQUAL(elements_of<int64_t>(run(session, {"x", "n"}, values, {"total"})[0]),
                std::vector<int64_t>{45007});
}

int main(int argc, char **argv)
{
    return run_tests(argc, argv,
                     {{"kernels", test_kernels},
                      {"functions", test_functions},
                      {"variadic_inputs", test_variadic_inputs}});
}
