/* SPDX-License-Identifier: Apache-2.0
 *
 * onnxruntime_session.cpp - a program written for ONNX Runtime's C++ header, which runs by Ocellus
 * without a changed line.
 *
 * $ onnxruntime_session examples/mirror.onnxtxt
 * image [1, C, H, W]
 * 3 2 1 6 5 4
 * code 2: input 'image' is double[1,1,2,3], expected float[1,C,H,W]
 */
#include <onnxruntime_cxx_api.h>

#include <array>
#include <iostream>
#include <vector>

static void print_shape(const char *name, const Ort::ConstTensorTypeAndShapeInfo &info)
{
    const std::vector<int64_t> dims = info.GetShape();
    std::vector<const char *> symbols(dims.size());
    info.GetSymbolicDimensions(symbols.data(), symbols.size());
    const char *between = " [";
    std::cout << name;
    for (size_t i = 0; i < dims.size(); i++) {
        std::cout << between;
        dims[i] < 0 ? std::cout << symbols[i] : std::cout << dims[i];
        between = ", ";
    }
    std::cout << "]\n";
}

template <class T>
static std::vector<Ort::Value> mirror(Ort::Session &session, std::array<T, 6> &image)
{
    const std::array<int64_t, 4> shape = {1, 1, 2, 3};
    const auto memory = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
    const auto input =
        Ort::Value::CreateTensor<T>(memory, image.data(), image.size(), shape.data(), shape.size());
    const char *inputs[] = {"image"}, *outputs[] = {"mirrored"};
    return session.Run(Ort::RunOptions{nullptr}, inputs, &input, 1, outputs, 1);
}

int main(int argc, char **argv)
{
    Ort::Env env(ORT_LOGGING_LEVEL_WARNING, "example");
    Ort::SessionOptions options;
    options.SetIntraOpNumThreads(1).SetGraphOptimizationLevel(ORT_ENABLE_ALL);
    Ort::Session session(env, argc > 1 ? argv[1] : "model.onnx", options);

    Ort::AllocatorWithDefaultOptions allocator;
    const Ort::TypeInfo type = session.GetInputTypeInfo(0);
    print_shape(session.GetInputNameAllocated(0, allocator).get(),
                type.GetTensorTypeAndShapeInfo());

    std::array<float, 6> image = {1, 2, 3, 4, 5, 6};
    const char *between = "";
    const std::vector<Ort::Value> mirrored = mirror(session, image);
    for (size_t i = 0; i < image.size(); i++, between = " ")
        std::cout << between << mirrored[0].GetTensorData<float>()[i];
    std::cout << '\n';

    std::array<double, 6> wide = {};
    try {
        mirror(session, wide);
    } catch (const Ort::Exception &e) {
        std::cout << "code " << e.GetOrtErrorCode() << ": " << e.what() << '\n';
    }
}
