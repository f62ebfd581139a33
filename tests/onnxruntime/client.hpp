/* SPDX-License-Identifier: Apache-2.0
 *
 * client.hpp - what test programs of ONNX Runtime's interface share: checks that count, models by
 * name, tensors in one line. A program prints "N passed, N failed" at its end; its argument is the
 * folder that has the models.
 */
#pragma once

#include <onnxruntime_cxx_api.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

struct Tally {
    int passed = 0;
    int failed = 0;
};

inline Tally tally;
inline std::string model_folder;

inline void count(bool right, const char *file, int line, const std::string &what)
{
    right ? tally.passed++ : tally.failed++;
    if (!right)
        std::printf("%s:%d: %s\n", file, line, what.c_str());
}

inline std::string as_text(const std::string &s)
{
    return s;
}
inline std::string as_text(const char *s)
{
    return s;
}
inline std::string as_text(char *s)
{
    return s;
}
inline std::string as_text(bool b)
{
    return b ? "true" : "false";
}
template <class T> std::string as_text(const T &number)
{
    return std::to_string(number);
}
template <class T> std::string as_text(const std::vector<T> &list)
{
    std::string text = "{";
    for (const auto &one : list)
        text += (text.size() > 1 ? ", " : "") + as_text(one);
    return text + "}";
}

template <class A, class B>
void check_equal(const A &is, const B &expected, const char *file, int line)
{
    count(is == expected, file, line, "is " + as_text(is) + ", expected " + as_text(expected));
}

#define CHECK(condition)     count((condition), __FILE__, __LINE__, #condition)
#define CHECK_EQUAL(is, ...) check_equal(is, __VA_ARGS__, __FILE__, __LINE__)

/* The code of the exception that f throws, OK without one; its text must have each of the words. */
inline OrtErrorCode code_of(const std::function<void()> &f, const char *file, int line,
                            const std::vector<std::string> &words)
{
    try {
        f();
    } catch (const Ort::Exception &e) {
        for (const auto &word : words)
            count(std::string(e.what()).find(word) != std::string::npos, file, line,
                  "the text does not have '" + word + "': " + e.what());
        return e.GetOrtErrorCode();
    }
    return ORT_OK;
}

#define CHECK_FAILS(code, f, ...)                                                                  \
    check_equal((int)code_of(f, __FILE__, __LINE__, std::vector<std::string>{__VA_ARGS__}),        \
                (int)(code), __FILE__, __LINE__)

inline std::string model(const std::string &name)
{
    return model_folder + "/" + name + ".onnx";
}

inline Ort::Env &env()
{
    static Ort::Env one(ORT_LOGGING_LEVEL_ERROR, "tests");
    return one;
}

inline Ort::Session load(const std::string &name,
                         const Ort::SessionOptions &options = Ort::SessionOptions())
{
    return Ort::Session(env(), model(name).c_str(), options);
}

inline Ort::MemoryInfo cpu()
{
    return Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
}

/* A tensor over the elements, which must stay. */
template <class T> Ort::Value over(std::vector<T> &elements, const std::vector<int64_t> &shape)
{
    return Ort::Value::CreateTensor<T>(cpu(), elements.data(), elements.size(), shape.data(),
                                       shape.size());
}

template <class T> std::vector<T> elements_of(const Ort::Value &tensor)
{
    const T *data = tensor.GetTensorData<T>();
    return std::vector<T>(data, data + tensor.GetTensorTypeAndShapeInfo().GetElementCount());
}

inline std::vector<int64_t> shape_of(const Ort::Value &tensor)
{
    return tensor.GetTensorTypeAndShapeInfo().GetShape();
}

inline std::vector<Ort::Value> run(Ort::Session &session, const std::vector<const char *> &inputs,
                                   const std::vector<Ort::Value> &values,
                                   const std::vector<const char *> &outputs)
{
    return session.Run(Ort::RunOptions{nullptr}, inputs.data(), values.data(), values.size(),
                       outputs.data(), outputs.size());
}

/* Calls what is given one by one, and says what is wrong where one throws. */
inline int run_tests(int argc, char **argv,
                     const std::vector<std::pair<const char *, std::function<void()>>> &tests)
{
    model_folder = argc > 1 ? argv[1] : ".";
    for (const auto &[name, test] : tests) {
        try {
            test();
        } catch (const std::exception &e) {
            count(false, name, 0, e.what());
        }
    }
    std::printf("%d passed, %d failed\n", tally.passed, tally.failed);
    return tally.failed != 0;
}
