/* SPDX-License-Identifier: Apache-2.0
 * choose.h - decides which body runs in place of a node.
 *
 * It is the host's own body if there is one; else ONNX's, when there is no kernel or when the
 * choice asks for the body. */
#pragma once

#include "bodies/library.h"

typedef struct oc_chooser {
    oc_body_options choice;
    const oc_op *host_ops;
    struct oc_own_body *own; /* the host's bodies, in the order in which they were given */
    int n_own;
    oc_body_library library; /* its model owns the parsed and chosen functions */
    /* for each function of the model: true when kernels run its calls. NULL: all are false */
    const bool *served;
    /* what is put behind the model, where only functions are replaced (join.h); NULL: nothing */
    const struct oc_join *join;
    oc_error *e;
} oc_chooser;

/* Reads the headers of the host's own bodies. memory is for the library, and may be NULL
 * (library.h). */
oc_status oc_chooser_new(const oc_body_options *choice, const oc_op *host_ops,
                         const oc_memory *memory, oc_chooser *chooser, oc_error *e);
/* Also frees the parsed functions. A caller that keeps chooser->library.model sets it to NULL
 * first. */
void oc_chooser_free(oc_chooser *chooser);

/* Would a body run in place of a node of this operator? */
bool oc_chooser_has(const oc_chooser *c, const char *domain, const char *name, int64_t opset);
/* Does the choice prefer bodies to kernels for operators of this name? */
bool oc_chooser_prefers(const oc_chooser *c, const char *name);

/* *function becomes the body that replaces the call's node, parsed for this call; NULL if the
 * node stays. */
oc_status oc_choose_body(oc_chooser *c, const oc_body_call *call, const oc_function **function);
