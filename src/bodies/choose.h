/* SPDX-License-Identifier: Apache-2.0
 * choose.h - decides which body runs in place of a node: the host's own, else one of ONNX's where
 * there is no kernel or the choice asks for it. */
#ifndef OC_BODIES_CHOOSE_H
#define OC_BODIES_CHOOSE_H

#include "bodies/library.h"

typedef struct oc_chooser {
    oc_body_options choice;
    const oc_op *host_ops;
    struct oc_own_body *own; /* the host's bodies, in the order given */
    int n_own;
    oc_body_library library; /* its model owns the functions that were parsed and chosen */
    const bool *served;      /* of each function of the model: do kernels run its calls? NULL: no */
    oc_error *e;
} oc_chooser;

/* Reads the headers of the host's own bodies. memory: of the library, or NULL (library.h). */
oc_status oc_chooser_new(const oc_body_options *choice, const oc_op *host_ops,
                         const oc_memory *memory, oc_chooser *chooser, oc_error *e);
/* Also frees the parsed functions. A caller that keeps chooser->library.model sets it to NULL
 * first. */
void oc_chooser_free(oc_chooser *chooser);

/* Would a body run in place of a node of this operator? */
bool oc_chooser_has(const oc_chooser *c, const char *domain, const char *name, int64_t opset);
/* Does the choice prefer bodies to kernels for operators of this name? */
bool oc_chooser_prefers(const oc_chooser *c, const char *name);

/* *function becomes the body that replaces the call's node, parsed for this call. *function is NULL
 * if the node stays. */
oc_status oc_choose_body(oc_chooser *c, const oc_body_call *call, const oc_function **function);

#endif
