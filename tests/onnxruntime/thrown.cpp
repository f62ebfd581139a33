/* SPDX-License-Identifier: Apache-2.0
 * thrown.cpp - kernels that throw, for exceptions.c. */
extern "C" {
#include "thrown.h"
}

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
