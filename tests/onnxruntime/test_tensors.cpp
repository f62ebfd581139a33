/* SPDX-License-Identifier: Apache-2.0
 *
 * test_tensors.cpp - tensors that clients make and read: each element type, strings, memory of the
 * caller and of the library.
 */
#include "client.hpp"

static Ort::AllocatorWithDefaultOptions allocator;

static void test_over_memory_of_the_caller()
{
    std::vector<float> data = {1, 2, 3, 4, 5, 6};
    Ort::Value tensor = over(data, {2, 3});
    CHECK(tensor.IsTensor());
    CHECK(tensor.HasValue());
    CHECK_EQUAL(tensor.GetTensorMutableData<float>() == data.data(), true);
    CHECK_EQUAL(shape_of(tensor), std::vector<int64_t>{2, 3});
    CHECK_EQUAL(tensor.GetTensorTypeAndShapeInfo().GetElementCount(), 6u);
    CHECK_EQUAL(tensor.GetTypeInfo().GetONNXType(), ONNX_TYPE_TENSOR);
    CHECK_EQUAL(tensor.At<float>({1, 2}), 6.0f);
    tensor.At<float>({0, 1}) = 20;
    CHECK_EQUAL(data[1], 20.0f);
    CHECK_FAILS(ORT_INVALID_ARGUMENT, [&] { tensor.At<float>({2, 0}); });
    CHECK_FAILS(ORT_INVALID_ARGUMENT, [&] { tensor.At<float>({0}); });
    auto info = tensor.GetTensorMemoryInfo();
    CHECK_EQUAL(info.GetAllocatorName(), std::string("Cpu"));
    CHECK_EQUAL(info.GetDeviceType(), OrtMemoryInfoDeviceType_CPU);
}

static void test_of_the_library()
{
    const std::vector<int64_t> shape = {2, 0, 4}, scalar;
    Ort::Value none = Ort::Value::CreateTensor<int32_t>(allocator, shape.data(), shape.size());
    CHECK_EQUAL(none.GetTensorTypeAndShapeInfo().GetElementCount(), 0u);
    CHECK_EQUAL(shape_of(none), shape);
    Ort::Value one = Ort::Value::CreateTensor<double>(allocator, scalar.data(), 0);
    one.GetTensorMutableData<double>()[0] = 2.5;
    CHECK_EQUAL(elements_of<double>(one), std::vector<double>{2.5});
    CHECK_EQUAL(one.GetTensorTypeAndShapeInfo().GetDimensionsCount(), 0u);
    Ort::Value empty{nullptr};
    CHECK(!empty);
}

static void test_mistakes()
{
    std::vector<float> data(5);
    const std::vector<int64_t> shape = {2, 3}, negative = {-1, 3};
    CHECK_FAILS(ORT_INVALID_ARGUMENT, [&] {
        Ort::Value::CreateTensor<float>(cpu(), data.data(), 5, shape.data(), shape.size());
    });
    CHECK_FAILS(ORT_INVALID_ARGUMENT, [&] {
        Ort::Value::CreateTensor<float>(cpu(), data.data(), 5, negative.data(), negative.size());
    });
    const int64_t huge[] = {INT64_MAX, INT64_MAX};
    CHECK(code_of([&] { Ort::Value::CreateTensor<float>(allocator, huge, 2); }, __FILE__, __LINE__,
                  {}) != ORT_OK);
    Ort::Value tensor = over(data, {5});
    CHECK(code_of([&] { tensor.GetValue(0, allocator); }, __FILE__, __LINE__, {}) != ORT_OK);
    CHECK(code_of([&] { tensor.GetStringTensorDataLength(); }, __FILE__, __LINE__, {}) != ORT_OK);
}

static Ort::Value strings(const std::vector<const char *> &words, const std::vector<int64_t> &shape)
{
    Ort::Value tensor = Ort::Value::CreateTensor(allocator, shape.data(), shape.size(),
                                                 ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING);
    tensor.FillStringTensor(words.data(), words.size());
    return tensor;
}

static std::vector<std::string> words_of(const Ort::Value &tensor)
{
    const size_t count = tensor.GetTensorTypeAndShapeInfo().GetElementCount();
    std::vector<std::string> words;
    for (size_t i = 0; i < count; i++)
        words.push_back(tensor.GetStringTensorElement(i));
    return words;
}

static void test_strings()
{
    Ort::Value tensor = strings({"one", "", "three"}, {3});
    CHECK_EQUAL(words_of(tensor), std::vector<std::string>{"one", "", "three"});
    CHECK_EQUAL(tensor.GetStringTensorDataLength(), 8u);
    std::string all(8, ' ');
    std::vector<size_t> offsets(3);
    tensor.GetStringTensorContent(all.data(), all.size(), offsets.data(), offsets.size());
    CHECK_EQUAL(all, std::string("onethree"));
    CHECK_EQUAL(offsets, std::vector<size_t>{0, 3, 3});
    CHECK_EQUAL(tensor.GetStringTensorElementLength(2), 5u);
    CHECK(code_of([&] { tensor.GetStringTensorContent(all.data(), 7, offsets.data(), 3); },
                  __FILE__, __LINE__, {}) != ORT_OK);
    CHECK_FAILS(ORT_INVALID_ARGUMENT, [&] { tensor.GetStringTensorElementLength(3); });

    tensor.FillStringTensorElement("zwei", 1);
    CHECK_EQUAL(tensor.GetStringTensorElement(1), std::string("zwei"));
    char *room = tensor.GetResizedStringTensorElementBuffer(0, 6);
    std::memcpy(room,
                "a\0b\xc3\xa9"
                "c",
                6);
    CHECK_EQUAL(tensor.GetStringTensorElement(0), std::string("a\0b\xc3\xa9"
                                                              "c",
                                                              6));
    const char *two[] = {"a", "b"};
    CHECK(code_of([&] { tensor.FillStringTensor(two, 2); }, __FILE__, __LINE__, {}) != ORT_OK);
}

static void test_strings_through_a_model()
{
    Ort::Session session = load("join");
    std::vector<Ort::Value> values;
    values.push_back(strings({"a", "bee", "", "delta"}, {4}));
    std::vector<Ort::Value> pairs = run(session, {"words"}, values, {"pairs"});
    CHECK_EQUAL(shape_of(pairs[0]), std::vector<int64_t>{2, 2});
    CHECK_EQUAL(words_of(pairs[0]), std::vector<std::string>{"a", "bee", "", "delta"});
}

/* The elements of each type come out as they went in, bit by bit. */
static void test_each_type_through_a_model()
{
    Ort::Session session = load("copies");
    const size_t sizes[] = {8, 2, 2, 1, 1, 2, 2, 4, 4, 8, 8, 1, 1};
    const std::string inputs = "abcdefghijklm";
    std::vector<std::string> names, results;
    std::vector<Ort::Value> values;
    std::vector<std::vector<uint8_t>> bytes;
    for (size_t i = 0; i < inputs.size(); i++) {
        names.push_back(inputs.substr(i, 1));
        results.push_back("o" + names.back());
        std::vector<uint8_t> data(3 * sizes[i]);
        for (size_t k = 0; k < data.size(); k++)
            data[k] = inputs[i] == 'l' ? k & 1 : (uint8_t)(17 * k + 40);
        bytes.push_back(data);
    }
    std::vector<const char *> in, out;
    const int64_t shape[] = {3};
    for (size_t i = 0; i < inputs.size(); i++) {
        auto type = session.GetInputTypeInfo(i).GetTensorTypeAndShapeInfo().GetElementType();
        values.push_back(
            Ort::Value::CreateTensor(cpu(), bytes[i].data(), bytes[i].size(), shape, 1, type));
        in.push_back(names[i].c_str());
        out.push_back(results[i].c_str());
    }
    std::vector<Ort::Value> got = run(session, in, values, out);
    for (size_t i = 0; i < got.size(); i++) {
        CHECK_EQUAL(got[i].GetTensorTypeAndShapeInfo().GetElementType(),
                    values[i].GetTensorTypeAndShapeInfo().GetElementType());
        CHECK(std::memcmp(got[i].GetTensorRawData(), bytes[i].data(), bytes[i].size()) == 0);
    }
}

static void test_halves()
{
    std::vector<Ort::Float16_t> halves = {Ort::Float16_t(1.0f), Ort::Float16_t(-2.0f)};
    Ort::Value tensor = over(halves, {2});
    CHECK_EQUAL(tensor.GetTensorTypeAndShapeInfo().GetElementType(),
                ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16);
    CHECK_EQUAL(tensor.GetTensorData<Ort::Float16_t>()[1].ToFloat(), -2.0f);
    bool flags[] = {true, false};
    const int64_t shape[] = {2};
    Ort::Value bools = Ort::Value::CreateTensor<bool>(cpu(), flags, 2, shape, 1);
    CHECK_EQUAL(bools.GetTensorTypeAndShapeInfo().GetElementType(),
                ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL);
}

int main(int argc, char **argv)
{
    return run_tests(argc, argv,
                     {{"over_memory_of_the_caller", test_over_memory_of_the_caller},
                      {"of_the_library", test_of_the_library},
                      {"mistakes", test_mistakes},
                      {"strings", test_strings},
                      {"strings_through_a_model", test_strings_through_a_model},
                      {"each_type_through_a_model", test_each_type_through_a_model},
                      {"halves", test_halves}});
}
