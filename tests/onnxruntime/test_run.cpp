/* SPDX-License-Identifier: Apache-2.0
 *
 * test_run.cpp - runs: chosen outputs, outputs of the caller, many threads, in the background,
 * ended early, and mistakes.
 */
#include "client.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::vector<Ort::Value> one(Ort::Value value)
{
    std::vector<Ort::Value> values;
    values.push_back(std::move(value));
    return values;
}

static void test_values()
{
    Ort::Session session = load("scale");
    std::vector<float> x = {1, 1, 1, 2, 3, 4}, factor = {10, 0, -1};
    std::vector<Ort::Value> got = run(session, {"x"}, one(over(x, {2, 3})), {"total", "y"});
    CHECK_EQUAL(elements_of<float>(got[0]), std::vector<float>{6, 20});
    CHECK_EQUAL(elements_of<float>(got[1]), std::vector<float>{1, 2, 3, 2, 6, 12});

    std::vector<Ort::Value> both = one(over(factor, {3}));
    both.push_back(over(x, {2, 3}));
    got = run(session, {"factor", "x"}, both, {"y"});
    CHECK_EQUAL(elements_of<float>(got[0]), std::vector<float>{10, 0, -1, 20, 0, -4});

    std::vector<float> none;
    got = run(session, {"x"}, one(over(none, {0, 3})), {"y"});
    CHECK_EQUAL(shape_of(got[0]), std::vector<int64_t>{0, 3});
}

/* Sums of the four pools by hand: the first kernel takes the pixel itself, the second the pixel
 * above less the one below. */
static void test_network()
{
    Ort::Session session = load("digits");
    std::vector<float> image = {0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 3, 0, 0, 4, 0};
    std::vector<float> scores =
        elements_of<float>(run(session, {"image"}, one(over(image, {1, 1, 4, 4})), {"scores"})[0]);
    const float lit[8] = {2, 0, 0, 4, 2, 1, 3, 4};
    const float weights[24] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0,
                               0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0};
    double sums[3] = {0}, all = 0;
    for (int i = 0; i < 24; i++)
        sums[i % 3] += lit[i / 3] * weights[i];
    for (double sum : sums)
        all += std::exp(sum);
    for (int i = 0; i < 3; i++)
        CHECK(std::abs(scores[(size_t)i] - std::exp(sums[i]) / all) < 1e-6);
}

static void test_outputs_of_the_caller()
{
    Ort::Session session = load("scale");
    std::vector<float> x = {1, 1, 1}, y(3), wrong(4);
    const char *inputs[] = {"x"}, *outputs[] = {"y"};
    Ort::Value in = over(x, {1, 3}), out = over(y, {1, 3}), other = over(wrong, {2, 2});
    session.Run(Ort::RunOptions{}, inputs, &in, 1, outputs, &out, 1);
    CHECK_EQUAL(y, std::vector<float>{1, 2, 3});
    CHECK(code_of([&] { session.Run(Ort::RunOptions{}, inputs, &in, 1, outputs, &other, 1); },
                  __FILE__, __LINE__, {}) != ORT_OK);
}

static void test_mistakes()
{
    Ort::Session session = load("scale");
    std::vector<float> x = {1, 1, 1};
    std::vector<double> wide = {1, 1, 1};
    CHECK_FAILS(
        ORT_INVALID_ARGUMENT,
        [&] {
            run(session, {"z"}, one(over(x, {1, 3})), {"y"});
        },
        "z");
    CHECK_FAILS(
        ORT_INVALID_ARGUMENT,
        [&] {
            run(session, {"x"}, one(over(x, {1, 3})), {"w"});
        },
        "w");
    CHECK(code_of([&] { run(session, {}, {}, {"y"}); }, __FILE__, __LINE__, {"x"}) != ORT_OK);
    CHECK_FAILS(
        ORT_INVALID_ARGUMENT,
        [&] {
            run(session, {"x"}, one(over(wide, {1, 3})), {"y"});
        },
        "x", "double", "float");
    CHECK_FAILS(
        ORT_INVALID_ARGUMENT, [&] { run(session, {"x"}, one(over(x, {3})), {"y"}); }, "x");
    CHECK_FAILS(
        ORT_INVALID_ARGUMENT,
        [&] {
            run(session, {"x"}, one(over(x, {3, 1})), {"y"});
        },
        "x");
    CHECK_FAILS(ORT_INVALID_ARGUMENT, [&] { run(session, {"x"}, one(over(x, {1, 3})), {}); });
    std::vector<float> y = elements_of<float>(run(session, {"x"}, one(over(x, {1, 3})), {"y"})[0]);
    CHECK_EQUAL(y, std::vector<float>{1, 2, 3}); /* mistakes leave a session as it was */
}

/* A session refuses a node whose inputs are of the wrong types, or its run does. */
static void test_types_that_do_not_fit()
{
    std::vector<float> x = {1};
    const int64_t shape[] = {1};
    const char *word[] = {"a"};
    Ort::AllocatorWithDefaultOptions allocator;
    std::vector<Ort::Value> values = one(over(x, {1}));
    values.push_back(
        Ort::Value::CreateTensor(allocator, shape, 1, ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING));
    values[1].FillStringTensor(word, 1);
    auto load_and_run = [&] {
        Ort::Session session = load("mismatch");
        run(session, {"x", "s"}, values, {"y"});
    };
    CHECK(code_of(load_and_run, __FILE__, __LINE__, {"Add", "string"}) != ORT_OK);
}

static void test_many_threads()
{
    Ort::Session session = load("scale");
    std::atomic<int> right{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; t++)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 50; i++) {
                std::vector<float> x((size_t)(3 * (t + 1)), (float)i);
                Ort::Value in = over(x, {t + 1, 3});
                const char *inputs[] = {"x"}, *outputs[] = {"total"};
                auto got = session.Run(Ort::RunOptions{nullptr}, inputs, &in, 1, outputs, 1);
                right += elements_of<float>(got[0]) ==
                         std::vector<float>((size_t)t + 1, 6.0f * (float)i);
            }
        });
    for (auto &thread : threads)
        thread.join();
    CHECK_EQUAL(right.load(), 400);
}

/* A hundred sessions of one model, made, run and freed on eight threads. */
static void test_many_sessions()
{
    std::atomic<int> right{0};
    std::vector<std::thread> threads;
    env(); /* which is not to be made on a thread of those */
    for (int t = 0; t < 8; t++)
        threads.emplace_back([&] {
            std::vector<Ort::Session> sessions;
            for (int i = 0; i < 13; i++) {
                Ort::SessionOptions options;
                options.SetIntraOpNumThreads(1);
                sessions.push_back(load("scale", options));
                std::vector<float> x = {1, 1, (float)i};
                auto got = run(sessions.back(), {"x"}, one(over(x, {1, 3})), {"y"});
                right += elements_of<float>(got[0]) == std::vector<float>{1, 2, 3.0f * (float)i};
            }
        });
    for (auto &thread : threads)
        thread.join();
    CHECK_EQUAL(right.load(), 104);
}

struct Background {
    std::mutex mutex;
    std::condition_variable ended;
    bool done = false;
    OrtErrorCode code = ORT_OK;
    std::vector<float> y;
};

static void note_end(void *context, OrtValue **outputs, size_t, OrtStatusPtr status_of_run)
{
    Background &run = *static_cast<Background *>(context);
    Ort::Status status(status_of_run);
    std::lock_guard<std::mutex> guard(run.mutex);
    run.code = status.IsOK() ? ORT_OK : status.GetErrorCode();
    if (status.IsOK())
        run.y = elements_of<float>(Ort::Value(outputs[0])); /* which the value frees */
    run.done = true;
    run.ended.notify_all();
}

static bool await(Background &run)
{
    std::unique_lock<std::mutex> lock(run.mutex);
    return run.ended.wait_for(lock, std::chrono::seconds(60), [&] { return run.done; });
}

static void test_in_the_background()
{
    Ort::SessionOptions options;
    options.SetIntraOpNumThreads(2);
    Ort::Session session = load("scale", options);
    std::vector<float> x = {1, 2, 3};
    Ort::Value in = over(x, {1, 3}), out{nullptr};
    const char *inputs[] = {"x"}, *outputs[] = {"y"};
    Ort::RunOptions run_options;
    Background run;
    session.RunAsync(run_options, inputs, &in, 1, outputs, &out, 1, note_end, &run);
    CHECK(await(run));
    CHECK_EQUAL(run.code, ORT_OK);
    CHECK_EQUAL(run.y, std::vector<float>{1, 4, 9});
    out.release(); /* freed by the callback */
}

static void test_ended_early()
{
    Ort::Session session = load("forever");
    std::vector<float> x(64 * 64, 0.5f);
    std::vector<int64_t> rounds = {INT64_MAX};
    std::vector<Ort::Value> values = one(over(x, {64, 64}));
    values.push_back(over(rounds, {}));
    const char *inputs[] = {"x", "rounds"}, *outputs[] = {"y"};
    Ort::RunOptions options;
    options.SetRunTag("long");
    CHECK_EQUAL(options.GetRunTag(), std::string("long"));
    std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        options.SetTerminate();
    });
    CHECK_FAILS(ORT_FAIL, [&] { session.Run(options, inputs, values.data(), 2, outputs, 1); });
    other.join();
    CHECK_FAILS(ORT_FAIL, [&] { session.Run(options, inputs, values.data(), 2, outputs, 1); });
    options.UnsetTerminate();
    rounds[0] = 1;
    auto got = session.Run(options, inputs, values.data(), 2, outputs, 1);
    CHECK_EQUAL(elements_of<float>(got[0]), std::vector<float>(64 * 64, 1.0f));
}

static void test_run_options()
{
    Ort::RunOptions options;
    options.SetRunLogVerbosityLevel(3).SetRunLogSeverityLevel(2);
    CHECK_EQUAL(options.GetRunLogVerbosityLevel(), 3);
    CHECK_EQUAL(options.GetRunLogSeverityLevel(), 2);
    options.AddConfigEntry("memory.enable_memory_arena_shrinkage", "cpu:0");
    Ort::Session session = load("scale");
    std::vector<float> x = {1, 1, 1};
    Ort::Value in = over(x, {1, 3});
    const char *inputs[] = {"x"}, *outputs[] = {"y"};
    auto got = session.Run(options, inputs, &in, 1, outputs, 1);
    CHECK_EQUAL(elements_of<float>(got[0]), std::vector<float>{1, 2, 3});
}

int main(int argc, char **argv)
{
    return run_tests(argc, argv,
                     {{"values", test_values},
                      {"network", test_network},
                      {"outputs_of_the_caller", test_outputs_of_the_caller},
                      {"mistakes", test_mistakes},
                      {"types_that_do_not_fit", test_types_that_do_not_fit},
                      {"many_threads", test_many_threads},
                      {"many_sessions", test_many_sessions},
                      {"in_the_background", test_in_the_background},
                      {"ended_early", test_ended_early},
                      {"run_options", test_run_options}});
}
