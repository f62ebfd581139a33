/* SPDX-License-Identifier: Apache-2.0
 * functions.h - macros that define functions of the interface which do one thing each. */
#pragma once

#include "common/status.h"

/* The function tells one fact: *out becomes an expression of self. */
#define ORT_GETTER(function, type, self, result, expression)                                       \
    OrtStatus *function(const type *self, result *out)                                             \
    {                                                                                              \
        if (!self || !out)                                                                         \
            return ort_missing(__func__, #self " && out");                                         \
        *out = (expression);                                                                       \
        return NULL;                                                                               \
    }

/* The function returns what `call` makes of its parameter. */
#define ORT_PASSES(function, type, self, parameter, call)                                          \
    OrtStatus *function(type *self, parameter)                                                     \
    {                                                                                              \
        if (!self)                                                                                 \
            return ort_missing(__func__, #self);                                                   \
        return call;                                                                               \
    }

/* The function stores its parameter: `assignment` does it. */
#define ORT_SETTER(function, type, self, parameter, assignment)                                    \
    OrtStatus *function(type *self, parameter)                                                     \
    {                                                                                              \
        if (!self)                                                                                 \
            return ort_missing(__func__, #self);                                                   \
        assignment;                                                                                \
        return NULL;                                                                               \
    }

/* The function turns something on or off: `assignment` does it. */
#define ORT_SWITCH(function, type, self, assignment)                                               \
    OrtStatus *function(type *self)                                                                \
    {                                                                                              \
        if (!self)                                                                                 \
            return ort_missing(__func__, #self);                                                   \
        assignment;                                                                                \
        return NULL;                                                                               \
    }

/* The function returns an answer that does not depend on its parameter. */
#define ORT_ANSWER(function, result, parameter, answer)                                            \
    result function(parameter)                                                                     \
    {                                                                                              \
        return answer;                                                                             \
    }

/* The function makes a struct of size bytes, all zero, which one of ORT_RELEASE frees. */
#define ORT_MAKER(function, type, size)                                                            \
    OrtStatus *function(type **out)                                                                \
    {                                                                                              \
        ORT_NEED(out);                                                                             \
        return ort_new(size, out);                                                                 \
    }

/* The function frees a struct that owns nothing else. */
#define ORT_RELEASE(function, type)                                                                \
    void function(type *made)                                                                      \
    {                                                                                              \
        free(made);                                                                                \
    }
