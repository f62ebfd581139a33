/* SPDX-License-Identifier: Apache-2.0
 * thrown.cpp - functions of a program that throw, for exceptions.c. */
extern "C" {
#include "thrown.h"
}

#include <cstdlib>
#include <new>
#include <stdexcept>

OrtStatus *throw_creating(const OrtCustomOp *, const OrtApi *, const OrtKernelInfo *, void **)
{
    throw std::invalid_argument("no kernel today");
}

void *throw_creating_old(const OrtCustomOp *, const OrtApi *, const OrtKernelInfo *)
{
    throw std::invalid_argument("no kernel ever");
}

OrtStatus *throw_computing(void *, OrtKernelContext *)
{
    throw std::runtime_error("no result today");
}

void throw_computing_old(void *, OrtKernelContext *)
{
    throw 5;
}

void throw_destroying(void *kernel)
{
    std::free(kernel);
    throw std::runtime_error("no end");
}

void throw_in_task(void *number, size_t i)
{
    if (i == *static_cast<size_t *>(number))
        throw std::runtime_error("no task today");
}

const char *throw_text(const OrtCustomOp *)
{
    throw std::runtime_error("no word of itself");
}

size_t throw_count(const OrtCustomOp *)
{
    throw std::runtime_error("no word of itself");
}

ONNXTensorElementDataType throw_type(const OrtCustomOp *, size_t)
{
    throw std::runtime_error("no word of itself");
}

OrtCustomOpInputOutputCharacteristic throw_kind(const OrtCustomOp *, size_t)
{
    throw std::runtime_error("no word of itself");
}

int throw_number(const OrtCustomOp *)
{
    throw std::runtime_error("no word of itself");
}

OrtStatus *throw_registering(OrtSessionOptions *, const OrtApiBase *)
{
    throw std::runtime_error("no operators today");
}

void *throw_allocating(OrtAllocator *, size_t)
{
    throw std::runtime_error("no memory today");
}

void throw_freeing(OrtAllocator *, void *block)
{
    std::free(block);
    throw std::runtime_error("no memory back");
}

const OrtMemoryInfo *throw_describing(const OrtAllocator *)
{
    throw std::runtime_error("no description");
}

OrtStatus *throw_counting(const OrtAllocator *, OrtKeyValuePairs **)
{
    throw std::runtime_error("no numbers");
}

void throw_logging(void *, OrtLoggingLevel, const char *, const char *, const char *, const char *)
{
    throw std::runtime_error("no log today");
}

void throw_when_done(void *user_data, OrtValue **, size_t, OrtStatus *)
{
    __atomic_store_n(static_cast<int *>(user_data), 1, __ATOMIC_SEQ_CST);
    throw std::runtime_error("no callback");
}
