/* SPDX-License-Identifier: Apache-2.0
 * kernel.h - the inside of operators of the program: what is known of each, their kernels, and what
 * a kernel may ask when it is made and when it runs. */
#pragma once

#include "common/declared.h"
#include "common/env.h"
#include "options/options.h"
#include "values/types.h"
#include "values/value.h"

#include <ocellus_model.h>
#include <ocellus_op.h>
#include <pthread.h>

typedef struct ort_operators ort_operators; /* operators.h */

/* An attribute. Of an operator it has a name and a kind alone; of a node it has a copy of the items
 * too. */
typedef struct ort_attribute {
    char *name;
    const char *kind; /* "ints" */
    size_t n;         /* items */
    float *floats;    /* the items of float and floats, else NULL */
    int64_t *ints;    /* the items of int and ints, else NULL */
    oc_string *text;  /* the items of string and strings, each ended by a zero byte, else NULL */
} ort_attribute;

/* One version of an operator. The program may have several operators of its name that begin with
 * this version, and that differ in the types of their operands. */
typedef struct ort_operator {
    ort_operators *owner;
    char *domain;
    const char *name; /* name of the first of op */
    int since;
    ort_declared *op;
    size_t n_op;
    ort_attribute *attribute; /* attributes of any node, without items */
    size_t n_attribute;
    bool is_called; /* true: a node of the model calls it */
    char *signature;
} ort_operator;

/* Describes a node to its kernel. It lives as long as the kernel, or a copy that the kernel took.
 */
struct OrtKernelInfo {
    atomic_int holders;
    const ort_operator *of;
    char *node;        /* name of the node */
    oc_port *in, *out; /* their names are its own; names of dims are not kept */
    int n_in, n_out;
    ort_attribute *attribute;
    size_t n_attribute;
    const struct oc_attr *identity; /* tells the node from others of that name */
    pthread_mutex_t lock;           /* of the members below */
    oc_call *call;                  /* while the kernel is made; else NULL */
    OrtValue **constant;            /* the constant inputs that were asked for; n_in entries */
};

/* A kernel that the program made for a node. */
typedef struct ort_kernel {
    struct ort_kernel *next; /* next one in the list of all kernels */
    const ort_declared *op;
    OrtKernelInfo *info;
    void *state; /* the program's own */
} ort_kernel;

/* A run of a kernel. */
struct OrtKernelContext {
    oc_call *call;
    const ort_kernel *kernel;
    pthread_mutex_t lock; /* of the members below, and of the call where it changes */
    OrtValue **in, **out; /* values that the kernel has asked for */
};

struct ort_operators {
    const OrtSessionOptions *options;
    const OrtLogger *logger;
    oc_model *expanded; /* the model without functions; NULL: it has none */
    ort_operator **item;
    size_t n;
    oc_op *table;   /* an entry for each operator that is called, and the end */
    oc_port *value; /* what the model declares of each value of nodes of these operators */
    size_t n_value;
    pthread_mutex_t lock; /* of the members below */
    ort_kernel *kernel;
};

/* A kernel may call from several threads at a time: a function locks before it makes something that
 * a lock guards. ort_unlock returns status. */
static inline void ort_lock(const pthread_mutex_t *lock)
{
    pthread_mutex_lock((pthread_mutex_t *)(uintptr_t)lock);
}

static inline OrtStatus *ort_unlock(const pthread_mutex_t *lock, OrtStatus *status)
{
    pthread_mutex_unlock((pthread_mutex_t *)(uintptr_t)lock);
    return status;
}

/* Writes the signature of an operator for Ocellus (signature.c). */
OrtStatus *ort_operator_sign(ort_operator *o);
/* kernel.c: the functions of each version in the table. */
oc_status ort_kernel_prepare(oc_call *call);
oc_status ort_kernel_run(oc_call *call);
void ort_kernels_free(ort_operators *operators);
/* Describes the node of a call (kernel_info.c). The values of the model tell what the call does
 * not. */
OrtStatus *ort_kernel_info_new(oc_call *call, const ort_operator *of, OrtKernelInfo **out);
void ort_attributes_free(ort_attribute *attribute, size_t n);
/* Gives the call those outputs of the kernel that have memory of their own, then frees the values
 * of the run (kernel_context.c). */
OrtStatus *ort_kernel_context_end(OrtKernelContext *c, OrtStatus *status);
