/* SPDX-License-Identifier: Apache-2.0
 *
 * test_session.cpp - what a session tells of its model: names, types, shapes, symbols, defaults,
 * metadata.
 */
#include "client.hpp"

#include <fstream>

static std::vector<std::string> names(size_t count,
                                      const std::function<Ort::AllocatedStringPtr(size_t)> &name)
{
    std::vector<std::string> all;
    for (size_t i = 0; i < count; i++)
        all.push_back(name(i).get());
    return all;
}

static void test_names()
{
    Ort::Session session = load("scale");
    Ort::AllocatorWithDefaultOptions allocator;
    CHECK_EQUAL(names(session.GetInputCount(),
                      [&](size_t i) { return session.GetInputNameAllocated(i, allocator); }),
                std::vector<std::string>{"x"});
    CHECK_EQUAL(names(session.GetOutputCount(),
                      [&](size_t i) { return session.GetOutputNameAllocated(i, allocator); }),
                std::vector<std::string>{"y", "total"});
    CHECK_EQUAL(names(session.GetOverridableInitializerCount(),
                      [&](size_t i) {
                          return session.GetOverridableInitializerNameAllocated(i, allocator);
                      }),
                std::vector<std::string>{"factor"});
    CHECK_FAILS(ORT_FAIL, [&] { (void)session.GetInputNameAllocated(1, allocator); });
    CHECK_FAILS(ORT_FAIL, [&] { (void)session.GetOutputTypeInfo(2); });
}

static std::vector<std::string> symbols(const Ort::ConstTensorTypeAndShapeInfo &info)
{
    std::vector<std::string> all;
    std::vector<const char *> names(info.GetDimensionsCount());
    info.GetSymbolicDimensions(names.data(), names.size());
    for (const char *name : names)
        all.push_back(name);
    return all;
}

static void test_tensor_types()
{
    Ort::Session session = load("scale");
    Ort::TypeInfo type = session.GetInputTypeInfo(0);
    CHECK_EQUAL(type.GetONNXType(), ONNX_TYPE_TENSOR);
    auto info = type.GetTensorTypeAndShapeInfo();
    CHECK_EQUAL(info.GetElementType(), ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT);
    CHECK_EQUAL(info.GetDimensionsCount(), 2u);
    CHECK_EQUAL(info.GetShape(), std::vector<int64_t>{-1, 3});
    CHECK_EQUAL(symbols(info), std::vector<std::string>{"N", ""});

    Ort::TypeInfo total = session.GetOutputTypeInfo(1);
    CHECK_EQUAL(total.GetTensorTypeAndShapeInfo().GetShape(), std::vector<int64_t>{-1});
    Ort::TypeInfo factor = session.GetOverridableInitializerTypeInfo(0);
    CHECK_EQUAL(factor.GetTensorTypeAndShapeInfo().GetShape(), std::vector<int64_t>{3});
    CHECK_EQUAL(factor.GetTensorTypeAndShapeInfo().GetElementCount(), 3u);
}

/* Dims of outputs that the model does not tell are told where the sizes of the inputs decide. */
static void test_shapes_that_follow()
{
    Ort::SessionOptions options;
    Ort::ThrowOnError(Ort::GetApi().AddFreeDimensionOverrideByName(options, "N", 7));
    Ort::Session session = load("shapes", options);
    Ort::TypeInfo first = session.GetOutputTypeInfo(0), second = session.GetOutputTypeInfo(1);
    auto y = first.GetTensorTypeAndShapeInfo(), z = second.GetTensorTypeAndShapeInfo();
    CHECK_EQUAL(y.GetShape(), std::vector<int64_t>{7, 2});
    CHECK_EQUAL(z.GetShape(), std::vector<int64_t>{3, 2});
    CHECK_EQUAL(symbols(z), std::vector<std::string>{"", ""});
    CHECK_EQUAL(z.GetElementCount(), 6u);

    Ort::TypeInfo open = load("shapes").GetInputTypeInfo(0);
    CHECK_FAILS(ORT_FAIL, [&] { (void)open.GetTensorTypeAndShapeInfo().GetElementCount(); });
}

static void test_other_types()
{
    Ort::Session session = load("split");
    Ort::TypeInfo rows = session.GetInputTypeInfo(1);
    CHECK_EQUAL(rows.GetONNXType(), ONNX_TYPE_SEQUENCE);
    Ort::TypeInfo row = rows.GetSequenceTypeInfo().GetSequenceElementType();
    CHECK_EQUAL(row.GetONNXType(), ONNX_TYPE_TENSOR);
    CHECK_EQUAL(row.GetTensorTypeAndShapeInfo().GetElementType(),
                ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT);
    Ort::TypeInfo index = session.GetInputTypeInfo(2);
    CHECK_EQUAL(index.GetTensorTypeAndShapeInfo().GetElementType(),
                ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64);
    CHECK_EQUAL(index.GetTensorTypeAndShapeInfo().GetDimensionsCount(), 0u);

    Ort::Session maps = load("names");
    Ort::TypeInfo named = maps.GetOutputTypeInfo(0);
    Ort::TypeInfo entry = named.GetSequenceTypeInfo().GetSequenceElementType();
    CHECK_EQUAL(entry.GetONNXType(), ONNX_TYPE_MAP);
    CHECK_EQUAL(entry.GetMapTypeInfo().GetMapKeyType(), ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING);
    Ort::TypeInfo score = entry.GetMapTypeInfo().GetMapValueType();
    CHECK_EQUAL(score.GetTensorTypeAndShapeInfo().GetElementType(),
                ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT);
    Ort::TypeInfo numbered = maps.GetOutputTypeInfo(1);
    Ort::TypeInfo second = numbered.GetSequenceTypeInfo().GetSequenceElementType();
    CHECK_EQUAL(second.GetMapTypeInfo().GetMapKeyType(), ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64);
}

static void test_each_element_type()
{
    Ort::Session session = load("copies");
    const std::vector<int> expected = {
        ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE,      ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16,
        ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16,    ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8,
        ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8,       ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16,
        ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16,      ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32,
        ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32,      ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64,
        ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64,      ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL,
        ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FN};
    std::vector<int> types;
    for (size_t i = 0; i < session.GetInputCount(); i++)
        types.push_back(session.GetInputTypeInfo(i).GetTensorTypeAndShapeInfo().GetElementType());
    CHECK_EQUAL(types, expected);
}

static void test_metadata()
{
    Ort::Session session = load("scale");
    Ort::AllocatorWithDefaultOptions allocator;
    Ort::ModelMetadata meta = session.GetModelMetadata();
    CHECK_EQUAL(meta.GetProducerNameAllocated(allocator).get(), std::string("hand"));
    CHECK_EQUAL(meta.GetGraphNameAllocated(allocator).get(), std::string("scale"));
    CHECK_EQUAL(meta.GetDomainAllocated(allocator).get(), std::string("org.example"));
    CHECK_EQUAL(meta.GetDescriptionAllocated(allocator).get(), std::string("y is x times factor"));
    CHECK_EQUAL(meta.GetGraphDescriptionAllocated(allocator).get(), std::string("the graph of it"));
    CHECK_EQUAL(meta.GetVersion(), 7);
    std::vector<std::string> keys;
    for (const auto &key : meta.GetCustomMetadataMapKeysAllocated(allocator))
        keys.push_back(key.get());
    CHECK_EQUAL(keys.size(), 2u);
    CHECK_EQUAL(meta.LookupCustomMetadataMapAllocated("author", allocator).get(),
                std::string("someone"));
    CHECK_EQUAL(meta.LookupCustomMetadataMapAllocated("task", allocator).get(),
                std::string("scaling"));
    CHECK(!meta.LookupCustomMetadataMapAllocated("none", allocator));
    CHECK(load("digits").GetModelMetadata().GetCustomMetadataMapKeysAllocated(allocator).empty());
}

static std::string bytes_of(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
}

static void test_from_memory()
{
    std::string bytes = bytes_of(model("digits"));
    Ort::SessionOptions options;
    Ort::Session session(env(), bytes.data(), bytes.size(), options);
    std::fill(bytes.begin(), bytes.end(), 'x'); /* the session keeps nothing of them */
    std::vector<float> image(16, 0);
    std::vector<Ort::Value> values;
    values.push_back(over(image, {1, 1, 4, 4}));
    std::vector<float> scores = elements_of<float>(run(session, {"image"}, values, {"scores"})[0]);
    CHECK_EQUAL(scores.size(), 3u);
    CHECK(std::abs(scores[0] + scores[1] + scores[2] - 1) < 1e-6);
}

static void test_what_is_no_model()
{
    Ort::SessionOptions options;
    CHECK_FAILS(
        ORT_NO_SUCHFILE, [&] { Ort::Session(env(), model("none").c_str(), options); }, "none.onnx");
    CHECK_FAILS(ORT_INVALID_PROTOBUF, [&] { Ort::Session(env(), "garbage!", 8, options); });
    std::string bytes = bytes_of(model("digits"));
    CHECK_FAILS(ORT_INVALID_PROTOBUF,
                [&] { Ort::Session(env(), bytes.data(), bytes.size() / 2, options); });
    CHECK(code_of([&] { Ort::Session(env(), model("unknown").c_str(), options); }, __FILE__,
                  __LINE__, {"Nowhere"}) != ORT_OK);
}

int main(int argc, char **argv)
{
    return run_tests(argc, argv,
                     {{"names", test_names},
                      {"tensor_types", test_tensor_types},
                      {"shapes_that_follow", test_shapes_that_follow},
                      {"other_types", test_other_types},
                      {"each_element_type", test_each_element_type},
                      {"metadata", test_metadata},
                      {"from_memory", test_from_memory},
                      {"what_is_no_model", test_what_is_no_model}});
}
