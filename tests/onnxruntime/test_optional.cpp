/* SPDX-License-Identifier: Apache-2.0
 *
 * test_optional.cpp - optional values: what a session says of them, and runs that take and give
 * some.
 */
#include "client.hpp"

static void test_types()
{
    Ort::Session session = load("maybe");
    Ort::TypeInfo type = session.GetInputTypeInfo(0);
    CHECK_EQUAL(type.GetONNXType(), ONNX_TYPE_OPTIONAL);
    Ort::TypeInfo inner = type.GetOptionalTypeInfo().GetOptionalElementType();
    CHECK_EQUAL(inner.GetONNXType(), ONNX_TYPE_TENSOR);
    CHECK_EQUAL(inner.GetTensorTypeAndShapeInfo().GetElementType(),
                ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT);
}

static void test_values()
{
    Ort::Session session = load("maybe"), keeps = load("kept");
    std::vector<float> x = {1, 2};
    std::vector<Ort::Value> values;
    values.push_back(over(x, {2}));
    std::vector<Ort::Value> same = run(keeps, {"x"}, values, {"same"});
    CHECK(same[0].HasValue());
    CHECK_EQUAL(elements_of<float>(same[0]), x);
    std::vector<Ort::Value> got = run(session, {"x"}, values, {"there", "none"});
    CHECK(got[0].GetTensorData<bool>()[0]);
    CHECK(!got[1].HasValue());
}

int main(int argc, char **argv)
{
    return run_tests(argc, argv, {{"types", test_types}, {"values", test_values}});
}
