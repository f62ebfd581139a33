/* SPDX-License-Identifier: Apache-2.0
 * lint.h - what the analyzer cannot see, which reads one file at a time: the functions that set an
 * error return it, so what a caller does after them is not reached with OC_OK. tests/lint.py
 * includes it before each file that does not define one of them. */
#pragma once

#include "base/lex.h"
#include "base/memory.h"
#include "kernels/common/variant.h"
#include "ops/kit/op.h"
#include "common/tool.h"

#define oc_error_set(e, code, ...)           (oc_error_set((e), (code), __VA_ARGS__), (code))
#define oc_error_setv(e, code, format, args) (oc_error_setv((e), (code), (format), (args)), (code))
#define oc_fail(c, code, ...)                (oc_fail((c), (code), __VA_ARGS__), (code))
#define tool_fail(e, code, ...)              (tool_fail((e), (code), __VA_ARGS__), (code))
#define oc_lex_fail(l, e, ...)               (oc_lex_fail((l), (e), __VA_ARGS__), OC_FORMAT)
#define oc_fail_dims(c, i, ...)              (oc_fail_dims((c), (i), __VA_ARGS__), OC_SHAPE)
#define oc_fail_index(c, i, at, index, size, why)                                                  \
    (oc_fail_index((c), (i), (at), (index), (size), (why)), OC_VALUE)
#define oc_error_nomem(e, size)     (oc_error_nomem((e), (size)), OC_NOMEM)
#define oc_memory_error(m, size, e) (oc_memory_error((m), (size), (e)), OC_NOMEM)
#define oc_watch_error(w, e)        (oc_watch_error((w), (e)), OC_DEADLINE)

/* The last row of every table of variants needs nothing of the processor. */
#undef OC_VARIANT_PICK
#define OC_VARIANT_PICK(v, variants, function, cpu) ((void)(cpu), (v) = (variants)[0])

#undef OC_SCRATCH_OF
#define OC_SCRATCH_OF(c, pointer, count, size)                                                     \
    (((pointer) = oc_scratch_memory(c, (size_t)(count), size)) ? OC_OK : OC_NOMEM)
