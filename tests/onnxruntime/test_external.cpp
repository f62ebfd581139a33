/* SPDX-License-Identifier: Apache-2.0
 *
 * test_external.cpp - weights in files of their own: beside the model, in a folder that is named,
 * in memory of the program.
 */
#include "client.hpp"

#include <fstream>

/* ---- a model in the wire format ---- */

static std::string varint(uint64_t number)
{
    std::string bytes;
    for (; number >= 128; number /= 128)
        bytes += (char)(number % 128 + 128);
    return bytes + (char)number;
}

static std::string field(int number, uint64_t value)
{
    return varint((uint64_t)number * 8) + varint(value);
}

static std::string field(int number, const std::string &bytes)
{
    return varint((uint64_t)number * 8 + 2) + varint(bytes.size()) + bytes;
}

static std::string entry(const char *key, const std::string &value)
{
    return field(13, field(1, key) + field(2, value));
}

static std::string port(const char *name)
{
    const std::string dims = field(1, field(1, 2));
    return field(1, name) +
           field(2, field(1, field(1, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT) + field(2, dims)));
}

/* y = x * w of two elements each; w is in a file, at byte 4. */
static std::string model_with(const std::string &location)
{
    const std::string node = field(1, "x") + field(1, "w") + field(2, "y") + field(4, "Mul");
    const std::string weight = field(1, 2) + field(2, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT) +
                               field(8, "w") + entry("location", location) + entry("offset", "4") +
                               entry("length", "8") + field(14, 1);
    const std::string graph = field(1, node) + field(2, "outside") + field(5, weight) +
                              field(11, port("x")) + field(12, port("y"));
    return field(1, 8) + field(7, graph) + field(8, field(2, 17));
}

static const float weights[3] = {9, 5, 7};

static void write_file(const std::string &name, const void *bytes, size_t size)
{
    std::ofstream(model_folder + "/" + name, std::ios::binary)
        .write((const char *)bytes, (std::streamsize)size);
}

static std::vector<float> run_on_ones(Ort::Session session)
{
    std::vector<float> x = {1, 1};
    std::vector<Ort::Value> values;
    values.push_back(over(x, {2}));
    return elements_of<float>(run(session, {"x"}, values, {"y"})[0]);
}

static Ort::Session from_memory(const std::string &bytes, const Ort::SessionOptions &options)
{
    return Ort::Session(env(), bytes.data(), bytes.size(), options);
}

/* ---- tests ---- */

static void test_beside_the_model()
{
    const std::string bytes = model_with("weights.bin"), lost = model_with("lost.bin"),
                      outer = model_with("../weights.bin");
    write_file("weights.bin", weights, sizeof weights);
    write_file("outside.onnx", bytes.data(), bytes.size());
    write_file("lost.onnx", lost.data(), lost.size());
    write_file("outer.onnx", outer.data(), outer.size());
    CHECK_EQUAL(run_on_ones(load("outside")), std::vector<float>{5, 7});
    CHECK(code_of([] { load("lost"); }, __FILE__, __LINE__, {"lost.bin"}) != ORT_OK);
    CHECK(code_of([] { load("outer"); }, __FILE__, __LINE__, {}) != ORT_OK);
}

static void test_in_a_folder()
{
    Ort::SessionOptions options;
    options.AddConfigEntry("session.model_external_initializers_file_folder_path",
                           model_folder.c_str());
    write_file("weights.bin", weights, sizeof weights);
    CHECK_EQUAL(run_on_ones(from_memory(model_with("weights.bin"), options)),
                std::vector<float>{5, 7});
}

static void test_in_memory()
{
    std::vector<char> file(sizeof weights);
    std::memcpy(file.data(), weights, sizeof weights);
    Ort::SessionOptions options;
    options.AddExternalInitializersFromFilesInMemory({"./held.bin"}, {file.data()}, {file.size()});
    CHECK_EQUAL(run_on_ones(from_memory(model_with("held.bin"), options)),
                std::vector<float>{5, 7});

    Ort::SessionOptions shorter;
    shorter.AddExternalInitializersFromFilesInMemory({"held.bin"}, {file.data()}, {8});
    CHECK(code_of([&] { from_memory(model_with("held.bin"), shorter); }, __FILE__, __LINE__, {}) !=
          ORT_OK);
}

/* What the program gives stands in place of the file, which nobody opens. */
static void test_given_values()
{
    std::vector<float> w = {3, 4}, one = {3};
    Ort::SessionOptions options, wrong;
    std::vector<Ort::Value> value, scalar;
    value.push_back(over(w, {2}));
    scalar.push_back(over(one, {1}));
    options.AddExternalInitializers({"w"}, value);
    wrong.AddExternalInitializers({"w"}, scalar);
    CHECK_EQUAL(run_on_ones(from_memory(model_with("nowhere.bin"), options)),
                std::vector<float>{3, 4});
    CHECK(code_of([&] { from_memory(model_with("nowhere.bin"), wrong); }, __FILE__, __LINE__, {}) !=
          ORT_OK);
}

int main(int argc, char **argv)
{
    return run_tests(argc, argv,
                     {{"beside_the_model", test_beside_the_model},
                      {"in_a_folder", test_in_a_folder},
                      {"in_memory", test_in_memory},
                      {"given_values", test_given_values}});
}
