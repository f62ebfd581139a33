/* SPDX-License-Identifier: Apache-2.0
 *
 * test_binding.cpp - inputs and outputs that are bound once and run many times.
 */
#include "client.hpp"

static void test_memory_of_the_caller()
{
    Ort::Session session = load("scale");
    std::vector<float> x = {1, 1, 1, 2, 2, 2}, y(6), total(2);
    Ort::IoBinding binding(session);
    binding.BindInput("x", over(x, {2, 3}));
    binding.BindOutput("y", over(y, {2, 3}));
    binding.BindOutput("total", over(total, {2}));
    for (int i = 1; i < 4; i++) {
        std::fill(x.begin(), x.end(), (float)i);
        session.Run(Ort::RunOptions{}, binding);
        CHECK_EQUAL(y,
                    std::vector<float>{1.0f * i, 2.0f * i, 3.0f * i, 1.0f * i, 2.0f * i, 3.0f * i});
        CHECK_EQUAL(total, std::vector<float>{6.0f * i, 6.0f * i});
    }
    std::vector<Ort::Value> values = binding.GetOutputValues();
    CHECK_EQUAL(values.size(), 2u);
    CHECK(values[0].GetTensorData<float>() == y.data());
    binding.SynchronizeInputs();
    binding.SynchronizeOutputs();
}

static void test_outputs_on_a_device()
{
    Ort::Session session = load("scale");
    std::vector<float> x = {1, 2, 3}, more = {1, 1, 1, 2, 2, 2};
    Ort::IoBinding binding(session);
    binding.BindInput("x", over(x, {1, 3}));
    binding.BindOutput("total", cpu());
    binding.BindOutput("y", cpu());
    CHECK_EQUAL(binding.GetOutputNames(), std::vector<std::string>{"total", "y"});
    session.Run(Ort::RunOptions{}, binding);
    std::vector<Ort::Value> first = binding.GetOutputValues();
    CHECK_EQUAL(elements_of<float>(first[0]), std::vector<float>{14});
    CHECK_EQUAL(elements_of<float>(first[1]), std::vector<float>{1, 4, 9});

    binding.BindInput("x", over(more, {2, 3})); /* in place of the first */
    binding.ClearBoundOutputs();
    binding.BindOutput("total", cpu());
    session.Run(Ort::RunOptions{}, binding);
    std::vector<Ort::Value> second = binding.GetOutputValues();
    CHECK_EQUAL(second.size(), 1u);
    CHECK_EQUAL(elements_of<float>(second[0]), std::vector<float>{6, 12});
    CHECK_EQUAL(elements_of<float>(first[1]), std::vector<float>{1, 4, 9});
}

static void test_mistakes()
{
    Ort::Session session = load("scale");
    std::vector<float> x = {1, 2, 3};
    Ort::IoBinding inputs(session), outputs(session), cleared(session);
    CHECK(code_of(
              [&] {
                  inputs.BindInput("z", over(x, {1, 3}));
              },
              __FILE__, __LINE__, {"z"}) != ORT_OK);
    auto run_with_unknown_output = [&] {
        outputs.BindInput("x", over(x, {1, 3}));
        outputs.BindOutput("w", cpu());
        session.Run(Ort::RunOptions{}, outputs);
    };
    CHECK(code_of(run_with_unknown_output, __FILE__, __LINE__, {"w"}) != ORT_OK);
    cleared.BindInput("x", over(x, {1, 3}));
    cleared.BindOutput("y", cpu());
    cleared.ClearBoundInputs();
    CHECK(code_of([&] { session.Run(Ort::RunOptions{}, cleared); }, __FILE__, __LINE__, {}) !=
          ORT_OK);
}

int main(int argc, char **argv)
{
    return run_tests(argc, argv,
                     {{"memory_of_the_caller", test_memory_of_the_caller},
                      {"outputs_on_a_device", test_outputs_on_a_device},
                      {"mistakes", test_mistakes}});
}
