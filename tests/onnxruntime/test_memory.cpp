/* SPDX-License-Identifier: Apache-2.0
 *
 * test_memory.cpp - allocators, memory infos, and environments of every kind.
 */
#include "client.hpp"

#include <atomic>
#include <thread>

static void test_default_allocator()
{
    Ort::AllocatorWithDefaultOptions allocator;
    void *block = allocator.Alloc(100);
    CHECK(block != nullptr);
    std::memset(block, 1, 100);
    allocator.Free(block);
    {
        auto memory = allocator.GetAllocation(100);
        CHECK_EQUAL(memory.size(), 100u);
        std::memset(memory.get(), 2, memory.size());
    }
    auto info = allocator.GetInfo();
    CHECK_EQUAL(info.GetAllocatorName(), std::string("Cpu"));
    CHECK_EQUAL(info.GetDeviceId(), 0);
    CHECK_EQUAL(info.GetMemoryType(), OrtMemTypeDefault);
    CHECK_EQUAL(info.GetDeviceType(), OrtMemoryInfoDeviceType_CPU);
}

static void test_memory_infos()
{
    Ort::MemoryInfo arena = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
    Ort::MemoryInfo device = Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault);
    Ort::MemoryInfo named("Cpu", OrtArenaAllocator, 0, OrtMemTypeDefault);
    CHECK(arena == named);
    CHECK(!(arena == device));
    CHECK_EQUAL(arena.GetAllocatorType(), OrtArenaAllocator);
    CHECK_EQUAL(device.GetAllocatorType(), OrtDeviceAllocator);
    CHECK(code_of([] { Ort::MemoryInfo("Nowhere", OrtArenaAllocator, 0, OrtMemTypeDefault); },
                  __FILE__, __LINE__, {}) != ORT_OK);
}

static void test_allocator_of_a_session()
{
    Ort::Session session = load("scale");
    Ort::Allocator allocator(session, cpu());
    auto memory = allocator.GetAllocation(3 * sizeof(float));
    CHECK(memory.get() != nullptr);
    CHECK_EQUAL(memory.size(), 3 * sizeof(float));
    float *x = static_cast<float *>(memory.get());
    x[0] = x[1] = x[2] = 2;
    const int64_t shape[] = {1, 3};
    std::vector<Ort::Value> values;
    values.push_back(Ort::Value::CreateTensor<float>(cpu(), x, 3, shape, 2));
    CHECK_EQUAL(elements_of<float>(run(session, {"x"}, values, {"y"})[0]),
                std::vector<float>{2, 4, 6});
}

/* An allocator of the host's: what tensors of it hold is counted. */
struct Counting : OrtAllocator {
    std::atomic<int> live{0};
    Ort::MemoryInfo info = Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault);

    Counting() : OrtAllocator{}
    {
        version = ORT_API_VERSION;
        OrtAllocator::Alloc = [](OrtAllocator *self, size_t size) -> void * {
            static_cast<Counting *>(self)->live++;
            return std::malloc(size);
        };
        OrtAllocator::Free = [](OrtAllocator *self, void *block) {
            static_cast<Counting *>(self)->live -= block != nullptr;
            std::free(block);
        };
        OrtAllocator::Info = [](const OrtAllocator *self) -> const OrtMemoryInfo * {
            return static_cast<const Counting *>(self)->info;
        };
    }
};

static void test_allocator_of_the_host()
{
    Counting counting;
    const int64_t shape[] = {4};
    {
        Ort::Value tensor = Ort::Value::CreateTensor<float>(&counting, shape, 1);
        CHECK_EQUAL(counting.live.load(), 1);
        tensor.GetTensorMutableData<float>()[3] = 1;
    }
    CHECK_EQUAL(counting.live.load(), 0);
    Ort::Session session = load("scale");
    char *name = session.GetInputNameAllocated(0, &counting).release();
    CHECK_EQUAL(counting.live.load(), 1);
    CHECK_EQUAL(name, std::string("x"));
    counting.Free(&counting, name);
}

static void test_environments()
{
    Ort::Env first(ORT_LOGGING_LEVEL_WARNING, "first"), second(ORT_LOGGING_LEVEL_WARNING, "second");
    first.UpdateEnvWithCustomLogLevel(ORT_LOGGING_LEVEL_ERROR);
    first.DisableTelemetryEvents().EnableTelemetryEvents();
    Ort::ArenaCfg arena(0, -1, -1, -1);
    first.CreateAndRegisterAllocator(cpu(), arena);
    Ort::SessionOptions options;
    options.AddConfigEntry("session.use_env_allocators", "1");
    Ort::Session session(first, model("scale").c_str(), options);
    CHECK_EQUAL(session.GetInputCount(), 1u);
    CHECK_EQUAL(Ort::GetVersionString().substr(0, 2), std::string("1."));
    CHECK(!Ort::GetBuildInfoString().empty());
}

int main(int argc, char **argv)
{
    return run_tests(argc, argv,
                     {{"default_allocator", test_default_allocator},
                      {"memory_infos", test_memory_infos},
                      {"allocator_of_a_session", test_allocator_of_a_session},
                      {"allocator_of_the_host", test_allocator_of_the_host},
                      {"environments", test_environments}});
}
