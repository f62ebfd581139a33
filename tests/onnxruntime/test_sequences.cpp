/* SPDX-License-Identifier: Apache-2.0
 *
 * test_sequences.cpp - sequences and maps, made by a client, taken by models and given by them.
 */
#include "client.hpp"

static Ort::AllocatorWithDefaultOptions allocator;

static Ort::Value sequence_of(std::vector<float> &first, std::vector<float> &second)
{
    std::vector<Ort::Value> items;
    items.push_back(over(first, {(int64_t)first.size() / 2, 2}));
    items.push_back(over(second, {(int64_t)second.size() / 2, 2}));
    return Ort::Value::CreateSequence(items);
}

static void test_made_by_a_client()
{
    std::vector<float> first = {1, 2}, second = {3, 4, 5, 6};
    Ort::Value sequence = sequence_of(first, second);
    CHECK(!sequence.IsTensor());
    CHECK_EQUAL(sequence.GetCount(), 2u);
    CHECK_EQUAL(sequence.GetTypeInfo().GetONNXType(), ONNX_TYPE_SEQUENCE);
    Ort::Value item = sequence.GetValue(1, allocator);
    CHECK_EQUAL(shape_of(item), std::vector<int64_t>{2, 2});
    CHECK_EQUAL(elements_of<float>(item), std::vector<float>{3, 4, 5, 6});
    CHECK(code_of([&] { sequence.GetValue(2, allocator); }, __FILE__, __LINE__, {}) != ORT_OK);
}

static void test_items_of_two_types()
{
    std::vector<float> floats = {1};
    std::vector<int64_t> integers = {1};
    std::vector<Ort::Value> items;
    items.push_back(over(floats, {1}));
    items.push_back(over(integers, {1}));
    CHECK_FAILS(ORT_FAIL, [&] { Ort::Value::CreateSequence(items); });
}

static void test_through_a_model()
{
    Ort::Session session = load("split");
    std::vector<float> x = {1, 2, 3, 4, 5, 6}, first = {7, 8}, second = {9, 10, 11, 12};
    std::vector<int64_t> index = {1};
    std::vector<Ort::Value> values;
    values.push_back(over(x, {3, 2}));
    values.push_back(sequence_of(first, second));
    values.push_back(over(index, {}));
    std::vector<Ort::Value> got = run(session, {"x", "rows", "index"}, values, {"parts", "item"});
    CHECK_EQUAL(got[0].GetCount(), 3u);
    for (size_t i = 0; i < 3; i++) {
        Ort::Value part = got[0].GetValue((int)i, allocator);
        CHECK_EQUAL(shape_of(part), std::vector<int64_t>{1, 2});
        CHECK_EQUAL(elements_of<float>(part), std::vector<float>{x[2 * i], x[2 * i + 1]});
    }
    CHECK_EQUAL(elements_of<float>(got[1]), second);

    std::vector<Ort::Value> again; /* what one run gave, another takes */
    again.push_back(over(x, {3, 2}));
    again.push_back(std::move(got[0]));
    again.push_back(over(index, {}));
    got = run(session, {"x", "rows", "index"}, again, {"item"});
    CHECK_EQUAL(elements_of<float>(got[0]), std::vector<float>{3, 4});
}

static void test_map_of_a_client()
{
    std::vector<int64_t> keys = {1, 2, 3};
    std::vector<float> scores = {0.1f, 0.2f, 0.3f};
    Ort::Value map = Ort::Value::CreateMap(over(keys, {3}), over(scores, {3}));
    CHECK_EQUAL(map.GetTypeInfo().GetONNXType(), ONNX_TYPE_MAP);
    CHECK_EQUAL(map.GetTypeInfo().GetMapTypeInfo().GetMapKeyType(),
                ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64);
    CHECK_EQUAL(map.GetCount(), 2u);
    CHECK_EQUAL(elements_of<int64_t>(map.GetValue(0, allocator)), std::vector<int64_t>{1, 2, 3});
    CHECK_EQUAL(elements_of<float>(map.GetValue(1, allocator)),
                std::vector<float>{0.1f, 0.2f, 0.3f});
    CHECK(code_of(
              [&] {
                  Ort::Value::CreateMap(over(keys, {3}), over(scores, {1, 3}));
              },
              __FILE__, __LINE__, {}) != ORT_OK);
}

static void test_maps_of_a_model()
{
    Ort::Session session = load("names");
    std::vector<float> x = {1, 2, 3, -4, 0.5f, 6};
    std::vector<Ort::Value> values;
    values.push_back(over(x, {2, 3}));
    std::vector<Ort::Value> got = run(session, {"x"}, values, {"named", "numbered"});
    CHECK_EQUAL(got[0].GetCount(), 2u);
    Ort::Value map = got[0].GetValue(1, allocator);
    CHECK_EQUAL(map.GetTypeInfo().GetONNXType(), ONNX_TYPE_MAP);
    Ort::Value keys = map.GetValue(0, allocator);
    std::vector<std::string> names;
    for (size_t i = 0; i < 3; i++)
        names.push_back(keys.GetStringTensorElement(i));
    CHECK_EQUAL(names, std::vector<std::string>{"ant", "bee", "cat"});
    CHECK_EQUAL(elements_of<float>(map.GetValue(1, allocator)), std::vector<float>{0.5f, 6, -4});
    Ort::Value numbered = got[1].GetValue(0, allocator);
    CHECK_EQUAL(elements_of<int64_t>(numbered.GetValue(0, allocator)),
                std::vector<int64_t>{-20, 5, 10});
    CHECK_EQUAL(elements_of<float>(numbered.GetValue(1, allocator)), std::vector<float>{2, 3, 1});
}

int main(int argc, char **argv)
{
    return run_tests(argc, argv,
                     {{"made_by_a_client", test_made_by_a_client},
                      {"items_of_two_types", test_items_of_two_types},
                      {"through_a_model", test_through_a_model},
                      {"map_of_a_client", test_map_of_a_client},
                      {"maps_of_a_model", test_maps_of_a_model}});
}
