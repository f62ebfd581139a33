/* SPDX-License-Identifier: Apache-2.0
 *
 * test_options.cpp - what session options do: threads, entries, weights of the host, free
 * dimensions, profiles, and the environment's log.
 */
#include "client.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

static std::vector<Ort::Value> one(Ort::Value value)
{
    std::vector<Ort::Value> values;
    values.push_back(std::move(value));
    return values;
}

static void test_all_that_are_accepted()
{
    Ort::SessionOptions options;
    options.SetIntraOpNumThreads(1).SetInterOpNumThreads(1).SetGraphOptimizationLevel(
        ORT_ENABLE_ALL);
    options.SetExecutionMode(ORT_SEQUENTIAL)
        .EnableCpuMemArena()
        .DisableCpuMemArena()
        .EnableMemPattern()
        .DisableMemPattern();
    options.SetLogId("one").SetLogSeverityLevel(3).DisablePerSessionThreads().DisableProfiling();
    options.AddConfigEntry("session.set_denormal_as_zero", "0");
    CHECK(options.HasConfigEntry("session.set_denormal_as_zero"));
    CHECK(!options.HasConfigEntry("session.none"));
    CHECK_EQUAL(options.GetConfigEntry("session.set_denormal_as_zero"), std::string("0"));
    CHECK_EQUAL(options.GetConfigEntryOrDefault("session.none", "7"), std::string("7"));
    Ort::SessionOptions again = options.Clone();
    CHECK(again.HasConfigEntry("session.set_denormal_as_zero"));
    again.AddConfigEntry("session.only_here", "1");
    CHECK(!options.HasConfigEntry("session.only_here"));
    CHECK_FAILS(ORT_INVALID_ARGUMENT,
                [&] { options.SetGraphOptimizationLevel((GraphOptimizationLevel)77); });

    Ort::SessionOptions own;
    own.SetIntraOpNumThreads(2)
        .SetExecutionMode(ORT_PARALLEL)
        .SetGraphOptimizationLevel(ORT_DISABLE_ALL);
    own.AddConfigEntry("session.nobody_knows_this", "1");
    Ort::Session session = load("scale", own);
    std::vector<float> x = {1, 1, 1};
    CHECK_EQUAL(elements_of<float>(run(session, {"x"}, one(over(x, {1, 3})), {"y"})[0]),
                std::vector<float>{1, 2, 3});
}

static long count_threads()
{
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                         std::filesystem::directory_iterator());
}

/* How many threads there are while a session runs. */
static long count_threads_of_run(Ort::Session &session)
{
    std::vector<float> x(64 * 64, 0.5f);
    std::vector<int64_t> rounds = {INT64_MAX};
    std::vector<Ort::Value> values = one(over(x, {64, 64}));
    values.push_back(over(rounds, {}));
    const char *inputs[] = {"x", "rounds"}, *outputs[] = {"y"};
    Ort::RunOptions options;
    std::thread run([&] {
        try {
            session.Run(options, inputs, values.data(), 2, outputs, 1);
        } catch (const Ort::Exception &) {
        }
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const long threads = count_threads();
    options.SetTerminate();
    run.join();
    return threads;
}

static void test_threads_of_the_environment()
{
    Ort::ThreadingOptions threading;
    threading.SetGlobalIntraOpNumThreads(1).SetGlobalInterOpNumThreads(1);
    Ort::Env one_thread(threading, ORT_LOGGING_LEVEL_FATAL, "one");
    const long before = count_threads(); /* an environment may have some */
    Ort::SessionOptions options;
    options.DisablePerSessionThreads();
    Ort::Session session(one_thread, model("forever").c_str(), options);
    CHECK_EQUAL(count_threads_of_run(session), before + 1);
}

static void test_providers()
{
    std::vector<std::string> providers = Ort::GetAvailableProviders();
    CHECK(std::find(providers.begin(), providers.end(), "CPUExecutionProvider") != providers.end());
    Ort::SessionOptions options;
    OrtCUDAProviderOptions cuda{};
    CHECK(code_of(
              [&] {
                  options.AppendExecutionProvider_CUDA(cuda);
                  load("scale", options);
              },
              __FILE__, __LINE__, {}) != ORT_OK);
    CHECK(code_of([&] { options.AppendExecutionProvider("SNPE", {}); }, __FILE__, __LINE__,
                  {"SNPE"}) != ORT_OK);
    // Bindings write into such options before they ask whether the provider is there.
    OrtCUDAProviderOptionsV2 *made = nullptr;
    Ort::ThrowOnError(Ort::GetApi().CreateCUDAProviderOptions(&made));
    CHECK(made);
    CHECK(code_of(
              [&] {
                  options.AppendExecutionProvider_CUDA_V2(*made);
                  load("scale", options);
              },
              __FILE__, __LINE__, {}) != ORT_OK);
    Ort::GetApi().ReleaseCUDAProviderOptions(made);
}

static void test_weights_of_the_host()
{
    std::vector<float> w = {2, 3}, x = {10, 100};
    Ort::Value weight = over(w, {2});
    Ort::SessionOptions options;
    options.AddInitializer("w", weight);
    Ort::Session session = load("given", options);
    CHECK_EQUAL(elements_of<float>(run(session, {"x"}, one(over(x, {2})), {"y"})[0]),
                std::vector<float>{20, 300});
    Ort::Session plain = load("given");
    CHECK_EQUAL(elements_of<float>(run(plain, {"x"}, one(over(x, {2})), {"y"})[0]),
                std::vector<float>{50, 700});
}

/* An input that no node uses stays one. */
static void test_weights_of_the_host_and_unused_inputs()
{
    std::vector<float> w = {2, 3}, x = {10, 100};
    std::vector<int64_t> rate = {8000};
    Ort::Value weight = over(w, {2});
    Ort::SessionOptions options;
    options.AddInitializer("w", weight);
    Ort::Session session = load("unused", options);
    std::vector<Ort::Value> in;
    in.push_back(over(x, {2}));
    in.push_back(over(rate, {}));
    CHECK_EQUAL(elements_of<float>(run(session, {"x", "rate"}, in, {"y"})[0]),
                std::vector<float>{20, 300});
}

static void test_free_dimensions()
{
    Ort::SessionOptions options;
    OrtSessionOptions *raw = options;
    Ort::ThrowOnError(Ort::GetApi().AddFreeDimensionOverrideByName(raw, "batch", 2));
    Ort::ThrowOnError(Ort::GetApi().AddFreeDimensionOverrideByName(raw, "nobody", 5));
    Ort::Session session = load("dims", options);
    CHECK_EQUAL(session.GetInputTypeInfo(0).GetTensorTypeAndShapeInfo().GetShape(),
                std::vector<int64_t>{2, -1});
    std::vector<float> x = {-1, 2, 3, -4};
    CHECK_EQUAL(elements_of<float>(run(session, {"x"}, one(over(x, {2, 2})), {"y"})[0]),
                std::vector<float>{0, 2, 3, 0});
    CHECK_FAILS(
        ORT_INVALID_ARGUMENT,
        [&] {
            run(session, {"x"}, one(over(x, {4, 1})), {"y"});
        },
        "x");
}

static void test_profile()
{
    Ort::SessionOptions options;
    options.EnableProfiling((model_folder + "/profile").c_str());
    Ort::Session session = load("digits", options);
    CHECK(session.GetProfilingStartTimeNs() > 0);
    std::vector<float> image(16, 1);
    run(session, {"image"}, one(over(image, {1, 1, 4, 4})), {"scores"});
    Ort::AllocatorWithDefaultOptions allocator;
    std::string path = session.EndProfilingAllocated(allocator).get();
    CHECK_EQUAL(path.compare(0, model_folder.size() + 8, model_folder + "/profile"), 0);
    std::ifstream file(path);
    std::string text(std::istreambuf_iterator<char>(file), {});
    CHECK(text.find("Softmax") != std::string::npos);
    CHECK(text.find("\"ts\"") != std::string::npos && text.find("\"dur\"") != std::string::npos);
}

static std::mutex log_mutex;
static std::vector<std::string> log_lines;

static void log_line(void *context, OrtLoggingLevel level, const char *, const char *id,
                     const char *, const char *text)
{
    std::lock_guard<std::mutex> guard(log_mutex);
    log_lines.push_back(std::string((char *)context) + std::to_string(level) + id + text);
}

static void test_log()
{
    char mark[] = "#";
    Ort::SessionOptions options;
    options.SetLogId("mine");
    options.SetLogSeverityLevel(ORT_LOGGING_LEVEL_VERBOSE);
    OrtSessionOptions *raw = options;
    Ort::ThrowOnError(Ort::GetApi().SetUserLoggingFunction(raw, log_line, mark));
    Ort::Session session = load("scale", options);
    std::vector<float> x = {1, 1, 1};
    run(session, {"x"}, one(over(x, {1, 3})), {"y"});
    CHECK(!log_lines.empty());
    bool right = true;
    for (const auto &line : log_lines)
        right = right && line[0] == '#' && line.find("mine") != std::string::npos;
    CHECK(right);
}

int main(int argc, char **argv)
{
    return run_tests(
        argc, argv,
        {{"threads_of_the_environment", test_threads_of_the_environment},
         {"all_that_are_accepted", test_all_that_are_accepted},
         {"providers", test_providers},
         {"weights_of_the_host", test_weights_of_the_host},
         {"weights_of_the_host_and_unused_inputs", test_weights_of_the_host_and_unused_inputs},
         {"free_dimensions", test_free_dimensions},
         {"profile", test_profile},
         {"log", test_log}});
}
