/* SPDX-License-Identifier: Apache-2.0
 * guard.cpp - guard.inc in C++, which catches.
 *
 * What this needs of C++ at run time is weak: where nothing is C++ nothing is thrown, and no
 * library of it is loaded. */
extern "C" {
#include "common/element_type.h"
#include "common/guard.h"
#include "common/interface.h"
}

#include <cstring>
#include <exception>

__asm__(".weak __gxx_personality_v0\n"
        ".weak __cxa_begin_catch\n"
        ".weak __cxa_end_catch\n"
        ".weak _Unwind_Resume\n"
        ".weak _ZTISt9exception\n"
        ".weak _ZSt9terminatev\n");

#define TRY try
#define CATCH                                                                                      \
    catch (const std::exception &e)                                                                \
    {                                                                                              \
        return ort_CreateStatus(ORT_RUNTIME_EXCEPTION, e.what());                                  \
    }                                                                                              \
    catch (...)                                                                                    \
    {                                                                                              \
        return ort_CreateStatus(ORT_RUNTIME_EXCEPTION, "an exception that tells nothing");         \
    }
#define DROP                                                                                       \
    catch (...) {}

#include "common/guard.inc"
